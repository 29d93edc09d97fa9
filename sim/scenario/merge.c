#include "merge.h"

#include <assert.h>
#include <string.h>

void sim_merge_put(cJSON *object, const char *key, cJSON *item) {
    bool done = cJSON_HasObjectItem(object, key) && cJSON_GetObjectItemCaseSensitive(object, key) != NULL
                    ? cJSON_ReplaceItemInObjectCaseSensitive(object, key, item)
                    : cJSON_AddItemToObject(object, key, item);
    assert(done);
}

static const struct sim_table *table_of(const struct sim_key *row) {
    if (row == NULL)
        return NULL;
    if (row->type == SIM_KEY_OBJECT_OR_LIST)
        return row->element->table;
    return row->type == SIM_KEY_DISTRIBUTION ? &sim_distribution_table : row->table;
}

static bool is_choice(const struct sim_key *row) {
    return row != NULL && (row->type == SIM_KEY_CHOICE || row->type == SIM_KEY_DISTRIBUTION);
}

/** Does naming @p key mean that a member described by @p rival cannot stay? */
static bool excludes(const struct sim_key *row, const struct sim_key *key, const struct sim_key *rival) {
    if (is_choice(row))
        return key->value != -1 && rival->value != -1 && key != rival;
    return key->group != 0 && rival->group != 0 && key->group != rival->group;
}

void sim_merge_displace(cJSON *object, const char *key, const struct sim_key *row) {
    const struct sim_table *table = table_of(row);
    size_t offset;
    const struct sim_key *own = table != NULL ? sim_table_find(table, key, &offset) : NULL;
    bool clear = false;
    for (cJSON *member = object->child, *next; own != NULL && member != NULL; member = next) {
        next = member->next;
        const struct sim_key *rival = sim_table_find(table, member->string, &offset);
        if (rival == NULL || cJSON_IsNull(member) || !excludes(row, own, rival))
            continue;
        clear = is_choice(row);
        if (!clear)
            cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
    }
    while (clear && object->child != NULL)
        cJSON_Delete(cJSON_DetachItemViaPointer(object, object->child));
}

cJSON *sim_merge_expand(const cJSON *number, const struct sim_key *row) {
    cJSON *object = cJSON_CreateObject();
    assert(object != NULL);
    const struct sim_key *key;
    size_t offset;
    for (size_t i = 0; (key = sim_table_row(row->table, i, &offset)) != NULL; i++)
        sim_merge_put(object, key->name, cJSON_CreateNumber(number->valuedouble));
    return object;
}

void sim_merge_member(cJSON *object, const char *key, cJSON *value, const struct sim_key *row) {
    const struct sim_key *below = sim_key_child(row, key, false);
    cJSON *present = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNumber(present) && cJSON_IsObject(value) && below != NULL && below->type == SIM_KEY_NUMBER_OR_OBJECT) {
        sim_merge_put(object, key, sim_merge_expand(present, below));
        present = cJSON_GetObjectItemCaseSensitive(object, key);
    }
    if (cJSON_IsObject(present) && cJSON_IsObject(value))
        sim_merge(present, value, below);
    else
        sim_merge_put(object, key, value);
}

void sim_merge(cJSON *object, cJSON *patch, const struct sim_key *row) {
    const cJSON *named;
    cJSON_ArrayForEach(named, patch) {
        if (!cJSON_IsNull(named))
            sim_merge_displace(object, named->string, row);
    }
    while (patch->child != NULL) {
        cJSON *member = cJSON_DetachItemViaPointer(patch, patch->child);
        /* The key outlives the member: putting it elsewhere gives it a new one. */
        char *key = member->string;
        member->string = NULL;
        sim_merge_member(object, key, member, row);
        cJSON_free(key);
    }
    cJSON_Delete(patch);
}
