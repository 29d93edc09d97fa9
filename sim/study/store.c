#include "store_handle.h"

#include "../memory.h"
#include "../model_version.h"
#include "../results/folder.h"
#include "../results/text.h"
#include "pack.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "FLST": tells our files from other people's. */
enum { APPLICATION = 0x464c5354, FORMAT = 1, BUSY_MS = 60000 };

/* ---- small things ---- */

bool sim_store_fail(const struct sim_store *store, struct sim_located_error *error, const char *doing) {
    sim_error_set(error, store->path, 0, "", "cannot %s: %s", doing, sqlite3_errmsg(store->database));
    return false;
}

bool sim_store_run(struct sim_store *store, const char *sql, struct sim_located_error *error) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           sim_store_fail(store, error, "work on it");
}

sqlite3_stmt *sim_store_prepare(struct sim_store *store, const char *sql, struct sim_located_error *error) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        sim_store_fail(store, error, "read it");
    return statement;
}

bool sim_store_step(struct sim_store *store, sqlite3_stmt *statement, int expected, struct sim_located_error *error) {
    return sqlite3_step(statement) == expected || sim_store_fail(store, error, "work on it");
}

void sim_store_bind(sqlite3_stmt *statement, int at, const char *text) {
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

char *sim_store_column(sqlite3_stmt *statement, int at) {
    const char *text = (const char *)sqlite3_column_text(statement, at);
    return text != NULL ? sim_strdup(text) : NULL;
}

/* ---- opening ---- */

static const char tables[] =
    "CREATE TABLE result(\n"
    "  configuration TEXT NOT NULL,    -- hash of the scenario as it was run\n"
    "  replication INTEGER NOT NULL,\n"
    "  model_version INTEGER NOT NULL,\n"
    "  figures TEXT,                   -- JSON: figure to value; 9e999 for a time that never ended; null if it failed\n"
    "  outcome BLOB,                   -- all of it, histograms included\n"
    "  failure TEXT,                   -- why there is no outcome\n"
    "  PRIMARY KEY(configuration, replication, model_version));\n"
    "CREATE TABLE study(\n"
    "  one INTEGER PRIMARY KEY CHECK(one = 1),\n"
    "  about TEXT NOT NULL,            -- JSON\n"
    "  model_version INTEGER NOT NULL,\n"
    "  repeat INTEGER NOT NULL);\n"
    "CREATE TABLE tenants(id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);\n"
    "CREATE TABLE configuration(\n"
    "  number INTEGER PRIMARY KEY,     -- from 1\n"
    "  hash TEXT NOT NULL,\n"
    "  label TEXT NOT NULL,\n"
    "  knobs TEXT NOT NULL,            -- JSON: path to value\n"
    "  slo TEXT NOT NULL,              -- JSON list\n"
    "  tenants INTEGER NOT NULL REFERENCES tenants(id),\n"
    "  warmup_s REAL NOT NULL,\n"
    "  duration_s REAL NOT NULL);\n"
    "CREATE VIEW figure AS\n"
    "  SELECT c.number, c.label, c.knobs, r.replication, f.key AS name, f.value AS value\n"
    "  FROM study s JOIN configuration c JOIN result r ON r.configuration = c.hash AND r.replication <= s.repeat\n"
    "    AND r.model_version = s.model_version, json_each(r.figures) f;\n";

static bool read_pragma(struct sim_store *store, const char *sql, int *ret, struct sim_located_error *error) {
    sqlite3_stmt *statement = sim_store_prepare(store, sql, error);
    bool good = statement != NULL && sim_store_step(store, statement, SQLITE_ROW, error);
    if (good)
        *ret = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return good;
}

static bool check_format(struct sim_store *store, bool create, struct sim_located_error *error) {
    int application, format, schema;
    if (!read_pragma(store, "PRAGMA application_id", &application, error) ||
        !read_pragma(store, "PRAGMA user_version", &format, error) ||
        !read_pragma(store, "SELECT count(*) FROM sqlite_schema", &schema, error))
        return false;
    if (create && application == 0 && schema == 0) {
        char sql[sizeof tables + 200];
        snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d; %s", APPLICATION, FORMAT,
                 tables);
        return sim_store_run(store, sql, error);
    }
    if (application == APPLICATION && format == FORMAT)
        return true;
    sim_error_set(error, store->path, 0, "", "%s",
                  application == APPLICATION ? "was made by a version of fairlane with another format of study.db"
                                             : "is a database, but none of a study; it was left as it is");
    return false;
}

/* The format is looked at and made within one transaction, so that of two that begin at once one makes it. */
static bool prepare_file(struct sim_store *store, bool create, struct sim_located_error *error) {
    sqlite3_busy_timeout(store->database, BUSY_MS);
    if (!create)
        return check_format(store, false, error);
    if (!sim_store_run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE", error))
        return false;
    bool good = check_format(store, true, error);
    return sim_store_run(store, good ? "COMMIT" : "ROLLBACK", error) && good;
}

static bool prepare_statements(struct sim_store *store, bool create, struct sim_located_error *error) {
    if (create)
        store->put = sim_store_prepare(store, "INSERT OR IGNORE INTO result VALUES(?, ?, ?, ?, ?, ?)", error);
    store->done = sim_store_prepare(
        store, "SELECT replication FROM result WHERE configuration = ? AND model_version = ? AND replication <= ?",
        error);
    store->get = sim_store_prepare(
        store, "SELECT outcome, failure FROM result WHERE configuration = ? AND model_version = ? AND replication = ?",
        error);
    return (store->put != NULL || !create) && store->done != NULL && store->get != NULL;
}

static struct sim_store *open_store(const char *path, bool create, struct sim_located_error *error) {
    struct sim_store *store = sim_calloc(1, sizeof *store);
    int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    store->path = sim_strdup(path);
    bool good = sqlite3_open_v2(path, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK ||
                sim_store_fail(store, error, "open it");
    if (good && prepare_file(store, create, error) && prepare_statements(store, create, error))
        return store;
    sim_store_close(store);
    return NULL;
}

struct sim_store *sim_store_open(const char *path, struct sim_located_error *error) {
    char *folder = sim_strdup(path), *slash = strrchr(folder, '/');
    bool made = true;
    if (slash != NULL && slash != folder) {
        *slash = '\0';
        made = sim_folder_make(folder);
    }
    if (!made)
        sim_error_set(error, path, 0, "", "cannot make the folder that shall hold it: %s", strerror(errno));
    free(folder);
    return made ? open_store(path, true, error) : NULL;
}

struct sim_store *sim_store_open_read(const char *path, struct sim_located_error *error) {
    return open_store(path, false, error);
}

void sim_store_close(struct sim_store *store) {
    if (store == NULL)
        return;
    sqlite3_finalize(store->put);
    sqlite3_finalize(store->done);
    sqlite3_finalize(store->get);
    sqlite3_close(store->database);
    free(store->path);
    free(store);
}

/* ---- results ---- */

/* JSON knows no infinity, but reads 9e999 as one, and a mean with it is one too: starvation cannot hide in it. */
static char *figures_json(const struct sim_figures *figures, const struct sim_outcome *outcome) {
    struct sim_text text = {0};
    for (size_t i = 0; i < figures->fixed_count; i++) {
        const struct sim_figure *figure = &figures->rows[i];
        double value, weight;
        sim_figure_of_replication(figure, outcome, &value, &weight);
        if (figure->kind == SIM_FIGURE_RATIO || figure->kind == SIM_FIGURE_SAMPLE_MEAN)
            value = weight > 0 ? value / weight : (double)NAN;
        sim_text_add(&text, i > 0 ? "," : "{");
        sim_text_json_string(&text, figure->name);
        sim_text_add(&text, ":");
        if (isinf(value))
            sim_text_add(&text, "9e999");
        else
            sim_text_json_number(&text, value);
    }
    sim_text_add(&text, "}");
    char *json = sim_text_take(&text);
    if (json == NULL)
        sim_out_of_memory();
    return json;
}

bool sim_store_put(struct sim_store *store, const char *hash, uint32_t replication, const struct sim_figures *figures,
                   const struct sim_outcome *outcome, const char *failure, struct sim_located_error *error) {
    size_t length = 0;
    uint8_t *bytes = outcome != NULL ? sim_outcome_pack(outcome, &length) : NULL;
    char *json = outcome != NULL ? figures_json(figures, outcome) : NULL;
    sim_store_bind(store->put, 1, hash);
    sqlite3_bind_int64(store->put, 2, replication);
    sqlite3_bind_int(store->put, 3, SIM_MODEL_VERSION);
    sim_store_bind(store->put, 4, json);
    sqlite3_bind_blob64(store->put, 5, bytes, length, SQLITE_STATIC);
    sim_store_bind(store->put, 6, outcome != NULL ? NULL : failure);
    bool good = sim_store_step(store, store->put, SQLITE_DONE, error);
    sqlite3_reset(store->put);
    sqlite3_clear_bindings(store->put);
    free(bytes);
    free(json);
    return good;
}

bool sim_store_done(struct sim_store *store, const char *hash, uint32_t last, bool *ret,
                    struct sim_located_error *error) {
    int status;
    sim_store_bind(store->done, 1, hash);
    sqlite3_bind_int(store->done, 2, SIM_MODEL_VERSION);
    sqlite3_bind_int64(store->done, 3, last);
    while ((status = sqlite3_step(store->done)) == SQLITE_ROW) {
        int64_t replication = sqlite3_column_int64(store->done, 0);
        if (replication >= 1 && replication <= last)
            ret[replication - 1] = true;
    }
    sqlite3_reset(store->done);
    return status == SQLITE_DONE || sim_store_fail(store, error, "read it");
}

bool sim_store_get(struct sim_store *store, const char *hash, uint32_t replication, struct sim_outcome **ret,
                   char **ret_failure, struct sim_located_error *error) {
    struct sim_outcome *outcome = NULL;
    char *failure = NULL;
    sim_store_bind(store->get, 1, hash);
    sqlite3_bind_int(store->get, 2, SIM_MODEL_VERSION);
    sqlite3_bind_int64(store->get, 3, replication);
    int status = sqlite3_step(store->get);
    bool good = status == SQLITE_DONE || status == SQLITE_ROW || sim_store_fail(store, error, "read it");
    if (status == SQLITE_ROW && (failure = sim_store_column(store->get, 1)) == NULL) {
        const uint8_t *bytes = sqlite3_column_blob(store->get, 0);
        int length = sqlite3_column_bytes(store->get, 0);
        outcome = bytes != NULL && length > 0 ? sim_outcome_unpack(bytes, (size_t)length) : NULL;
        good = outcome != NULL;
        if (!good)
            sim_error_set(error, store->path, 0, "", "replication %u of configuration %.12s is damaged", replication,
                          hash);
    }
    sqlite3_reset(store->get);
    if (!good)
        return false;
    *ret = outcome;
    *ret_failure = failure;
    return true;
}

bool sim_store_copy(struct sim_store *into, const char *from, struct sim_located_error *error) {
    sqlite3_stmt *attach = sim_store_prepare(into, "ATTACH ? AS other", error);
    if (attach == NULL)
        return false;
    sim_store_bind(attach, 1, from);
    bool attached = sim_store_step(into, attach, SQLITE_DONE, error);
    sqlite3_finalize(attach);
    if (!attached)
        return false;
    bool good = sim_store_run(into, "INSERT OR IGNORE INTO main.result SELECT * FROM other.result", error);
    return sim_store_run(into, "DETACH other", error) && good;
}
