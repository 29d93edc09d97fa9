/** replications.csv, read back. */
#include "replications_file.h"

#include "../memory.h"
#include "../scenario/file_text.h"

#include <csv.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, FIELD_MAX = 512, CHUNK = 1 << 16 };

static const size_t bytes_max = (size_t)1 << 32;
static const char *const columns[COLUMNS] = {"replication", "figure", "value", "weight", "below"};

struct reading {
    struct sim_record *record;
    const char *path;
    struct sim_located_error *error;
    char field[COLUMNS][FIELD_MAX];
    size_t fields; /* of the row so far */
    size_t line;
    bool *seen; /* by figure, then replication */
    bool failed;
};

__attribute__((format(printf, 3, 4))) static void fail(struct reading *reading, const char *column, const char *format,
                                                       ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!reading->failed)
        sim_error_set(reading->error, reading->path, reading->line, column, "%s", message);
    reading->failed = true;
}

static void on_field(void *bytes, size_t length, void *context) {
    struct reading *reading = context;
    size_t at = reading->fields++;
    if (at >= COLUMNS)
        return;
    if (length >= FIELD_MAX)
        length = FIELD_MAX - 1;
    memcpy(reading->field[at], bytes, length);
    reading->field[at][length] = '\0';
}

/** An empty field is null. @return false when it is no number. */
static bool read_number(struct reading *reading, size_t column, double *ret) {
    const char *text = reading->field[column];
    char *end;
    *ret = NAN;
    if (!*text)
        return true;
    *ret = strtod(text, &end);
    if (!*end && !isnan(*ret))
        return true;
    fail(reading, columns[column], "expected a number, found \"%.60s\"", text);
    return false;
}

static void on_header(struct reading *reading) {
    for (size_t i = 0; i < COLUMNS; i++)
        if (reading->fields <= i || strcmp(reading->field[i], columns[i]) != 0) {
            fail(reading, "",
                 "expected the columns replication, figure, value, weight, below; is the result of an "
                 "older program? Run it again");
            return;
        }
}

static void keep(struct reading *reading) {
    struct sim_record *record = reading->record;
    double replication, value, weight, below;
    const struct sim_figure *figure = sim_figures_find(record->figures, reading->field[1]);
    if (!figure) {
        fail(reading, "figure", "expected a figure (`fairlane metrics`), found \"%.60s\"", reading->field[1]);
        return;
    }
    if (!read_number(reading, 0, &replication) || !read_number(reading, 2, &value) ||
        !read_number(reading, 3, &weight) || !read_number(reading, 4, &below))
        return;
    if (!(replication >= 1 && replication <= (double)record->replications) || replication != floor(replication)) {
        fail(reading, "replication", "expected 1 to %zu, as manifest.json says, found \"%.20s\"", record->replications,
             reading->field[0]);
        return;
    }
    size_t row = (size_t)(figure - record->figures->rows);
    size_t at = row * record->replications + (size_t)replication - 1;
    if (row >= record->figure_count || !record->known[row]) {
        fail(reading, "figure", "%.60s is not expected here, by summary.json: the files are of different runs",
             figure->name);
        return;
    }
    if (reading->seen[at]) {
        fail(reading, "figure", "replication %g of %.60s stands here a second time", replication, figure->name);
        return;
    }
    reading->seen[at] = true;
    record->value[at] = value;
    record->weight[at] = weight;
    record->below[at] = below;
}

static void on_row(int end, void *context) {
    struct reading *reading = context;
    (void)end;
    reading->line++;
    if (!reading->failed) {
        if (reading->line == 1)
            on_header(reading);
        else if (reading->fields != COLUMNS)
            fail(reading, "", "expected %d fields, found %zu", COLUMNS, reading->fields);
        else if (strncmp(reading->field[1], "over: ", 6) != 0)
            keep(reading);
    }
    reading->fields = 0;
}

static void parse(struct reading *reading, const char *text, size_t length) {
    struct csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        sim_out_of_memory();
    for (size_t done = 0; done < length && !reading->failed; done += CHUNK) {
        size_t part = length - done < CHUNK ? length - done : CHUNK;
        if (csv_parse(&parser, text + done, part, on_field, on_row, reading) != part) {
            reading->line++;
            fail(reading, "", "has a misplaced quote");
        }
    }
    if (!reading->failed && csv_fini(&parser, on_field, on_row, reading) != 0) {
        reading->line++;
        fail(reading, "", "ends inside quotes");
    }
    csv_free(&parser);
}

static void check_complete(struct reading *reading) {
    const struct sim_record *record = reading->record;
    for (size_t i = 0; i < record->figure_count && !reading->failed; i++)
        for (size_t r = 0; r < record->replications; r++)
            if (record->known[i] && !reading->seen[i * record->replications + r]) {
                reading->line = 0;
                fail(reading, "", "expected a row for replication %zu of %.60s, found none: the file is not complete",
                     r + 1, record->figures->rows[i].name);
                return;
            }
}

bool sim_replications_file_read(const char *path, struct sim_record *record, struct sim_located_error *error) {
    struct sim_file_identity identity;
    size_t length;
    char *text = sim_file_read_within(path, bytes_max, &length, &identity, error);
    if (!text)
        return false;
    struct reading reading = {.record = record, .path = path, .error = error};
    reading.seen = sim_calloc(record->figure_count * record->replications, sizeof *reading.seen);
    parse(&reading, text, length);
    if (!reading.failed)
        check_complete(&reading);
    free(reading.seen);
    free(text);
    return !reading.failed;
}
