/** Estimates over replications: values worked out by hand, and the rules for null. */
#include "../../sim/memory.h"
#include "../../sim/stats/estimate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const int64_t ms_ns = 1000000;

/** Times first, first + step, ... (ms), and jobs beyond that lasted @p beyond_ms at least. */
static struct sim_sample arithmetic(int64_t first_ms, int64_t step_ms, int count, uint64_t beyond, int64_t beyond_ms) {
    struct sim_histogram histogram = {0};
    for (int i = 0; i < count; i++)
        sim_histogram_record(&histogram, (first_ms + i * step_ms) * ms_ns);
    struct sim_sample sample = sim_sample_from(&histogram);
    sim_histogram_finish(&histogram);
    sample.beyond = beyond;
    sample.beyond_min_ns = beyond > 0 ? beyond_ms * ms_ns : INT64_MAX;
    return sample;
}

static struct sim_estimate quantile_of(struct sim_sample *samples, size_t count, double p, bool served) {
    const struct sim_sample **list = sim_alloc(count * sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = &samples[i];
    struct sim_estimate estimate = sim_estimate_quantile(list, count, p, served, .95);
    free(list);
    return estimate;
}

static void finish(struct sim_sample *samples, size_t count) {
    for (size_t i = 0; i < count; i++)
        sim_sample_finish(&samples[i]);
}

static bool is_null(struct sim_estimate estimate) {
    return isnan(estimate.value) && isnan(estimate.lo) && isnan(estimate.hi) && isnan(estimate.beyond);
}

Test(stats_estimate, mean_and_student_t) {
    const double values[] = {1, NAN, 2, 3, 4};
    struct sim_estimate mean = sim_estimate_mean(values, 5, .95);
    // t(3) = 3.182446, s = 1.290994
    cr_assert_float_eq(mean.value, 2.5, 1e-12);
    cr_assert_float_eq(mean.hi, 2.5 + 3.182446 * 1.290994 / 2, 1e-5);
    cr_assert_float_eq(mean.lo, 2.5 - 3.182446 * 1.290994 / 2, 1e-5);
    struct sim_estimate wider = sim_estimate_mean(values, 5, .99);
    cr_assert_float_eq(wider.hi, 2.5 + 5.840909 * 1.290994 / 2, 1e-5);
}

Test(stats_estimate, one_replication_has_no_interval_and_none_no_value) {
    const double one[] = {NAN, 7}, zero[] = {0, 0};
    struct sim_estimate mean = sim_estimate_mean(one, 2, .95);
    cr_assert_eq(mean.value, 7);
    cr_assert(isnan(mean.lo) && isnan(mean.hi));
    cr_assert(is_null(sim_estimate_mean(one, 1, .95)));
    cr_assert(is_null(sim_estimate_jain(one, 1, .95)));
    cr_assert(is_null(sim_estimate_ratio(zero, zero, 2, .95)));
}

Test(stats_estimate, jain_stays_within_bounds) {
    const double values[] = {.5, .6, .7, .8}, ones[] = {1, 1, 1}, near[] = {1, 1, 1, .6};
    struct sim_estimate jain = sim_estimate_jain(values, 4, .95);
    double half = 3.182446 * .1290994 / 2 / (.65 * .35), centre = log(.35 / .65);
    cr_assert_float_eq(jain.value, .65, 1e-12);
    cr_assert_float_eq(jain.lo, 1 / (1 + exp(centre + half)), 1e-6);
    cr_assert_float_eq(jain.hi, 1 / (1 + exp(centre - half)), 1e-6);
    struct sim_estimate fair = sim_estimate_jain(ones, 3, .95);
    cr_assert(fair.value == 1 && fair.lo == 1 && fair.hi == 1);
    struct sim_estimate close = sim_estimate_jain(near, 4, .95);
    cr_assert(close.lo > 0 && close.lo < .9 && close.hi > .9 && close.hi <= 1);
}

Test(stats_estimate, ratio_of_sums) {
    const double top[] = {2, 6, 4}, bottom[] = {10, 20, 30};
    struct sim_estimate ratio = sim_estimate_ratio(top, bottom, 3, .95);
    // rho = .2; residuals 0, 2, -2; s^2 = 4; SE = sqrt(4 / 3) / 20; t(2) = 4.302653
    cr_assert_float_eq(ratio.value, .2, 1e-12);
    cr_assert_float_eq(ratio.hi - ratio.value, 4.302653 * sqrt(4. / 3) / 20, 1e-6);
    cr_assert_float_eq(ratio.value - ratio.lo, 4.302653 * sqrt(4. / 3) / 20, 1e-6);
}

Test(stats_estimate, a_replication_without_denominator_is_a_pair_of_zeros) {
    const double top[] = {2, 6, 0}, bottom[] = {10, 20, 0}, lone_top[] = {2, 0, 0}, lone[] = {10, 0, 0};
    struct sim_estimate ratio = sim_estimate_ratio(top, bottom, 3, .95);
    // rho = 8/30; residuals -2/3, 2/3, 0; mean denominator 10
    cr_assert_float_eq(ratio.hi - ratio.value, 4.302653 * sqrt(8. / 9 / 2 / 3) / 10, 1e-6);
    struct sim_estimate single = sim_estimate_ratio(lone_top, lone, 3, .95);
    cr_assert_float_eq(single.value, .2, 1e-12);
    cr_assert(isnan(single.lo) && isnan(single.hi), "one informative replication fits itself");
}

Test(stats_estimate, quantile_by_sectioning) {
    // p50 of 1..99 ms, 11..109 ms and 21..119 ms: 50, 60, 70 ms; pooled 60 ms
    struct sim_sample samples[] = {arithmetic(1, 1, 99, 0, 0), arithmetic(11, 1, 99, 0, 0),
                                   arithmetic(21, 1, 99, 0, 0)};
    struct sim_estimate median = quantile_of(samples, 3, .5, false);
    cr_assert_float_eq(median.value, .060, .00006);
    double half = 4.302653 * .01 / sqrt(3);
    cr_assert_float_eq(median.hi - median.value, half, .0002);
    cr_assert_float_eq(median.value - median.lo, half, .0002);
    finish(samples, 3);
}

Test(stats_estimate, sectioning_needs_enough_jobs_in_every_replication) {
    // 100 jobs each are just enough for a p99, 99 are not: only then can the upper end be null.
    struct sim_sample samples[] = {arithmetic(1, 1, 100, 0, 0), arithmetic(1, 1, 100, 0, 0)};
    struct sim_estimate enough = quantile_of(samples, 2, .99, false);
    cr_assert(!isnan(enough.lo) && !isnan(enough.hi));
    cr_assert_float_eq(enough.hi, enough.value, 1e-12, "equal replications");
    sim_sample_finish(&samples[1]);
    samples[1] = arithmetic(1, 1, 99, 0, 0);
    struct sim_estimate few = quantile_of(samples, 2, .99, false);
    cr_assert_float_eq(few.value, .099, .0001);
    cr_assert(isnan(few.hi), "p + t s lies past the last job");
    cr_assert(few.lo < few.value);
    finish(samples, 2);
}

Test(stats_estimate, quantile_by_shares) {
    // 40 jobs of 1..40 ms each: p90 = 36 ms, no spread, so the binomial error rules: 4 replications, t(3) = 3.182446
    struct sim_sample samples[4];
    for (int i = 0; i < 4; i++)
        samples[i] = arithmetic(1, 1, i == 0 ? 9 : 40, 0, 0);
    struct sim_estimate p90 = quantile_of(samples, 4, .9, false);
    double n = 129, jobs[] = {9, 40, 40, 40}, below[] = {9, 36, 36, 36}, squares = 0;
    cr_assert_float_eq(p90.value, .036, .00004);
    for (int i = 0; i < 4; i++)
        squares += pow(below[i] - 117 / n * jobs[i], 2);
    double se = fmax(sqrt(squares / 3 / 4) / (n / 4), sqrt(.09 / n));
    // the first 9 ms hold 4 jobs each, all others 3
    double rank = ceil((.9 - 3.182446 * se) * n);
    cr_assert_float_eq(p90.lo, (9 + ceil((rank - 36) / 3)) / 1000, .00004);
    cr_assert(.9 + 3.182446 * se < 1);
    rank = ceil((.9 + 3.182446 * se) * n);
    cr_assert_float_eq(p90.hi, (9 + ceil((rank - 36) / 3)) / 1000, .00004);
    finish(samples, 4);
}

Test(stats_estimate, quantile_among_lost_jobs_is_null_with_beyond) {
    struct sim_sample samples[] = {arithmetic(1, 1, 200, 3, 500), arithmetic(1, 1, 200, 3, 400)};
    struct sim_estimate p99 = quantile_of(samples, 2, .99, false);
    cr_assert(isnan(p99.value) && isnan(p99.lo) && isnan(p99.hi));
    cr_assert_float_eq(p99.beyond, .4, 1e-12, "the shortest stay of a lost job, as it is later than every finite time");
    struct sim_estimate served = quantile_of(samples, 2, .99, true);
    cr_assert_float_eq(served.value, .198, .0002);
    cr_assert(isnan(served.beyond));
    finish(samples, 2);
}

Test(stats_estimate, a_replication_with_its_quantile_among_lost_jobs_rules_out_sectioning) {
    // pooled 3 of 606 lost: p99 is a time, though not of the first replication; reading at p + t s finds lost jobs
    struct sim_sample samples[] = {arithmetic(1, 1, 200, 3, 500), arithmetic(1, 1, 200, 0, 0),
                                   arithmetic(1, 1, 200, 0, 0)};
    struct sim_estimate p99 = quantile_of(samples, 3, .99, false);
    cr_assert_float_eq(p99.value, .199, .0002);
    cr_assert(isnan(p99.hi));
    cr_assert(p99.lo < p99.value && p99.lo > .1);
    finish(samples, 3);
}

Test(stats_estimate, one_replication_of_a_quantile) {
    struct sim_sample samples[] = {arithmetic(1, 1, 1000, 0, 0), arithmetic(0, 0, 0, 0, 0)};
    struct sim_estimate one = quantile_of(samples, 1, .99, false);
    cr_assert(one.value > 0 && isnan(one.lo) && isnan(one.hi));
    struct sim_estimate lone = quantile_of(samples, 2, .99, false);
    cr_assert(lone.value > 0 && isnan(lone.lo) && isnan(lone.hi), "one replication alone has such jobs");
    cr_assert(is_null(quantile_of(&samples[1], 1, .99, false)));
    finish(samples, 2);
}

Test(stats_estimate, exceedance_is_never_tighter_than_clopper_pearson) {
    const uint64_t none[] = {0, 0}, jobs[] = {500, 500}, ten[] = {10, 10}, lone[] = {1000, 0};
    struct sim_estimate zero = sim_estimate_exceedance(none, jobs, 2, .95);
    cr_assert(zero.value == 0 && zero.lo == 0);
    cr_assert_float_eq(zero.hi, -expm1(log(.025) / 1000), 1e-9);
    struct sim_estimate equal = sim_estimate_exceedance(ten, jobs, 2, .95);
    cr_assert_float_eq(equal.value, .02, 1e-12);
    cr_assert_float_eq(equal.lo, .012259, 1e-6, "Clopper-Pearson of 20 in 1000");
    cr_assert_float_eq(equal.hi, .030721, 1e-6);
    struct sim_estimate single = sim_estimate_exceedance(none, lone, 2, .95);
    cr_assert(single.value == 0 && isnan(single.hi));
}

Test(stats_estimate, exceedance_widens_with_the_spread_of_replications) {
    const uint64_t over[] = {0, 20, 0, 20}, jobs[] = {1000, 1000, 1000, 1000};
    struct sim_estimate share = sim_estimate_exceedance(over, jobs, 4, .95);
    cr_assert_float_eq(share.hi, .01 + 3.182446 * sqrt(400. / 3 / 4) / 1000, 1e-8);
    cr_assert_eq(share.lo, 0);
}

static struct sim_outcome *outcome_with(size_t sample, struct sim_sample times) {
    struct sim_outcome *outcome = sim_outcome_create(0, 1);
    outcome->samples[sample] = times;
    return outcome;
}

Test(stats_estimate, figures_by_kind) {
    struct sim_outcome *outcomes[] = {outcome_with(0, arithmetic(10, 10, 3, 0, 0)),
                                      outcome_with(0, arithmetic(10, 0, 1, 0, 0))};
    const struct sim_outcome *const *view = (const struct sim_outcome *const *)outcomes;
    outcomes[0]->value[5] = 4, outcomes[1]->value[5] = NAN;
    outcomes[0]->value[6] = 1, outcomes[1]->value[6] = 1;
    outcomes[0]->weight[6] = 3, outcomes[1]->weight[6] = 1;
    struct sim_figure max = {.kind = SIM_FIGURE_MAX, .slot = 5}, ratio = {.kind = SIM_FIGURE_RATIO, .slot = 6};
    struct sim_figure mean = {.kind = SIM_FIGURE_SAMPLE_MEAN}, longest = {.kind = SIM_FIGURE_SAMPLE_MAX};
    cr_assert_eq(sim_estimate_figure(&max, view, 2, .95).value, 4);
    cr_assert(isnan(sim_estimate_figure(&max, view, 2, .95).hi));
    cr_assert_float_eq(sim_estimate_figure(&ratio, view, 2, .95).value, .5, 1e-12);
    cr_assert_float_eq(sim_estimate_figure(&mean, view, 2, .95).value, .0175, 1e-12);
    cr_assert_float_eq(sim_estimate_figure(&longest, view, 2, .95).value, .03, 1e-12);
    sim_outcome_destroy(outcomes[0]);
    sim_outcome_destroy(outcomes[1]);
}

Test(stats_estimate, mean_and_max_are_null_with_a_lost_job) {
    struct sim_outcome *outcomes[] = {outcome_with(0, arithmetic(10, 10, 3, 1, 100)),
                                      outcome_with(0, arithmetic(300, 0, 1, 0, 0))};
    const struct sim_outcome *const *view = (const struct sim_outcome *const *)outcomes;
    struct sim_figure mean = {.kind = SIM_FIGURE_SAMPLE_MEAN}, longest = {.kind = SIM_FIGURE_SAMPLE_MAX};
    struct sim_estimate lost = sim_estimate_figure(&mean, view, 2, .95);
    cr_assert(isnan(lost.value) && isnan(lost.lo) && isnan(lost.hi));
    cr_assert_float_eq(lost.beyond, (.06 + .1 + .3) / 5, 1e-12);
    lost = sim_estimate_figure(&longest, view, 2, .95);
    cr_assert(isnan(lost.value));
    cr_assert_float_eq(lost.beyond, .3, 1e-12);
    mean.served = longest.served = true;
    cr_assert_float_eq(sim_estimate_figure(&mean, view, 2, .95).value, .09, 1e-12);
    cr_assert_float_eq(sim_estimate_figure(&longest, view, 2, .95).value, .3, 1e-12);
    sim_outcome_destroy(outcomes[0]);
    sim_outcome_destroy(outcomes[1]);
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

Test(stats_estimate, all_figures_at_once_equal_one_by_one) {
    struct model_tenant tenant = {.id = "hog"};
    const struct model_workload workload = {.tenants = &tenant, .tenant_count = 1};
    struct sim_figures *figures = sim_figures_create(&workload);
    struct sim_outcome *outcomes[3];
    for (int r = 0; r < 3; r++) {
        outcomes[r] = sim_outcome_create(1, 0);
        for (size_t i = 0; i < outcomes[r]->slot_count; i++)
            outcomes[r]->value[i] = .1 * (double)(i % 9 + (size_t)r);
        for (size_t i = 0; i < outcomes[r]->sample_count; i += 1 + i % 3)
            outcomes[r]->samples[i] = arithmetic(1 + r, 1 + (int64_t)i, (int)i * 50, i % 4, 7);
    }
    const struct sim_outcome *const *view = (const struct sim_outcome *const *)outcomes;
    struct sim_estimate *all = sim_alloc(figures->count * sizeof *all);
    sim_estimate_figures(figures, view, 3, .95, all);
    for (size_t i = 0; i < figures->count; i++) {
        struct sim_estimate one = sim_estimate_figure(&figures->rows[i], view, 3, .95);
        cr_assert(same(one.value, all[i].value) && same(one.lo, all[i].lo) && same(one.hi, all[i].hi) &&
                      same(one.beyond, all[i].beyond),
                  "%s", figures->rows[i].name);
    }
    free(all);
    for (int r = 0; r < 3; r++)
        sim_outcome_destroy(outcomes[r]);
    sim_figures_destroy(figures);
}
