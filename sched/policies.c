#include "picker.h"
#include "policy.h"

void sched_turn_decide(const struct sched_scheduler *scheduler, const struct sched_view *view,
                       struct sched_decision *ret) {
    *ret = (struct sched_decision){
        .version = view->version,
        .pop = true,
        .rotate = scheduler->config->tenants.policy == SCHED_ROUND_ROBIN,
    };
}

void sched_vtc_decide(const struct sched_scheduler *scheduler, const struct sched_view *view,
                      struct sched_decision *ret) {
    const struct sched_flow *flow = view->front;

    *ret = (struct sched_decision){
        .version = view->version,
        .by_id = true,
        .target = flow->id,
        .pop = true,
        .counter = flow->counter + (double)flow->head->cost / scheduler->config->tenant[flow->id].weight,
    };
}

double sched_vtc_floor(const struct sched_scheduler *scheduler, enum sched_class class_id, uint32_t tenant) {
    struct sched_flow flow;
    struct sched_view view;

    scheduler->store.ops->flow(scheduler->store.context, class_id, tenant, &flow);
    if (flow.length > 0)
        return 0;
    scheduler->store.ops->view(scheduler->store.context, class_id, SCHED_BY_COUNTER, &view);
    return view.front ? view.front->counter : view.idle_counter;
}

/** Rank of a tenant in one call of the article's code: scenario order, or a shuffle that needs no memory. */
static uint64_t rank(const struct sched_scheduler *scheduler, uint32_t tenant) {
    if (scheduler->config->tenants.order == SCHED_ORDER_FIXED)
        return tenant;
    return scheduler->random.draw(scheduler->random.context, SCHED_DRAW_SHUFFLE, scheduler->shuffles, tenant);
}

/** The active flow that comes next after (@p after, @p after_id) in order of rank; NULL: none. */
static const struct sched_flow *next_in_order(const struct sched_scheduler *scheduler, const struct sched_view *view,
                                              bool any, uint64_t after, uint32_t after_id, uint64_t *ret_rank) {
    const struct sched_flow *best = NULL;

    for (const struct sched_flow *flow = view->front; flow; flow = flow->next) {
        uint64_t its = rank(scheduler, flow->id);

        if (!any && (its < after || (its == after && flow->id <= after_id)))
            continue;
        if (!best || its < *ret_rank || (its == *ret_rank && flow->id < best->id)) {
            best = flow;
            *ret_rank = its;
        }
    }
    return best;
}

/** The deficits of all classes live with the critical class's flows. */
static double article_deficit(const struct sched_scheduler *scheduler, uint32_t tenant) {
    struct sched_flow flow;

    scheduler->store.ops->flow(scheduler->store.context, SCHED_CRITICAL, tenant, &flow);
    return flow.deficit;
}

/** The flow of @p id, if it is active. */
static const struct sched_flow *flow_of(const struct sched_view *view, uint32_t id) {
    const struct sched_flow *flow = view->front;

    while (flow && flow->id != id)
        flow = flow->next;
    return flow;
}

bool sched_article_decide(struct sched_scheduler *scheduler, const struct sched_view *view, int64_t now_ns,
                          struct sched_pass *pass, struct sched_decision *ret) {
    const struct sched_store *store = &scheduler->store;
    uint64_t its = pass->rank;
    uint32_t id = pass->flow;
    bool granted = pass->started;
    const struct sched_flow *flow = granted ? flow_of(view, id) : next_in_order(scheduler, view, true, 0, 0, &its);

    if (granted && !flow) {
        granted = false;
        flow = next_in_order(scheduler, view, false, its, id, &its);
    }
    for (; flow; granted = false, flow = next_in_order(scheduler, view, false, its, id, &its)) {
        double deficit = article_deficit(scheduler, flow->id);

        id = flow->id;
        if (!granted)
            deficit += scheduler->config->tenants.quantum;
        store->ops->grant(store->context, SCHED_CRITICAL, id, deficit, 0);
        if (sched_expired(flow->head, now_ns)) {
            /* Discarded, and the loop goes on where it is. */
            *pass = (struct sched_pass){.started = true, .rank = its, .flow = id};
        } else if (sched_fits(flow->head->cost, deficit)) {
            deficit -= (double)flow->head->cost;
            store->ops->grant(store->context, SCHED_CRITICAL, id, deficit, 0);
            scheduler->shuffles++;
        } else {
            continue;
        }
        *ret = (struct sched_decision){
            .version = view->version, .by_id = true, .target = id, .pop = true, .deficit = deficit};
        return true;
    }
    scheduler->shuffles++;
    return false;
}
