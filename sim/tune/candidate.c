#include "candidate.h"

#include "../../models/streams.h"
#include "../memory.h"
#include "../study/execute.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint64_t sim_block_seed(uint64_t seed, enum sim_block block) {
    const struct model_streams streams = {.seed = seed};
    return block == SIM_SEARCH ? seed : model_bits(&streams, 0, (uint32_t)block, MODEL_SEED, 0);
}

struct sim_candidate *sim_candidate_create(const struct sim_bench *bench, size_t number, const char *const *values,
                                           struct sim_located_error *error) {
    size_t axes = bench->study->axis_count;
    struct sim_scenario *scenario = sim_study_scenario(bench->study, values, error);
    if (scenario == NULL)
        return NULL;
    struct sim_candidate *candidate = sim_calloc(1, sizeof *candidate);
    candidate->number = number;
    candidate->values = sim_calloc(axes, sizeof *candidate->values);
    memcpy(candidate->values, values, axes * sizeof *values);
    memcpy(candidate->hash, scenario->hash, sizeof candidate->hash);
    candidate->warmup_s = (double)scenario->warmup_ns / 1e9;
    sim_scenario_destroy(scenario);
    return candidate;
}

void sim_candidate_forget(struct sim_candidate *candidate, enum sim_block block) {
    struct sim_trials *trials = &candidate->trials[block];
    for (uint32_t r = 0; r < trials->count; r++)
        sim_outcome_destroy(trials->outcomes[r]);
    free(trials->outcomes);
    *trials = (struct sim_trials){0};
}

void sim_candidate_destroy(struct sim_candidate *candidate) {
    if (candidate == NULL)
        return;
    for (int block = 0; block < SIM_BLOCKS; block++)
        sim_candidate_forget(candidate, (enum sim_block)block);
    free(candidate->values);
    free(candidate->failure);
    free(candidate);
}

const struct sim_outcome *const *sim_candidate_outcomes(const struct sim_candidate *candidate, enum sim_block block) {
    return (const struct sim_outcome *const *)candidate->trials[block].outcomes;
}

/* ---- running ---- */

/* One call of sim_candidates_run(). */
struct batch {
    const struct sim_bench *bench;
    struct sim_candidate *const *candidates;
    enum sim_block block;
    size_t done, total;
};

static struct sim_scenario *load(void *context, uint32_t index, struct sim_located_error *error) {
    const struct batch *batch = context;
    struct sim_scenario *scenario = sim_study_scenario(batch->bench->study, batch->candidates[index]->values, error);
    if (scenario == NULL)
        return NULL;
    scenario->seed = sim_block_seed(scenario->seed, batch->block);
    return scenario;
}

/* A thousand outcomes with the samples of every tenant would be gigabytes. */
static void strip(const struct sim_bench *bench, struct sim_outcome *outcome) {
    for (size_t i = 0; i < outcome->sample_count; i++)
        if (!bench->sample_wanted[i]) {
            sim_sample_finish(&outcome->samples[i]);
            outcome->samples[i] = sim_sample_merge(NULL, 0);
        }
    free(outcome->series.points);
    free(outcome->series.sojourns);
    outcome->series = (struct sim_series){0};
}

/* The failure of the lowest replication is the one that is told, whatever finished first. */
static void note_failure(struct sim_candidate *candidate, uint32_t replication, const struct sim_located_error *error) {
    char text[1024];
    if (candidate->failure != NULL && candidate->failed_replication < replication)
        return;
    free(candidate->failure);
    candidate->failure = sim_strdup(sim_error_text(error, text, sizeof text));
    candidate->failed_replication = replication;
}

static bool take(void *context, const struct sim_unit *unit, const struct sim_scenario *scenario,
                 const struct sim_figures *figures, struct sim_outcome *outcome, struct sim_located_error *error) {
    struct batch *batch = context;
    const struct sim_bench *bench = batch->bench;
    struct sim_candidate *candidate = batch->candidates[unit->configuration];
    (void)scenario;
    if (bench->stop != NULL && *bench->stop) {
        sim_outcome_destroy(outcome);
        return false;
    }
    if (figures->count != bench->figures->count) {
        sim_outcome_destroy(outcome);
        *error = (struct sim_located_error){0};
        sim_error_set(error, bench->study->file, 0, "vary",
                      "expected knobs that leave the tenants as they are: results of different tenants do not compare");
        return false;
    }
    if (outcome != NULL)
        strip(bench, outcome);
    else
        note_failure(candidate, unit->replication, error);
    candidate->trials[batch->block].outcomes[unit->replication - 1] = outcome;
    batch->done++;
    if (bench->progress != NULL)
        bench->progress(bench->progress_context, batch->done, batch->total);
    return true;
}

/* Room for the replications to come, and the list of them. */
static size_t plan(const struct batch *batch, size_t count, uint32_t replications, struct sim_unit *units) {
    size_t planned = 0;
    for (size_t i = 0; i < count; i++) {
        struct sim_trials *trials = &batch->candidates[i]->trials[batch->block];
        if (batch->candidates[i]->failure != NULL || trials->count >= replications)
            continue;
        if (units == NULL) {
            planned += replications - trials->count;
            continue;
        }
        trials->outcomes = sim_realloc(trials->outcomes, replications, sizeof *trials->outcomes);
        for (uint32_t r = trials->count; r < replications; r++) {
            trials->outcomes[r] = NULL;
            units[planned++] = (struct sim_unit){(uint32_t)i, r + 1};
        }
        trials->count = replications;
    }
    return planned;
}

bool sim_candidates_run(const struct sim_bench *bench, struct sim_candidate *const *candidates, size_t count,
                        enum sim_block block, uint32_t replications, struct sim_located_error *error) {
    struct batch batch = {.bench = bench, .candidates = candidates, .block = block};
    size_t total = plan(&batch, count, replications, NULL);
    struct sim_unit *units = sim_calloc(total, sizeof *units);
    plan(&batch, count, replications, units);
    batch.total = total;
    const struct sim_executor executor = {
        .load = load, .take = take, .context = &batch, .jobs = bench->jobs, .stop = bench->stop};
    bool good = sim_execute(units, total, &executor, error);
    free(units);
    /* What is not whole is of no use. */
    for (size_t i = 0; i < count; i++)
        if (!good || candidates[i]->failure != NULL)
            sim_candidate_forget(candidates[i], block);
    return good;
}
