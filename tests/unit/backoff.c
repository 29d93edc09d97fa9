/** Delays after refusals: formulas at fixed draws, ranges and means over many. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>
#include <math.h>

#define S RIG_SECOND

/** Smallest, largest and mean delay, in seconds, of many jobs' refusal number @p refusal. */
struct range {
    double least, most, mean;
};

static struct range delays(struct rig *rig, uint32_t refusal, enum sched_outcome outcome, int64_t retry_after_ns) {
    enum { JOBS = 4000 };
    struct range range = {.least = INFINITY};

    rig_start(rig);
    for (int n = 0; n < JOBS; n++) {
        struct sched_job *job;
        struct sched_advice advice = {.kind = SCHED_DONE};
        double delay_s;

        rig_enqueue(rig, 0, SCHED_SCHEDULED, 1);
        job = rig_next(rig);
        for (uint32_t i = 0; i < refusal; i++) {
            advice = rig_answer(rig, job, outcome, retry_after_ns);
            cr_assert_eq(advice.kind, SCHED_RETRY);
        }
        delay_s = (double)advice.delay_ns / (double)S;
        range.least = fmin(range.least, delay_s);
        range.most = fmax(range.most, delay_s);
        range.mean += delay_s / JOBS;
    }
    rig_finish(rig);
    return range;
}

/** The range is [lo, hi], reached to within 1 % of its width, and its mean is the middle. */
static void check_uniform(struct range range, double lo, double hi) {
    double width = hi - lo;

    cr_assert(range.least >= lo - 1e-9 && range.most <= hi + 1e-9, "[%.17g, %.17g] beyond [%g, %g]", range.least,
              range.most, lo, hi);
    cr_assert(range.least <= lo + .01 * width + 1e-9 && range.most >= hi - .01 * width - 1e-9,
              "[%g, %g] does not fill [%g, %g]", range.least, range.most, lo, hi);
    cr_assert_float_eq(range.mean, (lo + hi) / 2, .02 * width + 1e-9);
}

static void configure(struct rig *rig, enum sched_retry_policy policy) {
    rig_configure(rig, 1);
    rig->config.demotion.enabled = false;
    rig->config.retry.policy = policy;
    rig->config.retry.max_retries = 20;
}

Test(backoff, retry_after_symmetric_can_fire_early) {
    struct rig rig;

    configure(&rig, SCHED_RETRY_AFTER);
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 10 * S), 9.6, 14.4);
    check_uniform(delays(&rig, 3, SCHED_THROTTLED, 10 * S), 9.6, 14.4);
}

Test(backoff, retry_after_positive_never_fires_early) {
    struct rig rig;

    configure(&rig, SCHED_RETRY_AFTER);
    rig.config.retry.jitter_mode = SCHED_JITTER_POSITIVE;
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 10 * S), 12, 14.4);
}

Test(backoff, retry_after_without_header_waits_a_second) {
    struct rig rig;

    configure(&rig, SCHED_RETRY_AFTER);
    check_uniform(delays(&rig, 1, SCHED_OVERLOADED, -1), .96, 1.44);
    rig.config.retry.factor = 2;
    rig.config.retry.jitter = 0;
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, -1), 2, 2);
}

Test(backoff, exponential_none) {
    static const double expected_s[] = {1, 2, 4, 8, 16, 32, 60, 60};
    struct rig rig;

    configure(&rig, SCHED_EXPONENTIAL);
    for (uint32_t n = 0; n < 8; n++)
        check_uniform(delays(&rig, n + 1, SCHED_THROTTLED, 10 * S), expected_s[n], expected_s[n]);
}

Test(backoff, exponential_full_and_equal) {
    struct rig rig;

    configure(&rig, SCHED_EXPONENTIAL);
    rig.config.retry.exponential_jitter = SCHED_JITTER_FULL;
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 10 * S), 0, 1);
    check_uniform(delays(&rig, 4, SCHED_THROTTLED, 10 * S), 0, 8);
    rig.config.retry.exponential_jitter = SCHED_JITTER_EQUAL;
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 10 * S), .5, 1);
    check_uniform(delays(&rig, 4, SCHED_OVERLOADED, -1), 4, 8);
}

/* Broken by: a previous delay that is not the one this job had last. */
Test(backoff, exponential_decorrelated) {
    struct rig rig;
    struct sched_job *job;
    int64_t first_ns, second_ns;

    configure(&rig, SCHED_EXPONENTIAL);
    rig.config.retry.exponential_jitter = SCHED_JITTER_DECORRELATED;
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 10 * S), 1, 3);

    rig.fixed[SCHED_DRAW_JITTER] = true;
    rig.word[SCHED_DRAW_JITTER] = UINT64_C(1) << 63; /* one half */
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    job = rig_next(&rig);
    first_ns = rig_answer(&rig, job, SCHED_THROTTLED, -1).delay_ns;
    second_ns = rig_answer(&rig, job, SCHED_THROTTLED, -1).delay_ns;
    cr_assert_float_eq((double)first_ns, 2e9, 2);
    cr_assert_float_eq((double)second_ns, (1e9 + 3 * 2e9) / 2, 2);
    for (int n = 0; n < 15; n++)
        second_ns = rig_answer(&rig, job, SCHED_THROTTLED, -1).delay_ns;
    cr_assert_eq(second_ns, 60 * S, "the cap");
    rig_finish(&rig);
}

static int64_t quarter_hour_ns(const void *context, double u) {
    return llround(*(const double *)context * (1 + u) * 1e9);
}

Test(backoff, fixed_is_a_quantile) {
    struct rig rig;
    double scale_s = 900;

    configure(&rig, SCHED_FIXED);
    rig.config.retry.fixed = (struct sched_fixed_delay){.quantile_ns = quarter_hour_ns, .context = &scale_s};
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 10 * S), 900, 1800);
}

Test(backoff, immediate) {
    struct rig rig;

    configure(&rig, SCHED_IMMEDIATE);
    check_uniform(delays(&rig, 2, SCHED_THROTTLED, 10 * S), 0, 0);
}

Test(backoff, sdk) {
    struct rig rig;

    configure(&rig, SCHED_SDK);
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 61 * S), 61, 61);
    check_uniform(delays(&rig, 1, SCHED_OVERLOADED, -1), .375, .5);
    check_uniform(delays(&rig, 3, SCHED_OVERLOADED, -1), 1.5, 2);
    check_uniform(delays(&rig, 9, SCHED_OVERLOADED, -1), 6, 8);
    rig.config.retry.sdk_client = SCHED_SDK_PYTHON;
    check_uniform(delays(&rig, 1, SCHED_THROTTLED, 60 * S), 60, 60);
    check_uniform(delays(&rig, 2, SCHED_THROTTLED, 61 * S), .75, 1);
}

/** A job that was picked at instant 0. */
static struct sched_job *picked(struct rig *rig) {
    rig_start(rig);
    rig_enqueue(rig, 0, SCHED_SCHEDULED, 1);
    return rig_next(rig);
}

/* Broken by: counting attempts for retries, or only some kinds of refusal. */
Test(backoff, four_retries_are_five_attempts) {
    struct rig rig;
    struct sched_job *job;

    configure(&rig, SCHED_RETRY_AFTER);
    rig.config.retry.max_retries = 4;
    job = picked(&rig);
    for (int n = 0; n < 4; n++)
        cr_assert_eq(rig_answer(&rig, job, n % 2 ? SCHED_OVERLOADED : SCHED_THROTTLED, -1).kind, SCHED_RETRY);
    cr_assert_eq(rig_answer(&rig, job, SCHED_THROTTLED, -1).kind, SCHED_FAIL);
    rig_finish(&rig);
}

Test(backoff, unservable_fails_at_once) {
    struct rig rig;
    struct sched_job *job;

    configure(&rig, SCHED_RETRY_AFTER);
    rig.config.retry.on_exhausted = SCHED_EXHAUSTED_REQUEUE;
    job = picked(&rig);
    cr_assert_eq(rig_answer(&rig, job, SCHED_UNSERVABLE, -1).kind, SCHED_FAIL);
    cr_assert_eq(rig_answer(&rig, job, SCHED_COMPLETED, -1).kind, SCHED_DONE);
    rig_finish(&rig);
}

/* Broken by: no back-off before a requeue, retries that are not reset, or a place elsewhere than at the tail. */
Test(backoff, requeue) {
    struct rig rig;
    struct sched_job *job, *other;
    struct sched_advice advice;

    configure(&rig, SCHED_IMMEDIATE);
    rig.config.retry.max_retries = 1;
    rig.config.retry.on_exhausted = SCHED_EXHAUSTED_REQUEUE;
    job = picked(&rig);
    other = rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    cr_assert_eq(rig_answer(&rig, job, SCHED_THROTTLED, -1).kind, SCHED_RETRY);
    advice = rig_answer(&rig, job, SCHED_THROTTLED, -1);
    cr_assert_eq(advice.kind, SCHED_REQUEUE);
    cr_assert_eq(advice.delay_ns, 1000000, "at least a millisecond");
    rig.now_ns += advice.delay_ns;
    sched_enqueue(&rig.scheduler, job, true);
    cr_assert_eq(rig_next(&rig), other);
    cr_assert_eq(rig_next(&rig), job);
    cr_assert_eq(rig_answer(&rig, job, SCHED_THROTTLED, -1).kind, SCHED_RETRY, "retries start anew");
    rig_finish(&rig);
}

/* Broken by: measuring from the enqueue or to the refusal instead of to the next retry. */
Test(backoff, give_up) {
    struct rig rig;
    struct sched_job *job;

    configure(&rig, SCHED_EXPONENTIAL);
    rig.config.retry.give_up_ns = 10 * S;
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    rig.now_ns = 100 * S;
    job = rig_next(&rig);
    rig.now_ns = 109 * S;
    cr_assert_eq(rig_answer(&rig, job, SCHED_THROTTLED, -1).kind, SCHED_RETRY, "at 110 s, no later than the limit");
    rig.now_ns = 108 * S + 1;
    cr_assert_eq(rig_answer(&rig, job, SCHED_THROTTLED, -1).kind, SCHED_FAIL, "2 s later is one ns too late");
    rig_finish(&rig);
}
