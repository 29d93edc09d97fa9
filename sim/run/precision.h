/** Precision on demand: replications until a figure is known well enough. */
#ifndef SIM_PRECISION_H
#define SIM_PRECISION_H

#include "run.h"

/** The first number of replications, at least @p at_least, after which to look: 20, then half as many again each time
 *  (rounded down): 20, 30, 45, 67, 100, 150, 225, ...; never over @p most, which is looked at in any case. */
uint32_t sim_precision_look(uint32_t at_least, uint32_t most);

/** Judge @p estimate (95 %) of @p figure against @p precision. */
struct sim_precision_result sim_precision_judge(const struct sim_figure *figure, const struct sim_precision *precision,
                                                const struct sim_estimate *estimate);

#endif
