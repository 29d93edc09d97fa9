/** Jobs that leave before they were ever dispatched. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>

static struct sched_job *enqueue_patient(struct rig *rig, uint32_t tenant, int64_t cost, int64_t end_ns) {
    struct sched_job *job = rig_job(rig, tenant, SCHED_SCHEDULED, cost);

    job->patience_end_ns = end_ns;
    sched_enqueue(&rig->scheduler, job, false);
    return job;
}

static const enum sched_policy policies[] = {SCHED_DRR, SCHED_FIFO, SCHED_ROUND_ROBIN, SCHED_VTC, SCHED_ARTICLE};
enum { POLICIES = sizeof policies / sizeof policies[0] };

/* Broken by: serving a job that has left, losing it, or discarding one that still waits. */
Test(patience, expired_heads_are_handed_back) {
    for (int p = 0; p < POLICIES; p++) {
        struct rig rig;
        struct sched_job *first, *second, *third;

        rig_configure(&rig, 1);
        rig.config.tenants.policy = policies[p];
        rig_start(&rig);
        first = enqueue_patient(&rig, 0, 1, 100);
        second = enqueue_patient(&rig, 0, 1, 50);
        third = enqueue_patient(&rig, 0, 1, 101);
        rig.now_ns = 100;
        cr_assert_eq(rig_next(&rig), third, "policy %d", p);
        cr_assert(rig.pick.expired && rig.pick.expired->next, "policy %d: two have left", p);
        cr_assert_eq(rig.pick.expired->next->next, NULL);
        cr_assert((rig.pick.expired == first && rig.pick.expired->next == second) ||
                  (rig.pick.expired == second && rig.pick.expired->next == first));
        cr_assert_eq(sched_next(&rig.scheduler, &rig.worker, &rig.pick), SCHED_EMPTY);
        cr_assert_eq(rig.pick.expired, NULL);
        rig_finish(&rig);
    }
}

/* Broken by: reporting a pick when all there was had left. */
Test(patience, all_expired_is_empty) {
    for (int p = 0; p < POLICIES; p++) {
        struct rig rig;
        struct sched_job *job;

        rig_configure(&rig, 2);
        rig.config.tenants.policy = policies[p];
        rig_start(&rig);
        job = enqueue_patient(&rig, 1, 1, 10);
        rig.now_ns = 11;
        cr_assert_eq(sched_next(&rig.scheduler, &rig.worker, &rig.pick), SCHED_EMPTY, "policy %d", p);
        cr_assert_eq(rig.pick.expired, job);
        cr_assert_eq(rig.store.ops->queued(rig.store.context, SCHED_STANDARD), 0);
        rig_finish(&rig);
    }
}

/* Broken by: charging the deficit, the turn or the counter for a job that was not sent. */
Test(patience, discarding_is_free) {
    for (int p = 0; p < POLICIES; p++) {
        struct rig rig;
        struct sched_flow flow;

        rig_configure(&rig, 2);
        rig.config.tenants.policy = policies[p];
        rig.config.tenants.quantum = 10;
        rig_start(&rig);
        enqueue_patient(&rig, 0, 9, 10);
        rig_enqueue(&rig, 0, SCHED_SCHEDULED, 8);
        rig_enqueue(&rig, 1, SCHED_SCHEDULED, 8);
        rig.now_ns = 10;
        cr_assert_eq(rig_next(&rig)->tenant, 0, "policy %d: it still has its turn", p);
        rig.store.ops->flow(rig.store.context, SCHED_STANDARD, 0, &flow);
        if (policies[p] == SCHED_VTC)
            cr_assert_float_eq(flow.counter, 8, 1e-12);
        cr_assert_eq(rig_next(&rig)->tenant, 1);
        rig_finish(&rig);
    }
}

/* Broken by: a job that leaves while requeued; patience is about the first dispatch only. */
Test(patience, ends_with_the_first_dispatch) {
    struct rig rig;
    struct sched_job *job;

    rig_configure(&rig, 1);
    rig_start(&rig);
    job = enqueue_patient(&rig, 0, 1, 10);
    rig.now_ns = 9;
    cr_assert_eq(rig_next(&rig), job);
    rig.now_ns = 20;
    sched_enqueue(&rig.scheduler, job, true);
    cr_assert_eq(rig_next(&rig), job);
    cr_assert_eq(rig.pick.expired, NULL);
    rig_finish(&rig);
}

/* Broken by: an inversion counted because of a higher job that has left, or a class picked for expired work only. */
Test(patience, a_class_of_expired_jobs_gives_way) {
    struct rig rig;
    struct sched_job *left, *waits;

    rig_configure(&rig, 1);
    rig.config.picker.critical_win_probability = 1;
    rig_start(&rig);
    left = rig_job(&rig, 0, SCHED_USER_ACTION, 1);
    left->patience_end_ns = 5;
    sched_enqueue(&rig.scheduler, left, false);
    waits = rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    rig.now_ns = 5;
    cr_assert_eq(rig_next(&rig), waits);
    cr_assert_eq(rig.pick.expired, left);
    cr_assert_not(rig.pick.inversion);
    rig_finish(&rig);
}
