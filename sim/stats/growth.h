/** Does the backlog grow for as long as the run lasts? */
#ifndef SIM_GROWTH_H
#define SIM_GROWTH_H

#include "../measure/outcome.h"

#include <stdbool.h>
#include <stddef.h>

struct sim_growth {
    size_t replications; /**< that grow, each by itself; 0: told only by all of them together */
    double jobs_per_min;
};

/** Judge the jobs queued in [from, until] of every replication. They grow for good when either
 *
 *  - in three quarters of the replications a least-squares line rises by at least 5 jobs and a quarter of the mean, and
 *    explains half of the variance (4/5 if there is one replication only): a stable queue wanders, or
 *  - their mean rises by as much between the first and the last tenth, the rise of the second half is over 4 of its
 *    standard errors over replications, and at least .6 of that of the first half: a queue on its way to a steady state
 *    slows down, even at load 1, where it grows as the root of time (.41).
 *
 *  @return false, and *ret as it was, when they do not or there are fewer than 10 points. */
bool sim_backlog_grows(const struct sim_outcome *const *outcomes, size_t count, double from_s, double until_s,
                       struct sim_growth *ret);

#endif
