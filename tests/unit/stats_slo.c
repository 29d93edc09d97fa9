/** SLOs: reading them, and when they pass, fail or stay open. */
#include "../../sim/memory.h"
#include "../../sim/stats/estimate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct model_tenant tenants[] = {{.id = "a<=b"}, {.id = "hog"}};
static const struct model_workload workload = {.tenants = tenants, .tenant_count = 2};
enum { REPLICATIONS = 4 };

static struct sim_slo parse(const struct sim_figures *figures, const char *text) {
    struct sim_slo slo;
    struct sim_located_error error = {0};
    cr_assert(sim_slo_parse(figures, text, &slo, &error), "%s: %s", text, error.message);
    return slo;
}

Test(stats_slo, reads_well_formed_rules) {
    struct sim_figures *figures = sim_figures_create(&workload);
    struct sim_slo slo = parse(figures, "critical.latency.p99 <= 2.0");
    cr_assert_str_eq(slo.figure->name, "critical.latency.p99");
    cr_assert(!slo.at_least && slo.limit == 2);
    slo = parse(figures, "  jain.service>=8.5e-1 ");
    cr_assert_str_eq(slo.figure->name, "jain.service");
    cr_assert(slo.at_least && slo.limit == .85);
    slo = parse(figures, "tenant.a<=b.latency.p99 <= 3");
    cr_assert_str_eq(slo.figure->name, "tenant.a<=b.latency.p99");
    sim_figures_destroy(figures);
}

Test(stats_slo, refuses_everything_else_and_says_what_it_wants) {
    struct sim_figures *figures = sim_figures_create(&workload);
    const struct {
        const char *text, *part;
    } rows[] = {
        {"", "FIGURE <= NUMBER"},
        {"critical.latency.p99", "FIGURE <= NUMBER"},
        {"critical.latency.p99 < 2", "FIGURE <= NUMBER"},
        {"critical.latency.p99 == 2", "FIGURE <= NUMBER"},
        {"critical.latency.p99 <= ", "decimal number"},
        {"critical.latency.p99 <= 2 s", "decimal number"},
        {"critical.latency.p99 <= inf", "decimal number"},
        {"critical.latency.p99 <= nan", "decimal number"},
        {"critical.latency.p99 <= 0x10", "decimal number"},
        {"critical.latency.p99 <= 1e400", "decimal number"},
        {"critical.latency.p99 <= 1..2", "decimal number"},
        {"critical.latncy.p99 <= 2", "critical.latency.p99"},
        {"<= 2", "name of a figure"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_slo slo = {.limit = 7};
        struct sim_located_error error = {0};
        cr_assert_not(sim_slo_parse(figures, rows[i].text, &slo, &error), "%s", rows[i].text);
        cr_assert_not_null(strstr(error.message, rows[i].part), "%s: %s", rows[i].text, error.message);
        cr_assert(slo.limit == 7 && slo.figure == NULL, "*ret is written only on success");
    }
    sim_figures_destroy(figures);
}

struct bench {
    struct sim_figures *figures;
    struct sim_outcome *outcomes[REPLICATIONS];
};

/** Replications with @p jobs critical jobs of 1..jobs ms each, of which @p lost never end, and @p over over the limit.
 */
static struct bench bench_of(int jobs, uint64_t lost, uint64_t over) {
    struct bench bench = {.figures = sim_figures_create(&workload)};
    for (int r = 0; r < REPLICATIONS; r++) {
        struct sim_histogram histogram = {0};
        for (int i = 1; i <= jobs; i++)
            sim_histogram_record(&histogram, i * INT64_C(1000000));
        struct sim_outcome *outcome = bench.outcomes[r] = sim_outcome_create(2, 1);
        outcome->samples[0] = sim_sample_from(&histogram);
        sim_histogram_finish(&histogram);
        outcome->samples[0].beyond = lost;
        outcome->samples[0].beyond_min_ns = lost > 0 ? 1 : INT64_MAX;
        outcome->over[0] = over;
    }
    return bench;
}

static struct sim_slo_result judge(const struct bench *bench, const char *text, size_t slo_count, size_t replications) {
    struct sim_slo slo = parse(bench->figures, text);
    return sim_slo_judge(&slo, 0, slo_count, (const struct sim_outcome *const *)bench->outcomes, replications);
}

static void finish(struct bench *bench) {
    for (int r = 0; r < REPLICATIONS; r++)
        sim_outcome_destroy(bench->outcomes[r]);
    sim_figures_destroy(bench->figures);
}

static enum sim_verdict verdict_of_p99(int jobs, uint64_t lost, uint64_t over) {
    struct bench bench = bench_of(jobs, lost, over);
    enum sim_verdict verdict = judge(&bench, "critical.latency.p99 <= 2", 1, REPLICATIONS).verdict;
    finish(&bench);
    return verdict;
}

Test(stats_slo, quantiles_are_judged_by_exceedance) {
    cr_assert_eq(verdict_of_p99(1000, 0, 0), SIM_PASS);
    cr_assert_eq(verdict_of_p99(1000, 0, 9), SIM_INCONCLUSIVE, "36 of 4000 are too near 1 %%");
    cr_assert_eq(verdict_of_p99(1000, 0, 30), SIM_FAIL);
    // none over the limit: 368 jobs suffice, 364 do not
    cr_assert_eq(verdict_of_p99(92, 0, 0), SIM_PASS);
    cr_assert_eq(verdict_of_p99(91, 0, 0), SIM_INCONCLUSIVE);
}

Test(stats_slo, a_quantile_among_lost_jobs_fails) {
    cr_assert_eq(verdict_of_p99(10, 1, 0), SIM_FAIL);
}

Test(stats_slo, the_level_is_shared_among_slos) {
    struct bench bench = bench_of(100, 0, 0);
    cr_assert_eq(judge(&bench, "critical.latency.p99 <= 2", 1, REPLICATIONS).verdict, SIM_PASS);
    struct sim_slo_result strict = judge(&bench, "critical.latency.p99 <= 2", 10, REPLICATIONS);
    cr_assert_eq(strict.verdict, SIM_INCONCLUSIVE);
    cr_assert_float_eq(strict.level, .995, 1e-12);
    cr_assert_float_eq(strict.allowed, .01, 1e-12);
    cr_assert_float_eq(strict.exceedance.hi, -expm1(log(.0025) / 400), 1e-9);
    cr_assert_not_null(strict.why);
    finish(&bench);
}

Test(stats_slo, medians_are_judged_against_half) {
    struct bench bench = bench_of(1000, 0, 400);
    struct sim_slo_result result = judge(&bench, "critical.latency.p50 <= 2", 1, REPLICATIONS);
    cr_assert_eq(result.verdict, SIM_PASS);
    cr_assert_eq(result.allowed, .5);
    finish(&bench);
}

Test(stats_slo, no_job_or_one_replication_is_inconclusive) {
    struct bench bench = bench_of(1000, 0, 0);
    cr_assert_eq(judge(&bench, "batch.latency.p99 <= 2", 1, REPLICATIONS).verdict, SIM_INCONCLUSIVE);
    cr_assert_eq(judge(&bench, "critical.latency.p99 <= 2", 1, 1).verdict, SIM_INCONCLUSIVE);
    cr_assert_eq(judge(&bench, "critical.failed <= 0", 1, 1).verdict, SIM_INCONCLUSIVE);
    cr_assert_eq(judge(&bench, "critical.latency.max <= 2", 1, 1).verdict, SIM_INCONCLUSIVE);
    finish(&bench);
}

Test(stats_slo, others_are_judged_by_their_interval) {
    struct bench bench = bench_of(10, 0, 0);
    const double values[] = {.8, .82, .84, .86}; // mean .83, within some .04
    for (int r = 0; r < REPLICATIONS; r++)
        bench.outcomes[r]->value[SIM_THROUGHPUT] = values[r];
    cr_assert_eq(judge(&bench, "throughput.jobs_per_s >= 0.75", 1, REPLICATIONS).verdict, SIM_PASS);
    cr_assert_eq(judge(&bench, "throughput.jobs_per_s >= 0.82", 1, REPLICATIONS).verdict, SIM_INCONCLUSIVE);
    cr_assert_eq(judge(&bench, "throughput.jobs_per_s >= 0.9", 1, REPLICATIONS).verdict, SIM_FAIL);
    cr_assert_eq(judge(&bench, "throughput.jobs_per_s <= 0.9", 1, REPLICATIONS).verdict, SIM_PASS);
    cr_assert_eq(judge(&bench, "throughput.jobs_per_s <= 0.9", 1000, REPLICATIONS).verdict, SIM_INCONCLUSIVE);
    cr_assert_eq(judge(&bench, "critical.failed <= 0", 1, REPLICATIONS).verdict, SIM_PASS,
                 "all replications agree on 0");
    finish(&bench);
}

Test(stats_slo, largest_values_are_judged_alone) {
    struct bench bench = bench_of(10, 0, 0);
    bench.outcomes[2]->value[SIM_QUEUE_MAX] = 50;
    cr_assert_eq(judge(&bench, "queue.max <= 50", 1, REPLICATIONS).verdict, SIM_PASS);
    cr_assert_eq(judge(&bench, "queue.max <= 49", 1, REPLICATIONS).verdict, SIM_FAIL);
    cr_assert_eq(judge(&bench, "critical.latency.max <= 0.01", 1, REPLICATIONS).verdict, SIM_PASS);
    cr_assert_eq(judge(&bench, "critical.latency.max <= 0.0099", 1, REPLICATIONS).verdict, SIM_FAIL);
    finish(&bench);
}

Test(stats_slo, mean_and_max_fail_with_a_lost_job) {
    struct bench bench = bench_of(1000, 1, 0);
    cr_assert_eq(judge(&bench, "critical.latency.mean <= 100", 1, REPLICATIONS).verdict, SIM_FAIL);
    cr_assert_eq(judge(&bench, "critical.latency.max <= 100", 1, REPLICATIONS).verdict, SIM_FAIL);
    cr_assert_eq(judge(&bench, "served.critical.latency.max <= 100", 1, REPLICATIONS).verdict, SIM_PASS);
    finish(&bench);
}
