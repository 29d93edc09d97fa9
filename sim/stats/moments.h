/** Means and ratios over replications, with their standard errors; shared by the estimates. */
#ifndef SIM_MOMENTS_H
#define SIM_MOMENTS_H

#include <stddef.h>

struct sim_moments {
    double value; /**< NAN: does not exist */
    double se;    /**< standard error; NAN: cannot be told */
    size_t count; /**< replications it rests on */
};

/** Mean of the values that are not NAN, and s / sqrt(n). */
struct sim_moments sim_moments_of_mean(const double *values, size_t count);

/** Summed numerator over summed denominator, and the ratio estimator's standard error: with rho the ratio and
 *  d = numerator - rho x denominator, sqrt(sum d^2 / (R - 1) / R) / mean denominator (W. Cochran, Sampling Techniques,
 * 3rd ed., 1977, section 2.11). Pairs with a NAN are left out; pairs of zeros are not. The error is NAN unless two
 *  replications have a denominator: one alone would fit the ratio perfectly. */
struct sim_moments sim_moments_of_ratio(const double *numerators, const double *denominators, size_t count);

/** Two-sided quantile of Student's t for @p count replications; NAN below two. */
double sim_student_t(double level, size_t count);

#endif
