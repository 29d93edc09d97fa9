/* What each tenant got: shares of service, and p99. */
#include "draw.h"
#include "prepare.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that a picture has room for: with more tenants the rest share the last. */
enum { ROWS_MAX = 40, ROWS_KEPT = 30, LABEL_MAX = 17, NARROW_LABEL_MAX = 11 };

struct row {
    char *label;
    double served, demand; /* cost */
    double p99, lo, hi;    /* seconds; infinite: beyond all that finished; NaN: no job */
    size_t order;
};

/* The most demanding first; equals as in the scenario. */
static int by_demand(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    if (a->demand != b->demand)
        return a->demand < b->demand ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

static double or_zero(double value) {
    return isfinite(value) ? value : 0;
}

static struct row *read_rows(const struct sim_csv_table *table, bool narrow) {
    size_t name = sim_csv_column(table, "tenant"), plan = sim_csv_column(table, "plan"),
           served = sim_csv_column(table, "served_cost"), demand = sim_csv_column(table, "demand_cost"),
           p99 = sim_csv_column(table, "latency.p99_s"), lo = sim_csv_column(table, "latency.p99_lo_s"),
           hi = sim_csv_column(table, "latency.p99_hi_s");
    struct row *rows = sim_calloc(table->rows, sizeof *rows);
    for (size_t i = 0; i < table->rows; i++) {
        const char *plan_name = narrow ? "" : sim_csv_text(table, i, plan);
        rows[i] = (struct row){.served = or_zero(sim_csv_number(table, i, served)),
                               .demand = or_zero(sim_csv_number(table, i, demand)),
                               .p99 = sim_csv_number(table, i, p99),
                               .lo = sim_csv_number(table, i, lo),
                               .hi = sim_csv_number(table, i, hi),
                               .order = i};
        if (asprintf(&rows[i].label, *plan_name ? "%s (%s)" : "%s", sim_csv_text(table, i, name), plan_name) < 0)
            sim_out_of_memory();
    }
    qsort(rows, table->rows, sizeof *rows, by_demand);
    return rows;
}

/* Fold all rows from ROWS_KEPT on into one. @return how many rows are left. */
static size_t fold(struct row *rows, size_t count) {
    if (count <= ROWS_MAX)
        return count;
    struct row *rest = &rows[ROWS_KEPT];
    for (size_t i = ROWS_KEPT + 1; i < count; i++) {
        rest->served += rows[i].served;
        rest->demand += rows[i].demand;
    }
    rest->p99 = rest->lo = rest->hi = NAN;
    free(rest->label);
    if (asprintf(&rest->label, "%zu others", count - ROWS_KEPT) < 0)
        sim_out_of_memory();
    return ROWS_KEPT + 1;
}

/* Range of the p99 axis. */
static bool latency_range(const struct row *rows, size_t count, double *ret_lo, double *ret_hi) {
    double lo = INFINITY, hi = 0;
    for (size_t i = 0; i < count; i++) {
        const double ends[] = {rows[i].p99, rows[i].lo, rows[i].hi};
        for (size_t k = 0; k < 3; k++) {
            if (!isfinite(ends[k]) || ends[k] <= 0)
                continue;
            lo = fmin(lo, ends[k]);
            hi = fmax(hi, ends[k]);
        }
    }
    *ret_lo = isfinite(lo) ? lo / 1.3 : 0.1;
    *ret_hi = hi > 0 ? hi * 1.3 : 10;
    if (*ret_hi < *ret_lo * 2.5) { /* equals shall look equal */
        *ret_lo /= 1.6;
        *ret_hi *= 1.6;
    }
    return isfinite(lo);
}

/* Largest share, and the distance of tics. */
static void add_share_axis(struct sim_text *script, const struct row *rows, size_t count, double served, double demand,
                           bool narrow) {
    double max = 0;
    for (size_t i = 0; i < count; i++) {
        max = fmax(max, served > 0 ? rows[i].served / served : 0);
        max = fmax(max, demand > 0 ? rows[i].demand / demand : 0);
    }
    max = max > 0 ? max : 1;
    sim_gnuplot_set_number(script, "share_max", max);
    sim_gnuplot_set_number(script, "share_step", sim_draw_step(max, narrow ? 3 : 5));
}

static void add_rows(struct sim_text *script, const struct row *rows, size_t count, double served, double demand) {
    sim_draw_data(script, "$tenants");
    for (size_t i = 0; i < count; i++) {
        bool beyond = isinf(rows[i].p99);
        const double cells[] = {served > 0 ? rows[i].served / served : 0, demand > 0 ? rows[i].demand / demand : 0,
                                rows[i].p99, isfinite(rows[i].lo) ? rows[i].lo : rows[i].p99,
                                isfinite(rows[i].hi) ? rows[i].hi : rows[i].p99};
        sim_text_printf(script, "%zu", i + 1);
        for (size_t k = 0; k < 5; k++) {
            sim_text_add(script, " ");
            sim_gnuplot_add_value(script, cells[k]);
        }
        sim_text_printf(script, " %d\n", beyond);
    }
    sim_draw_data_end(script);
}

bool sim_prepare_tenants(const struct sim_view *view, struct sim_plot_draft *draft) {
    if (!view->tenants.rows)
        return false;
    struct row *rows = read_rows(&view->tenants, draft->narrow);
    double served = 0, demand = 0, lo, hi;
    for (size_t i = 0; i < view->tenants.rows; i++) {
        served += rows[i].served;
        demand += rows[i].demand;
    }
    size_t count = fold(rows, view->tenants.rows);
    const char **labels = sim_calloc(count, sizeof *labels);
    bool beyond = false;
    for (size_t i = 0; i < count; i++) {
        labels[i] = rows[i].label;
        beyond = beyond || isinf(rows[i].p99);
    }
    bool timed = latency_range(rows, count, &lo, &hi);
    sim_text_add(&draft->script, "p99_tics = \"");
    sim_draw_log_tics(&draft->script, 'x', lo, hi);
    sim_text_add(&draft->script, "\"\n");
    sim_gnuplot_set_number(&draft->script, "p99_min", lo);
    sim_gnuplot_set_number(&draft->script, "p99_max", hi);
    sim_draw_label_tics(&draft->script, 'y', labels, count, draft->narrow ? NARROW_LABEL_MAX : LABEL_MAX);
    add_rows(&draft->script, rows, count, served, demand);
    add_share_axis(&draft->script, rows, count, served, demand, draft->narrow);
    sim_text_printf(&draft->script, "rows = %zu\nbeyond = %d\ntimed = %d\n", count, beyond, timed);
    draft->height = 138 + (int)count * (count > 12 ? 19 : 26);
    sim_text_printf(&draft->says,
                    "Share of service and p99 of latency for %zu tenants. %s, which asked for most, got %s %% of the "
                    "work served for %s %% of the demand.",
                    view->tenants.rows, rows[0].label,
                    sim_draw_number(served > 0 ? 100 * rows[0].served / served : 0).text,
                    sim_draw_number(demand > 0 ? 100 * rows[0].demand / demand : 0).text);
    for (size_t i = 0; i < view->tenants.rows; i++)
        free(rows[i].label);
    free(rows);
    free(labels);
    return true;
}
