/** Records of runs, and whether two can be paired. */
#include "record.h"
#include "../memory.h"
#include "../model_version.h"
#include "../stats/replicated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(struct sim_record *record, const struct sim_result *result, size_t figure) {
    record->pooled[figure] = result->estimates[figure];
    for (size_t r = 0; r < record->replications; r++) {
        size_t at = figure * record->replications + r;
        struct sim_replicated one =
            sim_replicated_figure(&result->figures->rows[figure], result->outcomes[r], result->estimates[figure].value);
        record->value[at] = one.value;
        record->weight[at] = one.weight;
        record->below[at] = one.below;
    }
}

struct sim_record *sim_record_planned(const struct sim_scenario *scenario, size_t replications, const char *where) {
    struct sim_record *record = sim_calloc(1, sizeof *record);
    record->where = sim_strdup(where);
    record->scenario = sim_strdup(scenario->name);
    record->hash = sim_strdup(scenario->hash);
    record->seed = sim_strdup(scenario->seed_text);
    record->model = SIM_MODEL_VERSION;
    record->duration_s = (double)scenario->duration_ns / 1e9;
    record->warmup_s = (double)scenario->warmup_ns / 1e9;
    record->replications = replications;
    record->figures = sim_figures_create(&scenario->workload);
    record->figure_count = sim_replicated_count(record->figures, scenario->workload.tenant_count);
    sim_record_reserve(record);
    record->slos = sim_calloc(scenario->slo_count, sizeof record->slos[0]);
    for (size_t i = 0; i < scenario->slo_count; i++)
        record->slos[record->slo_count++] = sim_strdup(scenario->slo[i]);
    return record;
}

struct sim_record *sim_record_of(const struct sim_result *result, const char *where) {
    struct sim_record *record = sim_record_planned(result->scenario, result->replications, where);
    for (size_t i = 0; i < record->figure_count; i++)
        fill(record, result, i);
    return record;
}

void sim_record_reserve(struct sim_record *record) {
    size_t cells = record->figure_count * record->replications;
    record->value = sim_alloc(cells * sizeof *record->value);
    record->weight = sim_alloc(cells * sizeof *record->weight);
    record->below = sim_alloc(cells * sizeof *record->below);
    record->pooled = sim_alloc(record->figure_count * sizeof *record->pooled);
    for (size_t i = 0; i < cells; i++)
        record->value[i] = record->weight[i] = record->below[i] = NAN;
    record->known = sim_alloc(record->figure_count * sizeof *record->known);
    for (size_t i = 0; i < record->figure_count; i++) {
        record->pooled[i] = (struct sim_estimate){NAN, NAN, NAN, NAN};
        record->known[i] = true;
    }
}

void sim_record_destroy(struct sim_record *record) {
    if (!record)
        return;
    for (size_t i = 0; i < record->slo_count; i++)
        free(record->slos[i]);
    free(record->slos);
    free(record->value);
    free(record->weight);
    free(record->below);
    free(record->pooled);
    free(record->known);
    sim_figures_destroy(record->figures);
    free(record->where);
    free(record->scenario);
    free(record->hash);
    free(record->seed);
    free(record);
}

struct sim_side sim_record_side(const struct sim_record *record, size_t figure) {
    size_t at = figure * record->replications;
    return (struct sim_side){&record->value[at], &record->weight[at], &record->below[at], record->pooled[figure]};
}

/** Refuse: @p what is @p a on one side and @p b on the other. */
static bool differ(const struct sim_record *a, const struct sim_record *b, const char *what, const char *found_a,
                   const char *found_b, const char *remedy, struct sim_located_error *error) {
    sim_error_set(error, "", 0, "", "%s and %s do not pair: %s is %s in the one and %s in the other; %s", a->where,
                  b->where, what, found_a, found_b, remedy);
    return false;
}

static bool same_seconds(const struct sim_record *a, const struct sim_record *b, const char *what, double found_a,
                         double found_b, struct sim_located_error *error) {
    char text_a[32], text_b[32];
    if (found_a == found_b)
        return true;
    snprintf(text_a, sizeof text_a, "%.10g s", found_a);
    snprintf(text_b, sizeof text_b, "%.10g s", found_b);
    return differ(a, b, what, text_a, text_b, "pairs must cover the same jobs, so give both the same", error);
}

bool sim_record_pairs(const struct sim_record *a, const struct sim_record *b, struct sim_located_error *error) {
    char text_a[32], text_b[32];
    if (a->model != b->model) {
        snprintf(text_a, sizeof text_a, "%g", a->model);
        snprintf(text_b, sizeof text_b, "%g", b->model);
        return differ(a, b, "the version of the model", text_a, text_b,
                      "run both with one program: `fairlane run DIR/manifest.json` repeats a run", error);
    }
    if (strcmp(a->seed, b->seed) != 0)
        return differ(a, b, "the seed", a->seed, b->seed, "run one of them again with --seed", error);
    if (a->replications != b->replications) {
        snprintf(text_a, sizeof text_a, "%zu", a->replications);
        snprintf(text_b, sizeof text_b, "%zu", b->replications);
        return differ(a, b, "the number of replications", text_a, text_b, "run one of them again with --replications",
                      error);
    }
    return same_seconds(a, b, "duration_s", a->duration_s, b->duration_s, error) &&
           same_seconds(a, b, "warmup_s", a->warmup_s, b->warmup_s, error);
}
