#include "scheduler.h"

#include "backoff.h"
#include "demotion.h"
#include "picker.h"
#include "policy.h"

#include <assert.h>

/** The shortest back-off before a requeue: without it a refused job could circle within one instant for ever. */
#define REQUEUE_MIN_NS INT64_C(1000000)

static int64_t now(const struct sched_scheduler *scheduler) {
    return scheduler->clock.now_ns(scheduler->clock.context);
}

static bool refills_by_timer(const struct sched_scheduler *scheduler) {
    return scheduler->config->tenants.policy == SCHED_DRR && scheduler->config->tenants.refill == SCHED_REFILL_TIMER;
}

void sched_init(struct sched_scheduler *scheduler, const struct sched_config *config, struct sched_clock clock,
                struct sched_random random, struct sched_store store, struct sched_pacing *pacing) {
    *scheduler = (struct sched_scheduler){
        .config = config,
        .clock = clock,
        .random = random,
        .store = store,
        .pacing = config->retry.pacing == SCHED_PACING_MIRROR ? pacing : NULL,
    };
}

bool sched_demoted(const struct sched_scheduler *scheduler, uint32_t tenant) {
    return scheduler->config->demotion.enabled &&
           now(scheduler) < scheduler->store.ops->demoted_until(scheduler->store.context, tenant);
}

bool sched_enqueue(struct sched_scheduler *scheduler, struct sched_job *job, bool again) {
    const struct sched_config *config = scheduler->config;
    uint32_t flow = config->tenants.policy == SCHED_FIFO ? 0 : job->tenant;
    double counter_floor = 0;

    assert(job->tenant < config->tenant_count);
    job->requested = sched_classify(job->origin, job->sla_ns);
    job->class_id = job->requested;
    if (config->demotion.applies_to[job->requested] && sched_demoted(scheduler, job->tenant))
        job->class_id = SCHED_BATCH;
    job->cost = sched_cost(job->input_tokens, config->tenants.cost_unit_tokens);
    job->refusals = 0;
    job->backoff_ns = 0;
    if (!again) {
        job->attempts = 0;
        job->enqueued_ns = now(scheduler);
        job->first_dispatch_ns = -1;
        sched_demotion_usage(scheduler, job, 0, 1);
    }
    if (config->batches_elsewhere && job->class_id == SCHED_BATCH) {
        /* It waits for none of what the others share. */
        sched_demotion_usage(scheduler, job, 0, -1);
        return false;
    }
    if (config->tenants.policy == SCHED_VTC)
        counter_floor = sched_vtc_floor(scheduler, job->class_id, job->tenant);
    if (refills_by_timer(scheduler))
        sched_timer_settle(scheduler, job->class_id, job->tenant, now(scheduler));
    scheduler->store.ops->push(scheduler->store.context, job->class_id, flow, job, counter_floor);
    return true;
}

/** One look at a class and what the policy makes of it. @return false: nobody in it can send now. */
static bool decide(struct sched_scheduler *scheduler, enum sched_class class_id, int64_t now_ns,
                   struct sched_pass *pass, struct sched_decision *ret) {
    enum sched_policy policy = scheduler->config->tenants.policy;
    struct sched_view view;

    scheduler->store.ops->view(scheduler->store.context, class_id,
                               policy == SCHED_VTC ? SCHED_BY_COUNTER : SCHED_BY_TURN, &view);
    if (!view.front)
        return false;
    switch (policy) {
    case SCHED_DRR:
        if (refills_by_timer(scheduler))
            return sched_timer_decide(scheduler, class_id, &view, now_ns, ret);
        sched_drr_decide(scheduler, &view, now_ns, pass, ret);
        return true;
    case SCHED_FIFO:
    case SCHED_ROUND_ROBIN:
        sched_turn_decide(scheduler, &view, ret);
        /* An expired head is nobody's turn. */
        ret->rotate = ret->rotate && !sched_expired(view.front->head, now_ns);
        return true;
    case SCHED_VTC:
        sched_vtc_decide(scheduler, &view, ret);
        if (sched_expired(view.front->head, now_ns))
            ret->counter = view.front->counter;
        return true;
    case SCHED_ARTICLE:
        return sched_article_decide(scheduler, &view, now_ns, pass, ret);
    }
    return false;
}

/** Pop the job of @p class_id that the policy chooses; expired heads met on the way go to ret->expired.
 *  @return false when the class has nothing (more) to send now. */
static bool pop_from(struct sched_scheduler *scheduler, enum sched_class class_id, int64_t now_ns,
                     struct sched_pick *ret) {
    struct sched_pass pass = {0};
    struct sched_decision decision;

    while (decide(scheduler, class_id, now_ns, &pass, &decision)) {
        struct sched_job *job = NULL;

        if (!scheduler->store.ops->commit(scheduler->store.context, class_id, &decision, &job) || !job)
            continue;
        if (!sched_expired(job, now_ns)) {
            ret->job = job;
            return true;
        }
        sched_demotion_usage(scheduler, job, 0, -1);
        job->next = ret->expired;
        ret->expired = job;
    }
    return false;
}

/** Which classes hold a job that may be sent now; and the instant before which the others cannot. */
static bool look(struct sched_scheduler *scheduler, const struct sched_worker *worker, int64_t now_ns,
                 bool ready[SCHED_CLASSES], int64_t *ret_not_before_ns) {
    bool lingers = sched_lingers(scheduler, worker, now_ns);
    bool any = false;

    *ret_not_before_ns = SCHED_NEVER;
    for (int c = 0; c < SCHED_CLASSES; c++) {
        int64_t at_ns = SCHED_NEVER;

        ready[c] = scheduler->store.ops->queued(scheduler->store.context, (enum sched_class)c) > 0;
        if (!ready[c])
            continue;
        if (lingers && c != SCHED_CRITICAL) {
            ready[c] = false;
            at_ns = worker->linger_until_ns;
        } else if (refills_by_timer(scheduler)) {
            struct sched_view view;

            scheduler->store.ops->view(scheduler->store.context, (enum sched_class)c, SCHED_BY_TURN, &view);
            ready[c] = sched_timer_ready(scheduler, &view, now_ns, &at_ns);
        }
        any |= ready[c];
        if (!ready[c] && at_ns < *ret_not_before_ns)
            *ret_not_before_ns = at_ns;
    }
    return any;
}

static bool holds_higher(const struct sched_scheduler *scheduler, enum sched_class class_id) {
    for (int c = 0; c < (int)class_id; c++)
        if (scheduler->store.ops->queued(scheduler->store.context, (enum sched_class)c) > 0)
            return true;
    return false;
}

enum sched_next_status sched_next(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                                  struct sched_pick *ret) {
    int64_t now_ns = now(scheduler);
    bool ready[SCHED_CLASSES];

    *ret = (struct sched_pick){.not_before_ns = SCHED_NEVER};
    while (look(scheduler, worker, now_ns, ready, &ret->not_before_ns)) {
        enum sched_class class_id = (enum sched_class)sched_pick_class(scheduler, worker, ready);

        if (!pop_from(scheduler, class_id, now_ns, ret))
            continue;
        ret->inversion = holds_higher(scheduler, class_id);
        if (ret->job->first_dispatch_ns < 0)
            ret->job->first_dispatch_ns = now_ns;
        return SCHED_PICKED;
    }
    return ret->not_before_ns < SCHED_NEVER ? SCHED_NOT_YET : SCHED_EMPTY;
}

bool sched_dispatch(struct sched_scheduler *scheduler, struct sched_job *job, int64_t *ret_not_before_ns) {
    return !scheduler->pacing || sched_pacing_charge(scheduler->pacing, job, now(scheduler), ret_not_before_ns);
}

static void heed_headers(struct sched_scheduler *scheduler, const struct sched_job *job, const int64_t *remaining) {
    if (scheduler->pacing && remaining)
        sched_pacing_correct(scheduler->pacing, job->model, now(scheduler), remaining);
}

void sched_on_admitted(struct sched_scheduler *scheduler, const struct sched_job *job, const int64_t *remaining) {
    sched_demotion_usage(scheduler, job, 1, -1);
    heed_headers(scheduler, job, remaining);
}

static struct sched_advice fail(struct sched_scheduler *scheduler, const struct sched_job *job) {
    sched_demotion_usage(scheduler, job, 0, -1);
    return (struct sched_advice){.kind = SCHED_FAIL};
}

/** Retry, requeue or give up after a refusal. */
static struct sched_advice after_refusal(struct sched_scheduler *scheduler, struct sched_job *job,
                                         int64_t retry_after_ns) {
    const struct sched_retry_config *retry = &scheduler->config->retry;
    struct sched_advice advice = {.kind = SCHED_RETRY};

    job->refusals++;
    job->attempts++;
    if (job->refusals > retry->max_retries) {
        if (retry->on_exhausted == SCHED_EXHAUSTED_FAIL)
            return fail(scheduler, job);
        advice.kind = SCHED_REQUEUE;
    }
    advice.delay_ns = sched_backoff_ns(scheduler, job, retry_after_ns);
    if (advice.kind == SCHED_REQUEUE && advice.delay_ns < REQUEUE_MIN_NS)
        advice.delay_ns = REQUEUE_MIN_NS;
    if (retry->give_up_ns < SCHED_NEVER &&
        now(scheduler) + advice.delay_ns - job->first_dispatch_ns > retry->give_up_ns)
        return fail(scheduler, job);
    return advice;
}

struct sched_advice sched_on_result(struct sched_scheduler *scheduler, struct sched_job *job,
                                    const struct sched_result *result) {
    struct sched_demotion demotion = {.cause = SCHED_NOT_DEMOTED};
    struct sched_advice advice = {.kind = SCHED_DONE};

    if (result->outcome == SCHED_COMPLETED) {
        if (scheduler->pacing && !result->batched)
            sched_pacing_settle(scheduler->pacing, job, now(scheduler), result->output_tokens);
        demotion = sched_demotion_completed(scheduler, job);
    } else {
        if (scheduler->pacing)
            sched_pacing_refund(scheduler->pacing, job, now(scheduler));
        heed_headers(scheduler, job, result->remaining);
        if (result->outcome == SCHED_THROTTLED)
            demotion = sched_demotion_throttled(scheduler, job);
        advice = result->outcome == SCHED_UNSERVABLE ? fail(scheduler, job)
                                                     : after_refusal(scheduler, job, result->retry_after_ns);
    }
    advice.demoted = demotion.cause != SCHED_NOT_DEMOTED;
    advice.demoted_by_throttles = demotion.cause == SCHED_DEMOTED_BY_THROTTLES;
    advice.throttle_span_ns = demotion.span_ns;
    return advice;
}
