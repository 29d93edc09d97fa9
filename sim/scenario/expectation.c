/* The words of errors: what was expected, what was found. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

const char *sim_read_found(const cJSON *json, char *buffer, size_t size) {
    if (json == NULL)
        snprintf(buffer, size, "nothing");
    else if (cJSON_IsString(json))
        snprintf(buffer, size, "the string \"%.60s\"%s", json->valuestring,
                 strlen(json->valuestring) > 60 ? "..." : "");
    else if (cJSON_IsNumber(json))
        snprintf(buffer, size, "%.15g", json->valuedouble);
    else if (cJSON_IsBool(json))
        snprintf(buffer, size, "%s", cJSON_IsTrue(json) ? "true" : "false");
    else if (cJSON_IsNull(json))
        snprintf(buffer, size, "null");
    else if (cJSON_IsArray(json))
        snprintf(buffer, size, "a list of %d", cJSON_GetArraySize(json));
    else
        snprintf(buffer, size, "an object");
    return buffer;
}

static void words_of(const struct sim_key *row, char *buffer, size_t size) {
    size_t used = 0;
    for (size_t i = 0; row->words[i] != NULL && used < size; i++) {
        int written = snprintf(buffer + used, size - used, "%s\"%s\"", i > 0 ? ", " : "", row->words[i]);
        used += written > 0 ? (size_t)written : 0;
    }
}

static void kinds_of(const struct sim_table *table, char *buffer, size_t size) {
    size_t used = 0, offset;
    const struct sim_key *row;
    buffer[0] = '\0';
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL && used < size; i++) {
        if (row->value == -1)
            continue;
        int written = snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", row->name);
        used += written > 0 ? (size_t)written : 0;
    }
}

const char *sim_read_expected(const struct sim_key *row, char *buffer, size_t size) {
    char range[96] = "", unit[48] = "", list[200] = "";
    if (row->max > row->min)
        snprintf(range, sizeof range, " from %.15g to %.15g", row->min, row->max);
    if (row->unit != NULL)
        snprintf(unit, sizeof unit, " (%s)", row->unit);
    if (row->words != NULL)
        words_of(row, list, sizeof list);
    switch (row->type) {
    case SIM_KEY_BOOL:
        snprintf(buffer, size, "true or false");
        break;
    case SIM_KEY_INTEGER:
        if (row->max > row->min)
            snprintf(buffer, size, "a whole number%s%s", range, unit);
        else
            snprintf(buffer, size, "%.15g", row->min);
        break;
    case SIM_KEY_NUMBER:
        snprintf(buffer, size, "a number%s%s%s%s", range, unit, row->words != NULL ? ", or " : "", list);
        break;
    case SIM_KEY_TEXT:
    case SIM_KEY_FILE:
        snprintf(buffer, size, "a string of %.15g to %.15g bytes", row->min, row->max);
        break;
    case SIM_KEY_NAME:
        snprintf(buffer, size, "a name: a string of 1 to 100 of A-Z a-z 0-9 . _ - that begins with none of . -");
        break;
    case SIM_KEY_SEED:
        snprintf(buffer, size, "a string of decimal digits below 2^64, or a whole number up to 2^53");
        break;
    case SIM_KEY_TIMESTAMP:
        snprintf(buffer, size, "a time such as \"2026-01-05T00:00:00Z\" (RFC 3339)");
        break;
    case SIM_KEY_WORD:
        snprintf(buffer, size, "one of %s", list);
        break;
    case SIM_KEY_WORDS:
        snprintf(buffer, size, "a list of some of %s, none twice", list);
        break;
    case SIM_KEY_TEXTS:
        snprintf(buffer, size, "a list of at most %.15g strings", row->max);
        break;
    case SIM_KEY_NUMBERS:
        snprintf(buffer, size, "a list of %zu to %zu numbers%s%s", row->count_min, row->count_max, range, unit);
        break;
    case SIM_KEY_NUMBER_OR_LIST:
        snprintf(buffer, size, "a number%s%s, or a list of them", range, unit);
        break;
    case SIM_KEY_NUMBER_OR_OBJECT:
        snprintf(buffer, size, "a number%s%s, or an object", range, unit);
        break;
    case SIM_KEY_VALUES_OR_OBJECT:
        snprintf(buffer, size, "a list of %.15g to %.15g values, or an object", row->min, row->max);
        break;
    case SIM_KEY_OBJECT:
        snprintf(buffer, size, "an object");
        break;
    case SIM_KEY_LIST:
        snprintf(buffer, size, "a list of %.15g to %.15g objects", row->min, row->max);
        break;
    case SIM_KEY_OBJECT_OR_LIST:
        snprintf(buffer, size, "an object, or a list of %.15g to %.15g of them", row->min, row->max);
        break;
    case SIM_KEY_MAP:
        snprintf(buffer, size, "an object of at most %.15g names", row->max);
        break;
    case SIM_KEY_CHOICE:
        kinds_of(row->table, list, sizeof list);
        snprintf(buffer, size, "an object with exactly one of %s", list);
        break;
    case SIM_KEY_DISTRIBUTION:
        kinds_of(&sim_distribution_table, list, sizeof list);
        snprintf(buffer, size, "a number%s%s, or an object with exactly one of %s", range, unit, list);
        break;
    }
    return buffer;
}

bool sim_read_mismatch(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                       const cJSON *json) {
    char expected[320], found[120];
    return sim_layers_fail(reader->layers, place, "expected %s, found %s",
                           sim_read_expected(row, expected, sizeof expected),
                           sim_read_found(json, found, sizeof found));
}
