/** Draws and arrivals against the laws they claim: fixed seeds, tolerances of about 4 standard errors. */
#include "../../models/arrivals.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const struct model_streams streams = {.seed = 17453090, .replication = 1};

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/** Largest distance between the empirical distribution of @p count values and uniform(0, 1); sorts them. */
static double uniform_distance(double *values, size_t count) {
    double worst = 0, n = (double)count;
    qsort(values, count, sizeof *values, compare_doubles);
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fmax(values[i] - (double)i / n, (double)(i + 1) / n - values[i]));
    return worst;
}

/** Kolmogorov's 0.1 % point. */
static double ks_limit(size_t count) {
    return 1.95 / sqrt((double)count);
}

Test(models_laws, uniforms_are_uniform_along_each_coordinate_of_the_counter) {
    enum { N = 20000 };
    static double values[N];
    for (int coordinate = 0; coordinate < 4; coordinate++) {
        double lagged = 0, before = 0.5;
        for (uint32_t i = 0; i < N; i++) {
            struct model_streams each = {.seed = streams.seed, .replication = coordinate == 3 ? i : 0};
            values[i] = model_uniform(&each, coordinate == 2 ? i : 5, coordinate == 1 ? i : 5, MODEL_INPUT,
                                      coordinate == 0 ? i : 0);
            lagged += (values[i] - 0.5) * (before - 0.5);
            before = values[i];
        }
        cr_assert_lt(fabs(12 * lagged / N), 4 / sqrt(N), "serial correlation, coordinate %d", coordinate);
        cr_assert_lt(uniform_distance(values, N), ks_limit(N), "coordinate %d", coordinate);
    }
}

Test(models_laws, purposes_are_uncorrelated) {
    enum { N = 20000 };
    for (int a = MODEL_ARRIVAL; a <= MODEL_THINK; a++)
        for (int b = a + 1; b <= MODEL_THINK; b++) {
            double sum = 0;
            for (uint32_t i = 0; i < N; i++)
                sum += (model_uniform(&streams, 0, i, (enum model_purpose)a, 0) - 0.5) *
                       (model_uniform(&streams, 0, i, (enum model_purpose)b, 0) - 0.5);
            cr_assert_lt(fabs(12 * sum / N), 4.5 / sqrt(N), "purposes %d and %d", a, b);
        }
}

static double cdf(const struct model_distribution *d, double x) {
    switch (d->kind) {
    case MODEL_EXPONENTIAL:
        return gsl_cdf_exponential_P(x, d->a);
    case MODEL_LOGNORMAL:
        return gsl_cdf_lognormal_P(x, d->a, d->b);
    case MODEL_GAMMA:
        return gsl_cdf_gamma_P(x, d->shape, d->scale);
    case MODEL_WEIBULL:
        return gsl_cdf_weibull_P(x, d->scale, d->shape);
    case MODEL_PARETO:
        return gsl_cdf_pareto_P(x, d->b, d->a);
    default:
        return gsl_cdf_flat_P(x, d->a, d->b);
    }
}

Test(models_laws, draws_follow_their_cdf) {
    enum { N = 5000 };
    static double values[N];
    struct model_distribution all[] = {
        {.kind = MODEL_UNIFORM, .a = 3, .b = 9},        {.kind = MODEL_EXPONENTIAL, .a = 2},
        {.kind = MODEL_LOGNORMAL, .a = 6.6, .b = 0.98}, {.kind = MODEL_GAMMA, .a = 3, .b = 0.4},
        {.kind = MODEL_GAMMA, .a = 3, .b = 1.5},        {.kind = MODEL_WEIBULL, .a = 3, .b = 0.4},
        {.kind = MODEL_WEIBULL, .a = 3, .b = 3},        {.kind = MODEL_PARETO, .a = 2, .b = 1.2},
    };
    model_init();
    for (uint32_t k = 0; k < sizeof all / sizeof *all; k++) {
        all[k].min = -INFINITY;
        all[k].max = INFINITY;
        cr_assert_null(model_distribution_prepare(&all[k]));
        for (uint32_t i = 0; i < N; i++)
            values[i] =
                cdf(&all[k], model_distribution_quantile(&all[k], model_uniform(&streams, k, i, MODEL_OUTPUT, 0)));
        cr_assert_lt(uniform_distance(values, N), ks_limit(N), "distribution %u", k);
    }
}

static struct model_arrivals_config config_of(enum model_arrivals_kind kind) {
    return (struct model_arrivals_config){.kind = kind, .first_ns = -1, .until_ns = INT64_MAX};
}

Test(models_laws, gaps_of_renewal_processes_have_their_mean_and_cv) {
    enum { N = 20000 };
    struct {
        enum model_arrivals_kind kind;
        double cv, sd_of_cv;
    } cases[] = {
        {MODEL_POISSON, 1, 1.0},           {MODEL_GAMMA_RENEWAL, 0.5, 0.5}, {MODEL_GAMMA_RENEWAL, 1.5, 2},
        {MODEL_WEIBULL_RENEWAL, 0.3, 0.3}, {MODEL_WEIBULL_RENEWAL, 2, 6},
    };
    model_init();
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct model_arrivals_config config = config_of(cases[c].kind);
        config.rate_per_s = 8;
        if (cases[c].kind != MODEL_POISSON) {
            config.gap =
                (struct model_distribution){.kind = cases[c].kind == MODEL_GAMMA_RENEWAL ? MODEL_GAMMA : MODEL_WEIBULL,
                                            .a = 1.0 / 8,
                                            .b = cases[c].cv,
                                            .min = -INFINITY,
                                            .max = INFINITY};
            cr_assert_null(model_distribution_prepare(&config.gap));
        }
        struct model_arrivals arrivals;
        struct model_arrival arrival;
        model_arrivals_init(&arrivals, &config, &streams, c);
        double sum = 0, squares = 0, before = 0;
        for (int i = 0; i < N; i++) {
            cr_assert(model_arrivals_next(&arrivals, &arrival));
            double gap = (double)arrival.time_ns * 1e-9 - before;
            before += gap;
            sum += gap;
            squares += gap * gap;
        }
        double mean = sum / N, cv = sqrt(squares / N - mean * mean) / mean;
        cr_assert_float_eq(mean * 8, 1, 4 * cases[c].cv / sqrt(N), "case %u: mean %g", c, mean);
        cr_assert_float_eq(cv, cases[c].cv, 4 * cases[c].sd_of_cv / sqrt(N), "case %u: cv %g", c, cv);
    }
}

/** Over many streams: mean and variance of the count in [from, from + width). */
static void counts(const struct model_arrivals_config *config, double from_s, double width_s, uint32_t runs,
                   double *ret_mean, double *ret_variance) {
    double sum = 0, squares = 0;
    for (uint32_t run = 0; run < runs; run++) {
        struct model_arrivals arrivals;
        struct model_arrival arrival;
        double count = 0;
        model_arrivals_init(&arrivals, config, &streams, run);
        while (model_arrivals_next(&arrivals, &arrival) && (double)arrival.time_ns < (from_s + width_s) * 1e9)
            count += (double)arrival.time_ns >= from_s * 1e9;
        sum += count;
        squares += count * count;
    }
    *ret_mean = sum / runs;
    *ret_variance = squares / runs - *ret_mean * *ret_mean;
}

Test(models_laws, on_off_is_stationary_from_its_start) {
    /* Rates 12 and 2, sojourns 3 and 7 s: mean rate 5. The count over t has variance
     * mean + 2 p q (a - b)^2 (t / s - (1 - e^(-s t)) / s^2), s = 1/3 + 1/7 (covariance of the rate decays as e^(-s
     * lag)). */
    struct model_arrivals_config config = config_of(MODEL_ON_OFF);
    config.on_rate_per_s = 12;
    config.off_rate_per_s = 2;
    config.mean_on_s = 3;
    config.mean_off_s = 7;
    config.until_ns = INT64_C(40000000000);
    const double s = 1.0 / 3 + 1.0 / 7, t = 2;
    const double variance = 5 * t + 2 * 0.3 * 0.7 * 100 * (t / s - (1 - exp(-s * t)) / (s * s));
    const uint32_t runs = 10000;
    double starts[] = {0, 1, 20};
    for (int i = 0; i < 3; i++) {
        double mean, got;
        counts(&config, starts[i], t, runs, &mean, &got);
        cr_assert_float_eq(mean, 5 * t, 4 * sqrt(variance / runs), "from %g: mean %g", starts[i], mean);
        cr_assert_float_eq(got, variance, 0.06 * variance, "from %g: variance %g, not %g", starts[i], got, variance);
    }
    cr_assert_float_eq(model_arrivals_mean_rate(&config, 40), 5, 1e-12);
}

Test(models_laws, off_means_off) {
    /* Silence of an interrupted Poisson process, and the mean that remains. */
    struct model_arrivals_config config = config_of(MODEL_ON_OFF);
    config.on_rate_per_s = 10;
    config.mean_on_s = 1;
    config.mean_off_s = 3;
    config.until_ns = INT64_C(4000000000000);
    double mean, variance;
    counts(&config, 0, 4000, 20, &mean, &variance);
    /* Long-run variance of the count: t (r + 2 p q a^2 / s), r = 2.5, s = 4/3. */
    double sd = sqrt(4000 * (2.5 + 2 * 0.25 * 0.75 * 100 / (4.0 / 3)) / 20);
    cr_assert_float_eq(mean, 10000, 4 * sd, "%g", mean);
}

Test(models_laws, profile_has_the_rate_of_each_hour) {
    double day[24];
    for (int hour = 0; hour < 24; hour++)
        day[hour] = hour % 5 == 0 ? 0 : 0.01 * hour;
    struct model_arrivals_config config = config_of(MODEL_PROFILE);
    config.profile_count = 24;
    config.profile_rate_per_s = day;
    config.start_unix_ns =
        INT64_C(1767571200000000000) + INT64_C(6) * 3600 * 1000000000 + 900 * INT64_C(1000000000); /* 06:15 */
    config.from_ns = 100 * INT64_C(1000000000);
    const int days = 30;
    config.until_ns = config.from_ns + days * INT64_C(86400000000000);
    struct model_arrivals arrivals;
    struct model_arrival arrival;
    double seen[24] = {0}, quarters[4] = {0};
    model_arrivals_init(&arrivals, &config, &streams, 0);
    while (model_arrivals_next(&arrivals, &arrival)) {
        int64_t second_of_day = (config.start_unix_ns + arrival.time_ns) / 1000000000 % 86400;
        seen[second_of_day / 3600]++;
        quarters[second_of_day % 3600 / 900] += second_of_day / 3600 == 23;
    }
    double total = 0;
    for (int hour = 0; hour < 24; hour++) {
        double expected = day[hour] * 3600 * days;
        total += expected;
        cr_assert_float_eq(seen[hour], expected, 4 * sqrt(expected), "hour %d: %g, not %g", hour, seen[hour], expected);
    }
    for (int quarter = 0; quarter < 4; quarter++)
        cr_assert_float_eq(quarters[quarter], seen[23] / 4, 4 * sqrt(seen[23] / 4), "even within the hour");
    cr_assert_float_eq(model_arrivals_mean_rate(&config, 1e7) * 1e7, total, 1e-6 * total);
}

Test(models_laws, a_flat_profile_is_poisson) {
    double day[24];
    for (int hour = 0; hour < 24; hour++)
        day[hour] = 0.002; /* 7 an hour: most gaps cross no hour, many do */
    struct model_arrivals_config profile = config_of(MODEL_PROFILE), poisson = config_of(MODEL_POISSON);
    profile.profile_count = 24;
    profile.profile_rate_per_s = day;
    profile.start_unix_ns = 1234567;
    poisson.rate_per_s = 0.002;
    struct model_arrivals a, b;
    struct model_arrival from_a, from_b;
    model_arrivals_init(&a, &profile, &streams, 3);
    model_arrivals_init(&b, &poisson, &streams, 3);
    for (int i = 0; i < 5000; i++) {
        cr_assert(model_arrivals_next(&a, &from_a) && model_arrivals_next(&b, &from_b));
        cr_assert_lt(llabs(from_a.time_ns - from_b.time_ns), 10000, "job %d: same draws, same instants", i);
    }
}
