/** The acceleration limit: input tokens admitted in one minute of the wall clock may exceed those of the minute before
 * by a step only.
 *
 *  An allowance A holds for each clock minute; in the first, perhaps partial, one A is the initial value. At the end of
 * a minute with any admission A grows by the step, up to the input tokens a minute in force; at the end of an idle one
 *  it shrinks by the step, down to the initial value. A request is refused when what was admitted in the minute and
 *  its own input exceed A, except that the first of a minute always passes. Private to models/endpoint.c. */
#ifndef MODELS_RAMP_H
#define MODELS_RAMP_H

#include "endpoint.h"

/** Start in the minute that holds instant 0. */
void model_ramp_start(struct model_endpoint *endpoint);

/** End all minutes that are over at @p now_ns, by the limits in force: also before a change of regime. */
void model_ramp_advance(struct model_endpoint *endpoint, int64_t now_ns);

/** May @p tokens more pass in the minute that the ramp was advanced to? */
bool model_ramp_allows(const struct model_endpoint *endpoint, int64_t tokens);

/** Book an admission of @p tokens. */
void model_ramp_admit(struct model_endpoint *endpoint, int64_t tokens);

/** From @p now_ns to the next clock minute, in whole seconds rounded up, as a header can say it. */
int64_t model_ramp_wait_s(const struct model_endpoint *endpoint, int64_t now_ns);

#endif
