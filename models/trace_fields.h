/** Fields of a trace file as exact integers: no locale, no double in between. */
#ifndef MODELS_TRACE_FIELDS_H
#define MODELS_TRACE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Read a decimal number ("-1.5", "3", ".5", "4.2e-05"), all of @p text, as a multiple of 10^-@p places, rounded half
 * up in magnitude.
 *  @return false, *ret untouched, when it is none or the multiple is over @p limit in magnitude. */
bool model_decimal(const char *text, unsigned places, int64_t limit, int64_t *ret);

/** Read "YYYY-MM-DD HH:MM:SS[.fraction][Z|+HH:MM|-HH:MM]", with a T for the blank if you like, as ns since 1970 UTC;
 * without a zone it is UTC. The fraction is rounded half up to the ns. Years 1850 to 2110.
 *  @return false, *ret untouched, when it is no such date. */
bool model_timestamp(const char *text, int64_t *ret_ns);

/** Is @p text of @p length bytes UTF-8 (RFC 3629) without control characters? */
bool model_plain_utf8(const char *text, size_t length);

#endif
