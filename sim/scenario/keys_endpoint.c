/* Rows: endpoint. */
#include "keys_tables.h"

#include "draft.h"

#define AT(field) offsetof(struct sim_draft, field)
#define REGIME(field) offsetof(struct sim_regime_draft, field)
#define MODEL(field) offsetof(struct sim_model_draft, field)
#define ROWS(list) .rows = list, .count = sizeof list / sizeof list[0]

enum { NS_64 = sizeof(int64_t) };

static const struct sim_key limits_rows[] = {
    {.name = "rpm", .type = SIM_KEY_INTEGER, .unit = "requests/min", .min = 1, .max = 1e10, .otherwise = "no limit",
     .store = SIM_STORE_INT64, .offset = NS_64 * MODEL_RPM, .help = "Requests."},
    {.name = "itpm", .type = SIM_KEY_INTEGER, .unit = "tokens/min", .min = 1, .max = 1e10, .otherwise = "no limit",
     .store = SIM_STORE_INT64, .offset = NS_64 * MODEL_ITPM, .help = "Input tokens: uncached and cache writes."},
    {.name = "otpm", .type = SIM_KEY_INTEGER, .unit = "tokens/min", .min = 1, .max = 1e10, .otherwise = "no limit",
     .store = SIM_STORE_INT64, .offset = NS_64 * MODEL_OTPM, .help = "Output tokens."},
};
static const struct sim_table limits_table = {
    .title = "endpoint.limits", .about = "An absent limit is no limit.", ROWS(limits_rows)};

static const struct sim_key burst_rows[] = {
    {.name = "rpm", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0.001, .max = 86400, .initial = "60",
     .store = SIM_STORE_NS_S, .offset = NS_64 * MODEL_RPM, .help = "Of the request bucket; it holds at least 1."},
    {.name = "itpm", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0.001, .max = 86400, .initial = "60",
     .store = SIM_STORE_NS_S, .offset = NS_64 * MODEL_ITPM, .help = "Of the input bucket."},
    {.name = "otpm", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0.001, .max = 86400, .initial = "60",
     .store = SIM_STORE_NS_S, .offset = NS_64 * MODEL_OTPM, .help = "Of the output bucket."},
};
static const struct sim_table burst_table = {.title = "endpoint.burst_s", ROWS(burst_rows)};

static const struct sim_key latency_rows[] = {
    {.name = "ttft_ms", .type = SIM_KEY_DISTRIBUTION, .unit = "ms", .min = 0, .max = 1e9,
     .initial = "{\"percentiles\": {\"p50\": 541, \"p95\": 1591, \"p99\": 4117}}", .store = SIM_STORE_DISTRIBUTION,
     .offset = offsetof(struct model_latency, ttft_ms), .help = "Time to the first token."},
    {.name = "output_tokens_per_s", .type = SIM_KEY_DISTRIBUTION, .unit = "tokens/s", .min = 0.001, .max = 1e9,
     .initial = "{\"lognormal\": {\"median\": 100, \"sigma\": 0.15}}", .store = SIM_STORE_DISTRIBUTION,
     .offset = offsetof(struct model_latency, output_tokens_per_s), .help = "Rate of a job's output."},
    {.name = "prefill_ms_per_1k_tokens", .type = SIM_KEY_NUMBER, .unit = "ms", .min = 0, .max = 1e6, .initial = "0",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_latency, prefill_ms_per_1k_tokens),
     .help = "More for each 1,000 uncached input tokens."},
};
static const struct sim_table latency_table = {
    .title = "endpoint.latency",
    .about = "Service time = TTFT + prefill x uncached input + output / rate. The defaults are Haiku 4.5's published "
             "figures.",
    ROWS(latency_rows)};

static const struct sim_key overload_rows[] = {
    {.name = "good_probability", .type = SIM_KEY_NUMBER, .min = 0, .max = 1, .initial = "0.001",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_overload, good_probability),
     .help = "Chance of a 529 per attempt in good times."},
    {.name = "bad_probability", .type = SIM_KEY_NUMBER, .min = 0, .max = 1, .initial = "0.6",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_overload, bad_probability),
     .help = "The same in an episode."},
    {.name = "mean_bad_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0.001, .max = 1e6, .initial = "180",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_overload, mean_bad_s),
     .help = "Mean length of an episode, exponential."},
    {.name = "episodes_per_day", .type = SIM_KEY_NUMBER, .min = 1e-6, .max = 1e6, .initial = "3",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_overload, episodes_per_day),
     .help = "Mean number; 86400 / this must exceed `mean_bad_s`."},
};
static const struct sim_table overload_table = {
    .title = "endpoint.overload", .about = "529s: a two-state Markov-modulated process, good at time 0.",
    ROWS(overload_rows)};

static const struct sim_key regime_rows[] = {
    {.name = "limits", .type = SIM_KEY_OBJECT, .table = &limits_table, .offset = REGIME(per_minute),
     .otherwise = "no limits", .help = "Rate limits of the organisation."},
    {.name = "burst_s", .type = SIM_KEY_NUMBER_OR_OBJECT, .unit = "s", .table = &burst_table, .min = 0.001,
     .max = 86400, .initial = "60", .offset = REGIME(burst_ns),
     .help = "A bucket's capacity, as seconds of its refill: a number, or one for each of `rpm`, `itpm`, `otpm`."},
    {.name = "latency", .type = SIM_KEY_OBJECT, .table = &latency_table, .offset = REGIME(latency),
     .otherwise = "Haiku 4.5's", .help = "How long requests take."},
    {.name = "concurrency", .type = SIM_KEY_INTEGER, .unit = "requests", .min = 1, .max = 1e6, .otherwise = "no limit",
     .store = SIM_STORE_INT64, .offset = REGIME(concurrency), .help = "Requests in service at once."},
    {.name = "overload", .type = SIM_KEY_OBJECT, .table = &overload_table, .offset = REGIME(overload),
     .offset_flag = REGIME(overload.on), .otherwise = "off", .help = "529s."},
};
static const struct sim_table regime_table = {ROWS(regime_rows)};
const struct sim_key sim_regime_key = {.type = SIM_KEY_OBJECT, .table = &regime_table};

static const struct sim_key change_rows[] = {
    {.name = "at_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0, .max = 1e9, .required = true,
     .store = SIM_STORE_NS_S, .offset = REGIME(at_ns), .help = "Second of the run from which it holds."},
};
static const struct sim_table change_table = {
    .title = "endpoint.changes[]",
    .about = "Each entry merges over what was in force before it, as by `extends`; null switches a thing off. Levels "
             "of buckets are kept, clamped; a bucket that had no limit starts full; requests in service keep their "
             "latency.",
    ROWS(change_rows), .include = &regime_table};
static const struct sim_key change_key = {.type = SIM_KEY_OBJECT, .table = &change_table};

static const struct sim_key price_rows[] = {
    {.name = "input", .type = SIM_KEY_NUMBER, .unit = "USD/Mtok", .min = 0, .max = 1e6, .initial = "1",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_price, input),
     .help = "Input that is neither read from the cache nor written to it."},
    {.name = "cache_write", .type = SIM_KEY_NUMBER, .unit = "USD/Mtok", .min = 0, .max = 1e6, .initial = "1.25",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_price, cache_write), .help = "Written to the cache."},
    {.name = "cache_read", .type = SIM_KEY_NUMBER, .unit = "USD/Mtok", .min = 0, .max = 1e6, .initial = "0.1",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_price, cache_read), .help = "Read from the cache."},
    {.name = "output", .type = SIM_KEY_NUMBER, .unit = "USD/Mtok", .min = 0, .max = 1e6, .initial = "5",
     .store = SIM_STORE_DOUBLE, .offset = offsetof(struct model_price, output), .help = "Output."},
};
static const struct sim_table price_table = {
    .title = "endpoint.price", .about = "The defaults are Haiku 4.5's.", ROWS(price_rows)};

static const struct sim_key ramp_rows[] = {
    {.name = "initial_tokens_per_min", .type = SIM_KEY_NUMBER, .unit = "tokens/min", .min = 1, .max = 1e12,
     .required = true, .store = SIM_STORE_DOUBLE, .offset = AT(scenario.endpoint.ramp_initial_tokens),
     .help = "Allowance of the first clock minute, and after long idleness."},
    {.name = "step_tokens_per_min", .type = SIM_KEY_NUMBER, .unit = "tokens/min", .min = 0, .max = 1e12,
     .required = true, .store = SIM_STORE_DOUBLE, .offset = AT(scenario.endpoint.ramp_step_tokens),
     .help = "Growth with each busy minute, decline with each idle one."},
};
static const struct sim_table ramp_table = {
    .title = "endpoint.ramp", .about = "Acceleration limit: input tokens per clock minute.", ROWS(ramp_rows)};

static const struct sim_key model_rows[] = {
    {.name = "limits", .type = SIM_KEY_OBJECT, .table = &limits_table, .offset = MODEL(per_minute),
     .otherwise = "no limits", .help = "Its own limits."},
    {.name = "latency", .type = SIM_KEY_OBJECT, .table = &latency_table, .offset = MODEL(latency),
     .otherwise = "Haiku 4.5's", .help = "Its own latency."},
    {.name = "price", .type = SIM_KEY_OBJECT, .table = &price_table, .offset = MODEL(price),
     .otherwise = "Haiku 4.5's", .help = "Its own prices."},
};
static const struct sim_table model_table = {
    .title = "endpoint.models.NAME",
    .about = "A model class with buckets of its own, for streams that name it in `model`. `burst_s`, `output_charge` "
             "and all else are the endpoint's.",
    ROWS(model_rows)};
static const struct sim_key model_key = {.type = SIM_KEY_OBJECT, .table = &model_table};

static const char *const charge_words[] = {"stream", "completion", "reserve", NULL};

static const struct sim_key endpoint_rows[] = {
    {.name = "preset", .type = SIM_KEY_NAME, .max = 100, .otherwise = "none",
     .help = "Start from a built-in endpoint (`fairlane presets`): it is laid over what `extends` brought, and the "
             "keys beside it over the preset."},
    {.name = "output_charge", .type = SIM_KEY_WORD, .words = charge_words, .initial = "\"stream\"",
     .store = SIM_STORE_ENUM, .offset = AT(scenario.endpoint.output_charge),
     .help = "Output tokens count as they are produced, in a lump at completion, or `max_tokens` is reserved first."},
    {.name = "cache_reads_count", .type = SIM_KEY_BOOL, .initial = "false", .store = SIM_STORE_BOOL,
     .offset = AT(scenario.endpoint.cache_reads_count), .help = "Cache reads count against `itpm`."},
    {.name = "input_estimate", .type = SIM_KEY_DISTRIBUTION, .min = 0, .max = 1000, .initial = "1",
     .store = SIM_STORE_DISTRIBUTION, .offset = AT(scenario.endpoint.input_estimate),
     .offset_flag = AT(scenario.endpoint.estimates),
     .help = "The endpoint's estimate of a job's input / the truth, corrected at the first token."},
    {.name = "spend_cap_usd_per_day", .type = SIM_KEY_NUMBER, .unit = "USD", .min = 0, .max = 1e12,
     .otherwise = "no cap", .store = SIM_STORE_DOUBLE, .absent = SIM_ABSENT_NAN,
     .offset = AT(scenario.endpoint.spend_cap_usd_per_day), .help = "Refuses once the UTC day's spend has reached it."},
    {.name = "ramp", .type = SIM_KEY_OBJECT, .table = &ramp_table, .offset_flag = AT(scenario.endpoint.ramp),
     .otherwise = "off", .help = "Acceleration limit."},
    {.name = "price", .type = SIM_KEY_OBJECT, .table = &price_table, .offset = AT(price), .otherwise = "Haiku 4.5's",
     .help = "Prices."},
    {.name = "changes", .type = SIM_KEY_LIST, .element = &change_key, .min = 0, .max = 1000,
     .store = SIM_STORE_LIST, .size = sizeof(struct sim_regime_draft), .offset = AT(changes), .otherwise = "none",
     .help = "What changes during the run."},
    {.name = "models", .type = SIM_KEY_MAP, .element = &model_key, .min = 0, .max = 100, .store = SIM_STORE_LIST,
     .size = sizeof(struct sim_model_draft), .offset = AT(models), .otherwise = "none",
     .help = "Further model classes by name."},
};

const struct sim_table sim_endpoint_table = {
    .title = "endpoint", ROWS(endpoint_rows), .include = &regime_table, .include_offset = AT(regime)};
