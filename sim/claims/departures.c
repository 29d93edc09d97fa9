/* In what the scenarios of a claim depart from the base that all share. */
#include "claims.h"

#include "../study/axis.h"

#include <assert.h>
#include <string.h>

/* What is looked at, and what was found. */
struct list {
    struct sim_departure *items;
    size_t count, room;
    const cJSON *base; /* the whole of it */
    const struct sim_study *study;
    const struct sim_axis *along; /* NULL: no series */
    size_t measure;
    struct sim_scenario_memory *memory;
};

/* What stands at one path in the base, before and after; NULL: nothing. */
struct values {
    const cJSON *in[3];
};

/* Who a scenario is, what it says of itself, what it is judged by; and the knob that a series runs along. */
static bool is_left_out(const struct list *list, const char *path) {
    static const char *const paths[] = {"name", "about", "version", "$schema", "seed", "slo", "replications"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(path, paths[i]) == 0)
            return true;
    /* An automatic warm-up is a number by now. */
    if (list->study->warmup_set != NULL && strcmp(path, "warmup_s") == 0)
        return true;
    size_t length = strlen(path), tail = strlen("$comment");
    return (length >= tail && strcmp(path + length - tail, "$comment") == 0) ||
           (list->along != NULL && strcmp(path, list->along->path) == 0);
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

static bool same_text(const char *one, const char *other) {
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static bool is_known(const struct list *list, const struct sim_departure *departure) {
    for (size_t i = 0; i < list->count; i++) {
        const struct sim_departure *known = &list->items[i];
        if (strcmp(known->path, departure->path) == 0 && same_text(known->before, departure->before) &&
            same_text(known->after, departure->after))
            return true;
    }
    return false;
}

static void add(struct list *list, const struct sim_departure *departure) {
    if (list->count == list->room) {
        list->room = list->room > 0 ? 2 * list->room : 16;
        struct sim_departure *grown = sim_memory_take(list->memory, list->room, sizeof *grown);
        if (list->count > 0)
            memcpy(grown, list->items, list->count * sizeof *grown);
        list->items = grown;
    }
    list->items[list->count++] = *departure;
}

static const struct sim_key *row_of(const struct list *list, const char *path) {
    const cJSON *ignored;
    return sim_path_row(list->base, path, &ignored);
}

/* What is absent stands at the key's default; a value that says no more than the default is no departure. */
static void note(struct list *list, const char *path, struct values values) {
    const struct sim_key *row = row_of(list, path);
    const char *texts[3];
    for (size_t i = 0; i < 3; i++) {
        texts[i] = text_of(list->memory, values.in[i]);
        if (texts[i] == NULL && row != NULL)
            texts[i] = row->initial;
    }
    const struct sim_departure departure = {list->measure, path, texts[0], texts[1], texts[2]};
    bool departs = !same_text(texts[0], texts[1]) || !same_text(texts[0], texts[2]);
    if (departs && !is_left_out(list, path) && !is_known(list, &departure))
        add(list, &departure);
}

static bool same(const cJSON *one, const cJSON *other) {
    bool no_one = one == NULL || cJSON_IsNull(one), no_other = other == NULL || cJSON_IsNull(other);
    return no_one || no_other ? no_one && no_other : cJSON_Compare(one, other, true);
}

static void compare(struct list *list, const char *path, struct values values);

static void compare_member(struct list *list, const char *path, struct values values, const char *key) {
    struct values inner;
    for (size_t i = 0; i < 3; i++)
        inner.in[i] = cJSON_GetObjectItemCaseSensitive(values.in[i], key);
    compare(list, sim_memory_format(list->memory, "%s%s%s", path, path[0] != '\0' ? "." : "", key), inner);
}

/* Members of all three, each once. */
static void compare_objects(struct list *list, const char *path, struct values values) {
    for (size_t i = 0; i < 3; i++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, values.in[i]) {
            bool met = false;
            for (size_t k = 0; k < i; k++)
                met = met || cJSON_GetObjectItemCaseSensitive(values.in[k], item->string) != NULL;
            if (!met)
                compare_member(list, path, values, item->string);
        }
    }
}

/* Is it an object everywhere? Where an object of keys with defaults is absent, it is one of defaults. */
static bool are_objects(const struct list *list, const char *path, const struct values *values) {
    const struct sim_key *row = path[0] != '\0' ? row_of(list, path) : NULL;
    bool may_be_absent = row != NULL && row->type == SIM_KEY_OBJECT && row->otherwise == NULL;
    for (size_t i = 0; i < 3; i++)
        if (!cJSON_IsObject(values->in[i]) && !(may_be_absent && values->in[i] == NULL))
            return false;
    return true;
}

/* Do the elements of @p one and @p other stand for the same things: as many, of the same ids? */
static bool same_elements(const cJSON *one, const cJSON *other) {
    if (!cJSON_IsArray(one) || !cJSON_IsArray(other) || cJSON_GetArraySize(one) != cJSON_GetArraySize(other))
        return false;
    const cJSON *a = one->child, *b = other->child;
    for (; a != NULL; a = a->next, b = b->next)
        if (!cJSON_IsObject(a) || !cJSON_IsObject(b) ||
            !same(cJSON_GetObjectItemCaseSensitive(a, "id"), cJSON_GetObjectItemCaseSensitive(b, "id")))
            return false;
    return true;
}

static void compare_elements(struct list *list, const char *path, struct values values) {
    int count = cJSON_GetArraySize(values.in[0]);
    for (int index = 0; index < count; index++) {
        struct values inner;
        for (size_t i = 0; i < 3; i++)
            inner.in[i] = cJSON_GetArrayItem(values.in[i], index);
        compare(list, sim_memory_format(list->memory, "%s.%d", path, index), inner);
    }
}

/* A number that stands for all members of an object, as burst_s may: does @p object say the same? */
static bool spreads(const cJSON *number, const cJSON *object) {
    if (!cJSON_IsNumber(number) || !cJSON_IsObject(object))
        return false;
    const cJSON *item;
    cJSON_ArrayForEach(item, object) if (!same(item, number)) return false;
    return true;
}

static bool says_the_same(const cJSON *one, const cJSON *other) {
    return same(one, other) || spreads(one, other) || spreads(other, one);
}

static void compare(struct list *list, const char *path, struct values values) {
    if (says_the_same(values.in[0], values.in[1]) && says_the_same(values.in[0], values.in[2]))
        return;
    if (are_objects(list, path, &values))
        compare_objects(list, path, values);
    else if (same_elements(values.in[0], values.in[1]) && same_elements(values.in[0], values.in[2]))
        compare_elements(list, path, values);
    else
        note(list, path, values);
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

static void compare_measure(struct list *list, const struct sim_claim_measure *measure) {
    struct sim_scenario *after = scenario_of(measure, &measure->after);
    struct sim_scenario *before = measure->before.there ? scenario_of(measure, &measure->before) : NULL;
    const cJSON *first = before != NULL ? before->resolved : after->resolved;
    list->study = measure->study->study;
    list->along = measure->along;
    compare(list, "", (struct values){{list->base, first, after->resolved}});
    sim_scenario_destroy(before);
    sim_scenario_destroy(after);
}

size_t sim_claim_departures(const struct sim_claims *claims, const struct sim_claim *claim,
                            struct sim_scenario_memory *memory, struct sim_departure **ret) {
    struct list list = {.memory = memory};
    if (claims->base != NULL) {
        list.base = claims->base->resolved;
        for (; list.measure < claim->deciding; list.measure++)
            compare_measure(&list, &claim->measures[list.measure]);
    }
    *ret = list.items;
    return list.count;
}
