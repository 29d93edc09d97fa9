/** Mirror pacing: a copy of the endpoint's buckets that holds jobs back. */
#include "../../sched/pacing.h"
#include "../support/sched_rig.h"

#include <criterion/criterion.h>

#define S RIG_SECOND

/** One model class: 60 requests, 6000 input and 600 output tokens a minute, a minute's burst: 1, 100 and 10 a second. */
struct copy {
    struct rig rig;
    struct sched_paced_limits limits;
    struct sched_paced_buckets buckets;
    struct sched_pacing pacing;
};

static void configure(struct copy *copy) {
    rig_configure(&copy->rig, 1);
    copy->limits = (struct sched_paced_limits){
        .per_minute = {60, 6000, 600},
        .burst_ns = {60 * S, 60 * S, 60 * S},
    };
    copy->rig.config.retry.pacing = SCHED_PACING_MIRROR;
    copy->rig.config.paced = &copy->limits;
    copy->rig.config.paced_count = 1;
}

static void start(struct copy *copy) {
    sched_pacing_init(&copy->pacing, &copy->rig.config, &copy->buckets);
    rig_start(&copy->rig);
    copy->rig.scheduler.pacing = &copy->pacing;
}

/** A job as a worker holds it. */
static struct sched_job *held(struct copy *copy, int64_t input_tokens, int64_t max_tokens) {
    struct sched_job *job = rig_job(&copy->rig, 0, SCHED_SCHEDULED, input_tokens);

    job->max_tokens = max_tokens;
    return job;
}

/** The job goes at once. */
static void expect_sent(struct copy *copy, struct sched_job *job) {
    int64_t at_ns = -1;

    cr_assert(sched_dispatch(&copy->rig.scheduler, job, &at_ns), "held until %lld", (long long)at_ns);
}

/** The job is held until @p at_ns to within a microsecond, and goes then. */
static void expect_held(struct copy *copy, struct sched_job *job, int64_t at_ns) {
    int64_t not_before_ns = -1;

    cr_assert_not(sched_dispatch(&copy->rig.scheduler, job, &not_before_ns), "sent");
    cr_assert(not_before_ns > copy->rig.now_ns && not_before_ns - at_ns <= 1000 && not_before_ns - at_ns >= -1000,
              "held until %lld, expected %lld", (long long)not_before_ns, (long long)at_ns);
    copy->rig.now_ns = not_before_ns;
    expect_sent(copy, job);
}

/* Broken by: a copy that starts empty, or holds more than its capacity. */
Test(pacing, requests_start_full_and_refill) {
    struct copy copy;

    configure(&copy);
    start(&copy);
    copy.rig.now_ns = 1000 * S; /* idle time fills nothing beyond the capacity */
    for (int n = 0; n < 60; n++)
        expect_sent(&copy, held(&copy, 1, 0));
    expect_held(&copy, held(&copy, 1, 0), 1001 * S);
    expect_held(&copy, held(&copy, 1, 0), 1002 * S);
    rig_finish(&copy.rig);
}

/* Broken by: counting cached input, or never admitting what is larger than the bucket. */
Test(pacing, input_counts_what_is_not_cached) {
    struct copy copy;
    struct sched_job *job;

    configure(&copy);
    start(&copy);
    job = held(&copy, 100000, 0);
    job->uncached_tokens = 4000;
    expect_sent(&copy, job);
    expect_held(&copy, held(&copy, 2500, 0), 5 * S);
    expect_held(&copy, held(&copy, 9000, 0), copy.rig.now_ns + 60 * S);
    expect_held(&copy, held(&copy, 1, 0), copy.rig.now_ns + 30 * S + S / 100);
    rig_finish(&copy.rig);
}

/* Broken by: an estimate other than the mean output so far, or one that stays when the truth is known. */
Test(pacing, output_is_the_mean_so_far_until_it_is_known) {
    struct copy copy;
    struct sched_job *first, *second, *third;

    configure(&copy);
    start(&copy);
    first = held(&copy, 1, 500);
    second = held(&copy, 1, 500);
    third = held(&copy, 1, 500);
    expect_sent(&copy, first);
    cr_assert_float_eq(copy.buckets.level[2], 600, 1e-6, "nothing is known yet");
    sched_on_result(&copy.rig.scheduler, first,
                    &(struct sched_result){.outcome = SCHED_COMPLETED, .output_tokens = 100});
    cr_assert_float_eq(copy.buckets.level[2], 500, 1e-6);
    expect_sent(&copy, second);
    cr_assert_float_eq(copy.buckets.level[2], 400, 1e-6);
    sched_on_result(&copy.rig.scheduler, second,
                    &(struct sched_result){.outcome = SCHED_COMPLETED, .output_tokens = 550});
    cr_assert_float_eq(copy.buckets.level[2], -50, 1e-6);
    expect_held(&copy, third, 5 * S);
    cr_assert_float_eq(copy.buckets.level[2], -325, 1e-3, "the mean is 325 by now");
    rig_finish(&copy.rig);
}

Test(pacing, reserve_charges_max_tokens) {
    struct copy copy;
    struct sched_job *job;

    configure(&copy);
    copy.limits.reserve = true;
    start(&copy);
    job = held(&copy, 1, 450);
    expect_sent(&copy, job);
    cr_assert_float_eq(copy.buckets.level[2], 150, 1e-6);
    sched_on_result(&copy.rig.scheduler, job, &(struct sched_result){.outcome = SCHED_COMPLETED, .output_tokens = 50});
    cr_assert_float_eq(copy.buckets.level[2], 550, 1e-6);
    expect_held(&copy, held(&copy, 1, 600), 5 * S);
    rig_finish(&copy.rig);
}

/* Broken by: a refused attempt that keeps its charge: a retry storm would then pace itself to a halt. */
Test(pacing, a_refusal_gives_the_charge_back) {
    struct copy copy;
    struct sched_job *job;

    configure(&copy);
    copy.limits.reserve = true;
    start(&copy);
    job = held(&copy, 5000, 400);
    expect_sent(&copy, job);
    rig_answer(&copy.rig, job, SCHED_THROTTLED, S);
    cr_assert_float_eq(copy.buckets.level[0], 60, 1e-6);
    cr_assert_float_eq(copy.buckets.level[1], 6000, 1e-6);
    cr_assert_float_eq(copy.buckets.level[2], 600, 1e-6);
    rig_finish(&copy.rig);
}

/* Broken by: headers that raise a level, which would undo what was sent since. */
Test(pacing, headers_lower_a_level_and_never_raise_it) {
    static const int64_t remaining[3] = {10, 100000, 599};
    struct copy copy;
    struct sched_job *job;

    configure(&copy);
    start(&copy);
    job = held(&copy, 1000, 0);
    expect_sent(&copy, job);
    sched_on_admitted(&copy.rig.scheduler, job, remaining);
    cr_assert_float_eq(copy.buckets.level[0], 10, 1e-6);
    cr_assert_float_eq(copy.buckets.level[1], 5000, 1e-6);
    cr_assert_float_eq(copy.buckets.level[2], 599, 1e-6);
    sched_on_admitted(&copy.rig.scheduler, job, NULL);
    cr_assert_float_eq(copy.buckets.level[0], 10, 1e-6);
    rig_finish(&copy.rig);
}

/* Broken by: a limit of 0 taken for a bucket that is always empty. */
Test(pacing, an_absent_limit_holds_nothing) {
    struct copy copy;

    configure(&copy);
    for (int b = 0; b < 3; b++)
        copy.limits.per_minute[b] = 0;
    start(&copy);
    for (int n = 0; n < 1000; n++)
        expect_sent(&copy, held(&copy, 1000000, 1000000));
    rig_finish(&copy.rig);
}

/* Broken by: pacing that acts without being asked for. */
Test(pacing, off_by_default) {
    struct copy copy;
    int64_t at_ns = -1;

    configure(&copy);
    copy.rig.config.retry.pacing = SCHED_PACING_NONE;
    sched_pacing_init(&copy.pacing, &copy.rig.config, &copy.buckets);
    rig_start(&copy.rig);
    sched_init(&copy.rig.scheduler, &copy.rig.config, copy.rig.scheduler.clock, copy.rig.scheduler.random,
               copy.rig.store, &copy.pacing);
    for (int n = 0; n < 100; n++)
        cr_assert(sched_dispatch(&copy.rig.scheduler, held(&copy, 6000, 600), &at_ns));
    rig_finish(&copy.rig);
}
