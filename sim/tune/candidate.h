/** Candidates of a tuning run and their replications.
 *
 *  Replications come in blocks of which each has a seed of its own: what was found on one block is judged on another that
 *  nobody has looked at. Within a block, replication r faces the same jobs whatever the candidate (common random
 *  numbers). Of each outcome only what tuning reads is kept. */
#ifndef SIM_CANDIDATE_H
#define SIM_CANDIDATE_H

#include "../measure/figures.h"
#include "../measure/outcome.h"
#include "../study/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_block { SIM_SEARCH, SIM_SELECTION, SIM_CONFIRMATION, SIM_BLOCKS };

/** Seed of @p block: the scenario's own for the search, else one derived from it by the generator, so that neighbouring
 *  seeds of scenarios share no block. */
uint64_t sim_block_seed(uint64_t seed, enum sim_block block);

struct sim_candidate {
    size_t number;       /**< 0: the baseline */
    const char **values; /**< by axis, JSON text; NULL: the scenario's own */
    char hash[65];       /**< of its scenario */
    double warmup_s;     /**< settled */
    struct sim_trials {
        struct sim_outcome **outcomes;
        uint32_t count; /**< replications 1 .. count are there */
    } trials[SIM_BLOCKS];
    char *failure; /**< why a replication could not be finished; NULL: none failed. Such a candidate is out */
    uint32_t failed_replication;
};

/** What all candidates share. */
struct sim_bench {
    const struct sim_study *study;
    const struct sim_figures *figures;                          /**< of the baseline; must fit all */
    bool *sample_wanted;                                        /**< by sample: kept in outcomes */
    uint32_t jobs;                                              /**< threads; 0: all cores */
    const volatile int *stop;                                   /**< set by a signal */
    void (*progress)(void *context, size_t done, size_t total); /**< of one call, under a lock; NULL: none */
    void *progress_context;
    struct sim_scenario_memory *memory;
};

/** A candidate with @p values (copied; texts borrowed), its scenario read once for its hash. @return NULL with *error. */
struct sim_candidate *sim_candidate_create(const struct sim_bench *bench, size_t number, const char *const *values,
                                           struct sim_located_error *error);
/** Accepts NULL. */
void sim_candidate_destroy(struct sim_candidate *candidate);

/** Forget the outcomes of one block. */
void sim_candidate_forget(struct sim_candidate *candidate, enum sim_block block);

/** Bring every candidate that has not failed to @p replications of @p block, on all threads.
 *  @return false with *error: interrupted, or a candidate that changes whose jobs they are. */
bool sim_candidates_run(const struct sim_bench *bench, struct sim_candidate *const *candidates, size_t count,
                        enum sim_block block, uint32_t replications, struct sim_located_error *error);

/** Outcomes of one block, for the estimates. */
const struct sim_outcome *const *sim_candidate_outcomes(const struct sim_candidate *candidate, enum sim_block block);

#endif
