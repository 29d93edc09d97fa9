/* From a study file to its configurations. */
#include "../../sim/study/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char scenario[] =
    "{\"version\": 1, \"name\": \"s\", \"duration_s\": 60, \"replications\": 3, \"endpoint\": {\"burst_s\": 30}, "
    "\"tenants\": [{\"id\": \"ann\","
    " \"streams\": [{\"origin\": \"user_action\", \"arrivals\": {\"poisson\": {\"rate_per_s\": 0.5}},"
    " \"input_tokens\": 100, \"output_tokens\": 10}]}], \"slo\": [\"critical.latency.p99 <= 2\"]}";

static char folder[64];

static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void set_up(void) {
    strcpy(folder, "/tmp/fairlane-study-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    write_file("s.json", scenario);
}

static void tear_down(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(study, .init = set_up, .fini = tear_down);

/* The study {version, scenario, @p rest}. */
static struct sim_study *open_study(const char *rest, struct sim_located_error *error) {
    char text[4096], path[128];
    snprintf(text, sizeof text, "{\"version\": 1, \"scenario\": \"s.json\",\n%s}", rest);
    write_file("study.json", text);
    snprintf(path, sizeof path, "%s/study.json", folder);
    return sim_study_create(path, NULL, error);
}

/* Labels of its configurations, joined by "; ". */
static void expect(const char *rest, const char *filter, const char *labels) {
    struct sim_located_error error = {0};
    struct sim_configurations found;
    struct sim_study *study = open_study(rest, &error);
    cr_assert(study != NULL, "%s: %s: %s", rest, error.path, error.message);
    struct sim_expression *expression = filter != NULL ? sim_study_expression(study, filter, &error) : NULL;
    cr_assert(filter == NULL || expression != NULL, "%s", error.message);
    cr_assert(sim_study_enumerate(study, expression, &found, &error), "%s", error.message);
    char joined[4096] = "";
    for (size_t i = 0; i < found.count; i++) {
        strcat(joined, i > 0 ? "; " : "");
        strcat(joined, sim_study_label(study, &found.values[i * study->axis_count], found.memory));
    }
    cr_assert_str_eq(joined, labels);
    sim_configurations_finish(&found);
    sim_expression_destroy(expression);
    sim_study_destroy(study);
}

static void refuse(const char *rest, const char *path, const char *words) {
    struct sim_located_error error = {0};
    struct sim_configurations found;
    struct sim_study *study = open_study(rest, &error);
    if (study != NULL && sim_study_enumerate(study, NULL, &found, &error)) {
        cr_assert(false, "%s was taken", rest);
        sim_configurations_finish(&found);
    }
    sim_study_destroy(study);
    cr_assert_str_eq(error.path, path, "%s: %s: %s", rest, error.path, error.message);
    cr_assert(strstr(error.message, words) != NULL, "%s: %s", rest, error.message);
}

Test(study, grid_has_every_combination) {
    expect("\"vary\": {\"scheduler.tenants.quantum\": [1, 2.5], \"scheduler.tenants.policy\": [\"drr\", \"fifo\"]}",
           NULL, "quantum=1 policy=drr; quantum=1 policy=fifo; quantum=2.5 policy=drr; quantum=2.5 policy=fifo");
}

Test(study, ranges_have_levels) {
    expect("\"vary\": {\"scheduler.tenants.quantum\": {\"from\": 0.1, \"to\": 0.4, \"step\": 0.1}}", NULL,
           "quantum=0.1; quantum=0.2; quantum=0.3; quantum=0.4");
    expect("\"vary\": {\"scheduler.tenants.quantum\": {\"from\": 1, \"to\": 100, \"points\": 3, \"scale\": \"log\"}}",
           NULL, "quantum=1; quantum=10; quantum=100");
    expect("\"vary\": {\"scheduler.tenants.quantum\": {\"from\": 1, \"to\": 10, \"step\": 2, \"scale\": \"log\"}}",
           NULL, "quantum=1; quantum=2; quantum=4; quantum=8");
    /* Workers are whole: 1, 1.5, 2 are two levels. */
    expect("\"vary\": {\"workers\": {\"from\": 1, \"to\": 2, \"points\": 3}}", NULL, "workers=1; workers=2");
}

Test(study, zipped_axes_move_together) {
    expect("\"vary\": {\"workers\": [1, 2], \"scheduler.tenants.quantum\": [3, 4], \"drain_s\": [5, 6]},"
           "\"zip\": [[\"drain_s\", \"workers\"]]",
           NULL,
           "workers=1 quantum=3 drain_s=5; workers=1 quantum=4 drain_s=5; workers=2 quantum=3 drain_s=6; "
           "workers=2 quantum=4 drain_s=6");
}

Test(study, constraints_and_filters_choose) {
    const char *vary = "\"vary\": {\"workers\": [1, 2, 3], \"scheduler.tenants.quantum\": [1, 2, 3]},"
                       "\"constraint\": [\"quantum >= workers\", \"duration_s == 60\"]";
    expect(vary, NULL,
           "workers=1 quantum=1; workers=1 quantum=2; workers=1 quantum=3; workers=2 quantum=2; workers=2 quantum=3; "
           "workers=3 quantum=3");
    expect(vary, "quantum > 2 && workers != 2", "workers=1 quantum=3; workers=3 quantum=3");
    /* A path that is not varied has the scenario's value, or the key's default. */
    expect(vary, "tenants.ann.streams.0.arrivals.poisson.rate_per_s * 4 == quantum",
           "workers=1 quantum=2; workers=2 quantum=2");
    expect(vary, "scheduler.retry.max_retries == quantum + 1",
           "workers=1 quantum=3; workers=2 quantum=3; workers=3 quantum=3");
}

Test(study, null_leaves_a_key_out) {
    struct sim_located_error error = {0};
    struct sim_study *study = open_study("\"vary\": {\"endpoint.concurrency\": [null, 2]}", &error);
    cr_assert(study != NULL, "%s", error.message);
    const char *values[][1] = {{"null"}, {"2"}, {NULL}};
    struct sim_scenario *made[3];
    for (int i = 0; i < 3; i++)
        cr_assert((made[i] = sim_study_scenario(study, values[i], &error)) != NULL, "%s", error.message);
    cr_assert_str_eq(made[0]->hash, made[2]->hash);
    cr_assert_str_neq(made[0]->hash, made[1]->hash);
    cr_assert_eq(made[1]->replications, 3);
    for (int i = 0; i < 3; i++)
        sim_scenario_destroy(made[i]);
    sim_study_destroy(study);
}

/* A study that repeats more often must find what it has: the hash does not know `repeat`; it does know the SLOs. */
Test(study, repeat_does_not_change_the_hash) {
    struct sim_located_error error = {0};
    const char *rests[] = {"\"vary\": {\"workers\": [1]}", "\"vary\": {\"workers\": [1]}, \"repeat\": 9",
                           "\"vary\": {\"workers\": [1]}, \"slo\": [\"critical.latency.p99 <= 3\"]"};
    char hash[3][65];
    for (int i = 0; i < 3; i++) {
        struct sim_study *study = open_study(rests[i], &error);
        cr_assert(study != NULL, "%s", error.message);
        cr_assert_eq(study->repeat, i == 1 ? 9 : 3);
        struct sim_scenario *made = sim_study_scenario(study, (const char *[]){"1"}, &error);
        cr_assert(made != NULL, "%s", error.message);
        strcpy(hash[i], made->hash);
        sim_scenario_destroy(made);
        sim_study_destroy(study);
    }
    cr_assert_str_eq(hash[0], hash[1]);
    cr_assert_str_neq(hash[0], hash[2]);
}

struct spread {
    size_t count;
    size_t strata[8]; /* points in each eighth of [0, 8) */
    double low, high;
};

static struct spread spread_of(const char *rest) {
    struct sim_located_error error = {0};
    struct spread spread = {.low = INFINITY, .high = -INFINITY};
    struct sim_configurations found;
    struct sim_study *study = open_study(rest, &error);
    cr_assert(study != NULL, "%s", error.message);
    cr_assert(sim_study_enumerate(study, NULL, &found, &error), "%s", error.message);
    for (size_t i = 0; i < found.count; i++) {
        double value = strtod(found.values[i * study->axis_count], NULL);
        cr_assert(value >= 0 && value < 8);
        spread.strata[(size_t)value]++;
        spread.low = fmin(spread.low, value);
        spread.high = fmax(spread.high, value);
    }
    spread.count = found.count;
    sim_configurations_finish(&found);
    sim_study_destroy(study);
    return spread;
}

#define TWO "\"vary\": {\"drain_s\": {\"from\": 0, \"to\": 8}, \"warmup_s\": {\"from\": 0, \"to\": 30}}, "

Test(study, designs_fill_the_range) {
    struct spread lhs = spread_of(TWO "\"design\": \"lhs\", \"points\": 16");
    struct spread sobol = spread_of(TWO "\"design\": \"sobol\", \"points\": 16");
    struct spread random = spread_of(TWO "\"design\": \"random\", \"points\": 16");
    struct spread other = spread_of(TWO "\"design\": \"random\", \"points\": 16, \"design_seed\": \"2\"");
    cr_assert_eq(lhs.count, 16);
    cr_assert_eq(sobol.count, 16);
    cr_assert_eq(random.count, 16);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(lhs.strata[i], 2); /* exactly: 16 strata, two to an eighth */
        cr_assert(sobol.strata[i] >= 1 && sobol.strata[i] <= 3, "%zu", sobol.strata[i]);
    }
    cr_assert_neq(random.low, other.low);
}

/* Three values cannot give eight points; a constraint thins lhs, which does not draw again, and sobol, which does. */
Test(study, designs_drop_duplicates_and_what_is_forbidden) {
    expect("\"vary\": {\"workers\": [1, 2, 3]}, \"design\": \"sobol\", \"points\": 8", NULL,
           "workers=2; workers=3; workers=1");
    cr_assert_eq(spread_of(TWO "\"design\": \"sobol\", \"points\": 16, \"constraint\": [\"drain_s < 4\"]").count, 16);
    cr_assert_eq(spread_of(TWO "\"design\": \"lhs\", \"points\": 16, \"constraint\": [\"drain_s < 4\"]").count, 8);
}

Test(study, names_are_as_short_as_they_can_be) {
    expect(
        "\"vary\": {\"scheduler.retry.retry_after.jitter\": [0.1], \"scheduler.retry.exponential.jitter\": [\"full\"],"
        " \"tenants.0.streams.0.max_tokens\": [5], \"scheduler.picker.weights.batch\": [5]}",
        "retry_after.jitter < 1 && batch == 5 && weights.batch == 5",
        "retry_after.jitter=0.1 exponential.jitter=full max_tokens=5 batch=5");
}

Test(study, refuses_what_it_cannot_mean) {
    refuse("\"vary\": {\"workers\": []}", "vary.workers", "a list of 1 to 10000 values");
    refuse("\"vary\": {}", "vary", "at most 40");
    refuse("\"vary\": {\"workers\": [1, 2, 1]}", "vary.workers", "number 2 twice");
    refuse("\"vary\": {\"workers\": {\"from\": 1, \"to\": 3}}", "vary.workers", "\"step\" or \"points\"");
    refuse("\"vary\": {\"workers\": {\"from\": 3, \"to\": 1, \"step\": 1}}", "vary.workers", "under \"to\"");
    refuse("\"vary\": {\"workers\": {\"from\": 0, \"to\": 1, \"points\": 2, \"scale\": \"log\"}}", "vary.workers",
           "over 0");
    refuse("\"vary\": {\"workers\": {\"from\": 1, \"to\": 3, \"step\": 1, \"points\": 2}}", "vary.workers.points",
           "excludes");
    refuse("\"vary\": {\"workers\": {\"from\": 1, \"to\": 3, \"stop\": 1}}", "vary.workers.stop", "nearest known key");
    refuse("\"vary\": {\"drain_s\": {\"from\": 0, \"to\": 1, \"step\": 1e-9}}", "vary.drain_s", "10000 levels");
    refuse("\"vary\": {\"workers\": [1, 2]}, \"zip\": [[\"workers\", \"drain_s\"]]", "zip.0", "paths of \"vary\"");
    refuse("\"vary\": {\"workers\": [1, 2], \"drain_s\": [1]}, \"zip\": [[\"workers\", \"drain_s\"]]", "zip.0",
           "as many");
    refuse("\"vary\": {\"workers\": [1, 2], \"drain_s\": [1, 2], \"warmup_s\": [1, 2]},"
           "\"zip\": [[\"workers\", \"drain_s\"], [\"warmup_s\", \"workers\"]]",
           "zip.1", "a group before");
    refuse("\"vary\": {\"workers\": [1]}, \"points\": 5", "points", "grid");
    refuse("\"vary\": {\"workers\": [1]}, \"design\": \"lhs\"", "points", "number of points");
    refuse("\"vary\": {\"workers\": [1]}, \"constraint\": [\"worker > 1\"]", "constraint.0", "name of a knob");
    refuse("\"vary\": {\"workers\": [1]}, \"constraint\": [\"workers > 1\"]", "", "forbid all");
    refuse("\"vary\": {\"workers\": [1]}, \"slo\": [\"critical.latency <= 1\"]", "slo.0", "nearest");
    refuse("\"vary\": {\"workers\": [1]}, \"objectives\": [\"critical.latency.p98\"]", "objectives.0", "nearest");
    refuse("\"vary\": {\"workers\": [1]}, \"objectives\": [\"workers.busy\"]", "objectives.0", "neither");
    refuse("\"vary\": {\"a.jitter\": [1], \"b.jitter\": [1]}, \"constraint\": [\"jitter > 1\"]", "constraint.0",
           "2 of the knobs");
    refuse("\"vary\": {\"workers\": [1]}, \"repeats\": 5", "repeats", "\"repeat\"");
}

/* The error of a knob that the scenario refuses names the knob and its value. */
Test(study, a_bad_knob_is_named) {
    struct sim_located_error error = {0};
    struct sim_study *study = open_study("\"vary\": {\"scheduler.tenants.quantom\": [1]}", &error);
    cr_assert(study != NULL, "%s", error.message);
    cr_assert(sim_study_scenario(study, (const char *[]){"1"}, &error) == NULL);
    cr_assert(strstr(error.file, "scheduler.tenants.quantom=1") != NULL, "%s", error.file);
    cr_assert(strstr(error.message, "\"quantum\"") != NULL, "%s", error.message);
    sim_study_destroy(study);
}
