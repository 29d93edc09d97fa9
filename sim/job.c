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
