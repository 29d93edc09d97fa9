#include "policy.h"

#include <math.h>

static double quantum_of(const struct sched_scheduler *scheduler, uint32_t tenant) {
    return scheduler->config->tenants.quantum * scheduler->config->tenant[tenant].weight;
}

/** The first job behind the head that still waits. */
static const struct sched_job *next_head(const struct sched_job *head, int64_t now_ns) {
    const struct sched_job *job = head->next;

    while (job && sched_expired(job, now_ns))
        job = job->next;
    return job;
}

/** Send the head of the flow that will stand at the front, out of @p deficit. It keeps the turn while its next head
 *  fits. */
static void send(struct sched_decision *decision, const struct sched_flow *flow, double deficit, int64_t now_ns) {
    const struct sched_job *next = next_head(flow->head, now_ns);
    double left = fmax(0, deficit - (double)flow->head->cost);
    bool keeps = !next || sched_fits(next->cost, left);

    decision->pop = true;
    decision->deficit = left;
    decision->counter = flow->counter;
    decision->reset_on_leave = true;
    decision->rotate = !keeps;
    decision->turn_open = keeps && flow->length > 1;
}

/** Discard the expired head of the front flow: nothing is charged, and a turn goes on. */
static void discard(struct sched_decision *decision, const struct sched_view *view) {
    const struct sched_flow *flow = view->front;

    decision->pop = true;
    decision->deficit = flow->deficit;
    decision->counter = flow->counter;
    decision->reset_on_leave = true;
    decision->turn_open = view->turn_open && flow->length > 1;
}

void sched_drr_decide(const struct sched_scheduler *scheduler, const struct sched_view *view, int64_t now_ns,
                      struct sched_pass *pass, struct sched_decision *ret) {
    const struct sched_flow *flow = view->front;

    *ret = (struct sched_decision){.version = view->version, .quantum = scheduler->config->tenants.quantum};
    if (!pass->started || pass->version != view->version)
        *pass = (struct sched_pass){.started = true, .rounds = INFINITY};
    pass->version = view->version + 1;

    if (sched_expired(flow->head, now_ns)) {
        discard(ret, view);
        return;
    }
    if (view->turn_open) {
        if (sched_fits(flow->head->cost, flow->deficit))
            send(ret, flow, flow->deficit, now_ns);
        else
            ret->rotate = true;
        return;
    }
    for (; flow; flow = flow->next) {
        double quantum = quantum_of(scheduler, flow->id);
        double deficit = flow->deficit + quantum;

        if (sched_expired(flow->head, now_ns))
            return;
        if (sched_fits(flow->head->cost, deficit)) {
            /* The visit that grants the quantum is this turn's own: the flow comes to the front, not to the tail. */
            send(ret, flow, deficit, now_ns);
            return;
        }
        ret->visits++;
        pass->seen++;
        pass->rounds = fmin(pass->rounds, ceil(((double)flow->head->cost - deficit - 1e-9) / quantum));
        if (pass->seen >= view->active) {
            ret->rounds = pass->rounds - 1;
            pass->started = false;
            return;
        }
    }
}

static int64_t phase_ns(const struct sched_scheduler *scheduler, uint32_t tenant) {
    int64_t jitter_ms = scheduler->config->tenants.refill_jitter_ns / 1000000;

    return jitter_ms > 0 ? (int64_t)(scheduler->config->tenant[tenant].key % (uint64_t)jitter_ms) * 1000000 : 0;
}

/** Ticks of a tenant's timer at or before @p now_ns: the first at its phase, then one every interval. */
static int64_t ticks_at(const struct sched_scheduler *scheduler, uint32_t tenant, int64_t now_ns) {
    int64_t since_ns = now_ns - phase_ns(scheduler, tenant);

    return since_ns < 0 ? 0 : since_ns / scheduler->config->tenants.refill_interval_ns + 1;
}

/** Deficit of @p flow with the ticks up to @p now_ns in it: they fill up to the cap and take nothing away above it. */
static double refilled(const struct sched_scheduler *scheduler, const struct sched_flow *flow, int64_t now_ns) {
    double quantum = quantum_of(scheduler, flow->id);
    double cap = fmax(quantum, flow->head ? (double)flow->head->cost : 0);
    double grown = flow->deficit + quantum * (double)(ticks_at(scheduler, flow->id, now_ns) - flow->ticks);

    return fmax(flow->deficit, fmin(cap, grown));
}

void sched_timer_settle(const struct sched_scheduler *scheduler, enum sched_class class_id, uint32_t tenant,
                        int64_t now_ns) {
    struct sched_flow flow;

    scheduler->store.ops->flow(scheduler->store.context, class_id, tenant, &flow);
    scheduler->store.ops->grant(scheduler->store.context, class_id, tenant, refilled(scheduler, &flow, now_ns),
                                ticks_at(scheduler, tenant, now_ns));
}

bool sched_timer_decide(const struct sched_scheduler *scheduler, enum sched_class class_id,
                        const struct sched_view *view, int64_t now_ns, struct sched_decision *ret) {
    *ret = (struct sched_decision){.version = view->version};
    for (const struct sched_flow *flow = view->front; flow; flow = flow->next) {
        double deficit = refilled(scheduler, flow, now_ns);
        bool expired = sched_expired(flow->head, now_ns);

        if (expired || sched_fits(flow->head->cost, deficit)) {
            sched_timer_settle(scheduler, class_id, flow->id, now_ns);
            ret->pop = true;
            ret->deficit = expired ? deficit : fmax(0, deficit - (double)flow->head->cost);
            ret->counter = flow->counter;
            if (expired) {
                /* Discarded where it stands: who goes to the tail is known when somebody sends. */
                ret->visits = 0;
                ret->by_id = true;
                ret->target = flow->id;
            }
            return true;
        }
        ret->visits++; /* with quantum 0: to the tail, nothing granted */
    }
    return false;
}

bool sched_timer_ready(const struct sched_scheduler *scheduler, const struct sched_view *view, int64_t now_ns,
                       int64_t *ret_not_before_ns) {
    int64_t earliest_ns = SCHED_NEVER;

    for (const struct sched_flow *flow = view->front; flow; flow = flow->next) {
        double missing = (double)flow->head->cost - refilled(scheduler, flow, now_ns);
        double ticks = ceil((missing - 1e-9) / quantum_of(scheduler, flow->id));
        int64_t at_ns;

        if (sched_expired(flow->head, now_ns) || missing <= 1e-9)
            return true;
        at_ns =
            phase_ns(scheduler, flow->id) + (ticks_at(scheduler, flow->id, now_ns) + (int64_t)fmin(ticks, 1e9) - 1) *
                                                scheduler->config->tenants.refill_interval_ns;
        /* When the head leaves, the one behind it may be affordable. */
        if (flow->head->first_dispatch_ns < 0 && flow->head->patience_end_ns < at_ns)
            at_ns = flow->head->patience_end_ns;
        if (at_ns < earliest_ns)
            earliest_ns = at_ns;
    }
    *ret_not_before_ns = earliest_ns;
    return false;
}
