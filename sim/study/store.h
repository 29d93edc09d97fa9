/** Results of studies in SQLite: study.db.
 *
 *  One row per (configuration hash, replication, model version), so that whatever was simulated once is found again: by a
 *  study that was killed, by one that runs a second time, by another that shares configurations. A scenario that changed
 *  has another hash and starts anew; its old rows stay and are never mixed in. WAL mode: readers (sqlite3 on the command
 *  line, plots) may look while a sweep writes. Not thread-safe: callers lock. docs/studies.md describes the tables. */
#ifndef SIM_STORE_H
#define SIM_STORE_H

#include "../measure/figures.h"
#include "../measure/outcome.h"
#include "../scenario/located_error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_store;

/** Open @p path, made with its folders if it is not there. Refuses files that are no study.db of this format.
 *  @return NULL with *error. */
struct sim_store *sim_store_open(const char *path, struct sim_located_error *error);

/** The same for one that must exist; it is not written to. */
struct sim_store *sim_store_open_read(const char *path, struct sim_located_error *error);

/** Close: the write-ahead log goes into the file. Accepts NULL. */
void sim_store_close(struct sim_store *store);

/** Keep @p outcome, or with outcome NULL the @p failure that stands for it. Committed when it returns: a process that is
 *  killed loses only what was still running. A row that is there already stays. */
bool sim_store_put(struct sim_store *store, const char *hash, uint32_t replication, const struct sim_figures *figures,
                   const struct sim_outcome *outcome, const char *failure, struct sim_located_error *error);

/** Which replications 1 .. @p last of @p hash are there, of this model version: ret[r - 1] is set for those, left alone
 *  for others. */
bool sim_store_done(struct sim_store *store, const char *hash, uint32_t last, bool *ret,
                    struct sim_located_error *error);

/** Fetch one. *ret (sim_outcome_destroy) is NULL when it is not there or failed; *ret_failure (free) says why it failed,
 *  else NULL. @return false with *error when the database cannot be read or the row is damaged. */
bool sim_store_get(struct sim_store *store, const char *hash, uint32_t replication, struct sim_outcome **ret,
                   char **ret_failure, struct sim_located_error *error);

/** Copy every row of @p from, of whatever model version, that @p into lacks. */
bool sim_store_copy(struct sim_store *into, const char *from, struct sim_located_error *error);

/** A configuration of the study that a database holds: what exports need, so that they need no scenario. */
struct sim_stored_configuration {
    char *hash;
    char *label;   /**< "quantum=5" */
    char *knobs;   /**< JSON object: path to value */
    char *slo;     /**< JSON list of texts */
    char *tenants; /**< JSON list of ids */
    double warmup_s, duration_s;
};

/** What a study.db was last used for. All texts are owned. */
struct sim_stored_study {
    char *about; /**< JSON object of what describes the study: name, scenario, seed, design, objectives, ... */
    uint32_t model_version;
    uint32_t repeat;
    struct sim_stored_configuration *configurations; /**< in order */
    size_t count;
};

/** Make @p study the one that the database is about, in one transaction; results stay. */
bool sim_store_set_study(struct sim_store *store, const struct sim_stored_study *study,
                         struct sim_located_error *error);

/** @return false with *error, also when the database is about no study yet. */
bool sim_store_study(struct sim_store *store, struct sim_stored_study *ret, struct sim_located_error *error);
void sim_stored_study_finish(struct sim_stored_study *study);

/** Are both the same study: description, model version, repetitions and every configuration? */
bool sim_stored_study_same(const struct sim_stored_study *one, const struct sim_stored_study *other);

#endif
