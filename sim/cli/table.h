/** Aligned tables and numbers for a terminal.
 *
 *  Colours only underline what words already say. Texts that come from files are printed with control characters
 *  replaced, so that a scenario cannot drive the terminal. */
#ifndef SIM_CLI_TABLE_H
#define SIM_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum cli_tone { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_GOOD, CLI_BAD, CLI_DOUBT };

/** Where to print, and how. */
struct cli_page {
    FILE *out;
    bool colour;
    bool utf8; /**< may hold other characters than ASCII of our own */
    int width; /**< columns */
};

/** Colour when @p out is a terminal that can, and NO_COLOR is not set (https://no-color.org). UTF-8 when the locale of
 *  the environment says so. As wide as the terminal, but 60 to 100 columns; 80 elsewhere. */
struct cli_page cli_page_on(FILE *out);

/** Print @p text in @p tone. */
void cli_put(const struct cli_page *page, enum cli_tone tone, const char *text);

/** Print @p text wrapped to the page, every line after the first indented by @p column; ends the line. The cursor
 *  stands at @p column. */
void cli_put_wrapped(const struct cli_page *page, enum cli_tone tone, const char *text, int column);

/** A table being filled, cell by cell, row by row. All zero but `columns`, `align` and `headed` is an empty one. */
struct cli_table {
    size_t columns;
    const char *align; /**< one letter a column: l left, r right */
    bool headed;       /**< the first row names the columns: where the page is narrow, on several lines */
    struct cli_cell {
        char *text;
        enum cli_tone tone;
    } * cells;
    size_t count, room;
};

/** The next cell. */
void cli_cell(struct cli_table *table, enum cli_tone tone, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Empty cells to the end of the row. */
void cli_row_end(struct cli_table *table);

/** Print with two spaces between columns, or one where two would not fit, every line indented by @p indent, and empty
 *  @p table. */
void cli_table_print(struct cli_table *table, const struct cli_page *page, int indent);

/** Can the cursor be moved about on @p file? */
bool cli_is_screen(FILE *file);

/** A short text by value. */
struct cli_word {
    char text[64];
};

/** Three significant digits, thousands grouped: 0.0123, 1.23, 12.3, 1,234; "-" for NaN. */
struct cli_word cli_number(double value);
/** The same of a value, or "> x" where it is null and certainly exceeds @p beyond. */
struct cli_word cli_value(double value, double beyond);
/** A setting as it was given: all its decimals, six at most, thousands grouped. */
struct cli_word cli_plain(double value);
/** A count: whole numbers as such, means with one decimal below 100. */
struct cli_word cli_count(double value);
/** A share as a percentage: 0.12 %, 12.3 %. */
struct cli_word cli_percent(double share);
/** "[lo, hi]" in the given form; empty when neither is known, "-" for a side that is not. */
struct cli_word cli_interval(double lo, double hi, struct cli_word (*form)(double));

#endif
