/* The report of claims: what is stated, what was measured, why it comes out so. */
#include "page.h"

#include "../memory.h"
#include "../plot/claims_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *claims_of(const struct sim_page *page) {
    return sim_json_at(page->view->summary, "claims");
}

/* A cell of words, aligned as numbers are. */
static void add_words(struct sim_text *html, const char *words) {
    sim_text_add(html, "<td class=n>");
    sim_html_add(html, *words ? words : "-");
    sim_text_add(html, "</td>");
}

static void add_verdict_word(struct sim_text *html, const struct sim_shown_measure *measure) {
    if (measure->verdict == SIM_CLAIM_UNSTATED)
        sim_text_add(html, "no&nbsp;number");
    else
        sim_html_verdict(html, measure->verdict_word);
}

/* ---- verdict ---- */

static void add_verdict(struct sim_page *page) {
    size_t counts[SIM_CLAIM_VERDICTS];
    char sentence[240];
    sim_shown_count(page->view->summary, counts);
    size_t judged = counts[SIM_CLAIM_REPRODUCED] + counts[SIM_CLAIM_DIRECTION] + counts[SIM_CLAIM_NOT];
    const char *verdict = judged && counts[SIM_CLAIM_REPRODUCED] == judged ? "pass"
                          : judged && counts[SIM_CLAIM_NOT] == judged      ? "fail"
                                                                           : "";
    sim_page_section(page, "verdict", "Verdict");
    snprintf(sentence, sizeof sentence,
             "Of %zu claims: %zu reproduced, %zu in direction only, %zu not reproduced; %zu without a stated number.",
             judged + counts[SIM_CLAIM_UNSTATED], counts[SIM_CLAIM_REPRODUCED], counts[SIM_CLAIM_DIRECTION],
             counts[SIM_CLAIM_NOT], counts[SIM_CLAIM_UNSTATED]);
    sim_page_verdict(page, verdict,
                     !strcmp(verdict, "pass")   ? "REPRODUCED"
                     : !strcmp(verdict, "fail") ? "NOT REPRODUCED"
                     : judged                   ? "MIXED"
                                                : "NO NUMBERS",
                     sentence);
    sim_html_element(&page->body, "p class=note", sim_claim_legend);
    sim_page_section_end(page);
}

/* ---- all at once ---- */

/* What is said of the claim as a whole, under its name. */
static void add_claim_words(struct sim_text *html, const cJSON *claim, bool several) {
    const char *base = sim_json_text_at(claim, "on_base");
    if (!several && !*base)
        return;
    sim_text_add(html, "<span class=figure>");
    if (several)
        sim_html_add(html, sim_json_text_at(claim, "verdict"));
    sim_text_add(html, *base ? (several ? "; on the base: " : "on the base: ") : "");
    sim_html_add(html, base);
    sim_text_add(html, "</span>");
}

/* "9.8 s -> 1.7 s": both sides in the words of @p say; what is unknown is "-". */
static void add_pair(struct sim_text *html, const struct sim_shown_measure *measure,
                     struct sim_shown_words (*say)(const struct sim_shown_measure *, const struct sim_shown_side *)) {
    struct sim_shown_words before = say(measure, &measure->sides[0]), after = say(measure, &measure->sides[1]);
    sim_text_add(html, "<td>");
    if (*before.text || (*after.text && measure->sides[0].there)) {
        sim_html_add(html, *before.text ? before.text : "-");
        sim_text_add(html, " &rarr; ");
    }
    sim_html_add(html, *after.text ? after.text : "-");
    sim_text_add(html, "</td>");
}

/* Rows of a claim: its measures that decide, beside its name. */
static void add_overview_rows(struct sim_text *html, const cJSON *claim, size_t number) {
    const cJSON *each, *measures = sim_json_at(claim, "measures");
    const char *id = sim_json_text_at(claim, "id");
    size_t deciding = 0, row = 0;
    cJSON_ArrayForEach(each, measures) deciding += cJSON_IsTrue(sim_json_at(each, "decides")) != 0;
    cJSON_ArrayForEach(each, measures) {
        struct sim_shown_measure measure = sim_shown_measure(each);
        if (!measure.decides)
            continue;
        sim_html_row(html);
        if (row++ == 0) {
            sim_text_printf(html, "<th scope=%s rowspan=%zu><a href=\"#claim-%s\">%zu. ",
                            deciding > 1 ? "rowgroup" : "row", deciding, id, number);
            sim_html_add(html, id);
            sim_text_add(html, "</a>");
            add_claim_words(html, claim, deciding > 1);
            sim_text_add(html, "</th>");
        }
        sim_text_add(html, "<td class=t>");
        sim_html_add(html, measure.label);
        sim_text_add(html, "<br>");
        add_verdict_word(html, &measure);
        sim_text_add(html, "</td>");
        add_pair(html, &measure, sim_shown_stated);
        add_pair(html, &measure, sim_shown_full);
        sim_html_row_end(html);
    }
}

static const struct sim_plot *plot_called(const char *name) {
    const struct sim_plot *plot = sim_plots;
    while (strcmp(plot->name, name) != 0 || plot->kinds != SIM_VIEW_CLAIMS)
        plot++;
    return plot;
}

static void add_overview(struct sim_page *page) {
    static const char *const heads[] = {"claim", "measure", "stated", "ours", NULL};
    const struct sim_plot *plot = plot_called("claims");
    const cJSON *claim;
    size_t number = 0;
    sim_page_section(page, "overview", "All claims");
    sim_html_table(&page->body, "All claims", false, heads);
    cJSON_ArrayForEach(claim, claims_of(page)) add_overview_rows(&page->body, claim, ++number);
    sim_html_table_end(&page->body);
    if (sim_plot_applies(plot, page->view))
        sim_page_figure(page, plot, page->view, plot->title);
    sim_page_missing(page);
    sim_page_section_end(page);
}

/* ---- one claim ---- */

static void add_side_cells(struct sim_text *html, const struct sim_shown_measure *measure, size_t k) {
    static const char *const words[] = {"before", "after"};
    const struct sim_shown_side *side = &measure->sides[k];
    bool interval = measure->reading == SIM_READ_FIGURE;
    sim_html_text_cell(html, measure->sides[0].there ? words[k] : "");
    add_words(html, sim_shown_stated(measure, side).text);
    add_words(html, sim_shown_ours(measure, side).text);
    sim_html_interval_cell(html, interval ? side->lo : NAN, interval ? side->hi : NAN);
}

/* What a measure is: its label, and under it what is measured. */
static void add_name(struct sim_text *html, const struct sim_shown_measure *measure, int rows) {
    char *quantity = sim_shown_quantity(measure);
    sim_text_printf(html, "<th scope=%s rowspan=%d class=t>", rows > 1 ? "rowgroup" : "row", rows);
    sim_html_add(html, measure->label);
    sim_text_add(html, "<span class=figure>");
    sim_html_add(html, quantity);
    sim_text_add(html, measure->on_base ? "; on the base</span></th>" : "</span></th>");
    free(quantity);
}

/* A measure: a row a side. */
static void add_measure(struct sim_text *html, const struct sim_shown_measure *measure) {
    int rows = measure->sides[0].there && measure->sides[1].there ? 2 : 1;
    bool first = true;
    for (size_t k = 0; k < 2; k++) {
        if (!measure->sides[k].there)
            continue;
        sim_html_row(html);
        if (first) {
            add_name(html, measure, rows);
            sim_text_printf(html, "<td rowspan=%d>", rows);
            add_verdict_word(html, measure);
            sim_text_add(html, "</td>");
        }
        first = false;
        add_side_cells(html, measure, k);
        sim_html_row_end(html);
    }
}

/* A table of those that decide, or of the others. @return whether there are any. */
static bool add_measures(struct sim_page *page, const cJSON *claim, bool deciding, const char *label) {
    static const char *const heads[] = {"measure", "verdict", "side", "#stated", "#ours", "[", NULL};
    const cJSON *each;
    bool any = false;
    sim_html_table(&page->body, label, false, heads);
    cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
        struct sim_shown_measure measure = sim_shown_measure(each);
        if (measure.decides != deciding)
            continue;
        add_measure(&page->body, &measure);
        any = true;
    }
    sim_html_table_end(&page->body);
    return any;
}

static void add_tried(struct sim_page *page, const cJSON *claim) {
    size_t start = page->body.length;
    sim_text_add(&page->body, "<details>\n<summary>What else was tried</summary>\n");
    if (!add_measures(page, claim, false, "Measures that do not decide"))
        sim_page_cut(page, start);
    else
        sim_text_add(&page->body, "</details>\n");
}

/* A JSON value; long ones are folded. */
static void add_value(struct sim_text *html, const cJSON *value) {
    const size_t length_max = 120;
    struct sim_text json = {0};
    if (value && !cJSON_IsNull(value))
        sim_text_json_value(&json, value, 0);
    bool folded = json.length > length_max;
    sim_text_add(html, folded ? "<td class=t><details><summary>long</summary><pre tabindex=0>" : "<td class=t><code>");
    sim_html_add(html, json.length ? json.bytes : "-");
    sim_text_add(html, folded ? "</pre></details></td>" : "</code></td>");
    free(json.bytes);
}

/* "workers"; of another measure than the first "workers (measure 2)". */
static void add_key(struct sim_text *html, const cJSON *departure) {
    const char *path = sim_json_text_at(departure, "path");
    double measure = sim_json_number_at(departure, "measure");
    char *key = NULL;
    if (asprintf(&key, measure > 1 ? "%s (measure %.0f)" : "%s", path, measure) < 0)
        sim_out_of_memory();
    sim_html_head_cell(html, key);
    free(key);
}

static void add_departures(struct sim_page *page, const cJSON *claim) {
    static const char *const both[] = {"key", "base", "before", "after", NULL}, *const one[] = {"key", "base", "here",
                                                                                                NULL};
    const cJSON *each, *departures = sim_json_at(claim, "departures");
    bool before = cJSON_IsObject(sim_json_at(cJSON_GetArrayItem(sim_json_at(claim, "measures"), 0), "before"));
    if (!cJSON_GetArraySize(departures))
        return;
    sim_text_printf(&page->body, "<details>\n<summary>Where its scenario departs from the base: %d %s</summary>\n",
                    cJSON_GetArraySize(departures), cJSON_GetArraySize(departures) > 1 ? "keys" : "key");
    sim_html_table(&page->body, "Departures from the base", false, before ? both : one);
    cJSON_ArrayForEach(each, departures) {
        sim_html_row(&page->body);
        add_key(&page->body, each);
        add_value(&page->body, sim_json_at(each, "base"));
        if (before)
            add_value(&page->body, sim_json_at(each, "before"));
        add_value(&page->body, sim_json_at(each, "after"));
        sim_html_row_end(&page->body);
    }
    sim_html_table_end(&page->body);
    sim_text_add(&page->body, "</details>\n");
}

static void add_claim(struct sim_page *page, size_t index) {
    const struct sim_plot *plot = plot_called("claim");
    const struct sim_view seen = sim_plot_view(plot, page->view, index);
    const char *id = sim_json_text_at(seen.claim, "id");
    struct sim_text *html = &page->body;
    sim_text_printf(
        html,
        "<section id=\"claim-%s\" aria-labelledby=\"h-claim-%s\" class=claim>\n<h3 id=\"h-claim-%s\">%zu. %s: ", id, id,
        id, index + 1, id);
    if (sim_shown_verdict(seen.claim) == SIM_CLAIM_UNSTATED)
        sim_text_add(html, "no number");
    else
        sim_html_verdict(html, sim_json_text_at(seen.claim, "verdict"));
    sim_text_add(html, "</h3>\n");
    sim_html_element(html, "p class=says", sim_json_text_at(seen.claim, "says"));
    if (*sim_json_text_at(seen.claim, "on_base")) {
        sim_text_add(html, "<p>On the base, but for the knob that the claim names: ");
        sim_html_verdict(html, sim_json_text_at(seen.claim, "on_base"));
        sim_text_add(html, "</p>\n");
    }
    add_measures(page, seen.claim, true, "Measures that decide");
    sim_html_element(html, "p", sim_json_text_at(seen.claim, "because"));
    if (sim_plot_applies(plot, &seen))
        sim_page_figure(page, plot, &seen, NULL);
    add_tried(page, seen.claim);
    add_departures(page, seen.claim);
    sim_page_section_end(page);
}

/* The seed of all studies; "" where they have several. */
static const char *common_seed(const cJSON *summary) {
    const char *seed = "";
    const cJSON *study;
    cJSON_ArrayForEach(study, sim_json_at(summary, "studies")) {
        const char *own = sim_json_text_at(study, "seed");
        if (*seed && strcmp(seed, own) != 0)
            return "";
        seed = own;
    }
    return seed;
}

void sim_page_claims(struct sim_page *page) {
    const cJSON *summary = page->view->summary;
    const char *title = sim_json_text_at(summary, "title");
    page->kind = "Claims";
    page->name = *title ? title : sim_json_text_at(summary, "name");
    page->about = sim_json_text_at(summary, "about");
    add_verdict(page);
    add_overview(page);
    sim_page_section(page, "claims", "Claim by claim");
    size_t count = (size_t)cJSON_GetArraySize(claims_of(page));
    for (size_t i = 0; i < count; i++)
        add_claim(page, i);
    sim_page_section_end(page);
    sim_page_section(page, "run", "What was run");
    sim_text_add(&page->body, "<dl class=facts>\n");
    sim_page_fact(page, "claims", sim_json_text_at(summary, "name"));
    sim_page_fact(page, "source", sim_json_text_at(summary, "source"));
    sim_page_fact(page, "seed", common_seed(summary));
    sim_page_number_fact(page, "model version", sim_json_number_at(summary, "model_version"), "");
    sim_text_add(&page->body, "</dl>\n");
    sim_html_element(&page->body, "p class=note",
                     "Each study has a folder of its own in this one, as sweep would have made it: fairlane report "
                     "makes a page of it, too.");
    sim_page_section_end(page);
}
