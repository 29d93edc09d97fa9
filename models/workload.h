/** Tenants, their streams of jobs, and the work that a job brings: all of it drawn at arrival, so that rival policies
 *  face identical work whatever order they serve it in. */
#ifndef MODELS_WORKLOAD_H
#define MODELS_WORKLOAD_H

#include "../sched/job.h"
#include "arrivals.h"
#include "distribution.h"
#include "streams.h"

/** One stream of jobs of one tenant. Distributions are prepared. */
struct model_stream {
    uint32_t tenant; /**< index over the scenario's tenants */
    uint32_t model;  /**< model class of the endpoint; 0: the endpoint's own limits */
    enum sched_origin origin;
    int64_t sla_ns; /**< SCHED_NEVER: none */
    struct model_arrivals_config arrivals;
    struct model_distribution input_tokens;
    struct model_distribution cached_tokens;      /**< part of the input that is read from the cache */
    struct model_distribution cache_write_tokens; /**< part of the input that is written to the cache */
    struct model_distribution output_tokens;
    int64_t max_tokens; /**< 0: not stated */
    bool has_patience;
    struct model_distribution patience_s;
};

struct model_tenant {
    char *id;
    char *plan;           /**< NULL: none */
    double weight;        /**< plan weight */
    int64_t daily_tokens; /**< -1: no budget */
};

struct model_workload {
    struct model_tenant *tenants;
    uint32_t tenant_count;
    struct model_stream *streams; /**< in order of tenant, then of the file */
    uint32_t stream_count;
};

/** A job's work. Token counts are final: rounded half up, at most 1e12 (no sum of them overflows), input >= 1,
 *  output <= max_tokens, cached + written <= input (reads are kept, writes cut first). */
struct model_work {
    int64_t input_tokens;
    int64_t cached_tokens;      /**< read from the cache */
    int64_t cache_write_tokens; /**< written to the cache */
    int64_t output_tokens;
    int64_t max_tokens; /**< 0: not stated */
    double u_ttft;      /**< latency draws are probabilities; values come from the regime in force at admission */
    double u_rate;
    double u_estimate;
    int64_t patience_ns; /**< from arrival; SCHED_NEVER: waits for ever */
};

/** Draw the work of job @p job of stream number @p index. @p row: the trace row it comes from, whose columns replace
 * the stream's distributions; or NULL. */
void model_work_draw(const struct model_stream *stream, uint32_t index, uint32_t job, const struct model_trace_row *row,
                     const struct model_streams *streams, struct model_work *ret);

#endif
