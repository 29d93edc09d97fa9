/* Stratified draws of one stream's jobs.
 *
 * The first token's draw is stratified exactly; the other five dimensions follow the Kronecker sequence on the powers
 * of the root of x^6 = x + 1 (Roberts' R5), so that a few thousand points settle a p99 to about a per cent. */
#include "draws.h"

#include "../memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double steps[] = {0.8812714616335696, 0.7766393890897682, 0.6844301295853426, 0.6031687406857282,
                               0.5315553977157913};

enum dimension { INPUT, CACHED, CACHE_WRITE, OUTPUT, RATE };

static double point(enum dimension dimension, size_t i) {
    double whole;
    double u = modf(0.5 + (double)(i + 1) * steps[dimension], &whole);
    return fmin(fmax(u, 1e-9), 1 - 1e-9);
}

static double tokens(const struct model_distribution *distribution, double u) {
    return fmax(0, floor(model_distribution_quantile(distribution, u) + 0.5));
}

/* Rows of the stream's trace that are its own, malloc'ed; NULL without any. */
static const struct model_trace_row **own_rows(const struct model_arrivals_config *arrivals, size_t *ret_count) {
    *ret_count = 0;
    if (arrivals->kind != MODEL_TRACE || !arrivals->trace || !arrivals->trace->count)
        return NULL;
    const struct model_trace_row **rows = sim_calloc(arrivals->trace->count, sizeof *rows);
    for (size_t i = 0; i < arrivals->trace->count; i++)
        if (arrivals->trace_tenant < 0 || arrivals->trace->rows[i].tenant == arrivals->trace_tenant)
            rows[(*ret_count)++] = &arrivals->trace->rows[i];
    return rows;
}

/* Draw number `i` of `count`, by the rules of model_work_draw(). */
static struct model_work draw_work(const struct model_stream *stream, const struct model_trace_row *row, size_t i,
                                   size_t count) {
    double input = fmax(1, row && row->input_tokens >= 0 ? (double)row->input_tokens
                                                         : tokens(&stream->input_tokens, point(INPUT, i)));
    double cached =
        row && row->cached_tokens >= 0 ? (double)row->cached_tokens : tokens(&stream->cached_tokens, point(CACHED, i));
    double output =
        row && row->output_tokens >= 0 ? (double)row->output_tokens : tokens(&stream->output_tokens, point(OUTPUT, i));
    double written = tokens(&stream->cache_write_tokens, point(CACHE_WRITE, i));
    if (stream->max_tokens > 0)
        output = fmin(output, (double)stream->max_tokens);
    cached = fmin(cached, input);
    return (struct model_work){.input_tokens = (int64_t)input,
                               .cached_tokens = (int64_t)cached,
                               .cache_write_tokens = (int64_t)fmin(written, input - cached),
                               .output_tokens = (int64_t)output,
                               .max_tokens = stream->max_tokens,
                               .u_ttft = ((double)i + 0.5) / (double)count,
                               .u_rate = point(RATE, i),
                               .u_estimate = 0.5,
                               .patience_ns = SCHED_NEVER};
}

/* Jobs a second. A closed population's is bounded by what an idle system would let it send. */
static double rate_of(const struct model_arrivals_config *arrivals, double duration_s, double service_s) {
    if (arrivals->kind != MODEL_CLOSED)
        return model_arrivals_mean_rate(arrivals, duration_s);
    double cycle_s = model_distribution_mean(&arrivals->think_s) + service_s;
    return cycle_s > 0 ? (double)arrivals->population / cycle_s : INFINITY;
}

static void draw_all(struct sim_load_draws *draws, const struct sim_scenario *scenario,
                     const struct model_stream *stream, const struct model_trace_row **rows, size_t row_count) {
    const struct model_class_regime *regime = &scenario->endpoint.regimes[0].classes[stream->model];
    for (size_t i = 0; i < draws->count; i++) {
        const struct model_trace_row *row = row_count ? rows[i * row_count / draws->count] : NULL;
        struct model_work work = draw_work(stream, row, i, draws->count);
        int64_t first_token_ns;
        draws->service_s[i] = (double)model_service_ns(regime, &work, &first_token_ns) * 1e-9;
        int64_t counted = work.input_tokens - (scenario->endpoint.cache_reads_count ? 0 : work.cached_tokens);
        if (row && row->input_tokens >= 0)
            draws->largest = fmax(draws->largest, (double)work.input_tokens);
        draws->input += (double)counted / (double)draws->count;
        draws->output += (double)work.output_tokens / (double)draws->count;
        draws->service += draws->service_s[i] / (double)draws->count;
    }
}

void sim_load_draws_init(struct sim_load_draws *draws, const struct sim_scenario *scenario, uint32_t index,
                         size_t count) {
    const struct model_stream *stream = &scenario->workload.streams[index];
    *draws = (struct sim_load_draws){0};
    size_t row_count;
    const struct model_trace_row **rows = own_rows(&stream->arrivals, &row_count);
    if (stream->arrivals.kind != MODEL_TRACE || row_count) {
        draws->count = count;
        draws->service_s = sim_calloc(count, sizeof *draws->service_s);
        draw_all(draws, scenario, stream, rows, row_count);
        if (scenario->endpoint.estimates)
            draws->input *= model_distribution_mean(&scenario->endpoint.input_estimate);
        if (draws->largest == 0)
            draws->largest = model_distribution_quantile(&stream->input_tokens, 0.999);
        draws->rate_per_s = rate_of(&stream->arrivals, (double)scenario->duration_ns * 1e-9, draws->service);
    }
    free(rows);
}

void sim_load_draws_finish(struct sim_load_draws *draws) {
    free(draws->service_s);
    *draws = (struct sim_load_draws){0};
}
