#include "claims_page.h"

#include "claims_words.h"

#include "../results/text.h"

#include <string.h>

/* Plain text in a table's cell or a paragraph: what Markdown would take as markup is escaped. */
static void add_plain(struct sim_text *page, const char *text) {
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#", *text))
            sim_text_add(page, "\\");
        sim_text_append(page, *text == '\n' ? " " : text, 1);
    }
}

/* " text |" */
static void add_cell(struct sim_text *page, const char *text) {
    sim_text_add(page, " ");
    add_plain(page, text);
    sim_text_add(page, " |");
}

static void add_sides(struct sim_text *page, const struct sim_claim_measure *measure) {
    const struct sim_claim_side *sides[] = {&measure->before, &measure->after};
    for (size_t i = 0; i < 2; i++)
        add_cell(page, cli_claim_stated(measure, sides[i]).text);
    for (size_t i = 0; i < 2; i++)
        add_cell(page, cli_claim_ours(measure, sides[i]).text);
}

/* ---- the table of all ---- */

static void add_overview(struct sim_text *page, const struct sim_claims *claims) {
    sim_text_add(page, "| | Claim | Verdict | On the base | Stated before | after | Ours before | after |\n"
                       "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < claims->count; i++)
        for (size_t k = 0; k < claims->claims[i].deciding; k++) {
            const struct sim_claim *claim = &claims->claims[i];
            if (k == 0)
                sim_text_printf(page, "| [%zu](#%zu-%s) |", i + 1, i + 1, claim->id);
            else
                sim_text_add(page, "| |");
            add_cell(page, claim->measures[k].label);
            sim_text_printf(page, k == 0 ? " **%s** |" : " %s |",
                            sim_claim_verdict_word(k == 0 ? claim->verdict : claim->measures[k].verdict));
            bool base = k == 0 && claim->has_base;
            add_cell(page, base ? sim_claim_verdict_word(claim->base_verdict) : "");
            add_sides(page, &claim->measures[k]);
            sim_text_add(page, "\n");
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
        add_plain(page, measure->label);
        sim_text_add(page, "<br>");
        add_cell(page, cli_claim_figure(measure, figure, sizeof figure));
        sim_text_printf(page, i < claim->deciding ? " **%s** |" : " %s |", sim_claim_verdict_word(measure->verdict));
        add_sides(page, measure);
        sim_text_add(page, "\n");
    }
    sim_text_add(page, "\n");
}

/* Values too long for a table (whole lists of tenants) are named, not shown. */
static void add_value(struct sim_text *page, const char *json) {
    enum { VALUE_MAX = 100 };
    add_cell(page, !json ? "absent" : strlen(json) > VALUE_MAX ? "see the file" : json);
}

static void add_departures(struct sim_text *page, const struct sim_claims *claims, const struct sim_claim *claim) {
    struct sim_scenario_memory *memory = sim_memory_create();
    struct sim_departure *departures;
    size_t count = sim_claim_departures(claims, &claim->measures[0], memory, &departures);
    if (count)
        sim_text_add(page, "<details><summary>Where its scenario departs from the base</summary>\n\n"
                           "| Key | Base | Before | After |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < count; i++) {
        sim_text_printf(page, "| `%s` |", departures[i].path);
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
    add_plain(page, id);
    sim_text_printf(page, ": %s](%s/%s.svg)\n\n", shows, pictures->folder, name);
}

static void add_claim(struct sim_text *page, const struct sim_claims *claims, size_t index,
                      const struct cli_claim_pictures *pictures) {
    const struct sim_claim *claim = &claims->claims[index];
    const char *about = claim->study->study->base->about;
    sim_text_printf(page, "## %zu %s\n\n> ", index + 1, claim->id);
    add_plain(page, claim->says);
    sim_text_printf(page, "\n\n**%s", sim_claim_verdict_word(claim->verdict));
    if (claim->has_base)
        sim_text_printf(page, "; on the base: %s", sim_claim_verdict_word(claim->base_verdict));
    sim_text_add(page, ".** ");
    add_plain(page, claim->because);
    sim_text_add(page, "\n\n");
    add_measures(page, claim);
    add_picture(page, pictures, "claim-", claim->id, "what is stated of it, and what is measured");
    if (about) {
        sim_text_add(page, "The scenario: ");
        add_plain(page, about);
        sim_text_add(page, "\n\n");
    }
    add_departures(page, claims, claim);
    sim_text_printf(page, "Study: `%s`, scenario: `%s`.\n\n", claim->study->path, claim->study->study->scenario);
}

/* ---- the page ---- */

static void add_opening(struct sim_text *page, const struct sim_claims *claims) {
    size_t counts[SIM_CLAIM_NOT + 1];
    cli_claims_count(claims, counts);
    sim_text_add(page, "# ");
    add_plain(page, claims->title);
    sim_text_printf(page, "\n\nMade by `fairlane claims %s --markdown FILE`; change the claims there.\n\n",
                    claims->file);
    if (claims->about) {
        add_plain(page, claims->about);
        sim_text_add(page, "\n\n");
    }
    if (claims->source) {
        sim_text_add(page, "Source of the claims: ");
        add_plain(page, claims->source);
        sim_text_add(page, "\n\n");
    }
    sim_text_printf(page, "%zu claims: %zu reproduced, %zu in their direction only, %zu not, %zu without a number.\n\n",
                    claims->count, counts[SIM_CLAIM_REPRODUCED], counts[SIM_CLAIM_DIRECTION], counts[SIM_CLAIM_NOT],
                    counts[SIM_CLAIM_UNSTATED]);
    sim_text_add(
        page,
        "*Reproduced*: each number stated is within 15 % of ours or within our 95 % interval, ours changes the way "
        "theirs does, and a range or a bound is met by our value or by part of our interval. *Direction only*: from "
        "before to after ours surely goes the way that is stated, by 15 % or more. *Not reproduced*: neither. *No "
        "number*: none is stated. A claim is as good as the worst of the measures that decide it; what was tried "
        "beside them decides nothing. *On the base*: what the shared scenario gives with nothing bent but the knob "
        "that the claim names. In brackets: 95 % intervals.\n\n");
}

char *cli_claims_page(const struct sim_claims *claims, const struct cli_claim_pictures *pictures) {
    struct sim_text page = {0};
    add_opening(&page, claims);
    add_overview(&page, claims);
    add_picture(&page, pictures, "", "claims", "ours over what is stated, for each measure that decides");
    if (claims->base && claims->base->about) {
        sim_text_printf(&page, "What all scenarios start from (`%s`): ", claims->base_path);
        add_plain(&page, claims->base->about);
        sim_text_add(&page, "\n\n");
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
