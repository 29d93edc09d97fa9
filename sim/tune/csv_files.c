/* The CSV files of a tuning run: RFC 4180, lines ended by LF, an empty field for what does not exist. */
#include "files.h"

#include "../memory.h"
#include "pareto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *take(struct sim_text *text) {
    char *bytes = sim_text_take(text);
    if (bytes == NULL)
        sim_out_of_memory();
    return bytes;
}

static void add_number(struct sim_text *text, double value) {
    sim_text_add(text, ",");
    sim_text_csv_number(text, value);
}

static void add_interval(struct sim_text *text, const struct sim_estimate *estimate) {
    add_number(text, estimate->value);
    add_number(text, estimate->lo);
    add_number(text, estimate->hi);
}

static void add_string(struct sim_text *text, const char *string) {
    sim_text_add(text, ",");
    sim_text_csv_string(text, string);
}

static const char *yes(bool truth) {
    return truth ? "yes" : "no";
}

/* ---- stages.csv ---- */

static void add_stage(struct sim_text *text, const char *stage, size_t round, size_t candidate, uint32_t replications,
                      const struct sim_estimate *figure, double excess, bool kept) {
    sim_text_printf(text, "%s,%zu,%zu,%u", stage, round, candidate, replications);
    add_interval(text, figure);
    add_number(text, excess);
    sim_text_printf(text, ",%s\n", yes(kept));
}

char *sim_tune_stages_csv(const struct sim_tune *tune) {
    const struct sim_confirmation *confirmation = &tune->confirmation;
    const struct sim_confirmed *sides[] = {&confirmation->baseline, &confirmation->winner};
    size_t numbers[] = {0, tune->selection.winner};
    struct sim_text text = {0};
    sim_text_add(&text, "stage,round,candidate,replications,value,value_lo,value_hi,excess,kept\n");
    for (size_t i = 0; i < tune->round_count; i++)
        for (size_t k = 0; k < tune->rounds[i].count; k++) {
            const struct sim_entry *entry = &tune->rounds[i].entries[k];
            add_stage(&text, "halving", i + 1, entry->candidate, tune->rounds[i].plan.replications, &entry->figure,
                      entry->excess, entry->kept);
        }
    for (size_t i = 0; i < tune->selection.count; i++) {
        const struct sim_finalist *finalist = &tune->selection.finalists[i];
        add_stage(&text, "selection", 1, finalist->candidate, finalist->observations, &finalist->figure, NAN,
                  finalist->candidate == tune->selection.winner);
    }
    for (size_t i = 0; i < (tune->selection.winner == 0 ? 1 : 2); i++)
        add_stage(&text, "confirmation", 1, numbers[i], confirmation->replications, &sides[i]->figure, sides[i]->excess,
                  numbers[i] == tune->selection.winner);
    return take(&text);
}

/* ---- candidates.csv ---- */

/* A knob's value, the scenario's own where the candidate leaves it; a string without its quotes. */
static void add_knob(struct sim_text *text, const struct sim_tune *tune, const struct sim_candidate *candidate,
                     size_t axis) {
    const char *value = candidate->values[axis];
    if (value == NULL)
        value = sim_study_own_value(tune->study, tune->study->axes[axis].path, tune->bench.memory);
    cJSON *parsed = value != NULL ? cJSON_Parse(value) : NULL;
    add_string(text, cJSON_IsString(parsed) ? parsed->valuestring : value != NULL ? value : "");
    cJSON_Delete(parsed);
}

/* Columns: the figures of the SLOs, each once, then what every candidate is compared in. */
static size_t columns_of(const struct sim_tune *tune, const struct sim_figure **ret) {
    size_t count = 0;
    for (size_t i = 0; i < tune->slo_count + 2; i++) {
        const struct sim_figure *figure = i < tune->slo_count    ? tune->slos[i].figure
                                          : i == tune->slo_count ? sim_figures_find(tune->figures, "jain.service")
                                                                 : tune->goal.throughput;
        size_t k = 0;
        while (k < count && ret[k] != figure)
            k++;
        if (k == count)
            ret[count++] = figure;
    }
    return count;
}

static void add_candidate(struct sim_text *text, const struct sim_tune *tune, size_t number,
                          const struct sim_figure *const *columns, size_t column_count) {
    const struct sim_candidate *candidate = tune->candidates[number];
    size_t round = 0;
    const struct sim_entry *entry = sim_tune_entry(tune, number, &round);
    bool failed = candidate->failure != NULL;
    uint32_t replications = failed ? 0 : tune->rounds[round].plan.replications;
    sim_text_printf(text, "%zu,%.12s", number, candidate->hash);
    for (size_t a = 0; a < tune->study->axis_count; a++)
        add_knob(text, tune, candidate, a);
    sim_text_printf(text, ",%zu,%u", round + 1, replications);
    add_interval(text, &entry->figure);
    add_number(text, entry->excess);
    sim_text_printf(text, ",%s", yes(entry->excess <= 0));
    for (size_t i = 0; i < column_count; i++) {
        struct sim_estimate estimate = {NAN, NAN, NAN, NAN};
        if (!failed)
            estimate =
                sim_estimate_figure(columns[i], sim_candidate_outcomes(candidate, SIM_SEARCH), replications, .95);
        sim_csv_add_estimate(text, &estimate);
    }
    add_string(text, failed ? candidate->failure : "");
    sim_text_add(text, "\n");
}

char *sim_tune_candidates_csv(const struct sim_tune *tune) {
    const struct sim_figure **columns = sim_calloc(tune->slo_count + 2, sizeof *columns);
    size_t column_count = columns_of(tune, columns);
    struct sim_text text = {0};
    sim_text_add(&text, "candidate,hash");
    for (size_t a = 0; a < tune->study->axis_count; a++)
        add_string(&text, tune->study->axes[a].path);
    sim_text_add(&text, ",round,replications,value,value_lo,value_hi,excess,feasible");
    for (size_t i = 0; i < column_count; i++)
        sim_csv_add_columns(&text, columns[i]->name, columns[i]->unit);
    sim_text_add(&text, ",failure\n");
    for (size_t i = 0; i < tune->count; i++)
        add_candidate(&text, tune, i, columns, column_count);
    free(columns);
    return take(&text);
}

/* ---- pareto.csv ---- */

/* Dimensions in which candidates are compared: the goal, then figures. */
struct dimensions {
    const struct sim_figure **figures; /* NULL: phi */
    bool *more;
    size_t count;
};

static void add_dimension(struct dimensions *dimensions, const struct sim_figure *figure, bool more) {
    for (size_t i = 0; i < dimensions->count; i++)
        if (dimensions->figures[i] == figure)
            return;
    dimensions->figures[dimensions->count] = figure;
    dimensions->more[dimensions->count++] = more;
}

static struct dimensions dimensions_of(const struct sim_tune *tune) {
    const struct sim_study *study = tune->study;
    size_t most = study->objective_count + 3;
    struct dimensions dimensions = {.figures = sim_calloc(most, sizeof *dimensions.figures),
                                    .more = sim_calloc(most, sizeof *dimensions.more)};
    add_dimension(&dimensions, tune->goal.figure, tune->goal.more);
    add_dimension(&dimensions, sim_figures_find(tune->figures, "jain.service"), true);
    add_dimension(&dimensions, tune->goal.throughput, true);
    for (size_t i = 1; i < study->objective_count; i++)
        add_dimension(&dimensions, sim_figures_find(tune->figures, study->objectives[i].figure),
                      study->objectives[i].more);
    return dimensions;
}

static void finish_dimensions(struct dimensions *dimensions) {
    free(dimensions->figures);
    free(dimensions->more);
}

static double value_in(const struct sim_tune *tune, const struct sim_figure *figure, bool more,
                       const struct sim_outcome *outcome) {
    struct sim_goal goal = tune->goal;
    goal.figure = figure;
    goal.more = more;
    goal.scale = 1;
    return sim_goal_value(&goal, outcome);
}

static struct sim_pareto_row *comparable(const struct sim_tune *tune, size_t *ret_count) {
    struct sim_pareto_row *rows = sim_calloc(tune->count, sizeof *rows);
    size_t first = tune->round_count > 1 ? 1 : 0, count = 0, round;
    for (size_t i = 0; i < tune->count; i++)
        if (tune->candidates[i]->failure == NULL && sim_tune_entry(tune, i, &round) != NULL && round >= first)
            rows[count++].candidate = i;
    *ret_count = count;
    return rows;
}

void sim_tune_pareto(const struct sim_tune *tune, struct sim_pareto_row **ret, size_t *ret_count) {
    size_t count;
    struct sim_pareto_row *rows = comparable(tune, &count);
    struct dimensions dimensions = dimensions_of(tune);
    struct sim_scenario_memory *memory = sim_memory_create();
    struct sim_pareto_point *points = sim_memory_take(memory, count, sizeof *points);
    size_t *by = sim_memory_take(memory, count, sizeof *by);
    for (size_t i = 0; i < count; i++) {
        const struct sim_trials *trials = &tune->candidates[rows[i].candidate]->trials[SIM_SEARCH];
        const double **values = sim_memory_take(memory, dimensions.count, sizeof *values);
        for (size_t d = 0; d < dimensions.count; d++) {
            double *row = sim_memory_take(memory, trials->count, sizeof *row);
            for (uint32_t r = 0; r < trials->count; r++)
                row[r] = value_in(tune, dimensions.figures[d], dimensions.more[d], trials->outcomes[r]);
            values[d] = row;
        }
        points[i] = (struct sim_pareto_point){values, trials->count};
    }
    sim_pareto(points, count, dimensions.count, by);
    for (size_t i = 0; i < count; i++)
        rows[i].by = by[i] == SIM_PARETO_NOBODY ? by[i] : rows[by[i]].candidate;
    sim_memory_destroy(memory);
    finish_dimensions(&dimensions);
    *ret = rows;
    *ret_count = count;
}

static void add_dimension_value(struct sim_text *text, const struct sim_tune *tune, const struct sim_figure *figure,
                                const struct sim_trials *trials) {
    const struct sim_outcome *const *outcomes = (const struct sim_outcome *const *)trials->outcomes;
    if (figure != NULL) {
        struct sim_estimate estimate = sim_estimate_figure(figure, outcomes, trials->count, .95);
        sim_csv_add_estimate(text, &estimate);
        return;
    }
    double *values = sim_calloc(trials->count, sizeof *values);
    for (uint32_t r = 0; r < trials->count; r++)
        values[r] = sim_phi(&tune->goal, outcomes[r]);
    struct sim_estimate estimate = sim_estimate_mean(values, trials->count, .95);
    add_interval(text, &estimate);
    free(values);
}

char *sim_tune_pareto_csv(const struct sim_tune *tune) {
    struct dimensions dimensions = dimensions_of(tune);
    struct sim_pareto_row *rows;
    size_t count;
    struct sim_text text = {0};
    sim_tune_pareto(tune, &rows, &count);
    sim_text_add(&text, "candidate,role,replications");
    for (size_t d = 0; d < dimensions.count; d++) {
        const struct sim_figure *figure = dimensions.figures[d];
        sim_csv_add_columns(&text, figure != NULL ? figure->name : "phi", figure != NULL ? figure->unit : "1");
    }
    sim_text_add(&text, ",dominated,by\n");
    for (size_t i = 0; i < count; i++) {
        size_t number = rows[i].candidate;
        const struct sim_trials *trials = &tune->candidates[number]->trials[SIM_SEARCH];
        const char *role = number == 0 ? "baseline" : number == tune->selection.winner ? "winner" : "";
        sim_text_printf(&text, "%zu,%s,%u", number, role, trials->count);
        for (size_t d = 0; d < dimensions.count; d++)
            add_dimension_value(&text, tune, dimensions.figures[d], trials);
        bool dominated = rows[i].by != SIM_PARETO_NOBODY;
        sim_text_printf(&text, ",%s,", yes(dominated));
        if (dominated)
            sim_text_printf(&text, "%zu", rows[i].by);
        sim_text_add(&text, "\n");
    }
    free(rows);
    finish_dimensions(&dimensions);
    return take(&text);
}

/* ---- sensitivity.csv ---- */

char *sim_tune_sensitivity_csv(const struct sim_tune *tune) {
    const struct sim_screening *screening = &tune->screening;
    struct sim_text text = {0};
    sim_text_add(&text, "path,name,mu_star,mu,sigma,rules_mu_star,rules_mu,rules_sigma,kept\n");
    for (size_t a = 0; a < tune->study->axis_count; a++) {
        const struct sim_axis *axis = &tune->study->axes[a];
        sim_text_csv_string(&text, axis->path);
        add_string(&text, axis->name);
        for (int which = 0; which < 2; which++) {
            struct sim_morris_effect effect = {NAN, NAN, NAN, 0};
            if (screening->trajectories > 0)
                effect = (which == 0 ? screening->effects : screening->rules)[axis->dimension];
            add_number(&text, effect.mu_star);
            add_number(&text, effect.mu);
            add_number(&text, effect.sigma);
        }
        sim_text_printf(&text, ",%s\n", yes(screening->kept[axis->dimension]));
    }
    return take(&text);
}
