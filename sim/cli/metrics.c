/* fairlane metrics: the table of figures. */
#include "loaded.h"

#include "../results/text.h"

#include <stdlib.h>
#include <string.h>

/* From how many columns on the meaning may stand beside the name; where there are fewer it goes below. */
enum { MEANING_MIN = 36 };

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

/* Widths of name and unit. */
static void measure(const struct sim_figures *figures, int *ret_name, int *ret_unit) {
    *ret_name = (int)strlen("figure");
    *ret_unit = (int)strlen("unit");
    for (size_t i = 0; i < figures->count; i++) {
        int name = (int)strlen(figures->rows[i].name), unit = (int)strlen(figures->rows[i].unit);
        *ret_name = name > *ret_name ? name : *ret_name;
        *ret_unit = unit > *ret_unit ? unit : *ret_unit;
    }
}

static void print_figure(const struct cli_page *page, const struct sim_figure *figure, int name, int unit) {
    int column = name + unit + 12;
    cli_put(page, CLI_BOLD, figure->name);
    fprintf(page->out, "%*s%-*s  %-6s  ", name - (int)strlen(figure->name) + 2, "", unit, figure->unit,
            better_word(figure->better));
    if (column + MEANING_MIN > page->width) {
        column = 4;
        fprintf(page->out, "\n%*s", column, "");
    }
    cli_put_wrapped(page, CLI_PLAIN, figure->help, column);
}

/* One line a figure where a program or a pipe reads, columns on a screen. */
static void print_figures(const struct sim_figures *figures) {
    struct cli_page page = cli_page_on(stdout);
    int name, unit;
    measure(figures, &name, &unit);
    if (!cli_is_screen(stdout))
        page.width = 1000;
    printf("%-*s  %-*s  %-6s  %s\n", name, "figure", unit, "unit", "better", "meaning");
    for (size_t i = 0; i < figures->count; i++)
        print_figure(&page, &figures->rows[i], name, unit);
}

static void print_json(const struct sim_figures *figures) {
    struct sim_text text = {0};
    sim_text_add(&text, "{ \"version\": 1, \"figures\": [");
    for (size_t i = 0; i < figures->count; i++) {
        const struct sim_figure *figure = &figures->rows[i];
        sim_text_add(&text, i ? ",\n  { \"name\": " : "\n  { \"name\": ");
        sim_text_json_string(&text, figure->name);
        sim_text_add(&text, ", \"unit\": ");
        sim_text_json_string(&text, figure->unit);
        sim_text_add(&text, ", \"better\": ");
        sim_text_add(&text, figure->better == SIM_NEITHER ? "null"
                            : figure->better == SIM_LESS  ? "\"less\""
                                                          : "\"more\"");
        sim_text_add(&text, ", \"help\": ");
        sim_text_json_string(&text, figure->help);
        sim_text_add(&text, " }");
    }
    sim_text_add(&text, "\n] }\n");
    fputs(text.bytes, stdout);
    free(text.bytes);
}

enum cli_exit cli_metrics(const struct cli_options *options, struct sim_located_error *error) {
    struct model_workload nobody = {0};
    struct cli_loaded loaded = {0};
    if (options->file_count && !cli_load(&loaded, options->files[0], options, error)) {
        cli_loaded_finish(&loaded);
        return CLI_USAGE;
    }
    struct sim_figures *fixed = loaded.figures ? NULL : sim_figures_create(&nobody);
    const struct sim_figures *figures = loaded.figures ? loaded.figures : fixed;
    if (options->json)
        print_json(figures);
    else
        print_figures(figures);
    sim_figures_destroy(fixed);
    cli_loaded_finish(&loaded);
    return CLI_OK;
}
