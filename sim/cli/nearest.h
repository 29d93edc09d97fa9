/** The word that a misspelt one was probably meant to be. */
#ifndef SIM_CLI_NEAREST_H
#define SIM_CLI_NEAREST_H

#include <stddef.h>

/** The one of @p words with the fewest edits (insert, delete, replace, swap neighbours) from @p word, the first of
 *  equals; NULL when even that needs more than a third of its letters, at least 2, changed. */
const char *cli_nearest(const char *word, const char *const *words, size_t count);

#endif
