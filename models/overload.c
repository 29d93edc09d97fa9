#include "overload.h"

#include <math.h>

/* 529s are the endpoint's: no stream of jobs owns their draws. */
enum { NO_STREAM = 0 };

static const struct model_overload *settings(const struct model_endpoint *endpoint) {
    return &endpoint->config->regimes[endpoint->regime].overload;
}

static double mean_good_s(const struct model_overload *overload) {
    if (!(overload->episodes_per_day > 0))
        return INFINITY;
    return fmax(0, 86400 / overload->episodes_per_day - overload->mean_bad_s);
}

/** Draw how long the present state goes on from @p from_ns. Being exponential, that is also what is left of it. */
static void draw_sojourn(struct model_endpoint *endpoint, const struct model_overload *overload, int64_t from_ns) {
    double mean_s = endpoint->overload_bad ? overload->mean_bad_s : mean_good_s(overload);
    double u = model_uniform(endpoint->streams, NO_STREAM, endpoint->overload_sojourns++, MODEL_OVERLOAD_STATE, 0);
    double sojourn_ns = -mean_s * 1e9 * log(u);

    /* At least 1 ns, so that two means of 0 still get somewhere. */
    endpoint->overload_until_ns =
        sojourn_ns < (double)(INT64_MAX / 2) ? from_ns + (int64_t)fmax(1, sojourn_ns) : INT64_MAX;
}

static void advance(struct model_endpoint *endpoint, const struct model_overload *overload, int64_t now_ns) {
    while (endpoint->overload_until_ns <= now_ns) {
        endpoint->overload_bad = !endpoint->overload_bad;
        draw_sojourn(endpoint, overload, endpoint->overload_until_ns);
    }
}

void model_overload_start(struct model_endpoint *endpoint, int64_t now_ns) {
    endpoint->overload_bad = false;
    endpoint->overload_until_ns = INT64_MAX;
    if (settings(endpoint)->on)
        draw_sojourn(endpoint, settings(endpoint), now_ns);
}

void model_overload_change(struct model_endpoint *endpoint, int64_t now_ns, const struct model_overload *before) {
    const struct model_overload *after = settings(endpoint);

    if (!before->on || !after->on) {
        model_overload_start(endpoint, now_ns);
        return;
    }
    advance(endpoint, before, now_ns);
    if (before->mean_bad_s != after->mean_bad_s || before->episodes_per_day != after->episodes_per_day)
        draw_sojourn(endpoint, after, now_ns);
}

bool model_overload_hits(struct model_endpoint *endpoint, int64_t now_ns) {
    const struct model_overload *overload = settings(endpoint);

    if (!overload->on)
        return false;
    advance(endpoint, overload, now_ns);
    double p = endpoint->overload_bad ? overload->bad_probability : overload->good_probability;
    /* A uniform lies strictly between 0 and 1, so probabilities 0 and 1 are exact. */
    return model_uniform(endpoint->streams, NO_STREAM, endpoint->attempts++, MODEL_OVERLOAD_HIT, 0) < p;
}
