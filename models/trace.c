#include "trace.h"

#include "trace_fields.h"

#include <assert.h>
#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROLES = 5, ROLE_TIME = 0, ROLE_TENANT = 1, ROLE_FIRST_COUNT = 2 };
enum { CHUNK_BYTES = 64 * 1024, FIELD_BYTES_MAX = 64 * 1024, FIELDS_MAX = 100000 };

static const int64_t file_bytes_max = INT64_C(1) << 30;
static const size_t rows_max = 50000000;
static const int64_t tokens_max = INT64_C(1000000000000);
/** Half of what int64 holds, so that differences of two times never overflow: 146 years. */
static const int64_t time_ns_max = INT64_MAX / 2;

/** Everything in progress while one file is read. */
struct reading {
    struct model_trace *trace;
    struct model_trace_error *error;
    bool failed;
    size_t line; /**< of the bytes now given to the parser */

    const char *wanted[ROLES];
    size_t column[ROLES]; /**< SIZE_MAX: not read */
    size_t header_fields;

    bool in_header;
    size_t field; /**< number of the next field in its row */
    struct model_trace_row row;

    size_t row_capacity;
    bool dates; /**< the first row's time is a date */
    size_t tenant_capacity;
    uint32_t *slots; /**< open addressing: tenant index + 1; 0 is free */
    size_t slot_count;
};

__attribute__((format(printf, 2, 3))) static void fail(struct reading *reading, const char *format, ...) {
    if (reading->failed)
        return; /* the first cause stands */
    reading->failed = true;
    reading->error->line = reading->line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->error->message, sizeof reading->error->message, format, arguments);
    va_end(arguments);
}

static void fail_memory(struct reading *reading) {
    reading->line = 0;
    fail(reading, "out of memory");
}

/** Make room for one more element. @return false after fail(). */
static bool reserve(struct reading *reading, void **array, size_t *capacity, size_t count, size_t element_size) {
    if (count < *capacity)
        return true;
    size_t larger = *capacity ? *capacity * 2 : 64;
    void *moved = reallocarray(*array, larger, element_size);
    if (!moved) {
        fail_memory(reading);
        return false;
    }
    *array = moved;
    *capacity = larger;
    return true;
}

/* Tenants: a hash table from name to index. */

static uint64_t hash_name(const char *name) {
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

static uint32_t *find_slot(const struct reading *reading, const char *name) {
    size_t i = (size_t)hash_name(name) & (reading->slot_count - 1);
    while (reading->slots[i] != 0 && strcmp(reading->trace->tenants[reading->slots[i] - 1], name) != 0)
        i = (i + 1) & (reading->slot_count - 1);
    return &reading->slots[i];
}

static bool grow_slots(struct reading *reading) {
    if (2 * (reading->trace->tenant_count + 1) <= reading->slot_count)
        return true;
    size_t larger = reading->slot_count ? reading->slot_count * 2 : 64;
    uint32_t *slots = calloc(larger, sizeof *slots);
    if (!slots) {
        fail_memory(reading);
        return false;
    }
    free(reading->slots);
    reading->slots = slots;
    reading->slot_count = larger;
    for (size_t i = 0; i < reading->trace->tenant_count; i++)
        *find_slot(reading, reading->trace->tenants[i]) = (uint32_t)i + 1;
    return true;
}

static uint32_t intern_tenant(struct reading *reading, const char *name) {
    struct model_trace *trace = reading->trace;
    if (!grow_slots(reading))
        return 0;
    uint32_t *slot = find_slot(reading, name);
    if (*slot != 0)
        return *slot - 1;
    void *tenants = trace->tenants;
    bool room = reserve(reading, &tenants, &reading->tenant_capacity, trace->tenant_count, sizeof *trace->tenants);
    trace->tenants = tenants;
    char *copy = room ? strdup(name) : NULL;
    if (!copy) {
        fail_memory(reading);
        return 0;
    }
    trace->tenants[trace->tenant_count++] = copy;
    *slot = (uint32_t)trace->tenant_count;
    return *slot - 1;
}

/* Fields. */

static void read_header_field(struct reading *reading, const char *text) {
    for (size_t role = 0; role < ROLES; role++) {
        if (!reading->wanted[role] || strcmp(reading->wanted[role], text) != 0)
            continue;
        if (reading->column[role] != SIZE_MAX)
            fail(reading, "column \"%.80s\" is there twice", text);
        reading->column[role] = reading->field;
    }
}

static void read_time(struct reading *reading, const char *text) {
    int64_t ns;
    bool date = model_timestamp(text, &ns);
    if (!date && !model_decimal(text, 9, time_ns_max, &ns)) {
        fail(reading, "time must be seconds (under 146 years) or YYYY-MM-DD HH:MM:SS[.fraction], got \"%.80s\"", text);
        return;
    }
    if (reading->trace->count > 0 && date != reading->dates) {
        fail(reading, "time must be %s as in the first row, got \"%.80s\"", reading->dates ? "a date" : "seconds",
             text);
        return;
    }
    reading->dates = date;
    reading->row.time_ns = ns;
}

static void read_tenant(struct reading *reading, const char *text, size_t length) {
    if (length == 0 || !model_plain_utf8(text, length))
        fail(reading, "tenant must be text without control characters, in UTF-8, and not empty");
    else
        reading->row.tenant = intern_tenant(reading, text);
}

static void read_count(struct reading *reading, size_t role, const char *text) {
    int64_t value;
    if (!model_decimal(text, 0, tokens_max, &value) || text[0] == '-') {
        fail(reading, "%.80s must be a number of tokens in 0..1e12, got \"%.80s\"", reading->wanted[role], text);
        return;
    }
    int64_t *counts[] = {&reading->row.input_tokens, &reading->row.output_tokens, &reading->row.cached_tokens};
    *counts[role - ROLE_FIRST_COUNT] = value;
}

/** libcsv's callback for a field; NUL-terminated by CSV_APPEND_NULL. */
static void on_field(void *data, size_t length, void *context) {
    struct reading *reading = context;
    const char *text = data;
    if (reading->failed)
        return;
    if (strlen(text) != length)
        fail(reading, "holds a NUL byte");
    else if (reading->in_header)
        read_header_field(reading, text);
    else
        for (size_t role = 0; role < ROLES; role++) {
            if (reading->column[role] != reading->field)
                continue;
            if (role == ROLE_TIME)
                read_time(reading, text);
            else if (role == ROLE_TENANT)
                read_tenant(reading, text, length);
            else
                read_count(reading, role, text);
        }
    if (++reading->field > FIELDS_MAX)
        fail(reading, "has more than %d fields", FIELDS_MAX);
}

static void end_header(struct reading *reading) {
    reading->in_header = false;
    reading->header_fields = reading->field;
    for (size_t role = 0; role < ROLES; role++)
        if (reading->wanted[role] && reading->column[role] == SIZE_MAX)
            fail(reading, "no column is named \"%.80s\"", reading->wanted[role]);
}

static void end_row(struct reading *reading) {
    struct model_trace *trace = reading->trace;
    if (reading->field != reading->header_fields) {
        fail(reading, "has %zu fields, the header has %zu", reading->field, reading->header_fields);
        return;
    }
    if (trace->count >= rows_max) {
        fail(reading, "has more than %zu rows", rows_max);
        return;
    }
    void *rows = trace->rows;
    bool room = reserve(reading, &rows, &reading->row_capacity, trace->count, sizeof *trace->rows);
    trace->rows = rows;
    if (!room)
        return;
    reading->row.next = (uint32_t)trace->count; /* place in the file, to sort stably */
    trace->rows[trace->count++] = reading->row;
}

static void begin_row(struct reading *reading) {
    reading->field = 0;
    reading->row = (struct model_trace_row){.input_tokens = -1, .output_tokens = -1, .cached_tokens = -1};
}

/** libcsv's callback for the end of a row. */
static void on_row(int terminator, void *context) {
    struct reading *reading = context;
    (void)terminator;
    if (reading->failed)
        return;
    if (reading->in_header)
        end_header(reading);
    else
        end_row(reading);
    begin_row(reading);
}

/* The file. */

/** Give @p bytes to the parser line by line, so that callbacks know their line. */
static void parse(struct reading *reading, struct csv_parser *parser, const char *bytes, size_t length) {
    while (length > 0 && !reading->failed) {
        const char *newline = memchr(bytes, '\n', length);
        size_t part = newline ? (size_t)(newline - bytes) + 1 : length;
        if (csv_parse(parser, bytes, part, on_field, on_row, reading) != part)
            fail(reading, "%s",
                 csv_error(parser) == CSV_EPARSE ? "has a misplaced quote" : csv_strerror(csv_error(parser)));
        if (parser->entry_pos > FIELD_BYTES_MAX)
            fail(reading, "a field is over 64 KiB long (an unclosed quote?)");
        reading->line += newline != NULL;
        bytes += part;
        length -= part;
    }
}

static const char *skip_byte_order_mark(const char *bytes, size_t *length) {
    if (*length < 3 || memcmp(bytes, "\xef\xbb\xbf", 3) != 0)
        return bytes;
    *length -= 3;
    return bytes + 3;
}

/** As many bytes as there are, up to @p size. @return -1 on error. */
static ssize_t read_fully(int file, char *buffer, size_t size) {
    size_t filled = 0;
    while (filled < size) {
        ssize_t got = read(file, buffer + filled, size - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        filled += (size_t)got;
    }
    return (ssize_t)filled;
}

static void read_stream(struct reading *reading, int file, struct csv_parser *parser, char *buffer) {
    SHA2_CTX sha;
    SHA256Init(&sha);
    for (int64_t total = 0; !reading->failed;) {
        ssize_t got = read_fully(file, buffer, CHUNK_BYTES);
        if (got < 0) {
            reading->line = 0;
            fail(reading, "cannot be read: %s", strerror(errno));
        }
        if (got <= 0)
            break;
        size_t length = (size_t)got;
        SHA256Update(&sha, (const uint8_t *)buffer, length);
        const char *bytes = total == 0 ? skip_byte_order_mark(buffer, &length) : buffer;
        total += got;
        if (total > file_bytes_max)
            fail(reading, "is over 1 GiB");
        else
            parse(reading, parser, bytes, length);
    }
    if (!reading->failed && csv_fini(parser, on_field, on_row, reading) != 0)
        fail(reading, "ends inside quotes");
    SHA256End(&sha, reading->trace->sha256);
}

static void read_file(struct reading *reading, int file) {
    struct csv_parser parser;
    char *buffer = malloc(CHUNK_BYTES);
    if (!buffer || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        fail_memory(reading);
    } else {
        reading->line = 1;
        reading->in_header = true;
        begin_row(reading);
        read_stream(reading, file, &parser, buffer);
        csv_free(&parser);
    }
    free(buffer);
    reading->line = 0;
    if (reading->in_header)
        fail(reading, "is empty");
    if (reading->trace->count == 0)
        fail(reading, "has no rows");
}

/** @return a descriptor, or -1 after fail(). */
static int open_regular(struct reading *reading, const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not block the opening */
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        fail(reading, "cannot be opened: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        fail(reading, "is not a regular file");
    else if (status.st_size > file_bytes_max)
        fail(reading, "is over 1 GiB");
    if (reading->failed && file >= 0) {
        close(file);
        file = -1;
    }
    return file;
}

/* After the last row. */

static int compare_rows(const void *left, const void *right) {
    const struct model_trace_row *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->next < b->next ? -1 : a->next > b->next;
}

static bool sorted(const struct model_trace *trace) {
    for (size_t i = 1; i < trace->count; i++)
        if (trace->rows[i].time_ns < trace->rows[i - 1].time_ns)
            return false;
    return true;
}

/** Link each row to the next of its tenant, from the back. */
static bool link_tenants(struct model_trace *trace) {
    trace->first_rows = calloc(trace->tenant_count ? trace->tenant_count : 1, sizeof *trace->first_rows);
    if (!trace->first_rows)
        return false;
    for (size_t i = trace->count; i-- > 0;) {
        struct model_trace_row *row = &trace->rows[i];
        uint32_t *first = &trace->first_rows[row->tenant];
        row->next = *first ? *first - (uint32_t)i : 0; /* row 0 has no predecessor, so 0 can mean "none yet" */
        *first = (uint32_t)i;
    }
    return true;
}

static void finish(struct reading *reading) {
    struct model_trace *trace = reading->trace;
    if (!sorted(trace))
        qsort(trace->rows, trace->count, sizeof *trace->rows, compare_rows);
    int64_t first_ns = trace->rows[0].time_ns;
    for (size_t i = 0; i < trace->count; i++)
        trace->rows[i].time_ns -= first_ns;
    if (!link_tenants(trace))
        fail_memory(reading);
}

struct model_trace *model_trace_create(const char *path, const struct model_trace_columns *columns,
                                       struct model_trace_error *error) {
    assert(columns->time);
    struct reading reading = {
        .trace = calloc(1, sizeof *reading.trace),
        .error = error,
        .wanted = {columns->time, columns->tenant, columns->input_tokens, columns->output_tokens,
                   columns->cached_tokens},
        .column = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX},
    };
    if (!reading.trace) {
        fail_memory(&reading);
        return NULL;
    }
    int file = open_regular(&reading, path);
    if (file >= 0) {
        read_file(&reading, file);
        close(file);
    }
    if (!reading.failed)
        finish(&reading);
    free(reading.slots);
    if (reading.failed) {
        model_trace_destroy(reading.trace);
        return NULL;
    }
    return reading.trace;
}

void model_trace_destroy(struct model_trace *trace) {
    if (!trace)
        return;
    for (size_t i = 0; i < trace->tenant_count; i++)
        free(trace->tenants[i]);
    free(trace->tenants);
    free(trace->first_rows);
    free(trace->rows);
    free(trace);
}
