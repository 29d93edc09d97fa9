#include "tune.h"

#include "../memory.h"
#include "stages.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what is minimised ---- */

static bool any_in_phi(const struct sim_tune *tune) {
    for (size_t i = 0; i < tune->slo_count; i++)
        if (sim_in_phi(&tune->slos[i]))
            return true;
    return false;
}

static bool set_goal(struct sim_tune *tune, struct sim_located_error *error) {
    const struct sim_study *study = tune->study;
    const struct sim_scenario *base = study->base;
    tune->goal = (struct sim_goal){.slos = tune->slos,
                                   .slo_count = tune->slo_count,
                                   .scale = 1,
                                   .throughput = sim_figures_find(tune->figures, "throughput.jobs_per_s"),
                                   .horizon_s = (double)(base->duration_ns + base->drain_ns) / 1e9};
    assert(tune->goal.throughput != NULL);
    tune->goal_name = "phi";
    if (study->objective_count > 0) {
        tune->goal.figure = sim_figures_find(tune->figures, study->objectives[0].figure);
        tune->goal.more = study->objectives[0].more;
        tune->goal_name = study->objectives[0].text;
        assert(tune->goal.figure != NULL);
        return true;
    }
    if (any_in_phi(tune))
        return true;
    sim_error_set(error, study->file, 0, "slo",
                  "nothing to minimise: expected an SLO such as \"critical.latency.p99 <= 2\" in the study or its "
                  "scenario, or an objective in \"objectives\"");
    return false;
}

static bool parse_slos(struct sim_tune *tune, struct sim_located_error *error) {
    const struct sim_study *study = tune->study;
    tune->slos = sim_calloc(study->slo_count, sizeof *tune->slos);
    tune->slo_count = study->slo_count;
    for (size_t i = 0; i < study->slo_count; i++)
        if (!sim_slo_parse(tune->figures, study->slo[i], &tune->slos[i], error))
            return false;
    return true;
}

/* ---- what is kept of outcomes ---- */

static void want(struct sim_tune *tune, const struct sim_figure *figure) {
    if (figure != NULL && figure->kind >= SIM_FIGURE_SAMPLE_MEAN)
        tune->bench.sample_wanted[figure->sample] = true;
}

static void want_samples(struct sim_tune *tune) {
    const struct sim_study *study = tune->study;
    size_t samples = 2 * (SIM_GROUP_TENANTS + (size_t)study->base->workload.tenant_count);
    tune->bench.sample_wanted = sim_calloc(samples, sizeof *tune->bench.sample_wanted);
    for (size_t i = 0; i < tune->slo_count; i++)
        want(tune, tune->slos[i].figure);
    for (size_t i = 0; i < study->objective_count; i++)
        want(tune, sim_figures_find(tune->figures, study->objectives[i].figure));
}

/* ---- replications ---- */

static void check_values(const struct sim_tune *tune, struct sim_candidate *candidate, enum sim_block block) {
    const struct sim_trials *trials = &candidate->trials[block];
    for (uint32_t r = 0; r < trials->count && candidate->failure == NULL; r++) {
        if (isfinite(sim_goal_value(&tune->goal, trials->outcomes[r])))
            continue;
        char text[200];
        snprintf(text, sizeof text, "replication %u: %.100s does not exist (no such jobs)", r + 1, tune->goal_name);
        candidate->failure = sim_strdup(text);
        candidate->failed_replication = r + 1;
    }
    if (candidate->failure != NULL)
        sim_candidate_forget(candidate, block);
}

static uint64_t count_trials(struct sim_candidate *const *candidates, size_t count, enum sim_block block) {
    uint64_t trials = 0;
    for (size_t i = 0; i < count; i++)
        trials += candidates[i]->trials[block].count;
    return trials;
}

bool sim_tune_replicate(struct sim_tune *tune, struct sim_candidate *const *candidates, size_t count,
                        enum sim_block block, uint32_t replications, struct sim_located_error *error) {
    uint64_t before = count_trials(candidates, count, block);
    if (!sim_candidates_run(&tune->bench, candidates, count, block, replications, error))
        return false;
    uint64_t after = count_trials(candidates, count, block);
    /* A candidate that failed gave up what it had. */
    tune->simulated += after > before ? after - before : 0;
    for (size_t i = 0; i < count; i++)
        check_values(tune, candidates[i], block);
    return true;
}

bool sim_tune_require(struct sim_tune *tune, struct sim_candidate *const *candidates, size_t count,
                      enum sim_block block, uint32_t replications, struct sim_located_error *error) {
    if (!sim_tune_replicate(tune, candidates, count, block, replications, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct sim_candidate *candidate = candidates[i];
        if (candidate->failure == NULL)
            continue;
        if (candidate->number == 0)
            sim_error_set(error, tune->study->scenario, 0, "", "the scenario as it is cannot be run: %s",
                          candidate->failure);
        else
            sim_error_set(error, tune->study->file, 0, "",
                          "candidate %zu, which is among the best, cannot be run on fresh replications: %s; exclude "
                          "such settings by a constraint",
                          candidate->number, candidate->failure);
        return false;
    }
    return true;
}

struct sim_estimate sim_tune_mean(const struct sim_tune *tune, const struct sim_candidate *candidate,
                                  enum sim_block block, uint32_t count) {
    const struct sim_trials *trials = &candidate->trials[block];
    double *values = sim_calloc(count, sizeof *values);
    assert(count <= trials->count);
    for (uint32_t r = 0; r < count; r++)
        values[r] = sim_goal_value(&tune->goal, trials->outcomes[r]);
    struct sim_estimate estimate = sim_estimate_mean(values, count, .95);
    free(values);
    return estimate;
}

/* ---- baseline ---- */

/* The unit of an objective is what the baseline has. */
static bool set_scale(struct sim_tune *tune, struct sim_located_error *error) {
    if (tune->goal.figure == NULL)
        return true;
    double mean = fabs(sim_tune_mean(tune, tune->candidates[0], SIM_SEARCH, SIM_HALVING_LAST).value);
    if (!(mean > 0)) {
        sim_error_set(error, tune->study->file, 0, "objectives.0",
                      "expected an objective that the baseline has over 0, found %s to be 0", tune->goal.figure->name);
        return false;
    }
    tune->goal.scale = mean;
    return true;
}

static bool run_baseline(struct sim_tune *tune, struct sim_located_error *error) {
    const struct sim_study *study = tune->study;
    const char **own = sim_memory_take(tune->bench.memory, study->axis_count, sizeof *own);
    tune->candidates = sim_calloc(1, sizeof *tune->candidates);
    tune->candidates[0] = sim_candidate_create(&tune->bench, 0, own, error);
    if (tune->candidates[0] == NULL)
        return false;
    tune->count = 1;
    return sim_tune_require(tune, tune->candidates, 1, SIM_SEARCH, SIM_HALVING_LAST, error) && set_scale(tune, error);
}

/* ---- all of it ---- */

static void tell(const struct sim_tune *tune, const struct sim_tune_options *options, enum sim_tune_stage stage) {
    if (options->stage != NULL)
        options->stage(options->context, tune, stage);
}

static bool search(struct sim_tune *tune, const struct sim_tune_options *options, struct sim_candidate **in,
                   size_t *count, struct sim_located_error *error) {
    struct sim_halving_round plan[SIM_HALVING_ROUNDS];
    size_t rounds = sim_halving_plan(tune->count, plan);
    for (size_t i = 0; i < tune->count; i++)
        in[i] = tune->candidates[i];
    *count = tune->count;
    for (size_t i = 0; i < rounds; i++) {
        tune->rounds[i].plan = plan[i];
        tune->round_count = i + 1;
        size_t keep = i + 1 < rounds ? plan[i + 1].candidates : SIM_HALVING_KEEP;
        if (!sim_tune_halve(tune, &tune->rounds[i], in, count, keep, error))
            return false;
        tell(tune, options, SIM_STAGE_ROUND);
    }
    return true;
}

struct sim_tune *sim_tune_create(const struct sim_study *study, struct sim_located_error *error) {
    struct sim_tune *tune = sim_calloc(1, sizeof *tune);
    tune->study = study;
    tune->figures = sim_figures_create(&study->base->workload);
    tune->bench = (struct sim_bench){.study = study, .figures = tune->figures, .memory = sim_memory_create()};
    if (parse_slos(tune, error) && set_goal(tune, error)) {
        want_samples(tune);
        return tune;
    }
    sim_tune_destroy(tune);
    return NULL;
}

bool sim_tune_run(struct sim_tune *tune, const struct sim_tune_options *options, struct sim_located_error *error) {
    tune->bench.jobs = options->jobs;
    tune->bench.stop = options->stop;
    tune->bench.progress = options->progress;
    tune->bench.progress_context = options->context;
    if (!run_baseline(tune, error) || !sim_tune_screen(tune, error))
        return false;
    tell(tune, options, SIM_STAGE_SCREENING);
    if (!sim_tune_explore(tune, error))
        return false;
    struct sim_candidate **in = sim_calloc(tune->count, sizeof(struct sim_candidate *));
    size_t count;
    bool good = search(tune, options, in, &count, error) && sim_tune_select(tune, in, count, error);
    free(in);
    if (!good)
        return false;
    tell(tune, options, SIM_STAGE_SELECTION);
    if (!sim_tune_confirm(tune, error))
        return false;
    tell(tune, options, SIM_STAGE_CONFIRMATION);
    return true;
}

static void finish_confirmation(struct sim_confirmation *confirmation) {
    free(confirmation->baseline.slos);
    free(confirmation->winner.slos);
    free(confirmation->figures);
}

void sim_tune_destroy(struct sim_tune *tune) {
    if (tune == NULL)
        return;
    for (size_t i = 0; i < tune->count; i++)
        sim_candidate_destroy(tune->candidates[i]);
    for (size_t i = 0; i < tune->round_count; i++)
        free(tune->rounds[i].entries);
    free(tune->candidates);
    free(tune->screening.effects);
    free(tune->screening.rules);
    free(tune->screening.kept);
    free(tune->selection.finalists);
    sim_kn_finish(&tune->selection.kn);
    finish_confirmation(&tune->confirmation);
    free(tune->bench.sample_wanted);
    sim_memory_destroy(tune->bench.memory);
    free(tune->slos);
    sim_figures_destroy(tune->figures);
    free(tune);
}

const struct sim_entry *sim_tune_entry(const struct sim_tune *tune, size_t candidate, size_t *ret_round) {
    for (size_t i = tune->round_count; i-- > 0;)
        for (size_t k = 0; k < tune->rounds[i].count; k++)
            if (tune->rounds[i].entries[k].candidate == candidate) {
                *ret_round = i;
                return &tune->rounds[i].entries[k];
            }
    return NULL;
}
