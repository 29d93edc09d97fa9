#include "backoff.h"

#include "picker.h"

#include <math.h>

#define SECOND_NS 1e9

/** What the official clients do without a usable retry-after: 0.5 s doubling up to 8 s, up to a quarter off. */
#define SDK_BASE_NS (0.5 * SECOND_NS)
#define SDK_CAP_NS (8 * SECOND_NS)
#define SDK_SPREAD 0.25
/** The Python client ignores a retry-after above this. */
#define SDK_PYTHON_LIMIT_NS (60 * SECOND_NS)

static double after_header(const struct sched_retry_config *retry, double said_ns, double u) {
    double spread = retry->jitter_mode == SCHED_JITTER_POSITIVE ? u : 2 * u - 1;

    return said_ns * retry->factor * (1 + retry->jitter * spread);
}

static double exponential(const struct sched_retry_config *retry, const struct sched_job *job, double u) {
    double base = (double)retry->base_ns;
    double cap = (double)retry->cap_ns;
    double delay = fmin(cap, base * pow(retry->multiplier, job->refusals - 1));
    double previous = job->backoff_ns > 0 ? (double)job->backoff_ns : base;

    switch (retry->exponential_jitter) {
    case SCHED_JITTER_NONE:
        break;
    case SCHED_JITTER_FULL:
        return u * delay;
    case SCHED_JITTER_EQUAL:
        return delay / 2 + u * delay / 2;
    case SCHED_JITTER_DECORRELATED:
        return fmin(cap, base + u * (3 * previous - base));
    }
    return delay;
}

static double sdk(const struct sched_retry_config *retry, const struct sched_job *job, double said_ns, double u) {
    bool heeds = said_ns >= 0 && !(retry->sdk_client == SCHED_SDK_PYTHON && said_ns > SDK_PYTHON_LIMIT_NS);

    if (heeds)
        return said_ns;
    return fmin(SDK_BASE_NS * pow(2, job->refusals - 1), SDK_CAP_NS) * (1 - SDK_SPREAD * u);
}

int64_t sched_backoff_ns(const struct sched_scheduler *scheduler, struct sched_job *job, int64_t retry_after_ns) {
    const struct sched_retry_config *retry = &scheduler->config->retry;
    double said_ns = (double)retry_after_ns;
    double u = sched_unit(scheduler->random.draw(scheduler->random.context, SCHED_DRAW_JITTER, job->id, job->attempts));
    double delay_ns = 0;

    switch (retry->policy) {
    case SCHED_RETRY_AFTER:
        delay_ns = after_header(retry, retry_after_ns >= 0 ? said_ns : SECOND_NS, u);
        break;
    case SCHED_EXPONENTIAL:
        delay_ns = exponential(retry, job, u);
        break;
    case SCHED_FIXED:
        delay_ns = (double)retry->fixed.quantile_ns(retry->fixed.context, u);
        break;
    case SCHED_IMMEDIATE:
        break;
    case SCHED_SDK:
        delay_ns = sdk(retry, job, said_ns, u);
        break;
    }
    job->backoff_ns = llround(fmin(fmax(0, delay_ns), 9e17));
    return job->backoff_ns;
}
