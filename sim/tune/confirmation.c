/* Winner against baseline on replications that neither search nor selection has seen, and the verdict. */
#include "stages.h"

#include "../memory.h"
#include "../stats/replicated.h"

#include <math.h>
#include <stdlib.h>

static enum sim_verdict worse(enum sim_verdict a, enum sim_verdict b) {
    if (a == SIM_FAIL || b == SIM_FAIL)
        return SIM_FAIL;
    return a == SIM_INCONCLUSIVE || b == SIM_INCONCLUSIVE ? SIM_INCONCLUSIVE : SIM_PASS;
}

static void judge(const struct sim_tune *tune, const struct sim_candidate *candidate, struct sim_confirmed *ret) {
    const struct sim_outcome *const *outcomes = sim_candidate_outcomes(candidate, SIM_CONFIRMATION);
    const struct sim_outcome *const *baseline = sim_candidate_outcomes(tune->candidates[0], SIM_CONFIRMATION);
    size_t count = candidate->trials[SIM_CONFIRMATION].count, rules = tune->slo_count + 1;
    ret->figure = sim_tune_mean(tune, candidate, SIM_CONFIRMATION, (uint32_t)count);
    ret->excess = sim_excess(&tune->goal, outcomes, baseline, count, false, &ret->rule);
    ret->throughput =
        sim_throughput_judge(&tune->goal, outcomes, baseline, count, 1 - .05 / (double)rules, &ret->throughput_spare);
    ret->verdict = ret->throughput;
    ret->slos = sim_calloc(tune->slo_count, sizeof *ret->slos);
    for (size_t i = 0; i < tune->slo_count; i++) {
        ret->slos[i] = sim_slo_judge(&tune->slos[i], i, rules, outcomes, count);
        ret->verdict = worse(ret->verdict, ret->slos[i].verdict);
    }
}

static struct sim_estimate difference(const struct sim_tune *tune, const struct sim_candidate *winner) {
    const struct sim_outcome *const *a = sim_candidate_outcomes(tune->candidates[0], SIM_CONFIRMATION);
    const struct sim_outcome *const *b = sim_candidate_outcomes(winner, SIM_CONFIRMATION);
    size_t count = winner->trials[SIM_CONFIRMATION].count;
    double *values = sim_calloc(count, sizeof *values);
    for (size_t r = 0; r < count; r++)
        values[r] = sim_goal_value(&tune->goal, b[r]) - sim_goal_value(&tune->goal, a[r]);
    struct sim_estimate estimate = sim_estimate_mean(values, count, .95);
    free(values);
    return estimate;
}

/* One figure of one side, ready to be paired; *ret_memory is to be freed. */
static struct sim_side side_of(const struct sim_tune *tune, size_t slo, const struct sim_candidate *candidate,
                               const struct sim_confirmed *confirmed, double **ret_memory) {
    const struct sim_outcome *const *outcomes = sim_candidate_outcomes(candidate, SIM_CONFIRMATION);
    size_t count = candidate->trials[SIM_CONFIRMATION].count;
    double *value = sim_calloc(3 * count, sizeof *value), *weight = value + count, *below = weight + count;
    for (size_t r = 0; r < count; r++) {
        struct sim_replicated one =
            sim_replicated_figure(tune->slos[slo].figure, outcomes[r], confirmed->slos[slo].figure.value);
        value[r] = one.value;
        weight[r] = one.weight;
        below[r] = one.below;
    }
    *ret_memory = value;
    return (struct sim_side){value, weight, below, confirmed->slos[slo].figure};
}

static void pair_figures(struct sim_tune *tune, const struct sim_candidate *winner) {
    struct sim_confirmation *confirmation = &tune->confirmation;
    confirmation->figures = sim_calloc(tune->slo_count, sizeof *confirmation->figures);
    for (size_t i = 0; i < tune->slo_count; i++) {
        const struct sim_figure *figure = tune->slos[i].figure;
        double *memory[2];
        struct sim_side a = side_of(tune, i, tune->candidates[0], &confirmation->baseline, &memory[0]);
        struct sim_side b = side_of(tune, i, winner, &confirmation->winner, &memory[1]);
        confirmation->figures[i] =
            sim_paired_difference(figure->kind, figure->p, &a, &b, confirmation->replications, .95);
        free(memory[0]);
        free(memory[1]);
    }
}

/* ---- verdict ---- */

static void decide(struct sim_tune *tune, enum sim_tune_verdict verdict, const char *why) {
    tune->verdict = verdict;
    tune->why = why;
}

static void decide_for_baseline(struct sim_tune *tune) {
    enum sim_verdict baseline = tune->confirmation.baseline.verdict;
    if (baseline == SIM_PASS)
        decide(tune, SIM_TUNE_NO_BETTER, "the scenario's own values came out best, and keep every rule");
    else if (baseline == SIM_FAIL && tune->selection.by_excess)
        decide(tune, SIM_TUNE_NOTHING,
               "nothing that was tried keeps every rule; the scenario's own values come nearest");
    else
        decide(tune, SIM_TUNE_INCONCLUSIVE,
               "the scenario's own values came out best, but whether they keep every rule could not be told");
}

static void decide_for_winner(struct sim_tune *tune) {
    const struct sim_confirmation *confirmation = &tune->confirmation;
    enum sim_verdict baseline = confirmation->baseline.verdict, winner = confirmation->winner.verdict;
    if (winner == SIM_PASS && baseline != SIM_PASS)
        decide(tune, SIM_TUNE_RECOMMENDED,
               baseline == SIM_FAIL
                   ? "it keeps every rule on fresh replications, which the scenario's own values do not"
                   : "it keeps every rule on fresh replications, which of the scenario's own values "
                     "cannot be told");
    else if (winner == SIM_PASS && confirmation->difference.hi < 0)
        decide(tune, SIM_TUNE_RECOMMENDED,
               "it keeps every rule and is better than the scenario's own values on fresh replications");
    else if (baseline == SIM_PASS)
        decide(tune, SIM_TUNE_NO_BETTER,
               winner == SIM_PASS ? "the scenario's own values keep every rule, and the difference to the best found "
                                    "may be none"
                                  : "the scenario's own values keep every rule, which of the best found could not be "
                                    "confirmed on fresh replications");
    else if (winner == SIM_FAIL && baseline == SIM_FAIL && tune->selection.by_excess)
        decide(tune, SIM_TUNE_NOTHING, "nothing that was tried keeps every rule");
    else
        decide(tune, SIM_TUNE_INCONCLUSIVE,
               "whether the best found keeps every rule could not be told on fresh replications");
}

bool sim_tune_confirm(struct sim_tune *tune, struct sim_located_error *error) {
    struct sim_confirmation *confirmation = &tune->confirmation;
    struct sim_candidate *pair[2] = {tune->candidates[0], tune->candidates[tune->selection.winner]};
    size_t count = tune->selection.winner == 0 ? 1 : 2;
    confirmation->replications =
        tune->study->repeat > SIM_TUNE_CONFIRM_MIN ? tune->study->repeat : SIM_TUNE_CONFIRM_MIN;
    if (!sim_tune_require(tune, pair, count, SIM_CONFIRMATION, confirmation->replications, error))
        return false;
    judge(tune, pair[0], &confirmation->baseline);
    judge(tune, pair[count - 1], &confirmation->winner);
    confirmation->difference = difference(tune, pair[count - 1]);
    pair_figures(tune, pair[count - 1]);
    if (count == 1)
        decide_for_baseline(tune);
    else
        decide_for_winner(tune);
    return true;
}
