/* What can be said, in words exactly as strong as the evidence. */
#include "tune.h"

#include "../memory.h"
#include "../results/text.h"

#include <math.h>
#include <stdlib.h>

const char *sim_tune_rule(const struct sim_tune *tune, size_t rule) {
    return rule < tune->slo_count ? tune->slos[rule].text : "throughput.jobs_per_s at least 99 % of the baseline's";
}

const char *sim_tune_verdict_word(enum sim_tune_verdict verdict) {
    static const char *const words[] = {"recommended", "no_better", "inconclusive", "nothing_feasible"};
    return words[verdict];
}

/* ---- the guarantee ---- */

/* What the selection compared. */
static const char *response_name(const struct sim_tune *tune) {
    return tune->selection.by_excess ? "the largest excess over the SLOs" : tune->goal_name;
}

static void add_normality(struct sim_text *text, const struct sim_tune *tune) {
    struct sim_normality worst = sim_tune_normality(tune);
    sim_text_printf(
        text,
        " Normality is presumed, not proved: the largest skewness of a finalist is %.2f (of normal "
        "observations 95 %% of such samples stay within +-%.2f), the worst coefficient of variation %.0f %%.",
        worst.skewness, worst.skewness_limit, 100 * worst.variation);
    if (!worst.plausible)
        sim_text_add(text, " The observations do not look normal, so do not take that probability at its word; the "
                           "confirmation on fresh replications does not rest on it.");
}

static char *chosen(const struct sim_tune *tune) {
    const struct sim_selection *selection = &tune->selection;
    struct sim_text text = {0};
    const char *name = response_name(tune);
    sim_text_printf(&text,
                    "If the replications' values of %s are normal and independent, and one of the %zu finalists has an "
                    "expected value smaller than every other's by at least %g, then that one was chosen with "
                    "probability at least %g %% (Kim and Nelson 2001). ",
                    name, selection->count, SIM_TUNE_DELTA, 100 * (1 - SIM_TUNE_ALPHA));
    sim_text_printf(
        &text,
        "Where the lead is smaller than that, nothing is guaranteed. The guarantee is about the expected "
        "value of %s over replications of this scenario, not about p99 itself; about the %zu finalists, not "
        "about other settings: the search that found them guarantees nothing; and about the model, not the "
        "real endpoint.",
        name, selection->count);
    add_normality(&text, tune);
    return sim_text_take(&text);
}

char *sim_tune_guarantee(const struct sim_tune *tune) {
    switch (tune->selection.end) {
    case SIM_SELECTION_CHOSEN:
        return chosen(tune);
    case SIM_SELECTION_NONE:
        return sim_strdup(
            "None: there was a single finalist, so nothing was selected. What is shown of it rests on the "
            "confirmation alone.");
    case SIM_SELECTION_BROKEN:
        break;
    }
    struct sim_text text = {0};
    sim_text_printf(&text,
                    "None: the selection was broken off after %d replications of a finalist, since the values vary too "
                    "much to tell differences of %g apart. The best mean so far was taken.",
                    SIM_TUNE_OBSERVATIONS, SIM_TUNE_DELTA);
    return sim_text_take(&text);
}

struct sim_normality sim_tune_normality(const struct sim_tune *tune) {
    const struct sim_selection *selection = &tune->selection;
    struct sim_normality worst = {.plausible = true};
    const double variation_max = .15;
    for (size_t i = 0; i < selection->count; i++) {
        const struct sim_finalist *finalist = &selection->finalists[i];
        double limit = sim_skewness_limit(finalist->observations, selection->count);
        /* The most striking one for its number of observations. */
        if (worst.skewness_limit == 0 ||
            fabs(finalist->skewness) / limit > fabs(worst.skewness) / worst.skewness_limit) {
            worst.skewness = finalist->skewness;
            worst.skewness_limit = limit;
        }
        worst.variation = fmax(worst.variation, finalist->variation);
    }
    worst.plausible = fabs(worst.skewness) <= worst.skewness_limit && worst.variation <= variation_max;
    return worst;
}

/* ---- what binds ---- */

static double figure(const struct sim_tune *tune, size_t candidate, const char *name) {
    const struct sim_trials *trials = &tune->candidates[candidate]->trials[SIM_CONFIRMATION];
    const struct sim_figure *found = sim_figures_find(tune->figures, name);
    return sim_estimate_figure(found, sim_candidate_outcomes(tune->candidates[candidate], SIM_CONFIRMATION),
                               trials->count, .95)
        .value;
}

struct sim_binding sim_tune_binding(const struct sim_tune *tune, size_t candidate) {
    static const struct {
        const char *throttles, *utilisation, *words;
    } limits[] = {
        {"throttles.rpm", "endpoint.rpm.utilisation", "requests a minute (RPM)"},
        {"throttles.itpm", "endpoint.itpm.utilisation", "input tokens a minute (ITPM)"},
        {"throttles.otpm", "endpoint.otpm.utilisation", "output tokens a minute (OTPM)"},
        {"throttles.concurrency", NULL, "the endpoint's limit on concurrent requests"},
        {"throttles.ramp", NULL, "the endpoint's acceleration limit"},
        {"throttles.spend", NULL, "the spend cap"},
        {"throttles.overload", NULL, "the endpoint's overload (529)"},
    };
    struct sim_binding binding = {.words = NULL, .utilisation = NAN};
    double workers = figure(tune, candidate, "workers.busy") + figure(tune, candidate, "workers.backoff");
    double all = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double throttles = figure(tune, candidate, limits[i].throttles);
        all += throttles;
        if (throttles <= binding.throttles)
            continue;
        binding.throttles = throttles;
        binding.words = limits[i].words;
        binding.utilisation =
            limits[i].utilisation != NULL ? figure(tune, candidate, limits[i].utilisation) : (double)NAN;
    }
    binding.share = all > 0 ? binding.throttles / all : 0;
    const double crowded = .9;
    if (workers > crowded && !(binding.utilisation > workers))
        binding = (struct sim_binding){.words = "the workers", .utilisation = workers};
    return binding;
}
