/** Paired differences: values worked out by hand, the rules of verdicts, and how often intervals cover a known truth. */
#include "../../sim/measure/histogram.h"
#include "../../sim/memory.h"
#include "../../sim/stats/moments.h"
#include "../../sim/stats/paired.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double ones[] = {1, 1, 1, 1};

static struct sim_paired scalars(enum sim_figure_kind kind, const double *a, const double *b, size_t count) {
    struct sim_side sides[] = {{.value = a, .weight = ones, .pooled = {1, NAN, NAN, NAN}},
                               {.value = b, .weight = ones, .pooled = {1, NAN, NAN, NAN}}};
    return sim_paired_difference(kind, 0, &sides[0], &sides[1], count, .95);
}

Test(stats_paired, mean_and_what_pairs_have_in_common) {
    /* Differences 1, 2, 3: mean 2, s 1, t(2) = 4.302653; the spread of each side alone is hundreds. */
    const double a[] = {100, 500, 900, NAN}, b[] = {101, 502, 903, 4};
    struct sim_paired mean = scalars(SIM_FIGURE_MEAN, a, b, 4);
    cr_assert_float_eq(mean.a, 500, 1e-12);
    cr_assert_float_eq(mean.b, 502, 1e-12);
    cr_assert_float_eq(mean.difference, 2, 1e-12);
    cr_assert_float_eq(mean.hi, 2 + 4.302653 / sqrt(3), 1e-5);
    cr_assert_float_eq(mean.lo, 2 - 4.302653 / sqrt(3), 1e-5);
    cr_assert_float_eq(mean.relative, 2. / 500, 1e-12);
    /* t = 2 sqrt(3) with 2 degrees of freedom: p = 1 - t / sqrt(2 + t^2). */
    cr_assert_float_eq(mean.p, 1 - 2 * sqrt(3) / sqrt(14), 1e-9);
    cr_assert_eq(mean.pairs, 3);
}

Test(stats_paired, equal_replications_differ_by_nothing) {
    const double a[] = {1, 2, 3}, b[] = {3, 2, 1};
    struct sim_paired same = scalars(SIM_FIGURE_MAX, a, a, 3), shuffled = scalars(SIM_FIGURE_MAX, a, b, 3);
    cr_assert(same.difference == 0 && same.lo == 0 && same.hi == 0 && same.p == 1);
    cr_assert(shuffled.difference == 0 && shuffled.lo < 0 && shuffled.hi > 0 && shuffled.p == 1);
    struct sim_paired one = scalars(SIM_FIGURE_MEAN, a, b, 1);
    cr_assert(one.difference == 2 && isnan(one.lo) && isnan(one.hi) && isnan(one.p));
}

/* e_r = (nb - rb db) / mean db - (na - ra da) / mean da, with ra = .2, rb = .3. */
Test(stats_paired, ratios_by_their_residuals) {
    const double na[] = {2, 6, 4}, da[] = {10, 20, 30}, nb[] = {3, 6, 9}, db[] = {10, 20, 30};
    struct sim_side a = {.value = na, .weight = da}, b = {.value = nb, .weight = db};
    struct sim_paired ratio = sim_paired_difference(SIM_FIGURE_RATIO, 0, &a, &b, 3, .95);
    /* Residuals of a: 0, 2, -2; of b: 0; so e = 0, -.1, .1. */
    double half = 4.302653 * sqrt((.01 + .01) / 2 / 3);
    cr_assert_float_eq(ratio.a, .2, 1e-12);
    cr_assert_float_eq(ratio.b, .3, 1e-12);
    cr_assert_float_eq(ratio.hi - ratio.difference, half, 1e-6);
    cr_assert_float_eq(ratio.difference - ratio.lo, half, 1e-6);
    const double nothing[] = {0, 0, 0};
    struct sim_side empty = {.value = nothing, .weight = nothing};
    struct sim_paired null = sim_paired_difference(SIM_FIGURE_RATIO, 0, &a, &empty, 3, .95);
    cr_assert(null.a == ratio.a && isnan(null.b) && isnan(null.difference) && isnan(null.p));
}

Test(stats_paired, jain_stays_within_its_bounds) {
    const double a[] = {.9, .95, .85, .9}, b[] = {.99, .999, .97, .6};
    struct sim_paired jain = scalars(SIM_FIGURE_JAIN, a, b, 4);
    cr_assert_float_eq(jain.difference, (.99 + .999 + .97 + .6) / 4 - .9, 1e-12);
    cr_assert(jain.lo < jain.difference && jain.hi > jain.difference);
    cr_assert_leq(jain.a + jain.hi, 1);
    cr_assert_geq(jain.a + jain.lo, 0);
    /* The plain t interval would reach past 1. */
    cr_assert_gt(jain.b + sim_student_t(.95, 4) * sim_moments_of_mean(b, 4).se, 1);
    const double fair[] = {1, 1, 1, 1};
    struct sim_paired up = scalars(SIM_FIGURE_JAIN, a, fair, 4);
    cr_assert(up.lo > 0 && up.hi < .2 && up.p < .05);
}

Test(stats_paired, null_sides) {
    const double value[] = {INFINITY, 2, 3}, weight[] = {200, 200, 200};
    struct sim_side a = {.value = value, .weight = weight, .below = weight, .pooled = {4, 3, 5, NAN}};
    struct sim_side b = {.value = value, .weight = weight, .below = weight, .pooled = {NAN, NAN, NAN, 7}};
    struct sim_paired lost = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 3, .95);
    cr_assert(lost.a == 4 && isnan(lost.b) && lost.b_beyond == 7 && isnan(lost.difference) && isnan(lost.lo));
}

/* What a quantile read off bins may be too large. */
static const double bin = 1. / SIM_HISTOGRAM_STEPS;

/* Sectioning: pooled 10 and 12, pairs differ by 1, 2, 3 around 2. */
Test(stats_paired, quantiles_by_sections) {
    const double qa[] = {9, 10, 11}, qb[] = {10, 12, 14}, jobs[] = {100, 100, 100}, below[] = {99, 99, 99};
    struct sim_side a = {qa, jobs, below, {10, 9, 11, NAN}}, b = {qb, jobs, below, {12, 11, 13, NAN}};
    struct sim_paired p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 3, .95);
    cr_assert_float_eq(p99.difference, 2, 1e-12);
    cr_assert_float_eq(p99.hi, 2 + 4.302653 / sqrt(3) + bin * 10, 1e-5);
    cr_assert_float_eq(p99.lo, 2 - 4.302653 / sqrt(3) - bin * 12, 1e-5);
    b.pooled.hi = NAN;
    p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 3, .95);
    cr_assert(isnan(p99.hi) && !isnan(p99.lo));
}

/* Too few jobs for sections: sides without correlation, so the half-widths add up as squares. */
Test(stats_paired, quantiles_by_shares) {
    const double q[] = {1, 2, 3, 4}, jobs[] = {10, 10, 10, 10}, up[] = {9, 10, 9, 10}, down[] = {10, 10, 9, 9};
    struct sim_side a = {q, jobs, up, {10, 7, 14, NAN}}, b = {q, jobs, down, {12, 9, 20, NAN}};
    struct sim_paired p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 4, .95);
    cr_assert_float_eq(p99.lo, 2 - sqrt(16 + 9) - bin * 12, 1e-9);
    cr_assert_float_eq(p99.hi, 2 + sqrt(9 + 64) + bin * 10, 1e-9);
    b.below = up; /* fully correlated: they cancel */
    p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 4, .95);
    cr_assert_float_eq(p99.lo, 2 - 1 - bin * 12, 1e-9);
    cr_assert_float_eq(p99.hi, 2 + 5 + bin * 10, 1e-9);
    /* An end that leans on an open one is open itself, and says nothing of p. */
    b.pooled.hi = NAN;
    p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 4, .95);
    cr_assert(isnan(p99.hi) && !isnan(p99.lo));
    a.pooled.hi = NAN;
    p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 4, .95);
    cr_assert(isnan(p99.hi) && isnan(p99.lo) && isnan(p99.p));
}

/* No replication's own quantile moves, the pooled one by a bin: that is no difference that anybody is sure of. */
Test(stats_paired, a_bin_is_no_difference) {
    const double q[] = {10, 11, 12, 10, 11, 12, 10, 11, 12}, jobs[] = {100, 100, 100, 100, 100, 100, 100, 100, 100};
    struct sim_side a = {q, jobs, jobs, {11, 10, 12, NAN}}, b = {q, jobs, jobs, {11 * (1 + bin), 10, 12, NAN}};
    struct sim_paired p99 = sim_paired_difference(SIM_FIGURE_QUANTILE, .99, &a, &b, 9, .95);
    cr_assert(p99.difference > 0 && p99.lo < 0 && p99.p > .05);
}

Test(stats_paired, holm) {
    const double p[] = {.01, NAN, .04, .03, .005};
    double adjusted[5];
    sim_holm(p, 5, adjusted);
    cr_assert_float_eq(adjusted[4], .02, 1e-12);
    cr_assert_float_eq(adjusted[0], .03, 1e-12);
    cr_assert_float_eq(adjusted[3], .06, 1e-12);
    cr_assert_float_eq(adjusted[2], .06, 1e-12); /* never below one with a smaller p */
    cr_assert(isnan(adjusted[1]));
    const double large[] = {.6, .9};
    sim_holm(large, 2, adjusted);
    cr_assert(adjusted[0] == 1 && adjusted[1] == 1);
}

static enum sim_verdict judge(double difference, double lo, double hi, bool rise, double threshold) {
    const char *why;
    struct sim_paired paired = {
        .a = 1, .b = 1 + difference, .difference = difference, .lo = lo, .hi = hi, .a_beyond = NAN, .b_beyond = NAN};
    return sim_paired_judge(&paired, rise, threshold, &why);
}

Test(stats_paired, verdicts_exactly_as_the_rules_have_them) {
    cr_assert_eq(judge(.03, .01, .05, true, .02), SIM_FAIL);
    cr_assert_eq(judge(.03, 0, .06, true, .02), SIM_INCONCLUSIVE);   /* lower end not over 0 */
    cr_assert_eq(judge(.02, .01, .03, true, .02), SIM_INCONCLUSIVE); /* estimate not over the threshold */
    cr_assert_eq(judge(.01, .005, .02, true, .02), SIM_PASS);        /* upper end at most the threshold */
    cr_assert_eq(judge(.01, -.005, .025, true, .02), SIM_PASS);      /* lower end at most 0, half-width .015 */
    cr_assert_eq(judge(.02, -.02, .06, true, .02), SIM_INCONCLUSIVE);
    cr_assert_eq(judge(-.03, -.05, -.01, false, .02), SIM_FAIL);
    cr_assert_eq(judge(-.03, -.05, -.01, true, .02), SIM_PASS);
    cr_assert_eq(judge(.5, NAN, NAN, true, .02), SIM_INCONCLUSIVE);
    cr_assert_eq(judge(.5, .1, NAN, true, .02), SIM_FAIL);
    cr_assert_eq(judge(0, 0, 0, true, 0), SIM_PASS);
}

Test(stats_paired, a_null_side_loses) {
    const char *why;
    struct sim_paired paired = {.a = 1, .b = NAN, .difference = NAN, .a_beyond = NAN, .b_beyond = NAN};
    cr_assert_eq(sim_paired_judge(&paired, true, 1, &why), SIM_FAIL);
    cr_assert(why != NULL);
    paired = (struct sim_paired){.a = NAN, .b = NAN, .a_beyond = 9, .b_beyond = 9};
    cr_assert_eq(sim_paired_judge(&paired, true, 1, &why), SIM_FAIL);
    paired.b = 3;
    cr_assert_eq(sim_paired_judge(&paired, true, 1, &why), SIM_PASS);
    cr_assert_eq(sim_paired_judge(&paired, false, 1, &why), SIM_INCONCLUSIVE);
    paired.a_beyond = NAN;
    cr_assert_eq(sim_paired_judge(&paired, true, 1, &why), SIM_INCONCLUSIVE);
}

/* ---- coverage: a true difference of p95 quantiles is known ---- */

enum { RUNS = 30, MACRO = 400 };

static double uniform(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 11) + .5) / 0x1p53;
}

/* A twentieth of the variance is the replication's, most of the rest the job's on both sides; B's times are half as long again. */
static void draw(uint64_t *state, int jobs, struct sim_histogram sides[2]) {
    double shared = gsl_cdf_ugaussian_Pinv(uniform(state));
    for (int i = 0; i < jobs; i++) {
        double own = gsl_cdf_ugaussian_Pinv(uniform(state)), other = gsl_cdf_ugaussian_Pinv(uniform(state));
        double z = sqrt(.05) * shared + sqrt(.95) * own, zb = sqrt(.05) * shared + sqrt(.75) * own + sqrt(.2) * other;
        sim_histogram_record(&sides[0], (int64_t)(1e9 * exp(.5 * z)));
        sim_histogram_record(&sides[1], (int64_t)(1.5e9 * exp(.5 * zb)));
    }
}

static bool covers(uint64_t *state, int jobs, double p, double truth) {
    struct sim_sample samples[2][RUNS];
    const struct sim_sample *list[RUNS];
    double value[2][RUNS], weight[2][RUNS], below[2][RUNS];
    struct sim_side sides[2];
    for (int r = 0; r < RUNS; r++) {
        struct sim_histogram both[2] = {{0}, {0}};
        draw(state, jobs, both);
        for (int s = 0; s < 2; s++) {
            samples[s][r] = sim_sample_from(&both[s]);
            sim_histogram_finish(&both[s]);
        }
    }
    for (int s = 0; s < 2; s++) {
        for (int r = 0; r < RUNS; r++)
            list[r] = &samples[s][r];
        sides[s] = (struct sim_side){value[s], weight[s], below[s], sim_estimate_quantile(list, RUNS, p, false, .95)};
        for (int r = 0; r < RUNS; r++) {
            sim_sample_quantile(&samples[s][r], p, true, &value[s][r]);
            weight[s][r] = jobs;
            below[s][r] = (double)sim_sample_at_or_below(&samples[s][r], sides[s].pooled.value);
            sim_sample_finish(&samples[s][r]);
        }
    }
    struct sim_paired paired = sim_paired_difference(SIM_FIGURE_QUANTILE, p, &sides[0], &sides[1], RUNS, .95);
    return paired.lo <= truth && truth <= paired.hi;
}

static double coverage(int jobs) {
    uint64_t state = 17;
    double truth = .5 * exp(.5 * gsl_cdf_ugaussian_Pinv(.95));
    int covered = 0;
    for (int i = 0; i < MACRO; i++)
        covered += covers(&state, jobs, .95, truth);
    return (double)covered / MACRO;
}

/* 95 % with a standard error of 1.1 %. Unpaired spreads would cover nearly always, independent jobs far too rarely. */
Test(stats_paired, covers_with_many_jobs_a_replication) {
    double share = coverage(200);
    cr_assert(share > .91 && share < .985, "%g", share);
}

Test(stats_paired, covers_with_few_jobs_a_replication) {
    double share = coverage(6);
    cr_assert(share > .91, "%g", share);
}
