/** Clopper-Pearson ends: closed forms, tables, and the defining equation for large counts. */
#include "../../sim/stats/binomial.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

Test(stats_binomial, no_hit_and_all_hits_have_closed_forms) {
    double lo, hi;
    const double trials[] = {1, 10, 368, 1e5, 1e8};
    for (int i = 0; i < 5; i++) {
        sim_clopper_pearson(0, (uint64_t)trials[i], .95, &lo, &hi);
        double exact = -expm1(log(.025) / trials[i]);
        cr_assert_eq(lo, 0);
        cr_assert_float_eq(hi, exact, 1e-6 * exact, "%g trials: %.9g not %.9g", trials[i], hi, exact);
        sim_clopper_pearson((uint64_t)trials[i], (uint64_t)trials[i], .95, &lo, &hi);
        cr_assert_eq(hi, 1);
        cr_assert_float_eq(lo, 1 - exact, 1e-9);
    }
}

Test(stats_binomial, textbook_values) {
    double lo, hi;
    sim_clopper_pearson(1, 10, .95, &lo, &hi);
    cr_assert_float_eq(lo, .00252858, 1e-8);
    cr_assert_float_eq(hi, .44501612, 1e-8);
    sim_clopper_pearson(5, 10, .95, &lo, &hi);
    cr_assert_float_eq(lo, .18708603, 1e-8);
    cr_assert_float_eq(hi, .81291397, 1e-8);
}

Test(stats_binomial, each_end_leaves_half_of_the_error_outside) {
    for (int n = 1; n <= 300; n += 13)
        for (int k = 1; k < n; k += 1 + n / 9) {
            double lo, hi;
            sim_clopper_pearson((uint64_t)k, (uint64_t)n, .99, &lo, &hi);
            // P(k or more of n) at the lower end, P(k or fewer) at the upper one
            cr_assert_float_eq(gsl_cdf_binomial_Q((unsigned)k - 1, lo, (unsigned)n), .005, 1e-9);
            cr_assert_float_eq(gsl_cdf_binomial_P((unsigned)k, hi, (unsigned)n), .005, 1e-9);
        }
}

Test(stats_binomial, large_counts_approach_the_normal_interval) {
    const double shares[] = {.001, .01, .5, .99};
    for (double n = 1e5; n <= 1e8; n *= 10)
        for (int i = 0; i < 4; i++) {
            double lo, hi, half = 1.959964 * sqrt(shares[i] * (1 - shares[i]) / n);
            sim_clopper_pearson((uint64_t)llround(shares[i] * n), (uint64_t)n, .95, &lo, &hi);
            cr_assert_float_eq(hi - lo, 2 * half, .06 * half, "%g of %g: %g not %g", shares[i], n, hi - lo, 2 * half);
            cr_assert(lo < shares[i] && hi > shares[i]);
        }
}
