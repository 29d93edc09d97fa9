#include "pacing.h"

#include <math.h>

enum { REQUESTS, INPUT, OUTPUT };

/** Slack of a floating-point level, in tokens: far below one token, far above rounding. */
#define SLACK 1e-6

static double capacity(const struct sched_paced_limits *limits, int bucket) {
    double tokens = (double)limits->per_minute[bucket] * ((double)limits->burst_ns[bucket] / 60e9);

    return bucket == REQUESTS ? fmax(tokens, 1) : tokens;
}

void sched_pacing_init(struct sched_pacing *pacing, const struct sched_config *config,
                       struct sched_paced_buckets *buckets) {
    *pacing = (struct sched_pacing){.config = config, .buckets = buckets};
    for (uint32_t m = 0; m < config->paced_count; m++) {
        buckets[m] = (struct sched_paced_buckets){0};
        for (int b = 0; b < 3; b++)
            buckets[m].level[b] = capacity(&config->paced[m], b);
    }
}

static void advance(const struct sched_paced_limits *limits, struct sched_paced_buckets *buckets, int64_t now_ns) {
    double elapsed_min = (double)(now_ns - buckets->at_ns) / 60e9;

    for (int b = 0; b < 3; b++)
        buckets->level[b] = fmin(capacity(limits, b), buckets->level[b] + elapsed_min * (double)limits->per_minute[b]);
    buckets->at_ns = now_ns;
}

static void take(const struct sched_paced_limits *limits, struct sched_paced_buckets *buckets, int bucket,
                 double tokens) {
    buckets->level[bucket] = fmin(capacity(limits, bucket), buckets->level[bucket] - tokens);
}

/** The level at which each bucket admits @p job. OTPM without reservation admits above 0: SLACK stands for "above". */
static void thresholds(const struct sched_paced_limits *limits, const struct sched_job *job, double ret[3]) {
    ret[REQUESTS] = 1;
    ret[INPUT] = fmin((double)job->uncached_tokens, capacity(limits, INPUT));
    ret[OUTPUT] = limits->reserve ? fmin((double)job->max_tokens, capacity(limits, OUTPUT)) : 2 * SLACK;
}

bool sched_pacing_charge(struct sched_pacing *pacing, struct sched_job *job, int64_t now_ns,
                         int64_t *ret_not_before_ns) {
    const struct sched_paced_limits *limits = &pacing->config->paced[job->model];
    struct sched_paced_buckets *buckets = &pacing->buckets[job->model];
    double threshold[3];
    double wait_ns = 0;

    advance(limits, buckets, now_ns);
    thresholds(limits, job, threshold);
    for (int b = 0; b < 3; b++) {
        double missing = threshold[b] - buckets->level[b];

        if (limits->per_minute[b] > 0 && missing > SLACK)
            wait_ns = fmax(wait_ns, missing * 60e9 / (double)limits->per_minute[b]);
    }
    if (wait_ns > 0) {
        *ret_not_before_ns = now_ns + (int64_t)fmin(ceil(wait_ns) + 1, 9e17);
        return false;
    }

    job->paced_output_tokens = limits->reserve             ? (double)job->max_tokens
                               : buckets->output_count > 0 ? buckets->output_sum / buckets->output_count
                                                           : 0;
    take(limits, buckets, REQUESTS, 1);
    take(limits, buckets, INPUT, (double)job->uncached_tokens);
    take(limits, buckets, OUTPUT, job->paced_output_tokens);
    return true;
}

void sched_pacing_refund(struct sched_pacing *pacing, const struct sched_job *job, int64_t now_ns) {
    const struct sched_paced_limits *limits = &pacing->config->paced[job->model];
    struct sched_paced_buckets *buckets = &pacing->buckets[job->model];

    advance(limits, buckets, now_ns);
    take(limits, buckets, REQUESTS, -1);
    take(limits, buckets, INPUT, -(double)job->uncached_tokens);
    take(limits, buckets, OUTPUT, -job->paced_output_tokens);
}

void sched_pacing_settle(struct sched_pacing *pacing, const struct sched_job *job, int64_t now_ns,
                         int64_t output_tokens) {
    const struct sched_paced_limits *limits = &pacing->config->paced[job->model];
    struct sched_paced_buckets *buckets = &pacing->buckets[job->model];

    advance(limits, buckets, now_ns);
    take(limits, buckets, OUTPUT, (double)output_tokens - job->paced_output_tokens);
    buckets->output_sum += (double)output_tokens;
    buckets->output_count += 1;
}

void sched_pacing_correct(struct sched_pacing *pacing, uint32_t model, int64_t now_ns, const int64_t *remaining) {
    const struct sched_paced_limits *limits = &pacing->config->paced[model];
    struct sched_paced_buckets *buckets = &pacing->buckets[model];

    advance(limits, buckets, now_ns);
    for (int b = 0; b < 3; b++)
        buckets->level[b] = fmin(buckets->level[b], (double)remaining[b]);
}
