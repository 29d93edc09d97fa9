/** A scenario file as the verbs need it: read, its SLOs parsed, its load known. */
#ifndef SIM_CLI_LOADED_H
#define SIM_CLI_LOADED_H

#include "../load/load.h"
#include "../run/run.h"
#include "options.h"
#include "progress.h"
#include "table.h"

#include <cjson/cJSON.h>

struct cli_loaded {
    const char *file;
    struct sim_scenario *scenario;
    struct sim_figures *figures;
    struct sim_slo *slos;
    size_t slo_count;
    struct sim_load *load;
};

/** Read @p file with the options' changes. Finish *ret in any case.
 *  @return false with *error set: something in the file will not do. */
bool cli_load(struct cli_loaded *ret, const char *file, const struct cli_options *options,
              struct sim_located_error *error);
void cli_loaded_finish(struct cli_loaded *loaded);

/** Read all files of the command line. @return one a file (cli_unload_all), or NULL with *error set. */
struct cli_loaded *cli_load_all(const struct cli_options *options, struct sim_located_error *error);
void cli_unload_all(struct cli_loaded *loaded, size_t count);

/** How to run replications as the command line says; @p progress begins, and is to be ended after each use. */
struct sim_run_options cli_run_options(const struct cli_options *options, struct cli_progress *progress);

/** Put the warm-up that a run would choose in the place of "auto", if that is what @p scenario says. @return false with
 *  *error: there is none. */
bool cli_settle_warmup(const struct cli_options *options, struct sim_scenario *scenario,
                       struct sim_located_error *error);

/** The whole load sheet. */
void cli_print_load(const struct cli_page *page, const struct cli_loaded *loaded);

/** The same as one JSON object, to be deleted. */
cJSON *cli_load_json(const struct cli_loaded *loaded);

/** Its totals in one line. */
void cli_print_load_brief(const struct cli_page *page, const struct cli_loaded *loaded);

/** Its warnings, each on lines of its own. */
void cli_print_load_warnings(const struct cli_page *page, const struct cli_loaded *loaded);

#endif
