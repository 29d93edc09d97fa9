/** phi and the rules, on outcomes whose figures are known. */
#include "../../sim/memory.h"
#include "../../sim/tune/phi.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static struct model_tenant tenants[] = {{.id = "ann"}};
static const struct model_workload workload = {.tenants = tenants, .tenant_count = 1};
enum { REPLICATIONS = 2, SLOS = 4, CRITICAL = 0, BATCH = 2 };

static const char *const texts[SLOS] = {"critical.latency.p99 <= 2", "batch.latency.p50 <= 10", "jain.service >= 0.8",
                                        "throttles.total <= 0"};

struct bench {
    struct sim_figures *figures;
    struct sim_slo slos[SLOS];
    struct sim_goal goal;
    struct sim_outcome *outcomes[REPLICATIONS];
};

/* All of @p jobs took @p seconds; @p lost more never ended. */
static void set_sample(struct sim_outcome *outcome, size_t group, int jobs, double seconds, uint64_t lost) {
    struct sim_sample *sample = &outcome->samples[2 * group];
    struct sim_histogram histogram = {0};
    for (int i = 0; i < jobs; i++)
        sim_histogram_record(&histogram, (int64_t)(seconds * 1e9));
    sim_sample_finish(sample);
    *sample = sim_sample_from(&histogram);
    sim_histogram_finish(&histogram);
    sample->beyond = lost;
    sample->beyond_min_ns = lost > 0 ? 1 : INT64_MAX;
}

/* Every rule kept: critical at 1 s of 2, batch at 4 s of 10, Jain .9, no 429. */
static void init(struct bench *bench) {
    bench->figures = sim_figures_create(&workload);
    for (size_t i = 0; i < SLOS; i++) {
        struct sim_located_error error = {0};
        cr_assert(sim_slo_parse(bench->figures, texts[i], &bench->slos[i], &error));
    }
    bench->goal = (struct sim_goal){.slos = bench->slos,
                                    .slo_count = SLOS,
                                    .scale = 1,
                                    .throughput = sim_figures_find(bench->figures, "throughput.jobs_per_s"),
                                    .horizon_s = 4200};
    for (int r = 0; r < REPLICATIONS; r++) {
        struct sim_outcome *outcome = bench->outcomes[r] = sim_outcome_create(1, SLOS);
        set_sample(outcome, CRITICAL, 200, 1, 0);
        set_sample(outcome, BATCH, 50, 4, 0);
        outcome->value[SIM_JAIN_SERVICE] = .9;
        outcome->value[SIM_THROUGHPUT] = 5;
    }
}

static void finish(struct bench *bench) {
    for (int r = 0; r < REPLICATIONS; r++)
        sim_outcome_destroy(bench->outcomes[r]);
    sim_figures_destroy(bench->figures);
}

static const struct sim_outcome *const *all(const struct bench *bench) {
    return (const struct sim_outcome *const *)bench->outcomes;
}

Test(phi, is_the_worst_quantile_over_its_limit) {
    struct bench bench;
    init(&bench);
    struct sim_outcome *outcome = bench.outcomes[0];
    cr_assert_float_eq(sim_phi(&bench.goal, outcome), log(.5), 2e-3);
    set_sample(outcome, BATCH, 50, 15, 0);
    cr_assert_float_eq(sim_phi(&bench.goal, outcome), log(1.5), 2e-3);
    /* 3 lost of 203 critical jobs: their p99 lies beyond, and counts as the horizon. */
    set_sample(outcome, CRITICAL, 200, 1, 3);
    cr_assert_float_eq(sim_phi(&bench.goal, outcome), log(4200 / 2.), 1e-12);
    /* 2 of 202 are under 1 %. */
    set_sample(outcome, CRITICAL, 200, 1, 2);
    cr_assert_float_eq(sim_phi(&bench.goal, outcome), log(1.5), 2e-3);
    /* A class without jobs has no say; without any there is no phi. */
    set_sample(outcome, CRITICAL, 0, 1, 0);
    cr_assert_float_eq(sim_phi(&bench.goal, outcome), log(1.5), 2e-3);
    set_sample(outcome, BATCH, 0, 1, 0);
    cr_assert(isnan(sim_phi(&bench.goal, outcome)));
    finish(&bench);
}

Test(phi, an_objective_is_in_units_of_the_baseline) {
    struct bench bench;
    init(&bench);
    bench.goal.figure = sim_figures_find(bench.figures, "jain.service");
    bench.goal.more = true;
    bench.goal.scale = .6;
    cr_assert_float_eq(sim_goal_value(&bench.goal, bench.outcomes[0]), -1.5, 1e-12);
    bench.goal.figure = sim_figures_find(bench.figures, "critical.latency.mean");
    bench.goal.more = false;
    bench.goal.scale = 2;
    cr_assert_float_eq(sim_goal_value(&bench.goal, bench.outcomes[0]), .5, 1e-9);
    finish(&bench);
}

Test(phi, excess_names_the_rule_that_is_broken_most) {
    struct bench bench;
    size_t rule;
    init(&bench);
    /* The nearest rule is at its limit: no 429 allowed, none there. */
    cr_assert_float_eq(sim_excess(&bench.goal, all(&bench), all(&bench), 2, false, &rule), 0, 1e-12);
    cr_assert_eq(rule, 3);
    bench.outcomes[0]->value[SIM_JAIN_SERVICE] = .6;
    bench.outcomes[1]->value[SIM_JAIN_SERVICE] = .8;
    cr_assert_float_eq(sim_excess(&bench.goal, all(&bench), NULL, 2, false, &rule), log(.8 / .7), 1e-9);
    cr_assert_eq(rule, 2);
    set_sample(bench.outcomes[0], CRITICAL, 200, 6, 0);
    cr_assert_float_eq(sim_excess(&bench.goal, all(&bench), NULL, 2, false, &rule), log(3), 2e-3);
    cr_assert_eq(rule, 0);
    /* Pooled, but in the second replication alone nothing but Jain's index lies at its limit. */
    cr_assert_float_eq(sim_slo_excess(&bench.goal, bench.outcomes[1]), 0, 1e-9);
    /* Leaving out what phi already holds. */
    cr_assert_float_eq(sim_excess(&bench.goal, all(&bench), NULL, 2, true, &rule), log(.8 / .7), 1e-9);
    finish(&bench);
}

Test(phi, throughput_is_held_against_the_baseline) {
    struct bench bench, slower;
    struct sim_estimate spare;
    size_t rule;
    init(&bench);
    init(&slower);
    const double values[] = {4.96, 4.97}; /* of 5: over 4.95 */
    for (int r = 0; r < REPLICATIONS; r++)
        slower.outcomes[r]->value[SIM_THROUGHPUT] = values[r];
    cr_assert_eq(sim_throughput_judge(&slower.goal, all(&slower), all(&slower), 2, .95, &spare), SIM_PASS);
    cr_assert_eq(sim_throughput_judge(&slower.goal, all(&slower), all(&bench), 2, .95, &spare), SIM_INCONCLUSIVE);
    cr_assert_float_eq(spare.value, .015, 1e-9);
    for (int r = 0; r < REPLICATIONS; r++)
        slower.outcomes[r]->value[SIM_THROUGHPUT] = 4.5;
    cr_assert_eq(sim_throughput_judge(&slower.goal, all(&slower), all(&bench), 2, .95, &spare), SIM_FAIL);
    cr_assert_float_eq(sim_excess(&slower.goal, all(&slower), all(&bench), 2, false, &rule), log(4.95 / 4.5), 1e-9);
    cr_assert_eq(rule, SLOS);
    finish(&bench);
    finish(&slower);
}
