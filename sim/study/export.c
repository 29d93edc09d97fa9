#include "export.h"

#include "../memory.h"
#include "../stats/warnings.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Figures of a list of tenants; configurations usually share one. */
struct sim_tenant_figures {
    struct sim_tenant_figures *next;
    char *tenants; /* JSON */
    cJSON *parsed;
    struct model_tenant *workload_tenants;
    struct sim_figures *figures;
};

static bool damaged(struct sim_located_error *error, const char *what) {
    sim_error_set(error, "study.db", 0, "", "%s in it cannot be read", what);
    return false;
}

static bool is_texts(const cJSON *list) {
    const cJSON *item;
    bool good = cJSON_IsArray(list);
    cJSON_ArrayForEach(item, list) good = good && cJSON_IsString(item);
    return good;
}

/* A JSON list of strings, which all of ours are. @return NULL for anything else. */
static cJSON *parse_texts(const char *json) {
    cJSON *list = cJSON_Parse(json);
    if (is_texts(list))
        return list;
    cJSON_Delete(list);
    return NULL;
}

static const struct sim_figures *figures_of(struct sim_study_table *table, const char *tenants) {
    for (struct sim_tenant_figures *known = table->figures; known != NULL; known = known->next)
        if (strcmp(known->tenants, tenants) == 0)
            return known->figures;
    cJSON *parsed = parse_texts(tenants);
    if (parsed == NULL)
        return NULL;
    struct sim_tenant_figures *made = sim_calloc(1, sizeof *made);
    size_t count = (size_t)cJSON_GetArraySize(parsed), i = 0;
    made->tenants = sim_strdup(tenants);
    made->parsed = parsed;
    made->workload_tenants = sim_calloc(count, sizeof *made->workload_tenants);
    const cJSON *item;
    cJSON_ArrayForEach(item, parsed) made->workload_tenants[i++].id = item->valuestring;
    const struct model_workload workload = {.tenants = made->workload_tenants, .tenant_count = (uint32_t)count};
    made->figures = sim_figures_create(&workload);
    made->next = table->figures;
    table->figures = made;
    return made->figures;
}

/* ---- one row ---- */

static bool read_slos(struct sim_study_row *row, struct sim_located_error *error) {
    cJSON *texts = parse_texts(row->configuration->slo);
    if (texts == NULL)
        return damaged(error, "an SLO");
    size_t count = (size_t)cJSON_GetArraySize(texts);
    bool good = true;
    const cJSON *item;
    row->slo_texts = sim_calloc(count, sizeof *row->slo_texts);
    row->slos = sim_calloc(count, sizeof *row->slos);
    row->verdicts = sim_calloc(count, sizeof *row->verdicts);
    cJSON_ArrayForEach(item, texts) {
        char *text = row->slo_texts[row->slo_count] = sim_strdup(item->valuestring);
        good = good && sim_slo_parse(row->figures, text, &row->slos[row->slo_count], error);
        row->slo_count++;
    }
    cJSON_Delete(texts);
    return good;
}

/* Has an outcome the shape that the figures and SLOs will look into? */
static bool fits(const struct sim_study_row *row, const struct sim_outcome *outcome, uint32_t tenants) {
    return outcome->slot_count == (size_t)SIM_SCALARS + (size_t)SIM_TENANT_SCALARS * tenants &&
           outcome->sample_count == 2 * ((size_t)SIM_GROUP_TENANTS + tenants) && outcome->slo_count == row->slo_count;
}

static uint32_t tenants_of(const struct sim_study_row *row, const struct sim_study_table *table) {
    for (const struct sim_tenant_figures *known = table->figures;; known = known->next) {
        assert(known != NULL);
        if (known->figures == row->figures)
            return (uint32_t)cJSON_GetArraySize(known->parsed);
    }
}

/* Outcomes of a row; NULL where one is missing or failed. */
static bool fetch(struct sim_store *store, struct sim_study_table *table, struct sim_study_row *row,
                  struct sim_outcome **outcomes, struct sim_located_error *error) {
    for (uint32_t r = 0; r < table->stored.repeat; r++) {
        char *failure = NULL;
        if (!sim_store_get(store, row->configuration->hash, r + 1, &outcomes[r], &failure, error))
            return false;
        if (outcomes[r] != NULL && !fits(row, outcomes[r], tenants_of(row, table)))
            return damaged(error, "an outcome");
        row->replications += outcomes[r] != NULL || failure != NULL;
        if (row->failure == NULL)
            row->failure = failure;
        else
            free(failure);
    }
    return true;
}

static void warn(struct sim_study_row *row, const struct sim_outcome *const *outcomes) {
    const struct sim_warnings_input input = {.figures = row->figures,
                                             .slos = row->slos,
                                             .slo_count = row->slo_count,
                                             .outcomes = outcomes,
                                             .count = row->replications,
                                             .warmup_s = row->configuration->warmup_s,
                                             .duration_s = row->configuration->duration_s};
    sim_warnings_collect(&input, &row->warnings, &row->warning_count);
}

static void judge(struct sim_study_row *row, const struct sim_outcome *const *outcomes) {
    const struct sim_figures fixed = {.rows = row->figures->rows,
                                      .count = row->figures->fixed_count,
                                      .fixed_count = row->figures->fixed_count,
                                      .memory = row->figures->memory};
    const struct sim_estimate none = {NAN, NAN, NAN, NAN};
    if (row->failure == NULL) {
        row->estimates = sim_calloc(fixed.count, sizeof *row->estimates);
        sim_estimate_figures(&fixed, outcomes, row->replications, .95, row->estimates);
    }
    if (row->failure == NULL)
        warn(row, outcomes);
    for (size_t i = 0; i < row->slo_count; i++)
        row->verdicts[i] = row->failure == NULL
                               ? sim_slo_judge(&row->slos[i], i, row->slo_count, outcomes, row->replications)
                               : (struct sim_slo_result){.verdict = SIM_FAIL,
                                                         .figure = none,
                                                         .exceedance = none,
                                                         .allowed = NAN,
                                                         .level = NAN,
                                                         .why = row->failure};
}

static bool read_row(struct sim_store *store, struct sim_study_table *table, struct sim_study_row *row,
                     struct sim_located_error *error) {
    uint32_t repeat = table->stored.repeat;
    row->figures = figures_of(table, row->configuration->tenants);
    if (row->figures == NULL)
        return damaged(error, "a list of tenants");
    if (!read_slos(row, error))
        return false;
    struct sim_outcome **outcomes = sim_calloc(repeat, sizeof *outcomes);
    bool good = fetch(store, table, row, outcomes, error);
    if (good && row->replications == repeat)
        judge(row, (const struct sim_outcome *const *)outcomes);
    table->missing += repeat - row->replications;
    table->failed += row->failure != NULL;
    for (uint32_t r = 0; r < repeat; r++)
        sim_outcome_destroy(outcomes[r]);
    free(outcomes);
    return good;
}

/* ---- all rows ---- */

bool sim_study_table_read(struct sim_store *store, struct sim_study_table *ret, struct sim_located_error *error) {
    struct sim_study_table table = {0};
    bool good = sim_store_study(store, &table.stored, error);
    if (good) {
        table.about = cJSON_Parse(table.stored.about);
        good = is_texts(cJSON_GetObjectItemCaseSensitive(table.about, "axes")) &&
               is_texts(cJSON_GetObjectItemCaseSensitive(table.about, "names")) &&
               is_texts(cJSON_GetObjectItemCaseSensitive(table.about, "objectives")) &&
               is_texts(cJSON_GetObjectItemCaseSensitive(table.about, "aims"));
        if (!good)
            damaged(error, "the study's description");
        table.rows = sim_calloc(table.stored.count, sizeof *table.rows);
    }
    for (; good && table.count < table.stored.count; table.count++) {
        table.rows[table.count].configuration = &table.stored.configurations[table.count];
        good = read_row(store, &table, &table.rows[table.count], error);
    }
    if (good)
        *ret = table;
    else
        sim_study_table_finish(&table);
    return good;
}

static void finish_row(struct sim_study_row *row) {
    for (size_t i = 0; i < row->slo_count; i++)
        free(row->slo_texts[i]);
    free(row->slo_texts);
    sim_warnings_free(row->warnings, row->warning_count);
    free(row->slos);
    free(row->verdicts);
    free(row->estimates);
    free(row->failure);
}

void sim_study_table_finish(struct sim_study_table *table) {
    for (size_t i = 0; i < table->count; i++)
        finish_row(&table->rows[i]);
    free(table->rows);
    for (struct sim_tenant_figures *known = table->figures, *next; known != NULL; known = next) {
        next = known->next;
        sim_figures_destroy(known->figures);
        cJSON_Delete(known->parsed);
        free(known->workload_tenants);
        free(known->tenants);
        free(known);
    }
    cJSON_Delete(table->about);
    sim_stored_study_finish(&table->stored);
    *table = (struct sim_study_table){0};
}

/* ---- objectives ---- */

size_t sim_study_objectives(const struct sim_study_table *table) {
    return (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(table->about, "objectives"));
}

const char *sim_study_objective(const struct sim_study_table *table, size_t index, bool *ret_more) {
    const cJSON *figure = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(table->about, "objectives"), (int)index);
    const cJSON *aim = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(table->about, "aims"), (int)index);
    *ret_more = cJSON_IsString(aim) && strcmp(aim->valuestring, "maximise") == 0;
    return cJSON_IsString(figure) ? figure->valuestring : "";
}

const struct sim_estimate *sim_study_estimate(const struct sim_study_row *row, const char *name) {
    const struct sim_figure *figure = sim_figures_find(row->figures, name);
    size_t index = figure != NULL ? (size_t)(figure - row->figures->rows) : SIZE_MAX;
    return row->estimates != NULL && index < row->figures->fixed_count ? &row->estimates[index] : NULL;
}

enum sim_verdict sim_study_verdict(const struct sim_study_row *row) {
    enum sim_verdict verdict = SIM_PASS;
    for (size_t i = 0; i < row->slo_count; i++) {
        if (row->verdicts[i].verdict == SIM_FAIL)
            return SIM_FAIL;
        if (row->verdicts[i].verdict == SIM_INCONCLUSIVE)
            verdict = SIM_INCONCLUSIVE;
    }
    return verdict;
}

static bool is_feasible(const struct sim_study_row *row) {
    return row->failure == NULL && sim_study_verdict(row) != SIM_FAIL;
}

const struct sim_study_row *sim_study_best(const struct sim_study_table *table, size_t index, bool *ret_feasible) {
    const struct sim_study_row *best = NULL;
    double best_value = NAN;
    bool more, best_feasible = false;
    const char *name = sim_study_objective(table, index, &more);
    for (size_t i = 0; i < table->count; i++) {
        const struct sim_estimate *estimate = sim_study_estimate(&table->rows[i], name);
        if (estimate == NULL || !isfinite(estimate->value))
            continue;
        bool feasible = is_feasible(&table->rows[i]);
        double value = more ? -estimate->value : estimate->value;
        bool better = best == NULL || (feasible && !best_feasible) || (feasible == best_feasible && value < best_value);
        if (!better)
            continue;
        best = &table->rows[i];
        best_value = value;
        best_feasible = feasible;
    }
    *ret_feasible = best_feasible;
    return best;
}
