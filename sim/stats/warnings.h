/** What a reader of the figures should know before believing them, in sentences. */
#ifndef SIM_WARNINGS_H
#define SIM_WARNINGS_H

#include "../measure/figures.h"
#include "../measure/outcome.h"

struct sim_warnings_input {
    const struct sim_figures *figures;
    const struct sim_slo *slos;
    size_t slo_count;
    const struct sim_figure *precision;        /**< the figure asked for by precision; NULL: none */
    const struct sim_outcome *const *outcomes; /**< in order of replication */
    size_t count;
    double warmup_s;
    double duration_s; /**< end of arrivals: the backlog is watched until then */
};

/** Warn of: a single replication; p99s that vary by more than 15 % between replications; classes with too few jobs for
 * the quantile that an SLO or `precision` asks for; failed jobs near or over 1 % of a class, which decide its p99; a backlog that
 * grows through the run; violated invariants. docs/statistics.md derives the thresholds. *ret: array of *ret_count
 * sentences without a final full stop, array and each sentence malloc'ed (sim_warnings_free()). */
void sim_warnings_collect(const struct sim_warnings_input *input, char ***ret, size_t *ret_count);

/** Accepts NULL. */
void sim_warnings_free(char **warnings, size_t count);

/** Fewest jobs with which "quantile @p p <= limit" can pass at all, with none of them over the limit, at two-sided
 *  confidence @p level: the least n with p^n <= (1 - level) / 2. It is also where the order-statistic interval of the
 *  quantile gets an upper end. 368 for p99 at 95 %. */
double sim_jobs_for_quantile(double p, double level);

#endif
