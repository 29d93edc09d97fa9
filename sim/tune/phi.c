#include "phi.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool sim_in_phi(const struct sim_slo *slo) {
    return slo->figure->kind == SIM_FIGURE_QUANTILE && !slo->at_least && slo->limit > 0;
}

/* A figure over some replications; the horizon for one among jobs that never completed; NAN: none. */
static double pooled_value(const struct sim_goal *goal, const struct sim_figure *figure,
                           const struct sim_outcome *const *outcomes, size_t count) {
    struct sim_estimate estimate = sim_estimate_figure(figure, outcomes, count, .95);
    return isnan(estimate.value) && !isnan(estimate.beyond) ? goal->horizon_s : estimate.value;
}

/* The same of one replication. */
static double own_value(const struct sim_goal *goal, const struct sim_figure *figure,
                        const struct sim_outcome *outcome) {
    double value, weight;
    sim_figure_of_replication(figure, outcome, &value, &weight);
    if (isinf(value))
        return goal->horizon_s;
    return figure->kind == SIM_FIGURE_RATIO || figure->kind == SIM_FIGURE_SAMPLE_MEAN ? value / weight : value;
}

double sim_phi(const struct sim_goal *goal, const struct sim_outcome *outcome) {
    const double least = 1e-9; /* no logarithm of 0 */
    double worst = NAN;
    for (size_t i = 0; i < goal->slo_count; i++)
        if (sim_in_phi(&goal->slos[i]))
            worst = fmax(worst, own_value(goal, goal->slos[i].figure, outcome) / goal->slos[i].limit);
    return isnan(worst) ? worst : log(fmax(worst, least));
}

double sim_goal_value(const struct sim_goal *goal, const struct sim_outcome *outcome) {
    if (goal->figure == NULL)
        return sim_phi(goal, outcome);
    assert(goal->scale > 0);
    double value = own_value(goal, goal->figure, outcome) / goal->scale;
    return goal->more ? -value : value;
}

static double excess_over(double value, double limit, bool at_least) {
    double excess = value > 0 && limit > 0 ? log(value / limit) : value - limit;
    return at_least ? -excess : excess;
}

double sim_slo_excess(const struct sim_goal *goal, const struct sim_outcome *outcome) {
    double worst = NAN;
    for (size_t i = 0; i < goal->slo_count; i++) {
        const struct sim_slo *slo = &goal->slos[i];
        worst = fmax(worst, excess_over(own_value(goal, slo->figure, outcome), slo->limit, slo->at_least));
    }
    return worst;
}

double sim_excess(const struct sim_goal *goal, const struct sim_outcome *const *outcomes,
                  const struct sim_outcome *const *baseline, size_t count, bool only_beside_phi, size_t *ret_rule) {
    double worst = -(double)INFINITY;
    size_t rule = 0;
    for (size_t i = 0; i <= goal->slo_count; i++) {
        double excess = NAN;
        if (i == goal->slo_count && baseline != NULL)
            excess = excess_over(pooled_value(goal, goal->throughput, outcomes, count),
                                 SIM_THROUGHPUT_SHARE * pooled_value(goal, goal->throughput, baseline, count), true);
        else if (i < goal->slo_count && !(only_beside_phi && sim_in_phi(&goal->slos[i])))
            excess = excess_over(pooled_value(goal, goal->slos[i].figure, outcomes, count), goal->slos[i].limit,
                                 goal->slos[i].at_least);
        if (excess > worst) {
            worst = excess;
            rule = i;
        }
    }
    if (ret_rule != NULL)
        *ret_rule = rule;
    return worst;
}

enum sim_verdict sim_throughput_judge(const struct sim_goal *goal, const struct sim_outcome *const *outcomes,
                                      const struct sim_outcome *const *baseline, size_t count, double level,
                                      struct sim_estimate *ret) {
    double *spare = sim_calloc(count, sizeof *spare);
    for (size_t r = 0; r < count; r++)
        spare[r] = own_value(goal, goal->throughput, outcomes[r]) -
                   SIM_THROUGHPUT_SHARE * own_value(goal, goal->throughput, baseline[r]);
    *ret = sim_estimate_mean(spare, count, level);
    free(spare);
    return ret->lo >= 0 ? SIM_PASS : ret->hi < 0 ? SIM_FAIL : SIM_INCONCLUSIVE;
}
