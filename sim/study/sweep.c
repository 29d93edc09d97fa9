#include "sweep.h"

#include "../memory.h"
#include "../model_version.h"
#include "../results/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sim_sweep_folder_usable(const char *folder, struct sim_located_error *error) {
    static const char *const others[][2] = {{"manifest.json", "the result of a run"}, {"claims.json", "claims"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *path;
        if (asprintf(&path, "%s/%s", folder, others[i][0]) < 0)
            sim_out_of_memory();
        bool there = access(path, F_OK) == 0;
        free(path);
        if (!there)
            continue;
        sim_error_set(error, folder, 0, "", "holds %s; give the study another name, or use --out", others[i][1]);
        return false;
    }
    return true;
}

/* ---- description ---- */

static void add_list(struct sim_text *text, const char *key, size_t count,
                     const char *(*item)(const struct sim_study *study, size_t index), const struct sim_study *study) {
    sim_text_printf(text, ", \"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        sim_text_add(text, i > 0 ? ", " : "");
        sim_text_json_string(text, item(study, i));
    }
    sim_text_add(text, "]");
}

static const char *axis_path(const struct sim_study *study, size_t index) {
    return study->axes[index].path;
}

static const char *axis_name(const struct sim_study *study, size_t index) {
    return study->axes[index].name;
}

static const char *objective_figure(const struct sim_study *study, size_t index) {
    return study->objectives[index].figure;
}

static const char *objective_aim(const struct sim_study *study, size_t index) {
    return study->objectives[index].more ? "maximise" : "minimise";
}

static char *about_json(const struct sim_study *study) {
    static const char *const designs[] = {"grid", "sobol", "lhs", "random"};
    struct sim_text text = {0};
    sim_text_add(&text, "{\"study\": ");
    sim_text_json_string(&text, study->name);
    sim_text_add(&text, ", \"scenario\": ");
    sim_text_json_string(&text, study->base->name);
    sim_text_add(&text, ", \"seed\": ");
    sim_text_json_string(&text, study->base->seed_text);
    sim_text_printf(&text, ", \"design\": \"%s\"", designs[study->design]);
    add_list(&text, "axes", study->axis_count, axis_path, study);
    add_list(&text, "names", study->axis_count, axis_name, study);
    add_list(&text, "objectives", study->objective_count, objective_figure, study);
    add_list(&text, "aims", study->objective_count, objective_aim, study);
    sim_text_add(&text, "}");
    char *about = sim_text_take(&text);
    assert(about != NULL);
    return about;
}

static char *texts_json(size_t count, const char *(*item)(const void *context, size_t index), const void *context) {
    struct sim_text text = {0};
    sim_text_add(&text, "[");
    for (size_t i = 0; i < count; i++) {
        sim_text_add(&text, i > 0 ? ", " : "");
        sim_text_json_string(&text, item(context, i));
    }
    sim_text_add(&text, "]");
    char *json = sim_text_take(&text);
    assert(json != NULL);
    return json;
}

static const char *slo_text(const void *context, size_t index) {
    return ((const struct sim_scenario *)context)->slo[index];
}

static const char *tenant_id(const void *context, size_t index) {
    return ((const struct sim_scenario *)context)->workload.tenants[index].id;
}

static bool describe_one(const struct sim_study *study, const char *const *values, struct sim_scenario_memory *memory,
                         struct sim_stored_configuration *ret, struct sim_located_error *error) {
    struct sim_scenario *scenario = sim_study_scenario(study, values, error);
    if (scenario == NULL)
        return false;
    *ret = (struct sim_stored_configuration){
        .hash = sim_strdup(scenario->hash),
        .label = sim_strdup(sim_study_label(study, values, memory)),
        .knobs = sim_strdup(sim_study_knobs(study, values, memory)),
        .slo = texts_json(scenario->slo_count, slo_text, scenario),
        .tenants = texts_json(scenario->workload.tenant_count, tenant_id, scenario),
        .warmup_s = (double)scenario->warmup_ns / 1e9,
        .duration_s = (double)scenario->duration_ns / 1e9,
    };
    sim_scenario_destroy(scenario);
    return true;
}

bool sim_sweep_describe(const struct sim_study *study, const struct sim_configurations *configurations,
                        const volatile int *stop, struct sim_stored_study *ret, struct sim_located_error *error) {
    struct sim_scenario_memory *memory = sim_memory_create();
    struct sim_stored_study stored = {.about = about_json(study),
                                      .model_version = SIM_MODEL_VERSION,
                                      .repeat = study->repeat,
                                      .configurations =
                                          sim_calloc(configurations->count, sizeof *stored.configurations)};
    bool good = true;
    for (; stored.count < configurations->count && good; stored.count += good) {
        const char *const *values = &configurations->values[stored.count * study->axis_count];
        good = (stop == NULL || !*stop) &&
               describe_one(study, values, memory, &stored.configurations[stored.count], error);
    }
    sim_memory_destroy(memory);
    if (good)
        *ret = stored;
    else
        sim_stored_study_finish(&stored);
    return good;
}

/* ---- units ---- */

bool sim_sweep_missing(struct sim_store *store, const struct sim_stored_study *stored, struct sim_shard shard,
                       struct sim_unit **ret, size_t *ret_count, size_t *ret_total, struct sim_located_error *error) {
    size_t all = stored->count * stored->repeat, total = 0, count = 0;
    struct sim_unit *units = sim_calloc(all / shard.count + 1, sizeof *units);
    bool *done = sim_alloc(stored->repeat * sizeof *done);
    bool good = true;
    for (size_t c = 0; c < stored->count && good; c++) {
        memset(done, 0, stored->repeat * sizeof *done);
        good = store == NULL || sim_store_done(store, stored->configurations[c].hash, stored->repeat, done, error);
        for (uint32_t r = 1; r <= stored->repeat; r++) {
            if ((c * stored->repeat + r - 1) % shard.count != shard.index - 1)
                continue;
            total++;
            if (!done[r - 1])
                units[count++] = (struct sim_unit){.configuration = (uint32_t)c, .replication = r};
        }
    }
    free(done);
    if (!good) {
        free(units);
        return false;
    }
    *ret = units;
    *ret_count = count;
    *ret_total = total;
    return true;
}

struct sweep {
    const struct sim_study *study;
    const struct sim_configurations *configurations;
    struct sim_store *store;
    const struct sim_sweep_options *options;
    size_t done, total;
};

static struct sim_scenario *load(void *context, uint32_t configuration, struct sim_located_error *error) {
    const struct sweep *sweep = context;
    return sim_study_scenario(sweep->study, &sweep->configurations->values[configuration * sweep->study->axis_count],
                              error);
}

static bool take(void *context, const struct sim_unit *unit, const struct sim_scenario *scenario,
                 const struct sim_figures *figures, struct sim_outcome *outcome, struct sim_located_error *error) {
    struct sweep *sweep = context;
    struct sim_located_error failure = *error;
    *error = (struct sim_located_error){0};
    bool good =
        sim_store_put(sweep->store, scenario->hash, unit->replication, figures, outcome, failure.message, error);
    sim_outcome_destroy(outcome);
    sweep->done += good;
    if (sweep->options->progress != NULL)
        sweep->options->progress(sweep->options->progress_context, sweep->done, sweep->total);
    return good;
}

bool sim_sweep_run(const struct sim_study *study, const struct sim_configurations *configurations,
                   struct sim_store *store, const struct sim_unit *units, size_t count,
                   const struct sim_sweep_options *options, size_t *ret_done, struct sim_located_error *error) {
    struct sweep sweep = {
        .study = study, .configurations = configurations, .store = store, .options = options, .total = count};
    const struct sim_executor executor = {
        .load = load, .take = take, .context = &sweep, .jobs = options->jobs, .stop = options->stop};
    if (options->progress != NULL)
        options->progress(options->progress_context, 0, count);
    bool good = sim_execute(units, count, &executor, error);
    *ret_done = sweep.done;
    return good;
}
