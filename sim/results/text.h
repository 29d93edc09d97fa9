/** A growing text, and the few forms in which results are written: numbers, JSON strings and values, CSV fields.
 *
 *  Numbers are written with the fewest digits that read back as the same double, always with a '.', so that the same
 *  results give the same bytes. The process must not have called setlocale(): LC_NUMERIC is taken to be "C". */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include <cjson/cJSON.h>
#include <stddef.h>

/** All zero is an empty text. */
struct sim_text {
    char *bytes; /**< NUL-terminated once anything was added */
    size_t length;
    size_t capacity;
};

void sim_text_append(struct sim_text *text, const char *bytes, size_t length);
void sim_text_add(struct sim_text *text, const char *string);
void sim_text_printf(struct sim_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Room for any number that sim_number_format() writes. */
enum { SIM_NUMBER_SIZE = 32 };

/** Shortest decimal form of a finite @p value that reads back the same. @return buffer. */
const char *sim_number_format(double value, char buffer[SIM_NUMBER_SIZE]);

/** A JSON number; `null` for NaN and the infinities, which JSON cannot say. */
void sim_text_json_number(struct sim_text *text, double value);

/** A JSON string, quotes included. @p string is UTF-8. */
void sim_text_json_string(struct sim_text *text, const char *string);

/** A whole JSON value, indented by two spaces a level, its first line starting where the text stands. Objects and
 *  arrays without containers inside go on one line. */
void sim_text_json_value(struct sim_text *text, const cJSON *value, int depth);

/** A CSV number: empty for NaN, `inf` and `-inf` for the infinities. */
void sim_text_csv_number(struct sim_text *text, double value);

/** A CSV field (RFC 4180): quoted when it holds a comma, a quote or a line end. */
void sim_text_csv_string(struct sim_text *text, const char *string);

/** The text, malloc'ed; the caller frees it. An empty text gives "". Leaves @p text empty. */
char *sim_text_take(struct sim_text *text);

#endif
