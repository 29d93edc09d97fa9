/* The files of a result, from one made by hand. */
#include "../../sim/results/results.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two replications, three figures, two tenants of one figure each, two SLOs. */
struct sample_result {
    struct sim_result result;
    struct sim_scenario scenario;
    struct sim_figures figures;
    struct sim_figure rows[5];
    struct sim_estimate estimates[5];
    struct model_tenant tenants[2];
    struct sim_slo slos[2];
    struct sim_slo_result verdicts[2];
    struct sim_outcome outcomes[2];
    struct sim_outcome *pointers[2];
    double values[2][4], weights[2][4];
    struct sim_sample samples[2][8];
    struct sim_bin bins[2][2];
    uint64_t over[2][2];
    struct sim_series_point points[2][2];
    char *warnings[1];
};

static void make_figures(struct sample_result *all) {
    all->rows[0] = (struct sim_figure){.unit = "jobs", .kind = SIM_FIGURE_MEAN};
    all->rows[0].name = strdup("all.arrived");
    all->rows[1] = (struct sim_figure){
        .name = strdup("critical.latency.p99"), .unit = "s", .kind = SIM_FIGURE_QUANTILE, .p = 0.99};
    all->rows[2] =
        (struct sim_figure){.name = strdup("retries.recurrence"), .unit = "1", .kind = SIM_FIGURE_RATIO, .slot = 1};
    all->rows[3] =
        (struct sim_figure){.name = strdup("tenant.a.arrived"), .unit = "jobs", .kind = SIM_FIGURE_MEAN, .slot = 2};
    all->rows[4] =
        (struct sim_figure){.name = strdup("tenant.a.b.arrived"), .unit = "jobs", .kind = SIM_FIGURE_MEAN, .slot = 3};
    all->figures = (struct sim_figures){.rows = all->rows, .count = 5, .fixed_count = 3};
    all->estimates[0] = (struct sim_estimate){100.5, 90, 111, NAN};
    all->estimates[1] = (struct sim_estimate){NAN, 1, 2, 12.25};
    all->estimates[2] = (struct sim_estimate){NAN, NAN, NAN, NAN};
    all->estimates[3] = (struct sim_estimate){60, 59, 61, NAN};
    all->estimates[4] = (struct sim_estimate){40.5, 40, 41, NAN};
}

static void make_outcomes(struct sample_result *all) {
    for (size_t i = 0; i < 2; i++) {
        all->values[i][0] = 100 + (double)i;
        all->values[i][1] = i ? 3 : 0;
        all->values[i][2] = 60;
        all->values[i][3] = 40 + (double)i;
        for (size_t k = 0; k < 4; k++)
            all->weights[i][k] = k == 1 ? 10.0 * (double)i : 1;
        all->bins[i][0] = (struct sim_bin){sim_histogram_bin(1000000000), 3};
        all->bins[i][1] = (struct sim_bin){sim_histogram_bin(2000000000), 1};
        all->samples[i][0] = (struct sim_sample){.bins = all->bins[i],
                                                 .bin_count = 2,
                                                 .count = 4,
                                                 .beyond = i,
                                                 .beyond_min_ns = i ? 12250000000 : INT64_MAX,
                                                 .sum_s = 5,
                                                 .max_ns = 2000000000};
        for (size_t k = 1; k < 8; k++)
            all->samples[i][k] = (struct sim_sample){.beyond_min_ns = INT64_MAX, .max_ns = -1};
        all->points[i][0] = (struct sim_series_point){.time_s = 10, .queue = {1 + (double)i, 0, 0}, .arrived = 20};
        all->points[i][1] = (struct sim_series_point){.time_s = 20, .completed = 4, .latency_sum_s = 6};
        all->points[i][0].level[MODEL_RPM] = NAN;
        all->over[i][0] = 2 + i;
        all->outcomes[i] = (struct sim_outcome){.value = all->values[i],
                                                .weight = all->weights[i],
                                                .slot_count = 4,
                                                .samples = all->samples[i],
                                                .sample_count = 8,
                                                .over = all->over[i],
                                                .slo_count = 2,
                                                .series = {.points = all->points[i], .count = 2 - i}};
        all->pointers[i] = &all->outcomes[i];
    }
    all->outcomes[0].prometheus = (char *)"# TYPE x gauge\nx 1 0\n";
}

static struct sample_result *make(void) {
    struct sample_result *all = calloc(1, sizeof *all);
    make_figures(all);
    make_outcomes(all);
    all->tenants[0] = (struct model_tenant){.id = (char *)"a", .plan = (char *)"pro, \"gold\"", .weight = 3};
    all->tenants[1] = (struct model_tenant){.id = (char *)"a.b", .weight = 0.5, .daily_tokens = -1};
    all->tenants[0].daily_tokens = 100000;
    all->scenario.name = (char *)"by \"hand\"";
    all->scenario.seed_text = (char *)"18446744073709551615";
    all->scenario.resolved = cJSON_Parse("{\"version\": 1, \"name\": \"by hand\", \"x\": 0.30000000000000004}");
    strcpy(all->scenario.hash, "abc");
    all->scenario.workload.tenants = all->tenants;
    all->scenario.workload.tenant_count = 2;
    all->slos[0] = (struct sim_slo){.figure = &all->rows[1], .limit = 2, .text = "critical.latency.p99 <= 2"};
    all->slos[1] = (struct sim_slo){.figure = &all->rows[0], .at_least = true, .limit = 1, .text = "all.arrived >= 1"};
    all->verdicts[0] = (struct sim_slo_result){.verdict = SIM_FAIL,
                                               .figure = all->estimates[1],
                                               .exceedance = {0.5, 0.25, 0.75, NAN},
                                               .allowed = 0.01,
                                               .level = 0.975};
    all->verdicts[1] = (struct sim_slo_result){.verdict = SIM_INCONCLUSIVE,
                                               .figure = all->estimates[0],
                                               .exceedance = {NAN, NAN, NAN, NAN},
                                               .allowed = NAN,
                                               .level = 0.975,
                                               .why = "too few"};
    all->warnings[0] = (char *)"mind \"this\"";
    all->result = (struct sim_result){.scenario = &all->scenario,
                                      .figures = &all->figures,
                                      .outcomes = all->pointers,
                                      .replications = 2,
                                      .estimates = all->estimates,
                                      .slos = all->slos,
                                      .slo_results = all->verdicts,
                                      .slo_count = 2,
                                      .warnings = all->warnings,
                                      .warning_count = 1,
                                      .invariants = {.bucket = 7}};
    return all;
}

static void drop(struct sample_result *all) {
    for (size_t i = 0; i < 5; i++)
        free(all->rows[i].name);
    cJSON_Delete(all->scenario.resolved);
    free(all);
}

static cJSON *at(cJSON *from, const char *a, const char *b) {
    cJSON *found = cJSON_GetObjectItemCaseSensitive(from, a);
    return b ? cJSON_GetObjectItemCaseSensitive(found, b) : found;
}

static double number(cJSON *from, const char *key) {
    cJSON *found = at(from, key, NULL);
    return cJSON_IsNumber(found) ? found->valuedouble : NAN;
}

Test(files, summary) {
    struct sample_result *all = make();
    char *text = sim_summary_json(&all->result);
    cJSON *summary = cJSON_ParseWithOpts(text, NULL, true);
    cr_assert(summary != NULL, "%s", text);
    cr_assert_str_eq(at(summary, "scenario", NULL)->valuestring, "by \"hand\"");
    cr_assert_str_eq(at(summary, "seed", NULL)->valuestring, "18446744073709551615");
    cr_assert_eq(number(summary, "replications"), 2);
    cJSON *arrived = at(summary, "metrics", "all.arrived");
    cr_assert_eq(number(arrived, "value"), 100.5);
    cr_assert_eq(number(arrived, "lo"), 90);
    cr_assert_eq(number(arrived, "hi"), 111);
    cr_assert_str_eq(at(arrived, "unit", NULL)->valuestring, "jobs");
    cr_assert(at(arrived, "beyond", NULL) == NULL);
    cJSON_Delete(summary);
    free(text);
    drop(all);
}

/* A figure that does not exist is null with all its sides, never 0. */
Test(files, summary_nulls) {
    struct sample_result *all = make();
    char *text = sim_summary_json(&all->result);
    cJSON *summary = cJSON_Parse(text);
    cJSON *beyond = at(summary, "metrics", "critical.latency.p99"),
          *none = at(summary, "metrics", "retries.recurrence");
    cr_assert(cJSON_IsNull(at(beyond, "value", NULL)));
    cr_assert(cJSON_IsNull(at(beyond, "lo", NULL)));
    cr_assert(cJSON_IsNull(at(beyond, "hi", NULL)));
    cr_assert_eq(number(beyond, "beyond"), 12.25);
    cr_assert(cJSON_IsNull(at(none, "value", NULL)));
    cr_assert(at(none, "beyond", NULL) == NULL);
    cr_assert(strstr(text, ": nan") == NULL && strstr(text, ": inf") == NULL);
    cJSON_Delete(summary);
    free(text);
    drop(all);
}

Test(files, summary_verdicts) {
    struct sample_result *all = make();
    char *text = sim_summary_json(&all->result);
    cJSON *summary = cJSON_Parse(text), *slos = at(summary, "slo", NULL);
    cr_assert_eq(cJSON_GetArraySize(slos), 2);
    cJSON *first = cJSON_GetArrayItem(slos, 0), *second = cJSON_GetArrayItem(slos, 1);
    cr_assert_str_eq(at(first, "verdict", NULL)->valuestring, "fail");
    cr_assert_eq(number(at(first, "exceedance", NULL), "share"), 0.5);
    cr_assert_eq(number(at(first, "exceedance", NULL), "allowed"), 0.01);
    cr_assert_eq(number(first, "level"), 0.975);
    cr_assert_str_eq(at(second, "verdict", NULL)->valuestring, "inconclusive");
    cr_assert_str_eq(at(second, "why", NULL)->valuestring, "too few");
    cr_assert(cJSON_IsNull(at(second, "exceedance", NULL)));
    cr_assert_str_eq(cJSON_GetArrayItem(at(summary, "warnings", NULL), 0)->valuestring, "mind \"this\"");
    cr_assert(cJSON_IsFalse(at(summary, "invariants", "ok")));
    cr_assert_eq(number(at(summary, "invariants", NULL), "bucket"), 7);
    cJSON_Delete(summary);
    free(text);
    drop(all);
}

/* An id may hold dots, and be the beginning of another. */
Test(files, summary_tenants) {
    struct sample_result *all = make();
    char *text = sim_summary_json(&all->result);
    cJSON *summary = cJSON_Parse(text);
    cr_assert_eq(number(at(at(summary, "tenants", "a"), "arrived", NULL), "value"), 60);
    cr_assert_eq(number(at(at(summary, "tenants", "a.b"), "arrived", NULL), "value"), 40.5);
    cr_assert_eq(cJSON_GetArraySize(at(summary, "tenants", NULL)), 2);
    cJSON_Delete(summary);
    free(text);
    drop(all);
}

Test(files, summary_without_slos_or_warnings) {
    struct sample_result *all = make();
    all->result.slo_count = all->result.warning_count = 0;
    memset(&all->result.invariants, 0, sizeof all->result.invariants);
    char *text = sim_summary_json(&all->result);
    cJSON *summary = cJSON_ParseWithOpts(text, NULL, true);
    cr_assert(cJSON_IsArray(at(summary, "slo", NULL)));
    cr_assert(cJSON_IsArray(at(summary, "warnings", NULL)));
    cr_assert(cJSON_IsTrue(at(summary, "invariants", "ok")));
    cJSON_Delete(summary);
    free(text);
    drop(all);
}

Test(files, manifest_repeats_the_scenario_exactly) {
    struct sample_result *all = make();
    char *text = sim_manifest_json(&all->result);
    cJSON *manifest = cJSON_ParseWithOpts(text, NULL, true);
    cr_assert(manifest != NULL, "%s", text);
    cr_assert_eq(number(manifest, "manifest"), 1);
    cr_assert(at(manifest, "scenario", "x")->valuedouble == 0.1 + 0.2);
    cr_assert_str_eq(at(manifest, "hash", NULL)->valuestring, "abc");
    cr_assert_str_eq(at(manifest, "version", NULL)->valuestring, FAIRLANE_VERSION);
    cJSON_Delete(manifest);
    free(text);
    drop(all);
}

static bool has_line(const char *text, const char *line) {
    size_t length = strlen(line);
    for (const char *found = text; (found = strstr(found, line)); found += length)
        if ((found == text || found[-1] == '\n') && found[length] == '\n')
            return true;
    fprintf(stderr, "no line \"%s\" in\n%s", line, text);
    return false;
}

Test(files, replications_keep_what_pairing_needs) {
    struct sample_result *all = make();
    char *text = sim_replications_csv(&all->result);
    cr_assert(has_line(text, "replication,figure,value,weight,below"));
    cr_assert(has_line(text, "1,all.arrived,100,1,"));
    cr_assert(has_line(text, "2,all.arrived,101,1,"));
    cr_assert(has_line(text, "1,retries.recurrence,0,0,"));
    cr_assert(has_line(text, "2,retries.recurrence,3,10,"));
    cr_assert(has_line(text, "1,over: critical.latency.p99 <= 2,2,4,"));
    cr_assert(has_line(text, "2,over: critical.latency.p99 <= 2,3,5,"));
    cr_assert(has_line(text, "1,critical.latency.p99,2,4,"));
    cr_assert(has_line(text, "2,critical.latency.p99,inf,5,"));
    cr_assert(strstr(text, "over: all.arrived") == NULL);
    free(text);
    drop(all);
}

Test(files, tenants) {
    struct sample_result *all = make();
    char *text = sim_tenants_csv(&all->result);
    cr_assert(has_line(text, "tenant,plan,weight,daily_budget_tokens,arrived_jobs,arrived_lo_jobs,arrived_hi_jobs"));
    cr_assert(has_line(text, "a,\"pro, \"\"gold\"\"\",3,100000,60,59,61"));
    cr_assert(has_line(text, "a.b,,0.5,,40.5,40,41"));
    free(text);
    drop(all);
}

/* Means over the replications that reach a point, counters as rates since the point before. */
Test(files, timeseries) {
    struct sample_result *all = make();
    char *text = sim_timeseries_csv(&all->result);
    cr_assert(has_line(text, "10,2,1.5,0,0,0,0,0,,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,"));
    cr_assert(has_line(text, "20,1,0,0,0,0,0,0,0,0,0,0,0,0,0.4,0,0,0,0,0,0,0,0,0,1.5"));
    free(text);
    drop(all);
}

Test(files, latency) {
    struct sample_result *all = make();
    char *text = sim_latency_csv(&all->result);
    double upper_s = 0, jobs = 0, share = 0;
    const char *row = strstr(text, "\ncritical,");
    cr_assert(row && sscanf(row, "\ncritical,%lf,%lf,%lf", &upper_s, &jobs, &share) == 3);
    cr_assert_float_eq(upper_s, 1, 0.001);
    cr_assert_eq(jobs, 6);
    cr_assert_float_eq(share, 6.0 / 9, 1e-9);
    cr_assert(has_line(text, "critical,inf,1,1"));
    cr_assert(strstr(text, "standard,") == NULL);
    free(text);
    drop(all);
}

/* The scheduler's own text comes first; then points thinned out to every 30 s (the last always), counters summed up. */
Test(files, metrics) {
    struct sample_result *all = make();
    all->scenario.start_unix_ns = INT64_C(1500000000);
    all->scenario.workers = 8;
    all->points[0][1].busy = 5;
    char *text = sim_metrics_prom(&all->result);
    cr_assert(strstr(text, "# TYPE x gauge\nx 1 0\n# TYPE fairlane_") == text);
    cr_assert(has_line(text, "fairlane_jobs_total{event=\"arrived\"} 0 1.500"));
    cr_assert(has_line(text, "fairlane_jobs_total{event=\"arrived\"} 20 21.500"));
    cr_assert(has_line(text, "fairlane_jobs_total{event=\"completed\"} 4 21.500"));
    cr_assert(has_line(text, "fairlane_workers{state=\"idle\"} 3 21.500"));
    cr_assert(strstr(text, " 11.500\n") == NULL);
    cr_assert(has_line(text, "fairlane_figure{figure=\"all.arrived\",unit=\"jobs\"} 100.5 1.500"));
    cr_assert(strstr(text, "retries.recurrence") == NULL, "a figure without a value is left out");
    cr_assert(
        has_line(text, "fairlane_slo_verdict{slo=\"all.arrived >= 1\",fairlane_slo_verdict=\"inconclusive\"} 1 1.500"));
    cr_assert(strstr(text, "{scenario=\"by \\\"hand\\\"\",seed=\"18446744073709551615\"") != NULL);
    cr_assert_str_eq(text + strlen(text) - 7, "\n# EOF\n");
    free(text);
    drop(all);
}
