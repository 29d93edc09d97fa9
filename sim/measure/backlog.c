#include "backlog.h"

#include "../memory.h"

#include <stdlib.h>

void sim_backlog_init(struct sim_backlog *backlog, uint32_t tenant_count, int64_t from_ns, int64_t until_ns) {
    *backlog = (struct sim_backlog){
        .from_ns = from_ns,
        .until_ns = until_ns,
        .tenants = sim_calloc(tenant_count, sizeof backlog->tenants[0]),
        .tenant_count = tenant_count,
    };
}

void sim_backlog_finish(struct sim_backlog *backlog) {
    free(backlog->tenants);
    backlog->tenants = NULL;
}

/** The part of [from, to] that lies in the measured span. */
static int64_t measured(const struct sim_backlog *backlog, int64_t from_ns, int64_t to_ns) {
    int64_t from = from_ns > backlog->from_ns ? from_ns : backlog->from_ns;
    int64_t to = to_ns < backlog->until_ns ? to_ns : backlog->until_ns;

    return to > from ? to - from : 0;
}

static void join(struct sim_scope *scope, int64_t now_ns) {
    if (scope->queued++ == 0)
        scope->since_ns = now_ns;
}

static void note_gap(const struct sim_backlog *backlog, struct sim_scope *scope, int64_t now_ns) {
    int64_t gap_ns = measured(backlog, scope->since_ns, now_ns);

    if (gap_ns > scope->unserved_ns_max)
        scope->unserved_ns_max = gap_ns;
}

static void dispatch(const struct sim_backlog *backlog, struct sim_scope *scope, int64_t now_ns) {
    note_gap(backlog, scope, now_ns);
    scope->since_ns = now_ns;
    scope->queued--;
}

void sim_backlog_joined(struct sim_backlog *backlog, const struct sched_job *job, int64_t now_ns) {
    join(&backlog->classes[job->class_id], now_ns);
    join(&backlog->classes[SIM_SCOPE_ALL], now_ns);
    join(&backlog->tenants[job->tenant], now_ns);
}

void sim_backlog_dispatched(struct sim_backlog *backlog, const struct sched_job *job, int64_t now_ns) {
    dispatch(backlog, &backlog->classes[job->class_id], now_ns);
    dispatch(backlog, &backlog->classes[SIM_SCOPE_ALL], now_ns);
    dispatch(backlog, &backlog->tenants[job->tenant], now_ns);
}

void sim_backlog_expired(struct sim_backlog *backlog, const struct sched_job *job, int64_t left_ns, int64_t now_ns) {
    backlog->area_ns -= measured(backlog, left_ns, now_ns);
    backlog->classes[job->class_id].queued--;
    backlog->classes[SIM_SCOPE_ALL].queued--;
    backlog->tenants[job->tenant].queued--;
}

void sim_backlog_advance(struct sim_backlog *backlog, int64_t ns) {
    backlog->area_ns += (sim_wide)ns * (sim_wide)backlog->classes[SIM_SCOPE_ALL].queued;
}

void sim_backlog_settled(struct sim_backlog *backlog) {
    if (backlog->classes[SIM_SCOPE_ALL].queued > backlog->queued_max)
        backlog->queued_max = backlog->classes[SIM_SCOPE_ALL].queued;
}

static void close_scope(const struct sim_backlog *backlog, struct sim_scope *scope) {
    if (scope->queued > 0)
        note_gap(backlog, scope, backlog->until_ns);
}

void sim_backlog_close(struct sim_backlog *backlog) {
    for (int c = 0; c <= SIM_SCOPE_ALL; c++)
        close_scope(backlog, &backlog->classes[c]);
    for (uint32_t t = 0; t < backlog->tenant_count; t++)
        close_scope(backlog, &backlog->tenants[t]);
}

void sim_backlog_report(const struct sim_backlog *backlog, struct sim_outcome *outcome) {
    outcome->value[SIM_QUEUE_MEAN] = (double)backlog->area_ns / (double)(backlog->until_ns - backlog->from_ns);
    outcome->value[SIM_QUEUE_MAX] = (double)backlog->queued_max;
    for (int c = 0; c <= SIM_SCOPE_ALL; c++)
        outcome->value[SIM_UNSERVED_MAX + c] = (double)backlog->classes[c].unserved_ns_max / 1e9;
    for (uint32_t t = 0; t < backlog->tenant_count; t++)
        outcome->value[SIM_SCALARS + (size_t)t * SIM_TENANT_SCALARS + SIM_TENANT_UNSERVED_MAX] =
            (double)backlog->tenants[t].unserved_ns_max / 1e9;
}
