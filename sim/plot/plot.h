/** Pictures of a result folder. Their scripts are plots/NAME.gp, embedded at build time; their data are the folder's own
 *  files, rounded to what an eye can see. */
#ifndef SIM_PLOT_H
#define SIM_PLOT_H

#include "../results/text.h"
#include "view.h"

enum sim_plot_format { SIM_PLOT_SVG, SIM_PLOT_PNG, SIM_PLOT_PDF };
enum sim_plot_theme { SIM_PLOT_LIGHT, SIM_PLOT_DARK };

/** A picture in the making: what its script needs to know. */
struct sim_plot_draft {
    struct sim_text script; /**< settings and data, in front of the script */
    struct sim_text says;   /**< what the picture shows, in a sentence or two, for who cannot see it */
    struct sim_text title;  /**< in the place of the plot's; empty: that */
    bool narrow;            /**< for a phone */
    int width, height;      /**< in CSS pixels; preset, may be changed */
    bool without_heading;   /**< is `height` without that of a heading? Else the heading's is taken from it */
};

struct sim_plot {
    const char *name; /**< of the file, and of plots/NAME.gp unless `script` says another */
    const char *title;
    const char *about;        /**< how to read it, one or two sentences */
    enum sim_view_kind kinds; /**< the kind of folder it belongs to */
    /** Put settings and data into @p draft. @return false when the folder has nothing to show here. */
    bool (*prepare)(const struct sim_view *view, struct sim_plot_draft *draft);
    const char *script; /**< NULL: NAME.gp */
    bool of_claim;      /**< one picture a claim: the view's `claim` says which */
};

/** All of them, in the order of a report; ended by a row without a name. */
extern const struct sim_plot sim_plots[];

/** How many pictures does @p plot make of such a folder? One; of a plot of single claims one a claim; none of another
 *  kind's. */
size_t sim_plot_count(const struct sim_plot *plot, const struct sim_view *view);

/** The folder as picture @p index of @p plot sees it: it borrows from @p view, and is not to be finished. */
struct sim_view sim_plot_view(const struct sim_plot *plot, const struct sim_view *view, size_t index);

/** Name of the picture: the plot's, and of a plot of single claims "claim-ID". The caller frees it. */
char *sim_plot_picture_name(const struct sim_plot *plot, const struct sim_view *view);

/** Does the folder have data for @p plot? */
bool sim_plot_applies(const struct sim_plot *plot, const struct sim_view *view);

/** How to draw. */
struct sim_plot_style {
    enum sim_plot_format format;
    enum sim_plot_theme theme;
    bool narrow;
    bool embedded; /**< part of a page: no title of its own, no background; colours of the light theme */
};

/** A picture: bytes of a file. */
struct sim_picture {
    char *bytes;
    size_t length;
    char *says; /**< what it shows, as text */
};

/** Draw. SVG comes with title and description for screen readers. @return false with *error: no gnuplot, or it failed;
 *  *ret is to be finished in any case. */
bool sim_plot_draw(const struct sim_plot *plot, const struct sim_view *view, const struct sim_plot_style *style,
                   struct sim_picture *ret, struct sim_located_error *error);
void sim_picture_finish(struct sim_picture *picture);

/** "svg", "png", "pdf". */
const char *sim_plot_extension(enum sim_plot_format format);

#endif
