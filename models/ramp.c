#include "ramp.h"

#include "wall_clock.h"

#include <math.h>

static int64_t minute_of(const struct model_endpoint *endpoint, int64_t now_ns) {
    return model_period(endpoint->config->start_unix_ns + now_ns, MODEL_MINUTE_NS);
}

/** Input tokens a minute that all model classes together may take; INFINITY when one has no limit. */
static double ceiling(const struct model_endpoint *endpoint) {
    const struct model_class_regime *classes = endpoint->config->regimes[endpoint->regime].classes;
    double sum = 0;

    for (size_t i = 0; i < endpoint->config->class_count; i++) {
        if (classes[i].per_minute[MODEL_ITPM] == 0)
            return INFINITY;
        sum += (double)classes[i].per_minute[MODEL_ITPM];
    }
    return sum;
}

void model_ramp_start(struct model_endpoint *endpoint) {
    endpoint->ramp_minute = minute_of(endpoint, 0);
    endpoint->ramp_allowance = endpoint->config->ramp_initial_tokens;
    endpoint->ramp_admitted = 0;
    endpoint->ramp_busy = false;
}

void model_ramp_advance(struct model_endpoint *endpoint, int64_t now_ns) {
    int64_t minute = minute_of(endpoint, now_ns);
    int64_t idle = minute - endpoint->ramp_minute;
    double step = endpoint->config->ramp_step_tokens;

    if (idle == 0)
        return;
    if (endpoint->ramp_busy) {
        endpoint->ramp_allowance = fmin(ceiling(endpoint), endpoint->ramp_allowance + step);
        idle--;
    }
    double initial = endpoint->config->ramp_initial_tokens;
    if (idle > 0 && endpoint->ramp_allowance > initial)
        endpoint->ramp_allowance = fmax(initial, endpoint->ramp_allowance - step * (double)idle);
    endpoint->ramp_minute = minute;
    endpoint->ramp_admitted = 0;
    endpoint->ramp_busy = false;
}

bool model_ramp_allows(const struct model_endpoint *endpoint, int64_t tokens) {
    return !endpoint->ramp_busy || endpoint->ramp_admitted + (double)tokens <= endpoint->ramp_allowance;
}

void model_ramp_admit(struct model_endpoint *endpoint, int64_t tokens) {
    endpoint->ramp_admitted += (double)tokens;
    endpoint->ramp_busy = true;
}

int64_t model_ramp_wait_s(const struct model_endpoint *endpoint, int64_t now_ns) {
    int64_t next_ns = (minute_of(endpoint, now_ns) + 1) * MODEL_MINUTE_NS;
    int64_t wait_ns = next_ns - (endpoint->config->start_unix_ns + now_ns);

    return (wait_ns + 999999999) / 1000000000;
}
