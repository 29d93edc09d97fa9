/** Which of several candidates are not worse than another all round?
 *
 *  A candidate is dominated when some other is better in at least one dimension and worse in none, where "better" and
 *  "worse" need a 95 % Student t interval of the mean of the paired differences that excludes zero: differences within
 *  the noise dominate nobody. The intervals are taken one by one, not jointly. */
#ifndef SIM_PARETO_H
#define SIM_PARETO_H

#include <stdbool.h>
#include <stddef.h>

/** One candidate: values by dimension and replication, [d][r]; less is better. NAN: does not exist. */
struct sim_pareto_point {
    const double *const *values;
    size_t replications; /**< 1 .. this many; pairs are formed over those that both have */
};

/** What stands for "not dominated". */
#define SIM_PARETO_NOBODY ((size_t)-1)

/** @p ret_by: by candidate, the first that dominates it, or SIM_PARETO_NOBODY. */
void sim_pareto(const struct sim_pareto_point *points, size_t count, size_t dimensions, size_t *ret_by);

#endif
