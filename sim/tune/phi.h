/** What tuning makes small, and the rules that a configuration has to keep.
 *
 *  phi of a replication = ln of the largest, over all SLOs "TIME.QUANTILE <= LIMIT", of the replication's own quantile to
 *  the limit: 0 at the limit, -0.69 at half of it. It is taken replication by replication. A quantile that lies among
 *  jobs which never completed counts as the horizon, duration + drain. Where a study names objectives, the first takes
 *  the place of phi: that figure of the replication, in units of the baseline's mean, negative when more is better; so a
 *  step of 0.05 is a twentieth in either case.
 *
 *  Rules are the SLOs, and that throughput is at least 99 % of the baseline's. The excess over a rule is how far beyond
 *  the limit a figure lies, ln(figure / limit) or ln(limit / figure), and the plain difference where one of both is not
 *  over 0; at most 0 when the rule is kept. */
#ifndef SIM_PHI_H
#define SIM_PHI_H

#include "../measure/figures.h"
#include "../measure/outcome.h"
#include "../stats/estimate.h"

#include <stdbool.h>
#include <stddef.h>

/** Share of the baseline's throughput that a configuration must reach. */
#define SIM_THROUGHPUT_SHARE .99

/** All borrowed. */
struct sim_goal {
    const struct sim_slo *slos;
    size_t slo_count;
    const struct sim_figure *figure;     /**< takes the place of phi; NULL: phi */
    bool more;                           /**< of that figure, more is better */
    double scale;                        /**< of that figure: the baseline's mean, its sign dropped; over 0 */
    const struct sim_figure *throughput; /**< throughput.jobs_per_s */
    double horizon_s;
};

/** Does @p slo take part in phi: a quantile of times with an upper limit over 0? */
bool sim_in_phi(const struct sim_slo *slo);

/** phi of one replication; NAN when none of the SLOs in it has a job. */
double sim_phi(const struct sim_goal *goal, const struct sim_outcome *outcome);

/** What is minimised, of one replication; NAN: does not exist. */
double sim_goal_value(const struct sim_goal *goal, const struct sim_outcome *outcome);

/** Largest excess over any SLO in one replication, each figure the replication's own; NAN when none has a value. */
double sim_slo_excess(const struct sim_goal *goal, const struct sim_outcome *outcome);

/** Largest excess over any rule of @p count replications together, throughput against that of @p baseline (the same
 *  replications; NULL: not looked at). Figures without a value break no rule. @p only_beside_phi: leaves out the SLOs in
 *  phi. *ret_rule (NULL: not wanted): which rule, an SLO's number or slo_count for throughput.
 *  @return -INFINITY when there is no rule to look at. */
double sim_excess(const struct sim_goal *goal, const struct sim_outcome *const *outcomes,
                  const struct sim_outcome *const *baseline, size_t count, bool only_beside_phi, size_t *ret_rule);

/** Is throughput at least its share of the baseline's, at @p level? *ret: the interval of throughput less that share. */
enum sim_verdict sim_throughput_judge(const struct sim_goal *goal, const struct sim_outcome *const *outcomes,
                                      const struct sim_outcome *const *baseline, size_t count, double level,
                                      struct sim_estimate *ret);

#endif
