#include "claims_table.h"

#include "../memory.h"
#include "../plot/claims_view.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 4, STATED = 22 };

static enum cli_tone tone_of(enum sim_claim_verdict verdict) {
    static const enum cli_tone tones[] = {CLI_DIM, CLI_GOOD, CLI_DOUBT, CLI_BAD};
    return tones[verdict];
}

static const char *or_dash(const char *words) {
    return *words ? words : "-";
}

static void put_side(const struct cli_page *page, const char *name, const struct sim_shown_measure *measure,
                     const struct sim_shown_side *side) {
    if (!side->there)
        return;
    fprintf(page->out, "%*s%-8s%-*s", INDENT + 2, "", name, STATED, or_dash(sim_shown_stated(measure, side).text));
    cli_put(page, CLI_BOLD, or_dash(sim_shown_full(measure, side).text));
    fputs("\n", page->out);
}

static void put_measure(const struct cli_page *page, const struct sim_shown_measure *measure) {
    char *quantity = sim_shown_quantity(measure);
    fprintf(page->out, "%*s", INDENT, "");
    cli_put(page, tone_of(measure->verdict), measure->verdict_word);
    fputs(": ", page->out);
    cli_put_wrapped(page, CLI_PLAIN, measure->label, INDENT + 2);
    fprintf(page->out, "%*s", INDENT + 2, "");
    cli_put_wrapped(page, CLI_DIM, quantity, INDENT + 2);
    put_side(page, "before", measure, &measure->sides[0]);
    put_side(page, "after", measure, &measure->sides[1]);
    free(quantity);
}

/* What was tried beside it, in a sentence; its quantity where it is another than @p last. @return the quantity. */
static char *put_tried(const struct cli_page *page, const struct sim_shown_measure *measure, char *last) {
    char *quantity = sim_shown_quantity(measure), *text;
    bool other = !last || strcmp(quantity, last) != 0, pair = measure->sides[0].there;
    struct sim_shown_words before = sim_shown_full(measure, &measure->sides[0]),
                           after = sim_shown_full(measure, &measure->sides[1]);
    if (asprintf(&text, "%s: %s%s%s: %s%s%s", measure->verdict_word, measure->label, other ? ", " : "",
                 other ? quantity : "", pair ? or_dash(before.text) : "", pair ? " -> " : "", or_dash(after.text)) < 0)
        sim_out_of_memory();
    fprintf(page->out, "%*s", INDENT, "");
    cli_put_wrapped(page, CLI_PLAIN, text, INDENT + 2);
    free(text);
    free(last);
    return quantity;
}

/* Measures that decide, or those that do not. */
static void put_measures(const struct cli_page *page, const cJSON *claim, bool deciding) {
    const cJSON *each;
    char *last = NULL;
    bool any = false;
    cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
        struct sim_shown_measure measure = sim_shown_measure(each);
        if (measure.decides != deciding)
            continue;
        if (deciding)
            put_measure(page, &measure);
        else {
            if (!any)
                fprintf(page->out, "%*salso tried:\n", INDENT, "");
            last = put_tried(page, &measure, last);
        }
        any = true;
    }
    free(last);
}

static void put_claim(const struct cli_page *page, const cJSON *claim) {
    const char *base = sim_json_text_at(claim, "on_base");
    fprintf(page->out, "%2.0f  ", sim_json_number_at(claim, "number"));
    cli_put(page, CLI_BOLD, sim_json_text_at(claim, "id"));
    fputs(": ", page->out);
    cli_put(page, tone_of(sim_shown_verdict(claim)), sim_json_text_at(claim, "verdict"));
    fputs(*base ? ", on the base " : "", page->out);
    cli_put(page, CLI_PLAIN, base);
    fprintf(page->out, "\n%*s", INDENT, "");
    cli_put_wrapped(page, CLI_PLAIN, sim_json_text_at(claim, "says"), INDENT);
    fprintf(page->out, "%*s%-8s%-*s%s\n", INDENT + 2, "", "", STATED, "stated", "ours");
    put_measures(page, claim, true);
    fprintf(page->out, "%*s", INDENT, "");
    cli_put_wrapped(page, CLI_PLAIN, sim_json_text_at(claim, "because"), INDENT);
    put_measures(page, claim, false);
    fputs("\n", page->out);
}

/* "13 claims: 7 reproduced, 2 direction only", those without a number last. */
static void put_counts(const struct cli_page *page, const cJSON *summary) {
    size_t counts[SIM_CLAIM_VERDICTS], total = 0;
    sim_shown_count(summary, counts);
    for (int verdict = 0; verdict < SIM_CLAIM_VERDICTS; verdict++)
        total += counts[verdict];
    fprintf(page->out, "%zu claim%s:", total, total == 1 ? "" : "s");
    const char *separator = " ";
    for (int i = 1; i <= SIM_CLAIM_VERDICTS; i++) {
        enum sim_claim_verdict verdict = (enum sim_claim_verdict)(i % SIM_CLAIM_VERDICTS);
        if (counts[verdict] == 0)
            continue;
        fprintf(page->out, "%s%zu ", separator, counts[verdict]);
        cli_put(page, tone_of(verdict), sim_claim_verdict_word(verdict));
        separator = ", ";
    }
    fputs("\n", page->out);
}

void cli_print_claims(const struct cli_page *page, const cJSON *summary, const char *folder) {
    const cJSON *claim;
    cli_put(page, CLI_BOLD, sim_json_text_at(summary, "title"));
    fputs("\n\n", page->out);
    cJSON_ArrayForEach(claim, sim_json_at(summary, "claims")) put_claim(page, claim);
    put_counts(page, summary);
    fputs("files: ", page->out);
    cli_put(page, CLI_PLAIN, folder);
    fputs("/\n", page->out);
}
