#include "workload.h"

/** No request has more; keeps every sum of tokens far from overflow, whatever the distribution's tail. */
#define TOKENS_MAX 1e12

/** Round half up into [0, TOKENS_MAX]. */
static int64_t whole_tokens(double x) {
    double bounded = x > 0 ? (x < TOKENS_MAX ? x : TOKENS_MAX) : 0;
    int64_t floor = (int64_t)bounded;
    return floor + (bounded - (double)floor >= 0.5);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

struct drawer {
    const struct model_streams *streams;
    uint32_t stream, job;
};

/** A constant needs no random number: most streams have several. */
static double draw(const struct drawer *drawer, const struct model_distribution *distribution,
                   enum model_purpose purpose) {
    double u = 0.5;
    if (distribution->kind != MODEL_CONSTANT)
        u = model_uniform(drawer->streams, drawer->stream, drawer->job, purpose, 0);
    return model_distribution_quantile(distribution, u);
}

static int64_t draw_tokens(const struct drawer *drawer, const struct model_distribution *distribution,
                           enum model_purpose purpose, int64_t recorded) {
    return recorded >= 0 ? recorded : whole_tokens(draw(drawer, distribution, purpose));
}

void model_work_draw(const struct model_stream *stream, uint32_t index, uint32_t job, const struct model_trace_row *row,
                     const struct model_streams *streams, struct model_work *ret) {
    const struct drawer drawer = {streams, index, job};
    const int64_t recorded_input = row ? row->input_tokens : -1;
    const int64_t recorded_cached = row ? row->cached_tokens : -1;
    const int64_t recorded_output = row ? row->output_tokens : -1;

    int64_t input = draw_tokens(&drawer, &stream->input_tokens, MODEL_INPUT, recorded_input);
    input = input > 1 ? input : 1;
    int64_t cached = draw_tokens(&drawer, &stream->cached_tokens, MODEL_CACHED, recorded_cached);
    cached = least(cached, input);
    int64_t written = draw_tokens(&drawer, &stream->cache_write_tokens, MODEL_CACHE_WRITE, -1);
    int64_t output = draw_tokens(&drawer, &stream->output_tokens, MODEL_OUTPUT, recorded_output);

    ret->input_tokens = input;
    ret->cached_tokens = cached;
    ret->cache_write_tokens = least(written, input - cached);
    ret->output_tokens = stream->max_tokens > 0 ? least(output, stream->max_tokens) : output;
    ret->max_tokens = stream->max_tokens;
    ret->u_ttft = model_uniform(streams, index, job, MODEL_TTFT, 0);
    ret->u_rate = model_uniform(streams, index, job, MODEL_RATE, 0);
    ret->u_estimate = model_uniform(streams, index, job, MODEL_ESTIMATE, 0);
    ret->patience_ns = SCHED_NEVER;
    if (stream->has_patience)
        ret->patience_ns = model_ns(draw(&drawer, &stream->patience_s, MODEL_PATIENCE));
}
