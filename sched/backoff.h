/** How long to wait after a refusal. */
#ifndef SCHED_BACKOFF_H
#define SCHED_BACKOFF_H

#include "scheduler.h"

/** Delay before the next attempt of @p job, which was just refused for the (job->refusals)th time since its last
 *  enqueue.
 *  @p retry_after_ns: as the endpoint sent it; -1: it sent none. Records the delay in job->backoff_ns. */
int64_t sched_backoff_ns(const struct sched_scheduler *scheduler, struct sched_job *job, int64_t retry_after_ns);

#endif
