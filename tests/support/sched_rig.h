/** A scheduler on a bench: settings of the article, a clock that the test turns, random words that it may fix, and jobs
 *  that live until the rig is finished. */
#ifndef TESTS_SCHED_RIG_H
#define TESTS_SCHED_RIG_H

#include "../../sched/scheduler.h"
#include "faulty_store.h"

enum { RIG_TENANTS_MAX = 16, RIG_PURPOSES = SCHED_DRAW_JITTER + 1 };

#define RIG_SECOND INT64_C(1000000000)

struct rig_job;

struct rig {
    struct sched_config config;
    struct sched_tenant tenants[RIG_TENANTS_MAX];
    int64_t now_ns;
    int64_t day;
    uint64_t seed;            /**< of the random port */
    bool fixed[RIG_PURPOSES]; /**< the port answers `word` for this purpose */
    uint64_t word[RIG_PURPOSES];
    struct faulty_store shim;
    struct sched_store store; /**< what the scheduler uses: the memory store, or the shim around it */
    struct sched_scheduler scheduler;
    struct sched_worker worker;
    struct sched_pick pick; /**< of the last rig_next() */
    void *block;
    struct rig_job *jobs;
    uint64_t job_count;
};

/** Fill in the article's settings for @p tenants tenants of weight 1 without budget: DRR with quantum 5, one token a
 * cost unit, 0.9 and 70/25/5, retry_after x 1.2 +- 20 %, four retries, demotion by callers. Change rig->config then. */
void rig_configure(struct rig *rig, uint32_t tenants);

/** Build store and scheduler. */
void rig_start(struct rig *rig);

/** The same on a store that shows two flows a view and refuses every third commit. */
void rig_start_faulty(struct rig *rig);

void rig_finish(struct rig *rig);

/** A new job of @p cost tokens, neither stated patient nor queued. */
struct sched_job *rig_job(struct rig *rig, uint32_t tenant, enum sched_origin origin, int64_t cost);

/** Queue a new job. SCHED_SCHEDULED jobs get an SLA of an hour, so that they are standard. */
struct sched_job *rig_enqueue(struct rig *rig, uint32_t tenant, enum sched_origin origin, int64_t cost);

/** Pick. @return the job, or NULL; the whole answer is in rig->pick. */
struct sched_job *rig_next(struct rig *rig);

/** An answer to the attempt of @p job; retry-after in ns, -1: none. */
struct sched_advice rig_answer(struct rig *rig, struct sched_job *job, enum sched_outcome outcome,
                               int64_t retry_after_ns);

/** Deficit of a tenant in a class. */
double rig_deficit(const struct rig *rig, enum sched_class class_id, uint32_t tenant);

/** A word of a small generator for the test's own choices. */
uint64_t rig_random(uint64_t *state);

/** One of 0 .. n-1. */
uint32_t rig_choose(uint64_t *state, uint32_t n);

#endif
