#include "traffic.h"

#include "../memory.h"

#include <math.h>
#include <stdlib.h>

static size_t bucket_index(uint32_t model, int bucket) {
    return (size_t)model * MODEL_BUCKETS + (size_t)bucket;
}

static const struct model_bucket *bucket_of(const struct sim_traffic *traffic, uint32_t model, int bucket) {
    return &traffic->endpoint->buckets[model][bucket];
}

/** Restart every conformity check: a window that crosses a change of limits proves nothing. */
static void start_checks(struct sim_traffic *traffic, int64_t now_ns) {
    const struct model_regime *regime = &traffic->endpoint->config->regimes[traffic->endpoint->regime];

    for (uint32_t m = 0; m < traffic->endpoint->config->class_count; m++)
        for (int b = 0; b < MODEL_BUCKETS; b++)
            sim_bucket_check_restart(&traffic->checks[bucket_index(m, b)], now_ns, regime->classes[m].per_minute[b],
                                     regime->classes[m].burst_ns[b], b == MODEL_RPM ? 1 : 0);
}

void sim_traffic_init(struct sim_traffic *traffic, const struct model_endpoint *endpoint, uint32_t tenant_count,
                      int64_t from_ns, int64_t until_ns) {
    size_t buckets = bucket_index((uint32_t)endpoint->config->class_count, 0);

    *traffic = (struct sim_traffic){
        .endpoint = endpoint,
        .tenant_throttles = sim_calloc(tenant_count, sizeof traffic->tenant_throttles[0]),
        .charged_from = sim_calloc(buckets, sizeof traffic->charged_from[0]),
        .checks = sim_calloc(buckets, sizeof traffic->checks[0]),
    };
    sim_rates_init(&traffic->requests, from_ns, until_ns);
    sim_rates_init(&traffic->admissions, from_ns, until_ns);
    start_checks(traffic, 0);
}

void sim_traffic_finish(struct sim_traffic *traffic) {
    sim_rates_finish(&traffic->requests);
    sim_rates_finish(&traffic->admissions);
    free(traffic->tenant_throttles);
    free(traffic->charged_from);
    free(traffic->checks);
    *traffic = (struct sim_traffic){0};
}

/** Begin to watch the use of every bucket at @p now_ns. */
static void watch(struct sim_traffic *traffic, int64_t now_ns) {
    for (uint32_t m = 0; m < traffic->endpoint->config->class_count; m++)
        for (int b = 0; b < MODEL_BUCKETS; b++) {
            model_bucket_advance(&traffic->endpoint->buckets[m][b], now_ns);
            traffic->charged_from[bucket_index(m, b)] = bucket_of(traffic, m, b)->charged;
        }
    traffic->use_from_ns = now_ns;
}

/** Book the use of every limited bucket since watch(). */
static void book(struct sim_traffic *traffic, int64_t now_ns) {
    for (uint32_t m = 0; m < traffic->endpoint->config->class_count; m++)
        for (int b = 0; b < MODEL_BUCKETS; b++) {
            model_bucket_advance(&traffic->endpoint->buckets[m][b], now_ns);
            if (!bucket_of(traffic, m, b)->limited)
                continue;
            traffic->use[b].charged += bucket_of(traffic, m, b)->charged - traffic->charged_from[bucket_index(m, b)];
            traffic->use[b].refill += (sim_wide)bucket_of(traffic, m, b)->refill * (now_ns - traffic->use_from_ns);
        }
}

void sim_traffic_begin(struct sim_traffic *traffic, int64_t now_ns) {
    traffic->measuring = true;
    watch(traffic, now_ns);
}

void sim_traffic_close(struct sim_traffic *traffic, int64_t now_ns) {
    traffic->measuring = false;
    book(traffic, now_ns);
}

void sim_traffic_before_change(struct sim_traffic *traffic, int64_t now_ns) {
    if (traffic->measuring)
        book(traffic, now_ns);
}

void sim_traffic_after_change(struct sim_traffic *traffic, int64_t now_ns) {
    if (traffic->measuring)
        watch(traffic, now_ns);
    start_checks(traffic, now_ns);
}

bool sim_is_throttle(enum model_limiter limiter) {
    return limiter != MODEL_ADMITTED && limiter != MODEL_BY_OVERLOAD && limiter != MODEL_UNSERVABLE;
}

/** Hold the admission against what each bucket may let through, whether measured or not. */
static void check_admission(struct sim_traffic *traffic, const struct sim_job *job, int64_t now_ns) {
    const struct model_request *request = &job->request;
    struct sim_bucket_check *checks = &traffic->checks[bucket_index(request->model, 0)];

    sim_bucket_check_admit(&checks[MODEL_RPM], now_ns, MODEL_UNITS_PER_TOKEN);
    sim_bucket_check_admit(&checks[MODEL_ITPM], now_ns, request->input_charge);
    if (traffic->endpoint->config->output_charge == MODEL_CHARGE_RESERVE)
        sim_bucket_check_admit(&checks[MODEL_OTPM], now_ns, request->output_charge);
}

static void refund(struct sim_traffic *traffic, uint32_t model, int bucket, model_units units, int64_t now_ns) {
    if (units > 0)
        sim_bucket_check_refund(&traffic->checks[bucket_index(model, (int)bucket)], now_ns, units);
}

void sim_traffic_first_token(struct sim_traffic *traffic, const struct sim_job *job, int64_t now_ns) {
    const struct model_request *request = &job->request;

    refund(traffic, request->model, MODEL_ITPM, request->input_charge - request->input_true, now_ns);
}

void sim_traffic_completed(struct sim_traffic *traffic, const struct sim_job *job, int64_t now_ns) {
    const struct model_request *request = &job->request;

    if (traffic->endpoint->config->output_charge == MODEL_CHARGE_RESERVE)
        refund(traffic, request->model, MODEL_OTPM,
               request->output_charge - (model_units)job->work.output_tokens * MODEL_UNITS_PER_TOKEN, now_ns);
}

uint64_t sim_traffic_violations(const struct sim_traffic *traffic) {
    uint64_t violations = 0;

    for (size_t i = 0; i < bucket_index((uint32_t)traffic->endpoint->config->class_count, 0); i++)
        violations += traffic->checks[i].violations;
    return violations;
}

static void count_retry(struct sim_traffic *traffic, const struct sim_job *job, bool throttled, int64_t now_ns) {
    if (!job->after_throttle)
        return;
    traffic->after_throttle++;
    traffic->after_throttle_again += throttled;
    if (job->retry_floor_ns >= 0) {
        traffic->told++;
        traffic->early += now_ns < job->retry_floor_ns;
    }
}

void sim_traffic_attempt(struct sim_traffic *traffic, const struct sim_job *job,
                         const struct model_admission *admission, int64_t now_ns) {
    bool throttled = sim_is_throttle(admission->limiter);

    if (admission->limiter == MODEL_ADMITTED)
        check_admission(traffic, job, now_ns);
    if (!traffic->measuring)
        return;
    traffic->attempts++;
    sim_rates_record(&traffic->requests, now_ns);
    count_retry(traffic, job, throttled, now_ns);
    if (admission->limiter == MODEL_ADMITTED) {
        traffic->admitted++;
        sim_rates_record(&traffic->admissions, now_ns);
        return;
    }
    traffic->refused[admission->limiter]++;
    traffic->tenant_throttles[job->sched.tenant] += throttled;
}

static void report_rates(const struct sim_rates *rates, double *value) {
    struct sim_rates_summary result = sim_rates_summary(rates);

    value[0] = result.per_s;
    value[1] = result.sd_per_s;
    value[2] = result.sd_per_100ms;
    value[3] = result.peak_per_s;
}

/** A ratio: numerator in value, denominator in weight. */
static void report_ratio(struct sim_outcome *outcome, size_t slot, uint64_t numerator, uint64_t denominator) {
    outcome->value[slot] = (double)numerator;
    outcome->weight[slot] = (double)denominator;
}

void sim_traffic_report(const struct sim_traffic *traffic, struct sim_outcome *outcome) {
    static const struct {
        enum model_limiter limiter;
        enum sim_scalar slot;
    } rows[] = {
        {MODEL_BY_RPM, SIM_THROTTLES_RPM},           {MODEL_BY_ITPM, SIM_THROTTLES_ITPM},
        {MODEL_BY_OTPM, SIM_THROTTLES_OTPM},         {MODEL_BY_RAMP, SIM_THROTTLES_RAMP},
        {MODEL_BY_SPEND, SIM_THROTTLES_SPEND},       {MODEL_BY_CONCURRENCY, SIM_THROTTLES_CONCURRENCY},
        {MODEL_BY_OVERLOAD, SIM_THROTTLES_OVERLOAD}, {MODEL_UNSERVABLE, SIM_UNSERVABLE},
    };
    uint64_t throttles = 0;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        outcome->value[rows[i].slot] = (double)traffic->refused[rows[i].limiter];
        if (sim_is_throttle(rows[i].limiter))
            throttles += traffic->refused[rows[i].limiter];
    }
    outcome->value[SIM_THROTTLES_TOTAL] = (double)throttles;
    report_ratio(outcome, SIM_THROTTLES_RATE, throttles, traffic->attempts);
    report_ratio(outcome, SIM_RECURRENCE, traffic->after_throttle_again, traffic->after_throttle);
    report_ratio(outcome, SIM_AMPLIFICATION, traffic->attempts, traffic->admitted);
    report_ratio(outcome, SIM_EARLY_SHARE, traffic->early, traffic->told);
    report_rates(&traffic->requests, outcome->value + SIM_REQUESTS_PER_S);
    report_rates(&traffic->admissions, outcome->value + SIM_ADMITTED_PER_S);
    for (int b = 0; b < MODEL_BUCKETS; b++)
        outcome->value[SIM_UTILISATION_RPM + b] =
            traffic->use[b].refill > 0 ? (double)traffic->use[b].charged / (double)traffic->use[b].refill : NAN;
}
