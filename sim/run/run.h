/** Run a scenario: all replications, on several threads, and what comes of them. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "../measure/figures.h"
#include "../measure/outcome.h"
#include "../scenario/scenario.h"
#include "../stats/estimate.h"

/** A finished run: owns outcomes, figures and estimates. The scenario is borrowed. */
struct sim_result {
    const struct sim_scenario *scenario;
    struct sim_figures *figures;
    struct sim_outcome **outcomes; /**< in order of replication */
    size_t replications;
    struct sim_estimate *estimates; /**< by figure, 95 % */
    struct sim_slo *slos;
    struct sim_slo_result *slo_results;
    size_t slo_count;
    char **warnings; /**< sentences */
    size_t warning_count;
    struct sim_invariants invariants; /**< summed */
};

struct sim_run_options {
    uint32_t jobs; /**< threads; 0: all cores */
    /** Called under a lock as replications finish; NULL: no progress. */
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *progress_context;
    /** One row per job, in order of replication; NULL: none. @return false to stop the run with an I/O error. */
    bool (*job_rows)(void *context, uint32_t replication, const char *csv, size_t length);
    void *job_context;
    const volatile int *stop; /**< set by a signal: finish early with an error */
};

/** Run @p scenario. @return the result (sim_result_destroy), or NULL with *error filled (pending jobs, interrupted). */
struct sim_result *sim_run(const struct sim_scenario *scenario, const struct sim_run_options *options,
                           struct sim_located_error *error);

void sim_result_destroy(struct sim_result *result);

#endif
