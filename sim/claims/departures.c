/* In what the scenario of a study departs from the base that all share. */
#include "claims.h"

#include "../study/axis.h"

#include <assert.h>
#include <string.h>

enum { DEPARTURES_MAX = 256 };

struct list {
    struct sim_departure *items;
    size_t count;
    struct sim_scenario_memory *memory;
};

/* Who a scenario is, what it says of itself, and what it is judged by. */
static bool is_identity(const char *path) {
    static const char *const paths[] = {"name", "about", "version", "$schema", "seed", "slo", "replications"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(path, paths[i]) == 0)
            return true;
    size_t length = strlen(path), tail = strlen("$comment");
    return length >= tail && strcmp(path + length - tail, "$comment") == 0;
}

static const char *text_of(struct sim_scenario_memory *memory, const cJSON *value) {
    if (value == NULL || cJSON_IsNull(value))
        return NULL;
    char *printed = cJSON_PrintUnformatted(value);
    assert(printed != NULL);
    const char *text = sim_memory_format(memory, "%s", printed);
    cJSON_free(printed);
    return text;
}

/* What stands at one path in the base, before and after; and the whole of the base. */
struct values {
    const cJSON *root, *base, *before, *after;
};

static bool same(const cJSON *one, const cJSON *other) {
    bool no_one = one == NULL || cJSON_IsNull(one), no_other = other == NULL || cJSON_IsNull(other);
    return no_one || no_other ? no_one && no_other : cJSON_Compare(one, other, true);
}

static bool same_text(const char *one, const char *other) {
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

/* What is absent stands at the key's default; a value that says no more than the default is no departure. */
static void note(struct list *list, const char *path, struct values values) {
    const cJSON *ignored;
    const struct sim_key *row = sim_path_row(values.root, path, &ignored);
    const char *texts[] = {text_of(list->memory, values.base), text_of(list->memory, values.before),
                           text_of(list->memory, values.after)};
    for (size_t i = 0; i < 3; i++)
        if (texts[i] == NULL && row != NULL)
            texts[i] = row->initial;
    bool departs = !same_text(texts[0], texts[1]) || !same_text(texts[0], texts[2]);
    if (departs && !is_identity(path) && list->count < DEPARTURES_MAX)
        list->items[list->count++] = (struct sim_departure){path, texts[0], texts[1], texts[2]};
}

static void compare(struct list *list, const char *path, struct values values);

/* Member @p key of all three. */
static void compare_member(struct list *list, const char *path, struct values values, const char *key) {
    const struct values inner = {values.root, cJSON_GetObjectItemCaseSensitive(values.base, key),
                                 cJSON_GetObjectItemCaseSensitive(values.before, key),
                                 cJSON_GetObjectItemCaseSensitive(values.after, key)};
    compare(list, sim_memory_format(list->memory, "%s%s%s", path, path[0] != '\0' ? "." : "", key), inner);
}

static bool holds(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key) != NULL;
}

/* Objects are walked into, and lists of as many objects; anything else is compared whole. */
static void compare(struct list *list, const char *path, struct values values) {
    if (same(values.base, values.before) && same(values.base, values.after))
        return;
    if (!cJSON_IsObject(values.base) || !cJSON_IsObject(values.before) || !cJSON_IsObject(values.after)) {
        note(list, path, values);
        return;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, values.base) compare_member(list, path, values, item->string);
    cJSON_ArrayForEach(item, values.before) if (!holds(values.base, item->string))
        compare_member(list, path, values, item->string);
    cJSON_ArrayForEach(item, values.after) if (!holds(values.base, item->string) && !holds(values.before, item->string))
        compare_member(list, path, values, item->string);
}

static struct sim_scenario *scenario_of(const struct sim_claim_measure *measure, const struct sim_claim_side *side) {
    const struct sim_claim_study *study = measure->study;
    struct sim_located_error error = {0};
    const char *const *values = &study->configurations.values[side->configurations[0] * study->study->axis_count];
    struct sim_scenario *scenario = sim_study_scenario(study->study, values, &error);
    /* It was read when the study was run. */
    assert(scenario != NULL);
    return scenario;
}

size_t sim_claim_departures(const struct sim_claims *claims, const struct sim_claim_measure *measure,
                            struct sim_scenario_memory *memory, struct sim_departure **ret) {
    struct list list = {.items = sim_memory_take(memory, DEPARTURES_MAX, sizeof *list.items), .memory = memory};
    if (claims->base != NULL) {
        struct sim_scenario *after = scenario_of(measure, &measure->after);
        struct sim_scenario *before = measure->before.there ? scenario_of(measure, &measure->before) : NULL;
        const cJSON *first = before != NULL ? before->resolved : after->resolved;
        compare(&list, "", (struct values){claims->base->resolved, claims->base->resolved, first, after->resolved});
        sim_scenario_destroy(before);
        sim_scenario_destroy(after);
    }
    *ret = list.items;
    return list.count;
}
