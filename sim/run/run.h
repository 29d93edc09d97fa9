/** Run a scenario: all replications, on several threads, and what comes of them. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "../measure/figures.h"
#include "../measure/outcome.h"
#include "../observer.h"
#include "../scenario/scenario.h"
#include "../stats/estimate.h"

/** What pilot replications showed of the way into the steady state: means over them, step by step from the start. */
struct sim_welch_point {
    double time_s;     /**< end of the step */
    double backlog;    /**< jobs in the system at that instant */
    double backlog_ma; /**< the same, averaged over the steps around it */
    double sojourn_s;  /**< time in the system of jobs that arrived in the step; NAN: none did */
    double sojourn_ma_s;
};

/** A chosen warm-up (warmup.h). */
struct sim_warmup {
    int64_t chosen_ns;
    int64_t backlog_ns, sojourn_ns; /**< end of the transient by each series; chosen_ns is the later one */
    struct sim_welch_point *points;
    size_t count; /**< 0: none was chosen */
};

/** Was the precision that the scenario asks for reached? */
struct sim_precision_result {
    const struct sim_figure *figure; /**< NULL: none was asked for */
    double wanted;
    bool reached;    /**< false: inconclusive */
    double relative; /**< half-width / value, the larger half; NAN: cannot be told */
    const char *why; /**< static words when it was not reached */
};

/** A finished run: owns outcomes, figures and estimates. What the scenario points to is borrowed. */
struct sim_result {
    struct sim_scenario run;             /**< the scenario as it ran: a chosen warm-up filled in */
    const struct sim_scenario *scenario; /**< that one */
    struct sim_figures *figures;
    struct sim_outcome **outcomes; /**< in order of replication */
    size_t replications;
    struct sim_estimate *estimates; /**< by figure, 95 % */
    struct sim_slo *slos;
    struct sim_slo_result *slo_results;
    size_t slo_count;
    struct sim_warmup warmup;
    struct sim_precision_result precision;
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
    const struct sim_observer *observer; /**< hears of every job, if `job_rows` is NULL; NULL: nobody does */
    const volatile int *stop;            /**< set by a signal: finish early with an error */
};

/** Run @p scenario: the warm-up chosen first where it is "auto", then replications 1 to `replications`, or as many as the
 *  precision asked for takes. Nothing in the result depends on the number of threads.
 *  @return the result (sim_result_destroy), or NULL with *error filled (pending jobs, interrupted, no steady state to
 *  warm up to). */
struct sim_result *sim_run(const struct sim_scenario *scenario, const struct sim_run_options *options,
                           struct sim_located_error *error);

void sim_result_destroy(struct sim_result *result);

#endif
