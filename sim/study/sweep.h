/** Running the configurations of a study: what is missing, in which shard, and getting it done. */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include "execute.h"
#include "shard.h"
#include "store.h"
#include "study.h"

/** May a study be kept in @p folder? Not where the result of a run or claims are. Looks only. @return false with *error. */
bool sim_sweep_folder_usable(const char *folder, struct sim_located_error *error);

/** Describe @p configurations of @p study for the database: every scenario is read once, for its hash.
 *  @return false with *error when one cannot be read, or was stopped (empty message). */
bool sim_sweep_describe(const struct sim_study *study, const struct sim_configurations *configurations,
                        const volatile int *stop, struct sim_stored_study *ret, struct sim_located_error *error);

/** Units of @p stored (configurations numbered from 0) that fall to @p shard and have no result in @p store (NULL: none
 *  has); *ret (free) of *ret_count. Units are dealt out one by one, so that shards take about equally long. *ret_total:
 *  all units of the shard. */
bool sim_sweep_missing(struct sim_store *store, const struct sim_stored_study *stored, struct sim_shard shard,
                       struct sim_unit **ret, size_t *ret_count, size_t *ret_total, struct sim_located_error *error);

struct sim_sweep_options {
    uint32_t jobs;            /**< threads; 0: all cores */
    const volatile int *stop; /**< running units end and are kept */
    /** Called under a lock as units finish, and before the first one with 0; NULL: no progress. */
    void (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
};

/** Run @p units and put what comes of them into @p store; a unit that fails leaves its reason there. *ret_done: how many
 *  were put. @return false with *error, whose message is empty when it was stopped. */
bool sim_sweep_run(const struct sim_study *study, const struct sim_configurations *configurations,
                   struct sim_store *store, const struct sim_unit *units, size_t count,
                   const struct sim_sweep_options *options, size_t *ret_done, struct sim_located_error *error);

#endif
