#include "endpoint.h"

#include "overload.h"
#include "ramp.h"
#include "wall_clock.h"

#include <assert.h>
#include <math.h>

static const struct model_regime *regime_now(const struct model_endpoint *endpoint) {
    return &endpoint->config->regimes[endpoint->regime];
}

static model_units units_of(int64_t tokens) {
    return (model_units)tokens * MODEL_UNITS_PER_TOKEN;
}

static model_units smaller(model_units a, model_units b) {
    return a < b ? a : b;
}

static void configure_buckets(struct model_endpoint *endpoint, int64_t now_ns) {
    for (size_t i = 0; i < endpoint->config->class_count; i++) {
        const struct model_class_regime *regime = &regime_now(endpoint)->classes[i];
        for (int id = 0; id < MODEL_BUCKETS; id++)
            /* Fewer than one request would let nothing through for ever; token buckets go into debt instead. */
            model_bucket_configure(&endpoint->buckets[i][id], now_ns, regime->per_minute[id], regime->burst_ns[id],
                                   id == MODEL_RPM ? 1 : 0);
    }
}

void model_endpoint_init(struct model_endpoint *endpoint, const struct model_endpoint_config *config,
                         const struct model_streams *streams, struct model_bucket (*buckets)[MODEL_BUCKETS]) {
    assert(config->class_count >= 1 && config->regime_count >= 1);
    *endpoint = (struct model_endpoint){
        .config = config,
        .streams = streams,
        .buckets = buckets,
        .spend_day = model_period(config->start_unix_ns, MODEL_DAY_NS),
    };
    for (size_t i = 0; i < config->class_count; i++)
        for (int id = 0; id < MODEL_BUCKETS; id++)
            buckets[i][id] = (struct model_bucket){.limited = false};
    configure_buckets(endpoint, 0);
    model_overload_start(endpoint, 0);
    model_ramp_start(endpoint);
}

void model_endpoint_change(struct model_endpoint *endpoint, int64_t now_ns) {
    const struct model_overload *overload_before = &regime_now(endpoint)->overload;

    assert(endpoint->regime + 1 < endpoint->config->regime_count);
    if (endpoint->config->ramp)
        model_ramp_advance(endpoint, now_ns);
    endpoint->regime++;
    configure_buckets(endpoint, now_ns);
    model_overload_change(endpoint, now_ns, overload_before);
}

/** Input that counts against ITPM and the ramp, without the error of an estimate. */
static int64_t true_need(const struct model_endpoint_config *config, const struct model_work *work) {
    return config->cache_reads_count ? work->input_tokens : work->input_tokens - work->cached_tokens;
}

/** The same as the endpoint takes it to be at the start, in whole tokens. */
static int64_t estimated_need(const struct model_endpoint_config *config, const struct model_work *work) {
    int64_t need = true_need(config, work);

    if (!config->estimates)
        return need;
    double error = model_distribution_quantile(&config->input_estimate, work->u_estimate);
    return (int64_t)floor(fmin(fmax(0, (double)need * error), 1e15) + 0.5);
}

/** Roll the spend over to the UTC day of @p now_ns. */
static void advance_spend(struct model_endpoint *endpoint, int64_t now_ns) {
    int64_t day = model_period(endpoint->config->start_unix_ns + now_ns, MODEL_DAY_NS);

    if (day == endpoint->spend_day)
        return;
    endpoint->spend_day = day;
    endpoint->spend_usd = 0;
}

static bool spend_cap_reached(struct model_endpoint *endpoint, int64_t now_ns) {
    if (isnan(endpoint->config->spend_cap_usd_per_day))
        return false;
    advance_spend(endpoint, now_ns);
    return endpoint->spend_usd >= endpoint->config->spend_cap_usd_per_day;
}

static bool unservable(const struct model_endpoint_config *config, const struct model_bucket *buckets,
                       const struct model_work *work) {
    return config->output_charge == MODEL_CHARGE_RESERVE && buckets[MODEL_OTPM].limited &&
           units_of(work->max_tokens) > buckets[MODEL_OTPM].capacity;
}

/** The checks that come before rate limits and whose refusals carry no rate-limit headers. */
static enum model_limiter refused_unmetered(struct model_endpoint *endpoint, int64_t now_ns,
                                            const struct model_bucket *buckets, const struct model_work *work) {
    if (unservable(endpoint->config, buckets, work))
        return MODEL_UNSERVABLE;
    if (spend_cap_reached(endpoint, now_ns))
        return MODEL_BY_SPEND;
    if (model_overload_hits(endpoint, now_ns))
        return MODEL_BY_OVERLOAD;
    return MODEL_ADMITTED;
}

/** What an attempt must find in each bucket, and what it then takes at once. */
struct demand {
    model_units level[MODEL_BUCKETS]; /**< lowest level at which it passes */
    model_units input;                /**< ITPM, as estimated */
    model_units output;               /**< OTPM, when reserving; else 0 */
    model_units wait[MODEL_BUCKETS];  /**< level that retry-after waits for */
};

static struct demand demand_of(const struct model_endpoint_config *config, const struct model_bucket *buckets,
                               int64_t input_tokens, const struct model_work *work) {
    bool reserve = config->output_charge == MODEL_CHARGE_RESERVE;
    model_units input = units_of(input_tokens);
    model_units output = reserve ? units_of(work->max_tokens) : 0;
    /* A request larger than the bucket passes when it is full, and leaves it in debt. */
    model_units input_level = smaller(input, buckets[MODEL_ITPM].capacity);

    return (struct demand){
        /* Levels are whole units, so a level of 1 is "above 0". */
        .level = {MODEL_UNITS_PER_TOKEN, input_level, reserve ? output : 1},
        .input = input,
        .output = output,
        .wait = {MODEL_UNITS_PER_TOKEN, input_level, output},
    };
}

/** Test the three buckets. @return the first that fails, with the longest wait of all that do in *ret_wait_s; or
 *  MODEL_ADMITTED. */
static enum model_limiter refused_by_bucket(const struct model_bucket *buckets, const struct demand *demand,
                                            int64_t *ret_wait_s) {
    enum model_limiter first = MODEL_ADMITTED;

    for (int id = 0; id < MODEL_BUCKETS; id++) {
        if (!buckets[id].limited || buckets[id].level >= demand->level[id])
            continue;
        int64_t wait_s = model_bucket_wait_s(&buckets[id], demand->wait[id]);
        if (first == MODEL_ADMITTED) {
            first = (enum model_limiter)(MODEL_BY_RPM + id);
            *ret_wait_s = wait_s;
        } else if (wait_s > *ret_wait_s) {
            *ret_wait_s = wait_s;
        }
    }
    return first;
}

/** The rate limits in order. @return the limiter; *ret_wait_s: its retry-after, or -1 for none. */
static enum model_limiter refused_metered(struct model_endpoint *endpoint, int64_t now_ns,
                                          const struct model_bucket *buckets, const struct demand *demand,
                                          int64_t input_tokens, int64_t *ret_wait_s) {
    int64_t concurrency = regime_now(endpoint)->concurrency;

    *ret_wait_s = -1;
    if (concurrency > 0 && endpoint->in_service >= concurrency)
        return MODEL_BY_CONCURRENCY;
    if (endpoint->config->ramp) {
        model_ramp_advance(endpoint, now_ns);
        if (!model_ramp_allows(endpoint, input_tokens)) {
            *ret_wait_s = model_ramp_wait_s(endpoint, now_ns);
            return MODEL_BY_RAMP;
        }
    }
    return refused_by_bucket(buckets, demand, ret_wait_s);
}

/** Will output of class @p model ever count, now or after a change? If not, nothing needs to drain. */
static bool output_counts(const struct model_endpoint *endpoint, uint32_t model) {
    for (size_t i = endpoint->regime; i < endpoint->config->regime_count; i++)
        if (endpoint->config->regimes[i].classes[model].per_minute[MODEL_OTPM] > 0)
            return true;
    return false;
}

/** Spread @p output_tokens evenly over @p duration_ns: a whole number of units per ns, and what is left over, so that
 *  drain x duration + rest is the exact total. */
static void plan_drain(int64_t output_tokens, int64_t duration_ns, int64_t *ret_drain, model_units *ret_rest) {
    model_units total = units_of(output_tokens);
    /* Nearly always a 64-bit division, which is several times cheaper than a 128-bit one. */
    int64_t drain = total <= INT64_MAX ? (int64_t)total / duration_ns : (int64_t)(total / duration_ns);

    *ret_drain = drain;
    *ret_rest = total - (model_units)drain * duration_ns;
}

static void start_service(const struct model_endpoint *endpoint, int64_t now_ns, uint32_t model,
                          const struct model_work *work, const struct demand *demand, struct model_request *ret) {
    const struct model_endpoint_config *config = endpoint->config;
    int64_t first_token_ns;
    int64_t service_ns = model_service_ns(&regime_now(endpoint)->classes[model], work, &first_token_ns);
    int64_t stream_ns = service_ns - first_token_ns;
    bool metered_input = endpoint->buckets[model][MODEL_ITPM].limited;

    *ret = (struct model_request){
        .model = model,
        .input_charge = demand->input,
        .input_true = config->estimates && metered_input ? units_of(true_need(config, work)) : demand->input,
        .output_charge = demand->output,
        .first_token_ns = now_ns + first_token_ns,
        .done_ns = now_ns + service_ns,
    };
    if (config->output_charge == MODEL_CHARGE_STREAM && stream_ns > 0 && output_counts(endpoint, model))
        plan_drain(work->output_tokens, stream_ns, &ret->drain, &ret->output_charge);
    else if (config->output_charge != MODEL_CHARGE_RESERVE)
        ret->output_charge = units_of(work->output_tokens);
    /* With no time between them, completion does the first token's part as well. */
    ret->first_token_matters = stream_ns > 0 && (ret->drain > 0 || ret->input_true != ret->input_charge);
}

struct model_admission model_endpoint_admit(struct model_endpoint *endpoint, int64_t now_ns, uint32_t model,
                                            const struct model_work *work, struct model_request *request) {
    assert(model < endpoint->config->class_count);
    struct model_bucket *buckets = endpoint->buckets[model];
    struct model_admission ret = {.retry_after_ns = -1, .remaining = {INT64_MAX, INT64_MAX, INT64_MAX}};

    ret.limiter = refused_unmetered(endpoint, now_ns, buckets, work);
    if (ret.limiter != MODEL_ADMITTED)
        return ret;

    int64_t input_tokens = estimated_need(endpoint->config, work);
    struct demand demand = demand_of(endpoint->config, buckets, input_tokens, work);
    int64_t wait_s;
    for (int id = 0; id < MODEL_BUCKETS; id++)
        model_bucket_advance(&buckets[id], now_ns);
    ret.limiter = refused_metered(endpoint, now_ns, buckets, &demand, input_tokens, &wait_s);

    if (ret.limiter == MODEL_ADMITTED) {
        model_bucket_charge(&buckets[MODEL_RPM], MODEL_UNITS_PER_TOKEN);
        model_bucket_charge(&buckets[MODEL_ITPM], demand.input);
        model_bucket_charge(&buckets[MODEL_OTPM], demand.output);
        if (endpoint->config->ramp)
            model_ramp_admit(endpoint, input_tokens);
        endpoint->in_service++;
        start_service(endpoint, now_ns, model, work, &demand, request);
    } else if (wait_s >= 0) {
        ret.retry_after_ns = wait_s * 1000000000;
    }
    for (int id = 0; id < MODEL_BUCKETS; id++)
        ret.remaining[id] = model_bucket_remaining(&buckets[id]);
    return ret;
}

/** Replace the estimated input by the true one. */
static void correct_input(struct model_endpoint *endpoint, int64_t now_ns, const struct model_request *request) {
    struct model_bucket *bucket = &endpoint->buckets[request->model][MODEL_ITPM];

    if (request->input_true == request->input_charge)
        return;
    model_bucket_advance(bucket, now_ns);
    model_bucket_correct(bucket, request->input_true - request->input_charge);
}

void model_endpoint_first_token(struct model_endpoint *endpoint, int64_t now_ns, struct model_request *request) {
    struct model_bucket *bucket = &endpoint->buckets[request->model][MODEL_OTPM];

    assert(request->first_token_matters);
    request->first_token_matters = false;
    correct_input(endpoint, now_ns, request);
    if (request->drain == 0)
        return;
    model_bucket_advance(bucket, now_ns);
    model_bucket_drain(bucket, request->drain);
    model_bucket_charge(bucket, (model_units)request->drain * (now_ns - request->first_token_ns));
}

double model_endpoint_complete(struct model_endpoint *endpoint, int64_t now_ns, const struct model_request *request,
                               const struct model_work *work) {
    const struct model_endpoint_config *config = endpoint->config;
    struct model_bucket *bucket = &endpoint->buckets[request->model][MODEL_OTPM];
    double cost_usd = model_cost_usd(&config->prices[request->model], work);

    assert(!request->first_token_matters);
    assert(endpoint->in_service > 0);
    endpoint->in_service--;
    if (request->done_ns == request->first_token_ns)
        correct_input(endpoint, now_ns, request);

    model_bucket_advance(bucket, now_ns);
    if (config->output_charge == MODEL_CHARGE_RESERVE) {
        model_bucket_charge(bucket, units_of(work->output_tokens) - request->output_charge);
    } else {
        model_bucket_drain(bucket, -request->drain);
        /* The second part is 0 unless a caller in real time is early or late. */
        model_bucket_charge(bucket, request->output_charge + (model_units)request->drain * (request->done_ns - now_ns));
    }
    if (!isnan(config->spend_cap_usd_per_day)) {
        advance_spend(endpoint, now_ns);
        endpoint->spend_usd += cost_usd;
    }
    return cost_usd;
}
