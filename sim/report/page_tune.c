/* The report of a tune. */
#include "page.h"

#include "../plot/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdict and recommendation ---- */

static void add_verdict(struct sim_page *page) {
    static const struct {
        const char *verdict, *colour, *word;
    } words[] = {{"recommended", "pass", "RECOMMENDED"},
                 {"no_better", "pass", "NO BETTER"},
                 {"inconclusive", "inconclusive", "INCONCLUSIVE"},
                 {"nothing_feasible", "fail", "NOTHING KEEPS THE SLOS"}};
    const cJSON *summary = page->view->summary, *change = sim_json_at(summary, "confirmation/difference");
    const char *verdict = sim_json_text_at(summary, "verdict"),
               *label = sim_json_text_at(summary, "recommendation/label");
    bool recommended = !strcmp(verdict, "recommended");
    struct sim_text sentence = {0};
    sim_page_section(page, "verdict", "Verdict");
    if (recommended)
        sim_text_printf(&sentence, "%s: ", label);
    else
        sim_text_add(&sentence, "No change is recommended: ");
    sim_text_printf(&sentence, "%s.", sim_json_text_at(summary, "why"));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(verdict, words[i].verdict))
            sim_page_verdict(page, words[i].colour, words[i].word, sentence.bytes);
    free(sentence.bytes);
    if (isfinite(sim_json_number_at(change, "value"))) {
        sim_text_printf(&page->body,
                        "<p>On fresh seeds the winner's %s differs from the baseline's by <strong>%s</strong> ",
                        *sim_json_text_at(summary, "goal/figure") ? "goal" : "phi, ln of the worst p99 / its limit,",
                        sim_draw_number(sim_json_number_at(change, "value")).text);
        sim_text_printf(&page->body, "<span class=i>[%s, ", sim_draw_number(sim_json_number_at(change, "lo")).text);
        sim_text_printf(&page->body, "%s]</span>; less is better.</p>\n",
                        sim_draw_number(sim_json_number_at(change, "hi")).text);
    }
    sim_page_section_end(page);
}

static void add_patch(struct sim_page *page) {
    const cJSON *summary = page->view->summary;
    if (!page->view->recommended_text || !cJSON_IsObject(sim_json_at(summary, "recommendation")))
        return;
    sim_page_section(page, "patch", "Recommended patch");
    sim_html_element(&page->body, "p",
                     "Save it as recommended.json, then: fairlane run SCENARIO --set-file recommended.json");
    sim_html_element(&page->body, "pre class=copyable tabindex=0", page->view->recommended_text);
    sim_page_section_end(page);
}

/* ---- confirmation ---- */

static const cJSON *same_slo(const cJSON *slos, const char *text) {
    const cJSON *slo;
    cJSON_ArrayForEach(slo, slos) {
        if (!strcmp(sim_json_text_at(slo, "text"), text))
            return slo;
    }
    return NULL;
}

static void add_side(struct sim_text *html, const cJSON *slo) {
    const char *unit = sim_json_text_at(slo, "unit");
    sim_html_number_cell(html, sim_json_number_at(slo, "value"), sim_json_number_at(slo, "beyond"),
                         strcmp(unit, "1") ? unit : "");
    sim_html_interval_cell(html, sim_json_number_at(slo, "lo"), sim_json_number_at(slo, "hi"));
    sim_text_add(html, "<td>");
    sim_html_verdict(html, sim_json_text_at(slo, "verdict"));
    sim_text_add(html, "</td>");
}

static void add_confirmation(struct sim_page *page) {
    static const char *const heads[] = {"SLO", "#baseline", "[", "verdict", "#winner", "[", "verdict", NULL};
    const cJSON *confirmation = sim_json_at(page->view->summary, "confirmation"), *slo;
    const cJSON *winner = sim_json_at(confirmation, "winner/slo");
    if (!confirmation)
        return;
    sim_page_section(page, "confirmation", "Confirmed on fresh seeds");
    sim_html_table(&page->body, "SLOs of baseline and winner", false, heads);
    cJSON_ArrayForEach(slo, sim_json_at(confirmation, "baseline/slo")) {
        sim_html_row(&page->body);
        sim_html_head_cell(&page->body, sim_json_text_at(slo, "text"));
        add_side(&page->body, slo);
        add_side(&page->body, same_slo(winner, sim_json_text_at(slo, "text")));
        sim_html_row_end(&page->body);
    }
    sim_html_table_end(&page->body);
    sim_text_add(&page->body, "<dl class=facts>\n");
    sim_page_fact(page, "throughput of the winner, at least 99 % of the baseline's",
                  sim_json_text_at(confirmation, "winner/throughput"));
    sim_page_fact(page, "what binds it most", sim_json_text_at(confirmation, "winner/tightest_rule"));
    sim_page_fact(page, "limit that binds", sim_json_text_at(confirmation, "winner/binding/limit"));
    sim_page_number_fact(page, "replications", sim_json_number_at(confirmation, "replications"),
                         "of both, on a third block of seeds");
    sim_text_add(&page->body, "</dl>\n");
    sim_page_section_end(page);
}

/* ---- how it was found ---- */

static void add_guarantee(struct sim_page *page) {
    const cJSON *selection = sim_json_at(page->view->summary, "selection"),
                *check = sim_json_at(selection, "normality");
    const char *words = sim_json_text_at(selection, "guarantee");
    if (!*words)
        return;
    sim_page_section(page, "guarantee", "The guarantee, and what it rests on");
    sim_html_element(&page->body, "p", words);
    sim_text_add(&page->body, "<dl class=facts>\n");
    sim_page_fact(page, "normality", cJSON_IsFalse(sim_json_at(check, "plausible")) ? "not plausible" : "plausible");
    sim_page_number_fact(page, "largest skewness", sim_json_number_at(check, "skewness"), "");
    sim_page_number_fact(page, "largest coefficient of variation", sim_json_number_at(check, "variation"), "");
    sim_text_add(&page->body, "</dl>\n");
    sim_page_section_end(page);
}

static void add_finalists(struct sim_page *page) {
    static const char *const heads[] = {"finalist", "#value", "[", "#observations", NULL};
    const cJSON *each, *finalists = sim_json_at(page->view->summary, "selection/finalists");
    if (!cJSON_GetArraySize(finalists))
        return;
    sim_html_table(&page->body, "Finalists", true, heads);
    cJSON_ArrayForEach(each, finalists) {
        sim_html_row(&page->body);
        sim_html_head_cell(&page->body, sim_json_text_at(each, "label"));
        sim_html_number_cell(&page->body, sim_json_number_at(each, "value/value"), NAN, "");
        sim_html_interval_cell(&page->body, sim_json_number_at(each, "value/lo"), sim_json_number_at(each, "value/hi"));
        sim_html_number_cell(&page->body, sim_json_number_at(each, "observations"), NAN, "");
        sim_html_row_end(&page->body);
    }
    sim_html_table_end(&page->body);
}

/* Row of pareto.csv about a candidate; rows where there is none. */
static size_t front_row(const struct sim_csv_table *table, double candidate) {
    size_t column = sim_csv_column(table, "candidate"), row = 0;
    while (row < table->rows && sim_csv_number(table, row, column) != candidate)
        row++;
    return row;
}

static void add_front(struct sim_page *page) {
    const struct sim_csv_table *table = &page->view->pareto;
    const char *figure = sim_json_text_at(page->view->summary, "goal/figure"), *goal = *figure ? figure : "phi";
    const char *const figures[] = {goal, "jain.service", "throughput.jobs_per_s"};
    const char *const heads[] = {
        "on the front", *figure ? "#goal" : "#phi", "[", "#jain.service", "[", "#jobs/s", "[", NULL};
    const cJSON *each, *front = sim_json_at(page->view->summary, "pareto");
    if (!cJSON_GetArraySize(front))
        return;
    sim_html_element(&page->body, "h3", "Pareto front: dominated by no other with confidence");
    sim_html_table(&page->body, "Pareto front", true, heads);
    cJSON_ArrayForEach(each, front) {
        size_t row = front_row(table, sim_json_number_at(each, "candidate"));
        sim_html_row(&page->body);
        sim_html_head_cell(&page->body, sim_json_text_at(each, "label"));
        for (size_t i = 0; i < 3 && row < table->rows; i++) {
            sim_html_number_cell(&page->body, sim_csv_number(table, row, sim_csv_figure(table, figures[i], "")), NAN,
                                 "");
            sim_html_interval_cell(&page->body, sim_csv_number(table, row, sim_csv_figure(table, figures[i], "_lo")),
                                   sim_csv_number(table, row, sim_csv_figure(table, figures[i], "_hi")));
        }
        sim_html_row_end(&page->body);
    }
    sim_html_table_end(&page->body);
}

static void add_run(struct sim_page *page) {
    const cJSON *summary = page->view->summary;
    sim_page_section(page, "run", "What was run");
    sim_text_add(&page->body, "<dl class=facts>\n");
    sim_page_fact(page, "study", sim_json_text_at(summary, "study"));
    sim_page_fact(page, "scenario", sim_json_text_at(summary, "scenario"));
    sim_page_number_fact(page, "candidates", sim_json_number_at(summary, "candidates"), "");
    sim_page_number_fact(page, "replications", sim_json_number_at(summary, "replications"), "in all");
    sim_page_fact(page, "seed of the search", sim_json_text_at(summary, "seeds/search"));
    sim_page_fact(page, "seed of the selection", sim_json_text_at(summary, "seeds/selection"));
    sim_page_fact(page, "seed of the confirmation", sim_json_text_at(summary, "seeds/confirmation"));
    sim_page_number_fact(page, "model version", sim_json_number_at(summary, "model_version"), "");
    sim_page_fact(page, "version", sim_json_text_at(page->view->manifest, "version"));
    sim_text_add(&page->body, "</dl>\n");
    sim_page_folded_json(page, "The study", sim_json_at(page->view->manifest, "study"));
    sim_page_folded_json(page, "The scenario as it was resolved", sim_json_at(page->view->manifest, "scenario"));
    sim_page_section_end(page);
}

void sim_page_tune(struct sim_page *page) {
    const cJSON *summary = page->view->summary;
    page->kind = "Tuning run";
    page->name = sim_json_text_at(summary, "study");
    page->about = sim_json_text_at(page->view->manifest, "study/about");
    add_verdict(page);
    add_patch(page);
    add_confirmation(page);
    add_guarantee(page);
    sim_page_pictures(page);
    sim_page_section(page, "candidates", "Finalists and front");
    add_finalists(page);
    add_front(page);
    sim_page_section_end(page);
    add_run(page);
}
