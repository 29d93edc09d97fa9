/* Pictures of evidence: the warm-up, the stages of a tune, the differences of a comparison. */
#include "draw.h"
#include "prepare.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- warm-up ---- */

bool sim_prepare_welch(const struct sim_view *view, struct sim_plot_draft *draft) {
    static const char *const columns[] = {"time_s", "backlog_jobs", "backlog_moving_average_jobs", "sojourn_s",
                                          "sojourn_moving_average_s"};
    const struct sim_csv_table *table = &view->welch;
    size_t at[5], dropped_at = sim_csv_column(table, "dropped");
    if (table->rows < 2)
        return false;
    double end_s = sim_csv_number(table, table->rows - 1, sim_csv_column(table, "time_s")), divisor, warmup_s = 0;
    const char *unit = sim_draw_time_unit(end_s, &divisor);
    for (size_t i = 0; i < 5; i++)
        at[i] = sim_csv_column(table, columns[i]);
    sim_draw_data(&draft->script, "$welch");
    for (size_t row = 0; row < table->rows; row++) {
        if (sim_csv_number(table, row, dropped_at) > 0)
            warmup_s = sim_csv_number(table, row, at[0]);
        for (size_t i = 0; i < 5; i++) {
            sim_text_add(&draft->script, i ? " " : "");
            sim_gnuplot_add_value(&draft->script, sim_csv_number(table, row, at[i]) / (i ? 1 : divisor));
        }
        sim_text_add(&draft->script, "\n");
    }
    sim_draw_data_end(&draft->script);
    sim_text_printf(&draft->script, "time_label = 'time in %s'\n", unit);
    sim_gnuplot_set_number(&draft->script, "x_max", end_s / divisor);
    sim_gnuplot_set_number(&draft->script, "warmup", warmup_s / divisor);
    draft->height = draft->narrow ? 400 : 480;
    sim_text_printf(&draft->says,
                    "Jobs in the system and their time there, as the run settles; the first %s s are not measured.",
                    sim_draw_number(warmup_s).text);
    return true;
}

/* ---- stages ---- */

enum { STAGES_MAX = 12 };

/* Stages in order of appearance: "halving 1", ..., "selection", "confirmation". */
struct stages {
    char *names[STAGES_MAX];
    size_t count;
};

static size_t stage_place(struct stages *stages, const struct sim_csv_table *table, size_t row, size_t stage,
                          size_t round) {
    const char *kind = sim_csv_text(table, row, stage);
    char *name;
    bool numbered = !strcmp(kind, "halving");
    if (asprintf(&name, "%s%s", numbered ? "round " : kind, numbered ? sim_csv_text(table, row, round) : "") < 0)
        sim_out_of_memory();
    size_t i = 0;
    while (i < stages->count && strcmp(stages->names[i], name) != 0)
        i++;
    if (i < stages->count || stages->count == STAGES_MAX) {
        free(name);
        return i < STAGES_MAX ? i : STAGES_MAX - 1;
    }
    stages->names[stages->count++] = name;
    return i;
}

/* Outliers of early rounds must not squeeze what matters: the range of the kept and of both ends, a little wider. */
static void stage_range(const struct sim_csv_table *table, double *ret_lo, double *ret_hi) {
    size_t value = sim_csv_column(table, "value"), kept = sim_csv_column(table, "kept"),
           candidate = sim_csv_column(table, "candidate");
    double lo = INFINITY, hi = -INFINITY;
    for (size_t row = 0; row < table->rows; row++) {
        double at = sim_csv_number(table, row, value);
        bool counts =
            !strcmp(sim_csv_text(table, row, kept), "yes") || !strcmp(sim_csv_text(table, row, candidate), "0");
        if (!isfinite(at) || !counts)
            continue;
        lo = fmin(lo, at);
        hi = fmax(hi, at);
    }
    double span = hi > lo ? hi - lo : fmax(fabs(hi), 1) * 0.1;
    *ret_lo = lo - 0.25 * span;
    *ret_hi = hi + 0.6 * span;
}

bool sim_prepare_stages(const struct sim_view *view, struct sim_plot_draft *draft) {
    const struct sim_csv_table *table = &view->stages;
    size_t stage = sim_csv_column(table, "stage"), round = sim_csv_column(table, "round"),
           candidate = sim_csv_column(table, "candidate"), value = sim_csv_column(table, "value"),
           lo = sim_csv_column(table, "value_lo"), hi = sim_csv_column(table, "value_hi"),
           kept = sim_csv_column(table, "kept");
    struct stages stages = {0};
    if (!table->rows)
        return false;
    double winner = sim_json_number_at(view->summary, "selection/winner"), y_min, y_max;
    bool any_winner = false;
    sim_draw_data(&draft->script, "$stages");
    for (size_t row = 0; row < table->rows; row++) {
        double number = sim_csv_number(table, row, candidate), at = sim_csv_number(table, row, value);
        size_t place = stage_place(&stages, table, row, stage, round);
        int role = number <= 0 ? 1 : number == winner ? 2 : 0;
        any_winner = any_winner || role == 2;
        const double cells[] = {at, sim_csv_number(table, row, lo), sim_csv_number(table, row, hi)};
        sim_text_printf(&draft->script, "%zu", place + 1);
        for (size_t i = 0; i < 3; i++) {
            sim_text_add(&draft->script, " ");
            sim_gnuplot_add_value(&draft->script, isfinite(cells[i]) ? cells[i] : at);
        }
        sim_text_printf(&draft->script, " %d %d\n", !strcmp(sim_csv_text(table, row, kept), "yes"), role);
    }
    sim_draw_data_end(&draft->script);
    sim_draw_label_tics(&draft->script, 'x', (const char *const *)stages.names, stages.count, draft->narrow ? 8 : 20);
    stage_range(table, &y_min, &y_max);
    sim_gnuplot_set_number(&draft->script, "y_min", y_min);
    sim_gnuplot_set_number(&draft->script, "y_max", y_max);
    const char *figure = sim_json_text_at(view->summary, "goal/figure");
    sim_gnuplot_set_string(&draft->script, "y_title",
                           *figure         ? figure
                           : draft->narrow ? "phi"
                                           : "phi = ln max (p99 / limit)");
    sim_text_printf(&draft->script, "places = %zu\nany_winner = %d\nzero = %d\n", stages.count, any_winner, !*figure);
    sim_text_printf(&draft->says, "What the candidates came to in each of %zu stages of the search.", stages.count);
    for (size_t i = 0; i < stages.count; i++)
        free(stages.names[i]);
    return isfinite(y_min);
}

/* ---- differences ---- */

enum { CHANGES_MAX = 40 };

/* Width of the axis, in per cent: what holds every estimate, and the intervals where they are not absurdly wide. */
static void change_range(const struct sim_csv_table *table, double *ret_lo, double *ret_hi) {
    size_t relative = sim_csv_column(table, "relative"), difference = sim_csv_column(table, "difference"),
           lo = sim_csv_column(table, "lo"), hi = sim_csv_column(table, "hi");
    double most = 0, widest = 0, least = 0;
    for (size_t row = 0; row < table->rows; row++) {
        double share = 100 * sim_csv_number(table, row, relative),
               scale = share / sim_csv_number(table, row, difference);
        if (!isfinite(share))
            continue;
        most = fmax(most, share);
        least = fmin(least, share);
        widest = fmax(widest, fabs(sim_csv_number(table, row, hi) * scale));
        widest = fmax(widest, fabs(sim_csv_number(table, row, lo) * scale));
    }
    double span = fmax(most - least, 1), limit = fmin(widest, 2 * span);
    *ret_lo = fmin(least * 1.15, least < 0 ? -limit * 0.2 : 0) - 0.05 * span;
    *ret_hi = fmax(most * 1.15, most > 0 ? limit * 0.2 : 0) + 0.05 * span;
}

bool sim_prepare_differences(const struct sim_view *view, struct sim_plot_draft *draft) {
    const struct sim_csv_table *table = &view->comparison;
    size_t figure = sim_csv_column(table, "figure"), relative = sim_csv_column(table, "relative"),
           difference = sim_csv_column(table, "difference"), lo = sim_csv_column(table, "lo"),
           hi = sim_csv_column(table, "hi"), p = sim_csv_column(table, "p_holm"),
           change = sim_csv_column(table, "change"), count = 0, sure_count = 0;
    const char *names[CHANGES_MAX], *words[CHANGES_MAX];
    sim_draw_data(&draft->script, "$changes");
    for (size_t row = 0; row < table->rows && count < CHANGES_MAX; row++) {
        double share = 100 * sim_csv_number(table, row, relative),
               scale = share / sim_csv_number(table, row, difference);
        if (!isfinite(share))
            continue;
        double low = sim_csv_number(table, row, lo) * scale, high = sim_csv_number(table, row, hi) * scale;
        bool sure = sim_csv_number(table, row, p) <= 0.05;
        names[count] = sim_csv_text(table, row, figure);
        words[count] = sim_csv_text(table, row, change);
        sim_text_printf(&draft->script, "%zu %.9g %.9g %.9g %d\n", ++count, share, isfinite(low) ? low : share,
                        isfinite(high) ? high : share, sure);
        sure_count += sure;
    }
    sim_draw_data_end(&draft->script);
    if (!count)
        return false;
    double x_min, x_max;
    change_range(table, &x_min, &x_max);
    sim_gnuplot_set_number(&draft->script, "x_min", x_min);
    sim_gnuplot_set_number(&draft->script, "x_max", x_max);
    sim_draw_label_tics(&draft->script, 'y', names, count, draft->narrow ? 20 : 28);
    sim_text_printf(&draft->script, "rows = %zu\narray called[%zu]\n", count, count);
    for (size_t i = 0; i < count; i++) {
        sim_text_printf(&draft->script, "called[%zu] = ", i + 1);
        sim_gnuplot_add_string(&draft->script, words[i]);
        sim_text_add(&draft->script, "\n");
    }
    draft->height = 132 + 26 * (int)count;
    sim_text_printf(
        &draft->says,
        "Change of %zu figures from A to B, as a share of A's value, with intervals; %zu of the changes are sure.",
        count, sure_count);
    return true;
}
