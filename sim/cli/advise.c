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

/* What the file looks like; the kinds are told by keys that only they must have. @return CLI_FILE_KINDS for anything else. */
static enum cli_file_kind kind_of(const char *file) {
    struct sim_located_error ignored = {0};
    struct sim_file_identity identity;
    size_t length;
    char *text = sim_file_read(file, &length, &identity, &ignored);
    cJSON *json = text ? cJSON_ParseWithLength(text, length) : NULL;
    enum cli_file_kind kind = CLI_FILE_KINDS;
    if (has(json, "claims"))
        kind = CLI_CLAIMS;
    else if (has(json, "scenario") && has(json, "vary"))
        kind = CLI_STUDY;
    else if (has(json, "tenants") || has(json, "population") || has(json, "extends"))
        kind = CLI_SCENARIO;
    cJSON_Delete(json);
    free(text);
    return kind;
}

void cli_advise(const char *file, const struct cli_verb *verb, enum cli_file_kind wanted,
                struct sim_located_error *error) {
    static const char *const words[][2] = {[CLI_SCENARIO] = {"scenario", "run"},
                                           [CLI_STUDY] = {"study", "sweep"},
                                           [CLI_CLAIMS] = {"claims file", "claims"}};
    struct sim_located_error better = {0};
    if (strcmp(error->file, file) != 0)
        return;
    enum cli_file_kind kind = kind_of(file);
    size_t length = strlen(file), tail = strlen(".json");
    bool named_so = length > tail && !strcmp(file + length - tail, ".json");
    if (access(file, F_OK) != 0 && wanted == CLI_SCENARIO && named_so)
        sim_error_set(&better, file, 0, "", "%s; fairlane new %s writes one to start from", error->message, file);
    else if (kind != CLI_FILE_KINDS && kind != wanted)
        sim_error_set(&better, file, 0, "", "is a %s, and %s takes a %s; try fairlane %s %s", words[kind][0],
                      verb->name, words[wanted][0], words[kind][1], file);
    if (*better.message)
        *error = better;
}
