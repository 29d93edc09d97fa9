/** Recorded requests: a CSV file read once into arrays, shared by all replications and threads. */
#ifndef MODELS_TRACE_H
#define MODELS_TRACE_H

#include <stddef.h>
#include <stdint.h>

/** Names of the columns to read; NULL: the file has no such column, or it is not wanted. */
struct model_trace_columns {
    const char *time;
    const char *tenant;
    const char *input_tokens;
    const char *output_tokens;
    const char *cached_tokens;
};

struct model_trace_row {
    int64_t time_ns;       /**< after the earliest row of the file */
    int64_t input_tokens;  /**< -1: no such column */
    int64_t output_tokens; /**< -1: no such column */
    int64_t cached_tokens; /**< -1: no such column */
    uint32_t tenant;       /**< index into `tenants`; 0 without a tenant column */
    uint32_t next;         /**< rows from here to the next one of the same tenant; 0: this is its last */
};

/** Rows in order of time (stable for equal times). */
struct model_trace {
    struct model_trace_row *rows;
    size_t count;
    char **tenants; /**< values of the tenant column, in order of first appearance */
    size_t tenant_count;
    uint32_t *first_rows; /**< row at which each tenant starts (one entry, 0, without a tenant column) */
    char sha256[65];      /**< of the file's bytes, hex */
};

/** Why a trace could not be read: line 0 when no line is to blame. */
struct model_trace_error {
    size_t line;
    char message[256];
};

/** Read @p path. Times are seconds (decimals and exponents allowed) or "YYYY-MM-DD HH:MM:SS[.fraction]" (also with T,
 * and with Z or an offset such as +00:00), one form throughout, rounded to the ns; the first line names the columns.
 * CRLF, quoted fields, blank lines, a byte-order mark and a missing final newline are fine. Token counts round half up,
 * to at most 1e12. A named column that is missing or there twice, a file without rows, a row of another length than the
 * header, a field that is no number, a negative token count, a tenant that is empty or holds control characters or
 * broken UTF-8, a field over 64 KiB, or a file that is not regular, over 1 GiB or over 50 million rows is an error.
 * columns->time must not be NULL.
 *  @return the trace (model_trace_destroy), or NULL with *error filled. */
struct model_trace *model_trace_create(const char *path, const struct model_trace_columns *columns,
                                       struct model_trace_error *error);

/** Accepts NULL. */
void model_trace_destroy(struct model_trace *trace);

#endif
