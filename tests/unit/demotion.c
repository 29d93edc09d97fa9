/** Who is demoted, from when until when. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>

#define S RIG_SECOND

/** A job of @p tenant that was picked and admitted, ready to be answered. */
static struct sched_job *in_service(struct rig *rig, uint32_t tenant, int64_t cost) {
    struct sched_job *job = rig_enqueue(rig, tenant, SCHED_USER_ACTION, cost);

    while (rig_next(rig) != job)
        cr_assert(rig->pick.job, "the job is lost");
    return job;
}

static struct sched_advice throttle_at(struct rig *rig, uint32_t tenant, int64_t now_ns) {
    rig->now_ns = now_ns;
    return rig_answer(rig, in_service(rig, tenant, 1), SCHED_THROTTLED, S);
}

static struct sched_advice complete_at(struct rig *rig, uint32_t tenant, int64_t now_ns, int64_t tokens) {
    struct sched_job *job;

    rig->now_ns = now_ns;
    job = in_service(rig, tenant, tokens);
    sched_on_admitted(&rig->scheduler, job, NULL);
    return rig_answer(rig, job, SCHED_COMPLETED, -1);
}

static enum sched_class class_at(struct rig *rig, uint32_t tenant, enum sched_origin origin, int64_t now_ns) {
    rig->now_ns = now_ns;
    return rig_enqueue(rig, tenant, origin, 1)->class_id;
}

static void start(struct rig *rig) {
    rig_configure(rig, 2);
    rig->config.demotion.applies_to[SCHED_CRITICAL] = false; /* critical jobs stay what the tests throttle */
    rig_start(rig);
}

/* Broken by: > instead of >=, a mark that starts or ends a nanosecond off, or that meets a neighbour. */
Test(demotion, fifth_429_demotes_for_300_s) {
    struct rig rig;
    struct sched_advice advice;

    start(&rig);
    for (int n = 1; n <= 4; n++) {
        cr_assert_not(throttle_at(&rig, 0, n * S).demoted);
        cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, n * S), SCHED_STANDARD);
    }
    advice = throttle_at(&rig, 0, 5 * S);
    cr_assert(advice.demoted && advice.demoted_by_throttles);
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 5 * S), SCHED_BATCH, "from that instant");
    cr_assert_eq(class_at(&rig, 1, SCHED_SCHEDULED, 5 * S), SCHED_STANDARD);
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 305 * S - 1), SCHED_BATCH);
    cr_assert(sched_demoted(&rig.scheduler, 0));
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 305 * S), SCHED_STANDARD);
    cr_assert_not(sched_demoted(&rig.scheduler, 0));
    rig_finish(&rig);
}

/* Broken by: a window that includes its older end. */
Test(demotion, window_is_open_at_its_older_end) {
    for (int64_t early_ns = 0; early_ns <= 1; early_ns++) {
        struct rig rig;

        start(&rig);
        throttle_at(&rig, 0, 10 * S);
        for (int n = 1; n <= 3; n++)
            throttle_at(&rig, 0, (10 + n) * S);
        cr_assert_eq(throttle_at(&rig, 0, 70 * S - early_ns).demoted, early_ns == 1);
        rig_finish(&rig);
    }
}

/* Broken by: a mark that clears the window, is not renewed while the rule holds, or reports a renewal as new. */
Test(demotion, is_renewed_while_it_holds) {
    struct rig rig;

    start(&rig);
    for (int n = 1; n <= 5; n++)
        throttle_at(&rig, 0, n * S);
    cr_assert_not(throttle_at(&rig, 0, 50 * S).demoted, "it was demoted already");
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 350 * S - 1), SCHED_BATCH, "renewed at 50 s");
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 350 * S), SCHED_STANDARD);
    rig_finish(&rig);
}

/* Broken by: renewal on 429s only; a completion checks, too, and finds the five still within the window. */
Test(demotion, completions_check_too) {
    struct rig rig;

    start(&rig);
    for (int n = 1; n <= 5; n++)
        throttle_at(&rig, 0, n * S);
    complete_at(&rig, 0, 60 * S, 1);
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 359 * S), SCHED_BATCH, "renewed at 60 s");
    complete_at(&rig, 0, 359 * S, 1);
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 360 * S), SCHED_STANDARD, "not at 359 s: the marks have aged");
    rig_finish(&rig);
}

Test(demotion, other_refusals_do_not_count) {
    struct rig rig;

    start(&rig);
    for (int n = 1; n <= 10; n++)
        cr_assert_not(rig_answer(&rig, in_service(&rig, 0, 1), SCHED_OVERLOADED, -1).demoted);
    cr_assert_not(sched_demoted(&rig.scheduler, 0));
    rig_finish(&rig);
}

/* Broken by: counting one 429 a job. */
Test(demotion, retries_count) {
    struct rig rig;
    struct sched_job *job;

    start(&rig);
    job = in_service(&rig, 0, 1);
    for (int n = 1; n <= 4; n++)
        cr_assert_not(rig_answer(&rig, job, SCHED_THROTTLED, S).demoted);
    cr_assert(rig_answer(&rig, job, SCHED_THROTTLED, S).demoted);
    rig_finish(&rig);
}

Test(demotion, applies_to_names_classes_and_jobs_in_queue_stay) {
    struct rig rig;
    struct sched_job *queued;

    start(&rig);
    rig.now_ns = 0;
    for (int n = 0; n < 4; n++)
        throttle_at(&rig, 0, 0);
    queued = rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    rig.fixed[SCHED_DRAW_FAVOUR_CRITICAL] = true;
    cr_assert(throttle_at(&rig, 0, 0).demoted);
    cr_assert_eq(queued->class_id, SCHED_STANDARD);
    cr_assert_eq(rig.store.ops->queued(rig.store.context, SCHED_STANDARD), 1);
    cr_assert_eq(class_at(&rig, 0, SCHED_USER_ACTION, 0), SCHED_CRITICAL, "critical is not in applies_to");
    rig.config.demotion.applies_to[SCHED_CRITICAL] = true;
    cr_assert_eq(class_at(&rig, 0, SCHED_USER_ACTION, 0), SCHED_BATCH);
    cr_assert_eq(rig_enqueue(&rig, 0, SCHED_USER_ACTION, 1)->requested, SCHED_CRITICAL);
    rig.config.demotion.enabled = false;
    cr_assert_eq(class_at(&rig, 0, SCHED_USER_ACTION, 0), SCHED_CRITICAL);
    rig_finish(&rig);
}

/* Broken by: >= instead of >, tokens of jobs that did not complete, or a day that never ends. */
Test(demotion, daily_budget) {
    struct rig rig;
    struct sched_advice advice;

    start(&rig);
    rig.tenants[0].daily_tokens = 1000;
    throttle_at(&rig, 0, S);
    cr_assert_not(complete_at(&rig, 0, S, 1500).demoted, "1.5 x exactly");
    advice = complete_at(&rig, 0, 2 * S, 1);
    cr_assert(advice.demoted && !advice.demoted_by_throttles);
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 302 * S - 1), SCHED_BATCH);
    cr_assert_eq(class_at(&rig, 0, SCHED_SCHEDULED, 302 * S), SCHED_STANDARD, "renewed by its own events only");
    cr_assert(throttle_at(&rig, 0, 400 * S).demoted, "any recorded 429 checks the budget as well");
    rig.day++;
    cr_assert_not(complete_at(&rig, 0, 1000 * S, 1500).demoted);
    rig_finish(&rig);
}

Test(demotion, a_budget_of_zero_is_a_budget_and_none_is_none) {
    struct rig rig;

    start(&rig);
    rig.tenants[0].daily_tokens = 0;
    cr_assert(complete_at(&rig, 0, S, 1).demoted);
    cr_assert_not(complete_at(&rig, 1, S, INT64_C(1) << 60).demoted);
    rig_finish(&rig);
}

/** Tenant 0 admitted 8 and wants more; tenant 1 admitted 2 of the 3 it asked for. Capacity 10: shares 7 and 3. */
static void start_entitlement(struct rig *rig) {
    rig_configure(rig, 2);
    rig->config.demotion.attribution = SCHED_ATTRIBUTE_OVER_ENTITLEMENT;
    rig->config.demotion.applies_to[SCHED_CRITICAL] = false;
    rig_start(rig);
    for (int n = 0; n < 8; n++)
        complete_at(rig, 0, S, 1);
    for (int n = 0; n < 2; n++)
        complete_at(rig, 1, S, 1);
    for (int n = 0; n < 4; n++)
        rig_enqueue(rig, 0, SCHED_BATCH_JOB, 1);
}

/* Broken by: blaming whoever got the 429. */
Test(demotion, over_entitlement_spares_the_victim) {
    struct rig rig;

    start_entitlement(&rig);
    for (int n = 0; n < 10; n++) {
        struct sched_job *job = in_service(&rig, 1, 1);

        cr_assert_not(rig_answer(&rig, job, SCHED_THROTTLED, S).demoted);
        rig_answer(&rig, job, SCHED_UNSERVABLE, -1); /* it leaves: its demand stays 3 */
    }
    cr_assert_not(sched_demoted(&rig.scheduler, 1));
    rig_finish(&rig);
}

/* Broken by: a share that ignores the victim's demand, or a window that never forgets. */
Test(demotion, over_entitlement_blames_who_is_above_its_share) {
    struct rig rig;
    struct sched_job *victim;

    start_entitlement(&rig);
    victim = in_service(&rig, 1, 1); /* demand 3 */
    cr_assert_eq(victim->tenant, 1);
    for (int n = 0; n < 4; n++)
        cr_assert_not(throttle_at(&rig, 0, 2 * S).demoted);
    cr_assert(throttle_at(&rig, 0, 2 * S).demoted);
    rig_finish(&rig);

    /* Without the victim's third job both are served in full, so nobody is above a share. */
    start_entitlement(&rig);
    for (int n = 0; n < 10; n++)
        cr_assert_not(throttle_at(&rig, 0, 2 * S).demoted);
    rig_finish(&rig);

    /* A minute and more later the window is empty. */
    start_entitlement(&rig);
    in_service(&rig, 1, 1);
    for (int n = 0; n < 10; n++)
        cr_assert_not(throttle_at(&rig, 0, 63 * S).demoted);
    rig_finish(&rig);
}
