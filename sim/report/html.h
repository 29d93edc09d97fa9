/** Pieces of HTML. Whatever comes from a file goes through these and is escaped. */
#ifndef SIM_HTML_H
#define SIM_HTML_H

#include "../results/text.h"

#include <stdbool.h>

/** Text content or an attribute's value: & < > " ' escaped, control characters as spaces. */
void sim_html_add(struct sim_text *html, const char *string);

/** "<tag>text</tag>"; @p open may carry attributes: "p class=note". */
void sim_html_element(struct sim_text *html, const char *open, const char *text);

/** Begin a table that may scroll sideways by itself. @p label names it to screen readers; NULL-terminated @p heads; a head
 *  that begins with '#' is over numbers, "[" over intervals. */
void sim_html_table(struct sim_text *html, const char *label, bool sortable, const char *const *heads);
void sim_html_table_end(struct sim_text *html);

void sim_html_row(struct sim_text *html);
void sim_html_row_end(struct sim_text *html);

/** The cell that names its row; one of a word or two; one of a sentence. */
void sim_html_head_cell(struct sim_text *html, const char *text);
void sim_html_text_cell(struct sim_text *html, const char *text);
void sim_html_long_cell(struct sim_text *html, const char *text);

/** A number of three digits with @p unit ("", "s", "%"); "-" for NaN, "over N" when only @p beyond is known. */
void sim_html_number_cell(struct sim_text *html, double value, double beyond, const char *unit);

/** "[lo, hi]"; empty when neither is known. */
void sim_html_interval_cell(struct sim_text *html, double lo, double hi);

/** "PASS", "FAIL" or "INCONCLUSIVE" for a verdict as files spell it; of a claim "REPRODUCED" and the like. */
void sim_html_verdict(struct sim_text *html, const char *verdict);

#endif
