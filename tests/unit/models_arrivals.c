/** Arrival processes whose instants are known: constant, burst, trace, windows, ends, and every mean rate. */
#include "../../models/arrivals.h"

#include <criterion/criterion.h>
#include <math.h>

static const struct model_streams streams = {.seed = 99, .replication = 2};
static const int64_t second = 1000000000;

static struct model_arrivals_config config_of(enum model_arrivals_kind kind) {
    return (struct model_arrivals_config){
        .kind = kind, .first_ns = -1, .until_ns = INT64_MAX, .time_scale = 1, .trace_tenant = -1};
}

/** Take @p count arrivals, which must come at @p expected (in ms); then none if @p end. */
static void assert_instants(const struct model_arrivals_config *config, const int64_t *expected_ms, size_t count,
                            bool end) {
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    model_arrivals_init(&arrivals, config, &streams, 4);
    for (size_t i = 0; i < count; i++) {
        cr_assert(model_arrivals_next(&arrivals, &arrival), "arrival %zu", i);
        cr_assert_eq(arrival.time_ns, expected_ms[i] * 1000000, "arrival %zu at %ld", i, (long)arrival.time_ns);
        cr_assert_eq(arrival.job, i);
    }
    for (int again = 0; end && again < 2; again++)
        cr_assert_not(model_arrivals_next(&arrivals, &arrival));
}

/** The mean rate over @p duration_s is the count of arrivals in it. */
static void assert_mean_is_count(const struct model_arrivals_config *config, double duration_s) {
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    double count = 0;
    model_arrivals_init(&arrivals, config, &streams, 4);
    while (model_arrivals_next(&arrivals, &arrival) && (double)arrival.time_ns < duration_s * 1e9)
        count++;
    cr_assert_float_eq(model_arrivals_mean_rate(config, duration_s) * duration_s, count, 1e-9, "%g", count);
}

Test(models_arrivals, constant_begins_one_gap_after_from) {
    struct model_arrivals_config config = config_of(MODEL_REGULAR);
    config.rate_per_s = 4;
    assert_instants(&config, (int64_t[]){250, 500, 750, 1000}, 4, false);
    config.from_ns = 10 * second;
    config.until_ns = 10 * second + 750000000;
    assert_instants(&config, (int64_t[]){10250, 10500}, 2, true);
    assert_mean_is_count(&config, 20);
}

Test(models_arrivals, constant_with_a_first_instant) {
    struct model_arrivals_config config = config_of(MODEL_REGULAR);
    config.rate_per_s = 2;
    config.first_ns = 100000000;
    assert_instants(&config, (int64_t[]){100, 600, 1100}, 3, false);
    config.from_ns = second; /* first counts seconds of the run; what lies before from is left out */
    assert_instants(&config, (int64_t[]){1100, 1600}, 2, false);
    config.from_ns = 1100000000;
    config.until_ns = 1600000000;
    assert_instants(&config, (int64_t[]){1100}, 1, true);
    assert_mean_is_count(&config, 3);
}

Test(models_arrivals, constant_does_not_drift) {
    struct model_arrivals_config config = config_of(MODEL_REGULAR);
    config.rate_per_s = 3;
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    model_arrivals_init(&arrivals, &config, &streams, 0);
    for (int i = 0; i < 300000; i++)
        cr_assert(model_arrivals_next(&arrivals, &arrival));
    cr_assert_eq(arrival.time_ns, 100000 * second);
    config.rate_per_s = 0;
    assert_instants(&config, NULL, 0, true);
    cr_assert_eq(model_arrivals_mean_rate(&config, 10), 0);
}

Test(models_arrivals, bursts_at_instants) {
    struct model_arrivals_config config = config_of(MODEL_BURST);
    int64_t at[] = {1 * second, 5 * second, 9 * second};
    config.burst_count = 2;
    config.at_count = 3;
    config.at_ns = at;
    assert_instants(&config, (int64_t[]){1000, 1000, 5000, 5000, 9000, 9000}, 6, true);
    assert_mean_is_count(&config, 9);
    config.from_ns = 2 * second;
    config.until_ns = 9 * second;
    assert_instants(&config, (int64_t[]){5000, 5000}, 2, true);
    assert_mean_is_count(&config, 100);
    config.burst_count = 0;
    assert_instants(&config, NULL, 0, true);
}

Test(models_arrivals, periodic_bursts) {
    struct model_arrivals_config config = config_of(MODEL_BURST);
    config.burst_count = 2;
    config.every_ns = 3 * second;
    assert_instants(&config, (int64_t[]){3000, 3000, 6000, 6000, 9000}, 5, false);
    config.first_ns = 0;
    assert_instants(&config, (int64_t[]){0, 0, 3000, 3000}, 4, false);
    assert_mean_is_count(&config, 3);
    config.from_ns = 4 * second;
    config.until_ns = 9 * second + 1;
    assert_instants(&config, (int64_t[]){6000, 6000, 9000, 9000}, 4, true);
    assert_mean_is_count(&config, 7);
}

/** Rows at 0, 1 s (tenant 1), 3 s, 6 s. */
static struct model_trace_row rows[] = {
    {.time_ns = 0, .tenant = 0, .next = 2, .input_tokens = 10},
    {.time_ns = 1000000000, .tenant = 1, .next = 0, .input_tokens = 11},
    {.time_ns = 3000000000, .tenant = 0, .next = 1, .input_tokens = 12},
    {.time_ns = 6000000000, .tenant = 0, .next = 0, .input_tokens = 13},
};
static uint32_t first_rows[] = {0, 1};
static const struct model_trace trace = {.rows = rows, .count = 4, .tenant_count = 2, .first_rows = first_rows};

Test(models_arrivals, trace_begins_at_from) {
    struct model_arrivals_config config = config_of(MODEL_TRACE);
    config.trace = &trace;
    assert_instants(&config, (int64_t[]){0, 1000, 3000, 6000}, 4, true);
    config.from_ns = 2 * second;
    config.time_scale = 0.5;
    assert_instants(&config, (int64_t[]){2000, 2500, 3500, 5000}, 4, true);
    assert_mean_is_count(&config, 4);
    config.until_ns = 3500000000;
    assert_instants(&config, (int64_t[]){2000, 2500}, 2, true);
    assert_mean_is_count(&config, 10);
}

Test(models_arrivals, trace_loops_one_mean_gap_after_its_last_row) {
    struct model_arrivals_config config = config_of(MODEL_TRACE);
    config.trace = &trace;
    config.loop = true;
    assert_instants(&config, (int64_t[]){0, 1000, 3000, 6000, 8000, 9000, 11000, 14000, 16000}, 9, false);
    assert_mean_is_count(&config, 30);
    config.time_scale = 2;
    config.from_ns = second;
    assert_instants(&config, (int64_t[]){1000, 3000, 7000, 13000, 17000}, 5, false);
    assert_mean_is_count(&config, 1000);
}

Test(models_arrivals, tenants_of_a_looping_trace_stay_in_step) {
    struct model_arrivals_config config = config_of(MODEL_TRACE);
    config.trace = &trace;
    config.loop = true;
    config.trace_tenant = 0;
    assert_instants(&config, (int64_t[]){0, 3000, 6000, 8000, 11000}, 5, false);
    assert_mean_is_count(&config, 100);
    config.trace_tenant = 1;
    assert_instants(&config, (int64_t[]){1000, 9000, 17000}, 3, false);
    assert_mean_is_count(&config, 100);
    config.trace_tenant = 2;
    assert_instants(&config, NULL, 0, true);
}

Test(models_arrivals, trace_rows_come_along) {
    struct model_arrivals_config config = config_of(MODEL_TRACE);
    config.trace = &trace;
    config.trace_tenant = 1;
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    model_arrivals_init(&arrivals, &config, &streams, 0);
    cr_assert(model_arrivals_next(&arrivals, &arrival));
    cr_assert_eq(arrival.row, &rows[1]);
}

Test(models_arrivals, a_trace_without_span_is_not_repeated) {
    struct model_trace_row same[] = {{.next = 1}, {.next = 0}};
    struct model_trace instant = {.rows = same, .count = 2, .first_rows = first_rows};
    struct model_arrivals_config config = config_of(MODEL_TRACE);
    config.trace = &instant;
    config.loop = true;
    assert_instants(&config, (int64_t[]){0, 0}, 2, true);
    assert_mean_is_count(&config, 10);
}

Test(models_arrivals, gap_of_a_job_is_its_own_draw) {
    struct model_arrivals_config config = config_of(MODEL_POISSON);
    config.rate_per_s = 5;
    config.from_ns = 7 * second;
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    model_arrivals_init(&arrivals, &config, &streams, 12);
    double clock_s = 7;
    for (uint32_t job = 0; job < 1000; job++) {
        clock_s -= log(1 - model_uniform(&streams, 12, job, MODEL_ARRIVAL, 0)) / 5;
        cr_assert(model_arrivals_next(&arrivals, &arrival));
        cr_assert_float_eq((double)arrival.time_ns, clock_s * 1e9, 2);
        cr_assert_eq(arrival.row, NULL);
    }
}

Test(models_arrivals, random_processes_end_at_until) {
    double profile[24];
    for (int i = 0; i < 24; i++)
        profile[i] = 10;
    enum model_arrivals_kind kinds[] = {MODEL_POISSON, MODEL_GAMMA_RENEWAL, MODEL_WEIBULL_RENEWAL, MODEL_ON_OFF,
                                        MODEL_PROFILE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct model_arrivals_config config = config_of(kinds[k]);
        config.rate_per_s = 10;
        config.gap = (struct model_distribution){.kind = kinds[k] == MODEL_GAMMA_RENEWAL ? MODEL_GAMMA : MODEL_WEIBULL,
                                                 .a = 0.1,
                                                 .b = 2,
                                                 .min = -INFINITY,
                                                 .max = INFINITY};
        cr_assert_null(model_distribution_prepare(&config.gap));
        config.on_rate_per_s = 20;
        config.mean_on_s = config.mean_off_s = 1;
        config.profile_count = 24;
        config.profile_rate_per_s = profile;
        config.from_ns = 5 * second;
        config.until_ns = 105 * second;
        struct model_arrivals arrivals;
        struct model_arrival arrival;
        int64_t last_ns = config.from_ns;
        uint32_t count = 0;
        model_arrivals_init(&arrivals, &config, &streams, 1);
        for (; model_arrivals_next(&arrivals, &arrival); count++) {
            cr_assert(arrival.time_ns >= last_ns && arrival.time_ns < config.until_ns);
            cr_assert_eq(arrival.job, count);
            last_ns = arrival.time_ns;
        }
        cr_assert_not(model_arrivals_next(&arrivals, &arrival));
        cr_assert(count > 600 && count < 1500, "kind %zu: %u", k, count);
        cr_assert_float_eq(model_arrivals_mean_rate(&config, 200), 5, 1e-12, "kind %zu", k);
        cr_assert_eq(model_arrivals_mean_rate(&config, 5), 0);
    }
}

Test(models_arrivals, processes_without_rate_have_no_arrivals) {
    double nothing[24] = {0};
    enum model_arrivals_kind kinds[] = {MODEL_POISSON, MODEL_ON_OFF, MODEL_PROFILE};
    for (size_t k = 0; k < 3; k++) {
        struct model_arrivals_config config = config_of(kinds[k]);
        config.mean_on_s = config.mean_off_s = 1;
        config.profile_count = 24;
        config.profile_rate_per_s = nothing;
        assert_instants(&config, NULL, 0, true);
        cr_assert_eq(model_arrivals_mean_rate(&config, 1000), 0);
    }
}

Test(models_arrivals, weeks_begin_on_monday_utc) {
    double week[168] = {0};
    week[3 * 24 + 5] = 1000; /* Thursday 05:00 */
    struct model_arrivals_config config = config_of(MODEL_PROFILE);
    config.profile_count = 168;
    config.profile_rate_per_s = week;
    config.start_unix_ns = INT64_C(1767571200) * second + 1800 * second; /* Monday 2026-01-05 00:30 */
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    model_arrivals_init(&arrivals, &config, &streams, 0);
    cr_assert(model_arrivals_next(&arrivals, &arrival));
    int64_t thursday_s = (3 * 24 + 5) * 3600 - 1800;
    cr_assert_eq(arrival.time_ns / second, thursday_s);
    while (arrival.time_ns / second < thursday_s + 3600)
        cr_assert(model_arrivals_next(&arrivals, &arrival));
    cr_assert_eq(arrival.time_ns / second, thursday_s + 7 * 86400, "a week later, and nothing between");
    cr_assert_float_eq(model_arrivals_mean_rate(&config, 7 * 86400), 1000.0 / 168, 1e-9);
    cr_assert_float_eq(model_arrivals_mean_rate(&config, (double)thursday_s + 1800) * ((double)thursday_s + 1800),
                       1.8e6, 1e-3);
}

Test(models_arrivals, a_profile_of_almost_no_rate_leaps_over_idle_weeks) {
    double day[24] = {0};
    day[7] = 1e-9; /* one job in some 760 years of days */
    struct model_arrivals_config config = config_of(MODEL_PROFILE);
    config.profile_count = 24;
    config.profile_rate_per_s = day;
    config.start_unix_ns = INT64_C(1767571200) * second;
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    int found = 0;
    for (uint32_t stream = 0; stream < 200; stream++) {
        model_arrivals_init(&arrivals, &config, &streams, stream);
        if (!model_arrivals_next(&arrivals, &arrival))
            continue;
        found++;
        cr_assert_eq(arrival.time_ns / second / 3600 % 24, 7);
    }
    /* 290 years hold 0.3835 expected jobs: 31.9 % of streams have one. */
    cr_assert(found > 35 && found < 95, "%d", found);
}

Test(models_arrivals, closed_populations_think) {
    struct model_arrivals_config config = config_of(MODEL_CLOSED);
    config.population = 30;
    config.think_s = (struct model_distribution){.kind = MODEL_EXPONENTIAL, .a = 2, .min = -INFINITY, .max = INFINITY};
    double u = model_uniform(&streams, 8, 77, MODEL_THINK, 0);
    cr_assert_float_eq((double)model_think_ns(&config, &streams, 8, 77), -2e9 * log(1 - u), 2);
    cr_assert_float_eq(model_arrivals_mean_rate(&config, 100), 15, 1e-12);
    config.until_ns = 50 * second;
    cr_assert_float_eq(model_arrivals_mean_rate(&config, 100), 7.5, 1e-12);
    config.think_s = model_constant(0);
    cr_assert_eq(model_think_ns(&config, &streams, 8, 77), 0);
    cr_assert_eq(model_arrivals_mean_rate(&config, 100), INFINITY);
}
