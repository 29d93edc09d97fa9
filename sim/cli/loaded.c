/* Reading scenario files for the verbs. */
#include "loaded.h"

#include "advise.h"

#include "../memory.h"
#include "../run/warmup.h"

#include <stdlib.h>
#include <string.h>

bool cli_load(struct cli_loaded *ret, const char *file, const struct cli_options *options,
              struct sim_located_error *error) {
    struct sim_scenario_options scenario_options = cli_scenario_options(options);
    *ret = (struct cli_loaded){.file = file, .scenario = sim_scenario_create(file, &scenario_options, error)};
    if (!ret->scenario) {
        cli_advise(file, options->verb, CLI_SCENARIO, error);
        return false;
    }
    if (!cli_spares_scenario(options, ret->scenario, error)) {
        cli_loaded_finish(ret);
        return false;
    }
    ret->figures = sim_figures_create(&ret->scenario->workload);
    ret->slos = sim_slos_create(ret->figures, ret->scenario);
    ret->slo_count = ret->scenario->slo_count;
    ret->load = sim_load_create(ret->scenario, ret->slos, ret->slo_count);
    return true;
}

void cli_loaded_finish(struct cli_loaded *loaded) {
    sim_load_destroy(loaded->load);
    free(loaded->slos);
    sim_figures_destroy(loaded->figures);
    sim_scenario_destroy(loaded->scenario);
    *loaded = (struct cli_loaded){0};
}

struct cli_loaded *cli_load_all(const struct cli_options *options, struct sim_located_error *error) {
    struct cli_loaded *loaded = sim_calloc(options->file_count, sizeof *loaded);
    for (size_t i = 0; i < options->file_count; i++) {
        if (!cli_load(&loaded[i], options->files[i], options, error)) {
            cli_unload_all(loaded, options->file_count);
            return NULL;
        }
    }
    return loaded;
}

void cli_unload_all(struct cli_loaded *loaded, size_t count) {
    for (size_t i = 0; loaded && i < count; i++)
        cli_loaded_finish(&loaded[i]);
    free(loaded);
}

struct sim_run_options cli_run_options(const struct cli_options *options, struct cli_progress *progress) {
    *progress = cli_progress_begin("replications", options->quiet);
    progress->patient = true;
    return (struct sim_run_options){.jobs = options->jobs,
                                    .progress = cli_progress_replications,
                                    .progress_context = progress,
                                    .stop = options->stop};
}

bool cli_settle_warmup(const struct cli_options *options, struct sim_scenario *scenario,
                       struct sim_located_error *error) {
    struct cli_progress progress;
    struct sim_run_options how = cli_run_options(options, &progress);
    struct sim_warmup warmup;
    if (!scenario->warmup_auto)
        return true;
    bool good = sim_warmup_choose(scenario, &how, &warmup, error);
    cli_progress_end(&progress);
    if (!good)
        return false;
    scenario->warmup_auto = false;
    scenario->warmup_ns = warmup.chosen_ns;
    sim_warmup_finish(&warmup);
    return true;
}
