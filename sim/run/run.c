#include "run.h"

#include "../memory.h"
#include "../stats/warnings.h"
#include "replications.h"

#include <stdlib.h>

static bool parse_slos(struct sim_result *result, struct sim_located_error *error) {
    const struct sim_scenario *scenario = result->scenario;

    result->slos = sim_calloc(scenario->slo_count, sizeof result->slos[0]);
    result->slo_results = sim_calloc(scenario->slo_count, sizeof result->slo_results[0]);
    result->slo_count = scenario->slo_count;
    for (size_t i = 0; i < scenario->slo_count; i++)
        if (!sim_slo_parse(result->figures, scenario->slo[i], &result->slos[i], error))
            return false;
    return true;
}

static void estimate(struct sim_result *result) {
    const struct sim_outcome *const *outcomes = (const struct sim_outcome *const *)result->outcomes;

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
        .outcomes = (const struct sim_outcome *const *)result->outcomes,
        .count = result->replications,
        .warmup_s = (double)result->scenario->warmup_ns / 1e9,
        .duration_s = (double)result->scenario->duration_ns / 1e9,
    };

    sim_warnings_collect(&input, &result->warnings, &result->warning_count);
}

struct sim_result *sim_run(const struct sim_scenario *scenario, const struct sim_run_options *options,
                           struct sim_located_error *error) {
    struct sim_result *result = sim_calloc(1, sizeof *result);

    result->scenario = scenario;
    result->figures = sim_figures_create(&scenario->workload);
    result->outcomes = sim_calloc(scenario->replications, sizeof result->outcomes[0]);
    if (!parse_slos(result, error) || !sim_replications_run(scenario, result->slos, result->slo_count, 1,
                                                            scenario->replications, options, result->outcomes, error)) {
        sim_result_destroy(result);
        return NULL;
    }
    result->replications = scenario->replications;
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
    free(result->outcomes);
    free(result->estimates);
    free(result->slos);
    free(result->slo_results);
    sim_figures_destroy(result->figures);
    free(result);
}
