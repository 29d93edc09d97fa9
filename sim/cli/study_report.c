#include "study_report.h"

#include "../memory.h"
#include "../results/text.h"
#include "gate.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows and columns that a terminal can bear; all of them are in study.csv. */
enum { ROWS_MAX = 60, FIGURES_MAX = 6 };

/* ---- which figures ---- */

/* Figures that the study is about: objectives first, then those of SLOs, each once. */
static size_t choose_figures(const struct sim_study_table *table, const char *names[FIGURES_MAX]) {
    const struct sim_study_row *first = &table->rows[0];
    size_t count = 0, objectives = sim_study_objectives(table);
    for (size_t i = 0; i < objectives + first->slo_count && count < FIGURES_MAX; i++) {
        bool more, known = false;
        const char *name =
            i < objectives ? sim_study_objective(table, i, &more) : first->slos[i - objectives].figure->name;
        for (size_t k = 0; k < count; k++)
            known |= !strcmp(names[k], name);
        if (!known && (sim_study_estimate(first, name) || first->failure))
            names[count++] = name;
    }
    return count;
}

/* " s" behind a figure's name; nothing for pure numbers. */
static const char *unit_of(const struct sim_study_table *table, const char *name) {
    const struct sim_figure *figure = sim_figures_find(table->rows[0].figures, name);
    return figure && strcmp(figure->unit, "1") != 0 ? figure->unit : "";
}

/* ---- the table ---- */

static void add_header(struct cli_table *cells, const struct sim_study_table *table, const char *const *names,
                       size_t count) {
    const cJSON *path;
    cli_cell(cells, CLI_BOLD, "#");
    cJSON_ArrayForEach(path, cJSON_GetObjectItemCaseSensitive(table->about, "names"))
        cli_cell(cells, CLI_BOLD, "%s", path->valuestring);
    for (size_t i = 0; i < count; i++) {
        const char *unit = unit_of(table, names[i]);
        cli_cell(cells, CLI_BOLD, "%s%s%s", names[i], *unit ? " " : "", unit);
    }
    cli_cell(cells, CLI_BOLD, "SLOs");
    cli_row_end(cells);
}

static void add_knobs(struct cli_table *cells, const struct sim_study_table *table, const struct sim_study_row *row) {
    cJSON *knobs = cJSON_Parse(row->configuration->knobs);
    const cJSON *path;
    cJSON_ArrayForEach(path, cJSON_GetObjectItemCaseSensitive(table->about, "axes")) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(knobs, path->valuestring);
        char *text = value && !cJSON_IsString(value) ? cJSON_PrintUnformatted(value) : NULL;
        cli_cell(cells, CLI_PLAIN, "%.40s", text ? text : value ? value->valuestring : "-");
        cJSON_free(text);
    }
    cJSON_Delete(knobs);
}

static void add_figure(struct cli_table *cells, const struct sim_study_row *row, const char *name) {
    const struct sim_estimate *estimate = sim_study_estimate(row, name);
    if (!estimate)
        cli_cell(cells, CLI_PLAIN, "-");
    else if (isnan(estimate->value) && isfinite(estimate->beyond))
        cli_cell(cells, CLI_BAD, "> %s", cli_number(estimate->beyond).text);
    else
        cli_cell(cells, CLI_PLAIN, "%s", cli_number(estimate->value).text);
}

static void add_verdict(struct cli_table *cells, const struct sim_study_row *row) {
    static const char *const words[] = {"pass", "FAIL", "inconclusive"};
    static const enum cli_tone tones[] = {CLI_GOOD, CLI_BAD, CLI_DOUBT};
    enum sim_verdict verdict = sim_study_verdict(row);
    size_t same = 0;
    for (size_t i = 0; i < row->slo_count; i++)
        same += row->verdicts[i].verdict == verdict;
    if (row->failure)
        cli_cell(cells, CLI_BAD, "did not run");
    else if (!row->slo_count)
        cli_cell(cells, CLI_PLAIN, "-");
    else if (verdict == SIM_PASS)
        cli_cell(cells, tones[verdict], "pass");
    else
        cli_cell(cells, tones[verdict], "%s %zu/%zu", words[verdict], same, row->slo_count);
}

static void print_table(const struct cli_page *page, const struct sim_study_table *table) {
    const char *names[FIGURES_MAX];
    size_t count = choose_figures(table, names), shown = table->count > ROWS_MAX ? ROWS_MAX : table->count;
    size_t axes = (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(table->about, "axes"));
    char align[64 + FIGURES_MAX];
    struct cli_table cells = {.columns = axes + count + 2, .align = align, .headed = true};
    memset(align, 'r', sizeof align);
    align[cells.columns - 1] = 'l';
    align[cells.columns] = '\0';
    add_header(&cells, table, names, count);
    for (size_t i = 0; i < shown; i++) {
        cli_cell(&cells, CLI_PLAIN, "%zu", i + 1);
        add_knobs(&cells, table, &table->rows[i]);
        for (size_t k = 0; k < count; k++)
            add_figure(&cells, &table->rows[i], names[k]);
        add_verdict(&cells, &table->rows[i]);
    }
    cli_table_print(&cells, page, 0);
    if (shown < table->count)
        fprintf(page->out, "... and %zu more in study.csv\n", table->count - shown);
}

/* ---- below it ---- */

/* Every configuration's first warning would fill pages: say how many have one, and show one. */
static void print_warnings(const struct cli_page *page, const struct sim_study_table *table) {
    const struct sim_study_row *first = NULL;
    size_t warned = 0;
    for (size_t i = table->count; i-- > 0;)
        if (table->rows[i].warning_count) {
            first = &table->rows[i];
            warned++;
        }
    if (!first)
        return;
    char text[600];
    snprintf(text, sizeof text, "%zu of %zu configurations have warnings (summary.json), such as #%zu: %s", warned,
             table->count, (size_t)(first - table->rows) + 1, first->warnings[0]);
    cli_put(page, CLI_DOUBT, "warning: ");
    cli_put_wrapped(page, CLI_PLAIN, text, 9);
}

/* A line, wrapped; empties @p text. */
static void put_text(const struct cli_page *page, struct sim_text *text) {
    char *line = sim_text_take(text);
    cli_put_wrapped(page, CLI_PLAIN, line, 0);
    free(line);
}

static void print_totals(const struct cli_page *page, const struct sim_study_table *table) {
    size_t counts[3] = {0};
    for (size_t i = 0; i < table->count; i++)
        counts[sim_study_verdict(&table->rows[i])]++;
    struct sim_text text = {0};
    sim_text_printf(&text, "%zu configuration%s of %u replications", table->count, table->count == 1 ? "" : "s",
                    table->stored.repeat);
    if (table->rows[0].slo_count)
        sim_text_printf(&text, ": %zu pass every SLO, %zu fail at least one, %zu inconclusive", counts[SIM_PASS],
                        counts[SIM_FAIL], counts[SIM_INCONCLUSIVE]);
    fputs("\n", page->out);
    put_text(page, &text);
    for (size_t i = 0; i < sim_study_objectives(table); i++) {
        bool more, feasible;
        const char *name = sim_study_objective(table, i, &more);
        const struct sim_study_row *best = sim_study_best(table, i, &feasible);
        if (!best)
            continue;
        const struct sim_estimate *estimate = sim_study_estimate(best, name);
        const char *unit = unit_of(table, name);
        sim_text_printf(&text, "%s %s: %s%s%s %s at %s (#%zu)%s", more ? "highest" : "lowest", name,
                        cli_number(estimate->value).text, *unit ? " " : "", unit,
                        cli_interval(estimate->lo, estimate->hi, cli_number).text, best->configuration->label,
                        (size_t)(best - table->rows) + 1, feasible ? "" : ", though an SLO fails there, as everywhere");
        put_text(page, &text);
    }
    print_warnings(page, table);
    for (size_t i = 0; i < table->count; i++) {
        if (!table->rows[i].failure)
            continue;
        fprintf(page->out, "#%zu did not run: ", i + 1);
        cli_put_wrapped(page, CLI_BAD, table->rows[i].failure, 0);
    }
}

static void fill_gate(struct cli_gate *gate, const struct sim_study_table *table, const char *file) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(table->about, "study");
    for (size_t i = 0; i < table->count; i++) {
        const struct sim_study_row *row = &table->rows[i];
        for (size_t k = 0; k < row->slo_count; k++)
            cli_gate_add(gate, cJSON_IsString(name) ? name->valuestring : "study", row->configuration->label, file,
                         &row->slos[k], &row->verdicts[k]);
    }
}

static enum cli_exit end(const struct cli_options *options, const struct sim_study_table *table, const char *folder,
                         const char *file, struct sim_located_error *error) {
    if (!sim_study_export(table, folder, error))
        return CLI_FAILURE;
    if (options->json) {
        char *json = sim_study_summary_json(table);
        fputs(json, stdout);
        free(json);
    } else if (!options->quiet) {
        struct cli_page page = cli_page_on(stdout);
        print_table(&page, table);
        print_totals(&page, table);
        fprintf(page.out, "files: ");
        cli_put(&page, CLI_PLAIN, folder);
        fputs("/\n", page.out);
    }
    struct cli_gate gate = {0};
    fill_gate(&gate, table, file);
    enum cli_exit code = cli_gate_exit(&gate);
    if (!cli_gate_write(&gate, options, error)) {
        code = CLI_FAILURE;
    } else if (table->failed > 0 && code != CLI_FAILED_SLO) {
        sim_error_set(error, file, 0, "", "%zu of %zu configurations did not run", table->failed, table->count);
        code = CLI_FAILURE;
    }
    cli_gate_finish(&gate);
    return code;
}

enum cli_exit cli_study_end(const struct cli_options *options, struct sim_store *store, const char *folder,
                            const char *file, struct sim_located_error *error) {
    struct sim_study_table table;
    enum cli_exit code = CLI_FAILURE;
    if (!sim_study_table_read(store, &table, error))
        return CLI_FAILURE;
    if (table.missing > 0)
        sim_error_set(error, folder, 0, "",
                      "%zu of %zu units have no result yet: run the missing shards, or the whole study with --out %s",
                      table.missing, table.count * table.stored.repeat, folder);
    else
        code = end(options, &table, folder, file, error);
    sim_study_table_finish(&table);
    return code;
}
