/** The jobs that took longest, found by a run that repeats a recorded one. */
#ifndef SIM_LONGEST_H
#define SIM_LONGEST_H

#include "run.h"

/** One of the longest. */
struct sim_longest {
    uint32_t replication, stream, number;
    bool beyond; /**< failed, abandoned or censored: longer than every one that completed */
    int64_t time_ns;
};

/** Find the @p wanted counted jobs of effective class @p class_id (SCHED_CLASSES: any) that took longest, over all
 *  replications, the longest first; ties by replication, stream and number. @p ret: room for @p wanted.
 *  @return how many there are, or SIZE_MAX with *error: a run failed. */
size_t sim_longest_find(const struct sim_scenario *scenario, size_t wanted, int class_id,
                        const struct sim_run_options *options, struct sim_longest *ret,
                        struct sim_located_error *error);

#endif
