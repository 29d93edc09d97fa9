#include "run.h"

#include "../memory.h"
#include "../stats/warnings.h"
#include "precision.h"
#include "replications.h"
#include "warmup.h"

#include <math.h>
#include <stdlib.h>

static const struct sim_outcome *const *outcomes_of(const struct sim_result *result) {
    return (const struct sim_outcome *const *)result->outcomes;
}

static void estimate(struct sim_result *result) {
    const struct sim_outcome *const *outcomes = outcomes_of(result);

    result->estimates = sim_calloc(result->figures->count, sizeof result->estimates[0]);
    sim_estimate_figures(result->figures, outcomes, result->replications, 0.95, result->estimates);
    for (size_t i = 0; i < result->slo_count; i++)
        result->slo_results[i] = sim_slo_judge(&result->slos[i], i, result->slo_count, outcomes, result->replications);
}

static void sum_invariants(struct sim_result *result) {
    for (size_t i = 0; i < result->replications; i++) {
        const struct sim_invariants *one = &result->outcomes[i]->invariants;

        result->invariants.conservation += one->conservation;
        result->invariants.time_in_system += one->time_in_system;
        result->invariants.work_conservation += one->work_conservation;
        result->invariants.bucket += one->bucket;
        result->invariants.clock += one->clock;
    }
}

static void warn(struct sim_result *result) {
    struct sim_warnings_input input = {
        .figures = result->figures,
        .slos = result->slos,
        .slo_count = result->slo_count,
        .precision = result->precision.figure,
        .outcomes = outcomes_of(result),
        .count = result->replications,
        .warmup_s = (double)result->scenario->warmup_ns / 1e9,
        .duration_s = (double)result->scenario->duration_ns / 1e9,
    };

    sim_warnings_collect(&input, &result->warnings, &result->warning_count);
}

/** The warm-up, where it is not given. */
static bool warm_up(struct sim_result *result, const struct sim_run_options *options, struct sim_located_error *error) {
    if (!result->run.warmup_auto)
        return true;
    if (!sim_warmup_choose(result->scenario, options, &result->warmup, error))
        return false;
    result->run.warmup_ns = result->warmup.chosen_ns;
    return true;
}

/** Progress of some replications that follow others. */
struct stage {
    const struct sim_run_options *options;
    uint32_t before;
};

static void show_stage(void *context, uint32_t done, uint32_t total) {
    const struct stage *stage = context;

    stage->options->progress(stage->options->progress_context, stage->before + done, stage->before + total);
}

/** Run up to replication @p until. */
static bool replicate(struct sim_result *result, uint32_t until, const struct sim_run_options *options,
                      struct sim_located_error *error) {
    struct stage stage = {options, (uint32_t)result->replications};
    struct sim_run_options stage_options = *options;

    if (options->progress) {
        stage_options.progress = show_stage;
        stage_options.progress_context = &stage;
    }
    if (!sim_replications_run(result->scenario, result->slos, result->slo_count, stage.before + 1, until,
                              &stage_options, result->outcomes + stage.before, error))
        return false;
    result->replications = until;
    return true;
}

/** Add replications until the precision that the scenario asks for is reached, cannot be, or there are enough. */
static bool replicate_to_precision(struct sim_result *result, const struct sim_run_options *options,
                                   struct sim_located_error *error) {
    const struct sim_precision *precision = &result->run.precision;
    const struct sim_figure *figure = sim_precision_figure(result->figures, precision, error);
    uint32_t look = result->run.replications;

    if (!figure)
        return false;
    for (;;) {
        struct sim_estimate found;

        look = sim_precision_look(look, precision->max_replications);
        if (!replicate(result, look, options, error))
            return false;
        found = sim_estimate_figure(figure, outcomes_of(result), result->replications, 0.95);
        result->precision = sim_precision_judge(figure, precision, &found);
        if (result->precision.reached || isnan(found.value) || look == precision->max_replications)
            return true;
        look++;
    }
}

struct sim_result *sim_run(const struct sim_scenario *scenario, const struct sim_run_options *options,
                           struct sim_located_error *error) {
    struct sim_result *result = sim_calloc(1, sizeof *result);
    bool precise = scenario->precision.metric != NULL;
    uint32_t most = precise ? scenario->precision.max_replications : scenario->replications;

    result->run = *scenario;
    result->scenario = &result->run;
    result->figures = sim_figures_create(&scenario->workload);
    result->outcomes = sim_calloc(most, sizeof result->outcomes[0]);
    result->slos = sim_slos_create(result->figures, scenario);
    result->slo_results = sim_calloc(scenario->slo_count, sizeof result->slo_results[0]);
    result->slo_count = scenario->slo_count;
    if (!warm_up(result, options, error) ||
        !(precise ? replicate_to_precision(result, options, error) : replicate(result, most, options, error))) {
        sim_result_destroy(result);
        return NULL;
    }
    sum_invariants(result);
    estimate(result);
    warn(result);
    return result;
}

void sim_result_destroy(struct sim_result *result) {
    if (!result)
        return;
    for (size_t i = 0; i < result->replications; i++)
        sim_outcome_destroy(result->outcomes[i]);
    sim_warnings_free(result->warnings, result->warning_count);
    sim_warmup_finish(&result->warmup);
    free(result->outcomes);
    free(result->estimates);
    free(result->slos);
    free(result->slo_results);
    sim_figures_destroy(result->figures);
    free(result);
}
