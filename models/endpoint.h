/** The Claude endpoint: rate limits, latency, overload and what requests cost, as ENDPOINT facts in docs/endpoint.md
 *  state them. Admission is atomic and charges nothing on rejection. Times go in and come out; the caller schedules. */
#ifndef MODELS_ENDPOINT_H
#define MODELS_ENDPOINT_H

#include "bucket.h"
#include "distribution.h"
#include "price.h"
#include "streams.h"
#include "workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The three buckets of a model class. */
enum model_bucket_id { MODEL_RPM, MODEL_ITPM, MODEL_OTPM };
enum { MODEL_BUCKETS = 3 };

/** How output tokens are charged: as produced, in a lump at completion, or max_tokens reserved at the start. */
enum model_output_charge { MODEL_CHARGE_STREAM, MODEL_CHARGE_COMPLETION, MODEL_CHARGE_RESERVE };

struct model_latency {
    struct model_distribution ttft_ms;
    struct model_distribution output_tokens_per_s;
    double prefill_ms_per_1k_tokens; /**< of uncached input */
};

/** 529s: a two-state Markov-modulated process, good at time 0. */
struct model_overload {
    bool on;
    double good_probability, bad_probability; /**< chance of a 529 per attempt */
    double mean_bad_s;
    double episodes_per_day; /**< mean good time = 86400 / episodes - mean bad */
};

/** What one model class has at a time. */
struct model_class_regime {
    int64_t per_minute[MODEL_BUCKETS]; /**< 0: no limit */
    int64_t burst_ns[MODEL_BUCKETS];
    struct model_latency latency;
};

/** Everything that `changes` may replace, complete, in force from `from_ns` on. */
struct model_regime {
    int64_t from_ns;
    int64_t concurrency; /**< requests in service at once; 0: no limit */
    struct model_overload overload;
    struct model_class_regime *classes; /**< class_count of them; 0 is the endpoint's own */
};

struct model_endpoint_config {
    enum model_output_charge output_charge;
    bool cache_reads_count;     /**< cache reads count against ITPM */
    bool ramp;                  /**< acceleration limit on */
    double ramp_initial_tokens; /**< allowance per clock minute */
    double ramp_step_tokens;
    double spend_cap_usd_per_day;             /**< NAN: no cap */
    bool estimates;                           /**< `input_estimate` is in use */
    struct model_distribution input_estimate; /**< estimate / true */
    size_t class_count;                       /**< at least 1 */
    char **class_names;                       /**< class_names[0] is "" */
    struct model_price *prices;
    size_t regime_count; /**< at least 1; regimes[0].from_ns == 0 */
    struct model_regime *regimes;
    int64_t start_unix_ns; /**< wall clock of instant 0: clock minutes and days */
};

/** Why a request was refused. */
enum model_limiter {
    MODEL_ADMITTED,
    MODEL_BY_RPM,
    MODEL_BY_ITPM,
    MODEL_BY_OTPM,
    MODEL_BY_RAMP,
    MODEL_BY_CONCURRENCY,
    MODEL_BY_OVERLOAD, /**< a 529, not a 429 */
    MODEL_BY_SPEND,
    MODEL_UNSERVABLE, /**< can never be admitted: a single error, no 429 */
    MODEL_LIMITERS
};

/** One request in service: kept by the caller from admission to completion. */
struct model_request {
    uint32_t model;            /**< model class */
    model_units input_charge;  /**< ITPM units charged, as estimated */
    model_units input_true;    /**< ITPM units it truly needs */
    model_units output_charge; /**< OTPM units reserved, or still owed at the end */
    int64_t drain;             /**< units per ns from the first token to the end; 0: nothing drains */
    int64_t first_token_ns;    /**< instant of the first token */
    int64_t done_ns;           /**< instant of completion */
    bool first_token_matters;  /**< the caller must call model_endpoint_first_token() at first_token_ns, before done_ns;
                                    that call clears it */
};

struct model_admission {
    enum model_limiter limiter;
    int64_t retry_after_ns;           /**< whole seconds; -1: none sent */
    int64_t remaining[MODEL_BUCKETS]; /**< whole tokens left, for headers; INT64_MAX: no limit, or an answer that
                                           carries no such headers (529, spend cap, unservable) */
};

struct model_endpoint {
    const struct model_endpoint_config *config;
    const struct model_streams *streams;
    struct model_bucket (*buckets)[MODEL_BUCKETS]; /**< by class */
    size_t regime;                                 /**< in force */
    int64_t in_service;
    uint32_t attempts; /**< numbers the overload draws */
    /* overload process */
    bool overload_bad;
    int64_t overload_until_ns;
    uint32_t overload_sojourns;
    /* ramp, per endpoint */
    int64_t ramp_minute;
    double ramp_allowance;
    double ramp_admitted;
    bool ramp_busy;
    /* spend */
    int64_t spend_day;
    double spend_usd;
};

/** Start full at instant 0. @p buckets: memory for class_count entries, borrowed. */
void model_endpoint_init(struct model_endpoint *endpoint, const struct model_endpoint_config *config,
                         const struct model_streams *streams, struct model_bucket (*buckets)[MODEL_BUCKETS]);

/** Put the next regime in force; call at its from_ns. Levels are kept, clamped to the new capacities; requests in
 *  service keep their latency and go on draining; the 529 process keeps its state, and draws the rest of its sojourn
 * anew if its mean times changed (it is memoryless). */
void model_endpoint_change(struct model_endpoint *endpoint, int64_t now_ns);

/** Ask to admit @p work of model class @p model at @p now_ns; the order of checks is: unservable, spend cap, overload,
 *  concurrency, ramp, RPM, ITPM, OTPM. The limiter is the first that fails; a bucket's retry-after is the longest of
 * the buckets that fail. Fills *request only when admitted. Times given to one endpoint must not fall. */
struct model_admission model_endpoint_admit(struct model_endpoint *endpoint, int64_t now_ns, uint32_t model,
                                            const struct model_work *work, struct model_request *request);

/** The first token: estimates are corrected and streaming begins. Only if request->first_token_matters, which it
 * clears. A caller in real time may be late: what should have streamed by @p now_ns is then charged at once. */
void model_endpoint_first_token(struct model_endpoint *endpoint, int64_t now_ns, struct model_request *request);

/** The request ended: output settled exactly, slot and spend booked. After the first-token call, if there is one.
 *  @return its price in USD. */
double model_endpoint_complete(struct model_endpoint *endpoint, int64_t now_ns, const struct model_request *request,
                               const struct model_work *work);

/** Service time in ns under class regime @p regime: TTFT + prefill x uncached input + output / token rate.
 *  *ret_first_token_ns: the part before the first token. */
int64_t model_service_ns(const struct model_class_regime *regime, const struct model_work *work,
                         int64_t *ret_first_token_ns);

#endif
