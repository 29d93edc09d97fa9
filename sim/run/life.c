#include "life.h"

#include "../memory.h"
#include "../world.h"

#include <stdlib.h>

/** The jobs that one replication is watched for. */
struct watch {
    const struct sim_scenario *scenario;
    struct sim_life *lives;
    size_t count;
};

static struct sim_life_event *add(struct sim_life *life, enum sim_life_kind kind, int64_t at_ns) {
    if (life->count == life->room) {
        life->room = life->room ? 2 * life->room : 16;
        life->events = sim_realloc(life->events, life->room, sizeof life->events[0]);
    }
    life->events[life->count] = (struct sim_life_event){.at_ns = at_ns, .kind = kind};
    return &life->events[life->count++];
}

/** The life of @p job, or NULL: nobody asked. */
static struct sim_life *life_of(const struct watch *watch, uint32_t replication, const struct sim_job *job) {
    for (size_t i = 0; i < watch->count; i++) {
        struct sim_life *life = &watch->lives[i];

        if (life->replication == replication && life->stream == job->stream && life->number == job->number)
            return life;
    }
    return NULL;
}

static void begin(struct sim_life *life, const struct sim_job *job, int64_t now_ns) {
    life->found = true;
    life->tenant = job->sched.tenant;
    life->origin = job->sched.origin;
    life->sla_ns = job->sched.sla_ns;
    life->work = job->work;
    life->arrived_ns = now_ns;
}

static void on_queued(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns, bool again,
                      bool demoted) {
    const struct watch *watch = context;
    struct sim_life *life = life_of(watch, replication, job);
    struct sim_life_event *event;

    for (size_t i = 0; i < watch->count && !again; i++)
        if (watch->lives[i].replication == replication && watch->lives[i].stream == job->stream)
            watch->lives[i].stream_jobs++;
    if (!life)
        return;
    if (!again)
        begin(life, job, now_ns);
    life->queued = !(watch->scenario->batches.on && job->sched.class_id == SCHED_BATCH);
    event = add(life, SIM_LIFE_QUEUED, now_ns);
    event->class_id = job->sched.class_id;
    event->again = again;
    event->gathers = !life->queued;
    event->demoted = demoted;
}

static void on_picked(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns, uint32_t worker) {
    const struct watch *watch = context;
    struct sim_life *own = life_of(watch, replication, job);

    for (size_t i = 0; i < watch->count && worker != SIM_NO_WORKER; i++) {
        struct sim_life *life = &watch->lives[i];
        struct sim_life_event *event;

        if (life == own || life->replication != replication || !life->queued)
            continue;
        event = add(life, SIM_LIFE_PASSED, now_ns);
        event->worker = worker;
        event->class_id = job->sched.class_id;
        event->tenant = job->sched.tenant;
        event->stream = job->stream;
        event->number = job->number;
    }
    if (!own)
        return;
    own->queued = false;
    add(own, SIM_LIFE_PICKED, now_ns)->worker = worker;
}

static void on_held(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns, int64_t until_ns) {
    struct sim_life *life = life_of(context, replication, job);

    if (life)
        add(life, SIM_LIFE_HELD, now_ns)->until_ns = until_ns;
}

static void on_attempted(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns,
                         const struct model_admission *admission) {
    struct sim_life *life = life_of(context, replication, job);
    bool admitted = admission->limiter == MODEL_ADMITTED;
    struct sim_life_event *event;

    if (!life)
        return;
    event = add(life, admitted ? SIM_LIFE_ADMITTED : SIM_LIFE_REFUSED, now_ns);
    event->limiter = admission->limiter;
    event->retry_after_ns = admission->retry_after_ns;
    event->first_token_ns = admitted ? job->request.first_token_ns : 0;
}

static void on_advised(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns,
                       const struct sched_advice *advice) {
    const struct watch *watch = context;
    struct sim_life *own = life_of(watch, replication, job);

    for (size_t i = 0; i < watch->count && advice->demoted; i++) {
        struct sim_life *life = &watch->lives[i];

        if (life->replication == replication && life->found && life->ended_ns == 0 && life->tenant == job->sched.tenant)
            add(life, SIM_LIFE_DEMOTED, now_ns)->by_throttles = advice->demoted_by_throttles;
    }
    if (own && (advice->kind == SCHED_RETRY || advice->kind == SCHED_REQUEUE)) {
        struct sim_life_event *event = add(own, SIM_LIFE_BACKOFF, now_ns);

        event->until_ns = now_ns + advice->delay_ns;
        event->requeues = advice->kind == SCHED_REQUEUE;
    }
}

static void on_ended(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                     int64_t end_ns) {
    struct sim_life *life = life_of(context, replication, job);

    if (!life)
        return;
    life->queued = false;
    life->requested = job->sched.requested;
    life->class_id = job->sched.class_id;
    life->cost = job->sched.cost;
    life->counted = job->counted;
    life->attempts = job->attempts;
    life->ending = ending;
    life->ended_ns = end_ns;
    /* Who lost patience left before anyone noticed: what came after passed nobody by. */
    while (life->count > 0 && life->events[life->count - 1].at_ns > end_ns)
        life->count--;
    add(life, SIM_LIFE_ENDED, end_ns);
}

/** Run @p replication, watched. */
static bool trace(struct watch *watch, uint32_t replication, const volatile int *stop,
                  struct sim_located_error *error) {
    struct sim_observer observer = {.queued = on_queued,
                                    .picked = on_picked,
                                    .held = on_held,
                                    .attempted = on_attempted,
                                    .advised = on_advised,
                                    .ended = on_ended,
                                    .context = watch};
    struct sim_world_options options = {.observer = &observer, .stop = stop};
    struct sim_outcome *outcome = sim_world_run(watch->scenario, replication, &options, error);

    sim_outcome_destroy(outcome);
    return outcome != NULL;
}

bool sim_lives_trace(const struct sim_scenario *scenario, struct sim_life *lives, size_t count,
                     const volatile int *stop, struct sim_located_error *error) {
    struct watch watch = {.scenario = scenario, .lives = lives, .count = count};

    for (size_t i = 0; i < count; i++) {
        bool done = false;

        for (size_t k = 0; k < i; k++)
            done |= lives[k].replication == lives[i].replication;
        if (!done && !trace(&watch, lives[i].replication, stop, error))
            return false;
    }
    return true;
}

void sim_life_finish(struct sim_life *life) {
    free(life->events);
    *life = (struct sim_life){0};
}

struct sim_life_parts sim_life_parts(const struct sim_life *life) {
    struct sim_life_parts parts = {0};
    int64_t ignored = 0;
    int64_t *part = &ignored;
    int64_t since_ns = life->arrived_ns;

    for (size_t i = 0; i < life->count; i++) {
        const struct sim_life_event *event = &life->events[i];

        if (event->kind == SIM_LIFE_PASSED) {
            parts.passed++;
            continue;
        }
        if (event->kind == SIM_LIFE_DEMOTED || event->kind == SIM_LIFE_BACKOFF)
            continue;
        *part += event->at_ns - since_ns;
        since_ns = event->at_ns;
        switch (event->kind) {
        case SIM_LIFE_QUEUED:
            part = event->gathers ? &parts.gather_ns : &parts.queue_ns;
            break;
        case SIM_LIFE_HELD:
            part = &parts.held_ns;
            break;
        case SIM_LIFE_REFUSED:
            parts.refusals[event->limiter]++;
            part = &parts.backoff_ns[event->limiter];
            break;
        default:
            part = &parts.service_ns;
            break;
        }
    }
    return parts;
}
