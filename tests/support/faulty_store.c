#include "faulty_store.h"

static struct sched_store inner(void *context) {
    return ((struct faulty_store *)context)->inner;
}

static void push(void *context, enum sched_class class_id, uint32_t flow, struct sched_job *job, double counter_floor) {
    inner(context).ops->push(inner(context).context, class_id, flow, job, counter_floor);
}

static void view(void *context, enum sched_class class_id, enum sched_view_order order, struct sched_view *ret) {
    struct faulty_store *store = context;
    struct sched_flow *shown = store->shown[class_id];
    uint64_t count = 0;

    store->views++;
    inner(context).ops->view(inner(context).context, class_id, order, ret);
    if (!ret->front || store->flows_max == 0)
        return;
    for (const struct sched_flow *flow = ret->front; flow && count < store->flows_max; flow = flow->next)
        shown[count++] = *flow;
    for (uint64_t i = 0; i < count; i++)
        shown[i].next = i + 1 < count ? &shown[i + 1] : NULL;
    ret->front = shown;
}

static bool commit(void *context, enum sched_class class_id, const struct sched_decision *decision,
                   struct sched_job **ret_job) {
    struct faulty_store *store = context;

    store->commits++;
    if (store->fail_period > 0 && store->commits % store->fail_period == 0)
        return false;
    return inner(context).ops->commit(inner(context).context, class_id, decision, ret_job);
}

static void grant(void *context, enum sched_class class_id, uint32_t flow, double deficit, int64_t ticks) {
    inner(context).ops->grant(inner(context).context, class_id, flow, deficit, ticks);
}

static void flow_of(void *context, enum sched_class class_id, uint32_t flow, struct sched_flow *ret) {
    inner(context).ops->flow(inner(context).context, class_id, flow, ret);
}

static uint64_t queued(void *context, enum sched_class class_id) {
    return inner(context).ops->queued(inner(context).context, class_id);
}

static int64_t record_throttle(void *context, uint32_t tenant, int64_t now_ns, uint32_t nth) {
    return inner(context).ops->record_throttle(inner(context).context, tenant, now_ns, nth);
}

static int64_t nth_throttle(void *context, uint32_t tenant, uint32_t nth) {
    return inner(context).ops->nth_throttle(inner(context).context, tenant, nth);
}

static int64_t add_tokens(void *context, uint32_t tenant, int64_t day, int64_t tokens) {
    return inner(context).ops->add_tokens(inner(context).context, tenant, day, tokens);
}

static int64_t demoted_until(void *context, uint32_t tenant) {
    return inner(context).ops->demoted_until(inner(context).context, tenant);
}

static void demote(void *context, uint32_t tenant, int64_t until_ns) {
    inner(context).ops->demote(inner(context).context, tenant, until_ns);
}

static void add_usage(void *context, uint32_t tenant, int64_t now_ns, int64_t admitted, int64_t waiting) {
    inner(context).ops->add_usage(inner(context).context, tenant, now_ns, admitted, waiting);
}

static void usage(void *context, uint32_t tenant, int64_t now_ns, struct sched_usage *ret) {
    inner(context).ops->usage(inner(context).context, tenant, now_ns, ret);
}

static const struct sched_store_ops faulty_ops = {
    .push = push,
    .view = view,
    .commit = commit,
    .grant = grant,
    .flow = flow_of,
    .queued = queued,
    .record_throttle = record_throttle,
    .nth_throttle = nth_throttle,
    .add_tokens = add_tokens,
    .demoted_until = demoted_until,
    .demote = demote,
    .add_usage = add_usage,
    .usage = usage,
};

struct sched_store faulty_store_init(struct faulty_store *store, struct sched_store inner_store, bool faulty) {
    *store = (struct faulty_store){
        .inner = inner_store,
        .flows_max = faulty ? FAULTY_VIEW_FLOWS : 0,
        .fail_period = faulty ? 3 : 0,
    };
    return (struct sched_store){.ops = &faulty_ops, .context = store};
}
