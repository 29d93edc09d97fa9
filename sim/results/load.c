/** Result folders, read back. */
#include "load.h"
#include "json_file.h"
#include "replications_file.h"

#include "../memory.h"
#include "../stats/replicated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Versions of the files that this reads. */
enum { MANIFEST_VERSION = 1, SUMMARY_VERSION = 1 };

struct loading {
    struct sim_record *record;
    struct sim_json_file manifest, summary;
    struct sim_located_error *error;
};

bool sim_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static char *path_in(const char *folder, const char *name) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    size_t size = length + strlen(name) + 2;
    char *path = sim_alloc(size);
    snprintf(path, size, "%.*s/%s", (int)length, folder, name);
    return path;
}

static bool open_json(struct loading *loading, struct sim_json_file *file, const char *name) {
    char *path = path_in(loading->record->where, name);
    bool good = sim_json_file_open(file, path, loading->error);
    free(path);
    return good;
}

/* ---- manifest.json ---- */

static bool keep_text(struct loading *loading, const char *key, char **ret) {
    const cJSON *value =
        sim_json_file_get(&loading->manifest, (const char *const[]){key}, 1, SIM_JSON_STRING, loading->error);
    if (value)
        *ret = sim_strdup(value->valuestring);
    return value != NULL;
}

static bool keep_number(struct loading *loading, const char *const *steps, size_t count, double *ret) {
    const cJSON *value = sim_json_file_get(&loading->manifest, steps, count, SIM_JSON_NUMBER, loading->error);
    if (value)
        *ret = value->valuedouble;
    return value != NULL;
}

static bool keep_slos(struct loading *loading) {
    struct sim_record *record = loading->record;
    const cJSON *list =
        sim_json_file_get(&loading->summary, (const char *const[]){"slo"}, 1, SIM_JSON_ARRAY, loading->error);
    if (!list)
        return false;
    record->slos = sim_calloc((size_t)cJSON_GetArraySize(list), sizeof record->slos[0]);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        const cJSON *text = cJSON_GetObjectItemCaseSensitive(entry, "text");
        if (!cJSON_IsString(text))
            return sim_json_file_fail(&loading->summary, (const char *const[]){"slo"}, 1, loading->error,
                                      "expected entries with a \"text\"");
        record->slos[record->slo_count++] = sim_strdup(text->valuestring);
    }
    return true;
}

static bool check_version(struct loading *loading, const struct sim_json_file *file, const char *key, int known) {
    const cJSON *version = sim_json_file_get(file, &key, 1, SIM_JSON_NUMBER, loading->error);
    if (!version)
        return false;
    if (version->valuedouble != known)
        return sim_json_file_fail(file, &key, 1, loading->error,
                                  "expected %d, a version of the format that this "
                                  "program reads, found %g",
                                  known, version->valuedouble);
    return true;
}

static bool read_manifest(struct loading *loading) {
    struct sim_record *record = loading->record;
    const struct sim_json_file *manifest = &loading->manifest;
    if (!open_json(loading, &loading->manifest, "manifest.json") ||
        !check_version(loading, manifest, "manifest", MANIFEST_VERSION) ||
        !sim_json_file_get(manifest, (const char *const[]){"scenario"}, 1, SIM_JSON_OBJECT, loading->error))
        return false;
    const cJSON *count =
        sim_json_file_get(manifest, (const char *const[]){"replications"}, 1, SIM_JSON_NUMBER, loading->error);
    if (!count)
        return false;
    if (!(count->valuedouble >= 1 && count->valuedouble <= MODEL_REPLICATIONS_MAX) ||
        count->valuedouble != floor(count->valuedouble))
        return sim_json_file_fail(manifest, (const char *const[]){"replications"}, 1, loading->error,
                                  "expected a whole number, at least 1, found %g", count->valuedouble);
    record->replications = (size_t)count->valuedouble;
    return keep_number(loading, (const char *const[]){"model"}, 1, &record->model) &&
           keep_text(loading, "hash", &record->hash) && keep_text(loading, "seed", &record->seed) &&
           keep_number(loading, (const char *const[]){"scenario", "duration_s"}, 2, &record->duration_s) &&
           keep_number(loading, (const char *const[]){"warmup_s"}, 1, &record->warmup_s);
}

/* ---- summary.json ---- */

/** The figures of a scenario with the tenants that the summary lists. */
static bool make_figures(struct loading *loading) {
    struct sim_record *record = loading->record;
    const cJSON *tenants =
        sim_json_file_get(&loading->summary, (const char *const[]){"tenants"}, 1, SIM_JSON_OBJECT, loading->error);
    if (!tenants)
        return false;
    size_t count = 0;
    struct model_tenant *list = sim_calloc((size_t)cJSON_GetArraySize(tenants), sizeof *list);
    for (const cJSON *tenant = tenants->child; tenant; tenant = tenant->next)
        list[count++].id = tenant->string;
    record->figures = sim_figures_create(&(struct model_workload){.tenants = list, .tenant_count = (uint32_t)count});
    record->figure_count = sim_replicated_count(record->figures, count);
    free(list);
    return true;
}

static double number_or_null(const cJSON *object, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

/** @p object: the summary's figures, or a tenant's. One that is not there was not known to the program that wrote it. */
static bool keep_estimate(struct loading *loading, const cJSON *object, const char *const *steps, size_t count,
                          struct sim_estimate *ret, bool *ret_known) {
    *ret_known = cJSON_GetObjectItemCaseSensitive(object, steps[count - 1]) != NULL;
    if (!*ret_known)
        return true;
    const cJSON *figure = sim_json_file_get(&loading->summary, steps, count, SIM_JSON_OBJECT, loading->error);
    if (!figure)
        return false;
    if (!cJSON_HasObjectItem(figure, "value") || !cJSON_HasObjectItem(figure, "lo") ||
        !cJSON_HasObjectItem(figure, "hi"))
        return sim_json_file_fail(&loading->summary, steps, count, loading->error,
                                  "expected \"value\", \"lo\" and \"hi\"");
    *ret = (struct sim_estimate){number_or_null(figure, "value"), number_or_null(figure, "lo"),
                                 number_or_null(figure, "hi"), number_or_null(figure, "beyond")};
    return true;
}

static bool keep_estimates(struct loading *loading) {
    struct sim_record *record = loading->record;
    const cJSON *tenant = cJSON_GetObjectItemCaseSensitive(loading->summary.tree, "tenants")->child;
    size_t tenant_count =
        (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(loading->summary.tree, "tenants"));
    const cJSON *metrics =
        sim_json_file_get(&loading->summary, (const char *const[]){"metrics"}, 1, SIM_JSON_OBJECT, loading->error);
    size_t fixed = record->figures->fixed_count;
    size_t rows = tenant_count > 0 ? (record->figures->count - fixed) / tenant_count : 0;
    for (size_t i = 0; metrics && i < record->figure_count; i++) {
        const char *name = record->figures->rows[i].name;
        const char *steps[3] = {"metrics", name, NULL};
        size_t count = 2;
        if (i >= fixed) {
            if (i > fixed && (i - fixed) % rows == 0)
                tenant = tenant->next;
            steps[0] = "tenants";
            steps[1] = tenant->string;
            steps[2] = name + strlen("tenant.") + strlen(tenant->string) + 1;
            count = 3;
        }
        if (!keep_estimate(loading, i < fixed ? metrics : tenant, steps, count, &record->pooled[i], &record->known[i]))
            return false;
    }
    return metrics != NULL;
}

static bool read_summary(struct loading *loading) {
    struct sim_record *record = loading->record;
    const struct sim_json_file *summary = &loading->summary;
    if (!open_json(loading, &loading->summary, "summary.json") ||
        !check_version(loading, summary, "version", SUMMARY_VERSION))
        return false;
    const cJSON *name =
        sim_json_file_get(summary, (const char *const[]){"scenario"}, 1, SIM_JSON_STRING, loading->error);
    const cJSON *seed = sim_json_file_get(summary, (const char *const[]){"seed"}, 1, SIM_JSON_STRING, loading->error);
    if (!name || !seed)
        return false;
    if (strcmp(seed->valuestring, record->seed) != 0)
        return sim_json_file_fail(summary, (const char *const[]){"seed"}, 1, loading->error,
                                  "expected %s, as in manifest.json, found %s: the files are of different runs",
                                  record->seed, seed->valuestring);
    record->scenario = sim_strdup(name->valuestring);
    if (!keep_slos(loading) || !make_figures(loading))
        return false;
    sim_record_reserve(record);
    return keep_estimates(loading);
}

/* ---- all of it ---- */

struct sim_record *sim_record_load(const char *folder, struct sim_located_error *error) {
    struct loading loading = {.record = sim_calloc(1, sizeof *loading.record), .error = error};
    loading.record->where = sim_strdup(folder);
    bool good = read_manifest(&loading) && read_summary(&loading);
    if (good) {
        char *path = path_in(folder, "replications.csv");
        good = sim_replications_file_read(path, loading.record, error);
        free(path);
    }
    sim_json_file_close(&loading.manifest);
    sim_json_file_close(&loading.summary);
    if (good)
        return loading.record;
    sim_record_destroy(loading.record);
    return NULL;
}
