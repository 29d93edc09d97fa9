#include "claims_page.h"

#include "../plot/claims_view.h"
#include "markdown.h"

#include <stdlib.h>
#include <string.h>

static void add_words(struct sim_text *page, struct sim_shown_words words) {
    cli_markdown_cell(page, *words.text ? words.text : "-");
}

static void add_sides(struct sim_text *page, const struct sim_shown_measure *measure) {
    for (size_t i = 0; i < 2; i++)
        add_words(page, sim_shown_stated(measure, &measure->sides[i]));
    for (size_t i = 0; i < 2; i++)
        add_words(page, sim_shown_full(measure, &measure->sides[i]));
    sim_text_add(page, "\n");
}

/* ---- the table of all ---- */

/* What follows "## ": a link leads to it. */
static void add_heading(struct sim_text *heading, const cJSON *claim) {
    sim_text_printf(heading, "%.0f %s", sim_json_number_at(claim, "number"), sim_json_text_at(claim, "id"));
}

static void add_link(struct sim_text *page, const cJSON *claim) {
    struct sim_text heading = {0};
    add_heading(&heading, claim);
    sim_text_printf(page, "| [%s](#", heading.bytes);
    cli_markdown_anchor(page, heading.bytes);
    sim_text_add(page, ") |");
    free(heading.bytes);
}

static size_t count_deciding(const cJSON *claim) {
    const cJSON *measure;
    size_t count = 0;
    cJSON_ArrayForEach(measure, sim_json_at(claim, "measures")) count +=
        cJSON_IsTrue(sim_json_at(measure, "decides")) != 0;
    return count;
}

/* A row for the claim, and one for each of the measures that decide it. */
static void add_overview_rows(struct sim_text *page, const cJSON *claim, bool base) {
    const cJSON *each;
    bool several = count_deciding(claim) > 1;
    add_link(page, claim);
    sim_text_printf(page, " **%s** |", sim_json_text_at(claim, "verdict"));
    if (base)
        cli_markdown_cell(page, sim_json_text_at(claim, "on_base"));
    sim_text_add(page, " | | | |\n");
    cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
        struct sim_shown_measure measure = sim_shown_measure(each);
        if (!measure.decides)
            continue;
        sim_text_add(page, "|");
        cli_markdown_cell(page, measure.label);
        cli_markdown_cell(page, several ? measure.verdict_word : "");
        sim_text_add(page, base ? " |" : "");
        add_sides(page, &measure);
    }
}

/* @p base: is there a column for what holds on the base? */
static void add_overview(struct sim_text *page, const cJSON *summary, bool base) {
    const cJSON *claim;
    sim_text_printf(page,
                    "| Claim | Verdict | %sStated before | after | Ours before | after |\n"
                    "| --- | --- | %s--- | --- | --- | --- |\n",
                    base ? "On the base | " : "", base ? "--- | " : "");
    cJSON_ArrayForEach(claim, sim_json_at(summary, "claims")) add_overview_rows(page, claim, base);
    sim_text_add(page, "\n");
}

/* ---- one claim ---- */

static void add_measures(struct sim_text *page, const cJSON *claim) {
    const cJSON *each;
    sim_text_add(page, "| Measure | Verdict | Stated before | after | Ours before | after |\n"
                       "| --- | --- | --- | --- | --- | --- |\n");
    cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
        struct sim_shown_measure measure = sim_shown_measure(each);
        char *quantity = sim_shown_quantity(&measure);
        sim_text_add(page, measure.decides ? "| " : "| Also tried: ");
        cli_markdown_text(page, measure.label);
        sim_text_add(page, "<br>");
        cli_markdown_cell(page, quantity);
        sim_text_printf(page, measure.decides ? " **%s** |" : " %s |", measure.verdict_word);
        add_sides(page, &measure);
        free(quantity);
    }
    sim_text_add(page, "\n");
}

/* Values too long for a table (whole lists of tenants) are named, not shown. */
static void add_value(struct sim_text *page, const cJSON *value) {
    enum { VALUE_MAX = 100 };
    struct sim_text json = {0};
    if (value && !cJSON_IsNull(value))
        sim_text_json_value(&json, value, 0);
    bool shown = json.length <= VALUE_MAX && !strchr(json.bytes ? json.bytes : "", '\n');
    cli_markdown_cell(page, !json.length ? "absent" : shown ? json.bytes : "see the file");
    free(json.bytes);
}

static void add_departures(struct sim_text *page, const cJSON *claim) {
    const cJSON *each, *departures = sim_json_at(claim, "departures");
    if (cJSON_GetArraySize(departures) == 0)
        return;
    sim_text_add(page, "<details><summary>Keys in which what decides differs from the base</summary>\n\n"
                       "| Key | Base | Before | After |\n| --- | --- | --- | --- |\n");
    cJSON_ArrayForEach(each, departures) {
        double measure = sim_json_number_at(each, "measure");
        sim_text_add(page, "| ");
        cli_markdown_code(page, sim_json_text_at(each, "path"));
        if (measure > 1)
            sim_text_printf(page, " (measure %.0f)", measure);
        sim_text_add(page, " |");
        add_value(page, sim_json_at(each, "base"));
        add_value(page, sim_json_at(each, "before"));
        add_value(page, sim_json_at(each, "after"));
        sim_text_add(page, "\n");
    }
    sim_text_add(page, "\n</details>\n\n");
}

/* Picture PREFIX ID, if it is there. */
static void add_picture(struct sim_text *page, const struct cli_claim_pictures *pictures, const char *prefix,
                        const char *id, const char *shows) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", prefix, id);
    if (!cli_claim_pictures_have(pictures, name))
        return;
    sim_text_add(page, "![");
    cli_markdown_text(page, id);
    sim_text_printf(page, ": %s](", shows);
    cli_markdown_target(page, pictures->folder);
    sim_text_add(page, "/");
    cli_markdown_target(page, name);
    sim_text_add(page, ".svg)\n\n");
}

/* What a study and its scenario say of themselves, and how much was run. @p claims and @p index: a scenario that an earlier
 * claim has shown is only named. */
static void add_study(struct sim_text *page, const struct sim_claims *claims, size_t index) {
    const struct sim_study *study = claims->claims[index].study->study;
    size_t earlier = 0;
    while (earlier < index && strcmp(claims->claims[earlier].study->study->scenario, study->scenario) != 0)
        earlier++;
    if (earlier < index)
        sim_text_printf(page, "The scenario is that of claim %zu.\n\n", claims->claims[earlier].number);
    else if (study->base->about)
        cli_markdown_paragraph(page, "The scenario: ", study->base->about);
    if (study->about)
        cli_markdown_paragraph(page, "The study: ", study->about);
    sim_text_add(page, "Study: ");
    cli_markdown_code(page, study->file);
    sim_text_add(page, ", scenario: ");
    cli_markdown_code(page, study->scenario);
    sim_text_printf(page, "; %u replications of each configuration, seed %s.\n\n", study->repeat,
                    study->base->seed_text);
}

static void add_claim(struct sim_text *page, const cJSON *claim, const struct sim_claims *claims, size_t index,
                      const struct cli_claim_pictures *pictures) {
    const char *base = sim_json_text_at(claim, "on_base");
    sim_text_add(page, "## ");
    add_heading(page, claim);
    cli_markdown_paragraph(page, "\n\n> ", sim_json_text_at(claim, "says"));
    sim_text_printf(page, "**%s%s%s", sim_json_text_at(claim, "verdict"), *base ? "; on the base: " : "", base);
    cli_markdown_paragraph(page, ".** ", sim_json_text_at(claim, "because"));
    add_measures(page, claim);
    add_picture(page, pictures, "claim-", sim_json_text_at(claim, "id"), "what is stated of it, and what is measured");
    add_departures(page, claim);
    add_study(page, claims, index);
}

/* ---- the page ---- */

/* "13 claims: 7 reproduced, 2 direction only." */
static void add_counts(struct sim_text *page, const cJSON *summary) {
    size_t counts[SIM_CLAIM_VERDICTS];
    int total = cJSON_GetArraySize(sim_json_at(summary, "claims"));
    const char *separator = " ";
    sim_shown_count(summary, counts);
    sim_text_printf(page, "%d claim%s:", total, total == 1 ? "" : "s");
    for (int i = 1; i <= SIM_CLAIM_VERDICTS; i++) {
        enum sim_claim_verdict verdict = (enum sim_claim_verdict)(i % SIM_CLAIM_VERDICTS);
        if (counts[verdict] == 0)
            continue;
        sim_text_printf(page, "%s%zu %s", separator, counts[verdict], sim_claim_verdict_word(verdict));
        separator = ", ";
    }
    sim_text_printf(page, ". Version %.0f of the model.\n\n", sim_json_number_at(summary, "model_version"));
}

static void add_opening(struct sim_text *page, const struct sim_claims *claims, const cJSON *summary) {
    cli_markdown_paragraph(page, "# ", claims->title);
    sim_text_add(page, "Made by `fairlane claims --markdown` of ");
    cli_markdown_code(page, claims->file);
    sim_text_add(page, "; change the claims there.\n\n");
    if (claims->about)
        cli_markdown_paragraph(page, "", claims->about);
    if (claims->source)
        cli_markdown_paragraph(page, "Source of the claims: ", claims->source);
    add_counts(page, summary);
    cli_markdown_paragraph(page, "", sim_claim_legend);
    sim_text_add(page, "In brackets: 95 % intervals.");
    if (claims->base)
        sim_text_add(page,
                     " On the base: what the tier, the workers and the rules of the shared scenario give, with "
                     "nothing bent but the knob that the claim names and the tenants of its story. Empty: nothing "
                     "was tried so.");
    sim_text_add(page, "\n\n");
}

char *cli_claims_page(const struct sim_claims *claims, const cJSON *summary,
                      const struct cli_claim_pictures *pictures) {
    struct sim_text page = {0};
    const cJSON *claim;
    size_t index = 0;
    add_opening(&page, claims, summary);
    add_overview(&page, summary, claims->base != NULL);
    add_picture(&page, pictures, "", "claims", "ours over what is stated, for each measure that decides");
    if (claims->base && claims->base->about) {
        sim_text_add(&page, "What all scenarios start from (");
        cli_markdown_code(&page, claims->base_path);
        cli_markdown_paragraph(&page, "): ", claims->base->about);
    }
    cJSON_ArrayForEach(claim, sim_json_at(summary, "claims")) add_claim(&page, claim, claims, index++, pictures);
    /* One line end at the end, like other files. */
    char *text = sim_text_take(&page);
    size_t length = strlen(text);
    if (length >= 2 && text[length - 2] == '\n')
        text[length - 1] = '\0';
    return text;
}
