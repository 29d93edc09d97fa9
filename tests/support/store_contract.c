#include "store_contract.h"

#include <criterion/criterion.h>
#include <string.h>

#define S INT64_C(1000000000)

enum { TENANTS = 4, NONE = -1 };

void store_contract_configure(struct sched_config *config, struct sched_tenant *tenants) {
    for (uint32_t i = 0; i < TENANTS; i++)
        tenants[i] = (struct sched_tenant){.weight = i + 1, .daily_tokens = -1};
    *config = (struct sched_config){
        .tenants = {.policy = SCHED_DRR, .quantum = 1, .cost_unit_tokens = 1},
        .demotion = {.enabled = true,
                     .throttles = 5,
                     .window_ns = 60 * S,
                     .attribution = SCHED_ATTRIBUTE_OVER_ENTITLEMENT},
        .tenant = tenants,
        .tenant_count = TENANTS,
    };
}

static void push(struct sched_store store, uint32_t flow, struct sched_job *job) {
    store.ops->push(store.context, SCHED_STANDARD, flow, job, 0);
}

static struct sched_view look(struct sched_store store) {
    struct sched_view view;

    store.ops->view(store.context, SCHED_STANDARD, SCHED_BY_TURN, &view);
    return view;
}

static struct sched_flow flow_of(struct sched_store store, uint32_t id) {
    struct sched_flow flow;

    store.ops->flow(store.context, SCHED_STANDARD, id, &flow);
    return flow;
}

/** Commit on the current version. @return the popped job. */
static struct sched_job *commit(struct sched_store store, struct sched_decision decision) {
    struct sched_job *job = NULL;

    decision.version = look(store).version;
    cr_assert(store.ops->commit(store.context, SCHED_STANDARD, &decision, &job), "nothing has changed meanwhile");
    return job;
}

/** The active list is exactly @p expected, ended by NONE; as far as the view shows it. */
static void expect_order(struct sched_store store, const int *expected) {
    struct sched_view view = look(store);
    const struct sched_flow *flow = view.front;
    uint64_t count = 0;

    while (expected[count] != NONE)
        count++;
    cr_assert_eq(view.active, count, "%llu active", (unsigned long long)view.active);
    cr_assert(count == 0 || flow, "a class with work shows at least one flow");
    for (uint64_t i = 0; flow; flow = flow->next, i++)
        cr_assert(i < count && (int)flow->id == expected[i], "flow %u at place %llu", flow->id, (unsigned long long)i);
}

#define ORDER(...) ((const int[]){__VA_ARGS__, NONE})

void store_contract_queues(struct sched_store store) {
    struct sched_job jobs[5] = {{.id = 0}, {.id = 1}, {.id = 2}, {.id = 3}, {.id = 4}};

    cr_assert_eq(look(store).front, NULL);
    cr_assert_eq(store.ops->queued(store.context, SCHED_STANDARD), 0);
    push(store, 2, &jobs[0]);
    push(store, 0, &jobs[1]);
    push(store, 2, &jobs[2]);
    store.ops->push(store.context, SCHED_BATCH, 2, &jobs[3], 0);
    expect_order(store, ORDER(2, 0));
    cr_assert_eq(store.ops->queued(store.context, SCHED_STANDARD), 3);
    cr_assert_eq(store.ops->queued(store.context, SCHED_BATCH), 1);
    cr_assert_eq(look(store).front->head->id, 0);
    cr_assert_eq(look(store).front->length, 2);
    cr_assert_eq(flow_of(store, 0).length, 1);
    cr_assert_eq(flow_of(store, 3).length, 0);
    cr_assert_eq(flow_of(store, 3).head, NULL);

    cr_assert_eq(commit(store, (struct sched_decision){.pop = true}), &jobs[0], "the oldest of the front flow");
    expect_order(store, ORDER(2, 0));
    cr_assert_eq(commit(store, (struct sched_decision){.pop = true, .by_id = true, .target = 0}), &jobs[1]);
    expect_order(store, ORDER(2));
    cr_assert_eq(commit(store, (struct sched_decision){.pop = true}), &jobs[2]);
    cr_assert_eq(look(store).front, NULL);
    cr_assert_eq(store.ops->queued(store.context, SCHED_BATCH), 1, "classes are apart");
}

void store_contract_versions(struct sched_store store) {
    struct sched_job jobs[3] = {{.id = 0}, {.id = 1}, {.id = 2}};
    struct sched_decision decision = {.rounds = 1, .quantum = 7, .pop = true, .deficit = 3, .turn_open = true};
    struct sched_job *job = NULL;
    uint64_t version;

    version = look(store).version;
    push(store, 1, &jobs[0]);
    cr_assert_eq(look(store).version, version + 1);
    decision.version = look(store).version;
    push(store, 1, &jobs[1]);
    cr_assert_not(store.ops->commit(store.context, SCHED_STANDARD, &decision, &job), "somebody pushed");
    cr_assert_eq(look(store).version, version + 2);
    cr_assert_eq(flow_of(store, 1).length, 2, "a refused commit changes nothing");
    cr_assert_float_eq(flow_of(store, 1).deficit, 0, 1e-12);
    cr_assert_not(look(store).turn_open);

    decision.version = look(store).version;
    store.ops->push(store.context, SCHED_CRITICAL, 1, &jobs[2], 0);
    cr_assert(store.ops->commit(store.context, SCHED_STANDARD, &decision, &job), "the push was to another class");
    cr_assert_eq(job, &jobs[0]);
    cr_assert_eq(look(store).version, version + 3);
    cr_assert_not(store.ops->commit(store.context, SCHED_STANDARD, &decision, &job), "it is used up");
}

void store_contract_grants(struct sched_store store) {
    struct sched_job jobs[4] = {{.id = 0}};

    for (uint32_t i = 0; i < 3; i++)
        push(store, i, &jobs[i]);
    cr_assert_eq(commit(store, (struct sched_decision){.rounds = 4, .quantum = 2}), NULL);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_float_eq(flow_of(store, i).deficit, 4 * 2 * (i + 1), 1e-12, "by weight");
    cr_assert_float_eq(flow_of(store, 3).deficit, 0, 1e-12, "who is not active gets nothing");

    cr_assert_eq(commit(store, (struct sched_decision){.visits = 2, .quantum = 2}), NULL);
    expect_order(store, ORDER(2, 0, 1));
    cr_assert_float_eq(flow_of(store, 0).deficit, 10, 1e-12);
    cr_assert_float_eq(flow_of(store, 1).deficit, 20, 1e-12);
    cr_assert_float_eq(flow_of(store, 2).deficit, 24, 1e-12);

    /* All in one: a round, a visit, and the pop of the flow that has come to the front. */
    cr_assert_eq(commit(store,
                        (struct sched_decision){
                            .rounds = 1, .visits = 1, .quantum = 1, .pop = true, .deficit = .5, .counter = 9}),
                 &jobs[0]);
    expect_order(store, ORDER(1, 2));
    cr_assert_float_eq(flow_of(store, 0).deficit, .5, 1e-12, "kept on leaving unless told otherwise");
    cr_assert_float_eq(flow_of(store, 0).counter, 9, 1e-12);
    cr_assert_float_eq(flow_of(store, 1).deficit, 22, 1e-12);
    cr_assert_float_eq(flow_of(store, 2).deficit, 24 + 3 + 3, 1e-12);

    store.ops->grant(store.context, SCHED_STANDARD, 3, 6.5, 12);
    cr_assert_float_eq(flow_of(store, 3).deficit, 6.5, 1e-12);
    cr_assert_eq(flow_of(store, 3).ticks, 12);
}

void store_contract_turns(struct sched_store store) {
    struct sched_job jobs[4] = {{.id = 0}};

    push(store, 0, &jobs[0]);
    push(store, 1, &jobs[1]);
    push(store, 1, &jobs[2]);
    cr_assert_not(look(store).turn_open);
    commit(store, (struct sched_decision){.rotate = true});
    expect_order(store, ORDER(1, 0));
    commit(store, (struct sched_decision){.pop = true, .turn_open = true});
    expect_order(store, ORDER(1, 0));
    cr_assert(look(store).turn_open);
    push(store, 2, &jobs[3]);
    expect_order(store, ORDER(1, 0, 2));
    cr_assert(look(store).turn_open, "a newcomer joins the tail and ends nobody's turn");
    commit(store, (struct sched_decision){.rotate = true});
    expect_order(store, ORDER(0, 2, 1));
    cr_assert_not(look(store).turn_open);
}

void store_contract_leaving(struct sched_store store) {
    struct sched_job jobs[3] = {{.id = 0}};

    push(store, 0, &jobs[0]);
    push(store, 1, &jobs[1]);
    commit(store, (struct sched_decision){.pop = true, .deficit = 8, .reset_on_leave = true, .rotate = true});
    expect_order(store, ORDER(1));
    cr_assert_float_eq(flow_of(store, 0).deficit, 0, 1e-12);
    push(store, 0, &jobs[2]);
    expect_order(store, ORDER(1, 0));
    commit(store, (struct sched_decision){.pop = true, .by_id = true, .target = 0, .deficit = 8});
    cr_assert_float_eq(flow_of(store, 0).deficit, 8, 1e-12);
    expect_order(store, ORDER(1));
}

void store_contract_counters(struct sched_store store) {
    struct sched_job jobs[6] = {{.id = 0}};
    struct sched_view view;

    store.ops->push(store.context, SCHED_STANDARD, 3, &jobs[0], 5);
    store.ops->push(store.context, SCHED_STANDARD, 2, &jobs[1], 4);
    store.ops->push(store.context, SCHED_STANDARD, 2, &jobs[2], 100);
    cr_assert_float_eq(flow_of(store, 2).counter, 4, 1e-12, "only a flow that was empty is raised");
    store.ops->push(store.context, SCHED_STANDARD, 1, &jobs[3], 4);
    store.ops->view(store.context, SCHED_STANDARD, SCHED_BY_COUNTER, &view);
    cr_assert_eq(view.front->id, 1, "ties to the lower id");
    cr_assert_eq(view.active, 3);

    commit(store, (struct sched_decision){.pop = true, .by_id = true, .target = 1, .counter = 11});
    cr_assert_float_eq(look(store).idle_counter, 11, 1e-12, "of the flow that left last");
    store.ops->view(store.context, SCHED_STANDARD, SCHED_BY_COUNTER, &view);
    cr_assert_eq(view.front->id, 2);
    commit(store, (struct sched_decision){.pop = true, .by_id = true, .target = 2, .counter = 20});
    cr_assert_float_eq(look(store).idle_counter, 11, 1e-12, "flow 2 has not left");
    store.ops->view(store.context, SCHED_STANDARD, SCHED_BY_COUNTER, &view);
    cr_assert_eq(view.front->id, 3);
    store.ops->push(store.context, SCHED_STANDARD, 1, &jobs[4], 3);
    cr_assert_float_eq(flow_of(store, 1).counter, 11, 1e-12, "never lowered");
}

void store_contract_throttles(struct sched_store store) {
    cr_assert_eq(store.ops->nth_throttle(store.context, 1, 1), INT64_MIN);
    for (int64_t n = 1; n <= 4; n++)
        cr_assert_eq(store.ops->record_throttle(store.context, 1, n * S, 5), INT64_MIN, "fewer than five");
    cr_assert_eq(store.ops->record_throttle(store.context, 1, 5 * S, 5), 1 * S);
    cr_assert_eq(store.ops->record_throttle(store.context, 1, 6 * S, 5), 2 * S);
    cr_assert_eq(store.ops->nth_throttle(store.context, 1, 1), 6 * S);
    cr_assert_eq(store.ops->nth_throttle(store.context, 1, 5), 2 * S);
    cr_assert_eq(store.ops->nth_throttle(store.context, 0, 1), INT64_MIN, "tenants are apart");
}

void store_contract_sums(struct sched_store store) {
    cr_assert_eq(store.ops->add_tokens(store.context, 0, 20000, 5), 5);
    cr_assert_eq(store.ops->add_tokens(store.context, 0, 20000, INT64_C(1) << 40), (INT64_C(1) << 40) + 5);
    cr_assert_eq(store.ops->add_tokens(store.context, 1, 20000, 1), 1);
    cr_assert_eq(store.ops->add_tokens(store.context, 0, 20001, 0), 0, "a new day");

    cr_assert(store.ops->demoted_until(store.context, 2) <= 0);
    store.ops->demote(store.context, 2, 300 * S);
    cr_assert_eq(store.ops->demoted_until(store.context, 2), 300 * S);
    cr_assert(store.ops->demoted_until(store.context, 1) <= 0);
}

static struct sched_usage usage_at(struct sched_store store, uint32_t tenant, int64_t now_ns) {
    struct sched_usage usage;

    store.ops->usage(store.context, tenant, now_ns, &usage);
    return usage;
}

void store_contract_usage(struct sched_store store) {
    store.ops->add_usage(store.context, 0, 10 * S, 0, 7);
    store.ops->add_usage(store.context, 0, 12 * S, 7, -7);
    store.ops->add_usage(store.context, 0, 40 * S, 2, 3);
    cr_assert_eq(usage_at(store, 0, 40 * S).admitted, 9);
    cr_assert_eq(usage_at(store, 0, 40 * S).waiting, 3);
    cr_assert_eq(usage_at(store, 0, 70 * S).admitted, 9);
    cr_assert_eq(usage_at(store, 0, 73 * S).admitted, 2, "to a sixtieth of the window");
    cr_assert_eq(usage_at(store, 0, 1000 * S).admitted, 0);
    cr_assert_eq(usage_at(store, 0, 1000 * S).waiting, 3, "waiting is now, not a window");
    cr_assert_eq(usage_at(store, 1, 1000 * S).admitted, 0);
}
