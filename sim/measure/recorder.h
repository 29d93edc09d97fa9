/** The recorder of one replication: told of every event, it writes the outcome. It never influences the run. */
#ifndef SIM_RECORDER_H
#define SIM_RECORDER_H

#include "../../sched/report.h"
#include "../../sched/scheduler.h"
#include "../job.h"
#include "../scenario/scenario.h"
#include "backlog.h"
#include "figures.h"
#include "outcome.h"
#include "samples.h"
#include "series.h"
#include "service.h"
#include "traffic.h"

/** What a worker is doing. */
enum sim_worker_state { SIM_WORKER_IDLE, SIM_WORKER_BUSY, SIM_WORKER_BACKOFF };

/** Steps from not demoted to demoted, and what triggered them. */
struct sim_demotions {
    uint64_t count;
    uint64_t by_throttles; /**< 429s, not the budget */
    uint64_t by_burst;     /**< ... all within a second */
};

struct sim_recorder {
    const struct sim_scenario *scenario;
    const struct sched_scheduler *scheduler;
    const struct model_endpoint *endpoint;
    struct sim_samples samples;
    struct sim_service service;
    struct sim_backlog backlog;
    struct sim_traffic traffic;
    struct sim_series_recorder series;
    bool measuring; /**< now is in [warmup, duration) */
    int64_t at_ns;
    uint64_t workers[3];   /**< by enum sim_worker_state */
    sim_wide worker_ns[3]; /**< over the measured span */
    uint64_t open;         /**< jobs in the system */
    sim_wide open_ns;      /**< integral of it, whole run */
    sim_wide sojourn_ns;   /**< times in the system of ended jobs, whole run */
    uint64_t jobs;         /**< arrived, whole run */
    uint64_t counted;      /**< counted jobs that arrived */
    uint64_t completed;    /**< within the measured span */
    uint64_t inversions;
    double input_tokens, output_tokens, cost_usd;
    int64_t *demoted_until_ns;       /**< by tenant, as last seen */
    struct sim_demotions *demotions; /**< by tenant */
    sim_wide demoted_ns;
    struct sim_invariants invariants;
    /* the article's metrics, replication 1 only: NULL otherwise */
    struct sched_report *report;
    struct sched_reading **readings;
    size_t reading_count, reading_capacity;
};

/** @p keep_report: keep the article's metrics over time. Borrows all arguments. */
void sim_recorder_init(struct sim_recorder *recorder, const struct sim_scenario *scenario,
                       const struct sched_scheduler *scheduler, const struct model_endpoint *endpoint,
                       const struct sim_slo *slos, size_t slo_count, bool keep_report);
void sim_recorder_finish(struct sim_recorder *recorder);

/** Time between readings of the article's metrics: 30 s, more in long runs and with thousands of tenants. */
int64_t sim_recorder_reading_step_ns(const struct sim_scenario *scenario);

/** Time moves to @p now_ns; everything stayed as it was until then. */
void sim_recorder_advance(struct sim_recorder *recorder, int64_t now_ns);

/** Boundaries, before anything else at their instant. `close` makes every warm-up job that is still open count. */
void sim_recorder_begin(struct sim_recorder *recorder);
void sim_recorder_window(struct sim_recorder *recorder);
void sim_recorder_close(struct sim_recorder *recorder, struct sim_job *oldest);
/** A point of the time series; a reading of the article's metrics. */
void sim_recorder_point(struct sim_recorder *recorder);
void sim_recorder_reading(struct sim_recorder *recorder);

/** The picks of this instant are done. @p idle_beside_work: a worker stands idle beside a job that it may take. */
void sim_recorder_settled(struct sim_recorder *recorder, bool idle_beside_work);

void sim_recorder_arrived(struct sim_recorder *recorder, struct sim_job *job);
void sim_recorder_queued(struct sim_recorder *recorder, const struct sim_job *job);
void sim_recorder_picked(struct sim_recorder *recorder, const struct sim_job *job, bool inversion);
/** A queued job was found to have left when its patience ended. It then ends as abandoned. */
void sim_recorder_expired(struct sim_recorder *recorder, const struct sim_job *job);
void sim_recorder_attempt(struct sim_recorder *recorder, const struct sim_job *job,
                          const struct model_admission *admission);
void sim_recorder_advice(struct sim_recorder *recorder, const struct sim_job *job, const struct sched_advice *advice);
void sim_recorder_worker(struct sim_recorder *recorder, enum sim_worker_state from, enum sim_worker_state to);
/** @p job leaves the system, having ended at @p end_ns (<= now). @p usd: what it cost, if it completed. */
void sim_recorder_ended(struct sim_recorder *recorder, const struct sim_job *job, enum sim_ending ending,
                        int64_t end_ns, double usd);

/** The run is over at the recorder's instant; jobs still open must have been ended as censored. */
struct sim_outcome *sim_recorder_outcome(struct sim_recorder *recorder, size_t slo_count);

#endif
