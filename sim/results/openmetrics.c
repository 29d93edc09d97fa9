/* metrics.prom: OpenMetrics text (https://openmetrics.io) with simulated timestamps. The article's six metrics come ready
 * from the scheduler's own report of replication 1; what follows them here is the bench's own, under fairlane_*. */
#include "results.h"
#include "text.h"

#include "../measure/recorder.h"
#include "../memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_family(struct sim_text *text, const char *name, const char *type, const char *unit, const char *help) {
    sim_text_printf(text, "# TYPE %s %s\n", name, type);
    if (unit)
        sim_text_printf(text, "# UNIT %s %s\n", name, unit);
    sim_text_printf(text, "# HELP %s %s\n", name, help);
}

/* A label value: backslashes, quotes and line ends escaped. */
static void add_label(struct sim_text *text, const char *name, const char *value) {
    bool first = text->bytes[text->length - 1] == '{';
    sim_text_printf(text, "%s%s=\"", first ? "" : ",", name);
    for (const char *at = value; *at; at++) {
        if (*at == '\\' || *at == '"')
            sim_text_add(text, "\\");
        sim_text_append(text, *at == '\n' ? "\\n" : at, *at == '\n' ? 2 : 1);
    }
    sim_text_add(text, "\"");
}

/* The end of a sample: its value, and its instant @p time_s seconds after the scenario's start. */
static void add_value(struct sim_text *text, const struct sim_scenario *scenario, double value, double time_s) {
    char number[SIM_NUMBER_SIZE];
    int64_t at_ms = (scenario->start_unix_ns + llround(time_s * 1e9)) / 1000000;
    sim_text_printf(text, " %s %lld.%03lld\n", sim_number_format(value, number), (long long)(at_ms / 1000),
                    (long long)(at_ms % 1000));
}

/* ---- replication 1 over time ---- */

/* Points of the time series, thinned out to the instants of the article's metrics; counters since the start. */
struct history {
    const struct sim_scenario *scenario;
    struct sim_series_point *points;
    size_t count;
};

static void accumulate(struct sim_series_point *total, const struct sim_series_point *point) {
    struct sim_series_point sum = *point;
    sum.arrived += total->arrived;
    sum.attempts += total->attempts;
    sum.admitted += total->admitted;
    sum.completed += total->completed;
    sum.failed += total->failed;
    sum.abandoned += total->abandoned;
    for (size_t i = 0; i < MODEL_LIMITERS; i++)
        sum.throttles[i] += total->throttles[i];
    *total = sum;
}

static struct history history_of(const struct sim_result *result) {
    const struct sim_series *series = &result->outcomes[0]->series;
    double step_s = (double)sim_recorder_reading_step_ns(result->scenario) * 1e-9, next_s = step_s;
    struct sim_series_point total = {0};
    struct history history = {result->scenario, sim_calloc(series->count + 1, sizeof *history.points), 0};
    for (size_t i = 0; i < series->count; i++) {
        accumulate(&total, &series->points[i]);
        if (total.time_s < next_s * (1 - 1e-9) && i + 1 < series->count)
            continue;
        history.points[history.count++] = total;
        next_s += step_s;
    }
    return history;
}

/* One column of the points, under "name{label="value"}". A counter also has its 0 at the start. */
static void add_column(struct sim_text *text, const struct history *history, const char *name, const char *label,
                       const char *value, double (*get)(const struct sim_series_point *point, size_t which),
                       size_t which) {
    struct sim_text head = {0};
    bool counter = strlen(name) > 6 && !strcmp(name + strlen(name) - 6, "_total");
    sim_text_add(&head, name);
    if (label) {
        sim_text_add(&head, "{");
        add_label(&head, label, value);
        sim_text_add(&head, "}");
    }
    if (counter) {
        sim_text_add(text, head.bytes);
        add_value(text, history->scenario, 0, 0);
    }
    for (size_t i = 0; i < history->count; i++) {
        double number = get(&history->points[i], which);
        if (isnan(number))
            continue;
        sim_text_add(text, head.bytes);
        add_value(text, history->scenario, number, history->points[i].time_s);
    }
    free(head.bytes);
}

static double busy_of(const struct sim_series_point *point, size_t backoff) {
    return backoff ? point->backoff : point->busy;
}

static double idle_of(const struct sim_series_point *point, size_t workers) {
    return (double)workers - point->busy - point->backoff;
}

static double in_system_of(const struct sim_series_point *point, size_t which) {
    (void)which;
    return point->in_system;
}

static double level_of(const struct sim_series_point *point, size_t bucket) {
    return point->level[bucket];
}

static double jobs_of(const struct sim_series_point *point, size_t which) {
    const double counts[] = {point->arrived, point->completed, point->failed, point->abandoned};
    return counts[which];
}

static double attempts_of(const struct sim_series_point *point, size_t which) {
    (void)which;
    return point->attempts;
}

static double refusals_of(const struct sim_series_point *point, size_t limiter) {
    return point->throttles[limiter];
}

static void add_history(struct sim_text *text, const struct history *history) {
    static const char *const events[] = {"arrived", "completed", "failed", "abandoned"};
    static const char *const buckets[] = {[MODEL_RPM] = "rpm", [MODEL_ITPM] = "itpm", [MODEL_OTPM] = "otpm"};
    static const struct {
        enum model_limiter limiter;
        const char *name;
    } limiters[] = {{MODEL_BY_RPM, "rpm"},
                    {MODEL_BY_ITPM, "itpm"},
                    {MODEL_BY_OTPM, "otpm"},
                    {MODEL_BY_RAMP, "ramp"},
                    {MODEL_BY_CONCURRENCY, "concurrency"},
                    {MODEL_BY_OVERLOAD, "overload"},
                    {MODEL_BY_SPEND, "spend"}};

    add_family(text, "fairlane_workers", "gauge", NULL, "Workers, by what they do.");
    add_column(text, history, "fairlane_workers", "state", "busy", busy_of, 0);
    add_column(text, history, "fairlane_workers", "state", "backoff", busy_of, 1);
    add_column(text, history, "fairlane_workers", "state", "idle", idle_of, history->scenario->workers);
    add_family(text, "fairlane_jobs_in_system", "gauge", NULL, "Jobs queued, in back-off or in service.");
    add_column(text, history, "fairlane_jobs_in_system", NULL, NULL, in_system_of, 0);
    add_family(text, "fairlane_bucket_level_ratio", "gauge", "ratio",
               "Level of the endpoint's token buckets over their capacity; below 0 is debt.");
    for (size_t i = 0; i < MODEL_BUCKETS; i++)
        add_column(text, history, "fairlane_bucket_level_ratio", "limit", buckets[i], level_of, i);
    add_family(text, "fairlane_jobs", "counter", NULL, "Jobs, by what became of them.");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        add_column(text, history, "fairlane_jobs_total", "event", events[i], jobs_of, i);
    add_family(text, "fairlane_attempts", "counter", NULL, "Requests sent to the endpoint, retries included.");
    add_column(text, history, "fairlane_attempts_total", NULL, NULL, attempts_of, 0);
    add_family(text, "fairlane_refusals", "counter", NULL,
               "Requests that the endpoint refused, by what refused them: 529 for overload, else 429.");
    for (size_t i = 0; i < sizeof limiters / sizeof *limiters; i++)
        add_column(text, history, "fairlane_refusals_total", "limiter", limiters[i].name, refusals_of,
                   (size_t)limiters[i].limiter);
}

/* ---- the whole result, at the end of the measured span ---- */

static void add_figures(struct sim_text *text, const struct sim_result *result, const char *name, const char *help,
                        size_t side) {
    add_family(text, name, "gauge", NULL, help);
    for (size_t i = 0; i < result->figures->fixed_count; i++) {
        const struct sim_estimate *estimate = &result->estimates[i];
        const double sides[] = {estimate->value, estimate->lo, estimate->hi};
        if (!isfinite(estimate->value) || !isfinite(sides[side]))
            continue;
        sim_text_printf(text, "%s{", name);
        add_label(text, "figure", result->figures->rows[i].name);
        add_label(text, "unit", result->figures->rows[i].unit);
        sim_text_add(text, "}");
        add_value(text, result->scenario, sides[side], (double)result->scenario->duration_ns * 1e-9);
    }
}

static void add_slos(struct sim_text *text, const struct sim_result *result) {
    static const char *const words[] = {[SIM_PASS] = "pass", [SIM_FAIL] = "fail", [SIM_INCONCLUSIVE] = "inconclusive"};
    double end_s = (double)result->scenario->duration_ns * 1e-9;
    add_family(text, "fairlane_slo_limit", "gauge", NULL, "Limit that an SLO sets to its figure.");
    for (size_t i = 0; i < result->slo_count; i++) {
        sim_text_add(text, "fairlane_slo_limit{");
        add_label(text, "slo", result->slos[i].text);
        add_label(text, "figure", result->slos[i].figure->name);
        sim_text_add(text, "}");
        add_value(text, result->scenario, result->slos[i].limit, end_s);
    }
    add_family(text, "fairlane_slo_verdict", "stateset", NULL, "Verdict on each SLO over all replications.");
    for (size_t i = 0; i < result->slo_count; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            sim_text_add(text, "fairlane_slo_verdict{");
            add_label(text, "slo", result->slos[i].text);
            add_label(text, "fairlane_slo_verdict", words[k]);
            sim_text_add(text, "}");
            add_value(text, result->scenario, result->slo_results[i].verdict == (enum sim_verdict)k, end_s);
        }
    }
}

static void add_run(struct sim_text *text, const struct sim_result *result) {
    add_family(text, "fairlane_run", "info", NULL, "What was run.");
    sim_text_add(text, "fairlane_run_info{");
    add_label(text, "scenario", result->scenario->name);
    add_label(text, "seed", result->scenario->seed_text);
    add_label(text, "version", FAIRLANE_VERSION);
    sim_text_add(text, "}");
    add_value(text, result->scenario, 1, (double)result->scenario->duration_ns * 1e-9);
    add_family(text, "fairlane_replications", "gauge", NULL, "Independent runs behind the figures.");
    sim_text_add(text, "fairlane_replications");
    add_value(text, result->scenario, (double)result->replications, (double)result->scenario->duration_ns * 1e-9);
}

char *sim_metrics_prom(const struct sim_result *result) {
    struct sim_text text = {0};
    if (result->replications && result->outcomes[0]->prometheus) {
        struct history history = history_of(result);
        sim_text_add(&text, result->outcomes[0]->prometheus);
        add_history(&text, &history);
        free(history.points);
        add_figures(&text, result, "fairlane_figure", "Figures of all replications (fairlane metrics lists them).", 0);
        add_figures(&text, result, "fairlane_figure_lo", "Lower end of the figure's 95 % interval.", 1);
        add_figures(&text, result, "fairlane_figure_hi", "Upper end of the figure's 95 % interval.", 2);
        add_slos(&text, result);
        add_run(&text, result);
    }
    sim_text_add(&text, "# EOF\n");
    return sim_text_take(&text);
}
