#include "sheet.h"

#include "draw.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scales ---- */

struct sim_scale sim_scale_begin(void) {
    return (struct sim_scale){INFINITY, -INFINITY, INFINITY, -INFINITY, false};
}

void sim_scale_include(struct sim_scale *scale, double value, bool decides) {
    if (!isfinite(value))
        return;
    scale->lo = fmin(scale->lo, value);
    scale->hi = fmax(scale->hi, value);
    if (decides) {
        scale->decides_lo = fmin(scale->decides_lo, value);
        scale->decides_hi = fmax(scale->decides_hi, value);
    }
}

void sim_scale_settle(struct sim_scale *scale) {
    const double log_span = 30, log_margin = 1.25, margin = .06;
    double lo = scale->lo, hi = scale->hi;
    if (lo > hi)
        lo = hi = 0;
    scale->log = scale->decides_lo > 0 && scale->decides_hi > log_span * scale->decides_lo;
    if (scale->log) {
        /* An interval that reaches down to 0 and below is cut. */
        scale->lo = (lo > 0 ? fmax(lo, scale->decides_lo / 3) : scale->decides_lo / 3) / log_margin;
        scale->hi = hi * log_margin;
        return;
    }
    double span = hi > lo ? hi - lo : fabs(hi) > 0 ? fabs(hi) / 2 : 1;
    bool from_zero = lo >= 0 && lo <= hi / 2, to_zero = hi <= 0 && hi >= lo / 2;
    scale->lo = from_zero ? -.02 * hi : lo - margin * span;
    scale->hi = to_zero ? -.02 * lo : hi + margin * span;
    if (scale->hi <= scale->lo)
        scale->hi = scale->lo + 1;
}

double sim_scale_clamp(const struct sim_scale *scale, double value) {
    return fmin(fmax(value, scale->lo), scale->hi);
}

/* Characters of the longest label of tics @p step apart. */
static double label_characters(const struct sim_scale *scale, double step) {
    double lo = ceil(scale->lo / step) * step, hi = floor(scale->hi / step) * step;
    return fmax((double)strlen(sim_draw_number(lo).text), (double)strlen(sim_draw_number(hi).text));
}

/* The smallest round distance between tics at which labels stay apart. */
static double choose_step(const struct sim_scale *scale, char axis, double px) {
    const double tic_px_min = axis == 'x' ? 60 : 36, character_px = 8, gap_px = 14;
    double span = scale->hi - scale->lo, step = 0;
    int most = (int)fmin(8, fmax(1, px / tic_px_min));
    for (; most >= 1; most--) {
        step = sim_draw_step(span, most);
        if (axis == 'y' || label_characters(scale, step) * character_px + gap_px <= px * step / span)
            break;
    }
    return step;
}

/* Powers of ten alone, as many as there is room for. */
static void add_decades(struct sim_text *script, char axis, const struct sim_scale *scale, double decade_px) {
    const double tic_px_min = axis == 'x' ? 64 : 24;
    int every = (int)ceil(tic_px_min / decade_px);
    const char *comma = "";
    sim_text_printf(script, "set %ctics (", axis);
    int first = (int)ceil(log10(fmax(scale->lo, DBL_MIN))), last = (int)floor(log10(fmax(scale->hi, DBL_MIN)));
    for (int decade = first; decade <= last; decade += every) {
        sim_text_printf(script, "%s'%s' ", comma, sim_draw_number(pow(10, decade)).text);
        sim_gnuplot_add_value(script, pow(10, decade));
        comma = ", ";
    }
    sim_text_add(script, ")");
}

/* More than any sheet has room for: a scale whose steps are lost in rounding would never end. */
enum { TICS_MAX = 64 };

/* Tics over @p px pixels; labels may reach @p edge_px beyond both ends. */
static void add_tics(struct sim_text *script, char axis, const struct sim_scale *scale, double px, double edge_px) {
    const double crowded_px = axis == 'x' ? 110 : 45, character_px = 8;
    if (scale->log) {
        double decades = log10(scale->hi / scale->lo);
        if (decades > 2 && px / decades < crowded_px)
            add_decades(script, axis, scale, px / decades);
        else
            sim_draw_log_tics(script, axis, scale->lo, scale->hi);
        return;
    }
    double step = choose_step(scale, axis, px);
    const char *comma = "";
    sim_text_printf(script, "set %ctics (", axis);
    double first = ceil(scale->lo / step);
    for (int tic = 0; tic < TICS_MAX && (first + tic) * step <= scale->hi; tic++) {
        double at = first + tic;
        struct sim_draw_word label = sim_draw_number(at * step);
        double inside = fmin(at * step - scale->lo, scale->hi - at * step) / (scale->hi - scale->lo) * px;
        bool fits = axis == 'y' || (double)strlen(label.text) * character_px / 2 <= inside + edge_px;
        sim_text_printf(script, "%s'%s' ", comma, fits ? label.text : " ");
        sim_gnuplot_add_value(script, at * step);
        comma = ", ";
    }
    sim_text_add(script, ")");
}

/* ---- tics at levels ---- */

static double level_px(const struct sim_sheet *sheet, double level) {
    const struct sim_scale *x = &sheet->x;
    double share = x->log ? log(level / x->lo) / log(x->hi / x->lo) : (level - x->lo) / (x->hi - x->lo);
    return share * (sheet->x1 - sheet->x0);
}

/* Is there room for a label beside those that are there already? */
static bool has_room(const struct sim_sheet *sheet, const struct sim_sheet_level *levels, size_t count, size_t which) {
    const double character_px = 8, gap_px = 8;
    double half = (double)strlen(sim_draw_number(levels[which].at).text) * character_px / 2;
    for (size_t i = 0; i < count; i++) {
        if (!levels[i].labelled)
            continue;
        double other = (double)strlen(sim_draw_number(levels[i].at).text) * character_px / 2;
        double apart = fabs(level_px(sheet, levels[i].at) - level_px(sheet, levels[which].at));
        if (apart < half + other + gap_px)
            return false;
    }
    return true;
}

char *sim_sheet_level_tics(const struct sim_sheet *sheet, struct sim_sheet_level *levels, size_t count) {
    struct sim_text tics = {0};
    for (int chosen = 1; chosen >= 0; chosen--)
        for (size_t i = 0; i < count; i++)
            if (levels[i].chosen == chosen)
                levels[i].labelled = has_room(sheet, levels, count, i);
    sim_text_add(&tics, "set xtics (");
    const char *comma = "";
    for (size_t i = 0; i < count; i++) {
        if (!levels[i].labelled)
            continue;
        sim_text_printf(&tics, "%s'%s' ", comma, sim_draw_number(levels[i].at).text);
        sim_gnuplot_add_value(&tics, levels[i].at);
        comma = ", ";
    }
    sim_text_add(&tics, ")");
    return sim_text_take(&tics);
}

/* ---- texts ---- */

static const double pad_px = 16;

/* Everything on the sheet follows the first line. */
void sim_sheet_begin(struct sim_sheet *sheet, struct sim_plot_draft *draft) {
    *sheet = (struct sim_sheet){.draft = draft, .y = 6, .left = pad_px, .right = draft->width - pad_px};
    draft->without_heading = true;
}

double sim_sheet_line(const struct sim_sheet *sheet) {
    return sheet->draft->narrow ? 15 : 16;
}

static double character_px(const struct sim_sheet *sheet) {
    return sheet->draft->narrow ? 6.9 : 7.5;
}

size_t sim_sheet_fit(const struct sim_sheet *sheet, double px) {
    double characters = floor(px / character_px(sheet));
    return characters < 4 ? 4 : (size_t)characters;
}

static size_t characters_of(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void add_place(struct sim_sheet *sheet, double x, double y) {
    sim_text_printf(&sheet->draft->script, " at screen %.9g, screen 1 - (head_px + %.9g) / height_px",
                    x / sheet->draft->width, y);
}

void sim_sheet_text(struct sim_sheet *sheet, double x, double y, const char *side, enum sim_tint tint,
                    const char *text) {
    static const char *const tints[] = {"ink", "muted", "good", "doubt", "bad"};
    struct sim_text *script = &sheet->draft->script;
    sim_text_printf(script, "set label %zu ", ++sheet->labels);
    sim_gnuplot_add_string(script, text);
    add_place(sheet, x, y);
    sim_text_printf(script, " %s front textcolor rgb %s%s\n", side, tints[tint],
                    sheet->draft->narrow ? " font ',12'" : "");
}

/* May a line end at the space @p text[at]? Not between a number and "s" or "%". */
static bool is_break(const char *text, size_t at) {
    bool number = at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
    bool unit = text[at + 1] == '%' || (text[at + 1] == 's' && !isalnum((unsigned char)text[at + 2]));
    return text[at] == ' ' && !(number && unit);
}

/* Length in bytes of the first line of @p text: up to the last space that fits, or to the last character that does. */
static size_t line_length(const char *text, size_t characters_max) {
    size_t at = 0, characters = 0, space = 0;
    while (text[at]) {
        if (characters == characters_max)
            return is_break(text, at) ? at : space ? space : at;
        if (is_break(text, at))
            space = at;
        at++;
        while (((unsigned char)text[at] & 0xC0) == 0x80)
            at++;
        characters++;
    }
    return at;
}

size_t sim_sheet_wrap(struct sim_sheet *sheet, double x, double y, double px, size_t lines_max, enum sim_tint tint,
                      const char *text, bool draw) {
    size_t fit = sim_sheet_fit(sheet, px), lines = 0;
    text += strspn(text, " ");
    while (*text && lines < lines_max) {
        bool last = lines + 1 == lines_max && characters_of(text) > fit;
        size_t length = line_length(text, last ? fit - 1 : fit);
        struct sim_text line = {0};
        sim_text_append(&line, text, length);
        sim_text_add(&line, last ? "…" : "");
        if (draw)
            sim_sheet_text(sheet, x, y + (double)lines * sim_sheet_line(sheet), "left", tint, line.bytes);
        free(line.bytes);
        text += length;
        text += strspn(text, " ");
        lines++;
    }
    return lines;
}

/* ---- legend ---- */

void sim_sheet_sample(struct sim_sheet *sheet, double x, double y, enum sim_mark mark, bool hollow) {
    struct sim_text *script = &sheet->draft->script;
    if (mark == SIM_MARK_BAND) {
        sim_text_printf(
            script,
            "set object %zu rectangle from screen %.9g, screen 1 - (head_px + %.9g) / height_px to screen "
            "%.9g, screen 1 - (head_px + %.9g) / height_px behind fillstyle solid 1 noborder fillcolor rgb rule\n",
            ++sheet->labels, (x - 9) / sheet->draft->width, y + 6, (x + 9) / sheet->draft->width, y - 6);
        return;
    }
    sim_text_printf(script, "set label %zu ''", ++sheet->labels);
    add_place(sheet, x, y);
    sim_text_printf(
        script,
        " point pointtype int(word(%s, %d)) pointsize mark_size(%d) linewidth 1.4 linecolor rgb word(colours, %d)\n",
        hollow ? "hollow" : "filled", mark + 1, mark + 1, mark + 1);
}

static void add_entry(struct sim_sheet *sheet, double *x, enum sim_mark mark, bool hollow, const char *title) {
    const double sample_px = 16, gap_px = 18;
    double width = sample_px + (double)characters_of(title) * character_px(sheet);
    if (*x > sheet->left && *x + width > sheet->right) {
        *x = sheet->left;
        sheet->y += sim_sheet_line(sheet) + 3;
    }
    sim_sheet_sample(sheet, *x + 7, sheet->y + 8, mark, hollow);
    sim_sheet_text(sheet, *x + sample_px + 4, sheet->y + 8, "left", SIM_TINT_INK, title);
    *x += width + gap_px;
}

void sim_sheet_legend(struct sim_sheet *sheet, const char *const titles[SIM_MARKS], enum sim_mark hollow,
                      const char *hollow_title) {
    double x = sheet->left;
    for (int mark = 0; mark < SIM_MARKS; mark++)
        if (titles[mark] != NULL)
            add_entry(sheet, &x, (enum sim_mark)mark, false, titles[mark]);
    if (hollow_title != NULL)
        add_entry(sheet, &x, hollow, true, hollow_title);
    sheet->y += sim_sheet_line(sheet) + 12;
}

/* ---- panels ---- */

void sim_sheet_panel(struct sim_sheet *sheet, struct sim_scale x) {
    struct sim_text *blocks[] = {&sheet->points, &sheet->arrows, &sheet->bands, &sheet->stated, &sheet->lines};
    /* A block without a row would not count as one. */
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        sim_text_printf(blocks[i], "%sNaN NaN NaN NaN 99 0\n", sheet->panels ? "\n\n" : "");
    sheet->panels++;
    sheet->top = sheet->y;
    sheet->x = x;
}

static void add_row(struct sim_text *block, const double *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sim_text_add(block, i ? " " : "");
        sim_gnuplot_add_value(block, cells[i]);
    }
    sim_text_add(block, "\n");
}

#define ADD_ROW(block, ...)                                                                                            \
    add_row(block, (const double[]){__VA_ARGS__}, sizeof(const double[]){__VA_ARGS__} / sizeof(double))

void sim_sheet_point(struct sim_sheet *sheet, enum sim_mark mark, double x, double y, double lo, double hi) {
    ADD_ROW(&sheet->points, x, y, lo, hi, mark, 0);
}

void sim_sheet_beyond(struct sim_sheet *sheet, enum sim_mark mark, double x, double y) {
    ADD_ROW(&sheet->points, x, y, NAN, NAN, mark, 1);
}

void sim_sheet_arrow(struct sim_sheet *sheet, enum sim_mark mark, double x, double y, double to_x, double to_y) {
    ADD_ROW(&sheet->arrows, x, y, to_x - x, to_y - y, mark);
}

void sim_sheet_band(struct sim_sheet *sheet, double lo, double hi, double y_lo, double y_hi) {
    ADD_ROW(&sheet->bands, lo, hi, y_lo, y_hi);
}

void sim_sheet_stated(struct sim_sheet *sheet, double x, double y) {
    ADD_ROW(&sheet->stated, x, y);
}

void sim_sheet_line_to(struct sim_sheet *sheet, enum sim_mark mark, double x, double y) {
    const struct sim_text *lines = &sheet->lines;
    if (isfinite(x) && isfinite(y))
        ADD_ROW(&sheet->lines, x, y, NAN, NAN, mark);
    else if (!(lines->length > 1 && lines->bytes[lines->length - 2] == '\n'))
        /* One empty line interrupts, two would begin the next block. */
        sim_text_add(&sheet->lines, "\n");
}

/* An end of an interval within the field; an arrow from @p x where it lies outside or is open. */
static double end_within(struct sim_sheet *sheet, enum sim_mark mark, double y, double x, double end) {
    double within = sim_scale_clamp(&sheet->x, end);
    if (within < end || within > end)
        sim_sheet_arrow(sheet, mark, x, y, within, y);
    return within < end || within > end ? x : within;
}

void sim_sheet_estimate(struct sim_sheet *sheet, enum sim_mark mark, double y, double value, double lo, double hi,
                        double beyond) {
    if (!isfinite(value)) {
        if (!isfinite(beyond))
            return;
        double from = sim_scale_clamp(&sheet->x, beyond);
        sim_sheet_beyond(sheet, mark, from, y);
        sim_sheet_arrow(sheet, mark, from, y, sheet->x.hi, y);
        return;
    }
    double x = sim_scale_clamp(&sheet->x, value);
    bool interval = isfinite(lo) || isfinite(hi);
    double low = interval ? end_within(sheet, mark, y, x, isfinite(lo) ? lo : -INFINITY) : NAN;
    double high = interval ? end_within(sheet, mark, y, x, isfinite(hi) ? hi : INFINITY) : NAN;
    sim_sheet_point(sheet, mark, x, y, low, high);
}

static void set(struct sim_sheet *sheet, const char *name, double value) {
    sim_text_printf(&sheet->settings, "p_%s[%zu] = ", name, sheet->panels);
    sim_gnuplot_add_value(&sheet->settings, value);
    sim_text_add(&sheet->settings, "\n");
}

/* Commands for the axes, which the script evaluates. */
static void add_axes(struct sim_sheet *sheet, const struct sim_sheet_axes *axes) {
    struct sim_text commands = {0};
    if (axes->tics != NULL)
        sim_text_add(&commands, axes->tics);
    else
        add_tics(&commands, 'x', &sheet->x, sheet->x1 - sheet->x0, fmin(sheet->x0, sheet->draft->width - sheet->x1));
    sim_text_printf(&commands, "; %sset logscale x; ", sheet->x.log ? "" : "un");
    if (axes->y != NULL) {
        add_tics(&commands, 'y', axes->y, axes->height, 0);
        sim_text_printf(&commands, " textcolor rgb muted; %sset logscale y; set border 3; set grid xtics ytics",
                        axes->y->log ? "" : "un");
    } else {
        sim_text_add(&commands, "unset ytics; unset logscale y; set border 1; set grid xtics noytics");
    }
    sim_text_printf(&sheet->settings, "p_axes[%zu] = ", sheet->panels);
    sim_gnuplot_add_string(&sheet->settings, commands.bytes);
    sim_text_add(&sheet->settings, "\n");
    free(commands.bytes);
}

void sim_sheet_panel_end(struct sim_sheet *sheet, const struct sim_sheet_axes *axes) {
    const double tics_px = 35;
    set(sheet, "left", sheet->x0);
    set(sheet, "right", sheet->x1);
    set(sheet, "top", sheet->top);
    set(sheet, "bottom", sheet->top + axes->height);
    set(sheet, "x_min", sheet->x.lo);
    set(sheet, "x_max", sheet->x.hi);
    set(sheet, "upward", axes->y != NULL);
    set(sheet, "y_min", axes->y != NULL ? axes->y->lo : axes->height);
    set(sheet, "y_max", axes->y != NULL ? axes->y->hi : 0);
    add_axes(sheet, axes);
    sheet->y = sheet->top + axes->height + tics_px;
    if (*axes->title) {
        sim_sheet_text(sheet, (sheet->x0 + sheet->x1) / 2, sheet->y + 8, "center", SIM_TINT_INK, axes->title);
        sheet->y += sim_sheet_line(sheet) + 2;
    }
    sheet->y += 16;
}

void sim_sheet_end(struct sim_sheet *sheet) {
    static const char *const names[] = {"left",  "right",  "top",   "bottom", "x_min",
                                        "x_max", "upward", "y_min", "y_max",  "axes"};
    struct sim_text *script = &sheet->draft->script;
    const struct {
        const char *name;
        struct sim_text *block;
    } blocks[] = {{"$points", &sheet->points},
                  {"$arrows", &sheet->arrows},
                  {"$bands", &sheet->bands},
                  {"$stated", &sheet->stated},
                  {"$lines", &sheet->lines}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        sim_draw_data(script, blocks[i].name);
        if (blocks[i].block->length)
            sim_text_append(script, blocks[i].block->bytes, blocks[i].block->length);
        sim_draw_data_end(script);
        free(blocks[i].block->bytes);
    }
    sim_text_printf(script, "panels = %zu\n", sheet->panels);
    for (size_t i = 0; i < sizeof names / sizeof *names && sheet->panels > 0; i++)
        sim_text_printf(script, "array p_%s[%zu]\n", names[i], sheet->panels);
    if (sheet->settings.length)
        sim_text_append(script, sheet->settings.bytes, sheet->settings.length);
    free(sheet->settings.bytes);
    sheet->draft->height = (int)ceil(sheet->y);
}
