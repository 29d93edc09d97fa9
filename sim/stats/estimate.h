/** Estimates over replications, each with its interval. Replications are the sampling unit; formulas and sources are in
 *  docs/statistics.md. NAN stands for null throughout. */
#ifndef SIM_ESTIMATE_H
#define SIM_ESTIMATE_H

#include "../measure/figures.h"
#include "../measure/outcome.h"

struct sim_estimate {
    double value;
    double lo, hi;
    double beyond; /**< a quantile among failed or censored jobs: the time it certainly exceeds; else NAN */
};

/** Student t interval of the mean of the values that are not NAN. level: 0.95 for a 95 % interval. */
struct sim_estimate sim_estimate_mean(const double *values, size_t count, double level);

/** As mean, but the interval is taken on ln CV^2 where J = 1 / (1 + CV^2) and carried back, so that it stays within (0,
 * 1]. */
struct sim_estimate sim_estimate_jain(const double *values, size_t count, double level);

/** Summed numerator over summed denominator with the ratio estimator's t interval. Null when the denominator is 0. */
struct sim_estimate sim_estimate_ratio(const double *numerators, const double *denominators, size_t count,
                                       double level);

/** Quantile @p p of the pooled samples. Interval: sectioning where every replication has at least 1 / (1 - p) jobs and
 * none of their quantiles lies beyond; otherwise the pooled sample read at p +- t s, s the standard error over
 * replications of the share at or below the estimate, not below the binomial one. */
struct sim_estimate sim_estimate_quantile(const struct sim_sample *const *samples, size_t count, double p, bool served,
                                          double level);

/** The same with the union of @p samples at hand. */
struct sim_estimate sim_estimate_pooled_quantile(const struct sim_sample *pooled,
                                                 const struct sim_sample *const *samples, size_t count, double p,
                                                 bool served, double level);

/** Share of jobs over a limit: pooled, ratio estimator, never tighter than Clopper-Pearson of the pooled counts. */
struct sim_estimate sim_estimate_exceedance(const uint64_t *over, const uint64_t *jobs, size_t count, double level);

/** Any figure, by its kind, over @p count outcomes in order of replication number. */
struct sim_estimate sim_estimate_figure(const struct sim_figure *figure, const struct sim_outcome *const *outcomes,
                                        size_t count, double level);

/** All of @p figures into @p ret, one estimate a row. The same as one by one, but samples are pooled once for all their
 *  quantiles: with thousands of tenants that is most of the time. */
void sim_estimate_figures(const struct sim_figures *figures, const struct sim_outcome *const *outcomes, size_t count,
                          double level, struct sim_estimate *ret);

enum sim_verdict { SIM_PASS, SIM_FAIL, SIM_INCONCLUSIVE };

struct sim_slo_result {
    enum sim_verdict verdict;
    struct sim_estimate figure;     /**< the figure itself, 95 % */
    struct sim_estimate exceedance; /**< quantile SLOs: share of jobs over the limit at the adjusted level; else NAN */
    double allowed;                 /**< quantile SLOs: 1 - p */
    double level;                   /**< confidence of the verdict: 1 - .05 / k */
    const char *why;                /**< static words for an inconclusive verdict */
};

/** Judge SLO number @p index of @p slo_count (Bonferroni over them). */
struct sim_slo_result sim_slo_judge(const struct sim_slo *slo, size_t index, size_t slo_count,
                                    const struct sim_outcome *const *outcomes, size_t count);

#endif
