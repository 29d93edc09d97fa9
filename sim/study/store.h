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

/** Commit what is pending and close. Accepts NULL. @return false with *error when that failed. */
bool sim_store_close(struct sim_store *store, struct sim_located_error *error);

/** Keep @p outcome, or with outcome NULL the @p failure that stands for it. Rows are committed in batches, at the latest a
 *  second after they came. */
bool sim_store_put(struct sim_store *store, const char *hash, uint32_t replication, const struct sim_figures *figures,
                   const struct sim_outcome *outcome, const char *failure, struct sim_located_error *error);

/** Commit now. */
bool sim_store_commit(struct sim_store *store, struct sim_located_error *error);

/** Which replications 1 .. @p last of @p hash are there, of this model version: ret[r - 1] is set for those, left alone
 *  for others. */
bool sim_store_done(struct sim_store *store, const char *hash, uint32_t last, bool *ret,
                    struct sim_located_error *error);

/** Fetch one. *ret (sim_outcome_destroy) is NULL when it is not there or failed; *ret_failure (free) says why it failed,
 *  else NULL. @return false with *error when the database cannot be read or the row is damaged. */
bool sim_store_get(struct sim_store *store, const char *hash, uint32_t replication, struct sim_outcome **ret,
                   char **ret_failure, struct sim_located_error *error);

#endif
