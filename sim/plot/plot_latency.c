/* The distribution of latency by class, its tail drawn out. */
#include "draw.h"
#include "prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const classes[] = {"critical", "standard", "batch"};

/* The share below which nothing is drawn. */
#define SHARE_MIN 1e-4

static bool has_class(const struct sim_view *view, const char *name) {
    size_t class_at = sim_csv_column(&view->latency, "class");
    for (size_t i = 0; i < view->latency.rows; i++)
        if (!strcmp(sim_csv_text(&view->latency, i, class_at), name))
            return true;
    return false;
}

struct range {
    double lo, hi;
};

/* Latencies that the picture must hold: those of all jobs but the slowest 1 in 10,000, and every SLO's limit. */
static struct range find_range(const struct sim_view *view) {
    const struct sim_csv_table *table = &view->latency;
    size_t class_at = sim_csv_column(table, "class"), upper = sim_csv_column(table, "latency_upper_s"),
           share = sim_csv_column(table, "cumulative_share");
    struct range range = {INFINITY, 0};
    for (size_t i = 0; i < table->rows; i++) {
        double x = sim_csv_number(table, i, upper), above = 1 - sim_csv_number(table, i, share);
        if (!strcmp(sim_csv_text(table, i, class_at), "all") || !isfinite(x) || x <= 0)
            continue;
        if (x < range.lo && above < 0.999)
            range.lo = x;
        if (x > range.hi && (above > SHARE_MIN || range.hi == 0))
            range.hi = x;
    }
    const cJSON *slo;
    cJSON_ArrayForEach(slo, sim_json_at(view->summary, "slo")) {
        struct sim_draw_quantile_slo parts;
        if (sim_draw_quantile_slo(slo, &parts) && has_class(view, parts.class_name)) {
            range.lo = fmin(range.lo, parts.limit);
            range.hi = fmax(range.hi, parts.limit);
        }
    }
    range.lo /= 1.15;
    range.hi *= 1.25;
    return range;
}

/* Steps of one class; points that lie within a fraction of a pixel of the one before are left out. */
static bool add_class(struct sim_text *script, const struct sim_csv_table *table, const char *name,
                      const struct range *range) {
    size_t class_at = sim_csv_column(table, "class"), upper = sim_csv_column(table, "latency_upper_s"),
           share = sim_csv_column(table, "cumulative_share");
    const double gap_x = log(range->hi / range->lo) / 800, gap_y = log(1 / SHARE_MIN) / 400;
    double last_x = range->lo, last_y = 1, y = 1;
    bool any = false;
    for (size_t i = 0; i < table->rows; i++) {
        if (strcmp(sim_csv_text(table, i, class_at), name) != 0)
            continue;
        if (!any)
            sim_text_printf(script, "%.9g 1\n", range->lo);
        any = true;
        double x = sim_csv_number(table, i, upper);
        if (!isfinite(x))
            break;
        y = fmax(1 - sim_csv_number(table, i, share), SHARE_MIN / 10);
        if (y > SHARE_MIN && log(x / last_x) < gap_x && log(last_y / y) < gap_y)
            continue;
        sim_text_printf(script, "%.9g %.6g\n", x, y);
        last_x = x;
        last_y = y;
    }
    /* Jobs that failed or never finished: the line goes on to the right. */
    if (any)
        sim_text_printf(script, "%.9g %.6g\n\n\n", range->hi * 2, y);
    return any;
}

static void add_classes(const struct sim_view *view, struct sim_text *script, const struct range *range) {
    struct sim_text names = {0};
    sim_draw_data(script, "$latency");
    for (size_t i = 0; i < 3; i++)
        if (add_class(script, &view->latency, classes[i], range))
            sim_text_printf(&names, "%s%s", names.length ? " " : "", classes[i]);
    sim_draw_data_end(script);
    char *words = sim_text_take(&names);
    sim_gnuplot_set_string(script, "classes", words);
    free(words);
}

static const char *class_colour(const char *name) {
    return !strcmp(name, "critical")   ? "0xD55E00"
           : !strcmp(name, "standard") ? "0x0072B2"
           : !strcmp(name, "batch")    ? "0x009E73"
                                       : "0x808890";
}

/* A triangle each, labelled where the line of its class is not: right of a limit that holds, below one that fails. A label
 * too near to the one before goes a line further. */
static void add_slos(const struct sim_view *view, struct sim_text *script, const struct range *range) {
    struct sim_text data = {0};
    int count = 0;
    bool lower = false;
    double before = 0;
    const cJSON *slo;
    cJSON_ArrayForEach(slo, sim_json_at(view->summary, "slo")) {
        struct sim_draw_quantile_slo parts;
        if (!sim_draw_quantile_slo(slo, &parts) || !has_class(view, parts.class_name))
            continue;
        count++;
        lower = before > 0 && fabs(log(parts.limit / before)) < 0.1 * log(range->hi / range->lo) && !lower;
        before = parts.limit;
        sim_text_printf(&data, "%.9g %.6g %s\n", parts.limit, 1 - parts.p, class_colour(parts.class_name));
        bool holds = !strcmp(sim_json_text_at(slo, "verdict"), "pass"),
             edge = log(range->hi / parts.limit) < 0.15 * log(range->hi / range->lo);
        const char *place = !holds  ? lower ? "center offset 0,-1.9" : "center offset 0,-0.9"
                            : edge  ? "center offset 0,0.9"
                            : lower ? "left offset 0.8,0.9"
                                    : "left offset 0.8,0";
        sim_text_printf(script, "set label %d '%s s' at %.9g,%.6g %s front textcolor rgb ink\n", count,
                        sim_draw_number(parts.limit).text, parts.limit, 1 - parts.p, place);
    }
    sim_draw_data(script, "$slo");
    sim_text_add(script, data.length ? data.bytes : "1 1 0\n");
    sim_draw_data_end(script);
    sim_text_printf(script, "slos = %d\n", count);
    free(data.bytes);
}

static void say(const struct sim_view *view, struct sim_text *says) {
    sim_text_add(says, "Share of jobs that takes longer than a given time, by class, on logarithmic scales.");
    for (size_t i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.latency.p99", classes[i]);
        double p99 = sim_view_figure(view, name, "value"), beyond = sim_view_figure(view, name, "beyond");
        if (isfinite(p99))
            sim_text_printf(says, " p99 of %s: %s s.", classes[i], sim_draw_number(p99).text);
        else if (isfinite(beyond))
            sim_text_printf(says, " p99 of %s: beyond %s s.", classes[i], sim_draw_number(beyond).text);
    }
}

bool sim_prepare_latency(const struct sim_view *view, struct sim_plot_draft *draft) {
    if (!view->latency.rows)
        return false;
    struct range range = find_range(view);
    if (!(range.hi > range.lo && isfinite(range.lo)))
        return false;
    sim_gnuplot_set_number(&draft->script, "x_min", range.lo);
    sim_gnuplot_set_number(&draft->script, "x_max", range.hi);
    sim_draw_log_tics(&draft->script, 'x', range.lo, range.hi);
    sim_text_add(&draft->script, "\n");
    add_classes(view, &draft->script, &range);
    add_slos(view, &draft->script, &range);
    say(view, &draft->says);
    return true;
}
