/** Settings of a study's knobs as points of a unit cube, one side a dimension. */
#ifndef SIM_SPACE_H
#define SIM_SPACE_H

#include "../study/study.h"

/** Values of all axes at @p u, each side in [0, 1] (both ends included), into @p ret; a dimension that is not @p free
 *  (NULL: all are) gets NULL, the scenario's own. Texts are borrowed from the axes or taken from @p memory. */
void sim_space_values(const struct sim_study *study, const bool *free, const double *u,
                      struct sim_scenario_memory *memory, const char **ret);

/** Points of Sobol's sequence over the @p free dimensions (GSL; P. Bratley and B. Fox, ACM TOMS 14, 1988), one by one,
 *  those left out that constraints forbid. */
struct sim_sobol;
struct sim_sobol *sim_sobol_create(const struct sim_study *study, const bool *free);
void sim_sobol_destroy(struct sim_sobol *sobol);

/** The next allowed point into @p ret (by axis). *ret_found is false when @p tries points in a row were forbidden.
 *  @return false with *error when a constraint cannot be evaluated. */
bool sim_sobol_next(struct sim_sobol *sobol, size_t tries, struct sim_scenario_memory *memory, const char **ret,
                    bool *ret_found, struct sim_located_error *error);

#endif
