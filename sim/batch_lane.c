#include "batch_lane.h"

#include "memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void sim_batch_lane_init(struct sim_batch_lane *lane, const struct model_batches_config *config,
                         const struct model_streams *streams, struct sim_event_queue *events) {
    *lane = (struct sim_batch_lane){.config = config, .streams = streams, .events = events, .flush_ns = SCHED_NEVER};
}

void sim_batch_lane_finish(struct sim_batch_lane *lane) {
    free(lane->slots);
    free(lane->free_slots);
    *lane = (struct sim_batch_lane){0};
}

bool sim_batch_lane_add(struct sim_batch_lane *lane, struct sim_job *job, int64_t now_ns) {
    job->sched.next = NULL;
    if (lane->gathered_last)
        lane->gathered_last->sched.next = &job->sched;
    else
        lane->gathered = job;
    lane->gathered_last = job;
    lane->gathered_count++;
    if (lane->gathered_count >= lane->config->size)
        return true;
    if (lane->flush_ns == SCHED_NEVER) {
        lane->flush_ns = now_ns + lane->config->flush_ns;
        sim_event_queue_push(lane->events, lane->flush_ns, SIM_BATCH, SIM_BATCH_FLUSH);
    }
    return false;
}

static uint32_t take_slot(struct sim_batch_lane *lane, struct sim_job *job) {
    uint32_t slot;

    if (lane->free_count > 0) {
        slot = lane->free_slots[--lane->free_count];
    } else {
        if (lane->slot_count == lane->slot_capacity) {
            lane->slot_capacity = lane->slot_capacity ? 2 * lane->slot_capacity : 64;
            lane->slots = sim_realloc(lane->slots, lane->slot_capacity, sizeof lane->slots[0]);
            lane->free_slots = sim_realloc(lane->free_slots, lane->slot_capacity, sizeof lane->free_slots[0]);
        }
        slot = lane->slot_count++;
    }
    lane->slots[slot] = job;
    return slot;
}

static int64_t completion_ns(const struct sim_batch_lane *lane, const struct sim_job *job) {
    double u = model_uniform(lane->streams, job->stream, job->number, MODEL_BATCH_TIME, 0);
    double ns = model_distribution_quantile(&lane->config->completion_s, u) * 1e9;

    return llround(fmin(fmax(0, ns), 9e17));
}

struct sim_job *sim_batch_lane_take(struct sim_batch_lane *lane) {
    struct sim_job *job = lane->gathered;

    if (!job)
        return NULL;
    lane->gathered = (struct sim_job *)job->sched.next;
    if (!lane->gathered) {
        lane->gathered_last = NULL;
        lane->flush_ns = SCHED_NEVER;
    }
    lane->gathered_count--;
    return job;
}

void sim_batch_lane_send(struct sim_batch_lane *lane, struct sim_job *job, int64_t now_ns) {
    int64_t took_ns = completion_ns(lane, job);

    job->batch_expired = took_ns > lane->config->expires_ns;
    if (job->batch_expired)
        took_ns = lane->config->expires_ns;
    sim_event_queue_push(lane->events, now_ns + took_ns, SIM_BATCH, take_slot(lane, job) + 1);
}

struct sim_job *sim_batch_lane_done(struct sim_batch_lane *lane, uint32_t index, bool *ret_expired) {
    struct sim_job *job;

    assert(index >= 1 && index <= lane->slot_count);
    job = lane->slots[index - 1];
    lane->slots[index - 1] = NULL;
    lane->free_slots[lane->free_count++] = index - 1;
    *ret_expired = job->batch_expired;
    return job;
}
