/** One replication: a simulated world in which the real scheduler serves drawn jobs against the modelled endpoint. */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "job.h"
#include "measure/figures.h"
#include "measure/outcome.h"
#include "observer.h"
#include "scenario/scenario.h"

struct sim_world_options {
    const struct sim_slo *slos;
    size_t slo_count;
    bool keep_report;                    /**< keep the article's metrics over time */
    const struct sim_observer *observer; /**< NULL: nobody */
    const volatile int *stop;            /**< checked now and then; NULL: never stopped */
};

/** Simulate replication @p replication (from 1) of @p scenario. Depends on nothing but its arguments.
 *  @return the outcome (sim_outcome_destroy), or NULL with *error filled: too many pending jobs, or stopped. */
struct sim_outcome *sim_world_run(const struct sim_scenario *scenario, uint32_t replication,
                                  const struct sim_world_options *options, struct sim_located_error *error);

#endif
