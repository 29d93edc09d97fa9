/* Exploration and successive halving. */
#include "stages.h"

#include "../memory.h"
#include "space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points in a row that are forbidden or known before the space counts as exhausted. */
enum { TRIES = 2000 };

static bool is_known(const struct sim_tune *tune, const struct sim_candidate *candidate) {
    for (size_t i = 0; i < tune->count; i++)
        if (strcmp(tune->candidates[i]->hash, candidate->hash) == 0)
            return true;
    return false;
}

static bool same_values(const struct sim_tune *tune, const char *const *values) {
    for (size_t i = 1; i < tune->count; i++) {
        size_t a = 0;
        while (a < tune->study->axis_count &&
               (values[a] == tune->candidates[i]->values[a] ||
                (values[a] != NULL && strcmp(values[a], tune->candidates[i]->values[a]) == 0)))
            a++;
        if (a == tune->study->axis_count)
            return true;
    }
    return false;
}

/* Add the point unless its scenario is a known one: by its texts, which is quick, then by its hash. */
static bool add(struct sim_tune *tune, const char *const *values, bool *ret_added, struct sim_located_error *error) {
    *ret_added = false;
    if (same_values(tune, values))
        return true;
    struct sim_candidate *candidate = sim_candidate_create(&tune->bench, tune->count, values, error);
    if (candidate == NULL) {
        tune->bad_study = true;
        return false;
    }
    *ret_added = !is_known(tune, candidate);
    if (*ret_added)
        tune->candidates[tune->count++] = candidate;
    else
        sim_candidate_destroy(candidate);
    return true;
}

bool sim_tune_explore(struct sim_tune *tune, struct sim_located_error *error) {
    const struct sim_study *study = tune->study;
    tune->points = study->points > 0 ? study->points : SIM_TUNE_POINTS;
    tune->candidates = sim_realloc(tune->candidates, tune->points, sizeof *tune->candidates);
    struct sim_sobol *sobol = sim_sobol_create(study, tune->screening.kept);
    const char **values = sim_memory_take(tune->bench.memory, study->axis_count, sizeof *values);
    bool good = true, found = true;
    for (size_t misses = 0; good && found && tune->count < tune->points && misses < TRIES;) {
        bool added = false;
        good = sim_sobol_next(sobol, TRIES, tune->bench.memory, values, &found, error) &&
               (!found || add(tune, values, &added, error));
        misses = added ? 0 : misses + 1;
    }
    sim_sobol_destroy(sobol);
    return good;
}

/* ---- halving ---- */

static struct sim_entry entry_of(const struct sim_tune *tune, const struct sim_candidate *candidate, uint32_t count) {
    struct sim_entry entry = {.candidate = candidate->number, .excess = INFINITY, .figure = {NAN, NAN, NAN, NAN}};
    if (candidate->failure != NULL)
        return entry;
    entry.figure = sim_tune_mean(tune, candidate, SIM_SEARCH, count);
    entry.excess = sim_excess(&tune->goal, sim_candidate_outcomes(candidate, SIM_SEARCH),
                              sim_candidate_outcomes(tune->candidates[0], SIM_SEARCH), count, false, &entry.rule);
    return entry;
}

/* Entries of all in @p in, best first, all by the same replications. */
static void rank(const struct sim_tune *tune, struct sim_candidate *const *in, size_t count, uint32_t replications,
                 struct sim_entry *ret) {
    struct sim_standing *standings = sim_calloc(count, sizeof *standings);
    struct sim_entry *entries = sim_calloc(count, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        entries[i] = entry_of(tune, in[i], replications);
        double goal = isnan(entries[i].figure.value) ? (double)INFINITY : entries[i].figure.value;
        standings[i] = (struct sim_standing){.candidate = i, .excess = entries[i].excess, .objective = goal};
    }
    sim_standings_sort(standings, count);
    for (size_t i = 0; i < count; i++)
        ret[i] = entries[standings[i].candidate];
    free(entries);
    free(standings);
}

bool sim_tune_halve(struct sim_tune *tune, struct sim_tune_round *round, struct sim_candidate **in, size_t *count,
                    size_t keep, struct sim_located_error *error) {
    uint32_t replications = round->plan.replications;
    /* The baseline is ahead: throughput is held against it. */
    if (!sim_tune_replicate(tune, in, *count, SIM_SEARCH, replications, error))
        return false;
    round->count = *count;
    round->entries = sim_calloc(*count, sizeof *round->entries);
    rank(tune, in, *count, replications, round->entries);
    *count = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < round->count; i++) {
        struct sim_entry *entry = &round->entries[i];
        struct sim_candidate *candidate = tune->candidates[entry->candidate];
        bool good = candidate->failure == NULL && chosen < keep;
        chosen += good;
        entry->kept = good || entry->candidate == 0;
        if (entry->kept)
            in[(*count)++] = candidate;
    }
    return true;
}
