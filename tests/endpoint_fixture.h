/** A small endpoint for tests: one or two model classes, one or two regimes, constant latency. Set what a test is about
 *  between fixture_init() and fixture_start(). */
#ifndef TESTS_ENDPOINT_FIXTURE_H
#define TESTS_ENDPOINT_FIXTURE_H

#include "../models/endpoint.h"

#include <math.h>

#define SECOND_NS INT64_C(1000000000)

enum { FIXTURE_CLASSES = 2, FIXTURE_REGIMES = 2 };

struct fixture {
    struct model_class_regime classes[FIXTURE_REGIMES][FIXTURE_CLASSES];
    struct model_regime regimes[FIXTURE_REGIMES];
    struct model_price prices[FIXTURE_CLASSES];
    struct model_endpoint_config config;
    struct model_streams streams;
    struct model_bucket buckets[FIXTURE_CLASSES][MODEL_BUCKETS];
    struct model_endpoint endpoint;
};

/** No limits; first token after 1 s, then 100 tokens a second; started Monday 2026-01-05 00:00:00 UTC. */
static inline void fixture_init(struct fixture *fixture) {
    *fixture = (struct fixture){.streams = {.seed = 17453090}};
    for (int r = 0; r < FIXTURE_REGIMES; r++) {
        for (int c = 0; c < FIXTURE_CLASSES; c++) {
            struct model_class_regime *regime = &fixture->classes[r][c];
            for (int id = 0; id < MODEL_BUCKETS; id++)
                regime->burst_ns[id] = 60 * SECOND_NS;
            regime->latency.ttft_ms = model_constant(1000);
            regime->latency.output_tokens_per_s = model_constant(100);
        }
        fixture->regimes[r].classes = fixture->classes[r];
        fixture->regimes[r].overload = (struct model_overload){
            .good_probability = .001, .bad_probability = .6, .mean_bad_s = 180, .episodes_per_day = 3};
    }
    for (int c = 0; c < FIXTURE_CLASSES; c++)
        fixture->prices[c] = (struct model_price){.input = 1, .output = 5};
    fixture->config = (struct model_endpoint_config){
        .spend_cap_usd_per_day = NAN,
        .input_estimate = model_constant(1),
        .class_count = 1,
        .prices = fixture->prices,
        .regime_count = 1,
        .regimes = fixture->regimes,
        .start_unix_ns = INT64_C(1767571200) * SECOND_NS,
    };
}

static inline void fixture_limits(struct fixture *fixture, int regime, int64_t rpm, int64_t itpm, int64_t otpm) {
    int64_t *per_minute = fixture->classes[regime][0].per_minute;
    per_minute[MODEL_RPM] = rpm;
    per_minute[MODEL_ITPM] = itpm;
    per_minute[MODEL_OTPM] = otpm;
}

static inline void fixture_burst(struct fixture *fixture, int regime, int64_t burst_ns) {
    for (int id = 0; id < MODEL_BUCKETS; id++)
        fixture->classes[regime][0].burst_ns[id] = burst_ns;
}

static inline void fixture_start(struct fixture *fixture) {
    model_endpoint_init(&fixture->endpoint, &fixture->config, &fixture->streams, fixture->buckets);
}

static inline struct model_work fixture_work(int64_t input_tokens, int64_t output_tokens) {
    return (struct model_work){.input_tokens = input_tokens,
                               .output_tokens = output_tokens,
                               .u_ttft = .5,
                               .u_rate = .5,
                               .u_estimate = .5,
                               .patience_ns = SCHED_NEVER};
}

/** Ask for class 0 and keep the request, if any, in *@p request (NULL: not wanted). */
static inline struct model_admission fixture_ask(struct fixture *fixture, int64_t now_ns, int64_t input_tokens,
                                                 int64_t output_tokens, struct model_request *request) {
    struct model_work work = fixture_work(input_tokens, output_tokens);
    struct model_request unwanted;
    return model_endpoint_admit(&fixture->endpoint, now_ns, 0, &work, request ? request : &unwanted);
}

/** Level of a bucket of class 0, advanced to @p now_ns, in units. */
static inline model_units fixture_level(struct fixture *fixture, enum model_bucket_id id, int64_t now_ns) {
    model_bucket_advance(&fixture->buckets[0][id], now_ns);
    return fixture->buckets[0][id].level;
}

static inline model_units tokens(int64_t count) {
    return (model_units)count * MODEL_UNITS_PER_TOKEN;
}

#endif
