/** Which part of a study a process does, told by a person or by a cluster. */
#ifndef SIM_SHARD_H
#define SIM_SHARD_H

#include "../scenario/located_error.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIM_SHARDS_MAX = 1000000 };

/** Part @p index, from 1, of @p count that together do all units. {1, 1} does all. */
struct sim_shard {
    uint32_t index, count;
};

/** Read "I/N" with 1 <= I <= N, or "auto", which asks @p variable for the environment:
 *
 *  - a Slurm array task: I = SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1, N = SLURM_ARRAY_TASK_COUNT; arrays with gaps
 *    or a step are refused, since their numbers do not say how many come before;
 *  - a Kubernetes Indexed Job: I = JOB_COMPLETION_INDEX + 1, N = FAIRLANE_SHARDS, which the Job must set, as Kubernetes
 *    does not tell a pod how many there are.
 *
 *  @return false with *error's message. */
bool sim_shard_read(const char *text, const char *(*variable)(const char *name), struct sim_shard *ret,
                    struct sim_located_error *error);

#endif
