/** A simulated job, and the pool that recycles its nodes. */
#ifndef SIM_JOB_H
#define SIM_JOB_H

#include "../models/endpoint.h"
#include "../models/workload.h"
#include "../sched/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_job {
    struct sched_job sched; /**< first: the scheduler's view of this job */
    struct model_work work;
    struct model_request request;  /**< while in service */
    struct sim_job *older, *newer; /**< list of jobs in the system, by arrival */
    uint32_t stream;               /**< index over the scenario */
    uint32_t number;               /**< within the stream */
    uint32_t attempts;             /**< sent so far */
    bool counted;                  /**< belongs to the measurement */
    bool batch_expired;            /**< sent as part of a message batch that expires before it is done */
    bool after_throttle;           /**< the next attempt is a retry after a 429 */
    int64_t retry_floor_ns;        /**< ... which told it to wait until then; -1: it did not say */
};

/** How a job left the system. */
enum sim_ending { SIM_ENDED_COMPLETED, SIM_ENDED_FAILED, SIM_ENDED_ABANDONED, SIM_ENDED_CENSORED };

/** Jobs of one replication: nodes from growing blocks, recycled, and the list of those in the system. */
struct sim_job_pool {
    struct sim_job_block *blocks;
    struct sim_job *free;
    struct sim_job *oldest, *newest;
    uint64_t open; /**< jobs in the system */
};

/** All zero is an empty pool. */
void sim_job_pool_finish(struct sim_job_pool *pool);

/** A zeroed job, appended to the list. */
struct sim_job *sim_job_pool_take(struct sim_job_pool *pool);

/** Draw job @p number of @p stream, which has @p index over the scenario, and fill in what its caller states to the
 *  scheduler at @p now_ns. @p row: of a trace, or NULL. */
void sim_job_draw(struct sim_job *job, const struct model_stream *stream, uint32_t index, uint32_t number,
                  const struct model_trace_row *row, const struct model_streams *streams, int64_t now_ns);

/** @p job left the system; its node may be reused at once. */
void sim_job_pool_give(struct sim_job_pool *pool, struct sim_job *job);

#endif
