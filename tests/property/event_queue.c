/* The event queue against a sorted array: every pop is the least of what is pending, by time, kind and index. */
#include "../../sim/event_queue.h"
#include "../../models/streams.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { PENDING_MAX = 500, STEPS = 40000 };

static int compare(const void *a, const void *b) {
    const struct sim_event *x = a;
    const struct sim_event *y = b;

    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/** Few distinct times and indices, so that ties are the rule. */
static struct sim_event draw_event(const struct model_streams *streams, uint32_t step) {
    uint64_t bits = model_bits(streams, 0, step, MODEL_ARRIVAL, 1);

    return (struct sim_event){
        .at_ns = (int64_t)(bits % 64),
        .kind = (enum sim_event_kind)((bits >> 8) % (SIM_RETRY_AT_ONCE + 1)),
        .index = (uint32_t)((bits >> 16) % 8),
    };
}

Test(event_queue, pops_in_order) {
    struct model_streams streams = {.seed = 20260105};
    struct sim_event_queue queue = {0};
    struct sim_event pending[PENDING_MAX];
    size_t count = 0;

    for (uint32_t step = 0; step < STEPS; step++) {
        double u = model_uniform(&streams, 0, step, MODEL_ARRIVAL, 0);
        double fill = (step / 4000) % 2 == 0 ? 0.6 : 0.4;

        if (count == 0 || (u < fill && count < PENDING_MAX)) {
            pending[count] = draw_event(&streams, step);
            sim_event_queue_push(&queue, pending[count].at_ns, pending[count].kind, pending[count].index);
            count++;
        } else {
            struct sim_event popped = sim_event_queue_pop(&queue);

            qsort(pending, count, sizeof pending[0], compare);
            cr_assert_eq(compare(&popped, &pending[0]), 0, "step %u: popped (%lld, %d, %u), least is (%lld, %d, %u)",
                         step, (long long)popped.at_ns, (int)popped.kind, popped.index, (long long)pending[0].at_ns,
                         (int)pending[0].kind, pending[0].index);
            pending[0] = pending[--count];
        }
        cr_assert_eq(queue.count, count);
    }
    sim_event_queue_finish(&queue);
}

Test(event_queue, an_instant_is_applied_in_the_order_of_kinds) {
    struct sim_event_queue queue = {0};

    sim_event_queue_push(&queue, 7, SIM_ARRIVAL, 0);
    sim_event_queue_push(&queue, 7, SIM_RETRY_AT_ONCE, 0);
    sim_event_queue_push(&queue, 7, SIM_WAKE, 0);
    sim_event_queue_push(&queue, 7, SIM_CHANGE, 1);
    sim_event_queue_push(&queue, 7, SIM_RETRY, 3);
    sim_event_queue_push(&queue, 7, SIM_PROGRESS, 2);
    sim_event_queue_push(&queue, 7, SIM_PROGRESS, 1);
    sim_event_queue_push(&queue, 7, SIM_BOUNDARY, 0);
    cr_assert_eq(sim_event_queue_pop(&queue).kind, SIM_BOUNDARY);
    cr_assert_eq(sim_event_queue_pop(&queue).index, 1);
    cr_assert_eq(sim_event_queue_pop(&queue).index, 2);
    cr_assert_eq(sim_event_queue_pop(&queue).kind, SIM_RETRY);
    cr_assert_eq(sim_event_queue_pop(&queue).kind, SIM_CHANGE);
    cr_assert_eq(sim_event_queue_pop(&queue).kind, SIM_WAKE);
    cr_assert_eq(sim_event_queue_pop(&queue).kind, SIM_ARRIVAL);
    cr_assert_eq(sim_event_queue_pop(&queue).kind, SIM_RETRY_AT_ONCE);
    cr_assert_eq(queue.count, 0);
    sim_event_queue_finish(&queue);
}
