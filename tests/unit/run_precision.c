/** Precision on demand: when to look, and what to make of it. */
#include "../../sim/run/precision.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

Test(run_precision, looks_at_fixed_numbers_only) {
    const uint32_t looks[] = {20, 30, 45, 67, 100, 150, 225, 337};
    uint32_t at = 1;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        cr_assert_eq(sim_precision_look(at, 1000), looks[i]);
        cr_assert_eq(sim_precision_look(looks[i], 1000), looks[i]);
        at = looks[i] + 1;
    }
    // the last look is at the most allowed, also below the first number
    cr_assert_eq(sim_precision_look(151, 200), 200);
    cr_assert_eq(sim_precision_look(200, 200), 200);
    cr_assert_eq(sim_precision_look(5, 10), 10);
    cr_assert_eq(sim_precision_look(40, 1000), 45);
}

static struct sim_precision_result judge(double value, double lo, double hi) {
    const struct sim_precision precision = {"x", .1, 100};
    const struct sim_figure figure = {.name = (char *)"x"};
    const struct sim_estimate estimate = {value, lo, hi, NAN};
    return sim_precision_judge(&figure, &precision, &estimate);
}

Test(run_precision, compares_the_larger_half) {
    cr_assert(judge(10, 9, 11).reached);
    cr_assert_not(judge(10, 9, 11.01).reached);
    cr_assert_not(judge(10, 8.99, 10.1).reached);
    cr_assert(judge(-10, -11, -9).reached);
    cr_assert_float_eq(judge(10, 8, 11).relative, .2, 1e-12);
    cr_assert(strstr(judge(10, 8, 11).why, "max_replications") != NULL);
}

Test(run_precision, nothing_varies) {
    struct sim_precision_result none = judge(0, 0, 0), some = judge(0, -1, 1);
    cr_assert(none.reached && none.relative == 0);
    cr_assert_not(some.reached);
}

Test(run_precision, null_is_inconclusive) {
    struct sim_precision_result value = judge(NAN, NAN, NAN), side = judge(10, 9.9, NAN);
    cr_assert(!value.reached && isnan(value.relative) && strstr(value.why, "no value"));
    cr_assert(!side.reached && isnan(side.relative) && strstr(side.why, "open"));
}

Test(run_precision, needs_a_figure_with_an_interval) {
    const struct model_workload nobody = {0};
    struct sim_figures *figures = sim_figures_create(&nobody);
    struct sim_located_error error = {0};
    struct sim_precision good = {(char *)"all.latency.p99", .1, 100}, typo = {(char *)"all.latency.p98", .1, 100},
                         most = {(char *)"queue.max", .1, 100};
    cr_assert(sim_precision_figure(figures, &good, &error) == sim_figures_find(figures, "all.latency.p99"));
    cr_assert(sim_precision_figure(figures, &typo, &error) == NULL &&
              strstr(error.message, "nearest: \"all.latency.p"));
    error = (struct sim_located_error){0};
    cr_assert(sim_precision_figure(figures, &most, &error) == NULL && strstr(error.message, "largest value"));
    sim_figures_destroy(figures);
}
