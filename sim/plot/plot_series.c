/* Pictures over time: queues, refusals, demotions, buckets, requests. */
#include "draw.h"
#include "prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest finite value of a column of the time series. */
static double column_max(const struct sim_csv_table *table, const char *name) {
    size_t column = sim_csv_column(table, name);
    double max = 0;
    for (size_t i = 0; i < table->rows; i++)
        max = fmax(max, sim_csv_number(table, i, column)); /* fmax() ignores NaN */
    return max;
}

/* The table as it is, but for time in the unit of the axis: $series with a header. Sets x_max, time_label and, where there
 * is one, the end of the warm-up. */
static bool add_series(const struct sim_view *view, struct sim_text *script, double *ret_end_s) {
    const struct sim_csv_table *table = &view->timeseries;
    size_t time_at = sim_csv_column(table, "time_s");
    if (table->rows < 2 || time_at == SIM_NO_COLUMN)
        return false;
    double end_s = column_max(table, "time_s"), divisor;
    const char *unit = sim_draw_time_unit(end_s, &divisor);
    sim_text_printf(script, "time_label = 'time in %s'\n", unit);
    sim_gnuplot_set_number(script, "x_max", end_s / divisor);
    double warmup_s = sim_json_number_at(view->summary, "warmup_s");
    sim_gnuplot_set_number(script, "warmup", isfinite(warmup_s) ? warmup_s / divisor : 0);
    double duration_s = sim_json_number_at(view->manifest, "scenario/duration_s");
    sim_gnuplot_set_number(script, "arrivals_end", isfinite(duration_s) ? duration_s / divisor : 0);
    sim_draw_data(script, "$series");
    for (size_t column = 0; column < table->columns; column++)
        sim_text_printf(script, "%s%s", column ? " " : "", column == time_at ? "time" : table->cells[column]);
    sim_text_add(script, "\n");
    for (size_t i = 0; i < table->rows; i++) {
        for (size_t column = 0; column < table->columns; column++) {
            double value = sim_csv_number(table, i, column);
            if (isfinite(value))
                sim_text_printf(script, "%s%.6g", column ? " " : "", column == time_at ? value / divisor : value);
            else
                sim_text_add(script, column ? " NaN" : "NaN");
        }
        sim_text_add(script, "\n");
    }
    sim_draw_data_end(script);
    *ret_end_s = end_s;
    return true;
}

/* ---- timeline ---- */

static const struct {
    const char *name, *column;
} limiters[] = {{"rpm", "throttled_rpm_per_s"},
                {"itpm", "throttled_itpm_per_s"},
                {"otpm", "throttled_otpm_per_s"},
                {"ramp", "throttled_ramp_per_s"},
                {"concurrency", "throttled_concurrency_per_s"},
                {"overload", "overloaded_per_s"},
                {"spend", "throttled_spend_per_s"}};

/* `limiters`: those that refused anything. */
static size_t add_limiters(const struct sim_csv_table *table, struct sim_text *script) {
    struct sim_text names = {0}, columns = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof limiters / sizeof *limiters; i++) {
        if (!(column_max(table, limiters[i].column) > 0))
            continue;
        sim_text_printf(&names, "%s%s", count ? " " : "", limiters[i].name);
        sim_text_printf(&columns, "%s%s", count ? " " : "", limiters[i].column);
        count++;
    }
    char *name_words = sim_text_take(&names), *column_words = sim_text_take(&columns);
    sim_gnuplot_set_string(script, "limiters", name_words);
    sim_gnuplot_set_string(script, "limiter_columns", column_words);
    free(name_words);
    free(column_words);
    return count;
}

/* `classes`: those that had jobs; `queue_max`. */
static void add_queues(const struct sim_view *view, struct sim_text *script) {
    static const char *const classes[] = {"critical", "standard", "batch"};
    struct sim_text names = {0};
    double max = 0;
    for (size_t i = 0; i < 3; i++) {
        char figure[32], column[32];
        snprintf(figure, sizeof figure, "%s.arrived", classes[i]);
        snprintf(column, sizeof column, "queue_%s_jobs", classes[i]);
        double class_max = column_max(&view->timeseries, column);
        if (class_max > 0 || sim_view_figure(view, figure, "value") > 0)
            sim_text_printf(&names, "%s%s", names.length ? " " : "", classes[i]);
        max = fmax(max, class_max);
    }
    char *words = sim_text_take(&names);
    sim_gnuplot_set_string(script, "classes", words);
    sim_gnuplot_set_number(script, "queue_max", max);
    free(words);
}

static void say_timeline(const struct sim_view *view, struct sim_text *says) {
    sim_text_printf(says, "Queue depth by class over time; mean %s jobs, at most %s.",
                    sim_draw_number(sim_view_figure(view, "queue.mean", "value")).text,
                    sim_draw_number(sim_view_figure(view, "queue.max", "value")).text);
    double throttles = sim_view_figure(view, "throttles.total", "value"),
           demotions = sim_view_figure(view, "demotions.count", "value");
    if (throttles > 0)
        sim_text_printf(says, " %s refusals by 429.", sim_draw_number(throttles).text);
    else
        sim_text_add(says, " No request was refused by 429.");
    if (demotions > 0)
        sim_text_printf(says, " %s demotions.", sim_draw_number(demotions).text);
    else
        sim_text_add(says, " No tenant was demoted.");
}

bool sim_prepare_timeline(const struct sim_view *view, struct sim_plot_draft *draft) {
    double end_s;
    if (!add_series(view, &draft->script, &end_s))
        return false;
    add_queues(view, &draft->script);
    bool refused = add_limiters(&view->timeseries, &draft->script) > 0;
    bool demoted = column_max(&view->timeseries, "demoted_tenants") > 0;
    int panels = 1 + refused + demoted;
    sim_text_printf(&draft->script, "panels = %d\nrefused = %d\ndemoted = %d\n", panels, refused, demoted);
    draft->height = draft->narrow ? 50 + 190 * panels : 60 + 215 * panels;
    say_timeline(view, &draft->says);
    return true;
}

/* ---- buckets ---- */

static const struct {
    const char *name, *figure, *label, *colour;
} used[] = {{"rpm", "endpoint.rpm.utilisation", "RPM", "0xE69F00"},
            {"itpm", "endpoint.itpm.utilisation", "ITPM", "0x56B4E9"},
            {"otpm", "endpoint.otpm.utilisation", "OTPM", "0xCC79A7"},
            {"busy", "workers.busy", "workers busy", "0x808890"},
            {"backoff", "workers.backoff", "in back-off", "0xB0B6BE"}};

enum { BUCKETS = 3, USED = sizeof used / sizeof *used };

/* Bars from the top down: position, value, lo, hi, colour. */
static void add_used(const struct sim_view *view, struct sim_plot_draft *draft) {
    const char *labels[USED];
    size_t count = 0;
    double max = 1;
    sim_draw_data(&draft->script, "$used");
    for (size_t i = 0; i < USED; i++) {
        double value = sim_view_figure(view, used[i].figure, "value");
        if (!isfinite(value))
            continue;
        double lo = sim_view_figure(view, used[i].figure, "lo"), hi = sim_view_figure(view, used[i].figure, "hi");
        sim_text_printf(&draft->script, "%zu %.6g %.6g %.6g %s\n", count + 1, value, isfinite(lo) ? lo : value,
                        isfinite(hi) ? hi : value, used[i].colour);
        sim_text_printf(&draft->says, " %s: %s %%.", used[i].label, sim_draw_number(100 * value).text);
        labels[count++] = used[i].label;
        max = fmax(max, value);
    }
    sim_draw_data_end(&draft->script);
    sim_draw_label_tics(&draft->script, 'y', labels, count, 20);
    sim_text_printf(&draft->script, "bars = %zu\n", count);
    sim_gnuplot_set_number(&draft->script, "used_max", 100 * max);
    sim_gnuplot_set_number(&draft->script, "used_step", sim_draw_step(100 * max, 5));
}

bool sim_prepare_buckets(const struct sim_view *view, struct sim_plot_draft *draft) {
    double end_s;
    struct sim_text names = {0};
    if (!add_series(view, &draft->script, &end_s))
        return false;
    for (size_t i = 0; i < BUCKETS; i++)
        if (isfinite(sim_view_figure(view, used[i].figure, "value")))
            sim_text_printf(&names, "%s%s", names.length ? " " : "", used[i].name);
    char *buckets = sim_text_take(&names);
    sim_gnuplot_set_string(&draft->script, "buckets", buckets);
    sim_text_add(&draft->says, "Levels of the endpoint's token buckets over time, and the share used:");
    add_used(view, draft);
    draft->height = draft->narrow ? 420 : 500;
    bool any = *buckets;
    free(buckets);
    return any;
}

/* ---- requests ---- */

bool sim_prepare_requests(const struct sim_view *view, struct sim_plot_draft *draft) {
    double end_s;
    if (!add_series(view, &draft->script, &end_s))
        return false;
    const cJSON *limit = sim_json_at(view->manifest, "scenario/endpoint/limits/rpm");
    bool constant = cJSON_IsNumber(limit) && !sim_json_at(view->manifest, "scenario/endpoint/changes") &&
                    !sim_json_at(view->manifest, "scenario/endpoint/models");
    sim_gnuplot_set_number(&draft->script, "limit_per_s", constant ? limit->valuedouble / 60 : 0);
    sim_text_printf(&draft->says,
                    "Requests sent and admitted per second over time; mean %s sent and %s admitted per second.",
                    sim_draw_number(sim_view_figure(view, "requests.per_s", "value")).text,
                    sim_draw_number(sim_view_figure(view, "admitted.per_s", "value")).text);
    draft->height = draft->narrow ? 260 : 340;
    return true;
}
