/** A row of small bars: the shape of a series in one line of text. */
#ifndef SIM_CLI_SPARKLINE_H
#define SIM_CLI_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

/** @p count values (0 or more each; NAN is a gap) as @p columns bars, or as many as there are values. A bar is the mean
 *  of its values; the tallest fills its line, 0 has the lowest. With @p utf8 in eight heights, else in eight ASCII
 *  characters that darken. *ret_top: the mean that the tallest bar stands for, 0 without any. malloc'ed. */
char *cli_sparkline(const double *values, size_t count, size_t columns, bool utf8, double *ret_top);

#endif
