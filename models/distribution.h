/** Distributions by inverse CDF: a draw is the quantile of one uniform, so that couplings stay monotone. */
#ifndef MODELS_DISTRIBUTION_H
#define MODELS_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Make the process ready to draw: GSL must report failures to its caller, not abort. Idempotent; call it from main()
 *  before any other function of models/, and before threads start. */
void model_init(void);

enum model_distribution_kind {
    MODEL_CONSTANT,
    MODEL_UNIFORM,
    MODEL_EXPONENTIAL,
    MODEL_LOGNORMAL,
    MODEL_PERCENTILES, /**< ln x linear in the normal quantile between knots, end slopes continued */
    MODEL_GAMMA,
    MODEL_WEIBULL,
    MODEL_PARETO,
    MODEL_QUANTILES /**< equally spaced probabilities 0..1, linear between */
};

/** Filled by the scenario reader, then prepared once by model_distribution_prepare(); read-only afterwards. */
struct model_distribution {
    enum model_distribution_kind kind;
    double a; /**< constant: value. uniform: low end. exponential, gamma, weibull: mean. lognormal: mu. pareto: scale */
    double b; /**< uniform: high end. lognormal: sigma. gamma, weibull: cv. pareto: alpha */
    double min, max; /**< clamp; -INFINITY and INFINITY: none */
    size_t count;    /**< percentiles: knots; quantiles: values */
    double *p;       /**< percentiles: probability of each knot in (0, 1), rising; prepare() turns it into z */
    double *x; /**< percentiles: value of each knot > 0, rising; prepare() turns it into ln x. quantiles: values */
    double shape, scale; /**< derived by prepare(): gamma, weibull */
};

/** Derive what draws need. Call once, after the public fields are set (it takes logarithms of p and x in place).
 *  Weibull's shape k solves 1 + cv^2 = Gamma(1 + 2/k) / Gamma(1 + 1/k)^2; the cv of gamma and Weibull may be 0.001 ..
 * 1000.
 *  @return NULL, or why it cannot be drawn from (a static sentence fragment such as "cv too small: use constant"). */
const char *model_distribution_prepare(struct model_distribution *distribution);

/** Quantile at @p u in (0, 1), clamped to [min, max]. Always finite, and never falls as u rises (gamma: to within the
 *  1e-7 or so of GSL's own iteration). */
double model_distribution_quantile(const struct model_distribution *distribution, double u);

/** Mean, clamps included: exact where no clamp bites and the mean is finite, otherwise the average of the quantile over
 *  20,000 midpoints (a load sheet's precision). */
double model_distribution_mean(const struct model_distribution *distribution);

/** A distribution that always gives @p value. */
struct model_distribution model_constant(double value);

/** Seconds as whole ns, rounded half up; negative counts as 0, more than 292 years as INT64_MAX. */
int64_t model_ns(double seconds);

#endif
