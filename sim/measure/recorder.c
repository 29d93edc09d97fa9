#include "recorder.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The article's gauges are read every 30 s. */
#define READING_STEP_NS INT64_C(30000000000)

/** 429s within less than this are one burst. */
#define BURST_NS INT64_C(1000000000)

/** Readings x tenants: with thousands of tenants readings get rarer, so that metrics.prom stays within some 20 MB. */
#define TENANT_READINGS_MAX INT64_C(100000)

void sim_recorder_init(struct sim_recorder *recorder, const struct sim_scenario *scenario,
                       const struct sched_scheduler *scheduler, const struct model_endpoint *endpoint,
                       const struct sim_slo *slos, size_t slo_count, bool keep_report) {
    uint32_t tenants = scenario->workload.tenant_count;

    *recorder = (struct sim_recorder){
        .scenario = scenario,
        .scheduler = scheduler,
        .endpoint = endpoint,
        .demoted_until_ns = sim_calloc(tenants, sizeof recorder->demoted_until_ns[0]),
        .demotions = sim_calloc(tenants, sizeof recorder->demotions[0]),
    };
    recorder->workers[SIM_WORKER_IDLE] = scenario->workers;
    sim_samples_init(&recorder->samples, tenants, slos, slo_count);
    sim_service_init(&recorder->service, &scenario->workload);
    sim_backlog_init(&recorder->backlog, tenants, scenario->warmup_ns, scenario->duration_ns);
    sim_traffic_init(&recorder->traffic, endpoint, tenants, scenario->warmup_ns, scenario->duration_ns);
    sim_series_init(&recorder->series, scenario->duration_ns);
    if (keep_report) {
        recorder->report = sched_report_init(sim_alloc(sched_report_size(&scenario->scheduler)), &scenario->scheduler);
        recorder->reading_capacity = (size_t)(scenario->duration_ns / sim_recorder_reading_step_ns(scenario)) + 2;
        recorder->readings = sim_calloc(recorder->reading_capacity, sizeof recorder->readings[0]);
    }
}

void sim_recorder_finish(struct sim_recorder *recorder) {
    sim_samples_finish(&recorder->samples);
    sim_service_finish(&recorder->service);
    sim_backlog_finish(&recorder->backlog);
    sim_traffic_finish(&recorder->traffic);
    free(recorder->series.series.points);
    free(recorder->series.series.sojourns);
    free(recorder->demoted_until_ns);
    free(recorder->demotions);
    free(recorder->report);
    for (size_t i = 0; i < recorder->reading_count; i++)
        free(recorder->readings[i]);
    free(recorder->readings);
    *recorder = (struct sim_recorder){0};
}

int64_t sim_recorder_reading_step_ns(const struct sim_scenario *scenario) {
    int64_t step_ns = sim_series_step_ns(scenario->duration_ns);
    int64_t room_ns = scenario->duration_ns / (TENANT_READINGS_MAX / (int64_t)scenario->workload.tenant_count + 1);

    step_ns = step_ns > READING_STEP_NS ? step_ns : READING_STEP_NS;
    return step_ns > room_ns ? step_ns : room_ns;
}

void sim_recorder_advance(struct sim_recorder *recorder, int64_t now_ns) {
    int64_t ns = now_ns - recorder->at_ns;

    if (ns < 0) {
        recorder->invariants.clock++;
        return;
    }
    recorder->at_ns = now_ns;
    recorder->open_ns += (sim_wide)ns * (sim_wide)recorder->open;
    if (!recorder->measuring)
        return;
    sim_backlog_advance(&recorder->backlog, ns);
    for (int state = 0; state < 3; state++)
        recorder->worker_ns[state] += (sim_wide)ns * (sim_wide)recorder->workers[state];
}

void sim_recorder_begin(struct sim_recorder *recorder) {
    recorder->measuring = true;
    sim_service_begin(&recorder->service);
    sim_traffic_begin(&recorder->traffic, recorder->at_ns);
}

void sim_recorder_window(struct sim_recorder *recorder) {
    sim_service_window(&recorder->service);
}

void sim_recorder_close(struct sim_recorder *recorder, struct sim_job *oldest) {
    recorder->measuring = false;
    sim_backlog_close(&recorder->backlog);
    sim_traffic_close(&recorder->traffic, recorder->at_ns);
    for (struct sim_job *job = oldest; job; job = job->newer)
        if (!job->counted) {
            job->counted = true;
            recorder->counted++;
        }
}

void sim_recorder_point(struct sim_recorder *recorder) {
    struct sim_series_point state = {
        .in_system = (double)recorder->open,
        .busy = (double)recorder->workers[SIM_WORKER_BUSY],
        .backoff = (double)recorder->workers[SIM_WORKER_BACKOFF],
    };

    for (int c = 0; c < SCHED_CLASSES; c++)
        state.queue[c] = (double)recorder->backlog.classes[c].queued;
    for (uint32_t t = 0; t < recorder->scenario->workload.tenant_count; t++)
        state.demoted += sched_demoted(recorder->scheduler, t);
    for (int b = 0; b < MODEL_BUCKETS; b++) {
        struct model_bucket *bucket = &recorder->endpoint->buckets[0][b];

        model_bucket_advance(bucket, recorder->at_ns);
        state.level[b] = bucket->limited ? (double)bucket->level / (double)bucket->capacity : NAN;
    }
    sim_series_point(&recorder->series, &state, recorder->at_ns);
}

void sim_recorder_reading(struct sim_recorder *recorder) {
    struct sched_reading *reading;

    if (!recorder->report || recorder->reading_count == recorder->reading_capacity)
        return;
    reading = sim_alloc(sched_reading_size(&recorder->scenario->scheduler));
    sched_report_read(recorder->report, recorder->scheduler, recorder->at_ns, reading);
    recorder->readings[recorder->reading_count++] = reading;
}

void sim_recorder_settled(struct sim_recorder *recorder, bool idle_beside_work) {
    if (recorder->measuring)
        sim_backlog_settled(&recorder->backlog);
    recorder->invariants.work_conservation += idle_beside_work;
}

void sim_recorder_arrived(struct sim_recorder *recorder, struct sim_job *job) {
    recorder->jobs++;
    recorder->open++;
    recorder->series.now.arrived++;
    sim_service_moved(&recorder->service, job->sched.tenant, job->sched.cost, 1);
    if (recorder->report)
        sched_report_arrived(recorder->report, &job->sched);
    if (recorder->measuring) {
        job->counted = true;
        recorder->counted++;
        sim_service_arrived(&recorder->service, job->sched.tenant, job->sched.cost);
    }
}

void sim_recorder_queued(struct sim_recorder *recorder, const struct sim_job *job) {
    sim_backlog_joined(&recorder->backlog, &job->sched, recorder->at_ns);
}

void sim_recorder_picked(struct sim_recorder *recorder, const struct sim_job *job, bool inversion) {
    sim_backlog_dispatched(&recorder->backlog, &job->sched, recorder->at_ns);
    if (recorder->measuring)
        recorder->inversions += inversion;
}

void sim_recorder_expired(struct sim_recorder *recorder, const struct sim_job *job) {
    sim_backlog_expired(&recorder->backlog, &job->sched, job->sched.patience_end_ns, recorder->at_ns);
}

void sim_recorder_attempt(struct sim_recorder *recorder, const struct sim_job *job,
                          const struct model_admission *admission) {
    sim_traffic_attempt(&recorder->traffic, job, admission, recorder->at_ns);
    recorder->series.now.attempts++;
    recorder->series.now.admitted += admission->limiter == MODEL_ADMITTED;
    recorder->series.now.throttles[admission->limiter]++;
    if (recorder->report && sim_is_throttle(admission->limiter))
        sched_report_throttled(recorder->report, &job->sched, recorder->at_ns);
}

/** The part of [from, to) that lies in the measured span. */
static int64_t measured(const struct sim_recorder *recorder, int64_t from_ns, int64_t to_ns) {
    int64_t from = from_ns > recorder->scenario->warmup_ns ? from_ns : recorder->scenario->warmup_ns;
    int64_t to = to_ns < recorder->scenario->duration_ns ? to_ns : recorder->scenario->duration_ns;

    return to > from ? to - from : 0;
}

void sim_recorder_advice(struct sim_recorder *recorder, const struct sim_job *job, const struct sched_advice *advice) {
    const struct sched_store *store = &recorder->scheduler->store;
    uint32_t tenant = job->sched.tenant;
    int64_t *seen_ns = &recorder->demoted_until_ns[tenant];
    int64_t until_ns = store->ops->demoted_until(store->context, tenant);

    if (until_ns > *seen_ns) {
        recorder->demoted_ns += measured(recorder, *seen_ns > recorder->at_ns ? *seen_ns : recorder->at_ns, until_ns);
        *seen_ns = until_ns;
    }
    if (advice->demoted && recorder->measuring) {
        struct sim_demotions *demotions = &recorder->demotions[tenant];

        demotions->count++;
        demotions->by_throttles += advice->demoted_by_throttles;
        demotions->by_burst += advice->demoted_by_throttles && advice->throttle_span_ns < BURST_NS;
    }
}

void sim_recorder_worker(struct sim_recorder *recorder, enum sim_worker_state from, enum sim_worker_state to) {
    recorder->workers[from]--;
    recorder->workers[to]++;
}

static void record_completed(struct sim_recorder *recorder, const struct sim_job *job, int64_t end_ns, double usd) {
    recorder->series.now.completed++;
    recorder->series.now.latency_sum_s += (double)(end_ns - job->sched.enqueued_ns) / 1e9;
    if (!recorder->measuring)
        return;
    recorder->completed++;
    recorder->input_tokens += (double)job->work.input_tokens;
    recorder->output_tokens += (double)job->work.output_tokens;
    recorder->cost_usd += usd;
    sim_service_completed(&recorder->service, job->sched.tenant, job->sched.cost);
}

void sim_recorder_ended(struct sim_recorder *recorder, const struct sim_job *job, enum sim_ending ending,
                        int64_t end_ns, double usd) {
    recorder->open--;
    recorder->sojourn_ns += end_ns - job->sched.enqueued_ns;
    sim_series_ended(&recorder->series, job->sched.enqueued_ns, end_ns);
    /* A job found expired was counted as in the system until now, but left when its patience ended. */
    recorder->open_ns -= recorder->at_ns - end_ns;
    sim_service_moved(&recorder->service, job->sched.tenant, job->sched.cost, -1);
    if (ending == SIM_ENDED_COMPLETED)
        record_completed(recorder, job, end_ns, usd);
    recorder->series.now.failed += ending == SIM_ENDED_FAILED;
    recorder->series.now.abandoned += ending == SIM_ENDED_ABANDONED;
    if (recorder->report)
        sched_report_ended(recorder->report, &job->sched, ending == SIM_ENDED_COMPLETED, end_ns);
    if (job->counted)
        sim_samples_ended(&recorder->samples, job, ending, end_ns);
}

/** A growing text. */
struct text {
    char *bytes;
    size_t length, capacity;
};

static void append(void *context, const char *bytes, size_t length) {
    struct text *text = context;

    while (text->length + length + 1 > text->capacity) {
        text->capacity = text->capacity ? 2 * text->capacity : 4096;
        text->bytes = sim_realloc(text->bytes, text->capacity, 1);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static char *prometheus_text(const struct sim_recorder *recorder) {
    const struct model_workload *workload = &recorder->scenario->workload;
    const char **ids = sim_calloc(workload->tenant_count, sizeof ids[0]);
    struct text text = {0};

    for (uint32_t t = 0; t < workload->tenant_count; t++)
        ids[t] = workload->tenants[t].id;
    sched_report_text(&recorder->scenario->scheduler, (const struct sched_reading *const *)recorder->readings,
                      recorder->reading_count, ids, true, recorder->scenario->start_unix_ns, append, &text);
    free(ids);
    return text.bytes;
}

static void report_demotions(const struct sim_recorder *recorder, struct sim_outcome *outcome) {
    uint32_t tenants = recorder->scenario->workload.tenant_count;
    double span_ns = (double)(recorder->scenario->duration_ns - recorder->scenario->warmup_ns);
    struct sim_demotions sum = {0};
    uint64_t demoted = 0;

    for (uint32_t t = 0; t < tenants; t++) {
        double *tenant = outcome->value + SIM_SCALARS + (size_t)t * SIM_TENANT_SCALARS;

        const struct sim_demotions *demotions = &recorder->demotions[t];

        tenant[SIM_TENANT_DEMOTIONS] = (double)demotions->count;
        tenant[SIM_TENANT_DEMOTIONS_BY_THROTTLES] = (double)demotions->by_throttles;
        tenant[SIM_TENANT_DEMOTIONS_BY_BURST] = (double)demotions->by_burst;
        tenant[SIM_TENANT_THROTTLES] = (double)recorder->traffic.tenant_throttles[t];
        sum.count += demotions->count;
        sum.by_throttles += demotions->by_throttles;
        sum.by_burst += demotions->by_burst;
        demoted += demotions->count > 0;
    }
    outcome->value[SIM_DEMOTIONS_COUNT] = (double)sum.count;
    outcome->value[SIM_DEMOTIONS_TENANTS] = (double)demoted;
    outcome->value[SIM_DEMOTIONS_BY_THROTTLES] = (double)sum.by_throttles;
    outcome->value[SIM_DEMOTIONS_BY_BURST] = (double)sum.by_burst;
    outcome->value[SIM_DEMOTIONS_TIME_SHARE] = (double)recorder->demoted_ns / (span_ns * (double)tenants);
}

static void report_whole(const struct sim_recorder *recorder, struct sim_outcome *outcome) {
    double span_ns = (double)(recorder->scenario->duration_ns - recorder->scenario->warmup_ns);
    double worker_span_ns = span_ns * (double)recorder->scenario->workers;

    outcome->value[SIM_WORKERS_BUSY] = (double)recorder->worker_ns[SIM_WORKER_BUSY] / worker_span_ns;
    outcome->value[SIM_WORKERS_BACKOFF] = (double)recorder->worker_ns[SIM_WORKER_BACKOFF] / worker_span_ns;
    outcome->value[SIM_WORKERS_IDLE] = (double)recorder->worker_ns[SIM_WORKER_IDLE] / worker_span_ns;
    outcome->value[SIM_INVERSIONS] = (double)recorder->inversions;
    outcome->value[SIM_THROUGHPUT] = (double)recorder->completed / (span_ns / 1e9);
    outcome->value[SIM_INPUT_TOKENS] = recorder->input_tokens;
    outcome->value[SIM_OUTPUT_TOKENS] = recorder->output_tokens;
    outcome->value[SIM_COST_USD] = recorder->cost_usd;
}

struct sim_outcome *sim_recorder_outcome(struct sim_recorder *recorder, size_t slo_count) {
    struct sim_outcome *outcome = sim_outcome_create(recorder->scenario->workload.tenant_count, slo_count);

    assert(recorder->open == 0);
    sim_samples_report(&recorder->samples, outcome);
    sim_service_report(&recorder->service, outcome);
    sim_backlog_report(&recorder->backlog, outcome);
    sim_traffic_report(&recorder->traffic, outcome);
    report_demotions(recorder, outcome);
    report_whole(recorder, outcome);
    outcome->jobs = recorder->jobs;
    outcome->end_s = (double)recorder->at_ns / 1e9;
    recorder->invariants.conservation = recorder->counted != sim_samples_count(&recorder->samples);
    recorder->invariants.time_in_system = recorder->open_ns != recorder->sojourn_ns;
    recorder->invariants.bucket = sim_traffic_violations(&recorder->traffic);
    outcome->invariants = recorder->invariants;
    outcome->series = recorder->series.series;
    recorder->series.series = (struct sim_series){0};
    if (recorder->report)
        outcome->prometheus = prometheus_text(recorder);
    return outcome;
}
