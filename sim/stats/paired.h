/** Differences between two configurations that ran under common random numbers, figure by figure.
 *
 *  Replication r of both sides drew the same work, so what they have in common cancels in the difference of that pair;
 *  every interval here rests on the spread of such differences. How each kind of figure is paired, with sources, is in
 *  docs/compare.md. Pure: numbers in, numbers out. NAN stands for null throughout. */
#ifndef SIM_PAIRED_H
#define SIM_PAIRED_H

#include "estimate.h"

#include <stddef.h>

/** One figure of one side, by replication: the columns of replications.csv. */
struct sim_side {
    const double *value;        /**< value, numerator of a ratio, or a quantile of the replication's own; NAN: none */
    const double *weight;       /**< denominator of a ratio, or number of jobs; else 1 */
    const double *below;        /**< quantiles: jobs at or below `pooled.value`; else unused, may be NULL */
    struct sim_estimate pooled; /**< quantiles, sample means and maxima: the figure over all replications, 95 % */
};

/** Side B less side A. */
struct sim_paired {
    double a, b;               /**< the figure of each side; of maxima the mean over replications; NAN: null */
    double a_beyond, b_beyond; /**< of a null quantile: the time that it certainly exceeds; else NAN */
    double difference;         /**< b - a; null when a side is */
    double lo, hi;             /**< its interval; an end is null where nothing bounds it */
    double relative;           /**< difference / |a|; null for a = 0 */
    double p;                  /**< two-sided, of "no difference" */
    size_t pairs;              /**< replications it rests on */
};

/** Compare one figure over @p count replications. @p kind and @p quantile (its p) are those of the figure. Quantiles need
 *  @p level 0.95, the level of their pooled intervals. */
struct sim_paired sim_paired_difference(enum sim_figure_kind kind, double quantile, const struct sim_side *a,
                                        const struct sim_side *b, size_t count, double level);

/** Holm's adjustment of @p count p-values that are looked at together: each adjusted one may be held against the level
 *  by itself, and all such verdicts hold together (S. Holm, Scandinavian Journal of Statistics 6, 1979). Null stays null
 *  and is not counted. */
void sim_holm(const double *p, size_t count, double *ret);

/** Is the change past @p threshold >= 0 (in the figure's unit)? @p rise: a rise is bad, else a fall. Exactly: FAIL when
 *  the lower end of the change is over 0 and its estimate over the threshold; PASS when the upper end is at most the
 *  threshold, or the lower end is at most 0 and the half-width under the threshold; otherwise INCONCLUSIVE.
 *  A null side loses: FAIL when B is null, and PASS when only A is and lies beyond every finished job of its own; for a
 *  fall, or with no jobs in A at all, INCONCLUSIVE then. *ret_why: static words when a null decided, else NULL. */
enum sim_verdict sim_paired_judge(const struct sim_paired *paired, bool rise, double threshold, const char **ret_why);

#endif
