/* In what the scenario of a study departs from the base that all share. */
#include "claims.h"

#include <assert.h>
#include <string.h>

enum { DEPARTURES_MAX = 256 };

struct list {
    struct sim_departure *items;
    size_t count;
    struct sim_scenario_memory *memory;
};

/* Who a scenario is, and what it says of itself. */
static bool is_identity(const char *path) {
    static const char *const paths[] = {"name", "about", "version", "$schema"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(path, paths[i]) == 0)
            return true;
    size_t length = strlen(path), tail = strlen("$comment");
    return length >= tail && strcmp(path + length - tail, "$comment") == 0;
}

static const char *text_of(struct sim_scenario_memory *memory, const cJSON *value) {
    if (value == NULL)
        return NULL;
    char *printed = cJSON_PrintUnformatted(value);
    assert(printed != NULL);
    const char *text = sim_memory_format(memory, "%s", printed);
    cJSON_free(printed);
    return text;
}

static void note(struct list *list, const char *path, const cJSON *base, const cJSON *here) {
    if (is_identity(path) || list->count == DEPARTURES_MAX)
        return;
    list->items[list->count++] = (struct sim_departure){.path = sim_memory_format(list->memory, "%s", path),
                                                        .base = text_of(list->memory, base),
                                                        .here = text_of(list->memory, here)};
}

static const char *below(const struct list *list, const char *path, const char *key) {
    return sim_memory_format(list->memory, "%s%s%s", path, path[0] != '\0' ? "." : "", key);
}

/* Objects are walked into, anything else is compared whole. */
static void compare(struct list *list, const char *path, const cJSON *base, const cJSON *here) {
    if (!cJSON_IsObject(base) || !cJSON_IsObject(here)) {
        if (!cJSON_Compare(base, here, true))
            note(list, path, base, here);
        return;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, base) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(here, item->string);
        const char *path_of_item = below(list, path, item->string);
        if (other != NULL)
            compare(list, path_of_item, item, other);
        else
            note(list, path_of_item, item, NULL);
    }
    cJSON_ArrayForEach(item, here) if (cJSON_GetObjectItemCaseSensitive(base, item->string) == NULL)
        note(list, below(list, path, item->string), NULL, item);
}

size_t sim_claim_departures(const struct sim_claims *claims, const struct sim_claim_study *study,
                            struct sim_scenario_memory *memory, struct sim_departure **ret) {
    struct list list = {.items = sim_memory_take(memory, DEPARTURES_MAX, sizeof *list.items), .memory = memory};
    if (claims->base != NULL)
        compare(&list, "", claims->base->resolved, study->study->base->resolved);
    *ret = list.items;
    return list.count;
}
