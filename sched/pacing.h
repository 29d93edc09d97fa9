/** Mirror pacing: a client-side copy of the endpoint's buckets that holds a job until the copy would admit it.
 *
 *  One copy a process. It starts full at the configured limits, is charged at dispatch (one request, the uncached
 *  input, and output: max_tokens where the endpoint reserves it, else the mean output seen so far), refills like a
 *  bucket, gets a refused charge back, has the charged output replaced by the actual one at completion, and is lowered
 *  to what response headers say remains. */
#ifndef SCHED_PACING_H
#define SCHED_PACING_H

#include "config.h"
#include "job.h"

#include <stdbool.h>

/** The copy of one model class's three buckets: requests, input tokens, output tokens. */
struct sched_paced_buckets {
    double level[3];
    int64_t at_ns;
    double output_sum; /**< of completed jobs */
    double output_count;
};

struct sched_pacing {
    const struct sched_config *config;
    struct sched_paced_buckets *buckets; /**< config->paced_count of them */
};

/** Start full. Borrows both. */
void sched_pacing_init(struct sched_pacing *pacing, const struct sched_config *config,
                       struct sched_paced_buckets *buckets);

/** Charge @p job and return true if the copy admits it now; else set *ret_not_before_ns (> now) and return false. */
bool sched_pacing_charge(struct sched_pacing *pacing, struct sched_job *job, int64_t now_ns,
                         int64_t *ret_not_before_ns);

/** The attempt was refused: give its charge back. */
void sched_pacing_refund(struct sched_pacing *pacing, const struct sched_job *job, int64_t now_ns);

/** The job completed with @p output_tokens. */
void sched_pacing_settle(struct sched_pacing *pacing, const struct sched_job *job, int64_t now_ns,
                         int64_t output_tokens);

/** Response headers of model class @p model: a level above @p remaining comes down to it. */
void sched_pacing_correct(struct sched_pacing *pacing, uint32_t model, int64_t now_ns, const int64_t *remaining);

#endif
