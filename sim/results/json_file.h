/** A JSON file of a result, read whole, its faults located. */
#ifndef SIM_JSON_FILE_H
#define SIM_JSON_FILE_H

#include "../scenario/located_error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum sim_json_type { SIM_JSON_STRING, SIM_JSON_NUMBER, SIM_JSON_OBJECT, SIM_JSON_ARRAY };

struct sim_json_file {
    char *path;
    char *text;
    size_t length;
    cJSON *tree; /**< an object */
};

/** Read @p path, whose tree must be an object. @return false with *error; *file is to be closed in any case. */
bool sim_json_file_open(struct sim_json_file *file, const char *path, struct sim_located_error *error);

/** All zero is a file that was never opened. */
void sim_json_file_close(struct sim_json_file *file);

/** The value that @p steps, keys of objects in objects, lead to. @return NULL with *error when it is not there or of
 *  another type. */
const cJSON *sim_json_file_get(const struct sim_json_file *file, const char *const *steps, size_t step_count,
                               enum sim_json_type type, struct sim_located_error *error);

/** Report a fault at @p steps, with the line of the value there if there is one. @return false. */
bool sim_json_file_fail(const struct sim_json_file *file, const char *const *steps, size_t step_count,
                        struct sim_located_error *error, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
