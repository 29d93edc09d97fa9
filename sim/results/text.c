/* Growing texts and number formats. */
#include "text.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Make room for `extra` more bytes and a NUL. */
static void reserve(struct sim_text *text, size_t extra) {
    assert(extra < PTRDIFF_MAX - text->length);
    size_t needed = text->length + extra + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    text->bytes = sim_realloc(text->bytes, capacity, 1);
    text->capacity = capacity;
}

void sim_text_append(struct sim_text *text, const char *bytes, size_t length) {
    reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void sim_text_add(struct sim_text *text, const char *string) {
    sim_text_append(text, string, strlen(string));
}

void sim_text_printf(struct sim_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    assert(length >= 0);
    reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
    va_end(again);
    va_end(arguments);
}

const char *sim_number_format(double value, char buffer[SIM_NUMBER_SIZE]) {
    assert(isfinite(value));
    // Most numbers are counts; they need no search for the shortest form.
    if (fabs(value) < 1e15 && value == trunc(value) && !signbit(value)) {
        snprintf(buffer, SIM_NUMBER_SIZE, "%lld", (long long)value);
        return buffer;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, SIM_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

void sim_text_json_number(struct sim_text *text, double value) {
    char buffer[SIM_NUMBER_SIZE];
    sim_text_add(text, isfinite(value) ? sim_number_format(value, buffer) : "null");
}

void sim_text_json_string(struct sim_text *text, const char *string) {
    sim_text_add(text, "\"");
    for (const char *at = string; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\')
            sim_text_append(text, (char[]){'\\', *at}, 2);
        else if (byte == '\n')
            sim_text_add(text, "\\n");
        else if (byte < 0x20 || byte == 0x7f)
            sim_text_printf(text, "\\u%04x", byte);
        else
            sim_text_append(text, at, 1);
    }
    sim_text_add(text, "\"");
}

static bool is_container(const cJSON *value) {
    return cJSON_IsArray(value) || cJSON_IsObject(value);
}

static bool holds_containers(const cJSON *value) {
    for (const cJSON *child = value->child; child; child = child->next)
        if (is_container(child) && child->child)
            return true;
    return false;
}

static void add_break(struct sim_text *text, bool lines, int depth, const char *otherwise) {
    if (lines)
        sim_text_printf(text, "\n%*s", 2 * depth, "");
    else
        sim_text_add(text, otherwise);
}

static void add_container(struct sim_text *text, const cJSON *value, int depth) {
    bool object = cJSON_IsObject(value);
    bool lines = holds_containers(value);
    sim_text_add(text, object ? "{" : "[");
    for (const cJSON *child = value->child; child; child = child->next) {
        add_break(text, lines, depth + 1, child == value->child ? "" : " ");
        if (object) {
            sim_text_json_string(text, child->string);
            sim_text_add(text, ": ");
        }
        sim_text_json_value(text, child, depth + 1);
        if (child->next)
            sim_text_add(text, ",");
    }
    if (lines)
        add_break(text, true, depth, "");
    sim_text_add(text, object ? "}" : "]");
}

void sim_text_json_value(struct sim_text *text, const cJSON *value, int depth) {
    if (is_container(value))
        add_container(text, value, depth);
    else if (cJSON_IsString(value))
        sim_text_json_string(text, value->valuestring);
    else if (cJSON_IsNumber(value))
        sim_text_json_number(text, value->valuedouble);
    else if (cJSON_IsBool(value))
        sim_text_add(text, cJSON_IsTrue(value) ? "true" : "false");
    else if (cJSON_IsRaw(value))
        sim_text_add(text, value->valuestring);
    else
        sim_text_add(text, "null");
}

void sim_text_csv_number(struct sim_text *text, double value) {
    char buffer[SIM_NUMBER_SIZE];
    if (isnan(value))
        return;
    if (isinf(value))
        sim_text_add(text, value > 0 ? "inf" : "-inf");
    else
        sim_text_add(text, sim_number_format(value, buffer));
}

void sim_text_csv_string(struct sim_text *text, const char *string) {
    if (!strpbrk(string, ",\"\r\n")) {
        sim_text_add(text, string);
        return;
    }
    sim_text_add(text, "\"");
    for (const char *at = string; *at; at++) {
        if (*at == '"')
            sim_text_add(text, "\"");
        sim_text_append(text, at, 1);
    }
    sim_text_add(text, "\"");
}

char *sim_text_take(struct sim_text *text) {
    sim_text_append(text, "", 0);
    char *bytes = text->bytes;
    *text = (struct sim_text){0};
    return bytes;
}
