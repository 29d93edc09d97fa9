/* Reading a study: its file, its scenario, its axes. */
#include "study.h"

#include "../scenario/layers.h"
#include "../scenario/paths.h"
#include "../scenario/reader.h"
#include "axis.h"
#include "keys_study.h"
#include "objective.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What reading needs beside the study. */
struct builder {
    struct sim_study *study;
    struct sim_study_draft *draft;
    struct sim_layers layers;
    struct sim_scenario_memory *scratch;
};

static bool fail_at(struct builder *builder, const char *key, const char *member, size_t index, const char *message) {
    struct sim_place top = {0}, outer = {.parent = &top, .key = key}, inner = {.parent = &outer, .key = member};
    inner.index = index;
    bool whole = member == NULL && index == SIZE_MAX;
    return sim_layers_fail(&builder->layers, whole ? &outer : &inner, "%s", message);
}

static bool read_file(struct builder *builder, const char *path) {
    struct sim_study *study = builder->study;
    struct sim_study_draft *draft = builder->draft;
    struct sim_reader reader = {.layers = &builder->layers, .memory = study->memory, .scratch = study->memory};
    struct sim_place top = {0};
    cJSON *tree = sim_layers_open(&builder->layers, path, &sim_study_key, study->memory);
    if (tree == NULL || !sim_read(&reader, &top, &sim_study_key, tree, (char *)draft))
        return false;
    study->file = sim_memory_format(study->memory, "%s", path);
    study->name = draft->name;
    if (study->name == NULL) {
        study->name = sim_memory_format(study->memory, "%s", sim_path_stem(study->memory, path));
        if (!sim_plain_name(study->name))
            return sim_layers_fail(&builder->layers, &top,
                                   "the key \"name\" is missing: expected it, since the file's name cannot serve");
    }
    study->about = draft->about;
    study->scenario = draft->scenario;
    study->design = (enum sim_design)draft->design;
    study->design_seed = draft->design_seed;
    study->points = draft->points;
    if (study->design != SIM_DESIGN_GRID && study->points == 0)
        return fail_at(builder, "points", NULL, SIZE_MAX, "expected a number of points, since the design is no grid");
    if (study->design == SIM_DESIGN_GRID && study->points != 0)
        return fail_at(builder, "points", NULL, SIZE_MAX,
                       "expected none: a grid has every combination (\"design\": \"sobol\" takes points)");
    return true;
}

static bool make_axes(struct builder *builder) {
    struct sim_study *study = builder->study;
    const struct sim_vary_draft *drafts = builder->draft->vary.items;
    study->axis_count = builder->draft->vary.count;
    study->axes = sim_memory_take(study->memory, study->axis_count, sizeof *study->axes);
    for (size_t i = 0; i < study->axis_count; i++) {
        char message[300];
        study->axes[i].path = drafts[i].path;
        if (!sim_axis_make(&drafts[i].values, study, &study->axes[i], message, sizeof message))
            return fail_at(builder, "vary", drafts[i].path, 0, message);
        if (study->design == SIM_DESIGN_GRID && study->axes[i].level_count == 0)
            return fail_at(builder, "vary", drafts[i].path, 0,
                           "expected \"step\" or \"points\" beside the range: a grid cannot try every value in it");
    }
    sim_axes_name(study->axes, study->axis_count);
    return true;
}

static struct sim_axis *find_axis(const struct sim_study *study, const char *path) {
    for (size_t i = 0; i < study->axis_count; i++)
        if (strcmp(study->axes[i].path, path) == 0)
            return &study->axes[i];
    return NULL;
}

/* Put the axes of one zip group together. */
static bool zip_axes(struct builder *builder, size_t group, bool *zipped) {
    const struct sim_list *list = &((const struct sim_list *)builder->draft->zip.items)[group];
    char *const *paths = list->items;
    struct sim_study *study = builder->study;
    struct sim_axis *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct sim_axis *axis = find_axis(study, paths[i]);
        char message[300];
        if (axis == NULL)
            snprintf(message, sizeof message, "expected paths of \"vary\", found \"%.100s\"", paths[i]);
        else if (zipped[axis - study->axes])
            snprintf(message, sizeof message, "\"%.100s\" stands in a group before", paths[i]);
        else if (first != NULL && axis->level_count != first->level_count)
            snprintf(message, sizeof message, "expected as many values of \"%.100s\" as of \"%.100s\", %zu, found %zu",
                     paths[i], first->path, first->level_count, axis->level_count);
        else {
            first = first != NULL ? first : axis;
            axis->dimension = first->dimension;
            zipped[axis - study->axes] = true;
            continue;
        }
        return fail_at(builder, "zip", NULL, group, message);
    }
    return true;
}

/* Number the dimensions by their first axes. */
static bool make_dimensions(struct builder *builder) {
    struct sim_study *study = builder->study;
    bool *zipped = sim_memory_take(builder->scratch, study->axis_count, sizeof *zipped);
    size_t *number = sim_memory_take(builder->scratch, study->axis_count, sizeof *number);
    for (size_t i = 0; i < study->axis_count; i++)
        study->axes[i].dimension = i;
    for (size_t i = 0; i < builder->draft->zip.count; i++)
        if (!zip_axes(builder, i, zipped))
            return false;
    /* A group's dimension is the place of its first member, which may not be its first in `vary`. */
    for (size_t i = 0; i < study->axis_count; i++)
        number[i] = SIZE_MAX;
    for (size_t i = 0; i < study->axis_count; i++) {
        size_t *own = &number[study->axes[i].dimension];
        if (*own == SIZE_MAX)
            *own = study->dimensions++;
        study->axes[i].dimension = *own;
    }
    return true;
}

static bool make_constraints(struct builder *builder) {
    struct sim_study *study = builder->study;
    char *const *texts = builder->draft->constraint.items;
    study->constraints = sim_memory_take(study->memory, builder->draft->constraint.count, sizeof *study->constraints);
    for (size_t i = 0; i < builder->draft->constraint.count; i++) {
        struct sim_located_error why = {0};
        study->constraints[i] = sim_study_expression(study, texts[i], &why);
        if (study->constraints[i] == NULL)
            return fail_at(builder, "constraint", NULL, i, why.message);
        study->constraint_count++;
    }
    return true;
}

/* SLOs and objectives name figures of the scenario. */
static bool make_aims(struct builder *builder) {
    struct sim_study *study = builder->study;
    const struct sim_study_draft *draft = builder->draft;
    struct sim_located_error why = {0};
    struct sim_figures *figures = sim_figures_create(&study->base->workload);
    size_t bad = SIZE_MAX;
    study->slo = draft->has_slo ? draft->slo.items : study->base->slo;
    study->slo_count = draft->has_slo ? draft->slo.count : study->base->slo_count;
    study->own_slo = draft->has_slo;
    struct sim_slo ignored;
    for (size_t i = 0; draft->has_slo && i < study->slo_count && bad == SIZE_MAX; i++)
        if (!sim_slo_parse(figures, study->slo[i], &ignored, &why))
            bad = i;
    if (bad != SIZE_MAX) {
        sim_figures_destroy(figures);
        return fail_at(builder, "slo", NULL, bad, why.message);
    }
    study->objectives = sim_memory_take(study->memory, draft->objectives.count, sizeof *study->objectives);
    for (size_t i = 0; i < draft->objectives.count && bad == SIZE_MAX; i++) {
        study->objectives[i].text = ((char *const *)draft->objectives.items)[i];
        if (!sim_objective_parse(figures, study->memory, &study->objectives[i], &why))
            bad = i;
        study->objective_count++;
    }
    sim_figures_destroy(figures);
    return bad == SIZE_MAX || fail_at(builder, "objectives", NULL, bad, why.message);
}

static bool build(struct builder *builder, const char *path) {
    struct sim_study *study = builder->study;
    if (!read_file(builder, path))
        return false;
    study->base = sim_scenario_create(study->scenario, &study->given, builder->layers.error);
    if (study->base == NULL)
        return false;
    study->repeat = builder->draft->repeat > 0 ? builder->draft->repeat : study->base->replications;
    return make_axes(builder) && make_dimensions(builder) && make_constraints(builder) && make_aims(builder);
}

struct sim_study *sim_study_create(const char *path, const struct sim_scenario_options *given,
                                   struct sim_located_error *error) {
    if (error != NULL)
        *error = (struct sim_located_error){0};
    struct sim_scenario_memory *memory = sim_memory_create(), *scratch = sim_memory_create();
    struct sim_study *study = sim_memory_take(memory, 1, sizeof *study);
    study->memory = memory;
    if (given != NULL)
        study->given = *given;
    struct builder builder = {.study = study,
                              .draft = sim_memory_take(scratch, 1, sizeof *builder.draft),
                              .layers = {.scratch = scratch, .error = error},
                              .scratch = scratch};
    bool good = build(&builder, path);
    sim_memory_destroy(scratch);
    if (good)
        return study;
    sim_study_destroy(study);
    return NULL;
}

void sim_study_destroy(struct sim_study *study) {
    if (study == NULL)
        return;
    for (size_t i = 0; i < study->constraint_count; i++)
        sim_expression_destroy(study->constraints[i]);
    sim_scenario_destroy(study->base);
    sim_memory_destroy(study->memory);
}
