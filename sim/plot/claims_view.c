#include "claims_view.h"

#include "draw.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sim_claim_verdict sim_shown_verdict(const cJSON *claim_or_measure) {
    const char *word = sim_json_text_at(claim_or_measure, "verdict");
    for (int verdict = 0; verdict < SIM_CLAIM_VERDICTS; verdict++)
        if (!strcmp(word, sim_claim_verdict_word((enum sim_claim_verdict)verdict)))
            return (enum sim_claim_verdict)verdict;
    return SIM_CLAIM_UNSTATED;
}

void sim_shown_count(const cJSON *summary, size_t ret[SIM_CLAIM_VERDICTS]) {
    const cJSON *claim;
    memset(ret, 0, SIM_CLAIM_VERDICTS * sizeof *ret);
    cJSON_ArrayForEach(claim, sim_json_at(summary, "claims")) ret[sim_shown_verdict(claim)]++;
}

/* What a picture can show: pictures of numbers that no claims file may hold would only break. */
static double shown(double value) {
    const double most = 1e18, least = 1e-18;
    return fabs(value) > most ? NAN : fabs(value) < least ? 0 : value;
}

/* An end of what is stated: null is an open one. */
static double stated_end(const cJSON *article, int index, double open) {
    const cJSON *end = cJSON_GetArrayItem(article, index);
    return cJSON_IsNumber(end) ? shown(end->valuedouble) : open;
}

static struct sim_shown_side read_side(const cJSON *side, double scale, double stated_scale) {
    const cJSON *article = sim_json_at(side, "article"), *points = sim_json_at(side, "points");
    bool stated = cJSON_IsArray(article);
    return (struct sim_shown_side){.there = cJSON_IsObject(side),
                                   .value = stated_scale * shown(sim_json_number_at(side, "value")),
                                   .lo = stated_scale * shown(sim_json_number_at(side, "lo")),
                                   .hi = stated_scale * shown(sim_json_number_at(side, "hi")),
                                   .beyond = scale * shown(sim_json_number_at(side, "beyond")),
                                   .stated_lo = stated ? stated_scale * stated_end(article, 0, -INFINITY) : NAN,
                                   .stated_hi = stated ? stated_scale * stated_end(article, 1, INFINITY) : NAN,
                                   .points = cJSON_IsArray(points) ? points : NULL};
}

struct sim_shown_measure sim_shown_measure(const cJSON *measure) {
    const char *unit = sim_json_text_at(measure, "unit"), *reading = sim_json_text_at(measure, "reading");
    bool is_change = !strcmp(unit, "change"), per_cent = is_change || !strcmp(unit, "share");
    struct sim_shown_measure shown = {
        .label = sim_json_text_at(measure, "label"),
        .figure = sim_json_text_at(measure, "figure"),
        .of = sim_json_text_at(measure, "of"),
        .along = sim_json_text_at(measure, "along"),
        .knob = sim_json_text_at(measure, "knob"),
        .relative_to = sim_json_text_at(measure, "relative_to"),
        .expects = sim_json_text_at(measure, "expects"),
        .unit = per_cent             ? "%"
                : !strcmp(unit, "1") ? ""
                                     : unit,
        .verdict = sim_shown_verdict(measure),
        .reading = !strcmp(reading, "capacity") ? SIM_READ_CAPACITY
                   : !strcmp(reading, "best")   ? SIM_READ_BEST
                                                : SIM_READ_FIGURE,
        .decides = cJSON_IsTrue(sim_json_at(measure, "decides")),
        .on_base = cJSON_IsTrue(sim_json_at(measure, "on_base")),
        .is_change = is_change,
        .scale = per_cent ? 100 : 1,
    };
    /* Of a series the sides hold levels of its knob. */
    double scale = shown.reading == SIM_READ_FIGURE ? shown.scale : 1;
    shown.verdict_word = sim_claim_verdict_word(shown.verdict);
    shown.sides[0] = read_side(sim_json_at(measure, "before"), shown.scale, scale);
    shown.sides[1] = read_side(sim_json_at(measure, "after"), shown.scale, scale);
    return shown;
}

bool sim_shown_has_value(const struct sim_shown_side *side) {
    return side->there && (isfinite(side->value) || isfinite(side->beyond));
}

bool sim_shown_is_stated(const struct sim_shown_side *side) {
    return side->there && !isnan(side->stated_lo);
}

bool sim_shown_is_number(const struct sim_shown_side *side) {
    return sim_shown_is_stated(side) && side->stated_lo >= side->stated_hi;
}

/* ---- words ---- */

/* Levels of a knob have no unit of their own. */
static const char *unit_of(const struct sim_shown_measure *measure) {
    return measure->reading == SIM_READ_FIGURE ? measure->unit : "";
}

/* Bytes of at most @p most that end with a whole character. */
static int whole(const char *text, int most) {
    int length = (int)strnlen(text, (size_t)most + 1);
    if (length <= most)
        return length;
    while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80)
        most--;
    return most;
}

static struct sim_shown_words with_unit(const struct sim_shown_measure *measure, const char *lead, double value) {
    const char *unit = unit_of(measure), *sign = measure->is_change && value > 0 ? "+" : "";
    struct sim_shown_words words;
    snprintf(words.text, sizeof words.text, "%s%s%s%s%.*s", lead, sign, sim_draw_number(value).text, *unit ? " " : "",
             whole(unit, 30), unit);
    return words;
}

/* What is stated of the change where no numbers are. */
static struct sim_shown_words expected(const struct sim_shown_measure *measure) {
    static const char *const kinds[][2] = {
        {"rise", "a rise"}, {"fall", "a fall"}, {"differ", "a difference"}, {"same", "the same"}};
    struct sim_shown_words words = {""};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(measure->expects, kinds[i][0]) && !sim_shown_is_stated(&measure->sides[0]))
            snprintf(words.text, sizeof words.text, "%s", kinds[i][1]);
    return words;
}

struct sim_shown_words sim_shown_stated(const struct sim_shown_measure *measure, const struct sim_shown_side *side) {
    struct sim_shown_words words = {""};
    if (!sim_shown_is_stated(side))
        return side == &measure->sides[1] ? expected(measure) : words;
    if (isinf(side->stated_lo))
        return with_unit(measure, "at most ", side->stated_hi);
    if (isinf(side->stated_hi))
        return with_unit(measure, "at least ", side->stated_lo);
    if (sim_shown_is_number(side))
        return with_unit(measure, "", side->stated_lo);
    snprintf(words.text, sizeof words.text, "%s to %.80s", sim_draw_number(side->stated_lo).text,
             with_unit(measure, "", side->stated_hi).text);
    return words;
}

static struct sim_shown_words capacity_words(const struct sim_shown_side *side) {
    struct sim_shown_words words = {""};
    struct sim_draw_word held = sim_draw_number(side->value), fails = sim_draw_number(side->hi);
    if (isnan(side->value))
        snprintf(words.text, sizeof words.text, isnan(side->hi) ? "in doubt" : "less than %s", fails.text);
    else if (isnan(side->hi))
        snprintf(words.text, sizeof words.text, "at least %s", held.text);
    else
        snprintf(words.text, sizeof words.text, "%s; %s fails", held.text, fails.text);
    return words;
}

/* Have all points one value? */
static bool are_equal(const cJSON *points) {
    const cJSON *point;
    double first = sim_json_number_at(cJSON_GetArrayItem(points, 0), "value");
    cJSON_ArrayForEach(point, points) if (!(sim_json_number_at(point, "value") == first)) return false;
    return true;
}

/* Levels that are as good as the best: "5, 10"; where all are, "all equal" or "none surely worse". */
static struct sim_shown_words level_words(const struct sim_shown_side *side) {
    enum { MORE = 5 }; /* ", ..." */
    struct sim_shown_words words = {""};
    const cJSON *point;
    size_t used = 0;
    int kept = 0;
    cJSON_ArrayForEach(point, side->points) kept += cJSON_IsTrue(sim_json_at(point, "kept")) != 0;
    if (kept == cJSON_GetArraySize(side->points))
        return are_equal(side->points) ? (struct sim_shown_words){"all equal"}
                                       : (struct sim_shown_words){"none surely worse"};
    cJSON_ArrayForEach(point, side->points) {
        char level[32];
        if (!cJSON_IsTrue(sim_json_at(point, "kept")))
            continue;
        int length = snprintf(level, sizeof level, "%s%.10g", used ? ", " : "", sim_json_number_at(point, "level"));
        bool fits = used + (size_t)length + MORE < sizeof words.text;
        snprintf(words.text + used, sizeof words.text - used, "%s", fits ? level : ", ...");
        if (!fits)
            break;
        used += (size_t)length;
    }
    return words;
}

struct sim_shown_words sim_shown_ours(const struct sim_shown_measure *measure, const struct sim_shown_side *side) {
    if (!side->there)
        return (struct sim_shown_words){""};
    if (measure->reading == SIM_READ_CAPACITY)
        return capacity_words(side);
    if (measure->reading == SIM_READ_BEST && isfinite(side->value))
        return level_words(side);
    if (isfinite(side->value))
        return with_unit(measure, "", side->value);
    return isfinite(side->beyond) ? with_unit(measure, "> ", side->beyond) : (struct sim_shown_words){""};
}

char *sim_shown_figure(const struct sim_shown_measure *measure) {
    char *words;
    if (asprintf(&words, "%s%s%s", measure->figure, *measure->of ? " of " : "", measure->of) < 0)
        sim_out_of_memory();
    /* Backquotes only serve the reader of expressions. */
    char *to = words;
    for (const char *at = words; *at; at++)
        if (*at != '`')
            *to++ = *at;
    *to = '\0';
    return words;
}

char *sim_shown_quantity(const struct sim_shown_measure *measure) {
    char *figure = sim_shown_figure(measure), *words;
    int length = measure->reading == SIM_READ_CAPACITY
                     ? asprintf(&words, "largest %s that keeps every SLO", measure->knob)
                 : measure->reading == SIM_READ_BEST
                     ? asprintf(&words, "%s with the best %s", measure->knob, figure)
                     : asprintf(&words, "%s%s%s%s", measure->is_change ? "change of " : "", figure,
                                *measure->relative_to ? " against " : "", measure->relative_to);
    if (length < 0)
        sim_out_of_memory();
    free(figure);
    return words;
}

struct sim_shown_words sim_shown_interval(const struct sim_shown_measure *measure, const struct sim_shown_side *side) {
    struct sim_shown_words words = {""};
    bool known = side->there && measure->reading == SIM_READ_FIGURE && isfinite(side->value) &&
                 (isfinite(side->lo) || isfinite(side->hi));
    if (known)
        snprintf(words.text, sizeof words.text, "[%s, %s]", isfinite(side->lo) ? sim_draw_number(side->lo).text : "-",
                 isfinite(side->hi) ? sim_draw_number(side->hi).text : "-");
    return words;
}

struct sim_shown_words sim_shown_full(const struct sim_shown_measure *measure, const struct sim_shown_side *side) {
    struct sim_shown_words words, ours = sim_shown_ours(measure, side), interval = sim_shown_interval(measure, side);
    snprintf(words.text, sizeof words.text, "%.60s%s%.50s", ours.text, *interval.text ? " " : "", interval.text);
    return words;
}
