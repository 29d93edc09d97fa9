/** The load sheet: what a scenario's tenants ask for, as a share of what the endpoint and the workers give, and what an
 *  idle system would achieve, so that nobody believes an absurd scenario. Means and stratified draws; nothing is run.
 */
#ifndef SIM_LOAD_H
#define SIM_LOAD_H

#include "../measure/figures.h"
#include "../scenario/scenario.h"

/** Mean load of one tenant's jobs of one class under one model class's limits, or of several of those. */
struct sim_load_row {
    uint32_t tenant;
    enum sched_class class_id; /**< by origin and SLA */
    uint32_t model;
    bool batched; /**< goes to Message Batches: neither limits nor workers */
    double jobs_per_min;
    double input_per_min;        /**< tokens that the input limit counts, as estimated */
    double output_per_min;       /**< tokens produced; under `reserve` charging, reserved ones are not counted */
    double share[MODEL_BUCKETS]; /**< of each limit at time 0; NAN without the limit */
    double workers;              /**< mean busy workers without any wait */
};

/** One SLO beside the idle system. */
struct sim_load_slo {
    double idle; /**< the figure in a system without queueing and refusals; NAN when that says nothing */
    double over; /**< quantile SLOs: share of an idle system's jobs over the limit; else NAN */
    double jobs; /**< jobs that the figure's sample expects over all replications; NAN when not of a sample */
};

struct sim_load {
    struct sim_load_row *rows; /**< by tenant, class, model class */
    size_t row_count;
    struct sim_load_row *totals; /**< by model class: tenant and class mean nothing */
    size_t total_count;
    double workers_share; /**< mean busy workers / workers */
    double class_jobs_per_min[SCHED_CLASSES];
    double class_service_s[SCHED_CLASSES]; /**< mean service time; NAN without jobs */
    double quantum_tokens;                 /**< quantum x cost unit, for weight 1 */
    double quantum_min_tokens;             /**< the same for the smallest plan weight */
    double largest_tokens;                 /**< largest input: the greatest 99.9 % quantile of any stream */
    struct sim_load_slo *slos;             /**< in order of the SLOs given */
    size_t slo_count;
    char **warnings; /**< sentences */
    size_t warning_count;
};

/** Work it out. @return the sheet (sim_load_destroy). */
struct sim_load *sim_load_create(const struct sim_scenario *scenario, const struct sim_slo *slos, size_t slo_count);

/** Accepts NULL. */
void sim_load_destroy(struct sim_load *load);

#endif
