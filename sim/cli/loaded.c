/* Reading scenario files for the verbs. */
#include "loaded.h"

#include "../memory.h"
#include "../run/precision.h"

#include <stdlib.h>
#include <string.h>

static bool parse_slos(struct cli_loaded *loaded, struct sim_located_error *error) {
    const struct sim_scenario *scenario = loaded->scenario;
    loaded->slos = sim_calloc(scenario->slo_count + 1, sizeof *loaded->slos);
    for (size_t i = 0; i < scenario->slo_count; i++) {
        struct sim_located_error why = {0};
        if (!sim_slo_parse(loaded->figures, scenario->slo[i], &loaded->slos[i], &why)) {
            char path[32];
            snprintf(path, sizeof path, "slo.%zu", i);
            sim_error_set(error, loaded->file, 0, path, "%s", why.message);
            return false;
        }
        loaded->slo_count++;
    }
    return true;
}

static bool check_precision(const struct cli_loaded *loaded, struct sim_located_error *error) {
    const struct sim_precision *precision = &loaded->scenario->precision;
    struct sim_located_error why = {0};
    if (!precision->metric || sim_precision_figure(loaded->figures, precision, &why))
        return true;
    sim_error_set(error, loaded->file, 0, "precision.metric", "%s", why.message);
    return false;
}

bool cli_load(struct cli_loaded *ret, const char *file, const struct cli_options *options,
              struct sim_located_error *error) {
    struct sim_scenario_options scenario_options = cli_scenario_options(options);
    *ret = (struct cli_loaded){.file = file, .scenario = sim_scenario_create(file, &scenario_options, error)};
    if (!ret->scenario)
        return false;
    ret->figures = sim_figures_create(&ret->scenario->workload);
    if (!parse_slos(ret, error) || !check_precision(ret, error))
        return false;
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
