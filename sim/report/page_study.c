/* The report of a study. */
#include "page.h"

#include "../memory.h"
#include "../plot/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Configurations that a table lists; study.csv has all. */
enum { ROWS_MAX = 1000, COLUMNS_MAX = 80 };

/* ---- verdict ---- */

struct tally {
    size_t pass, fail, doubt, failed, all;
};

static struct tally count_configurations(const cJSON *configurations) {
    struct tally tally = {0};
    const cJSON *each;
    cJSON_ArrayForEach(each, configurations) {
        struct sim_page_counts counts = sim_page_count(sim_json_at(each, "slo"));
        bool failure = *sim_json_text_at(each, "failure");
        tally.all++;
        tally.failed += failure;
        tally.fail += counts.fail || failure;
        tally.doubt += !failure && !counts.fail && counts.inconclusive;
        tally.pass += !failure && !counts.fail && !counts.inconclusive && counts.pass;
    }
    return tally;
}

static const cJSON *numbered(const cJSON *configurations, double number) {
    return number >= 1 ? cJSON_GetArrayItem(configurations, (int)number - 1) : NULL;
}

static void add_best(struct sim_page *page, const cJSON *configurations) {
    static const char *const heads[] = {"objective", "best", "#value", "[", "SLOs", NULL};
    const cJSON *objective, *objectives = sim_json_at(page->view->summary, "objectives");
    if (!cJSON_GetArraySize(objectives))
        return;
    sim_html_element(&page->body, "h3", "Best by each objective");
    sim_html_table(&page->body, "Best configuration by each objective", false, heads);
    cJSON_ArrayForEach(objective, objectives) {
        const cJSON *best = numbered(configurations, sim_json_number_at(objective, "best"));
        const char *figure = sim_json_text_at(objective, "figure");
        const cJSON *metric = sim_json_at(sim_json_at(best, "metrics"), figure);
        const char *unit = sim_json_text_at(metric, "unit");
        char name[160];
        snprintf(name, sizeof name, "%s %s", sim_json_text_at(objective, "aim"), figure);
        sim_html_row(&page->body);
        sim_html_head_cell(&page->body, name);
        sim_html_long_cell(&page->body, best ? sim_json_text_at(best, "label") : "none");
        sim_html_number_cell(&page->body, sim_json_number_at(metric, "value"), sim_json_number_at(metric, "beyond"),
                             strcmp(unit, "1") ? unit : "");
        sim_html_interval_cell(&page->body, sim_json_number_at(metric, "lo"), sim_json_number_at(metric, "hi"));
        sim_text_add(&page->body, "<td>");
        sim_html_verdict(&page->body, sim_page_worst(sim_page_count(sim_json_at(best, "slo"))));
        sim_text_add(&page->body, "</td>");
        sim_html_row_end(&page->body);
    }
    sim_html_table_end(&page->body);
    sim_html_element(
        &page->body, "p class=note",
        "The best by its estimate alone, among those that break no SLO if there are any. Neighbours whose intervals "
        "overlap may be as good; fairlane tune chooses with a guarantee.");
}

static void add_verdict(struct sim_page *page, const cJSON *configurations) {
    struct tally tally = count_configurations(configurations);
    char sentence[200];
    sim_page_section(page, "verdict", "Verdict");
    const char *verdict = tally.pass && tally.pass == tally.all   ? "pass"
                          : tally.fail && tally.fail == tally.all ? "fail"
                          : tally.doubt && !tally.pass            ? "inconclusive"
                                                                  : "";
    bool judged = tally.pass || tally.fail || tally.doubt;
    if (judged)
        snprintf(sentence, sizeof sentence,
                 "%zu of %zu configurations keep every SLO; %zu break one, %zu cannot be decided.", tally.pass,
                 tally.all, tally.fail, tally.doubt);
    else
        snprintf(sentence, sizeof sentence, "%zu configurations; the study has no SLO.", tally.all);
    sim_page_verdict(page, verdict, judged && !*verdict ? "MIXED" : NULL, sentence);
    add_best(page, configurations);
    sim_page_section_end(page);
}

/* ---- configurations ---- */

/* Heads: number, knobs, figures, verdict; `owned` (free) holds those that are made. */
static size_t add_heads(const struct sim_page *page, const cJSON *configurations, const char **ret,
                        const char **figures, char **owned) {
    const cJSON *axis, *metric;
    size_t count = 0, figure_count = 0;
    ret[count++] = "#number";
    cJSON_ArrayForEach(axis, sim_json_at(page->view->summary, "axes")) {
        const char *dot = cJSON_IsString(axis) ? strrchr(axis->valuestring, '.') : NULL;
        if (count < COLUMNS_MAX / 2)
            ret[count++] = dot ? dot + 1 : cJSON_IsString(axis) ? axis->valuestring : "";
    }
    cJSON_ArrayForEach(metric, sim_json_at(cJSON_GetArrayItem(configurations, 0), "metrics")) {
        if (count + 3 < COLUMNS_MAX) {
            if (asprintf(&owned[figure_count], "#%s", metric->string) < 0)
                sim_out_of_memory();
            ret[count++] = owned[figure_count];
            figures[figure_count++] = metric->string;
            ret[count++] = "[";
        }
    }
    ret[count++] = "SLOs";
    ret[count] = NULL;
    return figure_count;
}

static void add_knob(struct sim_text *html, const cJSON *value) {
    struct sim_text json = {0};
    if (cJSON_IsNumber(value)) {
        sim_html_number_cell(html, value->valuedouble, NAN, "");
    } else if (cJSON_IsString(value)) {
        sim_html_text_cell(html, value->valuestring);
    } else {
        if (value)
            sim_text_json_value(&json, value, 0);
        sim_html_text_cell(html, value ? json.bytes : "");
    }
    free(json.bytes);
}

static void add_configuration(struct sim_page *page, const cJSON *each, const char *const *figures,
                              size_t figure_count) {
    const cJSON *axis, *knobs = sim_json_at(each, "knobs");
    char number[24];
    snprintf(number, sizeof number, "%.0f", sim_json_number_at(each, "number"));
    sim_html_row(&page->body);
    sim_text_printf(&page->body, "<th scope=row data-v=%s>%s</th>", number, number);
    cJSON_ArrayForEach(axis, sim_json_at(page->view->summary, "axes"))
        add_knob(&page->body, cJSON_IsString(axis) ? cJSON_GetObjectItemCaseSensitive(knobs, axis->valuestring) : NULL);
    for (size_t i = 0; i < figure_count; i++) {
        const cJSON *metric = cJSON_GetObjectItemCaseSensitive(sim_json_at(each, "metrics"), figures[i]);
        const char *unit = sim_json_text_at(metric, "unit");
        sim_html_number_cell(&page->body, sim_json_number_at(metric, "value"), sim_json_number_at(metric, "beyond"),
                             strcmp(unit, "1") ? unit : "");
        sim_html_interval_cell(&page->body, sim_json_number_at(metric, "lo"), sim_json_number_at(metric, "hi"));
    }
    const char *failure = sim_json_text_at(each, "failure");
    if (*failure) {
        sim_html_long_cell(&page->body, failure);
    } else {
        sim_text_add(&page->body, "<td>");
        sim_html_verdict(&page->body, sim_page_worst(sim_page_count(sim_json_at(each, "slo"))));
        sim_text_add(&page->body, "</td>");
    }
    sim_html_row_end(&page->body);
}

static void add_configurations(struct sim_page *page, const cJSON *configurations) {
    const char *heads[COLUMNS_MAX + 1], *figures[COLUMNS_MAX];
    char *owned[COLUMNS_MAX];
    size_t figure_count = add_heads(page, configurations, heads, figures, owned);
    const cJSON *each;
    int count = 0, all = cJSON_GetArraySize(configurations);
    sim_page_section(page, "configurations", "Configurations");
    if (all > ROWS_MAX)
        sim_text_printf(&page->body, "<p class=note>The first %d of %d; study.csv has all.</p>\n", ROWS_MAX, all);
    sim_html_table(&page->body, "Configurations", true, heads);
    cJSON_ArrayForEach(each, configurations) {
        if (count++ == ROWS_MAX)
            break;
        add_configuration(page, each, figures, figure_count);
    }
    sim_html_table_end(&page->body);
    sim_page_section_end(page);
    for (size_t i = 0; i < figure_count; i++)
        free(owned[i]);
}

/* ---- warnings ---- */

enum { WARNINGS_MAX = 200 };

static void add_warnings(struct sim_page *page, const cJSON *configurations) {
    static const char *const heads[] = {"configuration", "warning", NULL};
    const cJSON *each, *warning;
    size_t count = 0;
    sim_page_section(page, "warnings", "Warnings");
    size_t start = page->body.length;
    sim_html_table(&page->body, "Warnings", false, heads);
    cJSON_ArrayForEach(each, configurations) {
        cJSON_ArrayForEach(warning, sim_json_at(each, "warnings")) {
            if (!cJSON_IsString(warning) || count++ >= WARNINGS_MAX)
                continue;
            sim_html_row(&page->body);
            sim_html_head_cell(&page->body, sim_json_text_at(each, "label"));
            sim_html_long_cell(&page->body, warning->valuestring);
            sim_html_row_end(&page->body);
        }
    }
    sim_html_table_end(&page->body);
    if (!count) {
        sim_page_cut(page, start);
        sim_html_element(&page->body, "p", "None.");
    } else if (count > WARNINGS_MAX) {
        sim_text_printf(&page->body, "<p class=note>The first %d of %zu; summary.json has all.</p>\n", WARNINGS_MAX,
                        count);
    }
    sim_page_section_end(page);
}

/* ---- what was run ---- */

static void add_run(struct sim_page *page) {
    const cJSON *summary = page->view->summary, *axis;
    sim_page_section(page, "run", "What was run");
    sim_text_add(&page->body, "<dl class=facts>\n");
    sim_page_fact(page, "study", sim_json_text_at(summary, "study"));
    sim_page_fact(page, "scenario", sim_json_text_at(summary, "scenario"));
    sim_page_fact(page, "seed", sim_json_text_at(summary, "seed"));
    sim_page_fact(page, "design", sim_json_text_at(summary, "design"));
    sim_page_number_fact(page, "replications", sim_json_number_at(summary, "replications"), "of each configuration");
    sim_page_number_fact(page, "model version", sim_json_number_at(summary, "model_version"), "");
    cJSON_ArrayForEach(axis, sim_json_at(summary, "axes")) {
        if (cJSON_IsString(axis))
            sim_page_fact(page, "knob", axis->valuestring);
    }
    sim_text_add(&page->body, "</dl>\n");
    sim_html_element(&page->body, "p class=note",
                     "All configurations face the same work: jobs are drawn from the seed and the replication alone.");
    sim_page_section_end(page);
}

void sim_page_study(struct sim_page *page) {
    const cJSON *configurations = sim_json_at(page->view->summary, "configurations");
    page->kind = "Study";
    page->name = sim_json_text_at(page->view->summary, "study");
    page->about = sim_json_text_at(page->view->summary, "about");
    add_verdict(page, configurations);
    sim_page_pictures(page);
    if (cJSON_GetArraySize(configurations))
        add_configurations(page, configurations);
    add_warnings(page, configurations);
    add_run(page);
}
