/* The report of a comparison. */
#include "page.h"

#include "../plot/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t count_changes(const cJSON *metrics, const char *word) {
    const cJSON *metric;
    size_t count = 0;
    cJSON_ArrayForEach(metric, metrics) count += !strcmp(sim_json_text_at(metric, "change"), word);
    return count;
}

static void add_rules(struct sim_page *page, const cJSON *rules) {
    static const char *const heads[] = {"rule", "verdict", "#threshold", "why", NULL};
    const cJSON *rule;
    sim_html_table(&page->body, "Rules that a build may fail on", false, heads);
    cJSON_ArrayForEach(rule, rules) {
        sim_html_row(&page->body);
        sim_html_head_cell(&page->body, sim_json_text_at(rule, "text"));
        sim_text_add(&page->body, "<td>");
        sim_html_verdict(&page->body, sim_json_text_at(rule, "verdict"));
        sim_text_add(&page->body, "</td>");
        sim_html_number_cell(&page->body, sim_json_number_at(rule, "threshold"), NAN, "");
        sim_html_long_cell(&page->body, sim_json_text_at(rule, "why"));
        sim_html_row_end(&page->body);
    }
    sim_html_table_end(&page->body);
}

static void add_verdict(struct sim_page *page) {
    const cJSON *rules = sim_json_at(page->view->summary, "fail_on"),
                *metrics = sim_json_at(page->view->summary, "metrics");
    struct sim_page_counts counts = sim_page_count(rules);
    size_t better = count_changes(metrics, "better"), worse = count_changes(metrics, "worse");
    char sentence[220];
    size_t rule_count = counts.pass + counts.fail + counts.inconclusive;
    int length = 0;
    sim_page_section(page, "verdict", "Verdict");
    if (counts.fail)
        length = snprintf(sentence, sizeof sentence, "%zu of %zu rules are broken. ", counts.fail, rule_count);
    else if (counts.inconclusive)
        length = snprintf(sentence, sizeof sentence, "No rule is surely broken, but %zu of %zu may be. ",
                          counts.inconclusive, rule_count);
    else if (rule_count)
        length = snprintf(sentence, sizeof sentence, "No rule is broken. ");
    snprintf(sentence + length, sizeof sentence - (size_t)length,
             "Of %d figures B is surely better in %zu and surely worse in %zu.", cJSON_GetArraySize(metrics), better,
             worse);
    sim_page_verdict(page, sim_page_worst(counts), rule_count ? NULL : "NO RULES", sentence);
    if (cJSON_GetArraySize(rules))
        add_rules(page, rules);
    sim_page_section_end(page);
}

static void add_change(struct sim_page *page, const cJSON *metric) {
    struct sim_text *html = &page->body;
    const char *unit = sim_json_text_at(metric, "unit"), *shown = strcmp(unit, "1") ? unit : "";
    double p = sim_json_number_at(metric, "p_holm");
    sim_html_row(html);
    sim_html_head_cell(html, metric->string);
    sim_html_text_cell(html, sim_json_text_at(metric, "change"));
    sim_html_number_cell(html, sim_json_number_at(metric, "a"), sim_json_number_at(metric, "a_beyond"), shown);
    sim_html_number_cell(html, sim_json_number_at(metric, "b"), sim_json_number_at(metric, "b_beyond"), shown);
    sim_html_number_cell(html, sim_json_number_at(metric, "difference"), NAN, shown);
    sim_html_interval_cell(html, sim_json_number_at(metric, "lo"), sim_json_number_at(metric, "hi"));
    sim_html_number_cell(html, 100 * sim_json_number_at(metric, "relative"), NAN, "%");
    if (p < 0.001)
        sim_text_printf(html, "<td class=n data-v=\"%.3g\">&lt; 0.001</td>", p);
    else
        sim_html_number_cell(html, p, NAN, "");
    sim_html_row_end(html);
}

static void add_changes(struct sim_page *page) {
    static const char *const heads[] = {"figure", "change", "#A", "#B", "#B less A", "[", "#share of A", "#p", NULL};
    const cJSON *metric;
    sim_page_section(page, "changes", "Changes");
    sim_html_table(&page->body, "Changes from A to B", true, heads);
    cJSON_ArrayForEach(metric, sim_json_at(page->view->summary, "metrics")) add_change(page, metric);
    sim_html_table_end(&page->body);
    sim_html_element(
        &page->body, "p class=note",
        "B less A, paired by replication; intervals 95 %, each by itself. p is adjusted (Holm) for the number of "
        "figures: up to .05 the change is no chance. A question mark: only the figure's own interval excludes 0.");
    sim_page_section_end(page);
}

static void add_side(struct sim_page *page, const char *side) {
    char path[32], text[160];
    snprintf(path, sizeof path, "%s/scenario", side);
    const char *scenario = sim_json_text_at(page->view->summary, path);
    snprintf(path, sizeof path, "%s/hash", side);
    snprintf(text, sizeof text, "%.80s, hash %.16s", scenario, sim_json_text_at(page->view->summary, path));
    sim_page_fact(page, *side == 'a' ? "A" : "B", text);
}

void sim_page_comparison(struct sim_page *page) {
    page->kind = "Comparison";
    sim_text_printf(&page->title, "%s against %s", sim_json_text_at(page->view->summary, "b/scenario"),
                    sim_json_text_at(page->view->summary, "a/scenario"));
    page->name = page->title.bytes;
    add_verdict(page);
    sim_page_pictures(page);
    add_changes(page);
    sim_page_section(page, "run", "What was compared");
    sim_text_add(&page->body, "<dl class=facts>\n");
    add_side(page, "a");
    add_side(page, "b");
    sim_page_fact(page, "seed", sim_json_text_at(page->view->summary, "seed"));
    sim_page_number_fact(page, "pairs", sim_json_number_at(page->view->summary, "replications"), "of replications");
    sim_page_fact(page, "version", sim_json_text_at(page->view->manifest, "version"));
    sim_text_add(&page->body, "</dl>\n");
    sim_page_section_end(page);
}
