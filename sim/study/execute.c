#include "execute.h"

#include "../memory.h"
#include "../world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

/* A configuration while units of it are left. */
struct slot {
    uint32_t configuration;
    enum { ABSENT, LOADING, READY } state;
    size_t left; /* units not done */
    struct sim_scenario *scenario;
    struct sim_figures *figures;
    struct sim_slo *slos;
};

/* Units [next, end) of the list are a thread's own. */
struct stretch {
    size_t next, end;
};

struct crew {
    const struct sim_unit *units;
    const struct sim_executor *executor;
    struct slot *slots;
    size_t slot_count;
    pthread_mutex_t lock; /* guards all below, and `slots` */
    pthread_cond_t loaded;
    struct stretch *stretches; /* by thread */
    uint32_t threads;
    uint32_t joined; /* threads that have taken their number */
    bool ended;      /* no new unit begins */
    struct sim_located_error *error;
};

static int by_configuration(const void *left, const void *right) {
    uint32_t a = ((const struct slot *)left)->configuration, b = ((const struct slot *)right)->configuration;
    return (a > b) - (a < b);
}

static struct slot *find_slot(const struct crew *crew, uint32_t configuration) {
    const struct slot key = {.configuration = configuration};
    return bsearch(&key, crew->slots, crew->slot_count, sizeof key, by_configuration);
}

static void make_slots(struct crew *crew, size_t count) {
    crew->slots = sim_calloc(count, sizeof *crew->slots);
    for (size_t i = 0; i < count; i++)
        crew->slots[i].configuration = crew->units[i].configuration;
    qsort(crew->slots, count, sizeof *crew->slots, by_configuration);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || crew->slots[i].configuration != crew->slots[crew->slot_count - 1].configuration)
            crew->slots[crew->slot_count++] = crew->slots[i];
        crew->slots[crew->slot_count - 1].left++;
    }
}

static void empty_slot(struct slot *slot) {
    sim_figures_destroy(slot->figures);
    sim_scenario_destroy(slot->scenario);
    free(slot->slos);
    slot->figures = NULL;
    slot->scenario = NULL;
    slot->slos = NULL;
    slot->state = ABSENT;
}

/* The first error ends the execution and stands. */
static void end(struct crew *crew, const struct sim_located_error *error) {
    if (!crew->ended && error != NULL && crew->error != NULL)
        *crew->error = *error;
    crew->ended = true;
    pthread_cond_broadcast(&crew->loaded);
}

/* ---- who does what ---- */

static bool steal(struct crew *crew, struct stretch *own) {
    struct stretch *longest = NULL;
    for (uint32_t i = 0; i < crew->threads; i++) {
        struct stretch *other = &crew->stretches[i];
        if (longest == NULL || other->end - other->next > longest->end - longest->next)
            longest = other;
    }
    size_t left = longest->end - longest->next;
    if (left == 0)
        return false;
    own->end = longest->end;
    longest->end -= (left + 1) / 2;
    own->next = longest->end;
    return true;
}

static bool take_unit(struct crew *crew, struct stretch *own, size_t *ret) {
    const volatile int *stop = crew->executor->stop;
    if (stop != NULL && *stop)
        end(crew, NULL);
    if (crew->ended || (own->next == own->end && !steal(crew, own)))
        return false;
    *ret = own->next++;
    return true;
}

/* ---- scenarios ---- */

static bool parse_slos(struct slot *slot, struct sim_located_error *error) {
    const struct sim_scenario *scenario = slot->scenario;
    slot->figures = sim_figures_create(&scenario->workload);
    slot->slos = sim_calloc(scenario->slo_count, sizeof *slot->slos);
    for (size_t i = 0; i < scenario->slo_count; i++)
        if (!sim_slo_parse(slot->figures, scenario->slo[i], &slot->slos[i], error))
            return false;
    return true;
}

/* Make @p slot ready, or wait for the thread that does. Called and left with the lock held. */
static bool prepare(struct crew *crew, struct slot *slot) {
    const struct sim_executor *executor = crew->executor;
    struct sim_located_error error = {0};
    while (slot->state == LOADING && !crew->ended)
        pthread_cond_wait(&crew->loaded, &crew->lock);
    if (slot->state == READY || crew->ended)
        return slot->state == READY;
    slot->state = LOADING;
    pthread_mutex_unlock(&crew->lock);
    slot->scenario = executor->load(executor->context, slot->configuration, &error);
    bool good = slot->scenario != NULL && parse_slos(slot, &error);
    pthread_mutex_lock(&crew->lock);
    if (good) {
        slot->state = READY;
        pthread_cond_broadcast(&crew->loaded);
    } else {
        empty_slot(slot);
        end(crew, &error);
    }
    return good;
}

/* ---- threads ---- */

static void run_unit(struct crew *crew, const struct sim_unit *unit) {
    const struct sim_executor *executor = crew->executor;
    struct slot *slot = find_slot(crew, unit->configuration);
    struct sim_located_error error = {0};
    if (!prepare(crew, slot))
        return;
    pthread_mutex_unlock(&crew->lock);
    struct sim_world_options options = {.slos = slot->slos, .slo_count = slot->scenario->slo_count};
    struct sim_outcome *outcome = sim_world_run(slot->scenario, unit->replication, &options, &error);
    pthread_mutex_lock(&crew->lock);
    if (!executor->take(executor->context, unit, slot->scenario, slot->figures, outcome, &error))
        end(crew, &error);
    if (--slot->left == 0)
        empty_slot(slot);
}

static void *work(void *argument) {
    struct crew *crew = argument;
    size_t unit;
    pthread_mutex_lock(&crew->lock);
    struct stretch *own = &crew->stretches[crew->joined++];
    while (take_unit(crew, own, &unit))
        run_unit(crew, &crew->units[unit]);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static uint32_t thread_count(uint32_t jobs, size_t units) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t threads = jobs > 0 ? jobs : cores > 0 ? (uint32_t)cores : 1;
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    return threads < units ? threads : (uint32_t)units;
}

/* Threads that the system refuses to start leave their stretches to be stolen. */
static void run_crew(struct crew *crew, size_t count) {
    crew->stretches = sim_calloc(crew->threads, sizeof *crew->stretches);
    for (uint32_t i = 0; i < crew->threads; i++)
        crew->stretches[i] =
            (struct stretch){.next = count * i / crew->threads, .end = count * (i + 1) / crew->threads};
    pthread_t *ids = sim_calloc(crew->threads, sizeof *ids);
    uint32_t started = 0;
    while (started + 1 < crew->threads && pthread_create(&ids[started], NULL, work, crew) == 0)
        started++;
    work(crew);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    free(ids);
    free(crew->stretches);
}

bool sim_execute(const struct sim_unit *units, size_t count, const struct sim_executor *executor,
                 struct sim_located_error *error) {
    struct crew crew = {.units = units,
                        .executor = executor,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .loaded = PTHREAD_COND_INITIALIZER,
                        .threads = thread_count(executor->jobs, count),
                        .error = error};
    if (count == 0)
        return true;
    make_slots(&crew, count);
    run_crew(&crew, count);
    for (size_t i = 0; i < crew.slot_count; i++)
        empty_slot(&crew.slots[i]);
    free(crew.slots);
    pthread_cond_destroy(&crew.loaded);
    pthread_mutex_destroy(&crew.lock);
    return !crew.ended;
}
