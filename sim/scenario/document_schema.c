/* scenarios/schema/scenario.schema.json: the same rows as JSON Schema. */
#include "document.h"

#include "keys.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_PATTERN "^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$"
#define PERCENTILE_PATTERN "^p[0-9]{1,2}(\\.[0-9]+)?$"

static cJSON *schema_of(const struct sim_key *row);

static cJSON *object(void) {
    cJSON *made = cJSON_CreateObject();
    assert(made != NULL);
    return made;
}

static cJSON *list(void) {
    cJSON *made = cJSON_CreateArray();
    assert(made != NULL);
    return made;
}

static cJSON *with(cJSON *into, const char *key, cJSON *item) {
    bool done = item != NULL && cJSON_AddItemToObject(into, key, item);
    assert(done);
    return into;
}

static void append(cJSON *into, cJSON *item) {
    bool done = item != NULL && cJSON_AddItemToArray(into, item);
    assert(done);
}

static cJSON *text(const char *value) {
    return cJSON_CreateString(value);
}

static cJSON *typed(const char *type) {
    return with(object(), "type", text(type));
}

static cJSON *any_of(cJSON *first, cJSON *second) {
    cJSON *either = list();
    append(either, first);
    append(either, second);
    return with(object(), "anyOf", either);
}

static cJSON *number_schema(const struct sim_key *row) {
    cJSON *schema = typed(row->type == SIM_KEY_INTEGER ? "integer" : "number");
    with(schema, "minimum", cJSON_CreateNumber(row->min));
    return with(schema, "maximum", cJSON_CreateNumber(row->max));
}

static cJSON *list_schema(cJSON *items, double least, double most) {
    cJSON *schema = with(typed("array"), "items", items);
    with(schema, "minItems", cJSON_CreateNumber(least));
    return with(schema, "maxItems", cJSON_CreateNumber(most));
}

static cJSON *words_schema(const struct sim_key *row) {
    cJSON *words = list();
    for (size_t i = 0; row->words[i] != NULL; i++)
        append(words, text(row->words[i]));
    return with(object(), "enum", words);
}

static cJSON *text_schema(const struct sim_key *row) {
    cJSON *schema = typed("string");
    if (row->min > 0)
        with(schema, "minLength", cJSON_CreateNumber(row->min));
    if (row->pattern != NULL)
        with(schema, "pattern", text(row->pattern));
    return with(schema, "maxLength", cJSON_CreateNumber(row->max));
}

static cJSON *seed_schema(void) {
    cJSON *number = typed("integer");
    with(number, "minimum", cJSON_CreateNumber(0));
    with(number, "maximum", cJSON_CreateNumber(9007199254740992.0));
    return any_of(with(typed("string"), "pattern", text("^[0-9]+$")), number);
}

/** Let null stand for absence too. */
static cJSON *nullable(cJSON *schema) {
    cJSON *type = cJSON_GetObjectItemCaseSensitive(schema, "type");
    cJSON *words = cJSON_GetObjectItemCaseSensitive(schema, "enum");
    cJSON *either = cJSON_GetObjectItemCaseSensitive(schema, "anyOf");
    if (words != NULL) {
        append(words, cJSON_CreateNull());
    } else if (either != NULL) {
        append(either, typed("null"));
    } else {
        assert(type != NULL);
        cJSON *types = list();
        append(types, text(type->valuestring));
        append(types, text("null"));
        cJSON_DeleteItemFromObjectCaseSensitive(schema, "type");
        with(schema, "type", types);
    }
    return schema;
}

static cJSON *only_null(void) {
    return typed("null");
}

/** A schema that holds when @p key is there and not null. */
static cJSON *has_key(const char *key) {
    cJSON *keys = list();
    append(keys, text(key));
    cJSON *schema = with(object(), "required", keys);
    return with(schema, "properties", with(object(), key, with(object(), "not", only_null())));
}

static bool is_pattern(const struct sim_key *row) {
    return strcmp(row->name, "p*") == 0;
}

/** So many percentiles: what is left of an object's properties once the named ones that are present are taken off. */
static cJSON *count_percentiles(const struct sim_table *table, const struct sim_key *percentiles) {
    const char *names[8] = {"$comment"};
    size_t count = 1, offset;
    const struct sim_key *row;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++)
        if (!is_pattern(row) && row->group == 0 && count < sizeof names / sizeof names[0])
            names[count++] = row->name;
    cJSON *cases = list();
    for (size_t present = 0; present < (size_t)1 << count; present++) {
        cJSON *required = list(), *absent = object();
        for (size_t i = 0; i < count; i++) {
            if ((present >> i & 1) != 0)
                append(required, text(names[i]));
            else
                with(absent, names[i], cJSON_CreateFalse());
        }
        double others = cJSON_GetArraySize(required);
        cJSON *one = with(with(object(), "required", required), "properties", absent);
        with(one, "minProperties", cJSON_CreateNumber((double)percentiles->count_min + others));
        append(cases, with(one, "maxProperties", cJSON_CreateNumber((double)percentiles->count_max + others)));
    }
    return cases;
}

/** The keys of @p group are there, those of others not. */
static cJSON *group_schema(const struct sim_table *table, int group) {
    cJSON *schema = object(), *required = list(), *properties = object();
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++) {
        if (row->group == group && is_pattern(row)) {
            with(schema, "oneOf", count_percentiles(table, row));
        } else if (row->group == group && row->required) {
            append(required, text(row->name));
            with(properties, row->name, with(object(), "not", only_null()));
        } else if (row->group != 0 && row->group != group && is_pattern(row)) {
            with(schema, "patternProperties", with(object(), PERCENTILE_PATTERN, only_null()));
        } else if (row->group != 0 && row->group != group) {
            with(properties, row->name, only_null());
        }
    }
    return with(with(schema, "required", required), "properties", properties);
}

static int group_count(const struct sim_table *table) {
    int groups = 0;
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++)
        groups = row->group > groups ? row->group : groups;
    return groups;
}

static cJSON *described(const struct sim_key *row) {
    cJSON *schema = schema_of(row);
    if (row->help != NULL) {
        char help[600];
        snprintf(help, sizeof help, "%s%s%s%s", row->help, row->unit != NULL ? " Unit: " : "",
                 row->unit != NULL ? row->unit : "", row->unit != NULL ? "." : "");
        with(schema, "description", text(help));
    }
    if (row->initial != NULL)
        with(schema, "default", cJSON_Parse(row->initial));
    return schema;
}

static cJSON *comment_schema(void) {
    return with(typed("string"), "maxLength", cJSON_CreateNumber(SIM_COMMENT_MAX));
}

static cJSON *table_schema(const struct sim_table *table) {
    cJSON *schema = typed("object"), *properties = object(), *required = list();
    with(properties, "$comment", comment_schema());
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++) {
        if (is_pattern(row)) {
            with(schema, "patternProperties", with(object(), PERCENTILE_PATTERN, described(row)));
            continue;
        }
        bool must = row->required && row->group == 0;
        with(properties, row->name, must ? described(row) : nullable(described(row)));
        if (must)
            append(required, text(row->name));
    }
    with(schema, "properties", properties);
    with(schema, "additionalProperties", cJSON_CreateFalse());
    with(schema, "required", required);
    int groups = group_count(table);
    if (groups > 0) {
        cJSON *cases = list();
        for (int group = 1; group <= groups; group++)
            append(cases, group_schema(table, group));
        /* Each case rules out the others' keys, so that two hold at once only where no group is required and none is there. */
        with(schema, "anyOf", cases);
    }
    return schema;
}

static cJSON *choice_schema(const struct sim_table *table) {
    cJSON *schema = table_schema(table), *kinds = list();
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++)
        if (row->value != -1)
            append(kinds, has_key(row->name));
    return with(schema, "oneOf", kinds);
}

static cJSON *map_schema(const struct sim_key *row) {
    cJSON *schema = with(typed("object"), "properties", with(object(), "$comment", comment_schema()));
    with(schema, "patternProperties", with(object(), NAME_PATTERN, nullable(schema_of(row->element))));
    with(schema, "additionalProperties", cJSON_CreateFalse());
    if (row->min > 0)
        with(schema, "minProperties", cJSON_CreateNumber(row->min));
    return with(schema, "maxProperties", cJSON_CreateNumber(row->max + 1));
}

static cJSON *texts_schema(const struct sim_key *row) {
    cJSON *one = with(with(typed("string"), "minLength", cJSON_CreateNumber(1)), "maxLength", cJSON_CreateNumber(200));
    if (row->pattern != NULL)
        with(one, "pattern", text(row->pattern));
    return list_schema(one, row->min, row->max);
}

static cJSON *schema_of(const struct sim_key *row) {
    switch (row->type) {
    case SIM_KEY_BOOL:
        return typed("boolean");
    case SIM_KEY_INTEGER:
        return number_schema(row);
    case SIM_KEY_NUMBER:
        return row->words == NULL ? number_schema(row) : any_of(number_schema(row), words_schema(row));
    case SIM_KEY_TEXT:
    case SIM_KEY_FILE:
        return text_schema(row);
    case SIM_KEY_NAME:
        return with(typed("string"), "pattern", text(NAME_PATTERN));
    case SIM_KEY_SEED:
        return seed_schema();
    case SIM_KEY_TIMESTAMP:
        return with(typed("string"), "pattern",
                    text("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
                         "(Z|[+-][0-9]{2}:[0-9]{2})$"));
    case SIM_KEY_WORD:
        return words_schema(row);
    case SIM_KEY_WORDS:
        return with(with(typed("array"), "items", words_schema(row)), "uniqueItems", cJSON_CreateTrue());
    case SIM_KEY_TEXTS:
        return texts_schema(row);
    case SIM_KEY_NUMBERS:
        return list_schema(number_schema(row), (double)row->count_min, (double)row->count_max);
    case SIM_KEY_NUMBER_OR_LIST:
        return any_of(number_schema(row),
                      list_schema(number_schema(row), (double)row->count_min, (double)row->count_max));
    case SIM_KEY_NUMBER_OR_OBJECT:
        return any_of(number_schema(row), table_schema(row->table));
    case SIM_KEY_VALUES_OR_OBJECT:
        return any_of(list_schema(object(), row->min, row->max), table_schema(row->table));
    case SIM_KEY_OBJECT:
        return table_schema(row->table);
    case SIM_KEY_LIST:
        return list_schema(schema_of(row->element), row->min, row->max);
    case SIM_KEY_OBJECT_OR_LIST:
        return any_of(schema_of(row->element), list_schema(schema_of(row->element), row->min, row->max));
    case SIM_KEY_MAP:
        return map_schema(row);
    case SIM_KEY_CHOICE:
        return choice_schema(row->table);
    case SIM_KEY_DISTRIBUTION:
        return any_of(number_schema(row), with(object(), "$ref", text("#/$defs/distribution")));
    }
    assert(false);
    return NULL;
}

/** A file that extends another may leave to it what a scenario must have. */
static void require_unless_extended(cJSON *schema) {
    cJSON *required = cJSON_DetachItemFromObjectCaseSensitive(schema, "required");
    with(schema, "if", has_key("extends"));
    with(schema, "else", with(any_of(has_key("tenants"), has_key("population")), "required", required));
}

/** @p root (consumed) under a title, with @p definitions (consumed; NULL: none) behind it, as text. */
static char *print_schema(const char *title, cJSON *root, cJSON *definitions) {
    cJSON *schema = object();
    with(schema, "$schema", text("https://json-schema.org/draft/2020-12/schema"));
    with(schema, "title", text(title));
    while (root->child != NULL) {
        cJSON *item = cJSON_DetachItemViaPointer(root, root->child);
        char *key = item->string;
        item->string = NULL;
        with(schema, key, item);
        cJSON_free(key);
    }
    cJSON_Delete(root);
    if (definitions != NULL)
        with(schema, "$defs", definitions);
    char *printed = cJSON_Print(schema);
    assert(printed != NULL);
    cJSON_Delete(schema);
    size_t length = strlen(printed);
    char *with_newline = realloc(printed, length + 2);
    assert(with_newline != NULL);
    memcpy(with_newline + length, "\n", 2);
    return with_newline;
}

char *sim_document_schema(void) {
    cJSON *root = table_schema(sim_scenario_key.table);
    require_unless_extended(root);
    return print_schema("Fairlane scenario, version 1", root,
                        with(object(), "distribution", choice_schema(&sim_distribution_table)));
}

char *sim_document_schema_of(const char *title, const struct sim_key *root) {
    return print_schema(title, table_schema(root->table), NULL);
}
