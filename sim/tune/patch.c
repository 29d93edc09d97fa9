#include "patch.h"

#include "../memory.h"

#include <assert.h>
#include <string.h>

static cJSON *not_null(cJSON *item) {
    if (item == NULL)
        sim_out_of_memory();
    return item;
}

/* The member of @p object whose name @p path begins with, the longest one, since names may hold dots; *ret_rest: what of
 * the path is left. */
static const cJSON *member_on(const cJSON *object, const char *path, const char **ret_rest) {
    const cJSON *member, *found = NULL;
    size_t longest = 0;
    cJSON_ArrayForEach(member, object) {
        size_t length = strlen(member->string);
        if (length <= longest || strncmp(member->string, path, length) != 0 ||
            (path[length] != '.' && path[length] != '\0'))
            continue;
        longest = length;
        found = member;
        *ret_rest = path + length + (path[length] == '.');
    }
    return found;
}

/* Copy what stands at @p path of @p from to the same place of @p patch. */
static void copy(cJSON *patch, const cJSON *from, const char *path) {
    const char *rest = path;
    const cJSON *member = member_on(from, path, &rest);
    assert(member != NULL); /* it was set */
    if (*rest == '\0' || !cJSON_IsObject(member)) {
        cJSON_DeleteItemFromObjectCaseSensitive(patch, member->string);
        cJSON_AddItemToObject(patch, member->string, not_null(cJSON_Duplicate(member, true)));
        return;
    }
    cJSON *inner = cJSON_GetObjectItemCaseSensitive(patch, member->string);
    if (inner == NULL)
        inner = not_null(cJSON_AddObjectToObject(patch, member->string));
    copy(inner, member, rest);
}

cJSON *sim_patch_create(const struct sim_study *study, const char *const *values, struct sim_located_error *error) {
    struct sim_scenario *scenario = sim_study_scenario(study, values, error);
    if (scenario == NULL)
        return NULL;
    cJSON *patch = not_null(cJSON_CreateObject());
    for (size_t a = 0; a < study->axis_count; a++)
        if (values[a] != NULL)
            copy(patch, scenario->resolved, study->axes[a].path);
    sim_scenario_destroy(scenario);
    return patch;
}
