/* fairlane merge: the shards of a study into one. */
#include "../memory.h"
#include "../model_version.h"
#include "options.h"
#include "study_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *database_in(const char *folder) {
    char *path;
    if (asprintf(&path, "%s/study.db", folder) < 0)
        sim_out_of_memory();
    return path;
}

static bool read_study(const char *folder, struct sim_stored_study *ret, struct sim_located_error *error) {
    char *path = database_in(folder);
    struct sim_store *store = sim_store_open_read(path, error);
    bool good = store && sim_store_study(store, ret, error);
    sim_store_close(store);
    free(path);
    return good;
}

static bool check_version(const char *folder, const struct sim_stored_study *study, struct sim_located_error *error) {
    if (study->model_version == SIM_MODEL_VERSION)
        return true;
    sim_error_set(
        error, folder, 0, "",
        "holds results of model version %u, but this program's is %d: figures of two versions are never mixed",
        study->model_version, SIM_MODEL_VERSION);
    return false;
}

/* All shards are of one study and one model. *ret: that study. */
static bool check_shards(const struct cli_options *options, struct sim_stored_study *ret,
                         struct sim_located_error *error) {
    if (!read_study(options->files[1], ret, error) || !check_version(options->files[1], ret, error))
        return false;
    for (size_t i = 2; i < options->file_count; i++) {
        struct sim_stored_study other = {0};
        if (!read_study(options->files[i], &other, error) || !check_version(options->files[i], &other, error)) {
            sim_stored_study_finish(&other);
            return false;
        }
        bool same = sim_stored_study_same(ret, &other);
        sim_stored_study_finish(&other);
        if (!same) {
            sim_error_set(error, options->files[i], 0, "",
                          "is of another study than %s: other configurations, replications or settings",
                          options->files[1]);
            return false;
        }
    }
    return true;
}

static bool copy_all(const struct cli_options *options, struct sim_store *store, const struct sim_stored_study *study,
                     struct sim_located_error *error) {
    if (!sim_store_set_study(store, study, error))
        return false;
    for (size_t i = 1; i < options->file_count; i++) {
        char *path = database_in(options->files[i]);
        bool good = sim_store_copy(store, path, error);
        free(path);
        if (!good)
            return false;
    }
    return true;
}

enum cli_exit cli_merge(const struct cli_options *options, struct sim_located_error *error) {
    const char *out = options->files[0];
    struct sim_stored_study study = {0};
    enum cli_exit code = CLI_USAGE;
    if (check_shards(options, &study, error)) {
        char *path = database_in(out);
        struct sim_store *store = sim_store_open(path, error);
        code = CLI_FAILURE;
        if (store && copy_all(options, store, &study, error))
            code = cli_study_end(options, store, out, out, error);
        sim_store_close(store);
        free(path);
    }
    sim_stored_study_finish(&study);
    return code;
}
