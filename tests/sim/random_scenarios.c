/** Properties that must hold of any scenario. ../support/random_trial.h says how they are tried. */
#include "../../sim/results/results.h"
#include "../../sim/results/text.h"
#include "../../sim/scenario/keys.h"
#include "../support/random_trial.h"
#include "../support/scenario_edits.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_result *run(const struct sim_scenario *scenario, uint32_t jobs, struct random_finding *finding) {
    struct sim_run_options options = {.jobs = jobs};
    struct sim_located_error error = {0};
    struct sim_result *result = sim_run(scenario, &options, &error);
    char text[2048];
    if (!result)
        random_found(finding, "runs", "%s", sim_error_text(&error, text, sizeof text));
    return result;
}

/* ---- any scenario ---- */

/* Everything that a run writes but the manifest. */
static char *texts_of(const struct sim_result *result) {
    char *(*const writers[])(const struct sim_result *) = {sim_summary_json,   sim_replications_csv, sim_tenants_csv,
                                                           sim_timeseries_csv, sim_latency_csv,      sim_metrics_prom};
    struct sim_text text = {0};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char *one = writers[i](result);
        sim_text_add(&text, one);
        free(one);
    }
    return sim_text_take(&text);
}

/* Run @p scenario, which goes with it. */
static char *texts_of_scenario(struct sim_scenario *scenario, uint32_t jobs, struct random_finding *finding) {
    struct sim_result *result = scenario ? run(scenario, jobs, finding) : NULL;
    char *texts = result ? texts_of(result) : NULL;
    sim_result_destroy(result);
    sim_scenario_destroy(scenario);
    return texts;
}

static char *texts_of_run(const cJSON *tree, const struct sim_scenario_options *options, uint32_t jobs,
                          struct random_finding *finding) {
    return texts_of_scenario(random_read(tree, options, finding), jobs, finding);
}

/* The first line in which two texts differ. */
static void compare_texts(const char *a, const char *b, const char *property, const char *what,
                          struct random_finding *finding) {
    const char *line = b;
    if (!a || !b)
        return;
    for (; *a && *a == *b; a++, b++)
        if (*b == '\n')
            line = b + 1;
    if (*a || *b)
        random_found(finding, property, "%s changes a result, at: %.*s", what, (int)strcspn(line, "\n"), line);
}

static double value_of(const struct sim_result *result, const char *name) {
    const struct sim_figure *figure = sim_figures_find(result->figures, name);
    cr_assert(figure, "%s", name);
    return result->estimates[figure - result->figures->rows].value;
}

static void check_invariants(const struct sim_result *result, struct random_finding *finding) {
    const struct sim_invariants *broken = &result->invariants;
    if (broken->conservation + broken->time_in_system + broken->work_conservation + broken->bucket + broken->clock)
        random_found(finding, "invariants",
                     "conservation %llu, time in system %llu, work conservation %llu, bucket %llu, "
                     "clock %llu",
                     (unsigned long long)broken->conservation, (unsigned long long)broken->time_in_system,
                     (unsigned long long)broken->work_conservation, (unsigned long long)broken->bucket,
                     (unsigned long long)broken->clock);
}

static void check_counts(const struct sim_result *result, const char *group, struct random_finding *finding) {
    static const char *const ends[] = {"completed", "failed", "abandoned", "censored"};
    char name[96];
    double sum = 0, arrived;
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s.%s", group, ends[i]);
        sum += value_of(result, name);
    }
    snprintf(name, sizeof name, "%s.arrived", group);
    arrived = value_of(result, name);
    if (fabs(arrived - sum) > 1e-6)
        random_found(finding, "counts", "%s: %g arrived, %g ended", group, arrived, sum);
}

static void check_order(const struct sim_result *result, const char *group, struct random_finding *finding) {
    static const char *const rising[] = {"p50", "p90", "p95", "p99", "p999", "max"};
    double last = 0;
    for (size_t i = 0; i < 6; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s.%s", group, rising[i]);
        double value = value_of(result, name);
        if (value < last)
            random_found(finding, "order", "%s is %g, below the quantile before it, %g", name, value, last);
        if (!isnan(value))
            last = value;
    }
}

static void check_bounds(const struct sim_result *result, struct random_finding *finding) {
    static const char *const shares[] = {"jain.service",          "jain.weighted",       "jain.entitlement",
                                         "jain.service.windowed", "throttles.rate",      "retries.recurrence",
                                         "retries.early_share",   "workers.busy",        "workers.backoff",
                                         "workers.idle",          "demotions.time_share"};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double value = value_of(result, shares[i]);
        if (value < 0 || value > 1 + 1e-12)
            random_found(finding, "bounds", "%s is %g", shares[i], value);
    }
    double workers =
        value_of(result, "workers.busy") + value_of(result, "workers.backoff") + value_of(result, "workers.idle");
    if (fabs(workers - 1) > 1e-9)
        random_found(finding, "bounds", "worker shares add up to %.12g", workers);
    if (value_of(result, "retries.amplification") < 1)
        random_found(finding, "bounds", "retries.amplification is %g", value_of(result, "retries.amplification"));
    for (size_t i = 0; i < result->figures->count; i++) {
        const struct sim_estimate *estimate = &result->estimates[i];
        double slack = 1e-9 * fabs(estimate->value);
        if (estimate->lo > estimate->value + slack || estimate->hi < estimate->value - slack)
            random_found(finding, "bounds", "%s is %g, outside its interval [%g, %g]", result->figures->rows[i].name,
                         estimate->value, estimate->lo, estimate->hi);
    }
}

static void check_figures(const struct sim_result *result, struct random_finding *finding) {
    static const char *const groups[] = {"critical", "standard", "batch", "all"};
    check_invariants(result, finding);
    for (size_t i = 0; i < 4; i++) {
        char name[64];
        check_counts(result, groups[i], finding);
        snprintf(name, sizeof name, "requested.%s", groups[i]);
        check_counts(result, name, finding);
        static const char *const samples[] = {"%s.latency", "%s.wait", "served.%s.latency"};
        for (size_t k = 0; k < 3; k++) {
            snprintf(name, sizeof name, samples[k], groups[i]);
            check_order(result, name, finding);
        }
    }
    check_bounds(result, finding);
}

/* ---- defaults ---- */

struct defaults {
    char *sets[256];
    size_t count;
};

/* Every key with a default that @p tree leaves out, as an argument of --set. */
static void collect(struct defaults *defaults, const struct sim_table *table, const cJSON *tree, const char *prefix) {
    for (size_t i = 0; i < table->count; i++) {
        const struct sim_key *row = &table->rows[i];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(tree, row->name);
        char path[256];
        snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", row->name);
        bool plain_object = row->type == SIM_KEY_OBJECT && row->table;
        if (plain_object && (value || row->offset_flag == SIM_NO_FLAG))
            collect(defaults, row->table, value, path);
        else if (!value && row->initial && defaults->count < sizeof defaults->sets / sizeof *defaults->sets &&
                 asprintf(&defaults->sets[defaults->count], "%s=%s", path, row->initial) >= 0)
            defaults->count++;
    }
}

/* Three of them, by the seed. */
static void check_defaults(const cJSON *tree, uint64_t seed, const char *texts, struct random_finding *finding) {
    struct defaults defaults = {.count = 0};
    collect(&defaults, sim_scenario_key.table, tree, "");
    cr_assert_gt(defaults.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const char *set = defaults.sets[(seed * 7 + i * 11) % defaults.count];
        struct sim_scenario_options options = {.sets = &set, .set_count = 1};
        char *other = texts_of_run(tree, &options, 1, finding);
        compare_texts(texts, other, "defaults", set, finding);
        free(other);
    }
    for (size_t i = 0; i < defaults.count; i++)
        free(defaults.sets[i]);
}

/* ---- names ---- */

static bool refills_by_timer(const struct sim_scenario *scenario) {
    return scenario->scheduler.tenants.policy == SCHED_DRR && scenario->scheduler.tenants.refill == SCHED_REFILL_TIMER;
}

static void check_names(const cJSON *tree, const char *texts, struct random_finding *finding) {
    cJSON *renamed = cJSON_Duplicate(tree, true);
    scenario_rename(renamed);
    char *other = texts_of_run(renamed, NULL, 1, finding);
    if (other) {
        char *back = scenario_unrename(other);
        compare_texts(texts, back, "names", "renaming tenants", finding);
        free(back);
    }
    free(other);
    cJSON_Delete(renamed);
}

static void check_manifest(const struct sim_result *result, const char *texts, struct random_finding *finding) {
    char *manifest = sim_manifest_json(result);
    char *other = texts_of_scenario(random_read_text(manifest, NULL, finding), 1, finding);
    compare_texts(texts, other, "manifest", "running the manifest", finding);
    free(other);
    free(manifest);
}

static void check_any(const cJSON *tree, uint64_t seed, struct random_finding *finding) {
    struct sim_scenario *scenario = random_read(tree, NULL, finding);
    struct sim_result *result = scenario ? run(scenario, 1, finding) : NULL;
    if (!result) {
        sim_scenario_destroy(scenario);
        return;
    }
    check_figures(result, finding);
    char *texts = texts_of(result);
    char *threads = texts_of_run(tree, NULL, 2, finding);
    compare_texts(texts, threads, "threads", "a second thread", finding);
    check_manifest(result, texts, finding);
    check_defaults(tree, seed, texts, finding);
    /* A timer's phase is a hash of the tenant's id. */
    if (!refills_by_timer(scenario))
        check_names(tree, texts, finding);
    free(threads);
    free(texts);
    sim_result_destroy(result);
    sim_scenario_destroy(scenario);
}

/* Halves, so that two cores have something to do. */
Test(random_scenarios, even_seeds) {
    random_check_seeds(check_any, RANDOM_ANY, 1);
}

Test(random_scenarios, odd_seeds) {
    random_check_seeds(check_any, RANDOM_ANY, 0);
}
