#include "claims_table.h"

#include "claims_words.h"

#include "../memory.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 4, ARTICLE = 22 };

static enum cli_tone tone_of(enum sim_claim_verdict verdict) {
    static const enum cli_tone tones[] = {CLI_DIM, CLI_GOOD, CLI_DOUBT, CLI_BAD};
    return tones[verdict];
}

static void put_side(const struct cli_page *page, const char *name, const struct sim_claim_measure *measure,
                     const struct sim_claim_side *side) {
    if (!side->there)
        return;
    fprintf(page->out, "%*s%-8s%-*s", INDENT + 2, "", name, ARTICLE, cli_claim_stated(measure, side).text);
    cli_put(page, CLI_BOLD, cli_claim_ours(measure, side).text);
    fputs("\n", page->out);
}

static void put_measure(const struct cli_page *page, const struct sim_claim_measure *measure) {
    char figure[400];
    fprintf(page->out, "%*s", INDENT, "");
    cli_put(page, tone_of(measure->verdict), sim_claim_verdict_word(measure->verdict));
    fputs(": ", page->out);
    cli_put(page, CLI_PLAIN, measure->label);
    fprintf(page->out, "\n%*s", INDENT + 2, "");
    cli_put(page, CLI_DIM, cli_claim_figure(measure, figure, sizeof figure));
    fputs("\n", page->out);
    put_side(page, "before", measure, &measure->before);
    put_side(page, "after", measure, &measure->after);
}

/* What was tried beside it, in a sentence; its figure where it is another than that of the measure @p last. */
static void put_tried(const struct cli_page *page, const struct sim_claim_measure *measure,
                      const struct sim_claim_measure *last) {
    char figure[400], before[400], *text;
    cli_claim_figure(measure, figure, sizeof figure);
    cli_claim_figure(last, before, sizeof before);
    bool other = strcmp(figure, before) != 0, pair = measure->before.there;
    if (asprintf(&text, "%s: %s%s%s: %s%s%s", sim_claim_verdict_word(measure->verdict), measure->label,
                 other ? ", " : "", other ? figure : "", pair ? cli_claim_ours(measure, &measure->before).text : "",
                 pair ? " -> " : "", cli_claim_ours(measure, &measure->after).text) < 0)
        sim_out_of_memory();
    fprintf(page->out, "%*s", INDENT, "");
    cli_put_wrapped(page, CLI_PLAIN, text, INDENT + 2);
    free(text);
}

static void put_claim(const struct cli_page *page, const struct sim_claim *claim, size_t number) {
    fprintf(page->out, "%2zu  ", number);
    cli_put(page, CLI_BOLD, claim->id);
    fputs(": ", page->out);
    cli_put(page, tone_of(claim->verdict), sim_claim_verdict_word(claim->verdict));
    if (claim->has_base) {
        fputs(", on the base ", page->out);
        cli_put(page, tone_of(claim->base_verdict), sim_claim_verdict_word(claim->base_verdict));
    }
    fprintf(page->out, "\n%*s", INDENT, "");
    cli_put_wrapped(page, CLI_PLAIN, claim->says, INDENT);
    fprintf(page->out, "%*s%-8s%-*s%s\n", INDENT + 2, "", "", ARTICLE, "stated", "ours");
    for (size_t i = 0; i < claim->deciding; i++)
        put_measure(page, &claim->measures[i]);
    fprintf(page->out, "%*s", INDENT, "");
    cli_put_wrapped(page, CLI_PLAIN, claim->because, INDENT);
    if (claim->count > claim->deciding)
        fprintf(page->out, "%*salso tried:\n", INDENT, "");
    for (size_t i = claim->deciding; i < claim->count; i++)
        put_tried(page, &claim->measures[i], &claim->measures[i > claim->deciding ? i - 1 : 0]);
    fputs("\n", page->out);
}

void cli_print_claims(const struct cli_page *page, const struct sim_claims *claims, const char *folder) {
    size_t counts[SIM_CLAIM_NOT + 1];
    cli_put(page, CLI_BOLD, claims->title);
    fputs("\n\n", page->out);
    for (size_t i = 0; i < claims->count; i++)
        put_claim(page, &claims->claims[i], i + 1);
    cli_claims_count(claims, counts);
    fprintf(page->out, "%zu claim%s:", claims->count, claims->count == 1 ? "" : "s");
    const char *separator = " ";
    for (int verdict = SIM_CLAIM_REPRODUCED; verdict <= SIM_CLAIM_NOT + 1; verdict++) {
        enum sim_claim_verdict shown = verdict > SIM_CLAIM_NOT ? SIM_CLAIM_UNSTATED : (enum sim_claim_verdict)verdict;
        if (counts[shown] == 0)
            continue;
        fprintf(page->out, "%s%zu ", separator, counts[shown]);
        cli_put(page, tone_of(shown), sim_claim_verdict_word(shown));
        separator = ", ";
    }
    fputs("\nfiles: ", page->out);
    cli_put(page, CLI_PLAIN, folder);
    fputs("/\n", page->out);
}
