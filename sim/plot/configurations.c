#include "configurations.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Last word of a path; the whole path where another axis ends in the same. */
static char *short_name(const cJSON *axes, const char *path) {
    const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
    const cJSON *axis;
    size_t same = 0;
    cJSON_ArrayForEach(axis, axes) {
        const char *other = cJSON_IsString(axis) ? axis->valuestring : "";
        const char *other_dot = strrchr(other, '.');
        same += !strcmp(other_dot ? other_dot + 1 : other, name);
    }
    return sim_strdup(same > 1 ? path : name);
}

static size_t find_level(const struct sim_knob *knob, const char *text) {
    size_t i = 0;
    while (i < knob->level_count && strcmp(knob->levels[i], text) != 0)
        i++;
    return i;
}

struct numbered {
    char *text;
    double value;
    size_t before; /* its number when levels were met */
};

static int by_value(const void *left, const void *right) {
    const struct numbered *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* Levels that are all numbers get in the order of their size. */
static void order_levels(struct sim_knob *knob, size_t rows) {
    struct numbered *order = sim_calloc(knob->level_count, sizeof *order);
    bool numbers = true;
    for (size_t i = 0; i < knob->level_count; i++) {
        char *end;
        order[i] = (struct numbered){knob->levels[i], strtod(knob->levels[i], &end), i};
        numbers = numbers && *knob->levels[i] && !*end;
    }
    if (numbers) {
        size_t *place = sim_calloc(knob->level_count, sizeof *place);
        qsort(order, knob->level_count, sizeof *order, by_value);
        knob->value = sim_calloc(knob->level_count, sizeof *knob->value);
        for (size_t i = 0; i < knob->level_count; i++) {
            knob->levels[i] = order[i].text;
            knob->value[i] = order[i].value;
            place[order[i].before] = i;
        }
        for (size_t row = 0; row < rows; row++)
            knob->level[row] = place[knob->level[row]];
        free(place);
    }
    free(order);
}

static struct sim_knob read_knob(const struct sim_csv_table *table, size_t column, char *name) {
    struct sim_knob knob = {.name = name, .level = sim_calloc(table->rows, sizeof *knob.level)};
    size_t room = 0;
    for (size_t row = 0; row < table->rows; row++) {
        const char *text = sim_csv_text(table, row, column);
        size_t level = find_level(&knob, text);
        if (level == knob.level_count) {
            if (level == room) {
                room = room ? 2 * room : 16;
                knob.levels = sim_realloc(knob.levels, room, sizeof *knob.levels);
            }
            knob.levels[knob.level_count++] = sim_strdup(text);
        }
        knob.level[row] = level;
    }
    order_levels(&knob, table->rows);
    return knob;
}

static void finish_knob(struct sim_knob *knob) {
    for (size_t i = 0; i < knob->level_count; i++)
        free(knob->levels[i]);
    free(knob->levels);
    free(knob->level);
    free(knob->value);
    free(knob->name);
}

/* Does each level of one always come with the same level of the other, and the other way round? */
static bool tied(const struct sim_knob *a, const struct sim_knob *b, size_t rows) {
    if (a->level_count != b->level_count || rows == a->level_count)
        return false;
    size_t *partner = sim_calloc(a->level_count, sizeof *partner);
    bool same = true;
    for (size_t row = 0; row < rows && same; row++) {
        size_t *known = &partner[a->level[row]];
        same = !*known || *known == b->level[row] + 1;
        *known = b->level[row] + 1;
    }
    for (size_t i = 0; i < a->level_count && same; i++)
        for (size_t k = 0; k < i && same; k++)
            same = partner[i] != partner[k];
    free(partner);
    return same;
}

/* Join `with` to `knob`: "25, 5". */
static void join(struct sim_knob *knob, struct sim_knob *with, size_t rows) {
    bool *done = sim_calloc(knob->level_count, sizeof *done);
    char *name;
    if (asprintf(&name, "%s, %s", knob->name, with->name) < 0)
        sim_out_of_memory();
    free(knob->name);
    knob->name = name;
    for (size_t row = 0; row < rows; row++) {
        size_t level = knob->level[row];
        if (done[level])
            continue;
        done[level] = true;
        char *text;
        if (asprintf(&text, "%s, %s", knob->levels[level], with->levels[with->level[row]]) < 0)
            sim_out_of_memory();
        free(knob->levels[level]);
        knob->levels[level] = text;
    }
    free(knob->value);
    knob->value = NULL;
    free(done);
    finish_knob(with);
}

static void add_knob(struct sim_knobs *knobs, struct sim_knob knob) {
    if (knob.level_count < 2 || knobs->count == SIM_KNOBS_MAX) {
        finish_knob(&knob);
        return;
    }
    for (size_t i = 0; i < knobs->count; i++) {
        if (tied(&knobs->knobs[i], &knob, knobs->rows)) {
            join(&knobs->knobs[i], &knob, knobs->rows);
            return;
        }
    }
    knobs->knobs[knobs->count++] = knob;
}

static void read_verdicts(struct sim_knobs *knobs, const struct sim_csv_table *table) {
    knobs->feasible = sim_calloc(table->rows, sizeof *knobs->feasible);
    for (size_t row = 0; row < table->rows; row++) {
        knobs->feasible[row] = 1;
        for (size_t column = 0; column < table->columns; column++) {
            if (strncmp(table->cells[column], "slo: ", 5) != 0)
                continue;
            const char *verdict = sim_csv_text(table, row, column);
            int worth = !strcmp(verdict, "fail") ? -1 : !strcmp(verdict, "inconclusive") ? 0 : 1;
            if (worth < knobs->feasible[row])
                knobs->feasible[row] = worth;
        }
        if (*sim_csv_text(table, row, sim_csv_column(table, "failure")))
            knobs->feasible[row] = -1;
    }
}

static const char *first_objective(const struct sim_view *view, const char *holds) {
    const cJSON *objective;
    cJSON_ArrayForEach(objective, sim_json_at(view->summary, "objectives")) {
        const char *figure = sim_json_text_at(objective, "figure");
        if (*figure && strstr(figure, holds) && sim_csv_figure(&view->study, figure, "") != SIM_NO_COLUMN)
            return figure;
    }
    return NULL;
}

static bool has_values(const struct sim_csv_table *table, const char *figure) {
    size_t column = sim_csv_figure(table, figure, "");
    for (size_t row = 0; row < table->rows && column != SIM_NO_COLUMN; row++)
        if (isfinite(sim_csv_number(table, row, column)))
            return true;
    return false;
}

const char *sim_knobs_latency(const struct sim_view *view) {
    static const char *const figures[] = {"critical.latency.p99", "standard.latency.p99", "batch.latency.p99"};
    const char *objective = first_objective(view, ".latency.");
    for (size_t i = 0; i < 3 && !objective; i++)
        if (has_values(&view->study, figures[i]))
            return figures[i];
    return objective;
}

const char *sim_knobs_fairness(const struct sim_view *view) {
    static const char *const figures[] = {"jain.entitlement.windowed", "jain.service.windowed", "jain.service"};
    const char *objective = first_objective(view, "jain.");
    for (size_t i = 0; i < 3 && !objective; i++)
        if (has_values(&view->study, figures[i]))
            return figures[i];
    return objective;
}

const char *sim_figure_unit(const char *figure) {
    return strstr(figure, ".latency.") || strstr(figure, ".wait.") || strstr(figure, "unserved") ? "s" : "";
}

bool sim_knobs_read(struct sim_knobs *ret, const struct sim_view *view) {
    const struct sim_csv_table *table = &view->study;
    const cJSON *axes = sim_json_at(view->summary, "axes"), *axis;
    *ret = (struct sim_knobs){.rows = table->rows};
    if (!table->rows)
        return false;
    cJSON_ArrayForEach(axis, axes) {
        size_t column = cJSON_IsString(axis) ? sim_csv_column(table, axis->valuestring) : SIM_NO_COLUMN;
        if (column != SIM_NO_COLUMN)
            add_knob(ret, read_knob(table, column, short_name(axes, axis->valuestring)));
    }
    read_verdicts(ret, table);
    double best = sim_json_number_at(cJSON_GetArrayItem(sim_json_at(view->summary, "objectives"), 0), "best");
    ret->best_known = best >= 1 && best <= (double)table->rows;
    ret->best = ret->best_known ? (size_t)best - 1 : 0;
    ret->metric = first_objective(view, "");
    if (!ret->metric)
        ret->metric = sim_knobs_latency(view);
    ret->metric_column = ret->metric ? sim_csv_figure(table, ret->metric, "") : SIM_NO_COLUMN;
    return ret->metric_column != SIM_NO_COLUMN;
}

void sim_knobs_finish(struct sim_knobs *knobs) {
    for (size_t i = 0; i < knobs->count; i++)
        finish_knob(&knobs->knobs[i]);
    free(knobs->feasible);
    *knobs = (struct sim_knobs){0};
}

bool sim_knobs_slice(const struct sim_knobs *knobs, size_t a, size_t b, size_t one, size_t other) {
    for (size_t i = 0; i < knobs->count; i++)
        if (i != one && i != other && knobs->knobs[i].level[a] != knobs->knobs[i].level[b])
            return false;
    return true;
}
