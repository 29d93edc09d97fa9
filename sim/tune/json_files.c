/* The JSON files of a tuning run. */
#include "files.h"

#include "../memory.h"
#include "../model_version.h"
#include "pareto.h"
#include "patch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TUNE_VERSION = 1, MANIFEST_VERSION = 1 };

/* ---- trees ---- */

static cJSON *made(cJSON *item) {
    if (item == NULL)
        sim_out_of_memory();
    return item;
}

static cJSON *object(void) {
    return made(cJSON_CreateObject());
}

static void put(cJSON *to, const char *key, cJSON *item) {
    cJSON_AddItemToObject(to, key, made(item));
}

static void put_number(cJSON *to, const char *key, double value) {
    put(to, key, cJSON_CreateNumber(value));
}

static void put_text(cJSON *to, const char *key, const char *text) {
    put(to, key, cJSON_CreateString(text));
}

static void put_truth(cJSON *to, const char *key, bool truth) {
    put(to, key, cJSON_CreateBool(truth));
}

/* 64 bits do not fit a JSON number. */
static void put_seed(cJSON *to, const char *key, uint64_t seed) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
    put_text(to, key, digits);
}

static cJSON *interval_of(const struct sim_estimate *estimate) {
    cJSON *item = object();
    put_number(item, "value", estimate->value);
    put_number(item, "lo", estimate->lo);
    put_number(item, "hi", estimate->hi);
    if (isnan(estimate->value) && isfinite(estimate->beyond))
        put_number(item, "beyond", estimate->beyond);
    return item;
}

static char *printed(cJSON *tree) {
    struct sim_text text = {0};
    sim_text_json_value(&text, tree, 0);
    sim_text_add(&text, "\n");
    cJSON_Delete(tree);
    char *bytes = sim_text_take(&text);
    if (bytes == NULL)
        sim_out_of_memory();
    return bytes;
}

/* ---- tune.json ---- */

static cJSON *candidate_of(const struct sim_tune *tune, size_t number) {
    const struct sim_candidate *candidate = tune->candidates[number];
    cJSON *item = object();
    put_number(item, "candidate", (double)number);
    put_text(item, "label", sim_study_label(tune->study, candidate->values, tune->bench.memory));
    put(item, "knobs", cJSON_Parse(sim_study_knobs(tune->study, candidate->values, tune->bench.memory)));
    put_text(item, "hash", candidate->hash);
    return item;
}

static cJSON *goal_of(const struct sim_tune *tune) {
    cJSON *item = object();
    put_text(item, "name", tune->goal_name);
    if (tune->goal.figure != NULL) {
        put_text(item, "figure", tune->goal.figure->name);
        put_truth(item, "more_is_better", tune->goal.more);
        put_number(item, "unit_is", tune->goal.scale);
    }
    put_number(item, "indifference", SIM_TUNE_DELTA);
    return item;
}

static cJSON *seeds_of(const struct sim_tune *tune) {
    uint64_t seed = tune->study->base->seed;
    cJSON *item = object();
    put_seed(item, "search", sim_block_seed(seed, SIM_SEARCH));
    put_seed(item, "selection", sim_block_seed(seed, SIM_SELECTION));
    put_seed(item, "confirmation", sim_block_seed(seed, SIM_CONFIRMATION));
    return item;
}

static cJSON *screening_of(const struct sim_tune *tune) {
    const struct sim_screening *screening = &tune->screening;
    cJSON *item = object(), *knobs = made(cJSON_CreateArray());
    put_number(item, "trajectories", (double)screening->trajectories);
    put_number(item, "replications", screening->replications);
    put_number(item, "freeze_below_share", SIM_TUNE_FREEZE);
    put_number(item, "freeze_below", SIM_TUNE_DELTA);
    for (size_t a = 0; a < tune->study->axis_count; a++) {
        const struct sim_axis *axis = &tune->study->axes[a];
        cJSON *knob = object();
        put_text(knob, "path", axis->path);
        if (screening->trajectories > 0) {
            put_number(knob, "mu_star", screening->effects[axis->dimension].mu_star);
            put_number(knob, "sigma", screening->effects[axis->dimension].sigma);
            put_number(knob, "rules_mu_star", screening->rules[axis->dimension].mu_star);
        }
        put_truth(knob, "kept", screening->kept[axis->dimension]);
        cJSON_AddItemToArray(knobs, knob);
    }
    put(item, "knobs", knobs);
    return item;
}

static cJSON *rounds_of(const struct sim_tune *tune) {
    cJSON *rounds = made(cJSON_CreateArray());
    for (size_t i = 0; i < tune->round_count; i++) {
        const struct sim_tune_round *round = &tune->rounds[i];
        size_t feasible = 0;
        for (size_t k = 0; k < round->count; k++)
            feasible += round->entries[k].excess <= 0;
        cJSON *item = object();
        put_number(item, "candidates", (double)round->count);
        put_number(item, "replications", round->plan.replications);
        put_number(item, "keep_all_rules", (double)feasible);
        put_number(item, "best", (double)round->entries[0].candidate);
        put(item, "best_value", interval_of(&round->entries[0].figure));
        cJSON_AddItemToArray(rounds, item);
    }
    return rounds;
}

static cJSON *finalists_of(const struct sim_tune *tune) {
    cJSON *list = made(cJSON_CreateArray());
    for (size_t i = 0; i < tune->selection.count; i++) {
        const struct sim_finalist *finalist = &tune->selection.finalists[i];
        cJSON *item = candidate_of(tune, finalist->candidate);
        put(item, "value", interval_of(&finalist->figure));
        put_number(item, "observations", finalist->observations);
        put_truth(item, "ruled_out", finalist->left);
        put_number(item, "skewness", finalist->skewness);
        put_number(item, "variation", finalist->variation);
        cJSON_AddItemToArray(list, item);
    }
    return list;
}

static cJSON *selection_of(const struct sim_tune *tune) {
    static const char *const ends[] = {"single_finalist", "chosen", "broken_off"};
    const struct sim_selection *selection = &tune->selection;
    struct sim_normality normality = sim_tune_normality(tune);
    char *guarantee = sim_tune_guarantee(tune);
    cJSON *item = object(), *check = object();
    put_text(item, "end", ends[selection->end]);
    put_text(item, "compared", selection->by_excess ? "largest excess over the SLOs" : tune->goal_name);
    put_text(item, "finalists_are",
             selection->sure        ? "those that keep every rule with confidence"
             : selection->by_excess ? "all survivors, since none seems to keep every rule"
                                    : "those that seem to keep every rule");
    put_number(item, "alpha", SIM_TUNE_ALPHA);
    put_number(item, "delta", SIM_TUNE_DELTA);
    put_number(item, "first", SIM_TUNE_FIRST);
    put_number(item, "winner", (double)selection->winner);
    put_text(item, "guarantee", guarantee);
    put_number(check, "skewness", normality.skewness);
    put_number(check, "skewness_limit", normality.skewness_limit);
    put_number(check, "variation", normality.variation);
    put_truth(check, "plausible", normality.plausible);
    put(item, "normality", check);
    put(item, "finalists", finalists_of(tune));
    free(guarantee);
    return item;
}

static cJSON *slos_of(const struct sim_tune *tune, const struct sim_confirmed *side) {
    cJSON *list = made(cJSON_CreateArray());
    for (size_t i = 0; i < tune->slo_count; i++) {
        struct sim_text text = {0};
        sim_json_add_slo(&text, &tune->slos[i], &side->slos[i]);
        char *json = sim_text_take(&text);
        cJSON_AddItemToArray(list, made(cJSON_Parse(json)));
        free(json);
    }
    return list;
}

static cJSON *metrics_of(const struct sim_tune *tune, size_t number) {
    static const char *const names[] = {"jain.service",
                                        "throughput.jobs_per_s",
                                        "throttles.total",
                                        "throttles.rate",
                                        "endpoint.rpm.utilisation",
                                        "endpoint.itpm.utilisation",
                                        "retries.recurrence",
                                        "endpoint.otpm.utilisation",
                                        "workers.busy",
                                        "workers.backoff",
                                        "demotions.count"};
    const struct sim_candidate *candidate = tune->candidates[number];
    cJSON *item = object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct sim_figure *figure = sim_figures_find(tune->figures, names[i]);
        struct sim_estimate estimate = sim_estimate_figure(figure, sim_candidate_outcomes(candidate, SIM_CONFIRMATION),
                                                           candidate->trials[SIM_CONFIRMATION].count, .95);
        cJSON *value = interval_of(&estimate);
        put_text(value, "unit", figure->unit);
        put(item, names[i], value);
    }
    return item;
}

static cJSON *binding_of(const struct sim_tune *tune, size_t number) {
    struct sim_binding binding = sim_tune_binding(tune, number);
    if (binding.words == NULL)
        return made(cJSON_CreateNull());
    cJSON *item = object();
    put_text(item, "limit", binding.words);
    put_number(item, "utilisation", binding.utilisation);
    put_number(item, "refusals", binding.throttles);
    put_number(item, "share_of_refusals", binding.share);
    return item;
}

static cJSON *confirmed_of(const struct sim_tune *tune, size_t number, const struct sim_confirmed *side) {
    cJSON *item = candidate_of(tune, number);
    put_text(item, "verdict", sim_verdict_word(side->verdict));
    put(item, "value", interval_of(&side->figure));
    put(item, "slo", slos_of(tune, side));
    put_text(item, "throughput", sim_verdict_word(side->throughput));
    put(item, "throughput_spare", interval_of(&side->throughput_spare));
    put_text(item, "tightest_rule", sim_tune_rule(tune, side->rule));
    put_number(item, "excess", side->excess);
    put(item, "binding", binding_of(tune, number));
    put(item, "metrics", metrics_of(tune, number));
    return item;
}

/* Winner less baseline, figure by figure; a figure that several SLOs are about stands there once. */
static cJSON *differences_of(const struct sim_tune *tune) {
    cJSON *item = object();
    for (size_t i = 0; i < tune->slo_count; i++) {
        const struct sim_paired *paired = &tune->confirmation.figures[i];
        const struct sim_estimate difference = {paired->difference, paired->lo, paired->hi, NAN};
        const char *name = tune->slos[i].figure->name;
        if (cJSON_GetObjectItemCaseSensitive(item, name) != NULL)
            continue;
        cJSON *value = interval_of(&difference);
        put_text(value, "unit", tune->slos[i].figure->unit);
        put(item, name, value);
    }
    return item;
}

static cJSON *confirmation_of(const struct sim_tune *tune) {
    const struct sim_confirmation *confirmation = &tune->confirmation;
    cJSON *item = object();
    put_number(item, "replications", confirmation->replications);
    put(item, "difference", interval_of(&confirmation->difference));
    put(item, "differences", differences_of(tune));
    put(item, "baseline", confirmed_of(tune, 0, &confirmation->baseline));
    put(item, "winner", confirmed_of(tune, tune->selection.winner, &confirmation->winner));
    return item;
}

static cJSON *pareto_of(const struct sim_tune *tune) {
    cJSON *list = made(cJSON_CreateArray());
    struct sim_pareto_row *rows;
    size_t count;
    sim_tune_pareto(tune, &rows, &count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].by == SIM_PARETO_NOBODY)
            cJSON_AddItemToArray(list, candidate_of(tune, rows[i].candidate));
    free(rows);
    return list;
}

char *sim_tune_json(const struct sim_tune *tune) {
    const struct sim_study *study = tune->study;
    bool recommended = tune->verdict == SIM_TUNE_RECOMMENDED;
    cJSON *tree = object();
    put_number(tree, "version", TUNE_VERSION);
    put_text(tree, "study", study->name);
    put_text(tree, "scenario", study->base->name);
    put_number(tree, "model_version", SIM_MODEL_VERSION);
    put(tree, "seeds", seeds_of(tune));
    put_number(tree, "warmup_s", tune->candidates[0]->warmup_s);
    put(tree, "goal", goal_of(tune));
    put_text(tree, "verdict", sim_tune_verdict_word(tune->verdict));
    put_text(tree, "why", tune->why);
    put(tree, "recommendation", recommended ? candidate_of(tune, tune->selection.winner) : cJSON_CreateNull());
    put_number(tree, "replications", (double)tune->simulated);
    put(tree, "screening", screening_of(tune));
    put_number(tree, "points", (double)tune->points);
    put_number(tree, "candidates", (double)tune->count);
    put(tree, "rounds", rounds_of(tune));
    put(tree, "selection", selection_of(tune));
    put(tree, "confirmation", confirmation_of(tune));
    put(tree, "pareto", pareto_of(tune));
    return printed(tree);
}

/* ---- recommended.json ---- */

char *sim_tune_recommended_json(const struct sim_tune *tune) {
    struct sim_located_error error = {0};
    bool recommended = tune->verdict == SIM_TUNE_RECOMMENDED;
    cJSON *tree = object();
    char comment[400];
    if (recommended)
        snprintf(comment, sizeof comment,
                 "Recommended by fairlane tune, study %.100s: for `run SCENARIO --set-file` this file, or with "
                 "\"extends\" added as a scenario of its own. tune.json has the evidence.",
                 tune->study->name);
    else
        snprintf(comment, sizeof comment,
                 "fairlane tune, study %.100s, recommends no change (%s: %s). tune.json has the evidence.",
                 tune->study->name, sim_tune_verdict_word(tune->verdict), tune->why);
    put_text(tree, "$comment", comment);
    cJSON *patch =
        recommended ? sim_patch_create(tune->study, tune->candidates[tune->selection.winner]->values, &error) : NULL;
    while (patch != NULL && patch->child != NULL) {
        cJSON *member = cJSON_DetachItemViaPointer(patch, patch->child);
        put(tree, member->string, member);
    }
    cJSON_Delete(patch);
    return printed(tree);
}

/* ---- manifest.json ---- */

static cJSON *texts_of(size_t count, const char *(*text)(const struct sim_study *study, size_t index),
                       const struct sim_study *study) {
    cJSON *list = made(cJSON_CreateArray());
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, made(cJSON_CreateString(text(study, i))));
    return list;
}

static const char *slo_text(const struct sim_study *study, size_t index) {
    return study->slo[index];
}

static const char *constraint_text(const struct sim_study *study, size_t index) {
    return sim_expression_text(study->constraints[index]);
}

static const char *objective_text(const struct sim_study *study, size_t index) {
    return study->objectives[index].text;
}

static cJSON *axes_of(const struct sim_study *study) {
    cJSON *list = made(cJSON_CreateArray());
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct sim_axis *axis = &study->axes[a];
        cJSON *item = object();
        put_text(item, "path", axis->path);
        put_number(item, "dimension", (double)axis->dimension);
        if (axis->level_count > 0) {
            cJSON *levels = made(cJSON_CreateArray());
            for (size_t i = 0; i < axis->level_count; i++)
                cJSON_AddItemToArray(levels, made(cJSON_Parse(axis->levels[i])));
            put(item, "levels", levels);
        } else {
            put_number(item, "from", axis->from);
            put_number(item, "to", axis->to);
            put_text(item, "scale", axis->log ? "log" : "linear");
        }
        cJSON_AddItemToArray(list, item);
    }
    return list;
}

char *sim_tune_manifest_json(const struct sim_tune *tune) {
    const struct sim_study *study = tune->study;
    cJSON *tree = object(), *of = object();
    put_number(tree, "manifest", MANIFEST_VERSION);
    put_text(tree, "kind", "tune");
    put_text(tree, "program", "fairlane");
    put_text(tree, "version", FAIRLANE_VERSION);
    put_number(tree, "model", SIM_MODEL_VERSION);
    put_text(tree, "hash", tune->candidates[0]->hash);
    put_text(tree, "seed", study->base->seed_text);
    put_number(tree, "warmup_s", tune->candidates[0]->warmup_s);
    put_text(of, "name", study->name);
    put_seed(of, "design_seed", study->design_seed);
    put_number(of, "points", (double)tune->points);
    put_number(of, "repeat", study->repeat);
    put(of, "axes", axes_of(study));
    put(of, "constraint", texts_of(study->constraint_count, constraint_text, study));
    put(of, "objectives", texts_of(study->objective_count, objective_text, study));
    put(of, "slo", texts_of(study->slo_count, slo_text, study));
    put(tree, "study", of);
    put(tree, "scenario", cJSON_Duplicate(study->base->resolved, true));
    return printed(tree);
}

/* ---- all files ---- */

bool sim_tune_write(struct sim_folder *folder, const struct sim_tune *tune, struct sim_located_error *error) {
    /* The manifest comes last: a folder that has one is complete. */
    const struct {
        const char *name;
        char *(*text)(const struct sim_tune *tune);
    } files[] = {{"tune.json", sim_tune_json},
                 {"stages.csv", sim_tune_stages_csv},
                 {"candidates.csv", sim_tune_candidates_csv},
                 {"pareto.csv", sim_tune_pareto_csv},
                 {"sensitivity.csv", sim_tune_sensitivity_csv},
                 {"recommended.json", sim_tune_recommended_json},
                 {"manifest.json", sim_tune_manifest_json}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *text = files[i].text(tune);
        bool written = sim_folder_write(folder, files[i].name, text, strlen(text), error);
        free(text);
        if (!written)
            return false;
    }
    return true;
}
