/** How long the endpoint takes over a request. */
#include "endpoint.h"

#include <math.h>

/* No part of a request takes longer: some 3 years. Keeps sums of times within 64 bits whatever a distribution yields.
 */
#define PART_NS_MAX 1e17

/** Whole nanoseconds of a time that may be negative, infinite or NaN. */
static int64_t whole_ns(double ns) {
    return ns > 0 ? llround(fmin(ns, PART_NS_MAX)) : 0;
}

int64_t model_service_ns(const struct model_class_regime *regime, const struct model_work *work,
                         int64_t *ret_first_token_ns) {
    const struct model_latency *latency = &regime->latency;
    double uncached = (double)(work->input_tokens - work->cached_tokens);
    int64_t first_token_ns = whole_ns(model_distribution_quantile(&latency->ttft_ms, work->u_ttft) * 1e6) +
                             whole_ns(latency->prefill_ms_per_1k_tokens * uncached * 1e3);
    int64_t output_ns = 0;

    if (work->output_tokens > 0) {
        double rate_per_s = model_distribution_quantile(&latency->output_tokens_per_s, work->u_rate);
        output_ns = rate_per_s > 0 ? whole_ns((double)work->output_tokens / rate_per_s * 1e9) : (int64_t)PART_NS_MAX;
    }
    *ret_first_token_ns = first_token_ns;
    return first_token_ns + output_ns;
}
