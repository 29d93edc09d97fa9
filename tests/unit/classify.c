/** Classes and costs from what callers state. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>

Test(classify, by_origin_and_sla) {
    const int64_t day = SCHED_BATCH_SLA_NS;

    cr_assert_eq(sched_classify(SCHED_USER_ACTION, SCHED_NEVER), SCHED_CRITICAL);
    cr_assert_eq(sched_classify(SCHED_USER_ACTION, day), SCHED_CRITICAL);
    cr_assert_eq(sched_classify(SCHED_USER_ACTION, 1), SCHED_CRITICAL);
    cr_assert_eq(sched_classify(SCHED_SCHEDULED, SCHED_NEVER), SCHED_BATCH, "no SLA");
    cr_assert_eq(sched_classify(SCHED_SCHEDULED, day), SCHED_BATCH, "a day exactly");
    cr_assert_eq(sched_classify(SCHED_SCHEDULED, day - 1), SCHED_STANDARD);
    cr_assert_eq(sched_classify(SCHED_SCHEDULED, 0), SCHED_STANDARD);
    cr_assert_eq(sched_classify(SCHED_BATCH_JOB, 1), SCHED_BATCH);
    cr_assert_eq(day, 86400 * RIG_SECOND);
}

Test(classify, cost_is_whole_units_and_at_least_one) {
    cr_assert_eq(sched_cost(1, 4000), 1);
    cr_assert_eq(sched_cost(3999, 4000), 1);
    cr_assert_eq(sched_cost(7999, 4000), 1);
    cr_assert_eq(sched_cost(8000, 4000), 2);
    cr_assert_eq(sched_cost(20001, 4000), 5);
    cr_assert_eq(sched_cost(17, 1), 17);
}

/* Broken by: an enqueue that forgets when a job came first, or what its caller's class was. */
Test(classify, enqueue_fills_in_the_job) {
    struct rig rig;
    struct sched_job *job;

    rig_configure(&rig, 2);
    rig.config.tenants.cost_unit_tokens = 4000;
    rig_start(&rig);
    rig.now_ns = 77;
    job = rig_enqueue(&rig, 1, SCHED_USER_ACTION, 12345);
    cr_assert_eq(job->requested, SCHED_CRITICAL);
    cr_assert_eq(job->class_id, SCHED_CRITICAL);
    cr_assert_eq(job->cost, 3);
    cr_assert_eq(job->enqueued_ns, 77);
    cr_assert_eq(job->first_dispatch_ns, -1);
    rig.now_ns = 90;
    cr_assert_eq(rig_next(&rig), job);
    cr_assert_eq(job->first_dispatch_ns, 90);
    rig.now_ns = 100;
    sched_enqueue(&rig.scheduler, job, true);
    cr_assert_eq(job->enqueued_ns, 77, "latency runs from the first enqueue");
    rig.now_ns = 110;
    cr_assert_eq(rig_next(&rig), job);
    cr_assert_eq(job->first_dispatch_ns, 90, "the first one");
    rig_finish(&rig);
}

Test(classify, nothing_queued_is_empty) {
    struct rig rig;

    rig_configure(&rig, 1);
    rig_start(&rig);
    cr_assert_eq(sched_next(&rig.scheduler, &rig.worker, &rig.pick), SCHED_EMPTY);
    cr_assert_eq(rig.pick.job, NULL);
    cr_assert_eq(rig.pick.expired, NULL);
    rig_finish(&rig);
}
