#include "claims_page.h"

#include "claims_words.h"
#include "markdown.h"

#include "../results/text.h"

#include <stdlib.h>
#include <string.h>

static void add_sides(struct sim_text *page, const struct sim_claim_measure *measure) {
    const struct sim_claim_side *sides[] = {&measure->before, &measure->after};
    for (size_t i = 0; i < 2; i++)
        cli_markdown_cell(page, cli_claim_stated(measure, sides[i]).text);
    for (size_t i = 0; i < 2; i++)
        cli_markdown_cell(page, cli_claim_ours(measure, sides[i]).text);
}

/* ---- the table of all ---- */

static void add_heading(struct sim_text *heading, const struct sim_claim *claim, size_t index) {
    sim_text_printf(heading, "%zu %s", index + 1, claim->id);
}

static void add_link(struct sim_text *page, const struct sim_claim *claim, size_t index) {
    struct sim_text heading = {0};
    add_heading(&heading, claim, index);
    sim_text_printf(page, "| [%s](#", heading.bytes);
    cli_markdown_anchor(page, heading.bytes);
    sim_text_add(page, ") |");
    free(heading.bytes);
}

/* A row for the claim, and one for each of the measures that decide it. */
static void add_overview(struct sim_text *page, const struct sim_claims *claims) {
    sim_text_add(page, "| Claim | Verdict | On the base | Stated before | after | Ours before | after |\n"
                       "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < claims->count; i++) {
        const struct sim_claim *claim = &claims->claims[i];
        add_link(page, claim, i);
        sim_text_printf(page, " **%s** |", sim_claim_verdict_word(claim->verdict));
        cli_markdown_cell(page, claim->has_base ? sim_claim_verdict_word(claim->base_verdict) : "");
        sim_text_add(page, " | | | |\n");
        for (size_t k = 0; k < claim->deciding; k++) {
            sim_text_add(page, "|");
            cli_markdown_cell(page, claim->measures[k].label);
            cli_markdown_cell(page, claim->deciding > 1 ? sim_claim_verdict_word(claim->measures[k].verdict) : "");
            sim_text_add(page, " |");
            add_sides(page, &claim->measures[k]);
            sim_text_add(page, "\n");
        }
    }
    sim_text_add(page, "\n");
}

/* ---- one claim ---- */

static void add_measures(struct sim_text *page, const struct sim_claim *claim) {
    char figure[400];
    sim_text_add(page, "| Measure | Verdict | Stated before | after | Ours before | after |\n"
                       "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < claim->count; i++) {
        const struct sim_claim_measure *measure = &claim->measures[i];
        sim_text_add(page, i < claim->deciding ? "| " : "| Also tried: ");
        cli_markdown_text(page, measure->label);
        sim_text_add(page, "<br>");
        cli_markdown_cell(page, cli_claim_figure(measure, figure, sizeof figure));
        sim_text_printf(page, i < claim->deciding ? " **%s** |" : " %s |", sim_claim_verdict_word(measure->verdict));
        add_sides(page, measure);
        sim_text_add(page, "\n");
    }
    sim_text_add(page, "\n");
}

/* Values too long for a table (whole lists of tenants) are named, not shown. */
static void add_value(struct sim_text *page, const char *json) {
    enum { VALUE_MAX = 100 };
    cli_markdown_cell(page, !json ? "absent" : strlen(json) > VALUE_MAX ? "see the file" : json);
}

static void add_departures(struct sim_text *page, const struct sim_claims *claims, const struct sim_claim *claim) {
    struct sim_scenario_memory *memory = sim_memory_create();
    struct sim_departure *departures;
    size_t count = sim_claim_departures(claims, claim, memory, &departures);
    if (count)
        sim_text_add(page, "<details><summary>Where the scenarios of what decides depart from the base</summary>\n\n"
                           "| Key | Base | Before | After |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < count; i++) {
        sim_text_add(page, "| ");
        cli_markdown_code(page, departures[i].path);
        if (departures[i].measure > 0)
            sim_text_printf(page, " (measure %zu)", departures[i].measure + 1);
        sim_text_add(page, " |");
        add_value(page, departures[i].base);
        add_value(page, departures[i].before);
        add_value(page, departures[i].after);
        sim_text_add(page, "\n");
    }
    sim_text_add(page, count ? "\n</details>\n\n" : "");
    sim_memory_destroy(memory);
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
    sim_text_printf(page, ": %s](%s/%s.svg)\n\n", shows, pictures->folder, name);
}

static void add_claim(struct sim_text *page, const struct sim_claims *claims, size_t index,
                      const struct cli_claim_pictures *pictures) {
    const struct sim_claim *claim = &claims->claims[index];
    const char *about = claim->study->study->base->about;
    sim_text_add(page, "## ");
    add_heading(page, claim, index);
    cli_markdown_paragraph(page, "\n\n> ", claim->says);
    sim_text_printf(page, "**%s", sim_claim_verdict_word(claim->verdict));
    if (claim->has_base)
        sim_text_printf(page, "; on the base: %s", sim_claim_verdict_word(claim->base_verdict));
    cli_markdown_paragraph(page, ".** ", claim->because);
    add_measures(page, claim);
    add_picture(page, pictures, "claim-", claim->id, "what is stated of it, and what is measured");
    if (about)
        cli_markdown_paragraph(page, "The scenario: ", about);
    add_departures(page, claims, claim);
    sim_text_add(page, "Study: ");
    cli_markdown_code(page, claim->study->path);
    sim_text_add(page, ", scenario: ");
    cli_markdown_code(page, claim->study->study->scenario);
    sim_text_add(page, ".\n\n");
}

/* ---- the page ---- */

static void add_opening(struct sim_text *page, const struct sim_claims *claims) {
    size_t counts[SIM_CLAIM_NOT + 1];
    cli_claims_count(claims, counts);
    cli_markdown_paragraph(page, "# ", claims->title);
    sim_text_add(page, "Made by `fairlane claims --markdown` of ");
    cli_markdown_code(page, claims->file);
    sim_text_add(page, "; change the claims there.\n\n");
    if (claims->about)
        cli_markdown_paragraph(page, "", claims->about);
    if (claims->source)
        cli_markdown_paragraph(page, "Source of the claims: ", claims->source);
    sim_text_printf(page,
                    "%zu claim%s: %zu reproduced, %zu in their direction only, %zu not, %zu without a number.\n\n",
                    claims->count, claims->count == 1 ? "" : "s", counts[SIM_CLAIM_REPRODUCED],
                    counts[SIM_CLAIM_DIRECTION], counts[SIM_CLAIM_NOT], counts[SIM_CLAIM_UNSTATED]);
    sim_text_add(
        page,
        "*Reproduced*: ours lies within 15 % of each number stated, or the number within our 95 % interval, and ours "
        "changes the way the numbers do; a range or a bound is met by our value or by part of our interval. "
        "*Direction only*: from before to after ours surely goes the way that is stated, by 15 % or more. *Not "
        "reproduced*: neither. *No number*: none is stated. A claim is as good as the worst of the measures that "
        "decide it; what was tried beside them decides nothing. *On the base*: what the tier, the workers and the "
        "rules of the shared scenario give, with nothing bent but the knob that the claim names and the tenants of "
        "its story. In brackets: 95 % intervals.\n\n");
}

char *cli_claims_page(const struct sim_claims *claims, const struct cli_claim_pictures *pictures) {
    struct sim_text page = {0};
    add_opening(&page, claims);
    add_overview(&page, claims);
    add_picture(&page, pictures, "", "claims", "ours over what is stated, for each measure that decides");
    if (claims->base && claims->base->about) {
        sim_text_add(&page, "What all scenarios start from (");
        cli_markdown_code(&page, claims->base_path);
        cli_markdown_paragraph(&page, "): ", claims->base->about);
    }
    for (size_t i = 0; i < claims->count; i++)
        add_claim(&page, claims, i, pictures);
    /* One line end at the end, like other files. */
    char *text = sim_text_take(&page);
    size_t length = strlen(text);
    if (length >= 2 && text[length - 2] == '\n')
        text[length - 1] = '\0';
    return text;
}
