/** The texts of the tables, taken apart for help and manual pages: paragraphs, whose line ends mean nothing, and rows
 *  "  WORD  what it means", whose further lines are indented more. */
#ifndef SIM_CLI_PROSE_H
#define SIM_CLI_PROSE_H

#include <stdbool.h>

/** One block. Both strings are owned. */
struct cli_prose {
    char *word; /**< of a row; NULL: a paragraph */
    char *text; /**< on one line */
};

/** The block at *at, which moves behind it. @return false at the end; otherwise *ret is to be finished. */
bool cli_prose_next(const char **at, struct cli_prose *ret);
void cli_prose_finish(struct cli_prose *prose);

#endif
