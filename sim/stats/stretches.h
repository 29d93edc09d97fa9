/** How many times a replication is as long as its queue's memory. */
#ifndef SIM_STRETCHES_H
#define SIM_STRETCHES_H

#include "../measure/outcome.h"

#include <stddef.h>

/** Which backlog: jobs queued of a class (0 critical, 1 standard, 2 batch), or all jobs in the system. */
enum { SIM_BACKLOG_ALL = 3 };

/** Independent stretches in [from, until] of a replication: its length over the integrated autocorrelation time
 *
 *      tau = 1 + 2 x (sum of the autocorrelations up to lag M),  M the least lag with M >= 3 tau
 *
 *  of the root of the backlog, less its mean over replications at that instant. The root keeps a few long queues from
 *  deciding alone; less the mean, a course common to all (a day's profile, a queue that drains) is no memory. A. Sokal, "Monte Carlo methods in statistical mechanics", 1989, for the
 *  window. At most the number of points of the series; never below 1. Looks at the first 200 replications.
 *  @return NAN when it cannot be told: one replication, fewer than 20 points, or a backlog that never differs. */
double sim_stretches(const struct sim_outcome *const *outcomes, size_t count, size_t backlog, double from_s,
                     double until_s);

#endif
