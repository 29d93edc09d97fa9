/* study.csv and summary.json. */
#include "export.h"

#include "../memory.h"
#include "../results/file.h"
#include "../results/results.h"
#include "../results/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STUDY_SUMMARY_VERSION = 1 };

/* ---- study.csv ---- */

/* All SLO texts of all rows, each once, in order of appearance: columns. A knob may vary the SLOs. */
struct slo_columns {
    const char **texts;
    size_t count, room;
};

static void collect_slos(const struct sim_study_table *table, struct slo_columns *columns) {
    for (size_t i = 0; i < table->count; i++)
        for (size_t k = 0; k < table->rows[i].slo_count; k++) {
            const char *text = table->rows[i].slo_texts[k];
            size_t at = 0;
            while (at < columns->count && strcmp(columns->texts[at], text) != 0)
                at++;
            if (at < columns->count)
                continue;
            if (columns->count == columns->room) {
                columns->room = columns->room > 0 ? 2 * columns->room : 16;
                columns->texts = sim_realloc(columns->texts, columns->room, sizeof *columns->texts);
            }
            columns->texts[columns->count++] = text;
        }
}

static void add_header(struct sim_text *text, const struct sim_study_table *table, const struct slo_columns *slos) {
    const struct sim_figures *figures = table->rows[0].figures;
    const cJSON *path;
    sim_text_add(text, "number,hash");
    cJSON_ArrayForEach(path, cJSON_GetObjectItemCaseSensitive(table->about, "axes")) {
        sim_text_add(text, ",");
        sim_text_csv_string(text, path->valuestring);
    }
    sim_text_add(text, ",replications,failure,warnings");
    for (size_t i = 0; i < slos->count; i++) {
        char *name;
        if (asprintf(&name, "slo: %s", slos->texts[i]) < 0)
            sim_out_of_memory();
        sim_text_add(text, ",");
        sim_text_csv_string(text, name);
        free(name);
    }
    for (size_t i = 0; i < figures->fixed_count; i++)
        sim_csv_add_columns(text, figures->rows[i].name, figures->rows[i].unit);
    sim_text_add(text, "\n");
}

/* A knob's value: a string without its quotes, anything else as JSON. */
static void add_knob(struct sim_text *text, const cJSON *value) {
    char *printed = NULL;
    sim_text_add(text, ",");
    if (cJSON_IsString(value))
        sim_text_csv_string(text, value->valuestring);
    else if (value != NULL && (printed = cJSON_PrintUnformatted(value)) != NULL)
        sim_text_csv_string(text, printed);
    cJSON_free(printed);
}

static void add_verdict(struct sim_text *text, const struct sim_study_row *row, const char *slo) {
    sim_text_add(text, ",");
    for (size_t i = 0; i < row->slo_count; i++)
        if (strcmp(row->slo_texts[i], slo) == 0) {
            sim_text_add(text, sim_verdict_word(row->verdicts[i].verdict));
            return;
        }
}

static void add_row(struct sim_text *text, const struct sim_study_table *table, size_t index,
                    const struct slo_columns *slos) {
    const struct sim_study_row *row = &table->rows[index];
    const struct sim_estimate none = {NAN, NAN, NAN, NAN};
    cJSON *knobs = cJSON_Parse(row->configuration->knobs);
    const cJSON *path;
    sim_text_printf(text, "%zu,%.12s", index + 1, row->configuration->hash);
    cJSON_ArrayForEach(path, cJSON_GetObjectItemCaseSensitive(table->about, "axes"))
        add_knob(text, cJSON_GetObjectItemCaseSensitive(knobs, path->valuestring));
    sim_text_printf(text, ",%u,", row->replications);
    sim_text_csv_string(text, row->failure != NULL ? row->failure : "");
    sim_text_printf(text, ",%zu", row->warning_count);
    for (size_t i = 0; i < slos->count; i++)
        add_verdict(text, row, slos->texts[i]);
    for (size_t i = 0; i < row->figures->fixed_count; i++)
        sim_csv_add_estimate(text, row->estimates != NULL ? &row->estimates[i] : &none);
    sim_text_add(text, "\n");
    cJSON_Delete(knobs);
}

static char *take(struct sim_text *text) {
    char *bytes = sim_text_take(text);
    if (bytes == NULL)
        sim_out_of_memory();
    return bytes;
}

char *sim_study_csv(const struct sim_study_table *table) {
    struct sim_text text = {0};
    struct slo_columns slos = {0};
    collect_slos(table, &slos);
    add_header(&text, table, &slos);
    for (size_t i = 0; i < table->count; i++)
        add_row(&text, table, i, &slos);
    free(slos.texts);
    return take(&text);
}

/* ---- summary.json ---- */

static void add_objectives(struct sim_text *text, const struct sim_study_table *table) {
    size_t count = sim_study_objectives(table);
    sim_text_add(text, "  \"objectives\": [");
    for (size_t i = 0; i < count; i++) {
        bool more, feasible;
        const char *name = sim_study_objective(table, i, &more);
        const struct sim_study_row *best = sim_study_best(table, i, &feasible);
        sim_text_add(text, i > 0 ? ",\n    {" : "\n    {");
        sim_text_add(text, "\"figure\": ");
        sim_text_json_string(text, name);
        sim_text_printf(text, ", \"aim\": \"%s\", \"best\": ", more ? "maximise" : "minimise");
        if (best != NULL)
            sim_text_printf(text, "%zu, \"no_slo_failed\": %s}", (size_t)(best - table->rows) + 1,
                            feasible ? "true" : "false");
        else
            sim_text_add(text, "null, \"no_slo_failed\": null}");
    }
    sim_text_add(text, count > 0 ? "\n  ],\n" : "],\n");
}

/* The figures that the study is about: those of its objectives and SLOs, each once. */
static void add_figures(struct sim_text *text, const struct sim_study_table *table, const struct sim_study_row *row) {
    bool *wanted = sim_calloc(row->figures->fixed_count, sizeof *wanted), any = false;
    for (size_t i = 0; i < sim_study_objectives(table); i++) {
        bool more;
        const struct sim_figure *figure = sim_figures_find(row->figures, sim_study_objective(table, i, &more));
        if (figure != NULL && figure < row->figures->rows + row->figures->fixed_count)
            wanted[figure - row->figures->rows] = true;
    }
    for (size_t i = 0; i < row->slo_count; i++)
        if (row->slos[i].figure < row->figures->rows + row->figures->fixed_count)
            wanted[row->slos[i].figure - row->figures->rows] = true;
    sim_text_add(text, "\"metrics\": {");
    for (size_t i = 0; i < row->figures->fixed_count && row->estimates != NULL; i++) {
        if (!wanted[i])
            continue;
        sim_text_add(text, any ? ",\n        " : "\n        ");
        sim_json_add_figure(text, row->figures->rows[i].name, row->figures->rows[i].unit, &row->estimates[i]);
        any = true;
    }
    sim_text_add(text, any ? "\n      }" : "}");
    free(wanted);
}

static void add_configuration(struct sim_text *text, const struct sim_study_table *table, size_t index) {
    const struct sim_study_row *row = &table->rows[index];
    sim_text_printf(text, "    {\"number\": %zu, \"hash\": \"%s\", \"label\": ", index + 1, row->configuration->hash);
    sim_text_json_string(text, row->configuration->label);
    sim_text_printf(text,
                    ",\n      \"knobs\": %s,\n      \"replications\": %u, \"failure\": ", row->configuration->knobs,
                    row->replications);
    if (row->failure != NULL)
        sim_text_json_string(text, row->failure);
    else
        sim_text_add(text, "null");
    sim_text_add(text, ",\n      ");
    add_figures(text, table, row);
    sim_text_add(text, ",\n      \"slo\": [");
    for (size_t i = 0; i < row->slo_count; i++) {
        sim_text_add(text, i > 0 ? ",\n    " : "\n    ");
        sim_json_add_slo(text, &row->slos[i], &row->verdicts[i]);
    }
    sim_text_add(text, row->slo_count > 0 ? "\n      ],\n      \"warnings\": [" : "],\n      \"warnings\": [");
    for (size_t i = 0; i < row->warning_count; i++) {
        sim_text_add(text, i > 0 ? ",\n        " : "\n        ");
        sim_text_json_string(text, row->warnings[i]);
    }
    sim_text_add(text, row->warning_count > 0 ? "\n      ]}" : "]}");
}

static void add_about(struct sim_text *text, const struct sim_study_table *table, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(table->about, key);
    sim_text_printf(text, "  \"%s\": ", key);
    sim_text_json_value(text, value, 1);
    sim_text_add(text, ",\n");
}

char *sim_study_summary_json(const struct sim_study_table *table) {
    struct sim_text text = {0};
    sim_text_printf(&text, "{\n  \"version\": %d,\n", STUDY_SUMMARY_VERSION);
    add_about(&text, table, "study");
    add_about(&text, table, "scenario");
    add_about(&text, table, "seed");
    sim_text_printf(&text, "  \"model_version\": %u,\n  \"replications\": %u,\n", table->stored.model_version,
                    table->stored.repeat);
    add_about(&text, table, "design");
    add_about(&text, table, "axes");
    add_objectives(&text, table);
    sim_text_add(&text, "  \"configurations\": [\n");
    for (size_t i = 0; i < table->count; i++) {
        add_configuration(&text, table, i);
        sim_text_add(&text, i + 1 < table->count ? ",\n" : "\n");
    }
    sim_text_add(&text, "  ]\n}\n");
    return take(&text);
}

/* ---- files ---- */

bool sim_study_export(const struct sim_study_table *table, const char *folder, struct sim_located_error *error) {
    const struct {
        const char *name;
        char *(*text)(const struct sim_study_table *table);
    } files[] = {{"study.csv", sim_study_csv}, {"summary.json", sim_study_summary_json}};
    bool good = true;
    for (size_t i = 0; i < 2 && good; i++) {
        char *path, *text = files[i].text(table);
        if (asprintf(&path, "%s/%s", folder, files[i].name) < 0)
            sim_out_of_memory();
        good = sim_file_replace(path, text, error);
        free(path);
        free(text);
    }
    return good;
}
