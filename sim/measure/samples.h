/** Latency and wait of counted jobs, and how they ended: by effective and requested class, by tenant. */
#ifndef SIM_SAMPLES_H
#define SIM_SAMPLES_H

#include "../job.h"
#include "figures.h"
#include "histogram.h"
#include "outcome.h"

#include <stdint.h>

/** One time of a set of jobs while it is being recorded. */
struct sim_recording {
    struct sim_histogram finite;
    uint64_t beyond;
    int64_t beyond_min_ns;
};

/** The jobs of one tenant, effective class and requested class: the finest sets, of which all others are unions. */
struct sim_cell {
    struct sim_recording times[2]; /**< by enum sim_time */
    uint64_t ended[4];             /**< by enum sim_ending */
};

/** Which jobs an SLO counts, and over what. */
struct sim_over_rule {
    size_t group; /**< as in outcome.h; SIZE_MAX: no quantile, counts nothing */
    enum sim_time time;
    double limit_ns;
    bool served; /**< completed jobs only */
};

struct sim_samples {
    struct sim_cell (*cells)[SCHED_CLASSES][SCHED_CLASSES]; /**< tenant, effective class, requested class */
    uint32_t tenant_count;
    struct sim_over_rule *rules;
    uint64_t *over;
    size_t rule_count;
};

void sim_samples_init(struct sim_samples *samples, uint32_t tenant_count, const struct sim_slo *slos, size_t slo_count);
void sim_samples_finish(struct sim_samples *samples);

/** The counted @p job ended at @p end_ns. */
void sim_samples_ended(struct sim_samples *samples, const struct sim_job *job, enum sim_ending ending, int64_t end_ns);

/** All counted jobs that ended. */
uint64_t sim_samples_count(const struct sim_samples *samples);

/** Write samples, counts by ending and counts over SLO limits. */
void sim_samples_report(const struct sim_samples *samples, struct sim_outcome *outcome);

#endif
