/* The CSV files of a result: RFC 4180 fields, lines ended by LF, decimals with a point, units in the header. An empty
 * field is a figure that does not exist; `inf` is a time beyond every finite one (failed or censored jobs). */
#include "results.h"
#include "text.h"

#include "../memory.h"
#include "../stats/replicated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {"critical", "standard", "batch", "all"};

static void add_field(struct sim_text *text, double value) {
    sim_text_add(text, ",");
    sim_text_csv_number(text, value);
}

/* ---- replications.csv ---- */

static void add_replication(struct sim_text *text, const struct sim_result *result, size_t index, size_t figures) {
    const struct sim_outcome *outcome = result->outcomes[index];
    for (size_t i = 0; i < figures; i++) {
        const struct sim_figure *figure = &result->figures->rows[i];
        struct sim_replicated one = sim_replicated_figure(figure, outcome, result->estimates[i].value);
        sim_text_printf(text, "%zu,", index + 1);
        sim_text_csv_string(text, figure->name);
        add_field(text, one.value);
        add_field(text, one.weight);
        add_field(text, one.below);
        sim_text_add(text, "\n");
    }
    for (size_t i = 0; i < result->slo_count; i++) {
        const struct sim_slo *slo = &result->slos[i];
        if (slo->figure->kind != SIM_FIGURE_QUANTILE)
            continue;
        sim_text_printf(text, "%zu,", index + 1);
        struct sim_text name = {0};
        sim_text_printf(&name, "over: %s", slo->text);
        sim_text_csv_string(text, name.bytes);
        free(name.bytes);
        add_field(text, (double)outcome->over[i]);
        add_field(text, (double)sim_sample_jobs(&outcome->samples[slo->figure->sample], !slo->figure->served));
        add_field(text, NAN);
        sim_text_add(text, "\n");
    }
}

char *sim_replications_csv(const struct sim_result *result) {
    struct sim_text text = {0};
    size_t figures = sim_replicated_count(result->figures, result->scenario->workload.tenant_count);
    sim_text_add(&text, "replication,figure,value,weight,below\n");
    for (size_t i = 0; i < result->replications; i++)
        add_replication(&text, result, i, figures);
    return sim_text_take(&text);
}

/* ---- tenants.csv ---- */

static bool ends_with(const char *string, const char *suffix) {
    size_t length = strlen(string), tail = strlen(suffix);
    return length >= tail && !strcmp(string + length - tail, suffix);
}

/* Unit as the end of a column name: "jobs/s" -> "_jobs_per_s"; none for pure numbers and where the name says it. */
static void add_unit(struct sim_text *text, const char *name, const char *unit) {
    if (!strcmp(unit, "1") || ends_with(name, unit))
        return;
    sim_text_add(text, "_");
    for (const char *at = unit; *at; at++) {
        if (*at == '/')
            sim_text_add(text, "_per_");
        else
            sim_text_append(text, *at == ' ' ? "_" : at, 1);
    }
}

void sim_csv_add_columns(struct sim_text *text, const char *name, const char *unit) {
    static const char *const sides[] = {"", "_lo", "_hi"};
    for (size_t side = 0; side < 3; side++) {
        sim_text_printf(text, ",%s%s", name, sides[side]);
        add_unit(text, name, unit);
    }
}

void sim_csv_add_estimate(struct sim_text *text, const struct sim_estimate *estimate) {
    bool null = isnan(estimate->value);
    add_field(text, null && isfinite(estimate->beyond) ? INFINITY : estimate->value);
    add_field(text, null ? NAN : estimate->lo);
    add_field(text, null ? NAN : estimate->hi);
}

static void add_tenants_header(struct sim_text *text, const struct sim_result *result, size_t rows) {
    const struct sim_figure *figures = result->figures->rows + result->figures->fixed_count;
    size_t prefix = strlen("tenant.") + strlen(result->scenario->workload.tenants[0].id) + 1;
    sim_text_add(text, "tenant,plan,weight,daily_budget_tokens");
    for (size_t i = 0; i < rows; i++)
        sim_csv_add_columns(text, figures[i].name + prefix, figures[i].unit);
    sim_text_add(text, "\n");
}

char *sim_tenants_csv(const struct sim_result *result) {
    struct sim_text text = {0};
    const struct model_workload *workload = &result->scenario->workload;
    size_t rows = (result->figures->count - result->figures->fixed_count) / workload->tenant_count;
    size_t i = result->figures->fixed_count;
    add_tenants_header(&text, result, rows);
    for (uint32_t index = 0; index < workload->tenant_count; index++) {
        const struct model_tenant *tenant = &workload->tenants[index];
        sim_text_csv_string(&text, tenant->id);
        sim_text_add(&text, ",");
        sim_text_csv_string(&text, tenant->plan ? tenant->plan : "");
        add_field(&text, tenant->weight);
        add_field(&text, tenant->daily_tokens < 0 ? NAN : (double)tenant->daily_tokens);
        for (size_t row = 0; row < rows; row++, i++)
            sim_csv_add_estimate(&text, &result->estimates[i]);
        sim_text_add(&text, "\n");
    }
    return sim_text_take(&text);
}

/* ---- timeseries.csv ---- */

static const char timeseries_header[] =
    "time_s,replications,queue_critical_jobs,queue_standard_jobs,queue_batch_jobs,busy_workers,backoff_workers,"
    "demoted_tenants,rpm_level_share,itpm_level_share,otpm_level_share,arrived_per_s,attempts_per_s,admitted_per_s,"
    "completed_per_s,failed_per_s,abandoned_per_s,throttled_rpm_per_s,throttled_itpm_per_s,throttled_otpm_per_s,"
    "throttled_ramp_per_s,throttled_concurrency_per_s,overloaded_per_s,throttled_spend_per_s,latency_mean_s\n";

static void add_point_sums(struct sim_series_point *sum, const struct sim_series_point *point) {
    for (size_t i = 0; i < 3; i++)
        sum->queue[i] += point->queue[i];
    sum->busy += point->busy;
    sum->backoff += point->backoff;
    sum->demoted += point->demoted;
    for (size_t i = 0; i < MODEL_BUCKETS; i++)
        sum->level[i] += point->level[i];
    sum->arrived += point->arrived;
    sum->attempts += point->attempts;
    sum->admitted += point->admitted;
    sum->completed += point->completed;
    sum->failed += point->failed;
    sum->abandoned += point->abandoned;
    for (size_t i = 0; i < MODEL_LIMITERS; i++)
        sum->throttles[i] += point->throttles[i];
    sum->latency_sum_s += point->latency_sum_s;
}

/* Means over the `n` replications still running at this point; counters as rates over the `gap_s` before it. */
static void add_point(struct sim_text *text, const struct sim_series_point *sum, double n, double gap_s) {
    const double levels[] = {sum->queue[0],         sum->queue[1], sum->queue[2],         sum->busy,
                             sum->backoff,          sum->demoted,  sum->level[MODEL_RPM], sum->level[MODEL_ITPM],
                             sum->level[MODEL_OTPM]};
    const double counts[] = {sum->arrived,
                             sum->attempts,
                             sum->admitted,
                             sum->completed,
                             sum->failed,
                             sum->abandoned,
                             sum->throttles[MODEL_BY_RPM],
                             sum->throttles[MODEL_BY_ITPM],
                             sum->throttles[MODEL_BY_OTPM],
                             sum->throttles[MODEL_BY_RAMP],
                             sum->throttles[MODEL_BY_CONCURRENCY],
                             sum->throttles[MODEL_BY_OVERLOAD],
                             sum->throttles[MODEL_BY_SPEND]};
    sim_text_csv_number(text, sum->time_s);
    add_field(text, n);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        add_field(text, levels[i] / n);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        add_field(text, gap_s > 0 ? counts[i] / n / gap_s : NAN);
    add_field(text, sum->completed > 0 ? sum->latency_sum_s / sum->completed : NAN);
    sim_text_add(text, "\n");
}

char *sim_timeseries_csv(const struct sim_result *result) {
    struct sim_text text = {0};
    sim_text_add(&text, timeseries_header);
    double before_s = 0;
    for (size_t at = 0;; at++) {
        struct sim_series_point sum = {0};
        size_t n = 0;
        for (size_t i = 0; i < result->replications; i++) {
            const struct sim_series *series = &result->outcomes[i]->series;
            if (at >= series->count)
                continue;
            add_point_sums(&sum, &series->points[at]);
            sum.time_s = series->points[at].time_s;
            n++;
        }
        if (n == 0)
            return sim_text_take(&text);
        add_point(&text, &sum, (double)n, sum.time_s - before_s);
        before_s = sum.time_s;
    }
}

/* ---- latency.csv ---- */

static void add_distribution(struct sim_text *text, const char *name, const struct sim_sample *sample) {
    double jobs = (double)(sample->count + sample->beyond);
    uint64_t below = 0;
    for (size_t i = 0; i < sample->bin_count; i++) {
        int64_t upper_ns = sim_histogram_upper_ns(sample->bins[i].bin);
        below += sample->bins[i].count;
        sim_text_printf(text, "%s,%lld.%09lld,%llu,%.9g\n", name, (long long)(upper_ns / 1000000000),
                        (long long)(upper_ns % 1000000000), (unsigned long long)sample->bins[i].count,
                        (double)below / jobs);
    }
    if (sample->beyond)
        sim_text_printf(text, "%s,inf,%llu,1\n", name, (unsigned long long)sample->beyond);
}

char *sim_latency_csv(const struct sim_result *result) {
    struct sim_text text = {0};
    const struct sim_sample **samples = sim_calloc(result->replications, sizeof *samples);
    sim_text_add(&text, "class,latency_upper_s,jobs,cumulative_share\n");
    for (size_t class_id = 0; class_id <= SIM_GROUP_ALL; class_id++) {
        for (size_t i = 0; i < result->replications; i++)
            samples[i] = &result->outcomes[i]->samples[2 * class_id + SIM_LATENCY];
        struct sim_sample pooled = sim_sample_merge(samples, result->replications);
        add_distribution(&text, class_names[class_id], &pooled);
        sim_sample_finish(&pooled);
    }
    free(samples);
    return sim_text_take(&text);
}
