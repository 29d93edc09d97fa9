/** What one replication measured: plain numbers, in slots that the figure catalogue names. */
#ifndef SIM_OUTCOME_H
#define SIM_OUTCOME_H

#include "../../models/endpoint.h"
#include "histogram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Scalars of a replication. Rows of the figure table (figures.c) refer to them; S expands over class. */
enum sim_scalar {
    /* by effective class, then all: 4 each */
    SIM_ARRIVED = 0,
    SIM_COMPLETED = 4,
    SIM_FAILED = 8,
    SIM_ABANDONED = 12,
    SIM_CENSORED = 16,
    /* by requested class, then all */
    SIM_REQUESTED_ARRIVED = 20,
    SIM_REQUESTED_COMPLETED = 24,
    SIM_REQUESTED_FAILED = 28,
    SIM_REQUESTED_ABANDONED = 32,
    SIM_REQUESTED_CENSORED = 36,
    SIM_UNSERVED_MAX = 40, /**< by class, then all, s */
    SIM_JAIN_SERVICE = 44,
    SIM_JAIN_WEIGHTED,
    SIM_JAIN_ENTITLEMENT,
    SIM_JAIN_SERVICE_WINDOWED,
    SIM_JAIN_WEIGHTED_WINDOWED,
    SIM_JAIN_ENTITLEMENT_WINDOWED,
    SIM_JAIN_POISSON, /**< what Poisson noise alone gives the windowed service index */
    SIM_THROTTLES_TOTAL,
    SIM_THROTTLES_RPM,
    SIM_THROTTLES_ITPM,
    SIM_THROTTLES_OTPM,
    SIM_THROTTLES_RAMP,
    SIM_THROTTLES_CONCURRENCY,
    SIM_THROTTLES_OVERLOAD,
    SIM_THROTTLES_SPEND,
    SIM_THROTTLES_RATE, /**< 429s / attempts */
    SIM_RECURRENCE,     /**< retries after a 429 that get a 429 / retries after a 429 */
    SIM_AMPLIFICATION,  /**< attempts / admitted */
    SIM_EARLY_SHARE,    /**< retries sent before retry-after / retries after a 429 that had one */
    SIM_REQUESTS_PER_S,
    SIM_REQUESTS_SD_PER_S,
    SIM_REQUESTS_SD_PER_100MS,
    SIM_REQUESTS_PEAK_PER_S,
    SIM_ADMITTED_PER_S,
    SIM_ADMITTED_SD_PER_S,
    SIM_ADMITTED_SD_PER_100MS,
    SIM_ADMITTED_PEAK_PER_S,
    SIM_UTILISATION_RPM,
    SIM_UTILISATION_ITPM,
    SIM_UTILISATION_OTPM,
    SIM_WORKERS_BUSY,
    SIM_WORKERS_BACKOFF,
    SIM_WORKERS_IDLE,
    SIM_QUEUE_MEAN,
    SIM_QUEUE_MAX,
    SIM_INVERSIONS,
    SIM_DEMOTIONS_COUNT,
    SIM_DEMOTIONS_TENANTS,
    SIM_DEMOTIONS_TIME_SHARE,
    SIM_DEMOTIONS_BY_THROTTLES, /**< those of demotions.count that 429s caused, not the budget */
    SIM_DEMOTIONS_BY_BURST,     /**< ... all within a second */
    SIM_UNSERVABLE,
    SIM_THROUGHPUT,
    SIM_INPUT_TOKENS,
    SIM_OUTPUT_TOKENS,
    SIM_COST_USD,
    SIM_SCALARS
};

/** Scalars of each tenant; they follow the SIM_SCALARS, tenant by tenant. */
enum sim_tenant_scalar {
    SIM_TENANT_ARRIVED,
    SIM_TENANT_COMPLETED,
    SIM_TENANT_FAILED,
    SIM_TENANT_ABANDONED,
    SIM_TENANT_CENSORED,
    SIM_TENANT_THROTTLES,
    SIM_TENANT_DEMOTIONS,
    SIM_TENANT_DEMOTIONS_BY_THROTTLES,
    SIM_TENANT_DEMOTIONS_BY_BURST,
    SIM_TENANT_SERVED_COST,
    SIM_TENANT_DEMAND_COST,
    SIM_TENANT_UNSERVED_MAX,
    SIM_TENANT_SCALARS
};

/** Groups of jobs whose latency and wait are sampled: critical, standard, batch, all by effective class; the same four
 * by requested class; then each tenant. Sample number = 2 x group + (0 latency, 1 wait). */
enum { SIM_GROUP_ALL = 3, SIM_GROUP_REQUESTED = 4, SIM_GROUP_TENANTS = 8 };
enum sim_time { SIM_LATENCY, SIM_WAIT };

/** What the always-on checks found. Counts of violations; all 0 is good. */
struct sim_invariants {
    uint64_t conservation;      /**< arrivals = completed + failed + abandoned + censored */
    uint64_t time_in_system;    /**< integral of jobs in system = sum of times in system */
    uint64_t work_conservation; /**< an idle worker beside an eligible job */
    uint64_t bucket;            /**< more admitted in some window than burst + rate x t */
    uint64_t clock;             /**< time went back */
};

/** One point of the time series: state at an instant, counters since the previous point. */
struct sim_series_point {
    double time_s;
    double queue[3];             /**< jobs queued by class */
    double in_system;            /**< jobs queued, in back-off, gathered for a batch, or in service */
    double busy, backoff;        /**< workers */
    double demoted;              /**< tenants demoted */
    double level[MODEL_BUCKETS]; /**< level / capacity of the first model class; NAN without the limit */
    double arrived, attempts, admitted, completed, failed, abandoned;
    double throttles[MODEL_LIMITERS];
    double latency_sum_s; /**< of the jobs completed since the previous point */
};

/** Time in the system of the jobs that arrived within one step, however they ended. */
struct sim_sojourns {
    double sum_s;
    double jobs;
};

struct sim_series {
    struct sim_series_point *points;
    struct sim_sojourns *sojourns; /**< by step of arrival: [i] covers the step that point i ends */
    size_t count;
};

struct sim_outcome {
    double *value;  /**< by slot: the value, or the numerator of a ratio; NAN: does not exist */
    double *weight; /**< by slot: the denominator of a ratio; else 1 */
    size_t slot_count;
    struct sim_sample *samples; /**< 2 x (SIM_GROUP_TENANTS + tenants) */
    size_t sample_count;
    uint64_t *over; /**< by SLO: jobs over its limit, those beyond included (but for served.*); 0 for SLOs on anything
                       but a quantile */
    size_t slo_count;
    uint64_t jobs; /**< simulated, counted or not */
    double end_s;  /**< when the run ended */
    struct sim_series series;
    struct sim_invariants invariants;
    char *prometheus; /**< OpenMetrics text of the article's six metrics; replication 1 only, else NULL */
};

/** Owned by the caller, as is what samples, series and prometheus will point to. Every value is 0 and every weight 1;
 *  samples are empty. */
struct sim_outcome *sim_outcome_create(uint32_t tenant_count, size_t slo_count);
/** Accepts NULL. */
void sim_outcome_destroy(struct sim_outcome *outcome);

#endif
