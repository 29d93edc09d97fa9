/** DRR whose deficits a timer refills: ticks, phases, caps, and what is not yet sendable. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>

#define S RIG_SECOND
#define MS (RIG_SECOND / 1000)

/** Quantum 4, every second; phases: tenant 0 at 0, tenant 1 at 300 ms, tenant 2 at 700 ms. */
static void configure(struct rig *rig) {
    rig_configure(rig, 3);
    rig->config.tenants.refill = SCHED_REFILL_TIMER;
    rig->config.tenants.quantum = 4;
    rig->tenants[0].key = 5000;
    rig->tenants[1].key = 12300;
    rig->tenants[2].key = 700;
}

static void expect_not_before(struct rig *rig, int64_t at_ns) {
    cr_assert_eq(sched_next(&rig->scheduler, &rig->worker, &rig->pick), SCHED_NOT_YET);
    cr_assert_eq(rig->pick.not_before_ns, at_ns, "not before %lld, expected %lld", (long long)rig->pick.not_before_ns,
                 (long long)at_ns);
}

/* Broken by: a phase that is not the hash modulo the jitter, or a first deficit that is not 0. */
Test(timer_refill, ticks_come_at_phase_and_interval) {
    struct rig rig;

    configure(&rig);
    rig_start(&rig);
    rig_enqueue(&rig, 1, SCHED_SCHEDULED, 4);
    rig_enqueue(&rig, 1, SCHED_SCHEDULED, 4);
    rig_enqueue(&rig, 1, SCHED_SCHEDULED, 4);
    expect_not_before(&rig, 300 * MS);
    rig.now_ns = 300 * MS - 1;
    expect_not_before(&rig, 300 * MS);
    rig.now_ns = 300 * MS;
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    expect_not_before(&rig, 1300 * MS);
    rig.now_ns = 1300 * MS;
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    expect_not_before(&rig, 2300 * MS);
    rig_finish(&rig);
}

Test(timer_refill, no_jitter_refills_all_at_once) {
    struct rig rig;

    configure(&rig);
    rig.config.tenants.refill_jitter_ns = 0;
    rig_start(&rig);
    for (uint32_t i = 0; i < 3; i++)
        for (int n = 0; n < 2; n++)
            rig_enqueue(&rig, i, SCHED_SCHEDULED, 4);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_eq(rig_next(&rig)->tenant, i, "the tick at instant 0");
    expect_not_before(&rig, 1 * S);
    rig_finish(&rig);
}

/* Broken by: granting idle ticks beyond the cap, or none to tenants without work. */
Test(timer_refill, idle_ticks_fill_up_to_the_quantum) {
    struct rig rig;

    configure(&rig);
    rig_start(&rig);
    rig.now_ns = 100 * S + 1; /* 101 ticks of tenant 0 have passed */
    for (int n = 0; n < 5; n++)
        rig_enqueue(&rig, 0, SCHED_SCHEDULED, 2);
    cr_assert(rig_next(&rig));
    cr_assert(rig_next(&rig));
    expect_not_before(&rig, 101 * S);
    rig_finish(&rig);
}

/* Broken by: a cap of one quantum, under which a head that costs more would never go. */
Test(timer_refill, the_cap_covers_the_head) {
    struct rig rig;

    configure(&rig);
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 11);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 4);
    expect_not_before(&rig, 2 * S); /* 4, 8, and at the third tick 11 = the cap */
    rig.now_ns = 2 * S;
    cr_assert_eq(rig_next(&rig)->cost, 11);
    expect_not_before(&rig, 3 * S);
    rig.now_ns = 3 * S;
    cr_assert_eq(rig_next(&rig)->cost, 4);
    rig_finish(&rig);
}

/* Broken by: weights that do not multiply the quantum. */
Test(timer_refill, weights_count) {
    struct rig rig;

    configure(&rig);
    rig.tenants[0].weight = 3;
    rig_start(&rig);
    for (int n = 0; n < 4; n++)
        rig_enqueue(&rig, 0, SCHED_SCHEDULED, 4);
    for (int n = 0; n < 3; n++)
        cr_assert(rig_next(&rig));
    expect_not_before(&rig, 1 * S);
    rig_finish(&rig);
}

/* Broken by: a deficit that is lost when the queue empties, as it would be under refill by rounds. */
Test(timer_refill, emptying_does_not_reset) {
    struct rig rig;

    configure(&rig);
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    cr_assert(rig_next(&rig));
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 3);
    cr_assert(rig_next(&rig), "3 of the 4 were left");
    rig_finish(&rig);
}

/* Broken by: rotation after a send, or none past a tenant that cannot send. */
Test(timer_refill, a_sender_stays_in_front_and_the_others_go_to_the_tail) {
    struct rig rig;

    configure(&rig);
    rig.config.tenants.refill_jitter_ns = 0;
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 9);
    for (int n = 0; n < 3; n++)
        rig_enqueue(&rig, 1, SCHED_SCHEDULED, 2);
    rig_enqueue(&rig, 2, SCHED_SCHEDULED, 2);
    cr_assert_eq(rig_next(&rig)->tenant, 1, "tenant 0 cannot, and goes behind 2");
    cr_assert_eq(rig_next(&rig)->tenant, 1, "it stays in front");
    cr_assert_eq(rig_next(&rig)->tenant, 2, "1 is spent");
    rig.now_ns = 2 * S;
    cr_assert_eq(rig_next(&rig)->tenant, 0, "0 stands before 1");
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    rig_finish(&rig);
}

/* Broken by: a class that counts as non-empty though nobody in it may send. */
Test(timer_refill, a_class_that_may_not_send_counts_as_empty) {
    struct rig rig;

    configure(&rig);
    rig.config.picker.critical_win_probability = 1;
    rig_start(&rig);
    rig_enqueue(&rig, 2, SCHED_USER_ACTION, 4);
    rig_enqueue(&rig, 0, SCHED_BATCH_JOB, 4);
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_BATCH);
    cr_assert(rig.pick.inversion, "a higher class does hold a job");
    expect_not_before(&rig, 700 * MS);
    rig_finish(&rig);
}
