/** How often each class is picked, against the shares that the rules imply. Errors allowed: four standard errors. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>
#include <math.h>

enum { PICKS = 40000 };

static const enum sched_origin origin_of[SCHED_CLASSES] = {SCHED_USER_ACTION, SCHED_SCHEDULED, SCHED_BATCH_JOB};

/** Keep the classes of @p backlogged non-empty, pick many times, and compare with @p expected shares. */
static void check(const double weights[SCHED_CLASSES], double win, const bool backlogged[SCHED_CLASSES],
                  const double expected[SCHED_CLASSES]) {
    struct rig rig;
    double count[SCHED_CLASSES] = {0};

    rig_configure(&rig, 1);
    rig.config.picker.critical_win_probability = win;
    for (int c = 0; c < SCHED_CLASSES; c++)
        rig.config.picker.weights[c] = weights[c];
    rig_start(&rig);
    for (int c = 0; c < SCHED_CLASSES; c++)
        for (int n = 0; n < 2 && backlogged[c]; n++)
            rig_enqueue(&rig, 0, origin_of[c], 1);
    for (int n = 0; n < PICKS; n++) {
        struct sched_job *job = rig_next(&rig);
        bool higher = false;

        cr_assert(job, "work-conserving");
        for (int c = 0; c < (int)job->class_id; c++)
            higher |= backlogged[c];
        cr_assert_eq(rig.pick.inversion, higher);
        count[job->class_id]++;
        rig_enqueue(&rig, 0, job->origin, 1);
    }
    for (int c = 0; c < SCHED_CLASSES; c++) {
        double share = count[c] / PICKS;
        double error = sqrt(expected[c] * (1 - expected[c]) / PICKS);

        cr_assert(fabs(share - expected[c]) <= 4 * error, "class %d: share %g, expected %g", c, share, expected[c]);
    }
    rig_finish(&rig);
}

#define WEIGHTS(...) ((const double[SCHED_CLASSES]){__VA_ARGS__})
#define BACKLOG(...) ((const bool[SCHED_CLASSES]){__VA_ARGS__})
#define SHARES(...) ((const double[SCHED_CLASSES]){__VA_ARGS__})

static const double article[SCHED_CLASSES] = {70, 25, 5};

/* Broken by: a draw over the non-empty classes only (which would give 83/17). */
Test(picker, critical_empty_gives_95_and_5) {
    check(article, 0.9, BACKLOG(false, true, true), SHARES(0, .95, .05));
}

Test(picker, critical_wins_nine_times_in_ten) {
    check(article, 0.9, BACKLOG(true, true, true), SHARES(.9, .095, .005));
    check(article, 0.9, BACKLOG(true, false, true), SHARES(.9, 0, .1));
}

/* Broken by: a walk from batch that wraps round to critical, which has just lost. */
Test(picker, a_losing_critical_is_passed_over_by_the_walk) {
    check(article, 0.9, BACKLOG(true, true, false), SHARES(.9, .1, 0));
    check(article, 0, BACKLOG(true, true, true), SHARES(0, .95, .05));
    check(WEIGHTS(0, 0, 1), 0, BACKLOG(true, true, false), SHARES(0, 1, 0));
}

Test(picker, strict) {
    check(article, 1, BACKLOG(true, true, true), SHARES(1, 0, 0));
    check(WEIGHTS(1, 1, 0), 1, BACKLOG(false, true, true), SHARES(0, 1, 0));
}

/* Broken by: step 2 before step 1. */
Test(picker, the_only_class_is_picked) {
    check(article, 0, BACKLOG(true, false, false), SHARES(1, 0, 0));
    check(article, 0.9, BACKLOG(false, true, false), SHARES(0, 1, 0));
    check(WEIGHTS(1, 1, 0), 0.9, BACKLOG(false, false, true), SHARES(0, 0, 1));
}

/* Broken by: a weight of 0 that is drawn, or one that the walk does not reach. */
Test(picker, weight_zero) {
    check(WEIGHTS(70, 0, 5), 0.9, BACKLOG(false, true, true), SHARES(0, 70. / 75, 5. / 75));
    check(WEIGHTS(0, 25, 0), 0.9, BACKLOG(false, true, true), SHARES(0, 1, 0));
    check(WEIGHTS(0, 0, 5), 0.9, BACKLOG(false, true, true), SHARES(0, 0, 1));
}

/* Broken by: a draw of exactly 0 that falls to a class of weight 0. */
Test(picker, weight_zero_at_the_edge_of_the_draw) {
    struct rig rig;

    rig_configure(&rig, 1);
    rig.config.picker.weights[SCHED_CRITICAL] = 0;
    rig.config.picker.weights[SCHED_STANDARD] = 0;
    rig.fixed[SCHED_DRAW_CLASS] = true;
    rig.word[SCHED_DRAW_CLASS] = 0;
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    rig_enqueue(&rig, 0, SCHED_BATCH_JOB, 1);
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_BATCH);
    rig_finish(&rig);
}

/** A rig with a standard and maybe a critical job, whose worker was released at 0 and favours critical (or not). */
static void start_lingering(struct rig *rig, bool favours) {
    rig_configure(rig, 1);
    rig->config.picker.critical_linger_ns = 500;
    rig->fixed[SCHED_DRAW_FAVOUR_CRITICAL] = true;
    rig->word[SCHED_DRAW_FAVOUR_CRITICAL] = favours ? 0 : UINT64_MAX;
    rig_start(rig);
    sched_release(&rig->scheduler, &rig->worker);
    rig_enqueue(rig, 0, SCHED_SCHEDULED, 1);
}

/* Broken by: a favouring worker that takes something else early, or does not take it when its linger ends. */
Test(picker, linger_waits_for_critical) {
    struct rig rig;

    start_lingering(&rig, true);
    rig.now_ns = 499;
    cr_assert_eq(sched_next(&rig.scheduler, &rig.worker, &rig.pick), SCHED_NOT_YET);
    cr_assert_eq(rig.pick.not_before_ns, 500);
    rig_enqueue(&rig, 0, SCHED_USER_ACTION, 1);
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_CRITICAL);
    cr_assert_eq(sched_next(&rig.scheduler, &rig.worker, &rig.pick), SCHED_NOT_YET);
    rig.now_ns = 500;
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_STANDARD);
    rig_finish(&rig);
}

/* Broken by: lingering of a worker that does not favour critical, or of one that was never released. */
Test(picker, linger_only_after_a_favouring_release) {
    struct rig rig;

    start_lingering(&rig, false);
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_STANDARD);
    rig.worker = (struct sched_worker){.released = false};
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_STANDARD);
    rig_finish(&rig);
}

/* Broken by: a new draw at the pick instead of the release's. */
Test(picker, the_draw_of_the_release_holds_after_its_linger) {
    struct rig rig;

    start_lingering(&rig, true);
    rig_enqueue(&rig, 0, SCHED_USER_ACTION, 1);
    rig.now_ns = 1000;
    rig.word[SCHED_DRAW_FAVOUR_CRITICAL] = UINT64_MAX;
    cr_assert_eq(rig_next(&rig)->class_id, SCHED_CRITICAL);
    rig_finish(&rig);
}
