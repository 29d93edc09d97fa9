/** Replications on several threads. Which thread runs which never shows: each depends on its number alone, and
 *  whatever is handed on is handed on in order of number. */
#ifndef SIM_REPLICATIONS_H
#define SIM_REPLICATIONS_H

#include "run.h"

/** Run replications @p first .. @p last (from 1) of @p scenario into @p outcomes (last - first + 1 of them).
 *  @return false with *error filled, and nothing in @p outcomes, when one failed or was stopped. */
bool sim_replications_run(const struct sim_scenario *scenario, const struct sim_slo *slos, size_t slo_count,
                          uint32_t first, uint32_t last, const struct sim_run_options *options,
                          struct sim_outcome **outcomes, struct sim_located_error *error);

#endif
