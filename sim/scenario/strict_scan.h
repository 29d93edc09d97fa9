/** A strict look at JSON text before cJSON sees it. cJSON keeps no positions and lets pass what RFC 8259 does not: 1e400,
 *  01, `1.`, trailing text, raw control characters, duplicate keys, broken UTF-8. */
#ifndef SIM_STRICT_SCAN_H
#define SIM_STRICT_SCAN_H

#include "located_error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SIM_SCAN_DEPTH_MAX = 64,        /**< nested arrays and objects */
    SIM_SCAN_MEMBERS_MAX = 4096,    /**< in one object */
    SIM_SCAN_VALUES_MAX = 2000000,  /**< in one text: bounds the tree's memory */
    SIM_SCAN_NUMBER_CHARS_MAX = 63, /**< cJSON reads no more of a number */
};

/** Check that @p text is one JSON value, to the letter of RFC 8259, with finite numbers, no NUL in strings, no key twice
 *  in an object and within the limits above. @p file names it in errors.
 *  @return false with *error (line, column and path) at the first fault. */
bool sim_scan_check(const char *text, size_t length, const char *file, struct sim_located_error *error);

/** Find the value that @p steps (object keys; array indices in decimal) lead to in @p text, which passed the check.
 *  @return false when there is none; else line and column (from 1, in bytes) of the value. */
bool sim_scan_locate(const char *text, size_t length, const char *const *steps, size_t step_count, size_t *ret_line,
                     size_t *ret_column);

#endif
