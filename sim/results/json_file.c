/** JSON files of results. */
#include "json_file.h"

#include "../memory.h"
#include "../scenario/file_text.h"
#include "../scenario/strict_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A summary with tens of thousands of tenants is far larger than any scenario. */
static const size_t bytes_max = (size_t)1 << 30;

/** Report where cJSON stopped. */
static void fail_syntax(const struct sim_json_file *file, const char *at, struct sim_located_error *error) {
    size_t line = 1, column = 1;
    for (const char *byte = file->text; byte < at; byte++) {
        column = *byte == '\n' ? 1 : column + 1;
        line += *byte == '\n';
    }
    sim_error_set_at(error, file->path, line, column, "",
                     at >= file->text + file->length ? "the file ends in the middle" : "expected JSON here");
}

bool sim_json_file_open(struct sim_json_file *file, const char *path, struct sim_located_error *error) {
    struct sim_file_identity identity;
    *file = (struct sim_json_file){.path = sim_strdup(path)};
    file->text = sim_file_read_within(path, bytes_max, &file->length, &identity, error);
    if (!file->text)
        return false;
    const char *end = file->text;
    file->tree = cJSON_ParseWithLengthOpts(file->text, file->length + 1, &end, true);
    if (!file->tree) {
        fail_syntax(file, end, error);
        return false;
    }
    if (!cJSON_IsObject(file->tree)) {
        sim_error_set(error, path, 1, "", "expected an object");
        return false;
    }
    return true;
}

void sim_json_file_close(struct sim_json_file *file) {
    cJSON_Delete(file->tree);
    free(file->text);
    free(file->path);
    *file = (struct sim_json_file){0};
}

bool sim_json_file_fail(const struct sim_json_file *file, const char *const *steps, size_t step_count,
                        struct sim_located_error *error, const char *format, ...) {
    char path[256] = "", message[512];
    size_t used = 0, line = 0, column = 0;
    va_list arguments;
    for (size_t i = 0; i < step_count && used < sizeof path; i++)
        used += (size_t)snprintf(path + used, sizeof path - used, "%s%s", i ? "." : "", steps[i]);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* The locator takes only what passed the strict scan, which has limits that results may exceed. */
    if (!sim_scan_check(file->text, file->length, file->path, NULL) ||
        !sim_scan_locate(file->text, file->length, steps, step_count, &line, &column))
        line = column = 0;
    sim_error_set_at(error, file->path, line, column, path, "%s", message);
    return false;
}

static bool is_type(const cJSON *value, enum sim_json_type type) {
    switch (type) {
    case SIM_JSON_STRING:
        return cJSON_IsString(value);
    case SIM_JSON_NUMBER:
        return cJSON_IsNumber(value);
    case SIM_JSON_OBJECT:
        return cJSON_IsObject(value);
    case SIM_JSON_ARRAY:
        return cJSON_IsArray(value);
    }
    return false;
}

const cJSON *sim_json_file_get(const struct sim_json_file *file, const char *const *steps, size_t step_count,
                               enum sim_json_type type, struct sim_located_error *error) {
    static const char *const names[] = {"a string", "a number", "an object", "an array"};
    const cJSON *value = file->tree;
    for (size_t i = 0; i < step_count && value; i++)
        value = cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, steps[i]) : NULL;
    if (!value)
        sim_json_file_fail(file, steps, step_count, error, "expected %s, found nothing", names[type]);
    else if (!is_type(value, type))
        sim_json_file_fail(file, steps, step_count, error, "expected %s", names[type]);
    return value && is_type(value, type) ? value : NULL;
}
