/** Quantile functions at known points, at the edges of double, and what prepare() refuses. */
#include "../../models/distribution.h"

#include <criterion/criterion.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static struct model_distribution bare(enum model_distribution_kind kind, double a, double b) {
    return (struct model_distribution){.kind = kind, .a = a, .b = b, .min = -INFINITY, .max = INFINITY};
}

static struct model_distribution made(enum model_distribution_kind kind, double a, double b) {
    struct model_distribution d = bare(kind, a, b);
    model_init();
    const char *why = model_distribution_prepare(&d);
    cr_assert_null(why, "%s", why);
    return d;
}

static void assert_near(double got, double expected, double relative) {
    cr_assert_float_eq(got, expected, relative * fabs(expected), "%.17g, not %.17g", got, expected);
}

Test(models_distribution, known_quantiles) {
    struct model_distribution uniform = made(MODEL_UNIFORM, 2, 6), exponential = made(MODEL_EXPONENTIAL, 2, 0),
                              lognormal = made(MODEL_LOGNORMAL, 3, 0.5), pareto = made(MODEL_PARETO, 10, 2),
                              constant = model_constant(7);
    assert_near(model_distribution_quantile(&uniform, 0.25), 3, 1e-15);
    assert_near(model_distribution_quantile(&exponential, 0.5), 2 * log(2), 1e-15);
    assert_near(model_distribution_quantile(&lognormal, 0.5), exp(3), 1e-15);
    assert_near(model_distribution_quantile(&lognormal, 0.975), exp(3 + 0.5 * 1.9599639845400545), 1e-14);
    assert_near(model_distribution_quantile(&pareto, 0.75), 20, 1e-14);
    cr_assert_eq(model_distribution_quantile(&constant, 0.3), 7);
}

Test(models_distribution, clamps) {
    struct model_distribution d = made(MODEL_UNIFORM, 0, 10);
    d.min = 2;
    d.max = 5;
    cr_assert_eq(model_distribution_quantile(&d, 0.1), 2);
    cr_assert_eq(model_distribution_quantile(&d, 0.3), 3);
    cr_assert_eq(model_distribution_quantile(&d, 0.9), 5);
    /* 2 on [0, 2), then linear to 5, then 5: (2 x 2 + 3 x 3.5 + 5 x 5) / 10 */
    assert_near(model_distribution_mean(&d), 3.95, 1e-6);
    d.max = 1;
    cr_assert_not_null(model_distribution_prepare(&d), "min over max");
}

Test(models_distribution, percentiles_go_through_their_knots) {
    double p[] = {0.5, 0.95, 0.99}, x[] = {541, 1591, 4117};
    struct model_distribution d = bare(MODEL_PERCENTILES, 0, 0);
    d.count = 3;
    d.p = p;
    d.x = x;
    cr_assert_null(model_distribution_prepare(&d));
    assert_near(model_distribution_quantile(&d, 0.5), 541, 1e-13);
    assert_near(model_distribution_quantile(&d, 0.95), 1591, 1e-13);
    assert_near(model_distribution_quantile(&d, 0.99), 4117, 1e-13);
    /* Halfway in z between two knots lies the geometric mean. */
    double z = (gsl_cdf_ugaussian_Pinv(0.95) + gsl_cdf_ugaussian_Pinv(0.99)) / 2;
    assert_near(model_distribution_quantile(&d, gsl_cdf_ugaussian_P(z)), sqrt(1591.0 * 4117.0), 1e-12);
    /* End slopes go on: as far below the first knot as the second is above it. */
    assert_near(model_distribution_quantile(&d, 0.05), 541.0 * 541.0 / 1591.0, 1e-12);
    z = 2 * gsl_cdf_ugaussian_Pinv(0.99) - gsl_cdf_ugaussian_Pinv(0.95);
    assert_near(model_distribution_quantile(&d, gsl_cdf_ugaussian_P(z)), 4117.0 * 4117.0 / 1591.0, 1e-10);
}

Test(models_distribution, two_percentiles_are_a_lognormal) {
    double p[] = {0.25, 0.9}, x[] = {exp(5 - 0.8 * 0.67448975019608171), exp(5 + 0.8 * 1.2815515655446004)};
    struct model_distribution d = bare(MODEL_PERCENTILES, 0, 0), lognormal = made(MODEL_LOGNORMAL, 5, 0.8);
    d.count = 2;
    d.p = p;
    d.x = x;
    cr_assert_null(model_distribution_prepare(&d));
    for (int i = 1; i < 100; i++)
        assert_near(model_distribution_quantile(&d, i / 100.0), model_distribution_quantile(&lognormal, i / 100.0),
                    1e-12);
}

Test(models_distribution, quantiles_are_linear_between) {
    double x[] = {10, 20, 20, 100};
    struct model_distribution d = bare(MODEL_QUANTILES, 0, 0);
    d.count = 4;
    d.x = x;
    cr_assert_null(model_distribution_prepare(&d));
    assert_near(model_distribution_quantile(&d, 1.0 / 6), 15, 1e-14);
    assert_near(model_distribution_quantile(&d, 0.5), 20, 1e-14);
    assert_near(model_distribution_quantile(&d, 5.0 / 6), 60, 1e-14);
    assert_near(model_distribution_quantile(&d, 1 - 0x1p-53), 100, 1e-12);
    assert_near(model_distribution_mean(&d), (15 + 20 + 60) / 3.0, 1e-14);
}

/** Moments by the midpoint rule on a grid that crowds towards 1, where the tail is: u = 1 - (1 - t)^3. */
static void moments(const struct model_distribution *d, double *ret_mean, double *ret_cv) {
    enum { POINTS = 5000 };
    double sum = 0, squares = 0;
    for (int i = 0; i < POINTS; i++) {
        double rest = 1 - (i + 0.5) / POINTS, weight = 3 * rest * rest / POINTS;
        double x = model_distribution_quantile(d, 1 - rest * rest * rest);
        sum += weight * x;
        squares += weight * x * x;
    }
    *ret_mean = sum;
    *ret_cv = sqrt(squares - sum * sum) / sum;
}

Test(models_distribution, gamma_and_weibull_have_their_mean_and_cv) {
    enum model_distribution_kind kinds[] = {MODEL_GAMMA, MODEL_WEIBULL};
    double cvs[] = {0.001, 0.02, 0.05, 0.5, 1, 2, 3};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 7; i++) {
            struct model_distribution d = made(kinds[k], 4, cvs[i]);
            double mean, cv;
            moments(&d, &mean, &cv);
            assert_near(mean, 4, 1e-3);
            assert_near(cv, cvs[i], 0.02);
            cr_assert_eq(model_distribution_mean(&d), 4);
        }
}

Test(models_distribution, weibull_shape_solves_its_equation) {
    for (double cv = 0.001; cv <= 1000; cv *= 1.7) {
        struct model_distribution d = made(MODEL_WEIBULL, 1, cv);
        double spread = lgamma(1 + 2 / d.shape) - 2 * lgamma(1 + 1 / d.shape);
        assert_near(expm1(spread), cv * cv, 1e-6);
    }
}

Test(models_distribution, gamma_inverts_its_cdf_from_one_extreme_to_the_other) {
    double cvs[] = {0.008, 0.01, 0.03, 0.05, 0.3, 1.5, 3, 5, 10, 20, 100, 1000};
    for (size_t c = 0; c < sizeof cvs / sizeof *cvs; c++) {
        struct model_distribution d = made(MODEL_GAMMA, 1, cvs[c]);
        double before = 0;
        for (int i = 0; i < 400; i++) {
            double u = i < 100   ? pow(10, -12 + i * 0.1)
                       : i < 300 ? 0.01 + (i - 100) * 0.0049
                                 : 1 - pow(10, -2 - (i - 300) * 0.1);
            double x = model_distribution_quantile(&d, u);
            cr_assert(isfinite(x) && x >= before * (1 - 1e-6), "cv %g u %.17g: %g after %g", cvs[c], u, x, before);
            before = x;
            if (x == 0)
                continue; /* smaller than any double */
            double p = gsl_cdf_gamma_P(x, d.shape, d.scale), q = gsl_cdf_gamma_Q(x, d.shape, d.scale);
            double off = u < 0.5 ? fabs(p / u - 1) : fabs(q / (1 - u) - 1);
            cr_assert_lt(off, 2e-3, "cv %g u %.17g: off by %g", cvs[c], u, off);
        }
    }
}

Test(models_distribution, nothing_is_ever_infinite_or_not_a_number) {
    struct model_distribution all[] = {
        made(MODEL_EXPONENTIAL, 1e300, 0), made(MODEL_LOGNORMAL, 700, 50), made(MODEL_PARETO, 1, 0.001),
        made(MODEL_GAMMA, 1e300, 1000),    made(MODEL_WEIBULL, 1, 1000),   made(MODEL_UNIFORM, -5, 5),
    };
    double edges[] = {0x1p-54, 1e-9, 0.5, 1 - 1e-9, 1 - 0x1p-53};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
            cr_assert(isfinite(model_distribution_quantile(&all[i], edges[e])), "distribution %zu at %g", i, edges[e]);
    struct model_distribution wild = made(MODEL_PARETO, 1, 0.001);
    wild.max = 1e6;
    cr_assert(isfinite(model_distribution_mean(&wild)));
}

Test(models_distribution, means) {
    struct model_distribution lognormal = made(MODEL_LOGNORMAL, 2, 1), pareto = made(MODEL_PARETO, 3, 1.5);
    assert_near(model_distribution_mean(&lognormal), exp(2.5), 1e-14);
    assert_near(model_distribution_mean(&pareto), 9, 1e-14);
    lognormal.max = exp(2); /* E min(X, median) = median (Phi(-sigma) e^(sigma^2/2) + 1/2) */
    double expected = exp(2) * (exp(0.5) * gsl_cdf_ugaussian_P(-1) + 0.5);
    assert_near(model_distribution_mean(&lognormal), expected, 1e-6);
}

Test(models_distribution, impossible_ones_are_refused) {
    struct model_distribution bad[] = {
        bare(MODEL_GAMMA, 1, 0),       bare(MODEL_GAMMA, 1, 1e4),         bare(MODEL_WEIBULL, 1, 1e-5),
        bare(MODEL_WEIBULL, 1, NAN),   bare(MODEL_WEIBULL, -1, 1),        bare(MODEL_PARETO, 0, 1),
        bare(MODEL_PARETO, 1, 0),      bare(MODEL_UNIFORM, 2, 1),         bare(MODEL_EXPONENTIAL, -1, 0),
        bare(MODEL_LOGNORMAL, NAN, 1), bare(MODEL_LOGNORMAL, 0, -1),      bare(MODEL_PERCENTILES, 0, 0),
        bare(MODEL_QUANTILES, 0, 0),   bare(MODEL_CONSTANT, INFINITY, 0),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not_null(model_distribution_prepare(&bad[i]), "distribution %zu", i);

    double p[] = {0.5, 0.4}, x[] = {1, 2}, falling[] = {2, 1}, good_p[] = {0.4, 0.5}, one[] = {0.4, 1};
    struct model_distribution knots = bare(MODEL_PERCENTILES, 0, 0);
    knots.count = 2;
    knots.p = p;
    knots.x = x;
    cr_assert_not_null(model_distribution_prepare(&knots), "probabilities fall");
    knots.p = good_p;
    knots.x = falling;
    cr_assert_not_null(model_distribution_prepare(&knots), "values fall");
    knots.p = one;
    knots.x = x;
    cr_assert_not_null(model_distribution_prepare(&knots), "p100");
    cr_assert_eq(x[0], 1, "a refused distribution is left as it was");
}

Test(models_distribution, seconds_to_ns) {
    cr_assert_eq(model_ns(1.5), 1500000000);
    cr_assert_eq(model_ns(0.6e-9), 1);
    cr_assert_eq(model_ns(0.4e-9), 0);
    cr_assert_eq(model_ns(-3), 0);
    cr_assert_eq(model_ns(1e30), INT64_MAX);
    cr_assert_eq(model_ns(INFINITY), INT64_MAX);
}
