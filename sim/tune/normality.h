/** How far observations are from what a guarantee under normality presumes. NAN stands for "cannot be told". */
#ifndef SIM_NORMALITY_H
#define SIM_NORMALITY_H

#include <stddef.h>

/** Sample skewness g1 = m3 / m2^1.5. NAN for fewer than three values; 0 when nothing varies. */
double sim_skewness(const double *values, size_t count);

/** |g1| that the largest of @p samples samples of @p count normal observations exceeds about once in 20 times: the
 *  standard deviation of g1, sqrt(6 (n - 2) / ((n + 1) (n + 3))) (H. Cramer, Mathematical Methods of Statistics, 1946,
 *  section 29.3), times the normal quantile for a level of .05 shared by all samples (Bonferroni). */
double sim_skewness_limit(size_t count, size_t samples);

/** Coefficient of variation: standard deviation over the magnitude of the mean. */
double sim_variation(const double *values, size_t count);

#endif
