/* What a database is about. */
#include "store_handle.h"

#include "../memory.h"

#include <stdlib.h>
#include <string.h>

static bool put_about(struct sim_store *store, const struct sim_stored_study *study, struct sim_located_error *error) {
    sqlite3_stmt *put = sim_store_prepare(store, "INSERT INTO study VALUES(1, ?, ?, ?)", error);
    if (put == NULL)
        return false;
    sim_store_bind(put, 1, study->about);
    sqlite3_bind_int64(put, 2, study->model_version);
    sqlite3_bind_int64(put, 3, study->repeat);
    bool good = sim_store_step(store, put, SQLITE_DONE, error);
    sqlite3_finalize(put);
    return good;
}

static bool put_configuration(struct sim_store *store, sqlite3_stmt *tenants, sqlite3_stmt *put, size_t index,
                              const struct sim_stored_configuration *row, struct sim_located_error *error) {
    sim_store_bind(tenants, 1, row->tenants);
    bool good = sim_store_step(store, tenants, SQLITE_DONE, error);
    sqlite3_reset(tenants);
    if (!good)
        return false;
    sqlite3_bind_int64(put, 1, (int64_t)index + 1);
    sim_store_bind(put, 2, row->hash);
    sim_store_bind(put, 3, row->label);
    sim_store_bind(put, 4, row->knobs);
    sim_store_bind(put, 5, row->slo);
    sim_store_bind(put, 6, row->tenants);
    sqlite3_bind_double(put, 7, row->warmup_s);
    sqlite3_bind_double(put, 8, row->duration_s);
    good = sim_store_step(store, put, SQLITE_DONE, error);
    sqlite3_reset(put);
    return good;
}

static bool put_configurations(struct sim_store *store, const struct sim_stored_study *study,
                               struct sim_located_error *error) {
    sqlite3_stmt *tenants = sim_store_prepare(store, "INSERT OR IGNORE INTO tenants(names) VALUES(?)", error);
    sqlite3_stmt *put =
        sim_store_prepare(store,
                          "INSERT INTO configuration SELECT ?1, ?2, ?3, ?4, ?5, id, ?7, ?8 FROM tenants "
                          "WHERE names = ?6",
                          error);
    bool good = tenants != NULL && put != NULL;
    for (size_t i = 0; i < study->count && good; i++)
        good = put_configuration(store, tenants, put, i, &study->configurations[i], error);
    sqlite3_finalize(tenants);
    sqlite3_finalize(put);
    return good;
}

bool sim_store_set_study(struct sim_store *store, const struct sim_stored_study *study,
                         struct sim_located_error *error) {
    if (!sim_store_run(store, "BEGIN IMMEDIATE", error))
        return false;
    bool good = sim_store_run(store, "DELETE FROM study; DELETE FROM configuration; DELETE FROM tenants", error) &&
                put_about(store, study, error) && put_configurations(store, study, error);
    return sim_store_run(store, good ? "COMMIT" : "ROLLBACK", error) && good;
}

static bool get_about(struct sim_store *store, struct sim_stored_study *ret, struct sim_located_error *error) {
    sqlite3_stmt *get = sim_store_prepare(
        store, "SELECT about, model_version, repeat, (SELECT count(*) FROM configuration) FROM study", error);
    if (get == NULL)
        return false;
    int status = sqlite3_step(get);
    if (status == SQLITE_ROW) {
        ret->about = sim_store_column(get, 0);
        ret->model_version = (uint32_t)sqlite3_column_int64(get, 1);
        ret->repeat = (uint32_t)sqlite3_column_int64(get, 2);
        ret->configurations = sim_calloc((size_t)sqlite3_column_int64(get, 3), sizeof *ret->configurations);
    } else if (status == SQLITE_DONE) {
        sim_error_set(error, store->path, 0, "", "no study was begun in it");
    } else {
        sim_store_fail(store, error, "read it");
    }
    sqlite3_finalize(get);
    return status == SQLITE_ROW;
}

static bool get_configurations(struct sim_store *store, struct sim_stored_study *ret, struct sim_located_error *error) {
    sqlite3_stmt *get =
        sim_store_prepare(store,
                          "SELECT hash, label, knobs, slo, names, warmup_s, duration_s FROM configuration JOIN tenants "
                          "ON tenants.id = configuration.tenants ORDER BY number",
                          error);
    if (get == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(get)) == SQLITE_ROW)
        ret->configurations[ret->count++] =
            (struct sim_stored_configuration){.hash = sim_store_column(get, 0),
                                              .label = sim_store_column(get, 1),
                                              .knobs = sim_store_column(get, 2),
                                              .slo = sim_store_column(get, 3),
                                              .tenants = sim_store_column(get, 4),
                                              .warmup_s = sqlite3_column_double(get, 5),
                                              .duration_s = sqlite3_column_double(get, 6)};
    sqlite3_finalize(get);
    return status == SQLITE_DONE || sim_store_fail(store, error, "read it");
}

bool sim_store_study(struct sim_store *store, struct sim_stored_study *ret, struct sim_located_error *error) {
    struct sim_stored_study study = {0};
    /* One transaction, so that both reads see one study. */
    bool good = sim_store_run(store, "BEGIN", error) && get_about(store, &study, error) &&
                get_configurations(store, &study, error);
    sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL);
    if (good)
        *ret = study;
    else
        sim_stored_study_finish(&study);
    return good;
}

void sim_stored_study_finish(struct sim_stored_study *study) {
    for (size_t i = 0; i < study->count; i++) {
        free(study->configurations[i].hash);
        free(study->configurations[i].label);
        free(study->configurations[i].knobs);
        free(study->configurations[i].slo);
        free(study->configurations[i].tenants);
    }
    free(study->configurations);
    free(study->about);
    *study = (struct sim_stored_study){0};
}

bool sim_stored_study_same(const struct sim_stored_study *one, const struct sim_stored_study *other) {
    if (strcmp(one->about, other->about) != 0 || one->model_version != other->model_version ||
        one->repeat != other->repeat || one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (strcmp(one->configurations[i].hash, other->configurations[i].hash) != 0 ||
            strcmp(one->configurations[i].knobs, other->configurations[i].knobs) != 0)
            return false;
    return true;
}
