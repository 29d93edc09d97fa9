/* Pictures of a study: what each knob does, two knobs at once, latency against fairness, which knob matters. */
#include "configurations.h"
#include "draw.h"
#include "prepare.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *figure;
} classes[] = {
    {"critical", "critical.latency.p99"}, {"standard", "standard.latency.p99"}, {"batch", "batch.latency.p99"}};

enum { PANELS_MAX = 8, LEVELS_MAX = 24 };

/* ---- knobs: p99 against each ---- */

/* Place of a level on the axis: its number, or its rank. */
static double place(const struct sim_knob *knob, size_t level) {
    return knob->value ? knob->value[level] : (double)level + 1;
}

/* Spread so wide that only a logarithmic axis shows the low end? */
static bool wants_log(const struct sim_knob *knob) {
    return knob->value && knob->level_count > 2 && knob->value[0] > 0 &&
           knob->value[knob->level_count - 1] / knob->value[0] >= 20;
}

static int row_by_level(const void *left, const void *right) {
    const size_t *a = left, *b = right;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

/* A block: x, p99, lo, hi, 1 if it belongs to the line through the best configuration; those in order of x. */
static void add_points(struct sim_text *script, const struct sim_view *view, const struct sim_knobs *knobs,
                       size_t which, const char *figure, double range[2]) {
    const struct sim_csv_table *table = &view->study;
    const struct sim_knob *knob = &knobs->knobs[which];
    size_t column = sim_csv_figure(table, figure, ""), lo = sim_csv_figure(table, figure, "_lo"),
           hi = sim_csv_figure(table, figure, "_hi");
    size_t(*order)[2] = sim_calloc(knobs->rows, sizeof *order);
    for (size_t row = 0; row < knobs->rows; row++) {
        order[row][0] = knob->level[row];
        order[row][1] = row;
    }
    qsort(order, knobs->rows, sizeof *order, row_by_level);
    for (size_t i = 0; i < knobs->rows; i++) {
        size_t row = order[i][1];
        double value = sim_csv_number(table, row, column), low = sim_csv_number(table, row, lo),
               high = sim_csv_number(table, row, hi);
        if (!isfinite(value))
            continue;
        bool on_line = sim_knobs_slice(knobs, row, knobs->best, which, which);
        range[0] = fmin(range[0], on_line && isfinite(low) ? low : value);
        range[1] = fmax(range[1], on_line && isfinite(high) ? high : value);
        sim_text_printf(script, "%.9g %.9g %.9g %.9g %d\n", place(knob, knob->level[row]), value,
                        isfinite(low) ? low : value, isfinite(high) ? high : value, on_line);
    }
    sim_text_add(script, "\n\n");
    free(order);
}

/* Title, tics and range of panel `number`, as a function's worth of commands that the script evaluates. */
static void add_panel(struct sim_text *script, const struct sim_knob *knob, size_t number) {
    double first = place(knob, 0), last = place(knob, knob->level_count - 1);
    bool log = wants_log(knob);
    double margin = log ? pow(last / first, 0.06) : 0.06 * (last - first);
    sim_text_printf(script, "panel_title_%zu = ", number);
    sim_gnuplot_add_label(script, knob->name, 40);
    sim_text_printf(script, "\npanel_log_%zu = %d\npanel_lo_%zu = %.9g\npanel_hi_%zu = %.9g\n", number, log, number,
                    log ? first / margin : first - margin, number, log ? last * margin : last + margin);
    sim_text_printf(script, "panel_labels_%zu = %zu\n", number, knob->value ? 0 : knob->level_count);
    sim_text_printf(script, "array names_%zu[%zu]\n", number, knob->level_count);
    for (size_t i = 0; i < knob->level_count && (!knob->value || log); i++) {
        sim_text_printf(script, "names_%zu[%zu] = ", number, i + 1);
        sim_gnuplot_add_label(script, knob->levels[i], 16);
        sim_text_add(script, "\n");
    }
}

bool sim_prepare_knobs(const struct sim_view *view, struct sim_plot_draft *draft) {
    struct sim_knobs knobs;
    bool good = sim_knobs_read(&knobs, view) && knobs.count > 0;
    if (good) {
        size_t panels = knobs.count < PANELS_MAX ? knobs.count : PANELS_MAX;
        double range[2] = {INFINITY, 0};
        struct sim_text names = {0};
        sim_draw_data(&draft->script, "$knobs");
        for (size_t c = 0; c < 3; c++) {
            if (sim_csv_figure(&view->study, classes[c].figure, "") == SIM_NO_COLUMN)
                continue;
            sim_text_printf(&names, "%s%s", names.length ? " " : "", classes[c].name);
            for (size_t i = 0; i < panels; i++)
                add_points(&draft->script, view, &knobs, i, classes[c].figure, range);
        }
        sim_draw_data_end(&draft->script);
        char *words = sim_text_take(&names);
        sim_gnuplot_set_string(&draft->script, "classes", words);
        free(words);
        for (size_t i = 0; i < panels; i++)
            add_panel(&draft->script, &knobs.knobs[i], i + 1);
        size_t columns = draft->narrow || panels == 1 ? 1 : 2;
        sim_text_printf(&draft->script, "panels = %zu\ncolumns = %zu\nmany = %d\n", panels, columns, knobs.rows > 60);
        draft->height = 80 + 264 * (int)((panels + columns - 1) / columns);
        good = isfinite(range[0]) && range[0] > 0;
        sim_gnuplot_set_number(&draft->script, "y_min", range[0] / 1.2);
        sim_gnuplot_set_number(&draft->script, "y_max", range[1] * 1.2);
        sim_draw_log_tics(&draft->script, 'y', range[0] / 1.2, range[1] * 1.2);
        sim_text_add(&draft->script, "\n");
        sim_text_printf(&draft->says, "p99 of latency by class against each of %zu knobs, over %zu configurations.",
                        knobs.count, knobs.rows);
    }
    sim_knobs_finish(&knobs);
    return good;
}

/* ---- heat map of two knobs ---- */

static void add_cells(struct sim_text *script, const struct sim_view *view, const struct sim_knobs *knobs,
                      double range[2]) {
    const struct sim_knob *across = &knobs->knobs[0], *up = &knobs->knobs[1];
    sim_draw_data(script, "$cells");
    for (size_t row = 0; row < knobs->rows; row++) {
        double value = sim_csv_number(&view->study, row, knobs->metric_column);
        if (!sim_knobs_slice(knobs, row, knobs->best, 0, 1))
            continue;
        if (isfinite(value)) {
            range[0] = fmin(range[0], value);
            range[1] = fmax(range[1], value);
        }
        sim_text_printf(script, "%zu %zu ", across->level[row] + 1, up->level[row] + 1);
        sim_gnuplot_add_value(script, value);
        sim_text_printf(script, " %d %d %s\n", knobs->feasible[row], knobs->best_known && row == knobs->best,
                        sim_draw_number(value).text);
    }
    sim_draw_data_end(script);
}

/* Too many values for a grid of cells: a point for each configuration, where its values are. */
static void add_scattered(struct sim_text *script, const struct sim_view *view, const struct sim_knobs *knobs,
                          double range[2]) {
    static const char names[] = "xy";
    sim_draw_data(script, "$cells");
    for (size_t row = 0; row < knobs->rows; row++) {
        double value = sim_csv_number(&view->study, row, knobs->metric_column);
        if (isfinite(value)) {
            range[0] = fmin(range[0], value);
            range[1] = fmax(range[1], value);
        }
        for (size_t i = 0; i < 2; i++)
            sim_text_printf(script, "%.9g ", place(&knobs->knobs[i], knobs->knobs[i].level[row]));
        sim_gnuplot_add_value(script, value);
        sim_text_printf(script, " %d %d -\n", knobs->feasible[row], knobs->best_known && row == knobs->best);
    }
    sim_draw_data_end(script);
    for (size_t i = 0; i < 2; i++) {
        const struct sim_knob *knob = &knobs->knobs[i];
        sim_text_printf(script, "%c_log = %d\n", names[i], wants_log(knob));
        if (!knob->value)
            sim_draw_label_tics(script, names[i], (const char *const *)knob->levels, knob->level_count, 12);
    }
}

static void add_grid(struct sim_plot_draft *draft, const struct sim_view *view, const struct sim_knobs *knobs,
                     double range[2]) {
    const struct sim_knob *across = &knobs->knobs[0], *up = &knobs->knobs[1];
    add_cells(&draft->script, view, knobs, range);
    sim_draw_label_tics(&draft->script, 'x', (const char *const *)across->levels, across->level_count, 12);
    sim_draw_label_tics(&draft->script, 'y', (const char *const *)up->levels, up->level_count, draft->narrow ? 8 : 12);
    int height = 130 + 52 * (int)up->level_count;
    draft->height = height > 640 ? 640 : height < 260 ? 260 : height;
}

bool sim_prepare_heatmap(const struct sim_view *view, struct sim_plot_draft *draft) {
    struct sim_knobs knobs;
    double range[2] = {INFINITY, -INFINITY};
    bool good = sim_knobs_read(&knobs, view) && knobs.count >= 2;
    if (good) {
        const struct sim_knob *across = &knobs.knobs[0], *up = &knobs.knobs[1];
        bool scatter = across->level_count > LEVELS_MAX || up->level_count > LEVELS_MAX;
        const char *unit = sim_figure_unit(knobs.metric);
        struct sim_text title = {0};
        if (scatter)
            add_scattered(&draft->script, view, &knobs, range);
        else
            add_grid(draft, view, &knobs, range);
        good = range[1] >= range[0];
        sim_gnuplot_set_string(&draft->script, "x_title", across->name);
        sim_gnuplot_set_string(&draft->script, "y_title", up->name);
        sim_text_printf(&title, "%s%s%s", knobs.metric, *unit ? ", " : "", unit);
        sim_gnuplot_set_string(&draft->script, "metric", title.bytes);
        sim_gnuplot_set_number(&draft->script, "value_min", range[0]);
        sim_gnuplot_set_number(&draft->script, "value_max", range[1] > range[0] ? range[1] : range[0] + 1e-9);
        sim_text_printf(&draft->script, "scatter = %d\ncolumns = %zu\nrows = %zu\n", scatter, across->level_count,
                        up->level_count);
        sim_text_printf(&draft->says, "%s for pairs of values of %s and %s; from %s", knobs.metric, across->name,
                        up->name, sim_draw_number(range[0]).text);
        sim_text_printf(&draft->says, " to %s.", sim_draw_number(range[1]).text);
        free(title.bytes);
    }
    sim_knobs_finish(&knobs);
    return good;
}

/* ---- Pareto ---- */

/* A point of the picture: less of x and more of y are better. */
struct point {
    double x, y, x_lo, x_hi, y_lo, y_hi;
    int feasible;
    bool baseline, chosen, front;
};

static void mark_front(struct point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        points[i].front = isfinite(points[i].x) && isfinite(points[i].y);
        for (size_t k = 0; k < count && points[i].front; k++)
            points[i].front = !(points[k].x <= points[i].x && points[k].y >= points[i].y &&
                                (points[k].x < points[i].x || points[k].y > points[i].y));
    }
}

static int by_x(const void *left, const void *right) {
    const struct point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

static double or_value(double bound, double value) {
    return isfinite(bound) ? bound : value;
}

static void add_point_data(struct sim_text *script, const struct point *points, size_t count) {
    sim_draw_data(script, "$points");
    for (size_t i = 0; i < count; i++)
        if (isfinite(points[i].x) && isfinite(points[i].y))
            sim_text_printf(script, "%.9g %.9g %.9g %.9g %.9g %.9g %d %d %d %d\n", points[i].x, points[i].y,
                            or_value(points[i].x_lo, points[i].x), or_value(points[i].x_hi, points[i].x),
                            or_value(points[i].y_lo, points[i].y), or_value(points[i].y_hi, points[i].y),
                            points[i].feasible, points[i].baseline, points[i].chosen, points[i].front);
    sim_draw_data_end(script);
}

/* Draw `points`; sorts them. x is a time where `log` says so. */
static bool draw_pareto(struct sim_plot_draft *draft, struct point *points, size_t count, const char *x_title,
                        const char *y_title, bool log) {
    double lo = INFINITY, hi = -INFINITY;
    bool any[4] = {false};
    size_t front = 0;
    qsort(points, count, sizeof *points, by_x);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y))
            continue;
        lo = fmin(lo, points[i].x);
        hi = fmax(hi, points[i].x);
        any[0] = any[0] || points[i].feasible > 0;
        any[1] = any[1] || points[i].feasible <= 0;
        any[2] = any[2] || points[i].baseline;
        any[3] = any[3] || points[i].chosen;
        front += points[i].front;
    }
    if (!(hi > lo) || (log && lo <= 0))
        return false;
    add_point_data(&draft->script, points, count);
    sim_gnuplot_set_string(&draft->script, "x_title", x_title);
    sim_gnuplot_set_string(&draft->script, "y_title", y_title);
    double margin = log ? pow(hi / lo, 0.08) : 0.08 * (hi - lo);
    lo = log ? lo / margin : lo - margin;
    hi = log ? hi * margin : hi + margin;
    sim_text_printf(&draft->script, "x_log = %d\nx_min = %.9g\nx_max = %.9g\n", log, lo, hi);
    sim_text_printf(&draft->script, "any_feasible = %d\nany_other = %d\nany_baseline = %d\nany_chosen = %d\n", any[0],
                    any[1], any[2], any[3]);
    if (log) {
        sim_draw_log_tics(&draft->script, 'x', lo, hi);
        sim_text_add(&draft->script, "\n");
    }
    sim_text_printf(&draft->says,
                    "%s against %s for %zu configurations; %zu are on the front, where neither can be had "
                    "better without giving up some of the other.",
                    x_title, y_title, count, front);
    return true;
}

static char *with_unit(const char *figure, const char *scale) {
    char *text;
    bool seconds = *sim_figure_unit(figure) != '\0';
    if (asprintf(&text, "%s%s%s", figure, seconds ? ", in seconds" : "", seconds ? scale : "") < 0)
        sim_out_of_memory();
    return text;
}

static struct point read_point(const struct sim_csv_table *table, size_t row, const char *x, const char *y) {
    return (struct point){.x = sim_csv_number(table, row, sim_csv_figure(table, x, "")),
                          .x_lo = sim_csv_number(table, row, sim_csv_figure(table, x, "_lo")),
                          .x_hi = sim_csv_number(table, row, sim_csv_figure(table, x, "_hi")),
                          .y = sim_csv_number(table, row, sim_csv_figure(table, y, "")),
                          .y_lo = sim_csv_number(table, row, sim_csv_figure(table, y, "_lo")),
                          .y_hi = sim_csv_number(table, row, sim_csv_figure(table, y, "_hi"))};
}

bool sim_prepare_pareto(const struct sim_view *view, struct sim_plot_draft *draft) {
    struct sim_knobs knobs;
    const char *x = sim_knobs_latency(view), *y = sim_knobs_fairness(view);
    bool good = sim_knobs_read(&knobs, view) && x && y;
    if (good) {
        struct point *points = sim_calloc(knobs.rows, sizeof *points);
        for (size_t row = 0; row < knobs.rows; row++) {
            points[row] = read_point(&view->study, row, x, y);
            points[row].feasible = knobs.feasible[row];
            points[row].chosen = knobs.best_known && row == knobs.best;
        }
        char *x_title = with_unit(x, " (logarithmic)");
        mark_front(points, knobs.rows);
        good = draw_pareto(draft, points, knobs.rows, x_title, y, true);
        sim_gnuplot_set_string(&draft->script, "chosen_title", "best");
        free(x_title);
        free(points);
    }
    sim_knobs_finish(&knobs);
    return good;
}

static bool keeps_rules(const struct sim_csv_table *candidates, const char *number) {
    size_t column = sim_csv_column(candidates, "candidate"), feasible = sim_csv_column(candidates, "feasible");
    for (size_t row = 0; row < candidates->rows; row++)
        if (!strcmp(sim_csv_text(candidates, row, column), number))
            return !strcmp(sim_csv_text(candidates, row, feasible), "yes");
    return false;
}

bool sim_prepare_tune_pareto(const struct sim_view *view, struct sim_plot_draft *draft) {
    const struct sim_csv_table *table = &view->pareto;
    const char *x =
        sim_csv_figure(table, "phi", "") != SIM_NO_COLUMN ? "phi" : sim_json_text_at(view->summary, "goal/figure");
    const char *y = "jain.service";
    if (table->rows < 2 || !*x)
        return false;
    size_t dominated = sim_csv_column(table, "dominated"), role = sim_csv_column(table, "role"),
           number = sim_csv_column(table, "candidate");
    struct point *points = sim_calloc(table->rows, sizeof *points);
    for (size_t row = 0; row < table->rows; row++) {
        points[row] = read_point(table, row, x, y);
        points[row].front = !strcmp(sim_csv_text(table, row, dominated), "no");
        points[row].feasible = keeps_rules(&view->candidates, sim_csv_text(table, row, number)) ? 1 : -1;
        points[row].baseline = !strcmp(sim_csv_text(table, row, role), "baseline");
        points[row].chosen = !strcmp(sim_csv_text(table, row, role), "winner");
    }
    bool phi = !strcmp(x, "phi");
    char *x_title =
        phi ? sim_strdup("phi: ln of the worst p99 / its limit (below 0 all hold)") : with_unit(x, " (logarithmic)");
    bool good = draw_pareto(draft, points, table->rows, x_title, y, !phi && *sim_figure_unit(x));
    sim_gnuplot_set_string(&draft->script, "chosen_title", "winner");
    free(x_title);
    free(points);
    return good;
}

/* ---- tornado ---- */

struct bar {
    const char *name;
    double lo, hi; /* from here to there */
    const char *at_lo, *at_hi;
};

static int by_width(const void *left, const void *right) {
    const struct bar *a = left, *b = right;
    double wide = (b->hi - b->lo) - (a->hi - a->lo);
    return (wide > 0) - (wide < 0);
}

/* Lowest and highest mean of the metric over the configurations of one level. */
static struct bar measure(const struct sim_view *view, const struct sim_knobs *knobs, const struct sim_knob *knob) {
    struct bar bar = {.name = knob->name, .lo = INFINITY, .hi = -INFINITY, .at_lo = "", .at_hi = ""};
    for (size_t level = 0; level < knob->level_count; level++) {
        double sum = 0, count = 0;
        for (size_t row = 0; row < knobs->rows; row++) {
            double value = sim_csv_number(&view->study, row, knobs->metric_column);
            if (knob->level[row] != level || !isfinite(value))
                continue;
            sum += value;
            count++;
        }
        if (count > 0 && sum / count < bar.lo) {
            bar.lo = sum / count;
            bar.at_lo = knob->levels[level];
        }
        if (count > 0 && sum / count > bar.hi) {
            bar.hi = sum / count;
            bar.at_hi = knob->levels[level];
        }
    }
    return bar;
}

static void add_bars(struct sim_plot_draft *draft, struct bar *bars, size_t count, const char *title) {
    const char **names = sim_calloc(count, sizeof *names);
    size_t zeros = 0;
    double lo = INFINITY, hi = -INFINITY;
    qsort(bars, count, sizeof *bars, by_width);
    sim_draw_data(&draft->script, "$bars");
    for (size_t i = 0; i < count; i++) {
        names[i] = bars[i].name;
        zeros += bars[i].lo == 0;
        lo = fmin(lo, bars[i].lo);
        hi = fmax(hi, bars[i].hi);
        sim_text_printf(&draft->script, "%zu %.9g %.9g\n", i + 1, bars[i].lo, bars[i].hi);
    }
    sim_draw_data_end(&draft->script);
    sim_text_printf(&draft->script, "array at_lo[%zu]\narray at_hi[%zu]\n", count, count);
    for (size_t i = 0; i < count; i++) {
        sim_text_printf(&draft->script, "at_lo[%zu] = ", i + 1);
        sim_gnuplot_add_label(&draft->script, bars[i].at_lo, 14);
        sim_text_printf(&draft->script, "\nat_hi[%zu] = ", i + 1);
        sim_gnuplot_add_label(&draft->script, bars[i].at_hi, 14);
        sim_text_add(&draft->script, "\n");
    }
    sim_draw_label_tics(&draft->script, 'y', names, count, draft->narrow ? 11 : 26);
    sim_gnuplot_set_string(&draft->script, "x_title", title);
    sim_text_printf(&draft->script, "from_zero = %d\n", zeros == count);
    sim_gnuplot_set_number(&draft->script, "x_step", sim_draw_step(hi > lo ? hi - lo : 1, draft->narrow ? 3 : 8));
    sim_text_printf(&draft->script, "rows = %zu\n", count);
    sim_text_printf(&draft->says, "What each knob changes in %s, the widest first:", title);
    for (size_t i = 0; i < count && i < 5; i++)
        sim_text_printf(&draft->says, "%s %s", i ? "," : "", bars[i].name);
    sim_text_add(&draft->says, ".");
    draft->height = 132 + 34 * (int)count;
    free(names);
}

bool sim_prepare_tornado(const struct sim_view *view, struct sim_plot_draft *draft) {
    struct sim_knobs knobs;
    bool good = sim_knobs_read(&knobs, view) && knobs.count >= 2;
    if (good) {
        struct bar bars[SIM_KNOBS_MAX];
        size_t count = 0;
        for (size_t i = 0; i < knobs.count; i++) {
            bars[count] = measure(view, &knobs, &knobs.knobs[i]);
            /* A continuous knob has a level for each configuration, whose means say nothing. */
            count += isfinite(bars[count].lo) && 2 * knobs.knobs[i].level_count <= knobs.rows;
        }
        char *title = with_unit(knobs.metric, "");
        good = count >= 2;
        if (good)
            add_bars(draft, bars, count, title);
        free(title);
    }
    sim_knobs_finish(&knobs);
    return good;
}

bool sim_prepare_tune_tornado(const struct sim_view *view, struct sim_plot_draft *draft) {
    const struct sim_csv_table *table = &view->sensitivity;
    struct bar bars[SIM_KNOBS_MAX];
    size_t count = 0, name = sim_csv_column(table, "name"), size = sim_csv_column(table, "mu_star");
    for (size_t row = 0; row < table->rows && count < SIM_KNOBS_MAX; row++) {
        double mu_star = sim_csv_number(table, row, size);
        if (isfinite(mu_star))
            bars[count++] =
                (struct bar){.name = sim_csv_text(table, row, name), .lo = 0, .hi = mu_star, .at_lo = "", .at_hi = ""};
    }
    if (count)
        add_bars(draft, bars, count, "mean absolute effect of a step (Morris's mu*)");
    return count > 0;
}
