/** An error with the place that caused it. */
#ifndef SIM_LOCATED_ERROR_H
#define SIM_LOCATED_ERROR_H

#include <stddef.h>

/** file[:line[:column]]: path: message. Empty strings and 0 mean "not known". For `--set`, file is the argument. */
struct sim_located_error {
    char file[512];
    size_t line;
    size_t column;
    char path[256];    /**< JSON path, as `--set` takes it: tenants.0.plan */
    char message[512]; /**< what was expected and what was found; a suggestion if there is one */
};

/** Set @p error from a printf format. A second call on a set error is ignored, so that the first cause stands.
 *  Accepts NULL. */
void sim_error_set(struct sim_located_error *error, const char *file, size_t line, const char *path, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));

/** The same with a column. */
void sim_error_set_at(struct sim_located_error *error, const char *file, size_t line, size_t column, const char *path,
                      const char *format, ...) __attribute__((format(printf, 6, 7)));

/** Render into @p buffer: "file:line:column: path: message", without the parts that are not known. @return buffer. */
const char *sim_error_text(const struct sim_located_error *error, char *buffer, size_t size);

#endif
