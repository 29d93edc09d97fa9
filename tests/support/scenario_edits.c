#include "scenario_edits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- pace ---- */

static bool is_among(const char *key, const char *const *list, size_t count) {
    for (size_t i = 0; key && i < count; i++)
        if (!strcmp(key, list[i]))
            return true;
    return false;
}

/* Keys in seconds or milliseconds, in units per time, and parameters of distributions that have no unit. */
static const char *const times[] = {"duration_s",
                                    "warmup_s",
                                    "drain_s",
                                    "first_s",
                                    "every_s",
                                    "at_s",
                                    "from_s",
                                    "until_s",
                                    "think_s",
                                    "patience_s",
                                    "mean_on_s",
                                    "mean_off_s",
                                    "flush_s",
                                    "expires_s",
                                    "ttft_ms",
                                    "completion_s",
                                    "critical_linger_ms",
                                    "prefill_ms_per_1k_tokens"};
static const char *const rates[] = {"rate_per_s", "on_rate_per_s", "off_rate_per_s", "total_rate_per_s",
                                    "output_tokens_per_s"};
static const char *const shapes[] = {"sigma", "cv", "alpha"};

/* Scale every number in a value or a distribution. */
static void scale(cJSON *value, double factor) {
    if (cJSON_IsNumber(value) && !is_among(value->string, shapes, LENGTH(shapes)))
        cJSON_SetNumberValue(value, value->valuedouble * factor);
    for (cJSON *child = value->child; child; child = child->next)
        scale(child, factor);
}

void scenario_stretch(cJSON *scenario, double factor) {
    for (cJSON *child = scenario->child; child; child = child->next)
        if (is_among(child->string, times, LENGTH(times)))
            scale(child, factor);
        else if (is_among(child->string, rates, LENGTH(rates)))
            scale(child, 1 / factor);
        else
            scenario_stretch(child, factor);
}

/* ---- names ---- */

/* What random_scenario() calls tenants, and what they are called instead: "tn0x" becomes "renamed-9". */
static void rename_one(cJSON *id) {
    char text[32];
    if (!cJSON_IsString(id))
        return;
    if (!strcmp(id->valuestring, "ppl"))
        strcpy(text, "a-population");
    else
        snprintf(text, sizeof text, "renamed-%d", 9 - atoi(id->valuestring + 2));
    cJSON_SetValuestring(id, text);
}

void scenario_rename(cJSON *scenario) {
    cJSON *tenant;
    cJSON_ArrayForEach(tenant, cJSON_GetObjectItem(scenario, "tenants")) rename_one(cJSON_GetObjectItem(tenant, "id"));
    rename_one(cJSON_GetObjectItem(cJSON_GetObjectItem(scenario, "population"), "id"));
}

char *scenario_unrename(const char *text) {
    char *result = malloc(strlen(text) + 1), *to = result;
    assert(result);
    while (*text) {
        if (!strncmp(text, "renamed-", 8)) {
            *to++ = 't';
            *to++ = 'n';
            *to++ = (char)('0' + 9 - (text[8] - '0'));
            *to++ = 'x';
            text += 9;
        } else if (!strncmp(text, "a-population", 12)) {
            memcpy(to, "ppl", 3);
            to += 3;
            text += 12;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return result;
}

/* ---- size ---- */

struct shrinking {
    cJSON *scenario;
    scenario_fails fails;
    void *context;
    int tries;
};

/* Try to do without child number `index` of `parent`. */
static bool drop(struct shrinking *shrinking, cJSON *parent, int index) {
    cJSON *child = cJSON_GetArrayItem(parent, index);
    bool array = cJSON_IsArray(parent);
    if (shrinking->tries-- <= 0)
        return false;
    cJSON_DetachItemViaPointer(parent, child);
    if (shrinking->fails(shrinking->context, shrinking->scenario)) {
        cJSON_Delete(child);
        return true;
    }
    if (array)
        cJSON_InsertItemInArray(parent, index, child);
    else
        cJSON_AddItemToObject(parent, child->string, child); /* the order of keys means nothing */
    return false;
}

/* One pass over all below `parent`. @return whether anything went. */
static bool pass(struct shrinking *shrinking, cJSON *parent) {
    bool any = false;
    int count = cJSON_GetArraySize(parent);
    for (int i = 0, left = count; left > 0; left--) {
        /* A member that stays moves to the end of its object. */
        bool gone = drop(shrinking, parent, i);
        any |= gone;
        if (!gone && cJSON_IsArray(parent))
            i++;
    }
    for (cJSON *child = parent->child; child; child = child->next)
        any |= pass(shrinking, child);
    return any;
}

void scenario_shrink(cJSON *scenario, scenario_fails fails, void *context, int tries) {
    struct shrinking shrinking = {scenario, fails, context, tries};
    while (shrinking.tries > 0 && pass(&shrinking, scenario))
        continue;
}
