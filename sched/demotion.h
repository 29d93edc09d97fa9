/** Who is demoted to batch, and why: 429s in a sliding window, or the daily input budget. */
#ifndef SCHED_DEMOTION_H
#define SCHED_DEMOTION_H

#include "scheduler.h"

/** Why a tenant has just gone from not demoted to demoted. */
enum sched_demotion_cause { SCHED_NOT_DEMOTED, SCHED_DEMOTED_BY_THROTTLES, SCHED_DEMOTED_BY_BUDGET };

struct sched_demotion {
    enum sched_demotion_cause cause;
    int64_t span_ns; /**< SCHED_DEMOTED_BY_THROTTLES: from the first to the last of the 429s that it took */
};

/** Record a 429 of @p job's tenant, unless attribution finds that it is not to blame, and check it. */
struct sched_demotion sched_demotion_throttled(struct sched_scheduler *scheduler, const struct sched_job *job);

/** Count the completed @p job's input and check its tenant. */
struct sched_demotion sched_demotion_completed(struct sched_scheduler *scheduler, const struct sched_job *job);

/** Move @p job's cost between "waiting" and "admitted" in its tenant's usage, where entitlement asks for it. */
void sched_demotion_usage(struct sched_scheduler *scheduler, const struct sched_job *job, int admitted, int waiting);

#endif
