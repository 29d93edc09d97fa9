#include "store_memory.h"

#include <assert.h>
#include <string.h>

/** Slots of the sliding usage window: a window's sum is exact to one slot. */
enum { USAGE_SLOTS = 60 };

struct flow {
    struct sched_flow shown; /* first: a view's flow is this flow */
    struct flow *previous;
    struct sched_job *tail;
};

struct class_state {
    struct flow *flows;
    struct flow *front, *back;
    uint64_t version;
    uint64_t active;
    uint64_t queued;
    double idle_counter;
    bool turn_open;
};

struct tenant_state {
    int64_t *throttles; /* ring of the last config->demotion.throttles times */
    uint64_t throttle_count;
    int64_t day;
    int64_t day_tokens;
    int64_t demoted_until_ns;
    int64_t waiting;
    int64_t *slots; /* admitted cost by slot of the window, or NULL when nobody asks */
    int64_t slot;   /* number of the newest slot */
    int64_t admitted;
};

struct sched_store_memory {
    const struct sched_config *config;
    struct class_state classes[SCHED_CLASSES];
    struct tenant_state *tenants;
};

static uint32_t flow_count(const struct sched_config *config) {
    return config->tenants.policy == SCHED_FIFO ? 1 : config->tenant_count;
}

static bool keeps_usage(const struct sched_config *config) {
    return config->demotion.enabled && config->demotion.attribution == SCHED_ATTRIBUTE_OVER_ENTITLEMENT;
}

size_t sched_store_memory_size(const struct sched_config *config) {
    size_t tenants = config->tenant_count;
    size_t times = config->demotion.throttles + (keeps_usage(config) ? USAGE_SLOTS : 0);

    return sizeof(struct sched_store_memory) + SCHED_CLASSES * flow_count(config) * sizeof(struct flow) +
           tenants * (sizeof(struct tenant_state) + times * sizeof(int64_t));
}

static void unlink_flow(struct class_state *state, struct flow *flow) {
    struct flow *next = (struct flow *)flow->shown.next;

    if (flow->previous)
        flow->previous->shown.next = flow->shown.next;
    else
        state->front = next;
    if (next)
        next->previous = flow->previous;
    else
        state->back = flow->previous;
    flow->shown.next = NULL;
    flow->previous = NULL;
}

static void append_flow(struct class_state *state, struct flow *flow) {
    flow->shown.next = NULL;
    flow->previous = state->back;
    if (state->back)
        state->back->shown.next = &flow->shown;
    else
        state->front = flow;
    state->back = flow;
}

static void move_to_tail(struct class_state *state, struct flow *flow) {
    if (flow == state->back)
        return;
    unlink_flow(state, flow);
    append_flow(state, flow);
}

static void push(void *context, enum sched_class class_id, uint32_t id, struct sched_job *job, double counter_floor) {
    struct sched_store_memory *store = context;
    struct class_state *state = &store->classes[class_id];
    struct flow *flow = &state->flows[id];

    job->next = NULL;
    if (flow->shown.length == 0) {
        flow->shown.head = job;
        if (flow->shown.counter < counter_floor)
            flow->shown.counter = counter_floor;
        append_flow(state, flow);
        state->active++;
    } else {
        flow->tail->next = job;
    }
    flow->tail = job;
    flow->shown.length++;
    state->queued++;
    state->version++;
}

static const struct sched_flow *least_counter(const struct class_state *state) {
    const struct sched_flow *least = state->front ? &state->front->shown : NULL;

    for (const struct sched_flow *flow = least; flow; flow = flow->next)
        if (flow->counter < least->counter || (flow->counter <= least->counter && flow->id < least->id))
            least = flow;
    return least;
}

static void view(void *context, enum sched_class class_id, enum sched_view_order order, struct sched_view *ret) {
    const struct sched_store_memory *store = context;
    const struct class_state *state = &store->classes[class_id];

    *ret = (struct sched_view){
        .version = state->version,
        .front = order == SCHED_BY_COUNTER ? least_counter(state)
                 : state->front            ? &state->front->shown
                                           : NULL,
        .active = state->active,
        .idle_counter = state->idle_counter,
        .turn_open = state->turn_open,
    };
}

static struct sched_job *pop_head(struct class_state *state, struct flow *flow, const struct sched_decision *decision) {
    struct sched_job *job = (struct sched_job *)flow->shown.head;

    assert(job);
    flow->shown.head = job->next;
    job->next = NULL;
    flow->shown.length--;
    state->queued--;
    flow->shown.deficit = decision->deficit;
    flow->shown.counter = decision->counter;
    return job;
}

static void leave(struct class_state *state, struct flow *flow, bool reset) {
    unlink_flow(state, flow);
    state->active--;
    flow->tail = NULL;
    state->idle_counter = flow->shown.counter;
    if (reset)
        flow->shown.deficit = 0;
}

static void grant_rounds(const struct sched_store_memory *store, struct class_state *state,
                         const struct sched_decision *decision) {
    const struct sched_tenant *tenant = store->config->tenant;

    if (decision->rounds > 0)
        for (struct flow *flow = state->front; flow; flow = (struct flow *)flow->shown.next)
            flow->shown.deficit += decision->rounds * decision->quantum * tenant[flow->shown.id].weight;
    for (uint64_t i = 0; i < decision->visits; i++) {
        struct flow *flow = state->front;

        flow->shown.deficit += decision->quantum * tenant[flow->shown.id].weight;
        move_to_tail(state, flow);
    }
}

static bool commit(void *context, enum sched_class class_id, const struct sched_decision *decision,
                   struct sched_job **ret_job) {
    struct sched_store_memory *store = context;
    struct class_state *state = &store->classes[class_id];
    struct flow *flow;

    if (decision->version != state->version)
        return false;
    grant_rounds(store, state, decision);
    flow = decision->by_id ? &state->flows[decision->target] : state->front;
    *ret_job = NULL;
    if (decision->pop)
        *ret_job = pop_head(state, flow, decision);
    if (flow->shown.length == 0)
        leave(state, flow, decision->reset_on_leave);
    else if (decision->rotate)
        move_to_tail(state, flow);
    state->turn_open = decision->turn_open && state->front;
    state->version++;
    return true;
}

static void grant(void *context, enum sched_class class_id, uint32_t id, double deficit, int64_t ticks) {
    struct sched_store_memory *store = context;
    struct sched_flow *flow = &store->classes[class_id].flows[id].shown;

    flow->deficit = deficit;
    flow->ticks = ticks;
}

static void flow_of(void *context, enum sched_class class_id, uint32_t id, struct sched_flow *ret) {
    const struct sched_store_memory *store = context;

    *ret = store->classes[class_id].flows[id].shown;
}

static uint64_t queued(void *context, enum sched_class class_id) {
    const struct sched_store_memory *store = context;

    return store->classes[class_id].queued;
}

static int64_t nth_throttle(void *context, uint32_t tenant, uint32_t nth) {
    const struct sched_store_memory *store = context;
    const struct tenant_state *state = &store->tenants[tenant];
    uint32_t capacity = store->config->demotion.throttles;

    assert(nth >= 1 && nth <= capacity);
    if (state->throttle_count < nth)
        return INT64_MIN;
    return state->throttles[(state->throttle_count - nth) % capacity];
}

static int64_t record_throttle(void *context, uint32_t tenant, int64_t now_ns, uint32_t nth) {
    struct sched_store_memory *store = context;
    struct tenant_state *state = &store->tenants[tenant];

    state->throttles[state->throttle_count % store->config->demotion.throttles] = now_ns;
    state->throttle_count++;
    return nth_throttle(context, tenant, nth);
}

static int64_t add_tokens(void *context, uint32_t tenant, int64_t day, int64_t tokens) {
    struct sched_store_memory *store = context;
    struct tenant_state *state = &store->tenants[tenant];

    if (state->day != day) {
        state->day = day;
        state->day_tokens = 0;
    }
    state->day_tokens += tokens;
    return state->day_tokens;
}

static int64_t demoted_until(void *context, uint32_t tenant) {
    const struct sched_store_memory *store = context;

    return store->tenants[tenant].demoted_until_ns;
}

static void demote(void *context, uint32_t tenant, int64_t until_ns) {
    struct sched_store_memory *store = context;

    store->tenants[tenant].demoted_until_ns = until_ns;
}

/** Forget slots that have left the window that ends at @p now_ns. */
static void slide(const struct sched_config *config, struct tenant_state *state, int64_t now_ns) {
    int64_t slot = now_ns / (config->demotion.window_ns / USAGE_SLOTS);

    if (slot - state->slot >= USAGE_SLOTS) {
        memset(state->slots, 0, USAGE_SLOTS * sizeof state->slots[0]);
        state->admitted = 0;
        state->slot = slot;
    }
    while (state->slot < slot) {
        int64_t *oldest = &state->slots[++state->slot % USAGE_SLOTS];

        state->admitted -= *oldest;
        *oldest = 0;
    }
}

static void add_usage(void *context, uint32_t tenant, int64_t now_ns, int64_t admitted, int64_t waiting) {
    struct sched_store_memory *store = context;
    struct tenant_state *state = &store->tenants[tenant];

    slide(store->config, state, now_ns);
    state->slots[state->slot % USAGE_SLOTS] += admitted;
    state->admitted += admitted;
    state->waiting += waiting;
}

static void usage(void *context, uint32_t tenant, int64_t now_ns, struct sched_usage *ret) {
    struct sched_store_memory *store = context;
    struct tenant_state *state = &store->tenants[tenant];

    slide(store->config, state, now_ns);
    *ret = (struct sched_usage){.admitted = state->admitted, .waiting = state->waiting};
}

static const struct sched_store_ops memory_ops = {
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

struct sched_store sched_store_memory_init(void *block, const struct sched_config *config) {
    struct sched_store_memory *store = block;
    struct flow *flows = (struct flow *)(store + 1);
    uint32_t throttles = config->demotion.throttles;
    int64_t *times;

    memset(block, 0, sched_store_memory_size(config));
    store->config = config;
    for (int c = 0; c < SCHED_CLASSES; c++) {
        store->classes[c].flows = flows;
        for (uint32_t i = 0; i < flow_count(config); i++)
            flows[i].shown.id = i;
        flows += flow_count(config);
    }
    store->tenants = (struct tenant_state *)flows;
    times = (int64_t *)(store->tenants + config->tenant_count);
    for (uint32_t i = 0; i < config->tenant_count; i++) {
        struct tenant_state *state = &store->tenants[i];

        state->throttles = times;
        times += throttles;
        state->day = INT64_MIN;
        state->demoted_until_ns = INT64_MIN;
        if (keeps_usage(config)) {
            state->slots = times;
            times += USAGE_SLOTS;
        }
    }
    return (struct sched_store){.ops = &memory_ops, .context = store};
}
