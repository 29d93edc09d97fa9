/** Warnings: each appears for its reason and not without it. */
#include "../../sim/memory.h"
#include "../../sim/stats/warnings.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct model_workload nobody = {0};
enum { REPLICATIONS = 8, POINTS = 60 };

struct bench {
    struct sim_figures *figures;
    struct sim_outcome *outcomes[REPLICATIONS];
    struct sim_slo slo;
    const struct sim_figure *precision;
};

static struct sim_sample times(int jobs, int64_t scale_ns) {
    struct sim_histogram histogram = {0};
    for (int i = 1; i <= jobs; i++)
        sim_histogram_record(&histogram, i * scale_ns);
    struct sim_sample sample = sim_sample_from(&histogram);
    sim_histogram_finish(&histogram);
    return sample;
}

/** @p jobs critical jobs in each replication; an even queue of 10. */
static struct bench quiet(int jobs) {
    struct bench bench = {.figures = sim_figures_create(&nobody)};
    bench.slo = (struct sim_slo){sim_figures_find(bench.figures, "critical.latency.p99"), false, 2,
                                 "critical.latency.p99 <= 2"};
    for (int r = 0; r < REPLICATIONS; r++) {
        struct sim_outcome *outcome = bench.outcomes[r] = sim_outcome_create(0, 1);
        outcome->samples[0] = times(jobs, 1000000);
        outcome->series.points = sim_calloc(POINTS, sizeof *outcome->series.points);
        outcome->series.count = POINTS;
        for (int i = 0; i < POINTS; i++) {
            outcome->series.points[i].time_s = 10 * i;
            outcome->series.points[i].queue[1] = 10 + (i * 7 + r) % 5;
        }
    }
    return bench;
}

/** How many warnings hold @p part; without it, all. Finishes @p bench. */
static size_t warned(struct bench *bench, size_t replications, const char *part) {
    const struct sim_warnings_input input = {.figures = bench->figures,
                                             .slos = &bench->slo,
                                             .slo_count = 1,
                                             .precision = bench->precision,
                                             .outcomes = (const struct sim_outcome *const *)bench->outcomes,
                                             .count = replications,
                                             .warmup_s = 50,
                                             .duration_s = 550};
    char **warnings;
    size_t count, found = 0;
    sim_warnings_collect(&input, &warnings, &count);
    for (size_t i = 0; i < count; i++)
        found += part == NULL || strstr(warnings[i], part) != NULL;
    sim_warnings_free(warnings, count);
    for (int r = 0; r < REPLICATIONS; r++)
        sim_outcome_destroy(bench->outcomes[r]);
    sim_figures_destroy(bench->figures);
    return found;
}

Test(stats_warnings, silent_when_all_is_well) {
    struct bench bench = quiet(1000);
    cr_assert_eq(warned(&bench, REPLICATIONS, NULL), 0);
}

Test(stats_warnings, one_replication) {
    struct bench bench = quiet(1000);
    cr_assert_eq(warned(&bench, 1, "one replication"), 1);
}

Test(stats_warnings, spread_of_p99) {
    struct bench bench = quiet(1000);
    sim_sample_finish(&bench.outcomes[0]->samples[0]);
    bench.outcomes[0]->samples[0] = times(1000, 3000000);
    cr_assert_eq(warned(&bench, REPLICATIONS, "critical.latency.p99 varies by 57 %"), 1);
}

/** The p99 of one critical replication is @p factor times that of the others; their queue is of noise (@p phi 0) or
 *  remembers. */
static struct bench spread(int64_t factor, int jobs, double phi) {
    struct bench bench = quiet(jobs);
    uint64_t state = 3;
    sim_sample_finish(&bench.outcomes[0]->samples[0]);
    bench.outcomes[0]->samples[0] = times(jobs, factor * 10000);
    for (int r = 1; r < REPLICATIONS; r++) {
        sim_sample_finish(&bench.outcomes[r]->samples[0]);
        bench.outcomes[r]->samples[0] = times(jobs, 10 * 10000);
    }
    for (int r = 0; r < REPLICATIONS; r++) {
        double length = 0;
        bench.outcomes[r]->series.points =
            sim_realloc(bench.outcomes[r]->series.points, 550, sizeof(struct sim_series_point));
        bench.outcomes[r]->series.count = 550;
        for (int i = 0; i < 550; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            length = phi * length + (double)(state >> 60) - 7.5;
            bench.outcomes[r]->series.points[i] = (struct sim_series_point){.time_s = i, .queue = {100 + length, 0, 0}};
        }
    }
    return bench;
}

Test(stats_warnings, how_long_replications_are_decides_in_doubt) {
    // coefficients of variation over 8 replications: 13 %, 21 %, 81 %
    struct bench brief = spread(14, 1000, .95), brief_even = spread(11, 1000, .95), lengthy = spread(17, 1000, 0),
                 lengthy_wild = spread(50, 1000, 0), few = spread(17, 99, 0);
    cr_assert_eq(warned(&brief, REPLICATIONS, "critical.latency.p99 varies by 13 %"), 1);
    cr_assert_eq(warned(&brief_even, REPLICATIONS, "varies"), 0);
    cr_assert_eq(warned(&lengthy, REPLICATIONS, "varies"), 0);
    cr_assert_eq(warned(&lengthy_wild, REPLICATIONS, "critical.latency.p99 varies by"), 1);
    cr_assert_eq(warned(&few, REPLICATIONS, "hold only 99 independent stretches or jobs"), 1);
}

Test(stats_warnings, fifteen_percent_where_the_queue_tells_nothing) {
    struct bench under = spread(14, 1000, 0), over = spread(16, 1000, 0);
    for (int r = 0; r < REPLICATIONS; r++)
        under.outcomes[r]->series.count = over.outcomes[r]->series.count = 0;
    cr_assert_eq(warned(&under, REPLICATIONS, "varies"), 0);
    cr_assert_eq(warned(&over, REPLICATIONS, "critical.latency.p99 varies by 20 %"), 1);
}

Test(stats_warnings, too_few_jobs_for_the_precision_asked) {
    struct bench bench = quiet(45);
    bench.precision = bench.slo.figure;
    cr_assert_eq(warned(&bench, REPLICATIONS, "critical.latency.p99: 360 jobs in all replications are too few"), 1);
}

Test(stats_warnings, too_few_jobs_for_the_slo) {
    struct bench few = quiet(45), none = quiet(0), enough = quiet(46);
    cr_assert_eq(warned(&few, REPLICATIONS,
                        "360 jobs in all replications are too few; even if none were over the limit, it takes 368"),
                 1);
    cr_assert_eq(warned(&none, REPLICATIONS, "no such job"), 1);
    cr_assert_eq(warned(&enough, REPLICATIONS, "too few"), 0);
}

Test(stats_warnings, minimum_of_jobs) {
    cr_assert_eq(sim_jobs_for_quantile(.99, .95), 368);
    cr_assert_eq(sim_jobs_for_quantile(.999, .95), 3688);
    cr_assert_eq(sim_jobs_for_quantile(.5, .95), 6);
}

static struct bench with_lost(uint64_t lost) {
    struct bench bench = quiet(1000);
    for (int r = 0; r < REPLICATIONS; r++) {
        bench.outcomes[r]->samples[0].beyond = lost;
        bench.outcomes[r]->samples[0].beyond_min_ns = 1;
    }
    return bench;
}

Test(stats_warnings, lost_jobs_decide_p99) {
    struct bench few = with_lost(2), near = with_lost(8), over = with_lost(20);
    cr_assert_eq(warned(&few, REPLICATIONS, "did not complete"), 0);
    cr_assert_eq(warned(&near, REPLICATIONS, "decides critical.latency.p99"), 1);
    cr_assert_eq(warned(&over, REPLICATIONS, "lies among them"), 1);
}

static struct bench growing(int replications, double by) {
    struct bench bench = quiet(1000);
    for (int r = 0; r < replications; r++)
        for (int i = 0; i < POINTS; i++)
            bench.outcomes[r]->series.points[i].queue[2] = by * i;
    return bench;
}

Test(stats_warnings, backlog_that_grows) {
    struct bench all = growing(REPLICATIONS, 1), most = growing(6, 1), half = growing(4, 1),
                 hardly = growing(REPLICATIONS, .05);
    cr_assert_eq(warned(&all, REPLICATIONS, "unstable"), 1);
    cr_assert_eq(warned(&most, REPLICATIONS, "6 of 8 replications"), 1);
    cr_assert_eq(warned(&half, REPLICATIONS, "unstable"), 0);
    cr_assert_eq(warned(&hardly, REPLICATIONS, "unstable"), 0);
}

/** Queues so noisy that no line explains them, around a course common to all: @p rises in each half of the run. */
static struct bench noisy(double first, double second) {
    struct bench bench = quiet(1000);
    uint64_t state = 5;
    for (int r = 0; r < REPLICATIONS; r++)
        for (int i = 0; i < POINTS; i++) {
            double at = (i - 5) / 50., course = at < .5 ? first * at * 2 : first + second * (at - .5) * 2;
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bench.outcomes[r]->series.points[i].queue[1] = 50 + course + (double)(state >> 58);
        }
    return bench;
}

Test(stats_warnings, growth_that_only_all_replications_show) {
    struct bench steady = noisy(27, 27), slowing = noisy(38, 15), still = noisy(0, 0);
    cr_assert_eq(warned(&steady, REPLICATIONS, "on average over the replications"), 1);
    cr_assert_eq(warned(&slowing, REPLICATIONS, "unstable"), 0);
    cr_assert_eq(warned(&still, REPLICATIONS, "unstable"), 0);
    struct bench one = noisy(27, 27);
    cr_assert_eq(warned(&one, 1, "unstable"), 0);
}

Test(stats_warnings, backlog_that_fills_during_warm_up_only) {
    struct bench bench = quiet(1000);
    for (int r = 0; r < REPLICATIONS; r++)
        for (int i = 0; i < POINTS; i++)
            bench.outcomes[r]->series.points[i].queue[2] = i < 5 ? 200 * i : i > 55 ? 1e6 : 1000;
    cr_assert_eq(warned(&bench, REPLICATIONS, "unstable"), 0);
}

Test(stats_warnings, wandering_queue_is_not_growth) {
    // a reflected random walk, like a busy but stable queue
    struct bench bench = quiet(1000);
    uint64_t state = 1;
    for (int r = 0; r < REPLICATIONS; r++) {
        double length = 10;
        for (int i = 0; i < POINTS; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            length += (double)(state >> 60) - 8;
            length = length < 0 ? 0 : length;
            bench.outcomes[r]->series.points[i].queue[1] = length;
        }
    }
    cr_assert_eq(warned(&bench, REPLICATIONS, "unstable"), 0);
}

Test(stats_warnings, violated_invariants) {
    struct bench bench = quiet(1000);
    bench.outcomes[0]->invariants.bucket = 2;
    bench.outcomes[5]->invariants.bucket = 1;
    cr_assert_eq(warned(&bench, REPLICATIONS, "invariant violated 3 times: more was admitted"), 1);
}
