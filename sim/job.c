#include "job.h"

#include "memory.h"

#include <stdlib.h>

enum { JOBS_PER_BLOCK = 128 };

struct sim_job_block {
    struct sim_job_block *next;
    struct sim_job jobs[JOBS_PER_BLOCK];
};

void sim_job_pool_finish(struct sim_job_pool *pool) {
    while (pool->blocks) {
        struct sim_job_block *block = pool->blocks;

        pool->blocks = block->next;
        free(block);
    }
    *pool = (struct sim_job_pool){0};
}

static void grow(struct sim_job_pool *pool) {
    struct sim_job_block *block = sim_alloc(sizeof *block);

    block->next = pool->blocks;
    pool->blocks = block;
    for (size_t i = 0; i < JOBS_PER_BLOCK; i++) {
        block->jobs[i].newer = pool->free;
        pool->free = &block->jobs[i];
    }
}

struct sim_job *sim_job_pool_take(struct sim_job_pool *pool) {
    struct sim_job *job;

    if (!pool->free)
        grow(pool);
    job = pool->free;
    pool->free = job->newer;
    *job = (struct sim_job){.older = pool->newest};
    if (pool->newest)
        pool->newest->newer = job;
    else
        pool->oldest = job;
    pool->newest = job;
    pool->open++;
    return job;
}

void sim_job_pool_give(struct sim_job_pool *pool, struct sim_job *job) {
    if (job->older)
        job->older->newer = job->newer;
    else
        pool->oldest = job->newer;
    if (job->newer)
        job->newer->older = job->older;
    else
        pool->newest = job->older;
    pool->open--;
    job->newer = pool->free;
    pool->free = job;
}

void sim_job_draw(struct sim_job *job, const struct model_stream *stream, uint32_t index, uint32_t number,
                  const struct model_trace_row *row, const struct model_streams *streams, int64_t now_ns) {
    struct model_work *work = &job->work;

    model_work_draw(stream, index, number, row, streams, work);
    job->stream = index;
    job->number = number;
    job->retry_floor_ns = -1;
    job->sched.id = (uint64_t)index << 32 | number;
    job->sched.tenant = stream->tenant;
    job->sched.model = stream->model;
    job->sched.origin = stream->origin;
    job->sched.sla_ns = stream->sla_ns;
    job->sched.input_tokens = work->input_tokens;
    job->sched.uncached_tokens = work->input_tokens - work->cached_tokens;
    job->sched.max_tokens = work->max_tokens;
    job->sched.patience_end_ns = work->patience_ns == SCHED_NEVER ? SCHED_NEVER : now_ns + work->patience_ns;
}
