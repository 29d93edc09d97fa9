/* `--set path=value`: walking the merged tree along the path, making what is missing. */
#include "layers.h"

#include "keys.h"
#include "merge.h"
#include "strict_scan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assignment {
    struct sim_layers *layers;
    const char *argument;
    char *parts[SIM_SCAN_DEPTH_MAX]; /**< the path, split at its dots */
    size_t count;
    const char *steps[SIM_SCAN_DEPTH_MAX]; /**< what they turned out to name */
    size_t step_count;
};

static bool refuse(const struct assignment *set, const char *path, const char *message) {
    sim_error_set(set->layers->error, sim_memory_format(set->layers->scratch, "--set %s", set->argument), 0, path, "%s",
                  message);
    return false;
}

static bool all_digits(const char *text) {
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static bool split(struct assignment *set) {
    const char *equals = strchr(set->argument, '=');
    if (equals == NULL || equals == set->argument)
        return refuse(set, "", "expected PATH=VALUE, such as scheduler.tenants.quantum=8");
    char *path = sim_memory_text(set->layers->scratch, set->argument, (size_t)(equals - set->argument));
    for (char *part = path; part != NULL;) {
        char *dot = strchr(part, '.');
        if (dot != NULL)
            *dot++ = '\0';
        if (*part == '\0' || set->count == SIM_SCAN_DEPTH_MAX)
            return refuse(set, "", *part == '\0' ? "the path has an empty part" : "the path has too many parts");
        set->parts[set->count++] = part;
        part = dot;
    }
    return true;
}

/** Parts @p at ... @p at + @p count - 1 as one key, for keys that hold dots. */
static const char *joined(const struct assignment *set, size_t at, size_t count) {
    const char *key = set->parts[at];
    for (size_t i = 1; i < count; i++)
        key = sim_memory_format(set->layers->scratch, "%s.%s", key, set->parts[at + i]);
    return key;
}

static cJSON *element_of_id(const cJSON *list, const char *id, size_t *ret_index) {
    cJSON *element;
    *ret_index = 0;
    cJSON_ArrayForEach(element, list) {
        const cJSON *own = cJSON_GetObjectItemCaseSensitive(element, "id");
        if (cJSON_IsString(own) && strcmp(own->valuestring, id) == 0)
            return element;
        (*ret_index)++;
    }
    return NULL;
}

/** The element of @p list that the part at *at names, by index or by id. */
static cJSON *find_element(struct assignment *set, const cJSON *list, size_t *at) {
    char digits[24];
    size_t index = 0;
    cJSON *element = NULL;
    for (size_t count = set->count - *at; element == NULL && count > 0; count--) {
        element = element_of_id(list, joined(set, *at, count), &index);
        if (element != NULL)
            *at += count;
    }
    if (element == NULL && all_digits(set->parts[*at]) && strlen(set->parts[*at]) < 9) {
        index = (size_t)strtoul(set->parts[(*at)++], NULL, 10);
        element = cJSON_GetArrayItem(list, (int)index);
    }
    snprintf(digits, sizeof digits, "%zu", index);
    set->steps[set->step_count++] = sim_memory_format(set->layers->scratch, "%s", digits);
    return element;
}

/** The key of @p object that the parts from *at on name: an existing one may hold dots; so do percentiles. */
static const char *find_key(struct assignment *set, const cJSON *object, size_t *at) {
    size_t count = set->count - *at;
    for (; count > 1; count--)
        if (cJSON_GetObjectItemCaseSensitive(object, joined(set, *at, count)) != NULL)
            break;
    double probability;
    if (count == 1 && *at + 1 < set->count && all_digits(set->parts[*at + 1]) &&
        sim_percentile_key(set->parts[*at], &probability))
        count = 2;
    const char *key = joined(set, *at, count);
    *at += count;
    set->steps[set->step_count++] = key;
    return key;
}

/** Member @p key of @p object, made an object where it cannot be walked into. */
static cJSON *enter(cJSON *object, const char *key, const struct sim_key *below) {
    cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsObject(member) || cJSON_IsArray(member))
        return member;
    bool spread = cJSON_IsNumber(member) && below != NULL && below->type == SIM_KEY_NUMBER_OR_OBJECT;
    cJSON *made = spread ? sim_merge_expand(member, below) : cJSON_CreateObject();
    assert(made != NULL);
    sim_merge_put(object, key, made);
    return made;
}

static void replace_element(cJSON *list, cJSON *element, cJSON *value, const struct sim_key *row) {
    if (cJSON_IsObject(element) && cJSON_IsObject(value)) {
        sim_merge(element, value, row);
        return;
    }
    bool done = cJSON_ReplaceItemViaPointer(list, element, value);
    assert(done);
}

/** Walk and put @p value (consumed). */
static bool assign(struct assignment *set, cJSON *root, cJSON *value) {
    cJSON *node = root;
    const struct sim_key *row = &sim_scenario_key;
    for (size_t at = 0; at < set->count;) {
        bool in_list = cJSON_IsArray(node);
        if (!in_list) {
            const char *key = find_key(set, node, &at);
            const struct sim_key *below = sim_key_child(row, key, false);
            if (!cJSON_IsNull(value))
                sim_merge_displace(node, key, row);
            if (at == set->count) {
                sim_merge_member(node, key, value, row);
                return true;
            }
            node = enter(node, key, below);
            row = below;
            continue;
        }
        const char *name = set->parts[at];
        cJSON *element = find_element(set, node, &at);
        row = sim_key_child(row, "", true);
        if (element == NULL || (at < set->count && !cJSON_IsObject(element) && !cJSON_IsArray(element))) {
            char message[200];
            snprintf(message, sizeof message, "expected an index or id within the list of %d, found \"%.60s\"",
                     cJSON_GetArraySize(node), name);
            cJSON_Delete(value);
            return refuse(set, "", message);
        }
        if (at == set->count) {
            replace_element(node, element, value, row);
            return true;
        }
        node = element;
    }
    return true;
}

/** The value as JSON text. A bare word is a string; so is a seed, whose digits a JSON number could not hold. */
static const char *value_text(const struct assignment *set, const char *raw) {
    struct sim_located_error ignored = {0};
    bool seed = set->count == 1 && strcmp(set->parts[0], "seed") == 0 && all_digits(raw);
    bool structured = raw[0] != '\0' && strchr("{[\"", raw[0]) != NULL;
    if (structured || (!seed && sim_scan_check(raw, strlen(raw), "", &ignored)))
        return raw;
    cJSON *string = cJSON_CreateString(raw);
    char *printed = string != NULL ? cJSON_PrintUnformatted(string) : NULL;
    assert(printed != NULL);
    const char *text = sim_memory_format(set->layers->scratch, "%s", printed);
    cJSON_free(printed);
    cJSON_Delete(string);
    return text;
}

/** Lay a preset that the value names below the value itself. */
static bool preset_first(struct assignment *set, cJSON *root, cJSON *value, const struct sim_layer *layer,
                         bool *ret_done) {
    *ret_done = false;
    if (strcmp(set->parts[0], "endpoint") != 0 || set->count > 2)
        return true;
    if (set->count == 1)
        return !cJSON_IsObject(value) || sim_layers_preset(set->layers, root, value, layer);
    if (strcmp(set->parts[1], "preset") != 0 || !cJSON_IsString(value))
        return true;
    cJSON *endpoint = cJSON_CreateObject();
    assert(endpoint != NULL);
    sim_merge_put(endpoint, "preset", cJSON_Duplicate(value, true));
    *ret_done = sim_layers_preset(set->layers, root, endpoint, layer);
    cJSON_Delete(endpoint);
    return *ret_done;
}

bool sim_layers_set(struct sim_layers *layers, cJSON *root, const char *argument) {
    struct assignment set = {.layers = layers, .argument = argument};
    if (!split(&set))
        return false;
    if (strcmp(set.parts[0], "extends") == 0)
        return refuse(&set, "extends", "a file's base cannot be set");
    const char *label = sim_memory_format(layers->scratch, "--set %s", argument);
    const char *text = value_text(&set, strchr(argument, '=') + 1);
    if (!sim_scan_check(text, strlen(text), label, layers->error))
        return false;
    cJSON *value = cJSON_Parse(text);
    assert(value != NULL);
    sim_layers_round(value);
    struct sim_layer layer = {.label = label, .text = text, .length = strlen(text), .is_set = true};
    bool done;
    const struct sim_layer source = {.label = label,
                                     .text = text,
                                     .length = layer.length,
                                     .is_set = true,
                                     .steps = (const char *const *)set.parts,
                                     .step_count = set.count};
    if (!preset_first(&set, root, value, &source, &done) || done) {
        cJSON_Delete(value);
        return done;
    }
    if (!assign(&set, root, value))
        return false;
    layer.step_count = set.step_count;
    const char **steps = sim_memory_take(layers->scratch, set.step_count, sizeof *steps);
    memcpy(steps, set.steps, set.step_count * sizeof *steps);
    layer.steps = steps;
    sim_layers_add(layers, &layer);
    return true;
}
