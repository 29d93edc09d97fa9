/* One claim: what was measured, what is stated. Plain measures are rows, grouped by their units; capacities are rows of
 * levels, grouped by their knobs; other series are lines. */
#include "claims_view.h"
#include "configurations.h"
#include "draw.h"
#include "prepare.h"
#include "sheet.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 12, SERIES_MAX = 6, MEASURES_MAX = ROWS_MAX + SERIES_MAX, LINE_COLUMNS = 2 };

enum form { FORM_ROW, FORM_LEVELS, FORM_LINE };

struct shown {
    struct sim_shown_measure measure;
    enum form form;
    bool drawn;
};

/* What is shown of a claim. */
struct choice {
    struct shown shown[MEASURES_MAX];
    size_t count, left_out;
    bool any[SIM_MARKS], any_beyond;
    enum sim_mark beyond;
};

static bool has_values(const struct sim_shown_measure *measure) {
    const cJSON *point;
    for (size_t k = 0; k < 2; k++)
        cJSON_ArrayForEach(point, measure->sides[k].points) {
            if (isfinite(sim_json_number_at(point, "value")) || isfinite(sim_json_number_at(point, "beyond")))
                return true;
        }
    return false;
}

static bool has_points(const struct sim_shown_measure *measure) {
    return cJSON_GetArraySize(measure->sides[0].points) + cJSON_GetArraySize(measure->sides[1].points) > 0;
}

static bool is_showable(const struct sim_shown_measure *measure, enum form form) {
    if (form == FORM_ROW)
        return sim_shown_has_value(&measure->sides[0]) || sim_shown_has_value(&measure->sides[1]);
    return has_points(measure) && (form == FORM_LEVELS || has_values(measure));
}

/* Which SLO verdict a level has. */
static enum sim_mark level_mark(const cJSON *point) {
    const char *verdict = sim_json_text_at(point, "verdict");
    return !strcmp(verdict, "pass") ? SIM_MARK_GOOD : !strcmp(verdict, "fail") ? SIM_MARK_FAILS : SIM_MARK_DOUBT;
}

/* Of a series for the best level: is this one surely worse? */
static bool is_worse(const struct sim_shown_measure *measure, const cJSON *point) {
    return measure->reading == SIM_READ_BEST && cJSON_IsFalse(sim_json_at(point, "kept"));
}

static void note_marks(struct choice *choice, const struct shown *shown) {
    const cJSON *point;
    for (size_t k = 0; k < 2; k++) {
        const struct sim_shown_side *side = &shown->measure.sides[k];
        if (!side->there)
            continue;
        enum sim_mark mark = k ? SIM_MARK_AFTER : SIM_MARK_BEFORE;
        choice->any[mark] = true;
        if (sim_shown_is_stated(side))
            choice->any[sim_shown_is_number(side) ? SIM_MARK_STATED : SIM_MARK_BAND] = true;
        bool beyond = shown->form == FORM_ROW && !isfinite(side->value) && isfinite(side->beyond);
        cJSON_ArrayForEach(point, side->points) {
            if (shown->measure.reading == SIM_READ_CAPACITY)
                choice->any[level_mark(point)] = true;
            if (is_worse(&shown->measure, point))
                choice->any[SIM_MARK_WORSE] = true;
            beyond = beyond || (shown->form == FORM_LINE && isfinite(sim_json_number_at(point, "beyond")));
        }
        if (shown->form == FORM_LINE && isfinite(side->value))
            choice->any[SIM_MARK_BEST] = true;
        if (beyond) {
            choice->any_beyond = true;
            choice->beyond = mark;
        }
    }
}

/* Those that decide come first in the file. */
static struct choice choose(const cJSON *claim) {
    struct choice choice = {0};
    size_t rows = 0, series = 0;
    const cJSON *each;
    cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
        struct shown shown = {.measure = sim_shown_measure(each)};
        shown.form = shown.measure.reading == SIM_READ_FIGURE                                    ? FORM_ROW
                     : shown.measure.reading == SIM_READ_CAPACITY && !has_values(&shown.measure) ? FORM_LEVELS
                                                                                                 : FORM_LINE;
        if (!is_showable(&shown.measure, shown.form))
            continue;
        size_t *count = shown.form == FORM_ROW ? &rows : &series;
        if (*count == (shown.form == FORM_ROW ? (size_t)ROWS_MAX : (size_t)SERIES_MAX)) {
            choice.left_out++;
            continue;
        }
        (*count)++;
        note_marks(&choice, &shown);
        choice.shown[choice.count++] = shown;
    }
    return choice;
}

/* ---- rows ---- */

enum { LABEL_PX = 258, VERDICT_PX = 124, ROW_PX = 20, GAP_PX = 12, LINES_MAX = 12 };

static enum sim_tint tint_of(enum sim_claim_verdict verdict) {
    static const enum sim_tint tints[] = {SIM_TINT_MUTED, SIM_TINT_GOOD, SIM_TINT_DOUBT, SIM_TINT_BAD};
    return tints[verdict];
}

static void place_rows(struct sim_sheet *sheet) {
    /* On a phone labels stand above; the edges have room for half a tic's label. */
    sheet->x0 = sheet->left + (sheet->draft->narrow ? 8 : LABEL_PX);
    sheet->x1 = sheet->right - (sheet->draft->narrow ? 14 : VERDICT_PX);
}

static void include_side(struct sim_scale *scale, const struct sim_shown_side *side) {
    if (!side->there)
        return;
    sim_scale_include(scale, side->value, true);
    sim_scale_include(scale, isfinite(side->value) ? NAN : side->beyond, true);
    sim_scale_include(scale, side->stated_lo, true);
    sim_scale_include(scale, side->stated_hi, true);
    sim_scale_include(scale, side->lo, false);
    sim_scale_include(scale, side->hi, false);
}

/* What is stated: a diamond, or a band that ends at the field's edge where it is open. */
static void add_stated(struct sim_sheet *sheet, const struct sim_shown_side *side, double y) {
    const double half_px = 8;
    if (sim_shown_is_number(side))
        sim_sheet_stated(sheet, side->stated_lo, y);
    else if (sim_shown_is_stated(side))
        sim_sheet_band(sheet, sim_scale_clamp(&sheet->x, side->stated_lo), sim_scale_clamp(&sheet->x, side->stated_hi),
                       y - half_px, y + half_px);
}

/* Levels at y, joined up to the last of the unbroken row that passes. */
static void add_levels(struct sim_sheet *sheet, const struct sim_shown_side *side, enum sim_mark mark, double y) {
    const cJSON *point;
    cJSON_ArrayForEach(point, side->points) {
        double level = sim_json_number_at(point, "level");
        if (level <= side->value)
            sim_sheet_line_to(sheet, mark, level, y);
    }
    sim_sheet_line_to(sheet, mark, NAN, NAN);
    cJSON_ArrayForEach(point, side->points)
        sim_sheet_point(sheet, level_mark(point), sim_json_number_at(point, "level"), y, NAN, NAN);
}

static void add_side(struct sim_sheet *sheet, const struct shown *shown, size_t k, double y) {
    const struct sim_shown_side *side = &shown->measure.sides[k];
    enum sim_mark mark = k ? SIM_MARK_AFTER : SIM_MARK_BEFORE;
    add_stated(sheet, side, y);
    if (shown->form == FORM_ROW)
        sim_sheet_estimate(sheet, mark, y, side->value, side->lo, side->hi, side->beyond);
    else
        add_levels(sheet, side, mark, y);
}

/* Label and verdict. On a phone the verdict follows the label, as a line of its own. @return lines. */
static size_t add_label(struct sim_sheet *sheet, const struct sim_shown_measure *measure, double y, bool draw) {
    bool narrow = sheet->draft->narrow, judged = measure->verdict != SIM_CLAIM_UNSTATED;
    double px = narrow ? sheet->right - sheet->left : LABEL_PX - 14;
    size_t lines = sim_sheet_wrap(sheet, sheet->left, y, px, LINES_MAX,
                                  measure->decides ? SIM_TINT_INK : SIM_TINT_MUTED, measure->label, draw);
    if (narrow && judged)
        lines += sim_sheet_wrap(sheet, sheet->left, y + (double)lines * sim_sheet_line(sheet), px, 1,
                                tint_of(measure->verdict), measure->verdict_word, draw);
    return lines;
}

static void add_row(struct sim_sheet *sheet, const struct shown *shown) {
    const struct sim_shown_measure *measure = &shown->measure;
    bool narrow = sheet->draft->narrow;
    double labels = (double)add_label(sheet, measure, 0, false) * sim_sheet_line(sheet);
    double rows = (double)(measure->sides[0].there + measure->sides[1].there) * ROW_PX;
    double height = narrow ? labels + rows : fmax(labels, rows);
    double label_y = sheet->y + (narrow ? 0 : fmax(0, (rows - labels) / 2)) + sim_sheet_line(sheet) / 2;
    add_label(sheet, measure, label_y, true);
    if (!narrow && measure->verdict != SIM_CLAIM_UNSTATED)
        sim_sheet_text(sheet, sheet->x1 + 14, sheet->y + height / 2, "left", tint_of(measure->verdict),
                       measure->verdict_word);
    double y = sheet->y - sheet->top + (narrow ? labels : fmax(0, (labels - rows) / 2)) + ROW_PX / 2;
    for (size_t k = 0; k < 2; k++) {
        if (!measure->sides[k].there)
            continue;
        add_side(sheet, shown, k, y);
        y += ROW_PX;
    }
    sheet->y += height + GAP_PX;
}

/* Do they stand in one panel? */
static bool belong_together(const struct shown *a, const struct shown *b) {
    return a->form == b->form && (a->form == FORM_ROW ? !strcmp(a->measure.unit, b->measure.unit)
                                                      : !strcmp(a->measure.along, b->measure.along));
}

static void add_axis_title(struct sim_text *title, const struct sim_sheet *sheet, const struct shown *first, bool log) {
    size_t fit = sim_sheet_fit(sheet, sheet->x1 - sheet->x0), length = strlen(first->measure.along);
    if (first->form != FORM_ROW)
        /* The end of a path says more than its beginning. */
        sim_text_printf(title, "%s%s", length > fit ? "…" : "",
                        first->measure.along + (length > fit ? length - fit + 1 : 0));
    else
        sim_text_add(title, !strcmp(first->measure.unit, "s") ? "seconds" : first->measure.unit);
    if (log)
        sim_text_add(title, title->length ? " (logarithmic)" : "logarithmic");
}

static void include_levels(struct sim_scale *scale, const struct sim_shown_side *side) {
    const cJSON *point;
    cJSON_ArrayForEach(point, side->points) sim_scale_include(scale, sim_json_number_at(point, "level"), true);
    sim_scale_include(scale, side->stated_lo, true);
    sim_scale_include(scale, side->stated_hi, true);
}

/* ---- tics at the levels ---- */

static int by_level(const void *left, const void *right) {
    const struct sim_sheet_level *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

static size_t gather_levels(const struct shown *shown, size_t count, struct sim_sheet_level **ret) {
    size_t used = 0, room = 0;
    const cJSON *point;
    *ret = NULL;
    for (size_t i = 0; i < 2 * count; i++) {
        const struct sim_shown_side *side = &shown[i / 2].measure.sides[i % 2];
        if (!belong_together(shown, &shown[i / 2]))
            continue;
        cJSON_ArrayForEach(point, side->points) {
            double at = sim_json_number_at(point, "level");
            if (!isfinite(at))
                continue;
            if (used == room)
                *ret = sim_realloc(*ret, room = 2 * room + 16, sizeof **ret);
            (*ret)[used++] = (struct sim_sheet_level){.at = at, .chosen = fabs(at - side->value) <= 0};
        }
    }
    if (used)
        qsort(*ret, used, sizeof **ret, by_level);
    return used;
}

/* Tics at the levels of those of @p count measures that belong to the first. */
static char *level_tics(const struct sim_sheet *sheet, const struct shown *shown, size_t count) {
    struct sim_sheet_level *levels;
    size_t level_count = gather_levels(shown, count, &levels);
    char *tics = sim_sheet_level_tics(sheet, levels, level_count);
    free(levels);
    return tics;
}

/* ---- panels of rows ---- */

/* The panel of all that belong to `from` on. */
static void add_rows_panel(struct sim_sheet *sheet, struct choice *choice, size_t from) {
    struct sim_scale scale = sim_scale_begin();
    struct shown *first = &choice->shown[from];
    bool tried = false;
    for (size_t i = from; i < choice->count; i++)
        for (size_t k = 0; k < 2; k++)
            if (belong_together(first, &choice->shown[i]))
                (first->form == FORM_ROW ? include_side : include_levels)(&scale, &choice->shown[i].measure.sides[k]);
    sim_scale_settle(&scale);
    place_rows(sheet);
    sim_sheet_panel(sheet, scale);
    sheet->y += 4;
    for (size_t i = from; i < choice->count; i++) {
        struct shown *shown = &choice->shown[i];
        if (!belong_together(first, shown))
            continue;
        if (!shown->measure.decides && !tried) {
            sim_sheet_text(sheet, sheet->left, sheet->y + sim_sheet_line(sheet) / 2, "left", SIM_TINT_INK,
                           "also tried:");
            sheet->y += sim_sheet_line(sheet) + 6;
            tried = true;
        }
        add_row(sheet, shown);
        shown->drawn = true;
    }
    struct sim_text title = {0};
    char *tics = first->form == FORM_LEVELS ? level_tics(sheet, first, choice->count - from) : NULL;
    add_axis_title(&title, sheet, first, scale.log);
    sim_sheet_panel_end(sheet,
                        &(struct sim_sheet_axes){sheet->y - sheet->top, title.length ? title.bytes : "", tics, NULL});
    free(title.bytes);
    free(tics);
}

/* ---- lines ---- */

static void include_values(struct sim_scale *scale, const struct sim_shown_measure *measure, const cJSON *points) {
    const cJSON *point;
    cJSON_ArrayForEach(point, points) {
        double value = measure->scale * sim_json_number_at(point, "value");
        sim_scale_include(scale, value, true);
        sim_scale_include(scale, isfinite(value) ? NAN : measure->scale * sim_json_number_at(point, "beyond"), true);
        sim_scale_include(scale, measure->scale * sim_json_number_at(point, "lo"), false);
        sim_scale_include(scale, measure->scale * sim_json_number_at(point, "hi"), false);
    }
}

static void add_value(struct sim_sheet *sheet, const struct sim_shown_measure *measure, const cJSON *point,
                      enum sim_mark mark, const struct sim_scale *y) {
    double level = sim_json_number_at(point, "level"), value = measure->scale * sim_json_number_at(point, "value"),
           beyond = measure->scale * sim_json_number_at(point, "beyond");
    if (isfinite(value)) {
        double lo = measure->scale * sim_json_number_at(point, "lo"),
               hi = measure->scale * sim_json_number_at(point, "hi");
        bool interval = isfinite(lo) || isfinite(hi);
        sim_sheet_point(sheet, mark, level, value, interval ? sim_scale_clamp(y, isfinite(lo) ? lo : -INFINITY) : NAN,
                        interval ? sim_scale_clamp(y, isfinite(hi) ? hi : INFINITY) : NAN);
    } else if (isfinite(beyond)) {
        sim_sheet_beyond(sheet, mark, level, beyond);
        sim_sheet_arrow(sheet, mark, level, beyond, level, y->hi);
    }
}

/* Value at the level chosen: of the best level, others may have the same. */
static double chosen_value(const struct sim_shown_side *side) {
    const cJSON *point;
    cJSON_ArrayForEach(point, side->points) if (fabs(sim_json_number_at(point, "level") - side->value) <=
                                                0) return sim_json_number_at(point, "value");
    return NAN;
}

/* One side: a line through its points; of a capacity they are coloured by verdict. A ring marks what is chosen. */
static void add_line(struct sim_sheet *sheet, const struct sim_shown_measure *measure, size_t k,
                     const struct sim_scale *y) {
    const struct sim_shown_side *side = &measure->sides[k];
    enum sim_mark mark = k ? SIM_MARK_AFTER : SIM_MARK_BEFORE;
    double best = chosen_value(side);
    const cJSON *point;
    cJSON_ArrayForEach(point, side->points) {
        double own = sim_json_number_at(point, "value"), value = measure->scale * own;
        bool chosen = fabs(sim_json_number_at(point, "level") - side->value) <= 0 ||
                      (measure->reading == SIM_READ_BEST && fabs(own - best) <= 0);
        sim_sheet_line_to(sheet, mark, sim_json_number_at(point, "level"), value);
        add_value(sheet, measure, point, measure->reading == SIM_READ_CAPACITY ? level_mark(point) : mark, y);
        if (is_worse(measure, point) && isfinite(value))
            sim_sheet_point(sheet, SIM_MARK_WORSE, sim_json_number_at(point, "level"), value, NAN, NAN);
        if (chosen && isfinite(value))
            sim_sheet_point(sheet, SIM_MARK_BEST, sim_json_number_at(point, "level"), value, NAN, NAN);
    }
    sim_sheet_line_to(sheet, mark, NAN, NAN);
}

/* What is stated of the level, over the field's whole height. */
static void add_stated_level(struct sim_sheet *sheet, const struct sim_shown_side *side, const struct sim_scale *y) {
    if (sim_shown_is_number(side)) {
        sim_sheet_line_to(sheet, SIM_MARK_STATED, side->stated_lo, y->lo);
        sim_sheet_line_to(sheet, SIM_MARK_STATED, side->stated_lo, y->hi);
        sim_sheet_line_to(sheet, SIM_MARK_STATED, NAN, NAN);
        sim_sheet_stated(sheet, side->stated_lo, y->lo);
    } else if (sim_shown_is_stated(side)) {
        sim_sheet_band(sheet, sim_scale_clamp(&sheet->x, side->stated_lo), sim_scale_clamp(&sheet->x, side->stated_hi),
                       y->lo, y->hi);
    }
}

/* Title of a panel of lines: label, figure, verdict. @return its height. */
static double add_head(struct sim_sheet *sheet, const struct sim_shown_measure *measure, double x, double px,
                       bool draw) {
    double line = sim_sheet_line(sheet), y = sheet->y + line / 2;
    char *figure = sim_shown_figure(measure);
    struct sim_text words = {0};
    const char *unit = sim_figure_unit(figure);
    sim_text_printf(&words, "%s%s%s", figure, *unit ? ", " : "", unit);
    size_t lines = sim_sheet_wrap(sheet, x, y, px, LINES_MAX, measure->decides ? SIM_TINT_INK : SIM_TINT_MUTED,
                                  measure->label, draw);
    lines += sim_sheet_wrap(sheet, x, y + (double)lines * line, px, 2, SIM_TINT_MUTED, words.bytes, draw);
    if (measure->verdict != SIM_CLAIM_UNSTATED)
        lines += sim_sheet_wrap(sheet, x, y + (double)lines * line, px, 1, tint_of(measure->verdict),
                                measure->verdict_word, draw);
    free(words.bytes);
    free(figure);
    return (double)lines * line + 8;
}

/* The panel of one series, its title from the sheet's next free pixel on, its field @p head_px below. */
static void add_line_panel(struct sim_sheet *sheet, const struct shown *shown, double x, double px, double head_px) {
    const double axis_px = 56, last_tic_px = 14, height_px = sheet->draft->narrow ? 150 : 170;
    const struct sim_shown_measure *measure = &shown->measure;
    struct sim_scale levels = sim_scale_begin(), values = sim_scale_begin();
    for (size_t k = 0; k < 2; k++) {
        include_levels(&levels, &measure->sides[k]);
        include_values(&values, measure, measure->sides[k].points);
    }
    sim_scale_settle(&levels);
    sim_scale_settle(&values);
    add_head(sheet, measure, x, px, true);
    sheet->x0 = x + axis_px;
    sheet->x1 = x + px - last_tic_px;
    sheet->y += head_px;
    sim_sheet_panel(sheet, levels);
    for (size_t k = 0; k < 2; k++) {
        add_stated_level(sheet, &measure->sides[k], &values);
        add_line(sheet, measure, k, &values);
    }
    struct sim_text title = {0};
    char *tics = level_tics(sheet, shown, 1);
    add_axis_title(&title, sheet, shown, levels.log);
    sim_sheet_panel_end(sheet, &(struct sim_sheet_axes){height_px, title.bytes, tics, &values});
    free(title.bytes);
    free(tics);
}

/* The next row of such panels, from `from` on, in at most @p columns. @return the first that is still to be drawn. */
static size_t add_row_of_lines(struct sim_sheet *sheet, struct choice *choice, size_t from, size_t columns) {
    const double gap_px = 28, px = (sheet->right - sheet->left - gap_px * (double)(columns - 1)) / (double)columns;
    struct shown *row[LINE_COLUMNS] = {0};
    size_t count = 0, i = from;
    for (; i < choice->count && count < columns; i++)
        if (choice->shown[i].form == FORM_LINE)
            row[count++] = &choice->shown[i];
    double top = sheet->y, head_px = 0, bottom = top;
    for (size_t c = 0; c < count; c++)
        head_px = fmax(head_px, add_head(sheet, &row[c]->measure, 0, px, false));
    for (size_t c = 0; c < count; c++) {
        sheet->y = top;
        add_line_panel(sheet, row[c], sheet->left + (double)c * (px + gap_px), px, head_px);
        row[c]->drawn = true;
        bottom = fmax(bottom, sheet->y);
    }
    sheet->y = bottom;
    return i;
}

/* All panels of lines, two beside each other where there is room. */
static void add_lines(struct sim_sheet *sheet, struct choice *choice) {
    size_t lines = 0;
    for (size_t i = 0; i < choice->count; i++)
        lines += choice->shown[i].form == FORM_LINE;
    size_t columns = sheet->draft->narrow || lines == 1 ? 1 : LINE_COLUMNS;
    for (size_t i = 0; i < choice->count;)
        i = add_row_of_lines(sheet, choice, i, columns);
}

/* ---- the whole ---- */

static void add_legend(struct sim_sheet *sheet, const struct choice *choice) {
    static const char *const all[SIM_MARKS] = {[SIM_MARK_BEFORE] = "before",
                                               [SIM_MARK_AFTER] = "after",
                                               [SIM_MARK_GOOD] = "SLOs pass",
                                               [SIM_MARK_DOUBT] = "in doubt",
                                               [SIM_MARK_FAILS] = "an SLO fails",
                                               [SIM_MARK_STATED] = "stated",
                                               [SIM_MARK_BAND] = "stated range",
                                               [SIM_MARK_BEST] = "best",
                                               [SIM_MARK_WORSE] = "surely worse than the best"};
    const char *titles[SIM_MARKS];
    for (size_t i = 0; i < SIM_MARKS; i++)
        titles[i] = choice->any[i] ? all[i] : NULL;
    /* Alone there is nothing to tell it from. */
    if (!choice->any[SIM_MARK_BEFORE])
        titles[SIM_MARK_AFTER] = "ours";
    sim_sheet_legend(sheet, titles, choice->beyond, choice->any_beyond ? "more than this" : NULL);
}

static void say(struct sim_text *says, const cJSON *claim, const struct choice *choice) {
    sim_text_printf(says, "%s %s.", sim_json_text_at(claim, "says"), sim_json_text_at(claim, "verdict"));
    for (size_t i = 0; i < choice->count; i++) {
        const struct sim_shown_measure *measure = &choice->shown[i].measure;
        if (!measure->decides)
            continue;
        sim_text_printf(says, " %s: ", measure->label);
        for (size_t k = 0; k < 2; k++) {
            const struct sim_shown_side *side = &measure->sides[k];
            struct sim_shown_words stated = sim_shown_stated(measure, side);
            if (!side->there)
                continue;
            sim_text_printf(says, "%s%s %s", k && measure->sides[0].there ? ", " : "", k ? "after" : "before",
                            sim_shown_ours(measure, side).text);
            sim_text_printf(says, *stated.text ? " (stated: %s)" : "%s", stated.text);
        }
        sim_text_add(says, ".");
    }
}

bool sim_prepare_claim(const struct sim_view *view, struct sim_plot_draft *draft) {
    struct choice choice = choose(view->claim);
    struct sim_sheet sheet;
    if (!choice.count)
        return false;
    sim_text_printf(&draft->title, "%s: %s", sim_json_text_at(view->claim, "id"),
                    sim_json_text_at(view->claim, "verdict"));
    sim_sheet_begin(&sheet, draft);
    add_legend(&sheet, &choice);
    for (size_t i = 0; i < choice.count; i++) {
        if (choice.shown[i].drawn)
            continue;
        if (choice.shown[i].form == FORM_LINE)
            add_lines(&sheet, &choice);
        else
            add_rows_panel(&sheet, &choice, i);
    }
    if (choice.left_out) {
        struct sim_text note = {0};
        sim_text_printf(&note, "%zu more %s only in the table.", choice.left_out,
                        choice.left_out > 1 ? "measures stand" : "measure stands");
        sheet.y += (double)sim_sheet_wrap(&sheet, sheet.left, sheet.y, sheet.right - sheet.left, 2, SIM_TINT_MUTED,
                                          note.bytes, true) *
                   sim_sheet_line(&sheet);
        free(note.bytes);
    }
    sim_sheet_end(&sheet);
    say(&draft->says, view->claim, &choice);
    return true;
}
