/** The report of a folder of results: one HTML page that holds all it needs - pictures as SVG, style and script - and loads
 *  nothing. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "../plot/view.h"

/** Write the report of @p view. A picture that cannot be drawn is replaced by a sentence, and the page stands without it;
 *  *ret_missing then holds the first reason.
 *  @return the page; the caller frees it. */
char *sim_report_html(const struct sim_view *view, struct sim_located_error *ret_missing);

#endif
