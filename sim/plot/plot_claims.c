/* All claims at once: ours over what is stated. */
#include "claims_view.h"
#include "draw.h"
#include "prepare.h"
#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far from a stated number a reproduced one may lie, as sim/claims has it. */

/* Ratios further away are drawn as arrows. */
static const double ratio_min = .02, ratio_max = 50;

/* Ours over what is stated. */
struct ratio {
    double value, lo, hi, beyond;
};

/* @return false where there is no such thing: 0 or a bound is stated, or the signs differ. */
static bool ratio_of(const struct sim_shown_side *side, struct ratio *ret) {
    double stated = (side->stated_lo + side->stated_hi) / 2;
    if (!isfinite(stated) || fabs(stated) < 1e-12 || !sim_shown_has_value(side))
        return false;
    double lo = side->lo / stated, hi = side->hi / stated;
    *ret = (struct ratio){side->value / stated, stated > 0 ? lo : hi, stated > 0 ? hi : lo, side->beyond / stated};
    return isfinite(ret->value) ? ret->value > 0 : stated > 0 && ret->beyond > 0;
}

static enum sim_mark mark_of(enum sim_claim_verdict verdict) {
    static const enum sim_mark marks[] = {SIM_MARK_BEFORE, SIM_MARK_GOOD, SIM_MARK_DOUBT, SIM_MARK_BAD};
    return marks[verdict];
}

static size_t sides_stated(const struct sim_shown_measure *measure) {
    return (size_t)sim_shown_is_stated(&measure->sides[0]) + sim_shown_is_stated(&measure->sides[1]);
}

/* What is counted over all rows. */
struct tally {
    size_t rows, verdicts[SIM_CLAIM_VERDICTS];
    bool beyond;
    enum sim_mark beyond_mark;
    struct sim_scale scale;
    struct sim_text left_out; /* ids of claims that state no number */
};

static void count_measure(struct tally *tally, const struct sim_shown_measure *measure) {
    tally->verdicts[measure->verdict] += sides_stated(measure) > 0;
    for (size_t k = 0; k < 2; k++) {
        const struct sim_shown_side *side = &measure->sides[k];
        struct ratio ratio;
        tally->rows += sim_shown_is_stated(side);
        if (!sim_shown_is_stated(side) || !ratio_of(side, &ratio))
            continue;
        const double all[] = {ratio.value, ratio.lo, ratio.hi, ratio.beyond};
        for (size_t i = 0; i < 4; i++)
            if (all[i] > 0)
                sim_scale_include(&tally->scale, fmin(fmax(all[i], ratio_min), ratio_max), true);
        if (!isfinite(ratio.value)) {
            tally->beyond = true;
            tally->beyond_mark = mark_of(measure->verdict);
        }
    }
}

static struct tally count_all(const cJSON *claims) {
    struct tally tally = {.scale = sim_scale_begin()};
    const cJSON *claim, *each;
    sim_scale_include(&tally.scale, .5, true);
    sim_scale_include(&tally.scale, 2, true);
    cJSON_ArrayForEach(claim, claims) {
        size_t before = tally.rows;
        cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
            struct sim_shown_measure measure = sim_shown_measure(each);
            if (measure.decides)
                count_measure(&tally, &measure);
        }
        if (tally.rows == before)
            sim_text_printf(&tally.left_out, "%s%s", tally.left_out.length ? ", " : "", sim_json_text_at(claim, "id"));
    }
    /* Ratios are equally far from 1 on both sides. */
    tally.scale.log = true;
    tally.scale.lo /= 1.1;
    tally.scale.hi *= 1.1;
    return tally;
}

/* ---- rows ---- */

enum { LABEL_PX = 222, SIDE_PX = 58, WORDS_PX = 228, ROW_PX = 20, GAP_PX = 8, CLAIM_GAP_PX = 4, LINES_MAX = 12 };

/* "9.84; 9.8 s", "70.2; at most 50 %": ours, and what is stated, as far as they fit into @p px. */
static char *words_of(const struct sim_sheet *sheet, const struct sim_shown_measure *measure,
                      const struct sim_shown_side *side, double px) {
    struct sim_shown_measure bare = *measure;
    struct sim_text words = {0};
    bare.unit = "";
    struct sim_shown_words ours = sim_shown_ours(&bare, side), stated = sim_shown_stated(measure, side);
    if (strlen(ours.text) + 2 + strlen(stated.text) > sim_sheet_fit(sheet, px)) {
        bare.reading = SIM_READ_FIGURE;
        stated = sim_shown_stated(&bare, side);
        ours = sim_shown_ours(&bare, side);
    }
    sim_text_printf(&words, "%s; %s",
                    *ours.text                              ? ours.text
                    : measure->reading == SIM_READ_CAPACITY ? "none"
                                                            : "no value",
                    stated.text);
    return sim_text_take(&words);
}

static void add_ratio(struct sim_sheet *sheet, const struct sim_shown_measure *measure,
                      const struct sim_shown_side *side, const struct ratio *ratio, double y) {
    const double middle = (side->stated_lo + side->stated_hi) / 2, below_px = 6;
    sim_sheet_estimate(sheet, mark_of(measure->verdict), y, ratio->value, ratio->lo, ratio->hi, ratio->beyond);
    if (sim_shown_is_number(side))
        return;
    sim_sheet_line_to(sheet, SIM_MARK_BEFORE, sim_scale_clamp(&sheet->x, side->stated_lo / middle), y + below_px);
    sim_sheet_line_to(sheet, SIM_MARK_BEFORE, sim_scale_clamp(&sheet->x, side->stated_hi / middle), y + below_px);
    sim_sheet_line_to(sheet, SIM_MARK_BEFORE, NAN, NAN);
}

/* Where ours is as good as stated, between @p top and @p bottom of the panel. */
static void add_target(struct sim_sheet *sheet, double top, double bottom) {
    sim_sheet_band(sheet, 1 - SIM_CLAIM_TOLERANCE, 1 + SIM_CLAIM_TOLERANCE, top, bottom);
    sim_sheet_line_to(sheet, SIM_MARK_STATED, 1, top);
    sim_sheet_line_to(sheet, SIM_MARK_STATED, 1, bottom);
    sim_sheet_line_to(sheet, SIM_MARK_STATED, NAN, NAN);
}

/* One side at @p y below the heading; in words where there is no ratio, or room for both. */
static void add_side(struct sim_sheet *sheet, const struct sim_shown_measure *measure, size_t k, double y) {
    static const char *const names[] = {"before", "after"};
    const struct sim_shown_side *side = &measure->sides[k];
    bool narrow = sheet->draft->narrow;
    struct ratio ratio;
    bool drawn = ratio_of(side, &ratio);
    if (measure->sides[0].there)
        sim_sheet_text(sheet, sheet->x0 - 10, y, "right", SIM_TINT_MUTED, names[k]);
    if (drawn)
        add_ratio(sheet, measure, side, &ratio, y - sheet->top);
    if (drawn && narrow)
        /* Labels stand above the rows: nothing may run through them. */
        add_target(sheet, y - sheet->top - ROW_PX / 2, y - sheet->top + ROW_PX / 2);
    if (narrow && drawn)
        return;
    const double sign_px = 12;
    double x = (narrow ? sheet->x0 : sheet->x1 + 14) + sign_px, px = narrow ? sheet->x1 - x : sheet->right - x;
    char *words = words_of(sheet, measure, side, px);
    if (!drawn)
        sim_sheet_sample(sheet, x - sign_px, y, mark_of(measure->verdict), false);
    sim_sheet_wrap(sheet, x, y, px, 1, SIM_TINT_MUTED, words, true);
    free(words);
}

/* The claim's name, with its first row, and the measure's label. @return lines, and draws where @p draw says so. */
static size_t add_labels(struct sim_sheet *sheet, const char *id, const char *label, double y, bool draw) {
    double px = sheet->draft->narrow ? sheet->right - sheet->left : LABEL_PX - 8;
    size_t lines = sim_sheet_wrap(sheet, sheet->left, y, px, 1, SIM_TINT_INK, id, draw);
    return lines + sim_sheet_wrap(sheet, sheet->left, y + (double)lines * sim_sheet_line(sheet), px, LINES_MAX,
                                  SIM_TINT_MUTED, label, draw);
}

static void add_measure(struct sim_sheet *sheet, const char *id, const struct sim_shown_measure *measure) {
    bool narrow = sheet->draft->narrow;
    double labels = (double)add_labels(sheet, id, measure->label, 0, false) * sim_sheet_line(sheet);
    double rows = (double)sides_stated(measure) * ROW_PX, height = narrow ? labels + rows : fmax(labels, rows);
    add_labels(sheet, id, measure->label, sheet->y + sim_sheet_line(sheet) / 2, true);
    double y = sheet->y + (narrow ? labels : fmax(0, (labels - rows) / 2)) + ROW_PX / 2;
    for (size_t k = 0; k < 2; k++) {
        if (!sim_shown_is_stated(&measure->sides[k]))
            continue;
        add_side(sheet, measure, k, y);
        y += ROW_PX;
    }
    sheet->y += height + GAP_PX;
}

static void add_rows(struct sim_sheet *sheet, const cJSON *claims) {
    const cJSON *claim, *each;
    cJSON_ArrayForEach(claim, claims) {
        const char *id = sim_json_text_at(claim, "id");
        cJSON_ArrayForEach(each, sim_json_at(claim, "measures")) {
            struct sim_shown_measure measure = sim_shown_measure(each);
            if (!measure.decides || !sides_stated(&measure))
                continue;
            sheet->y += *id ? CLAIM_GAP_PX : 0;
            add_measure(sheet, id, &measure);
            id = "";
        }
    }
}

static void add_legend(struct sim_sheet *sheet, const struct tally *tally) {
    const char *titles[SIM_MARKS] = {0};
    titles[SIM_MARK_GOOD] = tally->verdicts[SIM_CLAIM_REPRODUCED] ? "reproduced" : NULL;
    titles[SIM_MARK_DOUBT] = tally->verdicts[SIM_CLAIM_DIRECTION] ? "direction only" : NULL;
    titles[SIM_MARK_BAD] = tally->verdicts[SIM_CLAIM_NOT] ? "not reproduced" : NULL;
    titles[SIM_MARK_BAND] = "up to 15 % off";
    sim_sheet_legend(sheet, titles, tally->beyond_mark, tally->beyond ? "more than this" : NULL);
    if (sheet->draft->narrow)
        return;
    sim_sheet_text(sheet, sheet->x1 + 26, sheet->y, "left", SIM_TINT_INK, "ours; stated");
    sheet->y += sim_sheet_line(sheet);
}

bool sim_prepare_claims(const struct sim_view *view, struct sim_plot_draft *draft) {
    const cJSON *claims = sim_json_at(view->summary, "claims");
    struct tally tally = count_all(claims);
    struct sim_sheet sheet;
    if (tally.rows > 0) {
        sim_sheet_begin(&sheet, draft);
        sheet.x0 = sheet.left + (draft->narrow ? SIDE_PX : LABEL_PX + SIDE_PX);
        sheet.x1 = sheet.right - (draft->narrow ? 8 : WORDS_PX);
        add_legend(&sheet, &tally);
        sim_sheet_panel(&sheet, tally.scale);
        double top = sheet.y;
        add_rows(&sheet, claims);
        double height = sheet.y - top;
        if (!draft->narrow)
            add_target(&sheet, 0, height);
        sim_sheet_panel_end(&sheet, &(struct sim_sheet_axes){.height = height, .title = "ours / stated (logarithmic)"});
        if (tally.left_out.length) {
            struct sim_text note = {0};
            sim_text_printf(&note, "Nothing to divide by: %s.", tally.left_out.bytes);
            sheet.y += (double)sim_sheet_wrap(&sheet, sheet.left, sheet.y, sheet.right - sheet.left, 6, SIM_TINT_MUTED,
                                              note.bytes, true) *
                       sim_sheet_line(&sheet);
            free(note.bytes);
        }
        sim_sheet_end(&sheet);
        sim_text_printf(
            &draft->says,
            "%zu numbers, ours over what is stated, with intervals. Of the measures that decide and state a "
            "number %zu are reproduced, %zu in direction only, %zu are not.",
            tally.rows, tally.verdicts[SIM_CLAIM_REPRODUCED], tally.verdicts[SIM_CLAIM_DIRECTION],
            tally.verdicts[SIM_CLAIM_NOT]);
    }
    free(tally.left_out.bytes);
    return tally.rows > 0;
}
