/** Pending events of a simulated world, in the order in which they are applied.
 *
 *  Events of one instant are ordered by kind, then by the number of the worker or stream they belong to, so that the
 *  order of a scenario's file never decides a race. Equal events keep no particular order: they are the same event. */
#ifndef SIM_EVENT_QUEUE_H
#define SIM_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Kinds in the order of application within an instant. Idle workers pick between SIM_ARRIVAL and SIM_RETRY_AT_ONCE. */
enum sim_event_kind {
    SIM_BOUNDARY,      /**< ends of measurement windows; index: which */
    SIM_PROGRESS,      /**< first token or completion; index: worker */
    SIM_BATCH,         /**< a message batch is sent, or a job of one is done; index: order of creation */
    SIM_RETRY,         /**< end of a back-off or of a pacing hold; index: worker */
    SIM_CHANGE,        /**< the endpoint changes */
    SIM_WAKE,          /**< a refill or the end of a linger: workers look again */
    SIM_ARRIVAL,       /**< index: stream */
    SIM_RETRY_AT_ONCE, /**< a retry without delay; index: worker */
};

struct sim_event {
    int64_t at_ns;
    enum sim_event_kind kind;
    uint32_t index;
};

/** An event as the heap keeps it: what orders it within its instant is one number. */
struct sim_event_entry {
    int64_t at_ns;
    uint64_t order; /**< kind << 32 | index */
};

/** A 4-ary heap; all zero is an empty queue. */
struct sim_event_queue {
    struct sim_event_entry *heap;
    size_t count;
    size_t capacity;
};

void sim_event_queue_finish(struct sim_event_queue *queue);

void sim_event_queue_push(struct sim_event_queue *queue, int64_t at_ns, enum sim_event_kind kind, uint32_t index);

/** Remove the first event. The queue must not be empty. */
struct sim_event sim_event_queue_pop(struct sim_event_queue *queue);

static inline struct sim_event sim_event_of(const struct sim_event_entry *entry) {
    return (struct sim_event){entry->at_ns, (enum sim_event_kind)(entry->order >> 32), (uint32_t)entry->order};
}

/** Is there a first event, and which? The queue is left as it is. */
static inline bool sim_event_queue_first(const struct sim_event_queue *queue, struct sim_event *ret) {
    if (queue->count == 0)
        return false;
    *ret = sim_event_of(queue->heap);
    return true;
}

#endif
