/** The way of batch-class jobs through Message Batches: gathered, sent together, done one by one. */
#ifndef SIM_BATCH_LANE_H
#define SIM_BATCH_LANE_H

#include "../models/batches.h"
#include "../models/streams.h"
#include "event_queue.h"
#include "job.h"

/** Number of the event that sends the open batch; any other is a job's slot. */
#define SIM_BATCH_FLUSH 0

struct sim_batch_lane {
    const struct model_batches_config *config;
    const struct model_streams *streams;
    struct sim_event_queue *events;
    struct sim_job *gathered, *gathered_last; /**< the open batch, linked by sched.next */
    int64_t gathered_count;
    int64_t flush_ns;       /**< when the open batch is due; SCHED_NEVER: none is open */
    struct sim_job **slots; /**< jobs sent and not done, by event index - 1 */
    uint32_t slot_count, slot_capacity;
    uint32_t *free_slots;
    uint32_t free_count;
};

void sim_batch_lane_init(struct sim_batch_lane *lane, const struct model_batches_config *config,
                         const struct model_streams *streams, struct sim_event_queue *events);
void sim_batch_lane_finish(struct sim_batch_lane *lane);

/** Add @p job to the open batch. @return true when the batch is full and must be sent now. */
bool sim_batch_lane_add(struct sim_batch_lane *lane, struct sim_job *job, int64_t now_ns);

/** Take the open batch's next job, to send or drop it. @return NULL when the batch is empty. */
struct sim_job *sim_batch_lane_take(struct sim_batch_lane *lane);

/** Send @p job: its end is scheduled. */
void sim_batch_lane_send(struct sim_batch_lane *lane, struct sim_job *job, int64_t now_ns);

/** The job whose event has index @p index; its slot is free afterwards. *ret_expired: it expired undone. */
struct sim_job *sim_batch_lane_done(struct sim_batch_lane *lane, uint32_t index, bool *ret_expired);

#endif
