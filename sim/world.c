#include "world.h"

#include "../sched/scheduler.h"
#include "../sched/store_memory.h"
#include "batch_lane.h"
#include "event_queue.h"
#include "measure/recorder.h"
#include "memory.h"
#include "ports.h"
#include "sources.h"

#include <assert.h>
#include <stdlib.h>

/** Boundaries by their index: the order in which those of one instant are applied. */
enum boundary { BEGIN, WINDOW, POINT, READING, CLOSE, STOP };

/** How many rounds of events and picks pass between looks at the stop flag. */
enum { ROUNDS_PER_LOOK = 4096 };

/** Rounds within one instant, beyond one for every job that may be pending, after which time has stopped. */
enum { ROUNDS_SLACK = 1000000 };

/** Why a run ends before its time. */
enum halt { HALT_NONE, HALT_OVERFLOW, HALT_STUCK, HALT_INTERRUPTED };

struct worker {
    struct sched_worker sched;
    struct sim_job *job; /* NULL: idle */
    enum sim_worker_state state;
    bool awaits_first_token;
    bool requeues; /* the back-off in progress ends in a requeue */
};

struct sim_world {
    const struct sim_scenario *scenario;
    const struct sim_world_options *options;
    struct sim_ports ports;
    struct sched_scheduler scheduler;
    struct sched_pacing pacing;
    struct sched_paced_buckets *paced;
    void *store_block;
    struct model_endpoint endpoint;
    struct model_bucket (*buckets)[MODEL_BUCKETS];
    struct sim_event_queue events;
    struct sim_job_pool pool;
    struct sim_batch_lane lane;
    struct sim_recorder recorder;
    struct worker *workers;
    uint64_t *idle; /* bit set: workers without a job */
    struct sim_sources sources;
    int64_t wake_ns; /* earliest pending wake; SCHED_NEVER: none */
    bool closed;     /* arrivals have stopped */
    bool stopped;    /* the run is over */
    enum halt halt;
    uint32_t rounds; /* so far, for looks at the stop flag */
};

/* Workers. */

static void set_state(struct sim_world *world, uint32_t w, enum sim_worker_state state) {
    struct worker *worker = &world->workers[w];

    if (worker->state == state)
        return;
    sim_recorder_worker(&world->recorder, worker->state, state);
    worker->state = state;
}

static void set_idle(struct sim_world *world, uint32_t w) {
    world->workers[w].job = NULL;
    set_state(world, w, SIM_WORKER_IDLE);
    world->idle[w / 64] |= UINT64_C(1) << (w % 64);
    sched_release(&world->scheduler, &world->workers[w].sched);
}

/** The first idle worker with a number of at least @p from, or `workers`. */
static uint32_t next_idle(const struct sim_world *world, uint32_t from) {
    uint32_t count = world->scenario->workers;

    for (uint32_t word = from / 64; word * 64 < count; word++) {
        uint64_t bits = world->idle[word];

        if (word == from / 64)
            bits &= ~UINT64_C(0) << (from % 64);
        if (bits)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return count;
}

/* Jobs. */

/** Tell the observer, if there is one, what happens to a job now. */
#define TELL(world, event, ...)                                                                                        \
    SIM_TELL((world)->options->observer, event, (world)->ports.streams.replication + 1, __VA_ARGS__)

static void end_job(struct sim_world *world, struct sim_job *job, enum sim_ending ending, int64_t end_ns, double usd) {
    sim_recorder_ended(&world->recorder, job, ending, end_ns, usd);
    TELL(world, ended, job, ending, end_ns);
    if (ending != SIM_ENDED_CENSORED)
        sim_sources_ended(&world->sources, job->stream, end_ns, world->ports.now_ns);
    sim_job_pool_give(&world->pool, job);
}

static bool gave_up_waiting(const struct sim_world *world, const struct sim_job *job) {
    return job->sched.first_dispatch_ns < 0 && job->sched.patience_end_ns <= world->ports.now_ns;
}

/** @p job left when its patience ended, which is noticed now. */
static void abandon(struct sim_world *world, struct sim_job *job) {
    sim_recorder_expired(&world->recorder, job);
    end_job(world, job, SIM_ENDED_ABANDONED, job->sched.patience_end_ns, 0);
}

static void send_batch(struct sim_world *world) {
    struct sim_job *job;

    while ((job = sim_batch_lane_take(&world->lane))) {
        if (gave_up_waiting(world, job)) {
            abandon(world, job);
            continue;
        }
        if (job->sched.first_dispatch_ns < 0)
            job->sched.first_dispatch_ns = world->ports.now_ns;
        sim_recorder_picked(&world->recorder, job, false);
        TELL(world, picked, job, world->ports.now_ns, SIM_NO_WORKER);
        sim_batch_lane_send(&world->lane, job, world->ports.now_ns);
    }
}

static void enqueue(struct sim_world *world, struct sim_job *job, bool again) {
    bool queued = sched_enqueue(&world->scheduler, &job->sched, again);

    if (!again)
        sim_recorder_arrived(&world->recorder, job);
    sim_recorder_queued(&world->recorder, job);
    TELL(world, queued, job, world->ports.now_ns, again, sched_demoted(&world->scheduler, job->sched.tenant));
    if (!queued && sim_batch_lane_add(&world->lane, job, world->ports.now_ns))
        send_batch(world);
}

static void arrive(struct sim_world *world, uint32_t stream) {
    struct model_arrival arrival = sim_sources_take(&world->sources, stream);
    struct sim_job *job = sim_job_pool_take(&world->pool);

    sim_job_draw(job, &world->scenario->workload.streams[stream], stream, arrival.job, arrival.row,
                 &world->ports.streams, world->ports.now_ns);
    if (world->scenario->endpoint.cache_reads_count)
        job->sched.uncached_tokens = job->sched.input_tokens;
    if (world->pool.open > world->scenario->max_pending_jobs)
        world->halt = HALT_OVERFLOW;
    enqueue(world, job, false);
    sim_sources_next(&world->sources, stream);
}

/* Attempts. */

static void refused(struct sim_world *world, uint32_t w, const struct model_admission *admission) {
    struct worker *worker = &world->workers[w];
    struct sim_job *job = worker->job;
    bool throttled = sim_is_throttle(admission->limiter);
    struct sched_result result = {
        .outcome = throttled                                ? SCHED_THROTTLED
                   : admission->limiter == MODEL_UNSERVABLE ? SCHED_UNSERVABLE
                                                            : SCHED_OVERLOADED,
        .retry_after_ns = admission->retry_after_ns,
        .remaining = admission->remaining,
    };
    struct sched_advice advice = sched_on_result(&world->scheduler, &job->sched, &result);

    sim_recorder_advice(&world->recorder, job, &advice);
    TELL(world, advised, job, world->ports.now_ns, &advice);
    if (advice.kind == SCHED_FAIL) {
        end_job(world, job, SIM_ENDED_FAILED, world->ports.now_ns, 0);
        set_idle(world, w);
        return;
    }
    worker->requeues = advice.kind == SCHED_REQUEUE;
    job->after_throttle = throttled && !worker->requeues;
    job->retry_floor_ns = admission->retry_after_ns >= 0 ? world->ports.now_ns + admission->retry_after_ns : -1;
    set_state(world, w, SIM_WORKER_BACKOFF);
    sim_event_queue_push(&world->events, world->ports.now_ns + advice.delay_ns,
                         advice.delay_ns > 0 ? SIM_RETRY : SIM_RETRY_AT_ONCE, w);
}

/** Send the worker's job, or hold it until pacing lets it go. */
static void attempt(struct sim_world *world, uint32_t w) {
    struct worker *worker = &world->workers[w];
    struct sim_job *job = worker->job;
    struct model_admission admission;
    int64_t not_before_ns;

    if (!sched_dispatch(&world->scheduler, &job->sched, &not_before_ns)) {
        set_state(world, w, SIM_WORKER_BACKOFF);
        TELL(world, held, job, world->ports.now_ns, not_before_ns);
        sim_event_queue_push(&world->events, not_before_ns, SIM_RETRY, w);
        return;
    }
    admission =
        model_endpoint_admit(&world->endpoint, world->ports.now_ns, job->sched.model, &job->work, &job->request);
    job->attempts++;
    sim_recorder_attempt(&world->recorder, job, &admission);
    TELL(world, attempted, job, world->ports.now_ns, &admission);
    if (admission.limiter != MODEL_ADMITTED) {
        refused(world, w, &admission);
        return;
    }
    sched_on_admitted(&world->scheduler, &job->sched, admission.remaining);
    set_state(world, w, SIM_WORKER_BUSY);
    worker->awaits_first_token = job->request.first_token_matters;
    sim_event_queue_push(&world->events,
                         worker->awaits_first_token ? job->request.first_token_ns : job->request.done_ns, SIM_PROGRESS,
                         w);
}

static void retry(struct sim_world *world, uint32_t w) {
    struct worker *worker = &world->workers[w];
    struct sim_job *job = worker->job;

    if (!worker->requeues) {
        attempt(world, w);
        return;
    }
    worker->requeues = false;
    enqueue(world, job, true);
    set_idle(world, w);
}

static void complete(struct sim_world *world, struct sim_job *job, double usd, bool batched) {
    struct sched_result result = {
        .outcome = SCHED_COMPLETED, .output_tokens = job->work.output_tokens, .batched = batched};
    struct sched_advice advice = sched_on_result(&world->scheduler, &job->sched, &result);

    sim_recorder_advice(&world->recorder, job, &advice);
    TELL(world, advised, job, world->ports.now_ns, &advice);
    end_job(world, job, SIM_ENDED_COMPLETED, world->ports.now_ns, usd);
}

/** A first token or a completion. */
static void progress(struct sim_world *world, uint32_t w) {
    struct worker *worker = &world->workers[w];
    struct sim_job *job = worker->job;
    double usd;

    if (worker->awaits_first_token) {
        worker->awaits_first_token = false;
        sim_traffic_first_token(&world->recorder.traffic, job, world->ports.now_ns);
        model_endpoint_first_token(&world->endpoint, world->ports.now_ns, &job->request);
        sim_event_queue_push(&world->events, job->request.done_ns, SIM_PROGRESS, w);
        return;
    }
    if (job->request.done_ns == job->request.first_token_ns)
        sim_traffic_first_token(&world->recorder.traffic, job, world->ports.now_ns);
    sim_traffic_completed(&world->recorder.traffic, job, world->ports.now_ns);
    usd = model_endpoint_complete(&world->endpoint, world->ports.now_ns, &job->request, &job->work);
    complete(world, job, usd, false);
    set_idle(world, w);
}

static void batch_event(struct sim_world *world, uint32_t index) {
    struct sim_job *job;
    bool expired;

    if (index == SIM_BATCH_FLUSH) {
        if (world->lane.flush_ns == world->ports.now_ns)
            send_batch(world);
        return;
    }
    job = sim_batch_lane_done(&world->lane, index, &expired);
    if (expired)
        end_job(world, job, SIM_ENDED_FAILED, world->ports.now_ns, 0);
    else
        complete(world, job,
                 MODEL_BATCH_PRICE * model_cost_usd(&world->scenario->endpoint.prices[job->sched.model], &job->work),
                 true);
}

/* Picks. */

static void wake_at(struct sim_world *world, int64_t at_ns) {
    if (at_ns >= world->wake_ns)
        return;
    world->wake_ns = at_ns;
    sim_event_queue_push(&world->events, at_ns, SIM_WAKE, 0);
}

static uint64_t waiting(const struct sim_world *world) {
    return world->recorder.backlog.classes[SIM_SCOPE_ALL].queued - (uint64_t)world->lane.gathered_count;
}

static void drop_expired(struct sim_world *world, struct sched_job *expired) {
    while (expired) {
        struct sim_job *job = (struct sim_job *)expired;

        expired = expired->next;
        abandon(world, job);
    }
}

/** Let worker @p w pick until it holds a job. @return false when it finds none that it may take. */
static bool pick(struct sim_world *world, uint32_t w) {
    struct worker *worker = &world->workers[w];
    struct sched_pick picked;

    while (!worker->job) {
        enum sched_next_status status = sched_next(&world->scheduler, &worker->sched, &picked);

        drop_expired(world, picked.expired);
        if (status == SCHED_NOT_YET)
            wake_at(world, picked.not_before_ns);
        if (status != SCHED_PICKED)
            return false;
        worker->job = (struct sim_job *)picked.job;
        world->idle[w / 64] &= ~(UINT64_C(1) << (w % 64));
        sim_recorder_picked(&world->recorder, worker->job, picked.inversion);
        TELL(world, picked, worker->job, world->ports.now_ns, w);
        attempt(world, w);
    }
    return true;
}

static bool lingers(const struct sim_world *world) {
    return world->scenario->scheduler.picker.critical_linger_ns > 0;
}

static bool refills_by_timer(const struct sim_world *world) {
    const struct sched_tenants_config *config = &world->scenario->scheduler.tenants;

    return config->policy == SCHED_DRR && config->refill == SCHED_REFILL_TIMER;
}

/** Is there a worker that idles beside a job it may take? Not the scheduler's own view of it, which may be wrong. */
static bool idles_beside_work(const struct sim_world *world) {
    uint32_t count = world->scenario->workers;
    bool critical = world->recorder.backlog.classes[SCHED_CRITICAL].queued > 0;

    if (waiting(world) == 0 || refills_by_timer(world))
        return false;
    for (uint32_t w = next_idle(world, 0); w < count; w = next_idle(world, w + 1)) {
        const struct sched_worker *worker = &world->workers[w].sched;

        if (critical || !lingers(world) || !worker->favours || worker->linger_until_ns <= world->ports.now_ns)
            return true;
    }
    return false;
}

/** Idle workers pick, lowest number first. */
static void pick_all(struct sim_world *world) {
    uint32_t count = world->scenario->workers;
    uint32_t w;

    for (w = next_idle(world, 0); w < count && waiting(world) > 0; w = next_idle(world, w + 1))
        /* One that finds nothing speaks for all behind it, unless each lingers in its own way. */
        if (!pick(world, w) && !lingers(world))
            break;
    sim_recorder_settled(&world->recorder, idles_beside_work(world));
}

/* Events. */

static void boundary(struct sim_world *world, enum boundary which) {
    const struct sim_scenario *scenario = world->scenario;
    int64_t again_ns = 0;

    switch (which) {
    case BEGIN:
        sim_recorder_begin(&world->recorder);
        return;
    case WINDOW:
        sim_recorder_window(&world->recorder);
        again_ns = SIM_WINDOW_NS;
        break;
    case POINT:
        sim_recorder_point(&world->recorder);
        again_ns = sim_series_step_ns(scenario->duration_ns);
        break;
    case READING:
        sim_recorder_reading(&world->recorder);
        again_ns = sim_recorder_reading_step_ns(scenario);
        break;
    case CLOSE:
        sim_recorder_close(&world->recorder, world->pool.oldest);
        world->closed = true;
        return;
    case STOP:
        world->stopped = true;
        return;
    }
    if (world->ports.now_ns + again_ns <= scenario->duration_ns)
        sim_event_queue_push(&world->events, world->ports.now_ns + again_ns, SIM_BOUNDARY, which);
}

static void change(struct sim_world *world) {
    sim_traffic_before_change(&world->recorder.traffic, world->ports.now_ns);
    model_endpoint_change(&world->endpoint, world->ports.now_ns);
    sim_traffic_after_change(&world->recorder.traffic, world->ports.now_ns);
}

static void apply(struct sim_world *world, const struct sim_event *event) {
    switch (event->kind) {
    case SIM_BOUNDARY:
        boundary(world, (enum boundary)event->index);
        break;
    case SIM_PROGRESS:
        progress(world, event->index);
        break;
    case SIM_BATCH:
        batch_event(world, event->index);
        break;
    case SIM_RETRY:
    case SIM_RETRY_AT_ONCE:
        retry(world, event->index);
        break;
    case SIM_CHANGE:
        change(world);
        break;
    case SIM_WAKE:
        world->wake_ns = SCHED_NEVER;
        break;
    case SIM_ARRIVAL:
        arrive(world, event->index);
        break;
    }
}

/** The next event, if it belongs to the current instant and to a kind up to @p last. */
static bool pending(const struct sim_world *world, enum sim_event_kind last) {
    struct sim_event first;

    return sim_event_queue_first(&world->events, &first) && first.at_ns == world->ports.now_ns && first.kind <= last &&
           !world->stopped && world->halt == HALT_NONE;
}

/** Apply every event of the current instant up to kind @p last. @return whether there was any. */
static bool apply_until(struct sim_world *world, enum sim_event_kind last) {
    bool any = false;

    while (pending(world, last)) {
        struct sim_event event = sim_event_queue_pop(&world->events);

        apply(world, &event);
        any = true;
    }
    return any;
}

/** Before round number @p rounds of an instant: is there a reason to halt? Users who neither think nor wait, for
 *  instance, would send jobs within one instant for ever. */
static void look(struct sim_world *world, uint64_t rounds) {
    if (rounds > world->scenario->max_pending_jobs + ROUNDS_SLACK)
        world->halt = HALT_STUCK;
    if (world->options->stop && ++world->rounds % ROUNDS_PER_LOOK == 0 && *world->options->stop)
        world->halt = HALT_INTERRUPTED;
}

/** One instant: its events in order, then the picks, then the retries without delay; again while these cause more. */
static void instant(struct sim_world *world) {
    struct sim_event first;
    uint64_t rounds = 0;
    bool any = sim_event_queue_first(&world->events, &first);

    assert(any);
    sim_recorder_advance(&world->recorder, first.at_ns);
    world->ports.now_ns = first.at_ns;
    do {
        look(world, ++rounds);
        apply_until(world, SIM_ARRIVAL);
        if (world->stopped || world->halt != HALT_NONE)
            return;
        pick_all(world);
    } while (pending(world, SIM_ARRIVAL) || apply_until(world, SIM_RETRY_AT_ONCE));
}

/** Everybody who is still here at the end: left long ago without anyone noticing, or censored. */
static void end_open_jobs(struct sim_world *world) {
    while (world->pool.oldest) {
        struct sim_job *job = world->pool.oldest;

        if (gave_up_waiting(world, job))
            abandon(world, job);
        else
            end_job(world, job, SIM_ENDED_CENSORED, world->ports.now_ns, 0);
    }
}

/* Beginning and end. */

static void init_events(struct sim_world *world) {
    const struct sim_scenario *scenario = world->scenario;
    struct sim_event_queue *events = &world->events;

    sim_event_queue_push(events, scenario->warmup_ns, SIM_BOUNDARY, BEGIN);
    if (scenario->warmup_ns + SIM_WINDOW_NS <= scenario->duration_ns)
        sim_event_queue_push(events, scenario->warmup_ns + SIM_WINDOW_NS, SIM_BOUNDARY, WINDOW);
    sim_event_queue_push(events, sim_series_step_ns(scenario->duration_ns), SIM_BOUNDARY, POINT);
    sim_event_queue_push(events, 0, SIM_BOUNDARY, READING);
    sim_event_queue_push(events, scenario->duration_ns, SIM_BOUNDARY, CLOSE);
    sim_event_queue_push(events, scenario->duration_ns + scenario->drain_ns, SIM_BOUNDARY, STOP);
    for (size_t i = 1; i < scenario->endpoint.regime_count; i++)
        sim_event_queue_push(events, scenario->endpoint.regimes[i].from_ns, SIM_CHANGE, (uint32_t)i);
}

static void init(struct sim_world *world, const struct sim_scenario *scenario, uint32_t replication,
                 const struct sim_world_options *options) {
    const struct sched_config *config = &scenario->scheduler;

    *world = (struct sim_world){
        .scenario = scenario,
        .options = options,
        .ports = {.streams = {.seed = scenario->seed, .replication = replication - 1},
                  .start_unix_ns = scenario->start_unix_ns},
        .wake_ns = SCHED_NEVER,
        .workers = sim_calloc(scenario->workers, sizeof world->workers[0]),
        .idle = sim_calloc(scenario->workers / 64 + 1, sizeof world->idle[0]),
        .buckets = sim_calloc(scenario->endpoint.class_count, sizeof world->buckets[0]),
        .paced = sim_calloc(config->paced_count, sizeof world->paced[0]),
        .store_block = sim_alloc(sched_store_memory_size(config)),
    };
    for (uint32_t w = 0; w < scenario->workers; w++)
        world->idle[w / 64] |= UINT64_C(1) << (w % 64);
    sched_pacing_init(&world->pacing, config, world->paced);
    sched_init(&world->scheduler, config, sim_ports_clock(&world->ports), sim_ports_random(&world->ports),
               sched_store_memory_init(world->store_block, config), &world->pacing);
    model_endpoint_init(&world->endpoint, &scenario->endpoint, &world->ports.streams, world->buckets);
    sim_batch_lane_init(&world->lane, &scenario->batches, &world->ports.streams, &world->events);
    sim_recorder_init(&world->recorder, scenario, &world->scheduler, &world->endpoint, options->slos,
                      options->slo_count, options->keep_report);
    init_events(world);
    sim_sources_init(&world->sources, &scenario->workload, &world->ports.streams, &world->events,
                     scenario->duration_ns);
}

static void finish(struct sim_world *world) {
    sim_recorder_finish(&world->recorder);
    sim_batch_lane_finish(&world->lane);
    sim_job_pool_finish(&world->pool);
    sim_event_queue_finish(&world->events);
    sim_sources_finish(&world->sources);
    free(world->store_block);
    free(world->paced);
    free(world->buckets);
    free(world->idle);
    free(world->workers);
}

/** Say why the run was halted. */
static void explain_halt(const struct sim_world *world, struct sim_located_error *error) {
    const char *name = world->scenario->name;
    double now_s = (double)world->ports.now_ns / 1e9;

    switch (world->halt) {
    case HALT_NONE:
        break;
    case HALT_OVERFLOW:
        sim_error_set(error, name, 0, "max_pending_jobs",
                      "more than %llu jobs are pending after %.0f s: the load exceeds what the workers and limits can "
                      "serve; lower the rates, or raise max_pending_jobs",
                      (unsigned long long)world->scenario->max_pending_jobs, now_s);
        break;
    case HALT_STUCK:
        sim_error_set(error, name, 0, "tenants",
                      "time stands still at %.9g s: jobs come and go without end within one instant; give closed "
                      "streams a think time, or their jobs a service time or patience",
                      now_s);
        break;
    case HALT_INTERRUPTED:
        sim_error_set(error, name, 0, "", "interrupted");
        break;
    }
}

/** Run to the end. @return false with *error filled. */
static bool run(struct sim_world *world, struct sim_located_error *error) {
    while (!world->stopped && !(world->closed && world->pool.open == 0)) {
        instant(world);
        if (world->halt != HALT_NONE) {
            explain_halt(world, error);
            return false;
        }
    }
    end_open_jobs(world);
    return true;
}

struct sim_outcome *sim_world_run(const struct sim_scenario *scenario, uint32_t replication,
                                  const struct sim_world_options *options, struct sim_located_error *error) {
    struct sim_world world;
    struct sim_outcome *outcome = NULL;

    assert(replication >= 1 && replication <= MODEL_REPLICATIONS_MAX);
    init(&world, scenario, replication, options);
    if (run(&world, error))
        outcome = sim_recorder_outcome(&world.recorder, options->slo_count);
    finish(&world);
    return outcome;
}
