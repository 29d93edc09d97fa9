/** One figure of one replication: the columns of replications.csv, and what pairing needs. */
#ifndef SIM_REPLICATED_H
#define SIM_REPLICATED_H

#include "../measure/figures.h"
#include "../measure/outcome.h"

/** Tenants up to which replications.csv lists their figures: enough to pair, short of filling disks. */
enum { SIM_REPLICATED_TENANTS_MAX = 100 };

/** How many of @p figures are listed by replication: all, or, with many tenants, those of no tenant. */
size_t sim_replicated_count(const struct sim_figures *figures, size_t tenant_count);

struct sim_replicated {
    double value;  /**< NAN: does not exist; INFINITY: among jobs that failed or never finished */
    double weight; /**< denominator of a ratio (whose numerator is `value`), number of jobs of a time; else 1 */
    double below;  /**< quantiles: jobs at or below `pooled`; else NAN */
};

/** @p pooled: the figure over all replications, NAN: null. Ratios and means of times come as sums. */
struct sim_replicated sim_replicated_figure(const struct sim_figure *figure, const struct sim_outcome *outcome,
                                            double pooled);

#endif
