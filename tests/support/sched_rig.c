#include "sched_rig.h"

#include "../../sched/store_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct rig_job {
    struct sched_job job; /* first: a job is its rig_job */
    struct rig_job *next;
};

static int64_t now_ns(void *context) {
    return ((struct rig *)context)->now_ns;
}

static int64_t day(void *context) {
    return ((struct rig *)context)->day;
}

/** SplitMix64's output function: spreads nearby addresses over all words. */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t draw(void *context, enum sched_draw purpose, uint64_t key, uint64_t index) {
    const struct rig *rig = context;

    if (rig->fixed[purpose])
        return rig->word[purpose];
    return mix(mix(mix(rig->seed + (uint64_t)purpose) + key) + index * UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t rig_random(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(*state);
}

uint32_t rig_choose(uint64_t *state, uint32_t n) {
    return (uint32_t)(rig_random(state) % n);
}

void rig_configure(struct rig *rig, uint32_t tenants) {
    assert(tenants <= RIG_TENANTS_MAX);
    memset(rig, 0, sizeof *rig);
    rig->seed = 1;
    for (uint32_t i = 0; i < tenants; i++)
        rig->tenants[i] = (struct sched_tenant){.key = i, .weight = 1, .daily_tokens = -1};
    rig->config = (struct sched_config){
        .picker = {.critical_win_probability = 0.9, .weights = {70, 25, 5}},
        .tenants =
            {
                .policy = SCHED_DRR,
                .quantum = 5,
                .cost_unit_tokens = 1,
                .refill = SCHED_REFILL_ROUND,
                .refill_interval_ns = RIG_SECOND,
                .refill_jitter_ns = RIG_SECOND,
            },
        .retry =
            {
                .policy = SCHED_RETRY_AFTER,
                .factor = 1.2,
                .jitter = 0.2,
                .base_ns = RIG_SECOND,
                .multiplier = 2,
                .cap_ns = 60 * RIG_SECOND,
                .max_retries = 4,
                .give_up_ns = SCHED_NEVER,
            },
        .demotion =
            {
                .enabled = true,
                .throttles = 5,
                .window_ns = 60 * RIG_SECOND,
                .budget_ratio = 1.5,
                .duration_ns = 300 * RIG_SECOND,
                .applies_to = {true, true, false},
                .attribution = SCHED_ATTRIBUTE_CALLER,
            },
        .tenant = rig->tenants,
        .tenant_count = tenants,
    };
}

static void start(struct rig *rig, bool faulty) {
    struct sched_clock clock = {.now_ns = now_ns, .day = day, .context = rig};
    struct sched_random random = {.draw = draw, .context = rig};

    rig->block = malloc(sched_store_memory_size(&rig->config));
    assert(rig->block);
    rig->store = faulty_store_init(&rig->shim, sched_store_memory_init(rig->block, &rig->config), faulty);
    sched_init(&rig->scheduler, &rig->config, clock, random, rig->store, NULL);
}

void rig_start(struct rig *rig) {
    start(rig, false);
}

void rig_start_faulty(struct rig *rig) {
    start(rig, true);
}

void rig_finish(struct rig *rig) {
    while (rig->jobs) {
        struct rig_job *job = rig->jobs;

        rig->jobs = job->next;
        free(job);
    }
    free(rig->block);
    rig->block = NULL;
}

struct sched_job *rig_job(struct rig *rig, uint32_t tenant, enum sched_origin origin, int64_t cost) {
    struct rig_job *job = calloc(1, sizeof *job);

    assert(job);
    job->next = rig->jobs;
    rig->jobs = job;
    job->job = (struct sched_job){
        .id = rig->job_count++,
        .sla_ns = origin == SCHED_SCHEDULED ? 3600 * RIG_SECOND : SCHED_NEVER,
        .patience_end_ns = SCHED_NEVER,
        .input_tokens = cost,
        .uncached_tokens = cost,
        .tenant = tenant,
        .origin = origin,
        .first_dispatch_ns = -1,
    };
    return &job->job;
}

struct sched_job *rig_enqueue(struct rig *rig, uint32_t tenant, enum sched_origin origin, int64_t cost) {
    struct sched_job *job = rig_job(rig, tenant, origin, cost);

    sched_enqueue(&rig->scheduler, job, false);
    return job;
}

struct sched_job *rig_next(struct rig *rig) {
    memset(&rig->pick, 0, sizeof rig->pick);
    return sched_next(&rig->scheduler, &rig->worker, &rig->pick) == SCHED_PICKED ? rig->pick.job : NULL;
}

struct sched_advice rig_answer(struct rig *rig, struct sched_job *job, enum sched_outcome outcome,
                               int64_t retry_after_ns) {
    struct sched_result result = {.outcome = outcome, .retry_after_ns = retry_after_ns, .output_tokens = 1};

    return sched_on_result(&rig->scheduler, job, &result);
}

double rig_deficit(const struct rig *rig, enum sched_class class_id, uint32_t tenant) {
    struct sched_flow flow;

    rig->store.ops->flow(rig->store.context, class_id, tenant, &flow);
    return flow.deficit;
}
