/** An idle system's jobs of one stream: stratified draws of work and service time. */
#ifndef SIM_LOAD_DRAWS_H
#define SIM_LOAD_DRAWS_H

#include "../scenario/scenario.h"

/** What a stream is like on average, and a sample of its service times. */
struct sim_load_draws {
    double rate_per_s; /**< jobs, over the run */
    double input;      /**< mean tokens that the input limit counts */
    double output;     /**< mean tokens produced */
    double service;    /**< mean service time, s */
    double largest;    /**< input tokens, cached or not: the 99.9 % quantile, or the trace's largest drawn */
    double *service_s; /**< `count` draws; NULL with count 0 */
    size_t count;
};

/** Draw @p count jobs of stream number @p index; none where its trace has no row for it. Latencies are those in force at
 *  time 0. */
void sim_load_draws_init(struct sim_load_draws *draws, const struct sim_scenario *scenario, uint32_t index,
                         size_t count);
void sim_load_draws_finish(struct sim_load_draws *draws);

#endif
