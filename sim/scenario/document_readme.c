/* scenarios/README.md: every key, by object. */
#include "document.h"

#include "keys.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MAX = 100 };

struct writer {
    FILE *out;
    const struct sim_table *written[TABLES_MAX];
    size_t count;
};

static const char opening[] =
    "# Scenarios: every key\n"
    "\n"
    "This file is generated from the table that reads scenarios (`sim/scenario/keys_*.c`); change it there.\n"
    "`schema/scenario.schema.json` says the same to editors: name it in `$schema`.\n"
    "\n"
    "A scenario is one JSON file, version 1, read strictly: unknown and duplicate keys, wrong types and values out of\n"
    "range are refused with file, line, path, what was expected and what was found. `null` means absent. Any object "
    "may\n"
    "hold a `$comment`, a string. Neither that nor `$schema` changes results or the scenario's hash. A file has at "
    "most\n"
    "16 MiB, 64 levels and 2,000,000 values, an object 4,096 keys, a number 63 characters.\n"
    "\n"
    "## How files combine\n"
    "\n"
    "`\"extends\": \"other.json\"` starts from another file, named relative to the one that says so, up to 16 in a "
    "chain;\n"
    "`endpoint.preset` from a built-in endpoint; `--set-file FILE` lays a file over the result, and `--set PATH=VALUE` "
    "one\n"
    "value, in order. Objects merge deeply. Arrays are replaced whole, and so is a distribution or an arrival process "
    "by\n"
    "one of another kind; within a kind, one parameter changes and the others stay. Where a kind has two ways to be "
    "given\n"
    "(`median` and `sigma` or two percentiles; `at_s` or `every_s`), naming one way drops the other. A number given "
    "for\n"
    "`burst_s` is spread over its keys when one of them is set.\n"
    "\n"
    "A path has keys and indices, joined by dots; an element with an `id` can be named by it:\n"
    "`scheduler.tenants.quantum=8`, `tenants.0.plan=pro`, `tenants.hog.plan=pro`. A value is JSON; anything that is "
    "not is a\n"
    "string. The digits of `--set seed=` are taken as they are, beyond 2^53 too.\n"
    "\n"
    "`run manifest.json` repeats a run: its scenario is complete, and a trace that has changed since is refused.\n"
    "\n"
    "A scenario has at most 100,000 tenants and 200,000 streams after `count` and `population` are expanded, and at "
    "most\n"
    "2,000,000 replications x tenants.\n";

static const char *type_of(const struct sim_key *row) {
    switch (row->type) {
    case SIM_KEY_BOOL:
        return "boolean";
    case SIM_KEY_INTEGER:
        return "whole number";
    case SIM_KEY_NUMBER:
        return row->words == NULL ? "number" : "number, or word";
    case SIM_KEY_TEXT:
        return "string";
    case SIM_KEY_NAME:
        return "name";
    case SIM_KEY_SEED:
        return "digits";
    case SIM_KEY_TIMESTAMP:
        return "time, RFC 3339";
    case SIM_KEY_FILE:
        return "file";
    case SIM_KEY_WORD:
        return "word";
    case SIM_KEY_WORDS:
        return "list of words";
    case SIM_KEY_TEXTS:
        return "list of strings";
    case SIM_KEY_NUMBERS:
        return "list of numbers";
    case SIM_KEY_NUMBER_OR_LIST:
        return "number, or list of numbers";
    case SIM_KEY_NUMBER_OR_OBJECT:
        return "number, or object";
    case SIM_KEY_VALUES_OR_OBJECT:
        return "list of values, or object";
    case SIM_KEY_OBJECT:
        return "object";
    case SIM_KEY_LIST:
        return row->element->type == SIM_KEY_OBJECT ? "list of objects" : "list of lists of strings";
    case SIM_KEY_OBJECT_OR_LIST:
        return "object, or list of objects";
    case SIM_KEY_MAP:
        return row->element->type == SIM_KEY_NUMBER   ? "names with numbers"
               : row->element->type == SIM_KEY_OBJECT ? "names with objects"
                                                      : "names with lists of values, or objects";
    case SIM_KEY_CHOICE:
        return "object with one of the kinds";
    case SIM_KEY_DISTRIBUTION:
        return "distribution";
    }
    assert(false);
    return "";
}

static void write_range(const struct writer *writer, const struct sim_key *row) {
    switch (row->type) {
    case SIM_KEY_WORD:
    case SIM_KEY_WORDS:
        for (size_t i = 0; row->words[i] != NULL; i++)
            fprintf(writer->out, "%s`%s`", i > 0 ? ", " : "", row->words[i]);
        break;
    case SIM_KEY_INTEGER:
    case SIM_KEY_NUMBER:
    case SIM_KEY_NUMBER_OR_LIST:
    case SIM_KEY_NUMBER_OR_OBJECT:
    case SIM_KEY_DISTRIBUTION:
    case SIM_KEY_NUMBERS:
        if (row->max > row->min)
            fprintf(writer->out, "%.15g ... %.15g", row->min, row->max);
        else
            fprintf(writer->out, "%.15g", row->min);
        if (row->words != NULL)
            fprintf(writer->out, ", `%s`", row->words[0]);
        break;
    default:
        break;
    }
    if (row->type == SIM_KEY_NUMBERS || row->type == SIM_KEY_NUMBER_OR_LIST || strcmp(row->name, "p*") == 0)
        fprintf(writer->out, "; %zu to %zu of them", row->count_min, row->count_max);
}

static void write_default(const struct writer *writer, const struct sim_key *row) {
    if (row->required)
        fputs("required", writer->out);
    else if (row->initial != NULL)
        fprintf(writer->out, "`%s`", row->initial);
    else if (row->otherwise != NULL)
        fputs(row->otherwise, writer->out);
}

static const struct sim_table *table_below(const struct sim_key *row) {
    return row->element != NULL ? row->element->table : row->table;
}

static void write_rows(const struct writer *writer, const struct sim_table *table, const char *prefix) {
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++) {
        fprintf(writer->out, "| `%s%s` | %s%s%s%s | ", prefix, row->name, type_of(row), row->unit != NULL ? ", " : "",
                row->unit != NULL ? row->unit : "", row->group > 1 ? " (alternative)" : "");
        write_range(writer, row);
        fputs(" | ", writer->out);
        write_default(writer, row);
        fprintf(writer->out, " | %s |\n", row->help);
        const struct sim_table *below = table_below(row);
        if (below != NULL && below->title == NULL) {
            char longer[128];
            snprintf(longer, sizeof longer, "%s%s.", prefix, row->name);
            write_rows(writer, below, longer);
        }
    }
}

static bool is_written(const struct writer *writer, const struct sim_table *table) {
    for (size_t i = 0; i < writer->count; i++)
        if (writer->written[i] == table || strcmp(writer->written[i]->title, table->title) == 0)
            return true;
    return false;
}

/** One section, then those of the objects below it. */
static void write_section(struct writer *writer, const struct sim_table *table) {
    if (table->title == NULL || is_written(writer, table))
        return;
    assert(writer->count < TABLES_MAX);
    writer->written[writer->count++] = table;
    fprintf(writer->out, "\n## %s\n\n", table->title);
    if (table->about != NULL)
        fprintf(writer->out, "%s\n\n", table->about);
    fputs("| Key | Type | Range | Default | Meaning |\n| --- | --- | --- | --- | --- |\n", writer->out);
    write_rows(writer, table, "");
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++)
        if (table_below(row) != NULL)
            write_section(writer, table_below(row));
}

static char *write_all(const char *beginning, const struct sim_table *const *tables, size_t count) {
    char *text = NULL;
    size_t length = 0;
    struct writer writer = {.out = open_memstream(&text, &length)};
    assert(writer.out != NULL);
    fputs(beginning, writer.out);
    for (size_t i = 0; i < count; i++)
        write_section(&writer, tables[i]);
    int failed = fclose(writer.out);
    assert(failed == 0);
    return text;
}

char *sim_document_readme(void) {
    return write_all(opening, (const struct sim_table *[]){sim_scenario_key.table, &sim_distribution_table}, 2);
}

char *sim_document_readme_of(const char *beginning, const struct sim_key *root) {
    return write_all(beginning, &root->table, 1);
}
