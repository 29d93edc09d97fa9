/* fairlane metrics: the table of figures. */
#include "loaded.h"

#include <string.h>

static const char *better_word(enum sim_better better) {
    switch (better) {
    case SIM_LESS:
        return "less";
    case SIM_MORE:
        return "more";
    case SIM_NEITHER:
        break;
    }
    return "-";
}

static void add_figures(struct cli_table *table, const struct sim_figures *figures) {
    cli_cell(table, CLI_BOLD, "%s", "figure");
    cli_cell(table, CLI_BOLD, "%s", "unit");
    cli_cell(table, CLI_BOLD, "%s", "better");
    cli_cell(table, CLI_BOLD, "%s", "meaning");
    for (size_t i = 0; i < figures->count; i++) {
        const struct sim_figure *figure = &figures->rows[i];
        cli_cell(table, CLI_PLAIN, "%s", figure->name);
        cli_cell(table, CLI_PLAIN, "%s", figure->unit);
        cli_cell(table, CLI_PLAIN, "%s", better_word(figure->better));
        cli_cell(table, CLI_PLAIN, "%s", figure->help);
    }
}

enum cli_exit cli_metrics(const struct cli_options *options, struct sim_located_error *error) {
    struct cli_page page = cli_page_on(stdout);
    struct cli_table table = {.columns = 4, .align = "llll"};
    struct model_workload nobody = {0};
    struct cli_loaded loaded = {0};
    if (options->file_count && !cli_load(&loaded, options->files[0], options, error)) {
        cli_loaded_finish(&loaded);
        return CLI_USAGE;
    }
    struct sim_figures *fixed = loaded.figures ? NULL : sim_figures_create(&nobody);
    add_figures(&table, loaded.figures ? loaded.figures : fixed);
    cli_table_print(&table, &page, 0);
    sim_figures_destroy(fixed);
    cli_loaded_finish(&loaded);
    return CLI_OK;
}
