/* The load sheet for programs. */
#include "loaded.h"

#include "../results/text.h"

#include <assert.h>
#include <math.h>

static cJSON *number(double value) {
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

static void put(cJSON *into, const char *key, cJSON *item) {
    bool done = item && cJSON_AddItemToObject(into, key, item);
    assert(done);
}

static void append(cJSON *into, cJSON *item) {
    bool done = item && cJSON_AddItemToArray(into, item);
    assert(done);
}

static cJSON *row_json(const struct cli_loaded *loaded, const struct sim_load_row *row, bool total) {
    static const char *const classes[] = {"critical", "standard", "batch"};
    static const char *const shares[] = {"rpm_share", "itpm_share", "otpm_share"};
    const struct sim_scenario *scenario = loaded->scenario;
    cJSON *json = cJSON_CreateObject();
    if (!total) {
        put(json, "tenant", cJSON_CreateString(scenario->workload.tenants[row->tenant].id));
        put(json, "class", cJSON_CreateString(classes[row->class_id]));
    }
    put(json, "model",
        row->model ? cJSON_CreateString(scenario->endpoint.class_names[row->model]) : cJSON_CreateNull());
    put(json, "batches", cJSON_CreateBool(row->batched));
    put(json, "jobs_per_min", number(row->jobs_per_min));
    put(json, "input_tokens_per_min", number(row->input_per_min));
    put(json, "output_tokens_per_min", number(row->output_per_min));
    for (size_t i = 0; i < MODEL_BUCKETS; i++)
        put(json, shares[i], number(row->share[i]));
    put(json, "workers", number(row->workers));
    return json;
}

static cJSON *rows_json(const struct cli_loaded *loaded, const struct sim_load_row *rows, size_t count, bool total) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        append(list, row_json(loaded, &rows[i], total));
    return list;
}

static cJSON *slos_json(const struct cli_loaded *loaded) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < loaded->slo_count; i++) {
        const struct sim_load_slo *idle = &loaded->load->slos[i];
        cJSON *json = cJSON_CreateObject();
        put(json, "text", cJSON_CreateString(loaded->slos[i].text));
        put(json, "idle", number(idle->idle));
        put(json, "idle_over_share", number(idle->over));
        put(json, "jobs", number(idle->jobs));
        append(list, json);
    }
    return list;
}

cJSON *cli_load_json(const struct cli_loaded *loaded) {
    const struct sim_load *load = loaded->load;
    cJSON *json = cJSON_CreateObject(), *warnings = cJSON_CreateArray();
    for (size_t i = 0; i < load->warning_count; i++)
        append(warnings, cJSON_CreateString(load->warnings[i]));
    put(json, "file", cJSON_CreateString(loaded->file));
    put(json, "scenario", cJSON_CreateString(loaded->scenario->name));
    put(json, "loads", rows_json(loaded, load->rows, load->row_count, false));
    put(json, "totals", rows_json(loaded, load->totals, load->total_count, true));
    put(json, "workers", number(loaded->scenario->workers));
    put(json, "workers_share", number(load->workers_share));
    put(json, "quantum_tokens", number(load->quantum_tokens));
    put(json, "largest_tokens", number(load->largest_tokens));
    put(json, "slo", slos_json(loaded));
    put(json, "warnings", warnings);
    return json;
}
