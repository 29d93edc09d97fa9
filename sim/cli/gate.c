#include "gate.h"

#include "../memory.h"
#include "../results/file.h"
#include "../results/results.h"
#include "../results/text.h"
#include "markdown.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* Beyond so many cases a job's summary shows only what did not pass: it may have 1 MiB. */
enum { MARKDOWN_CASES_MAX = 200 };

/* ---- cases ---- */

void cli_gate_add_rule(struct cli_gate *gate, const char *suite, const char *configuration, const char *file,
                       const char *rule, enum sim_verdict verdict, const char *detail) {
    if (gate->count == gate->room) {
        gate->room = gate->room ? 2 * gate->room : 16;
        gate->cases = sim_realloc(gate->cases, gate->room, sizeof *gate->cases);
    }
    gate->cases[gate->count++] = (struct cli_case){.suite = sim_strdup(suite),
                                                   .configuration = sim_strdup(configuration),
                                                   .rule = sim_strdup(rule),
                                                   .detail = sim_strdup(detail),
                                                   .file = sim_strdup(file),
                                                   .verdict = verdict};
}

void cli_gate_add(struct cli_gate *gate, const char *suite, const char *configuration, const char *file,
                  const struct sim_slo *slo, const struct sim_slo_result *verdict) {
    char detail[512];
    cli_gate_add_rule(gate, suite, configuration, file, slo->text, verdict->verdict,
                      cli_slo_detail(slo, verdict, detail, sizeof detail));
}

void cli_gate_finish(struct cli_gate *gate) {
    for (size_t i = 0; i < gate->count; i++) {
        free(gate->cases[i].suite);
        free(gate->cases[i].configuration);
        free(gate->cases[i].rule);
        free(gate->cases[i].detail);
        free(gate->cases[i].file);
    }
    free(gate->cases);
    *gate = (struct cli_gate){0};
}

static size_t count_of(const struct cli_gate *gate, size_t from, size_t to, enum sim_verdict verdict) {
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        count += gate->cases[i].verdict == verdict;
    return count;
}

enum cli_exit cli_gate_exit(const struct cli_gate *gate) {
    if (count_of(gate, 0, gate->count, SIM_FAIL))
        return CLI_FAILED_SLO;
    return count_of(gate, 0, gate->count, SIM_INCONCLUSIVE) ? CLI_INCONCLUSIVE : CLI_OK;
}

/* ---- JUnit ---- */

/* Text of an XML attribute. Control characters, which XML 1.0 cannot say, become '?'. */
static void add_xml(struct sim_text *text, const char *string) {
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        const char *entity = byte == '&'   ? "&amp;"
                             : byte == '<' ? "&lt;"
                             : byte == '>' ? "&gt;"
                             : byte == '"' ? "&quot;"
                                           : NULL;
        if (entity)
            sim_text_add(text, entity);
        else
            sim_text_append(text, byte < 0x20 || byte == 0x7f ? "?" : string, 1);
    }
}

static void add_attribute(struct sim_text *text, const char *name, const char *value) {
    sim_text_printf(text, " %s=\"", name);
    add_xml(text, value);
    sim_text_add(text, "\"");
}

/* JUnit knows no third verdict; an inconclusive case is an error, so that no dashboard shows it green. */
static void add_junit_case(struct sim_text *text, const struct cli_case *one) {
    char *class_name;
    if (asprintf(&class_name, "%s%s%s", one->suite, *one->configuration ? ": " : "", one->configuration) < 0)
        sim_out_of_memory();
    sim_text_add(text, "    <testcase");
    add_attribute(text, "classname", class_name);
    add_attribute(text, "name", one->rule);
    free(class_name);
    if (one->verdict == SIM_PASS) {
        sim_text_add(text, "/>\n");
        return;
    }
    sim_text_printf(text, ">\n      <%s", one->verdict == SIM_FAIL ? "failure" : "error");
    add_attribute(text, "type", sim_verdict_word(one->verdict));
    add_attribute(text, "message", one->detail);
    sim_text_add(text, "/>\n    </testcase>\n");
}

static void add_counts(struct sim_text *text, const struct cli_gate *gate, size_t from, size_t to) {
    sim_text_printf(text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\">\n", to - from,
                    count_of(gate, from, to, SIM_FAIL), count_of(gate, from, to, SIM_INCONCLUSIVE));
}

static void add_junit(struct sim_text *text, const struct cli_gate *gate) {
    sim_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fairlane\"");
    add_counts(text, gate, 0, gate->count);
    for (size_t from = 0, to; from < gate->count; from = to) {
        for (to = from; to < gate->count && !strcmp(gate->cases[to].suite, gate->cases[from].suite);)
            to++;
        sim_text_add(text, "  <testsuite");
        add_attribute(text, "name", gate->cases[from].suite);
        add_counts(text, gate, from, to);
        for (size_t i = from; i < to; i++)
            add_junit_case(text, &gate->cases[i]);
        sim_text_add(text, "  </testsuite>\n");
    }
    sim_text_add(text, "</testsuites>\n");
}

/* ---- Markdown ---- */

static void add_markdown_row(struct sim_text *text, const struct cli_case *one) {
    static const char *const words[] = {"pass", "**FAIL**", "**inconclusive**"};
    const char *const cells[] = {one->suite, one->configuration, one->rule, one->detail};
    sim_text_printf(text, "| %s |", words[one->verdict]);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cli_markdown_cell(text, cells[i]);
    sim_text_add(text, "\n");
}

static void add_markdown(struct sim_text *text, const struct cli_gate *gate) {
    size_t passed = count_of(gate, 0, gate->count, SIM_PASS);
    bool all = gate->count <= MARKDOWN_CASES_MAX;
    sim_text_printf(text, "### Fairlane: %zu passed, %zu failed, %zu inconclusive\n\n", passed,
                    count_of(gate, 0, gate->count, SIM_FAIL), count_of(gate, 0, gate->count, SIM_INCONCLUSIVE));
    if (!gate->count) {
        sim_text_add(text, "There is no SLO to judge.\n");
        return;
    }
    sim_text_add(text, "| Verdict | Of | Configuration | SLO | Measured |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < gate->count; i++)
        if (all || gate->cases[i].verdict != SIM_PASS)
            add_markdown_row(text, &gate->cases[i]);
    if (!all)
        sim_text_printf(text, "\n%zu that passed are not listed.\n", passed);
}

/* ---- annotations ---- */

/* Text of a GitHub workflow command: its message, or one of its properties, in which ':' and ',' have a meaning. */
static void add_command(struct sim_text *text, const char *string, bool property) {
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        if (byte < 0x20 || byte == '%' || (property && (byte == ':' || byte == ',')))
            sim_text_printf(text, "%%%02X", byte);
        else
            sim_text_append(text, string, 1);
    }
}

static void add_annotation(struct sim_text *text, const struct cli_case *one) {
    if (one->verdict == SIM_PASS)
        return;
    sim_text_add(text, one->verdict == SIM_FAIL ? "::error file=" : "::warning file=");
    add_command(text, one->file, true);
    sim_text_add(text, ",title=");
    add_command(text, one->suite, true);
    add_command(text, ": ", true);
    add_command(text, sim_verdict_word(one->verdict), true);
    sim_text_add(text, "::");
    add_command(text, one->rule, false);
    sim_text_add(text, *one->configuration ? " with " : "");
    add_command(text, one->configuration, false);
    sim_text_add(text, ": ");
    add_command(text, one->detail, false);
    sim_text_add(text, "\n");
}

static void add_annotations(struct sim_text *text, const struct cli_gate *gate) {
    for (size_t i = 0; i < gate->count; i++)
        add_annotation(text, &gate->cases[i]);
}

/* ---- all ---- */

static char *text_of(const struct cli_gate *gate, void (*add)(struct sim_text *text, const struct cli_gate *gate)) {
    struct sim_text text = {0};
    add(&text, gate);
    char *bytes = sim_text_take(&text);
    if (!bytes)
        sim_out_of_memory();
    return bytes;
}

static bool write_file(const struct cli_gate *gate, void (*add)(struct sim_text *text, const struct cli_gate *gate),
                       const char *path, struct sim_located_error *error) {
    if (!path)
        return true;
    char *text = text_of(gate, add);
    bool good = sim_file_replace(path, text, error);
    free(text);
    return good;
}

bool cli_gate_write(const struct cli_gate *gate, const struct cli_options *options, struct sim_located_error *error) {
    if (options->annotations) {
        /* With --json standard output is JSON and nothing else; GitHub reads both streams. */
        char *text = text_of(gate, add_annotations);
        fputs(text, options->json ? stderr : stdout);
        free(text);
    }
    return write_file(gate, add_junit, options->junit, error) &&
           write_file(gate, add_markdown, options->markdown, error);
}
