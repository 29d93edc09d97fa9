/* What a scenario's keys become: defaults, units, every kind. */
#include "../support/scenario_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_scenario *read(const char *extra, const char *const *sets) {
    struct sim_located_error error;
    char *text = text_minimal(extra), rendered[1400];
    struct sim_scenario *scenario = text_read(text, sets, &error);
    cr_assert_not_null(scenario, "%s", sim_error_text(&error, rendered, sizeof rendered));
    free(text);
    return scenario;
}

#define SECOND INT64_C(1000000000)
#define CLOSE(a, b) cr_assert_float_eq(a, b, 1e-9 * (b))

Test(scenario_read, defaults_are_the_articles) {
    struct sim_scenario *s = read("", NULL);
    cr_assert_eq(s->seed, 17453090);
    cr_assert_eq(strcmp(s->seed_text, "17453090"), 0);
    cr_assert_eq(s->start_unix_ns, INT64_C(1767571200) * SECOND);
    cr_assert_eq(s->duration_ns, 100 * SECOND);
    cr_assert_eq(s->warmup_ns, 0);
    cr_assert_eq(s->drain_ns, 600 * SECOND);
    cr_assert_eq(s->replications, 20);
    cr_assert_eq(s->workers, 8);
    cr_assert_eq(s->max_pending_jobs, 10000000);
    const struct sched_config *c = &s->scheduler;
    CLOSE(c->picker.critical_win_probability, 0.9);
    cr_assert_eq(c->picker.critical_linger_ns, 0);
    CLOSE(c->picker.weights[SCHED_CRITICAL], 70);
    CLOSE(c->picker.weights[SCHED_STANDARD], 25);
    CLOSE(c->picker.weights[SCHED_BATCH], 5);
    cr_assert_eq(c->tenants.policy, SCHED_DRR);
    CLOSE(c->tenants.quantum, 5);
    cr_assert_eq(c->tenants.cost_unit_tokens, 4000);
    cr_assert_eq(c->tenants.refill, SCHED_REFILL_ROUND);
    cr_assert_eq(c->tenants.refill_interval_ns, SECOND);
    cr_assert_eq(c->tenants.refill_jitter_ns, SECOND);
    cr_assert_eq(c->tenants.order, SCHED_ORDER_FIXED);
    cr_assert_eq(c->retry.policy, SCHED_RETRY_AFTER);
    CLOSE(c->retry.factor, 1.2);
    CLOSE(c->retry.jitter, 0.2);
    cr_assert_eq(c->retry.jitter_mode, SCHED_JITTER_SYMMETRIC);
    cr_assert_eq(c->retry.base_ns, SECOND);
    CLOSE(c->retry.multiplier, 2);
    cr_assert_eq(c->retry.cap_ns, 60 * SECOND);
    cr_assert_eq(c->retry.exponential_jitter, SCHED_JITTER_NONE);
    cr_assert_eq(c->retry.fixed.quantile_ns(c->retry.fixed.context, 0.3), SECOND);
    cr_assert_eq(c->retry.sdk_client, SCHED_SDK_TYPESCRIPT);
    cr_assert_eq(c->retry.max_retries, 4);
    cr_assert_eq(c->retry.on_exhausted, SCHED_EXHAUSTED_FAIL);
    cr_assert_eq(c->retry.give_up_ns, SCHED_NEVER);
    cr_assert_eq(c->retry.pacing, SCHED_PACING_NONE);
    cr_assert(c->demotion.enabled);
    cr_assert_eq(c->demotion.throttles, 5);
    cr_assert_eq(c->demotion.window_ns, 60 * SECOND);
    CLOSE(c->demotion.budget_ratio, 1.5);
    cr_assert_eq(c->demotion.duration_ns, 300 * SECOND);
    cr_assert(c->demotion.applies_to[SCHED_CRITICAL] && c->demotion.applies_to[SCHED_STANDARD]);
    cr_assert_not(c->demotion.applies_to[SCHED_BATCH]);
    cr_assert_eq(c->demotion.attribution, SCHED_ATTRIBUTE_CALLER);
    cr_assert_eq(c->tenant_count, 1);
    CLOSE(c->tenant[0].weight, 1);
    cr_assert_eq(c->tenant[0].daily_tokens, -1);
    cr_assert_eq(c->tenant[0].key, UINT64_C(0xaf63dc4c8601ec8c)); /* FNV-1a 64 of "a", its published value */
    sim_scenario_destroy(s);
}

Test(scenario_read, endpoint_defaults_are_haikus) {
    struct sim_scenario *s = read("", NULL);
    const struct model_endpoint_config *e = &s->endpoint;
    cr_assert_eq(e->class_count, 1);
    cr_assert_eq(e->regime_count, 1);
    cr_assert_eq(e->output_charge, MODEL_CHARGE_STREAM);
    cr_assert_not(e->cache_reads_count || e->ramp || e->estimates || e->regimes[0].overload.on);
    cr_assert(isnan(e->spend_cap_usd_per_day));
    cr_assert_eq(e->regimes[0].concurrency, 0);
    const struct model_class_regime *r = &e->regimes[0].classes[0];
    for (int i = 0; i < MODEL_BUCKETS; i++) {
        cr_assert_eq(r->per_minute[i], 0);
        cr_assert_eq(r->burst_ns[i], 60 * SECOND);
    }
    cr_assert_float_eq(model_distribution_quantile(&r->latency.ttft_ms, 0.5), 541, 1e-6);
    cr_assert_float_eq(model_distribution_quantile(&r->latency.ttft_ms, 0.95), 1591, 1e-6);
    cr_assert_float_eq(model_distribution_quantile(&r->latency.ttft_ms, 0.99), 4117, 1e-6);
    cr_assert_float_eq(model_distribution_quantile(&r->latency.output_tokens_per_s, 0.5), 100, 1e-6);
    CLOSE(e->prices[0].cache_write, 1.25);
    sim_scenario_destroy(s);
}

Test(scenario_read, every_scheduler_key) {
    struct sim_scenario *s = read(
        ", \"scheduler\": {\"picker\": {\"critical_win_probability\": 1, \"critical_linger_ms\": 250, \"weights\": "
        "{\"batch\": 0}},"
        " \"tenants\": {\"policy\": \"vtc\", \"quantum\": 0.5, \"cost_unit_tokens\": 1000, \"order\": \"shuffled\","
        "   \"refill\": {\"mode\": \"timer\", \"interval_ms\": 500, \"jitter_ms\": 0}},"
        " \"retry\": {\"policy\": \"exponential\", \"max_retries\": 0, \"on_exhausted\": \"requeue\", \"give_up_s\": "
        "0.5,"
        "   \"pacing\": \"mirror\", \"retry_after\": {\"factor\": 2, \"jitter\": 0, \"jitter_mode\": \"positive\"},"
        "   \"exponential\": {\"base_s\": 0.25, \"multiplier\": 3, \"cap_s\": 5, \"jitter\": \"decorrelated\"},"
        "   \"fixed\": {\"delay_s\": {\"uniform\": {\"min\": 1, \"max\": 3}}}, \"sdk\": {\"client\": \"python\"}},"
        " \"demotion\": {\"enabled\": false, \"throttles\": 7, \"window_s\": 30, \"budget_ratio\": 2, \"duration_s\": "
        "60,"
        "   \"applies_to\": [\"standard\"], \"attribution\": \"over_entitlement\"}}",
        NULL);
    const struct sched_config *c = &s->scheduler;
    cr_assert_eq(c->picker.critical_linger_ns, SECOND / 4);
    CLOSE(c->picker.weights[SCHED_CRITICAL], 70);
    cr_assert_eq(c->picker.weights[SCHED_BATCH], 0);
    cr_assert_eq(c->tenants.policy, SCHED_VTC);
    CLOSE(c->tenants.quantum, 0.5);
    cr_assert_eq(c->tenants.order, SCHED_ORDER_SHUFFLED);
    cr_assert_eq(c->tenants.refill, SCHED_REFILL_TIMER);
    cr_assert_eq(c->tenants.refill_interval_ns, SECOND / 2);
    cr_assert_eq(c->tenants.refill_jitter_ns, 0);
    cr_assert_eq(c->retry.policy, SCHED_EXPONENTIAL);
    cr_assert_eq(c->retry.max_retries, 0);
    cr_assert_eq(c->retry.on_exhausted, SCHED_EXHAUSTED_REQUEUE);
    cr_assert_eq(c->retry.give_up_ns, SECOND / 2);
    cr_assert_eq(c->retry.pacing, SCHED_PACING_MIRROR);
    cr_assert_eq(c->retry.jitter_mode, SCHED_JITTER_POSITIVE);
    cr_assert_eq(c->retry.base_ns, SECOND / 4);
    cr_assert_eq(c->retry.cap_ns, 5 * SECOND);
    cr_assert_eq(c->retry.exponential_jitter, SCHED_JITTER_DECORRELATED);
    cr_assert_eq(c->retry.fixed.quantile_ns(c->retry.fixed.context, 0.25), 3 * SECOND / 2);
    cr_assert_eq(c->retry.sdk_client, SCHED_SDK_PYTHON);
    cr_assert_not(c->demotion.enabled);
    cr_assert_eq(c->demotion.throttles, 7);
    cr_assert_not(c->demotion.applies_to[SCHED_CRITICAL]);
    cr_assert(c->demotion.applies_to[SCHED_STANDARD]);
    cr_assert_eq(c->demotion.attribution, SCHED_ATTRIBUTE_OVER_ENTITLEMENT);
    sim_scenario_destroy(s);
}

Test(scenario_read, every_endpoint_key) {
    struct sim_scenario *s =
        read(", \"endpoint\": {\"limits\": {\"rpm\": 50, \"otpm\": 8000}, \"burst_s\": {\"rpm\": 1}, "
             "\"output_charge\": \"completion\","
             " \"concurrency\": 3, \"ramp\": {\"initial_tokens_per_min\": 100, \"step_tokens_per_min\": 10},"
             " \"overload\": {\"bad_probability\": 0.5}, \"spend_cap_usd_per_day\": 0, \"input_estimate\": "
             "{\"constant\": {\"value\": 1.1}},"
             " \"cache_reads_count\": true, \"price\": {\"output\": 7},"
             " \"models\": {\"big\": {\"limits\": {\"itpm\": 9}, \"price\": {\"input\": 3}, \"latency\": {\"ttft_ms\": "
             "5}}}},"
             " \"batch\": {\"destination\": \"batches\", \"size\": 3, \"flush_s\": 2, \"completion_s\": 10, "
             "\"expires_s\": 20},"
             " \"precision\": {\"metric\": \"jain.service\", \"relative\": 0.1, \"max_replications\": 50}, \"slo\": "
             "[\"jain.service >= 0.5\"]",
             (const char *const[]){"tenants.a.streams.0.model=big", NULL});
    const struct model_endpoint_config *e = &s->endpoint;
    cr_assert_eq(e->class_count, 2);
    cr_assert_eq(strcmp(e->class_names[1], "big"), 0);
    const struct model_class_regime *own = &e->regimes[0].classes[0], *big = &e->regimes[0].classes[1];
    cr_assert_eq(own->per_minute[MODEL_RPM], 50);
    cr_assert_eq(own->per_minute[MODEL_ITPM], 0);
    cr_assert_eq(own->burst_ns[MODEL_RPM], SECOND);
    cr_assert_eq(own->burst_ns[MODEL_OTPM], 60 * SECOND);
    cr_assert_eq(big->per_minute[MODEL_ITPM], 9);
    cr_assert_eq(big->burst_ns[MODEL_RPM], SECOND);
    CLOSE(big->latency.ttft_ms.a, 5);
    cr_assert_eq(e->output_charge, MODEL_CHARGE_COMPLETION);
    cr_assert_eq(e->regimes[0].concurrency, 3);
    cr_assert(e->ramp && e->estimates && e->cache_reads_count && e->regimes[0].overload.on);
    CLOSE(e->ramp_step_tokens, 10);
    CLOSE(e->regimes[0].overload.bad_probability, 0.5);
    CLOSE(e->regimes[0].overload.mean_bad_s, 180);
    cr_assert_eq(e->spend_cap_usd_per_day, 0);
    CLOSE(e->prices[0].output, 7);
    CLOSE(e->prices[0].input, 1);
    CLOSE(e->prices[1].input, 3);
    cr_assert_eq(s->workload.streams[0].model, 1);
    cr_assert_eq(s->scheduler.paced_count, 2);
    cr_assert_eq(s->scheduler.paced[1].per_minute[1], 9);
    cr_assert(s->batches.on);
    cr_assert_eq(s->batches.size, 3);
    cr_assert_eq(s->batches.flush_ns, 2 * SECOND);
    cr_assert_eq(s->batches.expires_ns, 20 * SECOND);
    cr_assert_eq(strcmp(s->precision.metric, "jain.service"), 0);
    cr_assert_eq(s->precision.max_replications, 50);
    cr_assert_eq(s->slo_count, 1);
    sim_scenario_destroy(s);
}

Test(scenario_read, changes_make_complete_regimes) {
    struct sim_scenario *s = read(
        ", \"endpoint\": {\"limits\": {\"rpm\": 50, \"itpm\": 100}, \"concurrency\": 2, \"overload\": {},"
        " \"latency\": {\"ttft_ms\": {\"percentiles\": {\"p50\": 5, \"p95\": 9}}, \"prefill_ms_per_1k_tokens\": 3},"
        " \"changes\": [{\"at_s\": 20, \"limits\": {\"itpm\": null}, \"overload\": null, \"concurrency\": null},"
        "  {\"at_s\": 10, \"limits\": {\"rpm\": 60}, \"latency\": {\"ttft_ms\": {\"lognormal\": {\"median\": 7, "
        "\"sigma\": 0}}}},"
        "  {\"at_s\": 30, \"latency\": null, \"burst_s\": {\"itpm\": 1}}]}",
        NULL);
    const struct model_endpoint_config *e = &s->endpoint;
    cr_assert_eq(e->regime_count, 4);
    const struct model_regime *r = e->regimes;
    cr_assert(r[0].from_ns == 0 && r[1].from_ns == 10 * SECOND && r[2].from_ns == 20 * SECOND &&
              r[3].from_ns == 30 * SECOND);
    cr_assert_eq(r[1].classes[0].per_minute[MODEL_RPM], 60);
    cr_assert_eq(r[1].classes[0].per_minute[MODEL_ITPM], 100);
    cr_assert_eq(r[1].classes[0].latency.ttft_ms.kind, MODEL_LOGNORMAL);
    CLOSE(r[1].classes[0].latency.prefill_ms_per_1k_tokens, 3);
    cr_assert(r[1].overload.on && r[1].concurrency == 2);
    cr_assert_not(r[2].overload.on);
    cr_assert_eq(r[2].concurrency, 0);
    cr_assert_eq(r[2].classes[0].per_minute[MODEL_ITPM], 0);
    cr_assert_eq(r[2].classes[0].per_minute[MODEL_RPM], 60);
    cr_assert_eq(r[3].classes[0].latency.ttft_ms.kind, MODEL_PERCENTILES);
    cr_assert_float_eq(model_distribution_quantile(&r[3].classes[0].latency.ttft_ms, 0.5), 541, 1e-6);
    cr_assert_eq(r[3].classes[0].burst_ns[MODEL_ITPM], SECOND);
    cr_assert_eq(r[3].classes[0].burst_ns[MODEL_RPM], 60 * SECOND);
    sim_scenario_destroy(s);
}

static struct model_arrivals_config arrivals(const char *json, struct sim_scenario **ret) {
    char set[400];
    snprintf(set, sizeof set, "tenants.0.streams.0.arrivals=%s", json);
    *ret = read("", (const char *const[]){set, NULL});
    return (*ret)->workload.streams[0].arrivals;
}

Test(scenario_read, every_arrival_process) {
    struct sim_scenario *s;
    struct model_arrivals_config a = arrivals("{\"gamma\": {\"rate_per_s\": 2, \"cv\": 3}}", &s);
    cr_assert(a.kind == MODEL_GAMMA_RENEWAL && a.gap.kind == MODEL_GAMMA);
    CLOSE(model_distribution_mean(&a.gap), 0.5);
    sim_scenario_destroy(s);
    a = arrivals("{\"weibull\": {\"rate_per_s\": 2, \"cv\": 1}}", &s);
    cr_assert_eq(a.kind, MODEL_WEIBULL_RENEWAL);
    sim_scenario_destroy(s);
    a = arrivals("{\"constant\": {\"rate_per_s\": 2}}", &s);
    cr_assert(a.kind == MODEL_REGULAR && a.first_ns == -1);
    sim_scenario_destroy(s);
    a = arrivals("{\"constant\": {\"rate_per_s\": 2, \"first_s\": 0}}", &s);
    cr_assert_eq(a.first_ns, 0);
    sim_scenario_destroy(s);
    a = arrivals("{\"burst\": {\"count\": 9, \"at_s\": [3, 1.5, 2]}}", &s);
    cr_assert(a.kind == MODEL_BURST && a.burst_count == 9 && a.at_count == 3);
    cr_assert(a.at_ns[0] == 3 * SECOND / 2 && a.at_ns[1] == 2 * SECOND && a.at_ns[2] == 3 * SECOND);
    sim_scenario_destroy(s);
    a = arrivals("{\"burst\": {\"count\": 1, \"at_s\": 4}}", &s);
    cr_assert(a.at_count == 1 && a.at_ns[0] == 4 * SECOND);
    sim_scenario_destroy(s);
    a = arrivals("{\"burst\": {\"count\": 1, \"every_s\": 4, \"first_s\": 1}}", &s);
    cr_assert(a.at_count == 0 && a.every_ns == 4 * SECOND && a.first_ns == SECOND);
    sim_scenario_destroy(s);
    a = arrivals("{\"on_off\": {\"on_rate_per_s\": 4, \"mean_on_s\": 1, \"mean_off_s\": 2}}", &s);
    cr_assert_eq(a.kind, MODEL_ON_OFF);
    cr_assert_eq(a.off_rate_per_s, 0);
    CLOSE(a.mean_off_s, 2);
    sim_scenario_destroy(s);
    a = arrivals("{\"profile\": {\"rate_per_s\": [1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2]}}", &s);
    cr_assert(a.kind == MODEL_PROFILE && a.profile_count == 24);
    CLOSE(a.profile_rate_per_s[23], 2);
    cr_assert_eq(a.start_unix_ns, s->start_unix_ns);
    sim_scenario_destroy(s);
    a = arrivals("{\"closed\": {\"population\": 3, \"think_s\": {\"exponential\": {\"mean\": 2}}}}", &s);
    cr_assert(a.kind == MODEL_CLOSED && a.population == 3 && a.think_s.kind == MODEL_EXPONENTIAL);
    sim_scenario_destroy(s);
}

static struct model_distribution input(const char *json, struct sim_scenario **ret) {
    char set[400];
    snprintf(set, sizeof set, "tenants.0.streams.0.input_tokens=%s", json);
    *ret = read("", (const char *const[]){set, NULL});
    return (*ret)->workload.streams[0].input_tokens;
}

Test(scenario_read, every_distribution) {
    static const struct {
        const char *json;
        double p, quantile;
    } cases[] = {
        {"7", 0.2, 7},
        {"{\"constant\": {\"value\": 7}}", 0.2, 7},
        {"{\"uniform\": {\"min\": 2, \"max\": 6}}", 0.25, 3},
        {"{\"exponential\": {\"mean\": 2}}", 0.5, 1.3862943611198906},
        {"{\"lognormal\": {\"median\": 800, \"sigma\": 0.9}}", 0.5, 800},
        {"{\"lognormal\": {\"p50\": 541, \"p95\": 1591}}", 0.95, 1591},
        {"{\"lognormal\": {\"p95\": 1591, \"p10\": 200}}", 0.1, 200},
        {"{\"percentiles\": {\"p99.9\": 40, \"p50\": 10, \"p95\": 30}}", 0.999, 40},
        {"{\"gamma\": {\"mean\": 3, \"cv\": 1}}", 0.5, 2.0794415416798357},
        {"{\"weibull\": {\"mean\": 3, \"cv\": 1}}", 0.5, 2.0794415416798357},
        {"{\"pareto\": {\"scale\": 2, \"alpha\": 1}}", 0.5, 4},
        {"{\"quantiles\": {\"values\": [0, 10, 100]}}", 0.75, 55},
        {"{\"exponential\": {\"mean\": 2, \"min\": 5}}", 0.5, 5},
        {"{\"exponential\": {\"mean\": 2}, \"max\": 1}", 0.5, 1},
        {"{\"lognormal\": {\"median\": 800, \"sigma\": 10}}", 0.999999, 1e9}, /* the key's own bound */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim_scenario *s;
        struct model_distribution d = input(cases[i].json, &s);
        cr_assert_float_eq(model_distribution_quantile(&d, cases[i].p), cases[i].quantile, 1e-6 * cases[i].quantile,
                           "%s", cases[i].json);
        sim_scenario_destroy(s);
    }
}

Test(scenario_read, streams_and_tenants) {
    struct sim_scenario *s = read(
        "",
        (const char *const[]){"tenants.a.plan=pro",
                              "tenants.a.streams.0={\"sla_s\": 5, \"from_s\": 10, \"until_s\": 50, \"max_tokens\": 8, "
                              "\"patience_s\": 3, \"cached_tokens\": 40, \"cache_write_tokens\": 60}",
                              "tenants.a.daily_input_tokens=0", "tenants.a.count=3"});
    cr_assert_eq(s->workload.tenant_count, 3);
    cr_assert_eq(s->workload.stream_count, 3);
    cr_assert_eq(strcmp(s->workload.tenants[2].id, "a-3"), 0);
    CLOSE(s->workload.tenants[0].weight, 3);
    cr_assert_eq(s->workload.tenants[0].daily_tokens, 0);
    const struct model_stream *stream = &s->workload.streams[2];
    cr_assert_eq(stream->tenant, 2);
    cr_assert_eq(stream->sla_ns, 5 * SECOND);
    cr_assert_eq(stream->arrivals.from_ns, 10 * SECOND);
    cr_assert_eq(stream->arrivals.until_ns, 50 * SECOND);
    cr_assert_eq(stream->max_tokens, 8);
    cr_assert(stream->has_patience);
    CLOSE(stream->cached_tokens.a, 40);
    CLOSE(stream->cache_write_tokens.a, 60);
    sim_scenario_destroy(s);
}

Test(scenario_read, times_of_all_zones) {
    static const struct {
        const char *text;
        int64_t unix_ns;
    } times[] = {
        {"start=2026-01-05T00:00:00Z", INT64_C(1767571200) * SECOND},
        {"start=2026-01-05T01:30:00+01:30", INT64_C(1767571200) * SECOND},
        {"start=2026-01-04T23:00:00.25-01:00", INT64_C(1767571200) * SECOND + SECOND / 4},
        {"start=2024-02-29T00:00:00Z", INT64_C(1709164800) * SECOND},
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct sim_scenario *s = read("", (const char *const[]){times[i].text, NULL});
        cr_assert_eq(s->start_unix_ns, times[i].unix_ns, "%s", times[i].text);
        sim_scenario_destroy(s);
    }
    char *text = text_minimal("");
    static const char *const bad[] = {"start=2025-02-29T00:00:00Z", "start=2026-01-05",
                                      "start=2026-13-01T00:00:00Z", "start=2026-01-05T24:00:00Z",
                                      "start=2026-01-05T00:00:00",  "start=5"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert(text_refused(text, (const char *const[]){bad[i], NULL}, "start", "RFC 3339"));
    free(text);
}

Test(scenario_read, seeds_of_64_bits) {
    struct sim_scenario *s = read("", (const char *const[]){"seed=18446744073709551615", NULL});
    cr_assert_eq(s->seed, UINT64_MAX);
    cr_assert_eq(strcmp(s->seed_text, "18446744073709551615"), 0);
    sim_scenario_destroy(s);
    s = read(", \"seed\": 9007199254740992", NULL);
    cr_assert_eq(s->seed, UINT64_C(9007199254740992));
    sim_scenario_destroy(s);
    char *text = text_minimal(", \"seed\": 9007199254740994");
    cr_assert(text_refused(text, NULL, "seed", "2^53"));
    cr_assert(text_refused(text, (const char *const[]){"seed=18446744073709551616", NULL}, "seed", "2^64"));
    cr_assert(text_refused(text, (const char *const[]){"seed=-1", NULL}, "seed", "decimal digits"));
    cr_assert(text_refused(text, (const char *const[]){"seed=1.5", NULL}, "seed", "decimal digits"));
    free(text);
}

static const char population[] =
    "{\"version\": 1, \"name\": \"p\", \"duration_s\": 10, \"population\": {\"id\": \"u\", \"n\": 10, \"spread\": "
    "{\"zipf\": 1},"
    " \"total_rate_per_s\": 5, \"plans\": {\"free\": 0.8, \"pro\": 0.2}, \"streams\": [{\"origin\": \"user_action\","
    " \"arrivals\": {\"poisson\": {}}, \"input_tokens\": 1, \"output_tokens\": 1}, {\"origin\": \"batch_job\","
    " \"arrivals\": {\"gamma\": {\"rate_per_s\": 3, \"cv\": 2}}, \"input_tokens\": 1, \"output_tokens\": 1}]}}";

Test(scenario_read, a_population_shares_its_rate) {
    struct sim_located_error error;
    struct sim_scenario *s = text_read(population, NULL, &error);
    cr_assert_not_null(s, "%s", error.message);
    cr_assert_eq(s->workload.tenant_count, 10);
    cr_assert_eq(s->workload.stream_count, 20);
    cr_assert_eq(strcmp(s->workload.tenants[9].id, "u-10"), 0);
    double sum = 0;
    int pro = 0;
    for (uint32_t i = 0; i < 20; i++)
        sum += s->workload.streams[i].arrivals.rate_per_s;
    for (uint32_t i = 0; i < 10; i++)
        pro += s->workload.tenants[i].weight > 2;
    CLOSE(sum, 5);
    cr_assert_eq(pro, 2);
    const struct model_stream *streams = s->workload.streams;
    CLOSE(streams[0].arrivals.rate_per_s / streams[2].arrivals.rate_per_s, 2);
    CLOSE(streams[1].arrivals.rate_per_s / streams[0].arrivals.rate_per_s, 3);
    CLOSE(model_distribution_mean(&streams[3].arrivals.gap), 1 / streams[3].arrivals.rate_per_s);
    sim_scenario_destroy(s);

    static const char *const alike[] = {"population.spread=null", "population.total_rate_per_s=null",
                                        "population.streams.0.arrivals.poisson.rate_per_s=2", NULL};
    s = text_read(population, alike, &error);
    cr_assert_not_null(s, "%s", error.message);
    CLOSE(s->workload.streams[18].arrivals.rate_per_s, 2);
    sim_scenario_destroy(s);

    static const char *const spread[] = {"population.spread={\"lognormal\": 1}", NULL};
    struct sim_scenario *first = text_read(population, spread, &error), *again = text_read(population, spread, &error);
    cr_assert(first != NULL && again != NULL);
    double lowest = 10, highest = 0;
    for (uint32_t i = 0; i < 20; i += 2) {
        double rate = first->workload.streams[i].arrivals.rate_per_s;
        cr_assert_eq(rate, again->workload.streams[i].arrivals.rate_per_s);
        lowest = fmin(lowest, rate);
        highest = fmax(highest, rate);
    }
    cr_assert_gt(highest, 3 * lowest);
    sim_scenario_destroy(first);
    sim_scenario_destroy(again);
}
