/** The life of single jobs: what happened to each, and who was served before it, from a run that repeats a recorded one. */
#ifndef SIM_LIFE_H
#define SIM_LIFE_H

#include "run.h"

enum sim_life_kind {
    SIM_LIFE_QUEUED,   /**< joined the queue of its class, or, going to Message Batches, the batch being gathered */
    SIM_LIFE_PASSED,   /**< while it was queued a worker picked another job */
    SIM_LIFE_PICKED,   /**< a worker picked it, or its batch was sent */
    SIM_LIFE_HELD,     /**< pacing holds it */
    SIM_LIFE_REFUSED,  /**< sent, and refused */
    SIM_LIFE_BACKOFF,  /**< so it waits for the next attempt, its worker with it */
    SIM_LIFE_ADMITTED, /**< sent, and in service */
    SIM_LIFE_DEMOTED,  /**< its tenant was demoted while it was here, by this job or another */
    SIM_LIFE_ENDED
};

/** One thing that happened; members that its kind does not name are 0. */
struct sim_life_event {
    int64_t at_ns;
    enum sim_life_kind kind;
    uint32_t worker;                 /**< PICKED, PASSED; SIM_NO_WORKER: a batch was sent */
    enum sched_class class_id;       /**< QUEUED: its class; PASSED: the other job's */
    uint32_t tenant, stream, number; /**< PASSED: the other job */
    bool again;                      /**< QUEUED: after a requeue */
    bool gathers;                    /**< QUEUED: in a batch that is being gathered */
    bool demoted;                    /**< QUEUED: its tenant was demoted */
    bool by_throttles;               /**< DEMOTED: by 429s, else by its budget */
    enum model_limiter limiter;      /**< REFUSED */
    int64_t retry_after_ns;          /**< REFUSED: as it was told; -1: it was not */
    int64_t until_ns;                /**< HELD, BACKOFF: end */
    bool requeues;                   /**< BACKOFF: it goes back to the queue then */
    int64_t first_token_ns;          /**< ADMITTED */
};

/** Where the time between arrival and end went; the parts add up to it. */
struct sim_life_parts {
    int64_t queue_ns;                   /**< queued */
    int64_t gather_ns;                  /**< in a batch that was not sent yet */
    int64_t held_ns;                    /**< by pacing */
    int64_t backoff_ns[MODEL_LIMITERS]; /**< after a refusal by that limiter, until the next attempt */
    uint32_t refusals[MODEL_LIMITERS];
    int64_t service_ns; /**< from admission, or from sending its batch */
    uint32_t passed;    /**< picks that passed it by */
};

struct sim_life {
    uint32_t replication, stream, number; /**< which job; given */
    bool found;                           /**< such a job arrived; without it the rest is 0 */
    uint32_t tenant;
    enum sched_origin origin;
    int64_t sla_ns;
    enum sched_class requested, class_id; /**< class_id: that of its last enqueue */
    struct model_work work;
    int64_t cost;
    bool counted;
    uint32_t attempts;
    enum sim_ending ending;
    int64_t arrived_ns, ended_ns; /**< ended_ns of a censored job: the end of the run */
    struct sim_life_event *events;
    size_t count, room;
    bool queued;          /**< scratch: in a queue of its class now */
    uint32_t stream_jobs; /**< jobs that its stream had in that replication */
};

/** Trace the @p count jobs of @p lives by running their replications of @p scenario again. Jobs that never arrived are
 *  not found, which is no error. Finish each in any case. @return false with *error: a run failed. */
bool sim_lives_trace(const struct sim_scenario *scenario, struct sim_life *lives, size_t count,
                     const volatile int *stop, struct sim_located_error *error);
void sim_life_finish(struct sim_life *life);

struct sim_life_parts sim_life_parts(const struct sim_life *life);

#endif
