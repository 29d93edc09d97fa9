/** Distributions by inverse CDF: a draw is the quantile of one uniform, so that couplings stay monotone. */
#ifndef MODELS_DISTRIBUTION_H
#define MODELS_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

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
    double *x;       /**< percentiles: value of each knot > 0, rising; prepare() turns it into ln x. quantiles: values */
    double shape, scale; /**< derived by prepare(): gamma, weibull */
};

/** Derive what draws need. Call once, after the public fields are set and valid.
 *  @return NULL, or why it cannot be drawn from (a static sentence fragment such as "cv too small for a Weibull"). */
const char *model_distribution_prepare(struct model_distribution *distribution);

/** Quantile at @p u in (0, 1), clamped to [min, max]. Never NaN. */
double model_distribution_quantile(const struct model_distribution *distribution, double u);

/** Mean, clamps included: the average of the quantile over 20,000 midpoints (a load sheet's precision). */
double model_distribution_mean(const struct model_distribution *distribution);

/** A distribution that always gives @p value. */
struct model_distribution model_constant(double value);

#endif
