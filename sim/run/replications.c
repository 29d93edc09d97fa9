#include "replications.h"

#include "../memory.h"
#include "../world.h"
#include "job_rows.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

/** What the threads share; everything below the lock is guarded by it. */
struct crew {
    const struct sim_scenario *scenario;
    const struct sim_slo *slos;
    size_t slo_count;
    const struct sim_run_options *options;
    uint32_t first, count;
    struct sim_outcome **outcomes;
    pthread_mutex_t lock;
    struct sim_job_rows *rows; /* by replication; NULL: nobody wants them */
    uint32_t next;             /* next to start, from 0 */
    uint32_t done;
    uint32_t emitted; /* rows handed on */
    uint32_t failed;  /* lowest number that failed; count: none */
    struct sim_located_error error;
};

/** Remember the failure of the lowest number, so that the message does not depend on the threads either. */
static void note_failure(struct crew *crew, uint32_t index, const struct sim_located_error *error) {
    if (index < crew->failed) {
        crew->failed = index;
        crew->error = *error;
    }
}

/** Hand on the rows of every replication that has all its predecessors'. */
static void emit_rows(struct crew *crew) {
    while (crew->rows && crew->emitted < crew->count && crew->outcomes[crew->emitted]) {
        struct sim_job_rows *rows = &crew->rows[crew->emitted];

        if (!sim_job_rows_emit(rows, crew->first + crew->emitted, crew->options)) {
            struct sim_located_error error = {0};

            sim_error_set(&error, "", 0, "", "the job rows cannot be written: is the disk full?");
            note_failure(crew, crew->emitted, &error);
        }
        sim_job_rows_finish(rows);
        crew->emitted++;
    }
}

static struct sim_outcome *simulate(struct crew *crew, uint32_t index, struct sim_located_error *error) {
    struct sim_observer observer = {.ended = sim_job_rows_ended};
    struct sim_world_options options = {
        .slos = crew->slos,
        .slo_count = crew->slo_count,
        .keep_report = crew->first + index == 1,
        .observer = crew->options->observer,
        .stop = crew->options->stop,
    };

    if (crew->rows) {
        if (!sim_job_rows_init(&crew->rows[index], crew->scenario)) {
            sim_error_set(error, "", 0, "", "cannot make a temporary file for job rows: is the disk full?");
            return NULL;
        }
        observer.context = &crew->rows[index];
        options.observer = &observer;
    }
    return sim_world_run(crew->scenario, crew->first + index, &options, error);
}

static void *work(void *argument) {
    struct crew *crew = argument;

    pthread_mutex_lock(&crew->lock);
    while (crew->next < crew->count && crew->failed == crew->count) {
        uint32_t index = crew->next++;
        struct sim_located_error error = {0};
        struct sim_outcome *outcome;

        pthread_mutex_unlock(&crew->lock);
        outcome = simulate(crew, index, &error);
        pthread_mutex_lock(&crew->lock);
        crew->outcomes[index] = outcome;
        if (!outcome)
            note_failure(crew, index, &error);
        crew->done++;
        emit_rows(crew);
        if (crew->options->progress)
            crew->options->progress(crew->options->progress_context, crew->done, crew->count);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static uint32_t thread_count(const struct sim_run_options *options, uint32_t count) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t threads = options->jobs > 0 ? options->jobs : cores > 0 ? (uint32_t)cores : 1;

    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    return threads < count ? threads : count;
}

/** Run the crew on @p threads threads, this one among them; fewer when the system refuses to start them. */
static void run_crew(struct crew *crew, uint32_t threads) {
    pthread_t *ids = sim_calloc(threads, sizeof ids[0]);
    uint32_t started = 0;

    while (started + 1 < threads && pthread_create(&ids[started], NULL, work, crew) == 0)
        started++;
    work(crew);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    free(ids);
}

bool sim_replications_run(const struct sim_scenario *scenario, const struct sim_slo *slos, size_t slo_count,
                          uint32_t first, uint32_t last, const struct sim_run_options *options,
                          struct sim_outcome **outcomes, struct sim_located_error *error) {
    struct crew crew = {
        .scenario = scenario,
        .slos = slos,
        .slo_count = slo_count,
        .options = options,
        .first = first,
        .count = last - first + 1,
        .outcomes = outcomes,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .rows = options->job_rows ? sim_calloc(last - first + 1, sizeof crew.rows[0]) : NULL,
        .failed = last - first + 1,
    };
    bool good;

    for (uint32_t i = 0; i < crew.count; i++)
        outcomes[i] = NULL;
    run_crew(&crew, thread_count(options, crew.count));
    good = crew.failed == crew.count;
    for (uint32_t i = 0; i < crew.count; i++) {
        if (crew.rows)
            sim_job_rows_finish(&crew.rows[i]);
        if (!good) {
            sim_outcome_destroy(outcomes[i]);
            outcomes[i] = NULL;
        }
    }
    if (!good)
        *error = crew.error;
    free(crew.rows);
    pthread_mutex_destroy(&crew.lock);
    return good;
}
