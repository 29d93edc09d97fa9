/* Objects, lists and choices: what holds further keys. */
#include "reader.h"

#include <assert.h>
#include <string.h>

static bool read_list(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                      const cJSON *json, char *base) {
    bool single = row->type == SIM_KEY_OBJECT_OR_LIST && cJSON_IsObject(json);
    size_t count = single ? 1 : (size_t)cJSON_GetArraySize(json);
    if (!single && (!cJSON_IsArray(json) || !sim_length_fits(row, count)))
        return sim_read_mismatch(reader, place, row, json);
    char *items = sim_memory_take(reader->scratch, count, row->size);
    const cJSON *item = single ? json : json->child;
    for (size_t i = 0; i < count; i++, item = item->next) {
        struct sim_place inner = {.parent = place, .index = i};
        if (!sim_read(reader, single ? place : &inner, row->element, item, items + i * row->size))
            return false;
    }
    sim_store_list(row, (struct sim_list){.items = items, .count = count}, base);
    return true;
}

static bool is_comment(const char *name) {
    return strcmp(name, "$comment") == 0;
}

static bool read_comment(const struct sim_reader *reader, const struct sim_place *place, const cJSON *json) {
    const struct sim_key text = {.type = SIM_KEY_TEXT, .min = 0, .max = SIM_COMMENT_MAX};
    return sim_read_value(reader, place, &text, json, NULL);
}

static bool read_map(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                     const cJSON *json, char *base) {
    size_t room = (size_t)cJSON_GetArraySize(json), count = 0;
    if (!cJSON_IsObject(json))
        return sim_read_mismatch(reader, place, row, json);
    char *items = sim_memory_take(reader->scratch, room, row->size);
    const cJSON *item;
    cJSON_ArrayForEach(item, json) {
        struct sim_place inner = {.parent = place, .key = item->string};
        if (is_comment(item->string)) {
            if (!read_comment(reader, &inner, item))
                return false;
            continue;
        }
        if (cJSON_IsNull(item))
            continue;
        if (!sim_plain_name(item->string))
            return sim_layers_fail(reader->layers, &inner,
                                   "expected a name of 1 to 100 of A-Z a-z 0-9 . _ - that begins "
                                   "with none of . -");
        char *element = items + count++ * row->size;
        char *name = sim_memory_text(reader->memory, item->string, strlen(item->string));
        memcpy(element, &name, sizeof name);
        if (!sim_read(reader, &inner, row->element, item, element))
            return false;
    }
    if (!sim_length_fits(row, count))
        return sim_read_mismatch(reader, place, row, json);
    sim_store_list(row, (struct sim_list){.items = items, .count = count}, base);
    return true;
}

static bool unknown_key(const struct sim_reader *reader, const struct sim_place *place, const struct sim_table *table) {
    return sim_layers_fail(reader->layers, place, "unknown key \"%.60s\"; the nearest known key here is \"%s\"",
                           place->key, sim_table_nearest(table, place->key));
}

/** Which group of keys of @p table @p object uses; 0 when it has groups and none is used, or two are (error set). */
static bool find_group(const struct sim_reader *reader, const struct sim_place *place, const struct sim_table *table,
                       const cJSON *object, int *ret_group) {
    const char *first = NULL;
    *ret_group = 0;
    for (const cJSON *item = object != NULL ? object->child : NULL; item != NULL; item = item->next) {
        size_t offset;
        const struct sim_key *row = sim_table_find(table, item->string, &offset);
        if (row == NULL || row->group == 0 || cJSON_IsNull(item))
            continue;
        if (*ret_group != 0 && row->group != *ret_group)
            return sim_layers_fail(reader->layers, &(struct sim_place){.parent = place, .key = item->string},
                                   "\"%s\" excludes \"%s\": expected %s", item->string, first, table->groups);
        *ret_group = row->group;
        first = item->string;
    }
    if (table->groups != NULL && *ret_group == 0)
        return sim_layers_fail(reader->layers, place, "expected %s, found neither", table->groups);
    return true;
}

/** Percentile keys: collect them as knots. */
static bool read_knots(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                       const cJSON *object, char *base) {
    size_t count = 0;
    struct sim_knot *knots = sim_memory_take(reader->scratch, (size_t)cJSON_GetArraySize(object), sizeof *knots);
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        struct sim_place inner = {.parent = place, .key = item->string};
        double probability;
        if (cJSON_IsNull(item) || !sim_percentile_key(item->string, &probability))
            continue;
        knots[count].p = probability;
        if (!sim_read_number(reader, &inner, row, item, &knots[count++].x))
            return false;
    }
    if (count < row->count_min || count > row->count_max)
        return sim_layers_fail(reader->layers, place, "expected %s%zu percentiles such as p50 and p95, found %zu",
                               row->count_min == row->count_max ? "exactly " : "at least ", row->count_min, count);
    sim_store_list(row, (struct sim_list){.items = knots, .count = count}, base);
    return true;
}

static bool missing_key(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row) {
    char expected[320];
    return sim_layers_fail(reader->layers, place, "the key \"%s\" is missing: expected %s", row->name,
                           sim_read_expected(row, expected, sizeof expected));
}

/** Refuse unknown keys and check comments, in the order of the file. */
static bool check_keys(const struct sim_reader *reader, const struct sim_place *place, const struct sim_table *table,
                       const cJSON *object) {
    for (const cJSON *item = object != NULL ? object->child : NULL; item != NULL; item = item->next) {
        struct sim_place inner = {.parent = place, .key = item->string};
        size_t offset;
        if (is_comment(item->string)
                ? !read_comment(reader, &inner, item)
                : sim_table_find(table, item->string, &offset) == NULL && !unknown_key(reader, &inner, table))
            return false;
    }
    return true;
}

bool sim_read_table(const struct sim_reader *reader, const struct sim_place *place, const struct sim_table *table,
                    const cJSON *object, char *base) {
    int group = 0;
    if (!check_keys(reader, place, table, object))
        return false;
    if (object != NULL && !find_group(reader, place, table, object, &group))
        return false;
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++) {
        struct sim_place inner = {.parent = place, .key = row->name};
        bool in_use = row->group == 0 || row->group == group;
        if (strcmp(row->name, "p*") == 0) {
            if (in_use && object != NULL && !read_knots(reader, place, row, object, base + offset))
                return false;
            continue;
        }
        const cJSON *json = cJSON_GetObjectItemCaseSensitive(object, row->name);
        if (cJSON_IsNull(json))
            json = NULL;
        if (json == NULL && row->required && in_use && object != NULL)
            return missing_key(reader, place, row);
        if (!sim_read(reader, &inner, row, json, base + offset))
            return false;
    }
    return true;
}

/** A default is JSON text in the table: read like any other value. */
static bool read_initial(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                         char *base) {
    cJSON *json = cJSON_Parse(row->initial);
    assert(json != NULL);
    bool flagged = row->offset_flag != SIM_NO_FLAG;
    bool good = sim_read(reader, place, row, json, base);
    if (flagged)
        *(bool *)(base + row->offset_flag) = false;
    cJSON_Delete(json);
    return good;
}

static bool read_choice(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                        const cJSON *json, char *base) {
    if (!cJSON_IsObject(json))
        return sim_read_mismatch(reader, place, row, json);
    if (!check_keys(reader, place, row->table, json))
        return false;
    const struct sim_key *chosen = NULL;
    size_t offset, chosen_offset = 0;
    const cJSON *chosen_json = NULL;
    for (const cJSON *item = json->child; item != NULL; item = item->next) {
        const struct sim_key *kind = sim_table_find(row->table, item->string, &offset);
        if (kind == NULL || cJSON_IsNull(item))
            continue;
        if (kind->value == -1) {
            if (!sim_read(reader, &(struct sim_place){.parent = place, .key = kind->name}, kind, item, base + offset))
                return false;
            continue;
        }
        if (chosen != NULL)
            return sim_layers_fail(reader->layers, &(struct sim_place){.parent = place, .key = item->string},
                                   "expected one kind only, found \"%s\" beside \"%s\"", item->string, chosen->name);
        chosen = kind;
        chosen_json = item;
        chosen_offset = offset;
    }
    if (chosen == NULL)
        return sim_read_mismatch(reader, place, row, json);
    const struct sim_key *beside;
    for (size_t i = 0; (beside = sim_table_row(row->table, i, &offset)) != NULL; i++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, beside->name);
        struct sim_place at = {.parent = place, .key = beside->name};
        if (beside->value == -1 && value != NULL && !cJSON_IsNull(value) &&
            !sim_read(reader, &at, beside, value, base + offset))
            return false;
    }
    memcpy(base + row->offset, &chosen->value, sizeof chosen->value);
    struct sim_place inner = {.parent = place, .key = chosen->name};
    return sim_read(reader, &inner, chosen, chosen_json, base + chosen_offset);
}

static bool read_number_or_object(const struct sim_reader *reader, const struct sim_place *place,
                                  const struct sim_key *row, const cJSON *json, char *base) {
    if (cJSON_IsObject(json))
        return sim_read_table(reader, place, row->table, json, base + row->offset);
    double number;
    struct sim_key plain = *row;
    plain.type = SIM_KEY_NUMBER;
    if (!cJSON_IsNumber(json))
        return sim_read_mismatch(reader, place, row, json);
    if (!sim_read_number(reader, place, &plain, json, &number))
        return false;
    const struct sim_key *each;
    size_t offset;
    for (size_t i = 0; (each = sim_table_row(row->table, i, &offset)) != NULL; i++)
        sim_store_number(each, number, base + row->offset + offset);
    return true;
}

static bool read_object(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                        const cJSON *json, char *base) {
    if (!cJSON_IsObject(json))
        return sim_read_mismatch(reader, place, row, json);
    return sim_read_table(reader, place, row->table, json, base + row->offset);
}

/** The tree itself is kept, so it must outlive what is read. */
static bool read_values_or_object(const struct sim_reader *reader, const struct sim_place *place,
                                  const struct sim_key *row, const cJSON *json, char *base) {
    if (cJSON_IsObject(json))
        return sim_read_table(reader, place, row->table, json, base + row->offset);
    if (!cJSON_IsArray(json) || !sim_length_fits(row, (size_t)cJSON_GetArraySize(json)))
        return sim_read_mismatch(reader, place, row, json);
    memcpy(base + row->offset, &json, sizeof json);
    return true;
}

static bool read_absent(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                        char *base) {
    if (row->initial != NULL)
        return read_initial(reader, place, row, base);
    /* Defaults apply below an absent object too. */
    if (row->type == SIM_KEY_OBJECT)
        return sim_read_table(reader, place, row->table, NULL, base + row->offset);
    sim_store_absent(row, base);
    return true;
}

bool sim_read(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
              const cJSON *json, char *base) {
    if (json == NULL)
        return read_absent(reader, place, row, base);
    if (row->offset_flag != SIM_NO_FLAG)
        *(bool *)(base + row->offset_flag) = true;
    switch (row->type) {
    case SIM_KEY_DISTRIBUTION:
        return sim_read_distribution(reader, place, row, json,
                                     (struct model_distribution *)(void *)(base + row->offset));
    case SIM_KEY_NUMBER_OR_OBJECT:
        return read_number_or_object(reader, place, row, json, base);
    case SIM_KEY_VALUES_OR_OBJECT:
        return read_values_or_object(reader, place, row, json, base);
    case SIM_KEY_OBJECT:
        return read_object(reader, place, row, json, base);
    case SIM_KEY_LIST:
    case SIM_KEY_OBJECT_OR_LIST:
        return read_list(reader, place, row, json, base);
    case SIM_KEY_MAP:
        return read_map(reader, place, row, json, base);
    case SIM_KEY_CHOICE:
        return read_choice(reader, place, row, json, base);
    default:
        return sim_read_value(reader, place, row, json, base);
    }
}
