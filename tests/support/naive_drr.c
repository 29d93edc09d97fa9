#include "naive_drr.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TENANTS_MAX = 16, JOBS_MAX = 10000 };

struct queue {
    const struct sched_job *jobs[JOBS_MAX];
    int64_t cost[JOBS_MAX];
    int64_t patience_end_ns[JOBS_MAX];
    int first, end;
    double deficit;
};

struct naive_drr {
    const struct sched_config *config;
    struct queue queues[TENANTS_MAX];
    uint32_t active[TENANTS_MAX]; /* [0] has the turn or gets the next one */
    int active_count;
    bool turn_open;
};

struct naive_drr *naive_drr_create(const struct sched_config *config) {
    struct naive_drr *naive = calloc(1, sizeof *naive);

    assert(naive && config->tenant_count <= TENANTS_MAX);
    naive->config = config;
    return naive;
}

void naive_drr_destroy(struct naive_drr *naive) {
    free(naive);
}

void naive_drr_push(struct naive_drr *naive, const struct sched_job *job) {
    struct queue *queue = &naive->queues[job->tenant];

    assert(queue->end < JOBS_MAX);
    if (queue->first == queue->end)
        naive->active[naive->active_count++] = job->tenant;
    queue->jobs[queue->end] = job;
    queue->cost[queue->end] = job->input_tokens;
    queue->patience_end_ns[queue->end] = job->patience_end_ns;
    queue->end++;
}

static void drop_front(struct naive_drr *naive) {
    naive->active_count--;
    memmove(naive->active, naive->active + 1, (size_t)naive->active_count * sizeof naive->active[0]);
    naive->turn_open = false;
}

static void front_to_tail(struct naive_drr *naive) {
    uint32_t tenant = naive->active[0];

    drop_front(naive);
    naive->active[naive->active_count++] = tenant;
}

static void drop_expired(struct queue *queue, int64_t now_ns) {
    while (queue->first < queue->end && queue->patience_end_ns[queue->first] <= now_ns)
        queue->first++;
}

static bool fits(const struct queue *queue, int index) {
    return (double)queue->cost[index] <= queue->deficit;
}

/** The front queue has just sent. Its turn ends at once if what it holds next does not fit; jobs whose patience has
 * ended stay for the next pick to meet, but do not decide this. */
static void settle_front(struct naive_drr *naive, struct queue *queue, int64_t now_ns) {
    int next = queue->first;

    while (next < queue->end && queue->patience_end_ns[next] <= now_ns)
        next++;
    if (queue->first == queue->end) {
        queue->deficit = 0;
        drop_front(naive);
    } else if (next < queue->end && !fits(queue, next)) {
        front_to_tail(naive);
    }
}

const struct sched_job *naive_drr_next(struct naive_drr *naive, int64_t now_ns) {
    while (naive->active_count > 0) {
        uint32_t tenant = naive->active[0];
        struct queue *queue = &naive->queues[tenant];
        const struct sched_job *job;

        drop_expired(queue, now_ns);
        if (queue->first == queue->end) {
            queue->deficit = 0;
            drop_front(naive);
            continue;
        }
        if (!naive->turn_open) {
            queue->deficit += naive->config->tenants.quantum * naive->config->tenant[tenant].weight;
            naive->turn_open = true;
        }
        if (!fits(queue, queue->first)) {
            front_to_tail(naive);
            continue;
        }
        job = queue->jobs[queue->first];
        queue->deficit -= (double)queue->cost[queue->first];
        queue->first++;
        settle_front(naive, queue, now_ns);
        return job;
    }
    return NULL;
}

double naive_drr_deficit(const struct naive_drr *naive, uint32_t tenant) {
    return naive->queues[tenant].deficit;
}
