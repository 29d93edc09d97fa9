/** Exact interval of a binomial share.
 *
 *  GSL has the beta distribution, but its quantile function fails to converge for some counts already within a few
 *  hundred trials, and for most beyond ten thousand, which a minute of simulation exceeds; so the incomplete beta
 * function is computed here.
 */
#include "binomial.h"

#include <assert.h>
#include <math.h>

/** Lentz's method divides by both parts of the fraction. */
static double away_from_zero(double x) {
    const double tiny = 1e-300;
    return fabs(x) < tiny ? tiny : x;
}

/** Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22). Converges fast for
 *  x < (a + 1) / (a + b + 2), within some sqrt(max(a, b)) steps. */
static double fraction(double a, double b, double x) {
    enum { STEPS_MAX = 1000000 };
    const double precise = 1e-15;
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < STEPS_MAX; m++) {
        double k = a + 2 * m;
        double even = m * (b - m) * x / ((k - 1) * k);
        double odd = -(a + m) * (a + b + m) * x / (k * (k + 1));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= c * d;
        if (fabs(c * d - 1) < precise)
            break;
    }
    return value;
}

/** Regularised incomplete beta function I_x(a, b): P(Beta(a, b) <= x). */
static double beta_share(double a, double b, double x) {
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    int sign;
    double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(a, b, x) / a;
    return 1 - front * fraction(b, a, 1 - x) / b;
}

/** The share below which @p hits or more of @p trials have a chance of less than @p tail. */
static double lower_end(uint64_t hits, uint64_t trials, double tail) {
    if (hits == 0)
        return 0;
    double a = (double)hits, b = (double)(trials - hits) + 1;
    double lo = 0, hi = 1;
    for (;;) {
        double middle = lo + (hi - lo) / 2;
        if (middle <= lo || middle >= hi)
            return lo;
        if (beta_share(a, b, middle) < tail)
            lo = middle;
        else
            hi = middle;
    }
}

void sim_clopper_pearson(uint64_t hits, uint64_t trials, double level, double *ret_lo, double *ret_hi) {
    assert(trials > 0 && hits <= trials && level > 0 && level < 1);
    double tail = (1 - level) / 2;
    *ret_lo = lower_end(hits, trials, tail);
    *ret_hi = 1 - lower_end(trials - hits, trials, tail);
}
