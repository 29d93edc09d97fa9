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
    int64_t time_ns;       /**< after the first row of the file */
    int64_t input_tokens;  /**< -1: no such column */
    int64_t output_tokens; /**< -1: no such column */
    int64_t cached_tokens; /**< -1: no such column */
    uint32_t tenant;       /**< index into `tenants`; 0 without a tenant column */
};

/** Rows in order of time (stable for equal times). */
struct model_trace {
    struct model_trace_row *rows;
    size_t count;
    char **tenants; /**< values of the tenant column, in order of first appearance */
    size_t tenant_count;
    char sha256[65]; /**< of the file's bytes, hex */
};

/** Why a trace could not be read: line 0 when no line is to blame. */
struct model_trace_error {
    size_t line;
    char message[256];
};

/** Read @p path. Times are seconds (decimals allowed) or "YYYY-MM-DD HH:MM:SS[.fraction]" (also with T and Z); CRLF, quoted
 *  fields, a byte-order mark and a missing final newline are fine. A named column that is missing, an empty file, a
 *  field that is no number, a negative token count, or a file that is not regular or over 1 GiB is an error.
 *  @return the trace (model_trace_destroy), or NULL with *error filled. */
struct model_trace *model_trace_create(const char *path, const struct model_trace_columns *columns, struct model_trace_error *error);

/** Accepts NULL. */
void model_trace_destroy(struct model_trace *trace);

#endif
