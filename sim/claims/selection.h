/** Which configurations of a study a side of a measure means. */
#ifndef SIM_CLAIM_SELECTION_H
#define SIM_CLAIM_SELECTION_H

#include "claims.h"

/** Fill `configurations` of *ret, from @p memory, with those for which both @p filters (NULL: none) hold, and in which every
 *  knob of which neither says anything, nor of one zipped with it, stands at its first value: one, or, where @p measure runs
 *  along a knob, two or more in order of its levels. @return false with *why's message: a filter that does not read, too
 *  many or too few, levels that are no numbers. */
bool sim_claim_select(const struct sim_claim_measure *measure, const char *const filters[2],
                      struct sim_scenario_memory *memory, struct sim_claim_side *ret, struct sim_located_error *why);

#endif
