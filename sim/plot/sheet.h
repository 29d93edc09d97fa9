/** Pictures of rows and panels laid out by the pixel, from top to bottom: every text has a place of its own, so that none
 *  is cut or overlaps another. plots/claim.gp and plots/claims.gp draw what a sheet holds.
 *
 *  Coordinates are CSS pixels from the left and from below the heading. Characters are taken to be as wide as those of a
 *  wide font (DejaVu Sans): whoever has a narrower one sees more room. */
#ifndef SIM_SHEET_H
#define SIM_SHEET_H

#include "plot.h"

#include <stdbool.h>

/** What a mark means; the scripts have its colour and shape. */
enum sim_mark {
    SIM_MARK_BEFORE,
    SIM_MARK_AFTER,
    SIM_MARK_GOOD,   /**< reproduced; every SLO passes */
    SIM_MARK_DOUBT,  /**< direction only; an SLO is in doubt */
    SIM_MARK_BAD,    /**< not reproduced */
    SIM_MARK_FAILS,  /**< an SLO fails */
    SIM_MARK_STATED, /**< a number that is stated */
    SIM_MARK_BAND,   /**< a range that is stated */
    SIM_MARK_BEST,   /**< a ring around the best level */
    SIM_MARK_WORSE,  /**< a cross through a level that is surely worse */
    SIM_MARKS
};

/** Colours of texts. */
enum sim_tint { SIM_TINT_INK, SIM_TINT_MUTED, SIM_TINT_GOOD, SIM_TINT_DOUBT, SIM_TINT_BAD };

/** A scale in the making: what it must hold, then its ends. */
struct sim_scale {
    double lo, hi;                 /**< of what was included; after sim_scale_settle() the ends */
    double decides_lo, decides_hi; /**< of what decides */
    bool log;
};

struct sim_scale sim_scale_begin(void);

/** Make room for @p value; @p decides: is it to decide as well whether the scale is logarithmic. NaN and infinities are
 *  left out. */
void sim_scale_include(struct sim_scale *scale, double value, bool decides);

/** Logarithmic when all that decides is over 0 and spans more than a factor of 30; else from 0 where that is near. */
void sim_scale_settle(struct sim_scale *scale);

/** @p value, or the end that lies nearest. */
double sim_scale_clamp(const struct sim_scale *scale, double value);

struct sim_sheet {
    struct sim_plot_draft *draft;
    double y;           /**< the next free pixel */
    double left, right; /**< edges of what may be drawn on */
    double x0, x1;      /**< edges of the panel's field */
    double top;         /**< of the panel's field */
    struct sim_scale x;
    size_t panels, labels;
    struct sim_text settings;                             /**< of the panels, in the making */
    struct sim_text points, arrows, bands, stated, lines; /**< data blocks in the making */
};

void sim_sheet_begin(struct sim_sheet *sheet, struct sim_plot_draft *draft);

/** Characters that fit into @p px. */
size_t sim_sheet_fit(const struct sim_sheet *sheet, double px);

/** One line of text at @p x, its middle at @p y; @p side: "left", "right" or "center" of it is at @p x. */
void sim_sheet_text(struct sim_sheet *sheet, double x, double y, const char *side, enum sim_tint tint,
                    const char *text);

/** Text broken at spaces into lines that fit into @p px, at most @p lines_max; the first one's middle at @p y.
 *  @return their number. With @p draw false nothing is drawn. */
size_t sim_sheet_wrap(struct sim_sheet *sheet, double x, double y, double px, size_t lines_max, enum sim_tint tint,
                      const char *text, bool draw);

/** Height of a line of text. */
double sim_sheet_line(const struct sim_sheet *sheet);

/** A mark beside a text, not in a panel: its middle at @p x, @p y. */
void sim_sheet_sample(struct sim_sheet *sheet, double x, double y, enum sim_mark mark, bool hollow);

/** What the marks mean, in lines from the top; those whose title is NULL are left out. The hollow form of mark @p hollow
 *  comes last, if it has a title. */
void sim_sheet_legend(struct sim_sheet *sheet, const char *const titles[SIM_MARKS], enum sim_mark hollow,
                      const char *hollow_title);

/** Begin a panel whose field is from `x0` to `x1` and from the next free pixel on, with a settled scale across. */
void sim_sheet_panel(struct sim_sheet *sheet, struct sim_scale x);

/** Things in a panel. y: pixels below its top; or in units of its y axis. */
void sim_sheet_point(struct sim_sheet *sheet, enum sim_mark mark, double x, double y, double lo, double hi);
void sim_sheet_beyond(struct sim_sheet *sheet, enum sim_mark mark, double x, double y);
void sim_sheet_arrow(struct sim_sheet *sheet, enum sim_mark mark, double x, double y, double to_x, double to_y);
void sim_sheet_band(struct sim_sheet *sheet, double lo, double hi, double y_lo, double y_hi);
void sim_sheet_stated(struct sim_sheet *sheet, double x, double y);

/** A line through points that follow each other: NaN interrupts it. */
void sim_sheet_line_to(struct sim_sheet *sheet, enum sim_mark mark, double x, double y);

/** A row's estimate: its point and interval, arrows where an end is open or beyond the field, a hollow mark where only
 *  @p beyond is known. */
void sim_sheet_estimate(struct sim_sheet *sheet, enum sim_mark mark, double y, double value, double lo, double hi,
                        double beyond);

/** A level of a knob, which may have a tic. */
struct sim_sheet_level {
    double at;
    bool chosen;
    bool labelled; /**< set by sim_sheet_level_tics(); false before */
};

/** "set xtics (...)" for the panel that was begun, at as many levels as there is room for, the chosen ones before others.
 *  The caller frees it. */
char *sim_sheet_level_tics(const struct sim_sheet *sheet, struct sim_sheet_level *levels, size_t count);

/** How a panel ends. */
struct sim_sheet_axes {
    double height;       /**< of the field */
    const char *title;   /**< of the x axis; "": none */
    const char *tics;    /**< a command for its tics; NULL: at round numbers */
    struct sim_scale *y; /**< settled; NULL: y is in pixels, without an axis */
};
void sim_sheet_panel_end(struct sim_sheet *sheet, const struct sim_sheet_axes *axes);

/** Hand all to the draft, with its height. */
void sim_sheet_end(struct sim_sheet *sheet);

#endif
