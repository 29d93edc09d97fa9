#include "random_scenario.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct draw {
    uint64_t state;
    bool plain;
    bool reserves; /* output_charge "reserve": every stream states max_tokens */
    bool models;   /* a second model class is there */
    double duration_s;
};

/* ---- numbers ---- */

/* splitmix64. */
static uint64_t bits(struct draw *draw) {
    uint64_t z = draw->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(struct draw *draw) {
    return (double)(bits(draw) >> 11) / 0x1p53;
}

static bool chance(struct draw *draw, double p) {
    return uniform(draw) < p;
}

static int among(struct draw *draw, int count) {
    return (int)(uniform(draw) * count);
}

static double three_digits(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    return strtod(text, NULL);
}

/* Between lo and hi, more often small: evenly on the logarithm. */
static double between(struct draw *draw, double lo, double hi) {
    return three_digits(lo * pow(hi / lo, uniform(draw)));
}

static double whole(struct draw *draw, double lo, double hi) {
    return floor(lo + uniform(draw) * (hi - lo + 1));
}

/* ---- trees ---- */

static cJSON *object(cJSON *parent, const char *key) {
    return cJSON_AddObjectToObject(parent, key);
}

static void number(cJSON *parent, const char *key, double value) {
    cJSON_AddNumberToObject(parent, key, value);
}

static void word(struct draw *draw, cJSON *parent, const char *key, const char *const *words, int count) {
    cJSON_AddStringToObject(parent, key, words[among(draw, count)]);
}

static void flag(struct draw *draw, cJSON *parent, const char *key) {
    cJSON_AddBoolToObject(parent, key, chance(draw, .5));
}

/* A distribution of any kind with a typical value of about `typical`. */
static void distribution(struct draw *draw, cJSON *parent, const char *key, double typical) {
    double t = three_digits(typical);
    int kind = among(draw, draw->plain ? 6 : 9);
    if (kind == 8) {
        number(parent, key, t);
        return;
    }
    cJSON *outer = object(parent, key), *inner;
    switch (kind) {
    case 0:
        number(object(outer, "exponential"), "mean", t);
        break;
    case 1:
        inner = object(outer, "lognormal");
        number(inner, "median", t);
        number(inner, "sigma", between(draw, .1, 1));
        break;
    case 2:
        inner = object(outer, "uniform");
        number(inner, "min", three_digits(t / 2));
        number(inner, "max", three_digits(t * 2));
        break;
    case 3:
        inner = object(outer, chance(draw, .5) ? "gamma" : "weibull");
        number(inner, "mean", t);
        number(inner, "cv", between(draw, .3, 2));
        break;
    case 4:
        inner = object(outer, "percentiles");
        number(inner, "p50", t);
        number(inner, "p95", three_digits(t * between(draw, 1.5, 4)));
        break;
    case 5:
        inner = object(outer, "pareto");
        number(inner, "scale", three_digits(t / 2));
        number(inner, "alpha", between(draw, 1.5, 4));
        number(outer, "max", three_digits(t * 20));
        break;
    case 6: {
        const double values[] = {t / 4, t / 2, t, t * 2, t * 3};
        cJSON_AddItemToObject(object(outer, "quantiles"), "values", cJSON_CreateDoubleArray(values, 5));
        break;
    }
    default:
        number(object(outer, "constant"), "value", t);
        number(outer, "min", three_digits(t / 2));
        break;
    }
}

/* ---- workload ---- */

static void times(struct draw *draw, cJSON *arrivals) {
    number(arrivals, "count", whole(draw, 1, 30));
    if (chance(draw, .5)) {
        number(arrivals, "every_s", between(draw, draw->duration_s / 10, draw->duration_s));
        if (chance(draw, .5))
            number(arrivals, "first_s", between(draw, .5, draw->duration_s / 2));
    } else {
        const double at[] = {three_digits(draw->duration_s * .3), three_digits(draw->duration_s * .7)};
        cJSON_AddItemToObject(arrivals, "at_s", cJSON_CreateDoubleArray(at, 2));
    }
}

static void profile(struct draw *draw, cJSON *arrivals, double rate) {
    double hours[24];
    for (size_t i = 0; i < LENGTH(hours); i++)
        hours[i] = three_digits(rate * (.2 + 1.6 * uniform(draw)));
    cJSON_AddItemToObject(arrivals, "rate_per_s", cJSON_CreateDoubleArray(hours, LENGTH(hours)));
}

/* `populous`: only processes whose rates can be scaled. */
static void arrivals(struct draw *draw, cJSON *stream, double rate, bool populous) {
    cJSON *outer = object(stream, "arrivals"), *inner;
    switch (among(draw, populous ? 4 : draw->plain ? 7 : 8)) {
    case 0:
    case 1:
        number(object(outer, "poisson"), "rate_per_s", rate);
        break;
    case 2:
        inner = object(outer, chance(draw, .5) ? "gamma" : "weibull");
        number(inner, "rate_per_s", rate);
        number(inner, "cv", between(draw, .3, 3));
        break;
    case 3:
        inner = object(outer, "constant");
        number(inner, "rate_per_s", rate);
        number(inner, "first_s", between(draw, .1, 5));
        break;
    case 4:
        times(draw, object(outer, "burst"));
        break;
    case 5:
        inner = object(outer, "on_off");
        number(inner, "on_rate_per_s", three_digits(3 * rate));
        if (chance(draw, .5))
            number(inner, "off_rate_per_s", three_digits(rate / 5));
        number(inner, "mean_on_s", between(draw, 2, 20));
        number(inner, "mean_off_s", between(draw, 2, 40));
        break;
    case 6:
        inner = object(outer, "closed");
        number(inner, "population", whole(draw, 1, 6));
        distribution(draw, inner, "think_s", 2 / rate);
        break;
    default:
        profile(draw, object(outer, "profile"), rate);
        break;
    }
}

static void work(struct draw *draw, cJSON *stream) {
    distribution(draw, stream, "input_tokens", between(draw, 200, 6000));
    distribution(draw, stream, "output_tokens", between(draw, 20, 400));
    if (draw->reserves || chance(draw, .3))
        number(stream, "max_tokens", whole(draw, 50, 2000));
    if (chance(draw, .2))
        distribution(draw, stream, "cached_tokens", between(draw, 20, 100));
    if (chance(draw, .1))
        distribution(draw, stream, "cache_write_tokens", between(draw, 20, 100));
}

static void add_stream(struct draw *draw, cJSON *streams, double rate, bool populous) {
    static const char *const origins[] = {"user_action", "scheduled", "scheduled", "batch_job"};
    cJSON *stream = cJSON_CreateObject();
    cJSON_AddItemToArray(streams, stream);
    word(draw, stream, "origin", origins, LENGTH(origins));
    if (chance(draw, .6))
        number(stream, "sla_s", chance(draw, .2) ? 86400 : 3600);
    work(draw, stream);
    if (draw->models && chance(draw, .4))
        cJSON_AddStringToObject(stream, "model", "other");
    if (chance(draw, .25))
        distribution(draw, stream, "patience_s", between(draw, 1, 60));
    arrivals(draw, stream, rate, populous);
    if (chance(draw, .2))
        number(stream, "from_s", between(draw, 1, draw->duration_s / 3));
    if (chance(draw, .2))
        number(stream, "until_s", between(draw, draw->duration_s / 2, draw->duration_s));
}

static void add_tenants(struct draw *draw, cJSON *scenario, int count, double rate) {
    cJSON *tenants = cJSON_AddArrayToObject(scenario, "tenants");
    for (int i = 0; i < count; i++) {
        cJSON *tenant = cJSON_CreateObject(), *streams;
        char id[16];
        snprintf(id, sizeof id, "tn%dx", i);
        cJSON_AddItemToArray(tenants, tenant);
        cJSON_AddStringToObject(tenant, "id", id);
        if (chance(draw, .6))
            cJSON_AddStringToObject(tenant, "plan", chance(draw, .5) ? "pro" : chance(draw, .5) ? "free" : "odd");
        if (!draw->plain && chance(draw, .4))
            number(tenant, "daily_input_tokens", whole(draw, 0, 60000));
        if (chance(draw, .1))
            number(tenant, "count", 2);
        streams = cJSON_AddArrayToObject(tenant, "streams");
        for (int k = 1 + (chance(draw, .4) ? 1 : 0); k > 0; k--)
            add_stream(draw, streams, three_digits(rate * (.3 + 1.4 * uniform(draw)) / count), false);
    }
}

static void add_population(struct draw *draw, cJSON *scenario, double rate) {
    cJSON *population = object(scenario, "population"), *plans;
    cJSON_AddStringToObject(population, "id", "ppl");
    number(population, "n", whole(draw, 2, 12));
    number(population, "total_rate_per_s", three_digits(rate / 2));
    if (chance(draw, .8)) {
        bool zipf = chance(draw, .5);
        number(object(population, "spread"), zipf ? "zipf" : "lognormal", between(draw, .5, 1.5));
    }
    if (chance(draw, .5)) {
        plans = object(population, "plans");
        number(plans, "free", .5);
        number(plans, "pro", .5);
    }
    cJSON *streams = cJSON_AddArrayToObject(population, "streams");
    add_stream(draw, streams, three_digits(rate / 2), true);
    if (chance(draw, .3))
        add_stream(draw, streams, three_digits(rate / 2), true);
}

/* ---- scheduler ---- */

static void picker(struct draw *draw, cJSON *scheduler) {
    cJSON *picker = object(scheduler, "picker"), *weights;
    if (chance(draw, .5))
        number(picker, "critical_win_probability", chance(draw, .3) ? whole(draw, 0, 1) : three_digits(uniform(draw)));
    if (chance(draw, .2))
        number(picker, "critical_linger_ms", whole(draw, 1, 3000));
    if (chance(draw, .4)) {
        weights = object(picker, "weights");
        number(weights, "critical", whole(draw, 0, 100));
        number(weights, "standard", whole(draw, 1, 100));
        number(weights, "batch", whole(draw, 0, 100));
    }
}

static void tenant_policy(struct draw *draw, cJSON *scheduler) {
    static const char *const policies[] = {"drr", "drr", "drr", "fifo", "round_robin", "vtc", "article"};
    cJSON *tenants = object(scheduler, "tenants"), *refill;
    /* `article` is no such thing as work-conserving: not plain. */
    word(draw, tenants, "policy", policies, (int)LENGTH(policies) - draw->plain);
    if (chance(draw, .7))
        number(tenants, "quantum", between(draw, .2, 20));
    if (chance(draw, .7))
        number(tenants, "cost_unit_tokens", whole(draw, 100, 5000));
    if (chance(draw, .3))
        cJSON_AddStringToObject(tenants, "order", "shuffled");
    if (draw->plain || chance(draw, .75))
        return;
    refill = object(tenants, "refill");
    cJSON_AddStringToObject(refill, "mode", "timer");
    number(refill, "interval_ms", whole(draw, 100, 4000));
    number(refill, "jitter_ms", whole(draw, 0, 3000));
}

static void retry(struct draw *draw, cJSON *scheduler) {
    static const char *const policies[] = {"retry_after", "retry_after", "exponential", "fixed", "immediate", "sdk"};
    static const char *const jitters[] = {"none", "full", "equal", "decorrelated"};
    cJSON *retry = object(scheduler, "retry"), *inner;
    int policy = among(draw, LENGTH(policies));
    cJSON_AddStringToObject(retry, "policy", policies[policy]);
    number(retry, "max_retries", whole(draw, 0, 6));
    /* Immediate retries for ever would send a thousand attempts a second. */
    if (policy != 4 && chance(draw, .3))
        cJSON_AddStringToObject(retry, "on_exhausted", "requeue");
    if (chance(draw, .2))
        number(retry, "give_up_s", between(draw, 1, 60));
    if (chance(draw, .25))
        cJSON_AddStringToObject(retry, "pacing", "mirror");
    inner = object(retry, "retry_after");
    number(inner, "factor", three_digits(.5 + uniform(draw)));
    number(inner, "jitter", three_digits(uniform(draw) / 2));
    if (chance(draw, .5))
        cJSON_AddStringToObject(inner, "jitter_mode", "positive");
    inner = object(retry, "exponential");
    number(inner, "base_s", between(draw, .1, 5));
    number(inner, "multiplier", three_digits(1 + 2 * uniform(draw)));
    word(draw, inner, "jitter", jitters, LENGTH(jitters));
    distribution(draw, object(retry, "fixed"), "delay_s", between(draw, .2, 5));
    if (chance(draw, .5))
        cJSON_AddStringToObject(object(retry, "sdk"), "client", "python");
}

static void demotion(struct draw *draw, cJSON *scheduler) {
    static const char *const classes[] = {"critical", "standard"};
    cJSON *demotion = object(scheduler, "demotion");
    if (chance(draw, .2))
        flag(draw, demotion, "enabled");
    number(demotion, "throttles", whole(draw, 1, 8));
    number(demotion, "window_s", between(draw, 5, 120));
    if (chance(draw, .5))
        number(demotion, "budget_ratio", three_digits(.5 + uniform(draw)));
    number(demotion, "duration_s", between(draw, 5, 300));
    if (chance(draw, .3))
        cJSON_AddItemToObject(demotion, "applies_to", cJSON_CreateStringArray(&classes[among(draw, 2)], 1));
    if (chance(draw, .4))
        cJSON_AddStringToObject(demotion, "attribution", "over_entitlement");
}

/* ---- endpoint ---- */

static void latency(struct draw *draw, cJSON *parent) {
    cJSON *latency = object(parent, "latency");
    distribution(draw, latency, "ttft_ms", between(draw, 100, 1500));
    distribution(draw, latency, "output_tokens_per_s", between(draw, 30, 200));
    if (chance(draw, .3))
        number(latency, "prefill_ms_per_1k_tokens", between(draw, 5, 200));
}

static void limits(struct draw *draw, cJSON *parent, double rate) {
    cJSON *limits = object(parent, "limits");
    if (chance(draw, .6))
        number(limits, "rpm", ceil(60 * rate * between(draw, .1, 2)));
    if (chance(draw, .6))
        number(limits, "itpm", ceil(60 * rate * 2000 * between(draw, .1, 2)));
    if (chance(draw, .6))
        number(limits, "otpm", ceil(60 * rate * 150 * between(draw, .1, 2)));
}

static void burst(struct draw *draw, cJSON *parent) {
    if (chance(draw, .5)) {
        number(parent, "burst_s", between(draw, .5, 60));
    } else if (chance(draw, .3)) {
        cJSON *each = object(parent, "burst_s");
        number(each, "rpm", between(draw, .5, 90));
        number(each, "otpm", between(draw, .5, 90));
    }
}

static void overload(struct draw *draw, cJSON *parent) {
    cJSON *overload = object(parent, "overload");
    number(overload, "good_probability", three_digits(uniform(draw) / 10));
    number(overload, "mean_bad_s", between(draw, 2, 30));
    number(overload, "episodes_per_day", whole(draw, 100, 1500));
}

static void changes(struct draw *draw, cJSON *endpoint, double rate) {
    cJSON *changes = cJSON_AddArrayToObject(endpoint, "changes");
    double at = draw->duration_s / 4;
    for (int i = 1 + among(draw, 3); i > 0; i--) {
        cJSON *change = cJSON_CreateObject();
        cJSON_AddItemToArray(changes, change);
        number(change, "at_s", three_digits(at));
        at += draw->duration_s / 5;
        if (chance(draw, .5))
            limits(draw, change, rate);
        else if (chance(draw, .5))
            cJSON_AddNullToObject(change, "limits");
        burst(draw, change);
        if (chance(draw, .4))
            latency(draw, change);
        if (chance(draw, .3))
            overload(draw, change);
        else if (chance(draw, .2))
            cJSON_AddNullToObject(change, "overload");
        if (chance(draw, .2))
            number(change, "concurrency", whole(draw, 1, 6));
    }
}

static void limited(struct draw *draw, cJSON *endpoint, double rate) {
    static const char *const charges[] = {"stream", "completion", "reserve"};
    int charge = among(draw, LENGTH(charges));
    limits(draw, endpoint, rate);
    burst(draw, endpoint);
    cJSON_AddStringToObject(endpoint, "output_charge", charges[charge]);
    draw->reserves = charge == 2;
    if (chance(draw, .2))
        flag(draw, endpoint, "cache_reads_count");
    if (chance(draw, .3))
        distribution(draw, endpoint, "input_estimate", 1);
    if (chance(draw, .2))
        number(endpoint, "concurrency", whole(draw, 1, 8));
    if (chance(draw, .2)) {
        cJSON *ramp = object(endpoint, "ramp");
        number(ramp, "initial_tokens_per_min", whole(draw, 1000, 100000));
        number(ramp, "step_tokens_per_min", whole(draw, 1000, 20000));
    }
    if (chance(draw, .2))
        overload(draw, endpoint);
    if (chance(draw, .1))
        number(endpoint, "spend_cap_usd_per_day", between(draw, .01, 1));
    if (chance(draw, .3))
        changes(draw, endpoint, rate);
    draw->models = chance(draw, .25);
    if (draw->models) {
        cJSON *other = object(object(endpoint, "models"), "other");
        limits(draw, other, rate);
        if (chance(draw, .5))
            latency(draw, other);
    }
}

/* ---- all of it ---- */

static void batches(struct draw *draw, cJSON *scenario) {
    cJSON *batch = object(scenario, "batch");
    cJSON_AddStringToObject(batch, "destination", "batches");
    number(batch, "size", whole(draw, 1, 20));
    number(batch, "flush_s", between(draw, 1, 60));
    distribution(draw, batch, "completion_s", between(draw, 5, 200));
    if (draw->plain || chance(draw, .5))
        number(batch, "expires_s", between(draw, 10, 300));
}

static void slos(struct draw *draw, cJSON *scenario) {
    static const char *const texts[] = {"critical.latency.p99 <= 5", "all.latency.p50 <= 2", "jain.service >= 0.5",
                                        "throttles.rate <= 0.1"};
    cJSON_AddItemToObject(scenario, "slo", cJSON_CreateStringArray(texts, 1 + among(draw, LENGTH(texts))));
}

static void plans(struct draw *draw, cJSON *scenario) {
    cJSON *plans = object(scenario, "plans");
    number(object(plans, "free"), "weight", 1);
    number(object(plans, "pro"), "weight", 3);
    number(object(plans, "odd"), "weight", between(draw, .2, 5));
}

cJSON *random_scenario(uint64_t seed, enum random_kind kind) {
    struct draw draw = {.state = seed, .plain = kind == RANDOM_PLAIN};
    cJSON *scenario = cJSON_CreateObject(), *scheduler, *endpoint;
    char text[24];
    double rate = between(&draw, .3, 6);
    assert(scenario);
    draw.duration_s = between(&draw, 20, 200);
    number(scenario, "version", 1);
    snprintf(text, sizeof text, "%llu", (unsigned long long)bits(&draw));
    cJSON_AddStringToObject(scenario, "name", "random");
    cJSON_AddStringToObject(scenario, "seed", text);
    if (!draw.plain && chance(&draw, .4))
        cJSON_AddStringToObject(scenario, "start", "2026-03-14T23:59:00Z");
    number(scenario, "duration_s", draw.duration_s);
    if (chance(&draw, .7))
        number(scenario, "warmup_s", three_digits(draw.duration_s * .4 * uniform(&draw)));
    number(scenario, "drain_s", chance(&draw, .7) ? 600 : between(&draw, 1, 50));
    number(scenario, "replications", whole(&draw, 2, 4));
    number(scenario, "workers", chance(&draw, .3) ? 1 : whole(&draw, 1, 12));
    endpoint = object(scenario, "endpoint");
    if (draw.plain || chance(&draw, .8))
        latency(&draw, endpoint);
    if (!draw.plain && chance(&draw, .85))
        limited(&draw, endpoint, rate);
    scheduler = object(scenario, "scheduler");
    picker(&draw, scheduler);
    tenant_policy(&draw, scheduler);
    if (!draw.plain && chance(&draw, .8))
        retry(&draw, scheduler);
    if (draw.plain)
        cJSON_AddBoolToObject(object(scheduler, "demotion"), "enabled", false);
    else if (chance(&draw, .8))
        demotion(&draw, scheduler);
    plans(&draw, scenario);
    if (chance(&draw, .9))
        add_tenants(&draw, scenario, 1 + among(&draw, 5), rate);
    if (!cJSON_HasObjectItem(scenario, "tenants") || chance(&draw, .15))
        add_population(&draw, scenario, rate);
    if (chance(&draw, .25))
        batches(&draw, scenario);
    slos(&draw, scenario);
    return scenario;
}
