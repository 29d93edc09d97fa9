/** What the reader fills from the rows of the key table, before names are resolved and lists expanded. */
#ifndef SIM_DRAFT_H
#define SIM_DRAFT_H

#include "scenario.h"

/** A list as it stands in the file. */
struct sim_list {
    void *items;
    size_t count;
};

/** Parameters of one distribution, of whatever kind. */
struct sim_distribution_draft {
    double value, mean, median, sigma, cv, scale, alpha;
    double low, high; /**< uniform */
    double min, max;  /**< clamps within the kind's object; -INFINITY, INFINITY: none */
    double outer_min, outer_max;
    enum model_distribution_kind kind;
    struct sim_list knots; /**< struct sim_knot */
    struct sim_list values;
};

struct sim_knot {
    double p, x;
};

/** Limits, latency and the like of one stretch of time, complete. */
struct sim_regime_draft {
    int64_t at_ns;
    int64_t per_minute[MODEL_BUCKETS];
    int64_t burst_ns[MODEL_BUCKETS];
    struct model_latency latency;
    struct model_overload overload;
    int64_t concurrency;
};

struct sim_model_draft {
    char *name;
    int64_t per_minute[MODEL_BUCKETS];
    struct model_latency latency;
    struct model_price price;
};

/** A name with a number: a plan's weight, a plan's share. */
struct sim_named_number {
    char *name;
    double number;
};

struct sim_stream_draft {
    struct model_stream stream;
    char *model;
    bool has_input, has_output;
    struct sim_list at;      /**< burst: double, s */
    struct sim_list profile; /**< double, per s */
    char *file;              /**< trace */
    struct model_trace_columns columns;
    char *trace_tenant;
};

struct sim_tenant_draft {
    char *id;
    char *plan;
    int64_t daily_tokens;
    uint32_t count;
    struct sim_list streams;
};

enum sim_spread { SIM_SPREAD_NONE, SIM_SPREAD_ZIPF, SIM_SPREAD_LOGNORMAL };

struct sim_population_draft {
    char *id;
    uint32_t n;
    enum sim_spread spread;
    double spread_parameter;
    double total_rate_per_s; /**< NAN: the streams' own */
    int64_t daily_tokens;
    struct sim_list plans; /**< struct sim_named_number: shares */
    struct sim_list streams;
};

struct sim_draft {
    struct sim_scenario scenario; /**< scalars only */
    bool has_precision;
    enum { SIM_TO_MESSAGES, SIM_TO_BATCHES } batch_destination;
    struct sim_regime_draft regime; /**< the endpoint's own */
    struct model_price price;
    struct sim_list changes;     /**< struct sim_regime_draft; checked only, since each merges into a complete one */
    struct sim_list models;      /**< struct sim_model_draft */
    struct sim_list plans;       /**< struct sim_named_number: weights */
    struct sim_list tenants;     /**< struct sim_tenant_draft */
    struct sim_list populations; /**< struct sim_population_draft */
    struct sim_list slo;         /**< char * */
};

#endif
