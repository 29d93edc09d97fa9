#include "claims_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -12 %, +3.2 %. */
static struct cli_word signed_percent(double share) {
    struct cli_word percent = cli_percent(fabs(share)), word = {{0}};
    snprintf(word.text, sizeof word.text, "%s%.60s", share < 0 ? "-" : share > 0 ? "+" : "", percent.text);
    return word;
}

static struct cli_word (*form_of(const struct sim_claim_measure *measure))(double) {
    if (measure->along != NULL)
        return cli_plain;
    return strcmp(measure->unit, "share") == 0    ? cli_percent
           : strcmp(measure->unit, "change") == 0 ? signed_percent
                                                  : cli_number;
}

/* " s" and the like; nothing for shares and pure numbers. */
static const char *unit_of(const struct sim_claim_measure *measure) {
    static const char *const silent[] = {"", "1", "share", "change"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(measure->unit, silent[i]) == 0)
            return "";
    return measure->unit;
}

static struct cli_word with_unit(const struct sim_claim_measure *measure, const char *lead, double value) {
    const char *unit = unit_of(measure);
    struct cli_word word;
    snprintf(word.text, sizeof word.text, "%s%.20s%s%.20s", lead, form_of(measure)(value).text, *unit ? " " : "", unit);
    return word;
}

struct cli_word cli_claim_stated(const struct sim_claim_measure *measure, const struct sim_claim_side *side) {
    struct cli_word word = {.text = "-"};
    if (!side->there || isnan(side->article_lo))
        return word;
    if (isinf(side->article_lo))
        return with_unit(measure, "at most ", side->article_hi);
    if (isinf(side->article_hi))
        return with_unit(measure, "at least ", side->article_lo);
    if (side->article_lo >= side->article_hi)
        return with_unit(measure, "", side->article_lo);
    snprintf(word.text, sizeof word.text, "%.20s to %.36s", form_of(measure)(side->article_lo).text,
             with_unit(measure, "", side->article_hi).text);
    return word;
}

/* Levels that are as good as the best: "5, 10", or "all alike". */
static struct cli_word levels(const struct sim_claim_side *side) {
    enum { MORE = 5 }; /* ", ..." */
    struct cli_word word = {.text = ""};
    size_t kept = 0, used = 0;
    for (size_t i = 0; i < side->count; i++)
        kept += side->points[i].kept;
    if (kept == side->count)
        return (struct cli_word){.text = "all alike"};
    for (size_t i = 0; i < side->count; i++) {
        char level[32];
        if (!side->points[i].kept)
            continue;
        /* Without commas for thousands, which would look like those between levels. */
        int length = snprintf(level, sizeof level, "%s%.10g", used ? ", " : "", side->points[i].level);
        if (used + (size_t)length + MORE >= sizeof word.text) {
            strcpy(word.text + used, ", ...");
            break;
        }
        strcpy(word.text + used, level);
        used += (size_t)length;
    }
    return word;
}

static struct cli_word capacity(const struct sim_claim_measure *measure, const struct sim_estimate *ours) {
    struct cli_word word;
    if (isnan(ours->value))
        return isnan(ours->hi) ? (struct cli_word){.text = "in doubt"} : with_unit(measure, "less than ", ours->hi);
    if (isnan(ours->hi))
        return with_unit(measure, "at least ", ours->value);
    snprintf(word.text, sizeof word.text, "%.20s; %.20s fails", cli_plain(ours->value).text, cli_plain(ours->hi).text);
    return word;
}

struct cli_word cli_claim_ours(const struct sim_claim_measure *measure, const struct sim_claim_side *side) {
    struct cli_word word = {.text = "-"};
    const struct sim_estimate *ours = &side->ours;
    if (!side->there)
        return word;
    if (measure->reading == SIM_READ_CAPACITY)
        return capacity(measure, ours);
    if (measure->reading == SIM_READ_BEST && !isnan(ours->value))
        return levels(side);
    if (isnan(ours->value))
        return isnan(ours->beyond) ? word : with_unit(measure, "> ", ours->beyond);
    struct cli_word interval = cli_interval(ours->lo, ours->hi, form_of(measure));
    snprintf(word.text, sizeof word.text, "%.26s%s%.34s", with_unit(measure, "", ours->value).text,
             *interval.text ? " " : "", interval.text);
    return word;
}

/* Backquotes only serve the reader of expressions. */
static void drop_backquotes(char *text) {
    char *to = text;
    for (; *text; text++)
        if (*text != '`')
            *to++ = *text;
    *to = '\0';
}

const char *cli_claim_figure(const struct sim_claim_measure *measure, char *ret, size_t size) {
    if (measure->reading == SIM_READ_CAPACITY)
        snprintf(ret, size, "largest %s that keeps every SLO", measure->along->name);
    else if (measure->reading == SIM_READ_BEST)
        snprintf(ret, size, "%s with the best %s", measure->along->name, measure->text);
    else if (measure->of_text != NULL)
        snprintf(ret, size, "%s of %s", measure->text, measure->of_text);
    else
        snprintf(ret, size, "%s%s", strcmp(measure->unit, "change") == 0 ? "change of " : "", measure->text);
    drop_backquotes(ret);
    return ret;
}

void cli_claims_count(const struct sim_claims *claims, size_t ret[SIM_CLAIM_NOT + 1]) {
    memset(ret, 0, (SIM_CLAIM_NOT + 1) * sizeof *ret);
    for (size_t i = 0; i < claims->count; i++)
        ret[claims->claims[i].verdict]++;
}
