/* Model classes, and the regimes that `changes` makes of the endpoint. */
#include "resolve.h"

#include "merge.h"

#include <assert.h>
#include <string.h>

static bool check_overload(const struct sim_resolver *resolver, const struct sim_place *place,
                           const struct model_overload *overload) {
    if (!overload->on || 86400 / overload->episodes_per_day > overload->mean_bad_s)
        return true;
    return sim_layers_fail(resolver->reader.layers, &(struct sim_place){.parent = place, .key = "overload"},
                           "expected 86400 / episodes_per_day over mean_bad_s, found %.10g and %.10g",
                           86400 / overload->episodes_per_day, overload->mean_bad_s);
}

/** Make a complete regime of the endpoint's draft and the model classes. */
static struct model_regime make_regime(const struct sim_resolver *resolver, const struct sim_regime_draft *draft) {
    const struct sim_list *models = &resolver->draft->models;
    const struct sim_model_draft *model = models->items;
    struct model_regime regime = {
        .from_ns = draft->at_ns,
        .concurrency = draft->concurrency,
        .overload = draft->overload,
        .classes = sim_memory_take(resolver->reader.memory, models->count + 1, sizeof *regime.classes)};
    for (size_t i = 0; i <= models->count; i++) {
        struct model_class_regime *class_regime = &regime.classes[i];
        memcpy(class_regime->per_minute, i == 0 ? draft->per_minute : model[i - 1].per_minute,
               sizeof class_regime->per_minute);
        memcpy(class_regime->burst_ns, draft->burst_ns, sizeof class_regime->burst_ns);
        class_regime->latency = i == 0 ? draft->latency : model[i - 1].latency;
    }
    return regime;
}

/** The part of @p endpoint that changes may replace, as a tree of its own. */
static cJSON *regime_tree(const cJSON *endpoint) {
    cJSON *tree = cJSON_CreateObject();
    assert(tree != NULL);
    const cJSON *item;
    cJSON_ArrayForEach(item, endpoint) {
        size_t offset;
        if (sim_table_find(sim_regime_key.table, item->string, &offset) != NULL)
            sim_merge_put(tree, item->string, cJSON_Duplicate(item, true));
    }
    return tree;
}

/** Index of the change that is next in time after number @p after (those before it done), by time, then by place. */
static size_t next_change(const struct sim_list *changes, const bool *done) {
    const struct sim_regime_draft *change = changes->items;
    size_t next = changes->count;
    for (size_t i = 0; i < changes->count; i++)
        if (!done[i] && (next == changes->count || change[i].at_ns < change[next].at_ns))
            next = i;
    return next;
}

static bool apply_changes(struct sim_resolver *resolver, cJSON *tree) {
    const struct sim_list *changes = &resolver->draft->changes;
    const struct sim_regime_draft *change = changes->items;
    struct model_endpoint_config *config = &resolver->scenario->endpoint;
    bool *done = sim_memory_take(resolver->reader.scratch, changes->count, sizeof *done);
    const cJSON *endpoint = cJSON_GetObjectItemCaseSensitive(resolver->root, "endpoint");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(endpoint, "changes");
    struct sim_place top = {0}, outer = {.parent = &top, .key = "endpoint"},
                     inner = {.parent = &outer, .key = "changes"};
    for (size_t i = 0; i < changes->count; i++) {
        size_t index = next_change(changes, done);
        done[index] = true;
        struct sim_place place = {.parent = &inner, .index = index};
        cJSON *patch = cJSON_Duplicate(cJSON_GetArrayItem(list, (int)index), true);
        assert(patch != NULL);
        cJSON_DeleteItemFromObjectCaseSensitive(patch, "at_s");
        sim_merge(tree, patch, &sim_regime_key);
        struct sim_regime_draft merged = {0};
        if (!sim_read(&resolver->reader, &place, &sim_regime_key, tree, (char *)&merged) ||
            !check_overload(resolver, &place, &merged.overload))
            return false;
        merged.at_ns = change[index].at_ns;
        config->regimes[config->regime_count++] = make_regime(resolver, &merged);
    }
    return true;
}

static void name_classes(struct sim_resolver *resolver) {
    struct model_endpoint_config *config = &resolver->scenario->endpoint;
    const struct sim_list *models = &resolver->draft->models;
    const struct sim_model_draft *model = models->items;
    config->class_count = models->count + 1;
    config->class_names = sim_memory_take(resolver->reader.memory, config->class_count, sizeof *config->class_names);
    config->prices = sim_memory_take(resolver->reader.memory, config->class_count, sizeof *config->prices);
    config->class_names[0] = sim_memory_text(resolver->reader.memory, "", 0);
    config->prices[0] = resolver->draft->price;
    for (size_t i = 0; i < models->count; i++) {
        config->class_names[i + 1] = model[i].name;
        config->prices[i + 1] = model[i].price;
    }
}

bool sim_resolve_endpoint(struct sim_resolver *resolver) {
    struct model_endpoint_config *config = &resolver->scenario->endpoint;
    const struct sim_draft *draft = resolver->draft;
    struct sim_place top = {0}, place = {.parent = &top, .key = "endpoint"};
    name_classes(resolver);
    config->start_unix_ns = resolver->scenario->start_unix_ns;
    config->regimes = sim_memory_take(resolver->reader.memory, draft->changes.count + 1, sizeof *config->regimes);
    config->regimes[0] = make_regime(resolver, &draft->regime);
    config->regime_count = 1;
    if (!check_overload(resolver, &place, &draft->regime.overload))
        return false;
    cJSON *tree = regime_tree(cJSON_GetObjectItemCaseSensitive(resolver->root, "endpoint"));
    bool good = apply_changes(resolver, tree);
    cJSON_Delete(tree);
    return good;
}
