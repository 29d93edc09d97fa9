#include "view.h"

#include "../memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What tells a folder's kind, the first file that is there decides; `summary` holds what it is about. */
static const struct {
    const char *file;
    enum sim_view_kind kind;
    const char *summary;
} kinds[] = {{"tune.json", SIM_VIEW_TUNE, "tune.json"},
             {"compare.json", SIM_VIEW_COMPARISON, "compare.json"},
             {"claims.json", SIM_VIEW_CLAIMS, "claims.json"},
             {"study.csv", SIM_VIEW_STUDY, "summary.json"},
             {"summary.json", SIM_VIEW_RESULT, "summary.json"}};

static char *path_of(const struct sim_view *view, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", view->path, name) < 0)
        sim_out_of_memory();
    return path;
}

static bool is_there(const struct sim_view *view, const char *name) {
    char *path = path_of(view, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* The file's tree, NULL when it is not there. @return false with *error for a damaged one. */
static bool read_json(const struct sim_view *view, const char *name, struct sim_json_file *file, const cJSON **ret,
                      struct sim_located_error *error) {
    if (!is_there(view, name))
        return true;
    char *path = path_of(view, name);
    bool good = sim_json_file_open(file, path, error);
    free(path);
    *ret = file->tree;
    return good;
}

static bool read_csv(const struct sim_view *view, const char *name, struct sim_csv_table *ret,
                     struct sim_located_error *error) {
    if (!is_there(view, name))
        return true;
    char *path = path_of(view, name);
    bool good = sim_csv_read(ret, path, error);
    free(path);
    return good;
}

static bool read_tables(struct sim_view *view, struct sim_located_error *error) {
    const struct {
        const char *name;
        struct sim_csv_table *table;
        enum sim_view_kind kind;
    } tables[] = {{"latency.csv", &view->latency, SIM_VIEW_RESULT},
                  {"timeseries.csv", &view->timeseries, SIM_VIEW_RESULT},
                  {"tenants.csv", &view->tenants, SIM_VIEW_RESULT},
                  {"welch.csv", &view->welch, SIM_VIEW_RESULT},
                  {"study.csv", &view->study, SIM_VIEW_STUDY},
                  {"stages.csv", &view->stages, SIM_VIEW_TUNE},
                  {"candidates.csv", &view->candidates, SIM_VIEW_TUNE},
                  {"pareto.csv", &view->pareto, SIM_VIEW_TUNE},
                  {"sensitivity.csv", &view->sensitivity, SIM_VIEW_TUNE},
                  {"compare.csv", &view->comparison, SIM_VIEW_COMPARISON}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].kind == view->kind && !read_csv(view, tables[i].name, tables[i].table, error))
            return false;
    return true;
}

/* Claims name files and places in pages: their ids are names, as in a claims file, and each is there once. */
static bool check_claims(const struct sim_view *view, struct sim_located_error *error) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    const cJSON *claim, *claims = sim_json_at(view->summary, "claims");
    if (!cJSON_IsArray(claims)) {
        sim_error_set(error, view->files[0].path, 0, "claims", "expected a list");
        return false;
    }
    cJSON_ArrayForEach(claim, claims) {
        const char *id = sim_json_text_at(claim, "id");
        size_t length = strlen(id), same = 0;
        const cJSON *other;
        cJSON_ArrayForEach(other, claims) same += !strcmp(sim_json_text_at(other, "id"), id);
        if (length < 1 || length > 100 || strspn(id, letters) != length || same > 1) {
            sim_error_set(error, view->files[0].path, 0, "claims",
                          "expected every claim to have a name of its own as id");
            return false;
        }
    }
    return true;
}

bool sim_view_open(struct sim_view *ret, const char *path, struct sim_located_error *error) {
    struct stat status;
    *ret = (struct sim_view){.path = path};
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        sim_error_set(error, path, 0, "", "%s; expected a folder of results, such as results/NAME",
                      errno == ENOENT ? "is not there" : "is no folder");
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!is_there(ret, kinds[i].file))
            continue;
        ret->kind = kinds[i].kind;
        const cJSON *recommended = NULL;
        bool good = read_json(ret, kinds[i].summary, &ret->files[0], &ret->summary, error) &&
                    read_json(ret, "manifest.json", &ret->files[1], &ret->manifest, error) &&
                    read_json(ret, "recommended.json", &ret->files[2], &recommended, error) &&
                    read_tables(ret, error) && (ret->kind != SIM_VIEW_CLAIMS || check_claims(ret, error));
        ret->recommended_text = ret->files[2].text;
        return good;
    }
    sim_error_set(error, path, 0, "", "holds no results (no summary.json); expected a folder that fairlane wrote");
    return false;
}

void sim_view_finish(struct sim_view *view) {
    struct sim_csv_table *tables[] = {&view->latency,     &view->timeseries, &view->tenants,    &view->welch,
                                      &view->study,       &view->stages,     &view->candidates, &view->pareto,
                                      &view->sensitivity, &view->comparison};
    for (size_t i = 0; i < sizeof view->files / sizeof *view->files; i++)
        sim_json_file_close(&view->files[i]);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        sim_csv_finish(tables[i]);
    *view = (struct sim_view){0};
}

/* ---- JSON ---- */

const cJSON *sim_json_at(const cJSON *from, const char *path) {
    char name[128];
    while (from && *path) {
        size_t length = strcspn(path, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        from = cJSON_GetObjectItemCaseSensitive(from, name);
        path += length + (path[length] == '/');
    }
    return from;
}

double sim_json_number_at(const cJSON *from, const char *path) {
    const cJSON *item = sim_json_at(from, path);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *sim_json_text_at(const cJSON *from, const char *path) {
    const cJSON *item = sim_json_at(from, path);
    return cJSON_IsString(item) ? item->valuestring : "";
}

double sim_view_figure(const struct sim_view *view, const char *name, const char *part) {
    return sim_json_number_at(sim_json_at(sim_json_at(view->summary, "metrics"), name), part);
}
