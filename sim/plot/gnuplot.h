/** Gnuplot as an external program: a script in, a picture out. No shell takes part, and no file: the script goes in and
 *  the picture comes out through memory, so that a gnuplot that fails or is killed leaves nothing half done. */
#ifndef SIM_GNUPLOT_H
#define SIM_GNUPLOT_H

#include "../results/text.h"
#include "../scenario/located_error.h"

#include <stdbool.h>

/** Run the gnuplot of PATH on @p script, in its default settings (nobody's ~/.gnuplot). @return what it wrote to standard
 *  output, to be freed, its length in *ret_length; NULL with *error when gnuplot is missing, fails or writes nothing. */
char *sim_gnuplot_run(const struct sim_text *script, size_t *ret_length, struct sim_located_error *error);

/** Add @p text as a gnuplot string that stands for itself: in single quotes, inside which nothing is expanded. Control
 *  characters become spaces, quotes at the beginning, or after others, typographic ones. */
void sim_gnuplot_add_string(struct sim_text *script, const char *text);

/** The same, cut to @p characters_max characters with "…" for the rest. */
void sim_gnuplot_add_label(struct sim_text *script, const char *text, size_t characters_max);

/** Add "NAME = value" for a number; NaN and infinities as gnuplot has them. */
void sim_gnuplot_set_number(struct sim_text *script, const char *name, double value);

/** Add "NAME = 'text'". */
void sim_gnuplot_set_string(struct sim_text *script, const char *name, const char *text);

/** Add a number as gnuplot data: "NaN" where it is not finite. */
void sim_gnuplot_add_value(struct sim_text *script, double value);

#endif
