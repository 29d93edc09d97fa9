/** 529s: whether an attempt meets an overloaded endpoint.
 *
 *  A two-state Markov-modulated process. Good and bad times alternate, each exponential; an attempt is refused with the
 *  probability of the state it falls in, one uniform an attempt. It is good at time 0, and at the instant a change of
 *  regime switches the process on. Private to models/endpoint.c. */
#ifndef MODELS_OVERLOAD_H
#define MODELS_OVERLOAD_H

#include "endpoint.h"

/** Start the process of the regime in force at @p now_ns, in the good state. */
void model_overload_start(struct model_endpoint *endpoint, int64_t now_ns);

/** Go over from @p before to the overload settings of the regime now in force. */
void model_overload_change(struct model_endpoint *endpoint, int64_t now_ns, const struct model_overload *before);

/** Draw for one attempt. @return true: it gets a 529. */
bool model_overload_hits(struct model_endpoint *endpoint, int64_t now_ns);

#endif
