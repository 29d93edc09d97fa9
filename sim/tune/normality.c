#include "normality.h"

#include "../stats/moments.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double sim_skewness(const double *values, size_t count) {
    double mean = sim_moments_of_mean(values, count).value, squares = 0, cubes = 0, n = (double)count;
    if (count < 3)
        return NAN;
    for (size_t i = 0; i < count; i++) {
        double off = values[i] - mean;
        squares += off * off;
        cubes += off * off * off;
    }
    return squares > 0 ? cubes / n / pow(squares / n, 1.5) : 0;
}

double sim_skewness_limit(size_t count, size_t samples) {
    double n = (double)count;
    if (count < 3 || samples == 0)
        return NAN;
    return gsl_cdf_ugaussian_Qinv(.05 / 2 / (double)samples) * sqrt(6 * (n - 2) / ((n + 1) * (n + 3)));
}

double sim_variation(const double *values, size_t count) {
    struct sim_moments moments = sim_moments_of_mean(values, count);
    return moments.se * sqrt((double)moments.count) / fabs(moments.value);
}
