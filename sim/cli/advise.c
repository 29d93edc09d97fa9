#include "advise.h"

#include "../scenario/file_text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has(const cJSON *json, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(json, key) != NULL;
}

/* Does the file look like a study (or else like a scenario)? */
static bool looks_like(const char *file, bool study) {
    struct sim_located_error ignored = {0};
    struct sim_file_identity identity;
    size_t length;
    char *text = sim_file_read(file, &length, &identity, &ignored);
    cJSON *json = text ? cJSON_ParseWithLength(text, length) : NULL;
    bool is_study = has(json, "scenario") && has(json, "vary");
    bool is_scenario = !is_study && (has(json, "tenants") || has(json, "population") || has(json, "extends"));
    cJSON_Delete(json);
    free(text);
    return study ? is_study : is_scenario;
}

void cli_advise(const char *file, const struct cli_verb *verb, bool study, struct sim_located_error *error) {
    struct sim_located_error better = {0};
    if (strcmp(error->file, file) != 0)
        return;
    size_t length = strlen(file), tail = strlen(".json");
    bool named_so = length > tail && !strcmp(file + length - tail, ".json");
    if (access(file, F_OK) != 0 && !study && named_so)
        sim_error_set(&better, file, 0, "", "%s; fairlane new %s writes one to start from", error->message, file);
    else if (looks_like(file, !study))
        sim_error_set(&better, file, 0, "", "is a %s, and %s takes a %s; try fairlane %s %s",
                      study ? "scenario" : "study", verb->name, study ? "study" : "scenario", study ? "run" : "sweep",
                      file);
    if (*better.message)
        *error = better;
}
