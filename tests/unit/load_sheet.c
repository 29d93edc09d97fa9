/* The load sheet: sums that a pocket calculator can check, idle quantiles against closed forms, and its warnings. */
#include "../../sim/load/load.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Two tenants: "web" sends 1 critical job a second, "etl" 0.5 batch jobs a second. */
struct bench {
    struct sim_scenario scenario;
    struct model_tenant tenants[2];
    struct model_stream streams[2];
    struct model_price prices[1];
    struct model_regime regime;
    struct model_class_regime class_regime;
    char *names[1];
    struct sim_figure p99;
    struct sim_slo slo;
};

static void fill(struct bench *bench) {
    memset(bench, 0, sizeof *bench);
    bench->tenants[0] = (struct model_tenant){.id = (char *)"web", .weight = 1, .daily_tokens = -1};
    bench->tenants[1] = (struct model_tenant){.id = (char *)"etl", .weight = 0.5, .daily_tokens = -1};
    for (uint32_t i = 0; i < 2; i++) {
        struct model_stream *stream = &bench->streams[i];
        stream->tenant = i;
        stream->origin = i ? SCHED_BATCH_JOB : SCHED_USER_ACTION;
        stream->sla_ns = SCHED_NEVER;
        stream->arrivals = (struct model_arrivals_config){
            .kind = MODEL_POISSON, .rate_per_s = i ? 0.5 : 1, .until_ns = INT64_MAX, .trace_tenant = -1};
        stream->input_tokens = model_constant(i ? 9000 : 1000);
        stream->cached_tokens = model_constant(i ? 0 : 400);
        stream->cache_write_tokens = model_constant(0);
        stream->output_tokens = model_constant(i ? 300 : 100);
        stream->max_tokens = i ? 200 : 0;
    }
    bench->class_regime.per_minute[MODEL_RPM] = 100;
    bench->class_regime.per_minute[MODEL_ITPM] = 400000;
    bench->class_regime.latency.ttft_ms = model_constant(500);
    bench->class_regime.latency.output_tokens_per_s = model_constant(100);
    bench->regime = (struct model_regime){.classes = &bench->class_regime};
    bench->names[0] = (char *)"";
    bench->p99 = (struct sim_figure){.name = (char *)"critical.latency.p99",
                                     .unit = "s",
                                     .kind = SIM_FIGURE_QUANTILE,
                                     .sample = 2 * SCHED_CRITICAL + SIM_LATENCY,
                                     .p = 0.99};
    bench->slo = (struct sim_slo){.figure = &bench->p99, .limit = 2, .text = "critical.latency.p99 <= 2"};
    bench->scenario.duration_ns = 1100 * INT64_C(1000000000);
    bench->scenario.warmup_ns = 100 * INT64_C(1000000000);
    bench->scenario.drain_ns = 60 * INT64_C(1000000000);
    bench->scenario.replications = 3;
    bench->scenario.workers = 4;
    bench->scenario.workload = (struct model_workload){
        .tenants = bench->tenants, .tenant_count = 2, .streams = bench->streams, .stream_count = 2};
    bench->scenario.endpoint = (struct model_endpoint_config){.class_count = 1,
                                                              .class_names = bench->names,
                                                              .prices = bench->prices,
                                                              .regime_count = 1,
                                                              .regimes = &bench->regime,
                                                              .spend_cap_usd_per_day = NAN};
    bench->scenario.scheduler.tenants.quantum = 2;
    bench->scenario.scheduler.tenants.cost_unit_tokens = 4000;
}

static bool warns(const struct sim_load *load, const char *words) {
    for (size_t i = 0; i < load->warning_count; i++)
        if (strstr(load->warnings[i], words))
            return true;
    return false;
}

Test(load_sheet, rows_and_totals) {
    struct bench bench;
    fill(&bench);
    struct sim_load *load = sim_load_create(&bench.scenario, NULL, 0);
    cr_assert_eq(load->row_count, 2);
    const struct sim_load_row *web = &load->rows[0], *etl = &load->rows[1];
    cr_assert_eq(web->class_id, SCHED_CRITICAL);
    cr_assert_float_eq(web->jobs_per_min, 60, 1e-6);
    cr_assert_float_eq(web->share[MODEL_RPM], 0.6, 1e-6);
    cr_assert_float_eq(web->input_per_min, 60 * 600, 1e-3); /* the cache's part is free */
    cr_assert_float_eq(web->output_per_min, 6000, 1e-3);
    cr_assert_float_eq(web->workers, 1.5, 1e-6); /* 0.5 s + 100 tokens at 100 a second */
    cr_assert(isnan(web->share[MODEL_OTPM]));    /* no such limit */
    cr_assert_eq(etl->class_id, SCHED_BATCH);
    cr_assert_float_eq(etl->output_per_min, 6000, 1e-3); /* max_tokens cuts 300 to 200 */
    cr_assert_float_eq(etl->workers, 0.5 * 2.5, 1e-6);
    cr_assert_float_eq(load->totals[0].share[MODEL_ITPM], (36000 + 270000) / 400000.0, 1e-6);
    cr_assert_float_eq(load->workers_share, 2.75 / 4, 1e-6);
    cr_assert_float_eq(load->quantum_tokens, 8000, 1e-9);
    cr_assert_float_eq(load->quantum_min_tokens, 4000, 1e-9);
    cr_assert_float_eq(load->largest_tokens, 9000, 1e-9);
    cr_assert_eq(load->warning_count, 0);
    sim_load_destroy(load);
}

Test(load_sheet, cache_reads_may_count) {
    struct bench bench;
    fill(&bench);
    bench.scenario.endpoint.cache_reads_count = true;
    struct sim_load *load = sim_load_create(&bench.scenario, NULL, 0);
    cr_assert_float_eq(load->rows[0].input_per_min, 60000, 1e-3);
    sim_load_destroy(load);
}

Test(load_sheet, streams_of_a_class_share_a_row) {
    struct bench bench;
    fill(&bench);
    bench.streams[1].tenant = 0;
    bench.streams[1].origin = SCHED_USER_ACTION;
    struct sim_load *load = sim_load_create(&bench.scenario, NULL, 0);
    cr_assert_eq(load->row_count, 1);
    cr_assert_float_eq(load->rows[0].jobs_per_min, 90, 1e-6);
    sim_load_destroy(load);
}

/* Batch jobs that go to Message Batches press on neither limits nor workers. */
Test(load_sheet, batches_bypass) {
    struct bench bench;
    fill(&bench);
    bench.scenario.batches.on = true;
    bench.p99.sample = 2 * SIM_GROUP_ALL + SIM_LATENCY;
    struct sim_load *load = sim_load_create(&bench.scenario, &bench.slo, 1);
    cr_assert(isnan(load->slos[0].idle)); /* of all jobs, batched ones included */
    cr_assert(load->rows[1].batched);
    cr_assert(isnan(load->rows[1].share[MODEL_RPM]));
    cr_assert_float_eq(load->totals[0].jobs_per_min, 60, 1e-6);
    cr_assert_float_eq(load->workers_share, 1.5 / 4, 1e-6);
    sim_load_destroy(load);
}

/* A closed population cannot send faster than think and service let it. */
Test(load_sheet, closed_population) {
    struct bench bench;
    fill(&bench);
    bench.streams[0].arrivals =
        (struct model_arrivals_config){.kind = MODEL_CLOSED, .population = 10, .think_s = model_constant(3.5)};
    struct sim_load *load = sim_load_create(&bench.scenario, NULL, 0);
    cr_assert_float_eq(load->rows[0].jobs_per_min, 60 * 10 / 5.0, 1e-6);
    sim_load_destroy(load);
}

/* Exponential first token of mean 0.5 s, then 1 s of output: p99 = 1 + 0.5 ln 100. */
Test(load_sheet, idle_quantile) {
    struct bench bench;
    fill(&bench);
    bench.class_regime.latency.ttft_ms =
        (struct model_distribution){.kind = MODEL_EXPONENTIAL, .a = 500, .min = -INFINITY, .max = INFINITY};
    cr_assert(model_distribution_prepare(&bench.class_regime.latency.ttft_ms) == NULL);
    struct sim_load *load = sim_load_create(&bench.scenario, &bench.slo, 1);
    cr_assert_float_eq(load->slos[0].idle, 1 + 0.5 * log(100), 0.01);
    cr_assert_float_eq(load->slos[0].over, exp(-2), 0.001); /* over 2 s */
    cr_assert_float_eq(load->slos[0].jobs, 3000, 1e-6);
    cr_assert(warns(load, "no scheduler can meet \"critical.latency.p99 <= 2\""));
    sim_load_destroy(load);
}

/* Two random parts: Gaussian in ln, so 1/rate is lognormal too; checked against a fine grid. */
Test(load_sheet, idle_quantile_of_a_sum) {
    struct bench bench;
    fill(&bench);
    struct model_latency *latency = &bench.class_regime.latency;
    latency->ttft_ms = (struct model_distribution){
        .kind = MODEL_LOGNORMAL, .a = log(400), .b = 0.5, .min = -INFINITY, .max = INFINITY};
    latency->output_tokens_per_s =
        (struct model_distribution){.kind = MODEL_UNIFORM, .a = 50, .b = 150, .min = -INFINITY, .max = INFINITY};
    cr_assert(model_distribution_prepare(&latency->ttft_ms) == NULL);
    cr_assert(model_distribution_prepare(&latency->output_tokens_per_s) == NULL);
    struct sim_load *load = sim_load_create(&bench.scenario, &bench.slo, 1);
    size_t below = 0, grid = 400;
    for (size_t i = 0; i < grid; i++)
        for (size_t k = 0; k < grid; k++) {
            double u = ((double)i + 0.5) / (double)grid, v = ((double)k + 0.5) / (double)grid;
            double service_s = model_distribution_quantile(&latency->ttft_ms, u) / 1000 +
                               100 / model_distribution_quantile(&latency->output_tokens_per_s, v);
            below += service_s <= load->slos[0].idle;
        }
    cr_assert_float_eq((double)below / (double)(grid * grid), 0.99, 0.0015);
    sim_load_destroy(load);
}

Test(load_sheet, warns_of_overload) {
    struct bench bench;
    fill(&bench);
    bench.streams[0].arrivals.rate_per_s = 3;
    struct sim_load *load = sim_load_create(&bench.scenario, NULL, 0);
    cr_assert(warns(load, "210 requests a minute, 210 % of the limit of 100"));
    cr_assert(warns(load, "144 % of the 4 there are"));
    cr_assert(!warns(load, "input tokens a minute"));
    sim_load_destroy(load);
}

Test(load_sheet, warns_of_slos_that_cannot_be_judged) {
    struct bench bench;
    fill(&bench);
    bench.scenario.drain_ns = 1000000000;
    bench.scenario.replications = 1;
    bench.streams[0].arrivals.rate_per_s = 0.4;
    struct sim_load *load = sim_load_create(&bench.scenario, &bench.slo, 1);
    cr_assert(warns(load, "drain_s is 1"));
    cr_assert(warns(load, "only 400 jobs"));
    cr_assert(!warns(load, "no scheduler"));
    sim_load_destroy(load);
}

/* A wait in an idle system is none; nothing is said of figures that are no times. */
Test(load_sheet, other_figures) {
    struct bench bench;
    fill(&bench);
    bench.p99.kind = SIM_FIGURE_JAIN;
    struct sim_load *load = sim_load_create(&bench.scenario, &bench.slo, 1);
    cr_assert(isnan(load->slos[0].idle) && isnan(load->slos[0].jobs));
    cr_assert_eq(load->warning_count, 0);
    sim_load_destroy(load);
}
