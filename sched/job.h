/** A job as the scheduler sees it, and the words that describe it.
 *
 *  The node belongs to the caller, who keeps it alive and in place from sched_enqueue() until the scheduler
 *  hands it back as done, failed or expired; the store links it intrusively through `next`. All times are
 *  nanoseconds of the clock port. */
#ifndef SCHED_JOB_H
#define SCHED_JOB_H

#include <stdint.h>

/** Priority classes, highest first. */
enum sched_class { SCHED_CRITICAL, SCHED_STANDARD, SCHED_BATCH };
enum { SCHED_CLASSES = 3 };

/** What caused a request. Callers state this, never a class. */
enum sched_origin { SCHED_USER_ACTION, SCHED_SCHEDULED, SCHED_BATCH_JOB };

/** An instant that never comes: no SLA, endless patience. */
#define SCHED_NEVER INT64_MAX

/** The SLA from which a job may as well run as batch: 24 hours. */
#define SCHED_BATCH_SLA_NS (86400 * INT64_C(1000000000))

struct sched_job {
    struct sched_job *next; /**< the store's link while queued; the caller may use it otherwise */
    uint64_t id;            /**< the caller's; passed to the random port as the key of this job's draws */

    /* Stated by the caller before sched_enqueue(). */
    int64_t sla_ns;          /**< agreed time to completion; SCHED_NEVER: none */
    int64_t patience_end_ns; /**< instant at which a still undispatched job leaves; SCHED_NEVER: waits for ever */
    int64_t input_tokens;    /**< all input, cached or not: what it costs and what the daily budget counts */
    int64_t uncached_tokens; /**< the part of the input that the endpoint's input limit counts (pacing) */
    int64_t max_tokens;      /**< cap on output stated to the endpoint; 0: none stated */
    uint32_t tenant;         /**< index into sched_config.tenants */
    uint32_t model;          /**< which set of endpoint limits it falls under (pacing) */
    enum sched_origin origin;

    /* Written by the scheduler. */
    enum sched_class requested; /**< class by origin and SLA alone, at the last enqueue */
    enum sched_class class_id;  /**< effective class: `requested`, or batch for a demoted tenant */
    int64_t cost;               /**< DRR cost: max(1, floor(input_tokens / cost_unit_tokens)) */
    int64_t enqueued_ns;        /**< first enqueue */
    int64_t first_dispatch_ns;  /**< first pick; -1 before it */
    int64_t backoff_ns;         /**< the last back-off, for decorrelated jitter; 0: none yet */
    double paced_output_tokens; /**< output that mirror pacing charged for the attempt in flight */
    uint32_t refusals;          /**< refusals since the last enqueue */
    uint32_t attempts;          /**< refusals since the first enqueue; numbers the jitter draws */
};

/** Class by origin and SLA: user_action is critical; batch_job, no SLA, or an SLA of a day or more is batch; the rest
 *  is standard. */
enum sched_class sched_classify(enum sched_origin origin, int64_t sla_ns);

/** Cost in whole units of @p cost_unit_tokens input tokens, at least 1. */
int64_t sched_cost(int64_t input_tokens, int64_t cost_unit_tokens);

#endif
