/* The best of the finalists, by KN on replications that the search has not seen. */
#include "stages.h"

#include "../memory.h"
#include "normality.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Replications fetched at once for those still in: a fixed number, so that threads do not show. */
enum { AHEAD = 10 };

/* Does the candidate keep all rules with confidence, by the replications of the search? */
static bool is_sure(const struct sim_tune *tune, const struct sim_candidate *candidate) {
    const struct sim_outcome *const *outcomes = sim_candidate_outcomes(candidate, SIM_SEARCH);
    const struct sim_outcome *const *baseline = sim_candidate_outcomes(tune->candidates[0], SIM_SEARCH);
    size_t count = candidate->trials[SIM_SEARCH].count, rules = tune->slo_count + 1;
    struct sim_estimate spare;
    for (size_t i = 0; i < tune->slo_count; i++)
        if (sim_slo_judge(&tune->slos[i], i, rules, outcomes, count).verdict != SIM_PASS)
            return false;
    return sim_throughput_judge(&tune->goal, outcomes, baseline, count, 1 - .05 / (double)rules, &spare) == SIM_PASS;
}

enum { ALL, BY_ESTIMATE, SURE };

static bool fits(const struct sim_tune *tune, const struct sim_candidate *candidate, int demand) {
    size_t round;
    if (demand == SURE)
        return is_sure(tune, candidate);
    return demand == ALL || sim_tune_entry(tune, candidate->number, &round)->excess <= 0;
}

/* Those that keep the rules with confidence; where there is none, those that seem to; where there is none, all. */
static void pick_finalists(struct sim_tune *tune, struct sim_candidate **in, size_t count) {
    struct sim_selection *selection = &tune->selection;
    selection->finalists = sim_calloc(count, sizeof *selection->finalists);
    for (int demand = SURE; demand >= ALL && selection->count == 0; demand--) {
        for (size_t i = 0; i < count && selection->count < SIM_TUNE_FINALISTS; i++)
            if (fits(tune, in[i], demand))
                selection->finalists[selection->count++].candidate = in[i]->number;
        selection->sure = demand == SURE;
        selection->by_excess = demand == ALL;
    }
}

static double response(const struct sim_tune *tune, const struct sim_candidate *candidate, uint32_t replication) {
    const struct sim_outcome *outcome = candidate->trials[SIM_SELECTION].outcomes[replication - 1];
    return tune->selection.by_excess ? sim_slo_excess(&tune->goal, outcome) : sim_goal_value(&tune->goal, outcome);
}

/* The finalists still in get @p until replications. */
static bool fetch(struct sim_tune *tune, uint32_t until, struct sim_located_error *error) {
    struct sim_selection *selection = &tune->selection;
    struct sim_candidate *in[SIM_TUNE_FINALISTS];
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++)
        if (selection->kn.in[i])
            in[count++] = tune->candidates[selection->finalists[i].candidate];
    return sim_tune_require(tune, in, count, SIM_SELECTION, until, error);
}

static void observe(struct sim_tune *tune) {
    struct sim_selection *selection = &tune->selection;
    uint32_t replication = selection->kn.observations + 1;
    double values[SIM_TUNE_FINALISTS] = {0};
    for (size_t i = 0; i < selection->count; i++)
        if (selection->kn.in[i])
            values[i] = response(tune, tune->candidates[selection->finalists[i].candidate], replication);
    sim_kn_observe(&selection->kn, values);
}

static bool run_kn(struct sim_tune *tune, struct sim_located_error *error) {
    struct sim_selection *selection = &tune->selection;
    struct sim_kn *kn = &selection->kn;
    sim_kn_init(kn, selection->count, SIM_TUNE_FIRST, SIM_TUNE_ALPHA, SIM_TUNE_DELTA);
    for (uint32_t until = SIM_TUNE_FIRST; !sim_kn_done(kn) && kn->observations < SIM_TUNE_OBSERVATIONS;
         until += AHEAD) {
        if (!fetch(tune, until, error))
            return false;
        while (!sim_kn_done(kn) && kn->observations < until)
            observe(tune);
    }
    selection->end = sim_kn_done(kn) ? SIM_SELECTION_CHOSEN : SIM_SELECTION_BROKEN;
    selection->winner = selection->finalists[sim_kn_best(kn)].candidate;
    return true;
}

static void describe(struct sim_tune *tune, size_t index) {
    struct sim_selection *selection = &tune->selection;
    struct sim_finalist *finalist = &selection->finalists[index];
    uint32_t left_at = selection->kn.left_at[index];
    finalist->left = left_at > 0;
    finalist->observations = finalist->left ? left_at : selection->kn.observations;
    double *values = sim_calloc(finalist->observations, sizeof *values);
    for (uint32_t r = 0; r < finalist->observations; r++)
        values[r] = response(tune, tune->candidates[finalist->candidate], r + 1);
    finalist->figure = sim_estimate_mean(values, finalist->observations, .95);
    finalist->skewness = sim_skewness(values, finalist->observations);
    /* An objective is a figure already; phi and excess are logarithms of one. */
    for (uint32_t r = 0; r < finalist->observations && (selection->by_excess || tune->goal.figure == NULL); r++)
        values[r] = exp(values[r]);
    finalist->variation = sim_variation(values, finalist->observations);
    free(values);
}

bool sim_tune_select(struct sim_tune *tune, struct sim_candidate **in, size_t count, struct sim_located_error *error) {
    struct sim_selection *selection = &tune->selection;
    pick_finalists(tune, in, count);
    assert(selection->count > 0);
    if (selection->count == 1) {
        selection->winner = selection->finalists[0].candidate;
        size_t round;
        selection->finalists[0].figure = sim_tune_entry(tune, selection->winner, &round)->figure;
        selection->finalists[0].skewness = selection->finalists[0].variation = NAN;
        return true;
    }
    if (!run_kn(tune, error))
        return false;
    for (size_t i = 0; i < selection->count; i++)
        describe(tune, i);
    return true;
}
