/** Means and ratios over replications, with their standard errors. */
#include "moments.h"

#include <gsl/gsl_cdf.h>

#include <assert.h>
#include <math.h>

struct sim_moments sim_moments_of_mean(const double *values, size_t count) {
    struct sim_moments moments = {NAN, NAN, 0};
    double sum = 0;
    for (size_t r = 0; r < count; r++)
        if (!isnan(values[r])) {
            sum += values[r];
            moments.count++;
        }
    if (moments.count == 0)
        return moments;
    double n = (double)moments.count;
    moments.value = sum / n;
    if (moments.count == 1)
        return moments;
    double squares = 0;
    for (size_t r = 0; r < count; r++)
        if (!isnan(values[r]))
            squares += (values[r] - moments.value) * (values[r] - moments.value);
    moments.se = sqrt(squares / (n - 1) / n);
    return moments;
}

struct sim_moments sim_moments_of_ratio(const double *numerators, const double *denominators, size_t count) {
    struct sim_moments moments = {NAN, NAN, 0};
    double top = 0, bottom = 0;
    size_t informative = 0;
    for (size_t r = 0; r < count; r++) {
        if (isnan(numerators[r]) || isnan(denominators[r]))
            continue;
        top += numerators[r];
        bottom += denominators[r];
        informative += denominators[r] > 0;
        moments.count++;
    }
    if (!(bottom > 0))
        return moments;
    moments.value = top / bottom;
    if (informative < 2)
        return moments;
    double squares = 0;
    for (size_t r = 0; r < count; r++) {
        double residual = numerators[r] - moments.value * denominators[r];
        if (!isnan(residual))
            squares += residual * residual;
    }
    double n = (double)moments.count;
    moments.se = sqrt(squares / (n - 1) / n) / (bottom / n);
    return moments;
}

double sim_student_t(double level, size_t count) {
    assert(level > 0 && level < 1);
    return count < 2 ? NAN : gsl_cdf_tdist_Pinv(.5 + level / 2, (double)(count - 1));
}
