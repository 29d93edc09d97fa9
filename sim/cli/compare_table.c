/* The tables of a comparison. */
#include "compare.h"

#include <math.h>
#include <string.h>

enum { LABEL = 12 };

/* "+1.2 %", "-0.3 %"; of large changes the factor: "x 3.1". */
static struct cli_word signed_percent(double share) {
    struct cli_word word;
    snprintf(word.text, sizeof word.text, "%s%.40s", share < 0 ? "-" : "+", cli_percent(fabs(share)).text);
    return word;
}

static struct cli_word signed_number(double value) {
    struct cli_word word;
    snprintf(word.text, sizeof word.text, "%s%.40s", value < 0 ? "-" : "+", cli_number(fabs(value)).text);
    return word;
}

/* A share of a value where there is one, else in its unit. */
struct scale {
    double unit;
    struct cli_word (*form)(double);
};

static struct scale scale_of(const struct sim_paired *paired) {
    if (isfinite(paired->relative))
        return (struct scale){1 / fabs(paired->a), signed_percent};
    return (struct scale){1, signed_number};
}

static struct cli_word p_word(double p) {
    struct cli_word word;
    if (isnan(p))
        snprintf(word.text, sizeof word.text, "-");
    else if (p < .001)
        snprintf(word.text, sizeof word.text, "< .001");
    else
        snprintf(word.text, sizeof word.text, "%.3f", p);
    return word;
}

static enum cli_tone tone_of(const struct sim_comparison_row *row) {
    bool sure = row->change == SIM_CHANGE_SURE || row->change == SIM_CHANGE_LOST;
    if (!sure && row->change != SIM_CHANGE_HINT)
        return CLI_DIM;
    if (row->figure->better == SIM_NEITHER)
        return CLI_PLAIN;
    return !sure ? CLI_DOUBT : row->worse ? CLI_BAD : CLI_GOOD;
}

static void add_row(struct cli_table *table, const struct sim_comparison_row *row) {
    const struct sim_paired *paired = &row->paired;
    struct scale scale = scale_of(paired);
    cli_cell(table, CLI_PLAIN, "%s", row->figure->name);
    cli_cell(table, CLI_DIM, "%s", strcmp(row->figure->unit, "1") != 0 ? row->figure->unit : "");
    cli_cell(table, CLI_PLAIN, "%s", cli_value(paired->a, paired->a_beyond).text);
    cli_cell(table, CLI_PLAIN, "%s", cli_value(paired->b, paired->b_beyond).text);
    bool same = row->change == SIM_CHANGE_NONE, none = isnan(paired->difference);
    cli_cell(table, CLI_PLAIN, "%s", same ? "0" : none ? "-" : scale.form(paired->difference * scale.unit).text);
    cli_cell(table, CLI_DIM, "%s",
             same ? "" : cli_interval(paired->lo * scale.unit, paired->hi * scale.unit, scale.form).text);
    cli_cell(table, CLI_PLAIN, "%s", same ? "" : p_word(row->p_holm).text);
    cli_cell(table, tone_of(row), "%s", sim_comparison_word(row));
    cli_row_end(table);
}

void cli_print_compared(const struct cli_page *page, const struct sim_record *a, const struct sim_record *b) {
    const struct sim_record *sides[] = {a, b};
    for (size_t i = 0; i < 2; i++) {
        cli_put(page, CLI_BOLD, i ? "B  " : "A  ");
        cli_put(page, CLI_PLAIN, sides[i]->where);
        fputs(": ", page->out);
        cli_put(page, CLI_PLAIN, sides[i]->scenario);
        fprintf(page->out, ", scenario %.8s\n", sides[i]->hash);
    }
    fprintf(page->out, "%zu pair%s of replications of %s s (warm-up %s s), seed %s\n\n", a->replications,
            a->replications == 1 ? "" : "s", cli_plain(a->duration_s).text, cli_plain(a->warmup_s).text, a->seed);
    if (strcmp(a->hash, b->hash) == 0) {
        cli_put(page, CLI_DOUBT, "note: ");
        cli_put_wrapped(page, CLI_PLAIN, "both sides are the same scenario, so nothing can differ", 6);
        fputs("\n", page->out);
    }
}

static void print_legend(const struct cli_page *page, const struct sim_comparison *comparison) {
    char text[320];
    if (comparison->a->replications < 2)
        snprintf(text, sizeof text, "One replication tells nothing of chance: no interval, no p. Use --replications.");
    else
        snprintf(text, sizeof text,
                 "[ ]: 95 %% interval of the change, each by itself. p: Holm-adjusted over the %zu figure%s shown; up "
                 "to .05 the change is no chance, with \"?\" only its own interval excludes 0.",
                 comparison->row_count, comparison->row_count == 1 ? "" : "s");
    cli_put_wrapped(page, CLI_DIM, text, 0);
}

/* ---- rules ---- */

static void print_rule(const struct cli_page *page, const struct sim_comparison *comparison,
                       const struct sim_fail_on *rule) {
    static const char *const words[] = {"PASS", "FAIL", "INCONCLUSIVE"};
    static const enum cli_tone tones[] = {CLI_GOOD, CLI_BAD, CLI_DOUBT};
    const struct sim_paired *paired = &comparison->rows[rule->row].paired;
    double threshold = (rule->rise ? 1 : -1) * sim_comparison_threshold(comparison, rule);
    double unit = rule->relative && paired->a != 0 ? 1 / fabs(paired->a) : 1;
    struct cli_word (*form)(double) = rule->relative && paired->a != 0 ? signed_percent : signed_number;
    char text[384];
    cli_put(page, tones[rule->verdict], words[rule->verdict]);
    fprintf(page->out, "%*s", LABEL + 2 - (int)strlen(words[rule->verdict]), "");
    cli_put(page, CLI_PLAIN, rule->text);
    fprintf(page->out, "\n%*s", LABEL + 2, "");
    if (rule->why) {
        cli_put_wrapped(page, CLI_PLAIN, rule->why, LABEL + 2);
        return;
    }
    snprintf(text, sizeof text, "%s %s", form(paired->difference * unit).text,
             cli_interval(paired->lo * unit, paired->hi * unit, form).text);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s %s",
             rule->verdict == SIM_FAIL   ? ": a change for sure, and past"
             : rule->verdict == SIM_PASS ? ": not past"
                                         : ": may be past; more replications decide about",
             form(threshold * unit).text);
    cli_put_wrapped(page, CLI_PLAIN, text, LABEL + 2);
}

void cli_print_comparison(const struct cli_page *page, const struct sim_comparison *comparison) {
    static const char *const heads[] = {"figure", "", "A", "B", "change", "", "p", ""};
    struct cli_table table = {.columns = 8, .align = "llrrrlrl", .headed = true};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cli_cell(&table, CLI_BOLD, "%s", heads[i]);
    for (size_t i = 0; i < comparison->row_count; i++)
        add_row(&table, &comparison->rows[i]);
    cli_table_print(&table, page, 0);
    fputs("\n", page->out);
    print_legend(page, comparison);
    fputs("\n", page->out);
    for (size_t i = 0; i < comparison->rule_count; i++)
        print_rule(page, comparison, &comparison->rules[i]);
    if (comparison->rule_count)
        fputs("\n", page->out);
}
