#include "event_queue.h"

#include "memory.h"

#include <assert.h>
#include <stdlib.h>

enum { WAYS = 4 };

/** Without a branch: which of two events comes first is a coin toss for the processor. */
static inline bool before(const struct sim_event_entry *a, const struct sim_event_entry *b) {
    return (a->at_ns < b->at_ns) | ((a->at_ns == b->at_ns) & (a->order < b->order));
}

void sim_event_queue_finish(struct sim_event_queue *queue) {
    free(queue->heap);
    *queue = (struct sim_event_queue){0};
}

void sim_event_queue_push(struct sim_event_queue *queue, int64_t at_ns, enum sim_event_kind kind, uint32_t index) {
    struct sim_event_entry event = {at_ns, (uint64_t)kind << 32 | index};
    size_t hole = queue->count;

    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity ? 2 * queue->capacity : 64;
        queue->heap = sim_realloc(queue->heap, queue->capacity, sizeof queue->heap[0]);
    }
    queue->count++;
    while (hole > 0 && before(&event, &queue->heap[(hole - 1) / WAYS])) {
        queue->heap[hole] = queue->heap[(hole - 1) / WAYS];
        hole = (hole - 1) / WAYS;
    }
    queue->heap[hole] = event;
}

/** The least of the children of @p parent, or count when it has none. */
static size_t least_child(const struct sim_event_queue *queue, size_t parent) {
    size_t first = parent * WAYS + 1;
    size_t end = first + WAYS < queue->count ? first + WAYS : queue->count;
    size_t least = first;

    if (first >= queue->count)
        return queue->count;
    for (size_t child = first + 1; child < end; child++)
        least = before(&queue->heap[child], &queue->heap[least]) ? child : least;
    return least;
}

struct sim_event sim_event_queue_pop(struct sim_event_queue *queue) {
    struct sim_event first;
    struct sim_event_entry last;
    size_t hole = 0;

    assert(queue->count > 0);
    first = sim_event_of(queue->heap);
    last = queue->heap[--queue->count];
    for (size_t child = least_child(queue, hole); child < queue->count && before(&queue->heap[child], &last);
         child = least_child(queue, hole)) {
        queue->heap[hole] = queue->heap[child];
        hole = child;
    }
    queue->heap[hole] = last;
    return first;
}
