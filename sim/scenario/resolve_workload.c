/* Tenants: plans, counts, traces that name their tenants. */
#include "resolve.h"

#include <stdlib.h>
#include <string.h>

bool sim_resolve_plan(const struct sim_resolver *resolver, const struct sim_place *place, const char *plan,
                      double *ret_weight) {
    const struct sim_list *plans = &resolver->draft->plans;
    const struct sim_named_number *known = plans->items;
    *ret_weight = 1;
    if (plan == NULL)
        return true;
    for (size_t i = 0; i < plans->count; i++) {
        if (strcmp(known[i].name, plan) == 0) {
            *ret_weight = known[i].number;
            return true;
        }
    }
    return sim_layers_fail(resolver->reader.layers, place,
                           "expected a name in plans, found \"%s\"; the nearest is \"%s\"", plan,
                           sim_resolve_nearest(plans->items, plans->count, sizeof *known, plan));
}

/** Twice the room for @p count items of @p size bytes. */
static void *doubled(struct sim_workload_builder *builder, const void *items, size_t count, size_t size, size_t *room) {
    *room = *room > 0 ? 2 * *room : 64;
    void *grown = sim_memory_take(builder->resolver->reader.memory, *room, size);
    if (count > 0)
        memcpy(grown, items, count * size);
    return grown;
}

bool sim_workload_add_tenant(struct sim_workload_builder *builder, const struct sim_place *place, const char *id,
                             const char *plan, int64_t daily_tokens) {
    struct sim_scenario_memory *memory = builder->resolver->reader.memory;
    if (builder->tenant_count == SIM_TENANTS_MAX)
        return sim_layers_fail(builder->resolver->reader.layers, place,
                               "expected at most %d tenants in all, found more", SIM_TENANTS_MAX);
    if (!sim_plain_name(id))
        return sim_layers_fail(builder->resolver->reader.layers, place,
                               "expected ids of 1 to 100 of A-Z a-z 0-9 . _ - that begin with none of . -, found "
                               "\"%.100s\"",
                               id);
    if (builder->tenant_count == builder->tenant_room) {
        size_t room = builder->tenant_room;
        builder->tenants = doubled(builder, builder->tenants, builder->tenant_count, sizeof *builder->tenants, &room);
        room = builder->tenant_room;
        builder->origins = doubled(builder, builder->origins, builder->tenant_count, sizeof *builder->origins, &room);
        builder->tenant_room = room;
    }
    struct model_tenant tenant = {.id = sim_memory_text(memory, id, strlen(id)), .daily_tokens = daily_tokens};
    if (plan != NULL)
        tenant.plan = sim_memory_text(memory, plan, strlen(plan));
    if (!sim_resolve_plan(builder->resolver, &(struct sim_place){.parent = place, .key = "plan"}, plan, &tenant.weight))
        return false;
    builder->origins[builder->tenant_count] = place;
    builder->tenants[builder->tenant_count++] = tenant;
    return true;
}

bool sim_workload_add_stream(struct sim_workload_builder *builder, const struct sim_place *place,
                             const struct model_stream *stream) {
    if (builder->stream_count == SIM_STREAMS_MAX)
        return sim_layers_fail(builder->resolver->reader.layers, place,
                               "expected at most %d streams in all, found more", SIM_STREAMS_MAX);
    if (builder->stream_count == builder->stream_room)
        builder->streams =
            doubled(builder, builder->streams, builder->stream_count, sizeof *builder->streams, &builder->stream_room);
    builder->streams[builder->stream_count] = *stream;
    builder->streams[builder->stream_count++].tenant = (uint32_t)(builder->tenant_count - 1);
    return true;
}

static bool is_wildcard(const struct sim_stream_draft *draft) {
    return draft->stream.arrivals.kind == MODEL_TRACE && draft->trace_tenant != NULL &&
           strcmp(draft->trace_tenant, "*") == 0;
}

/** Index of @p value among the tenants of @p trace, looked for first at @p hint; -1: none. */
static int64_t trace_tenant(const struct model_trace *trace, const char *value, size_t hint) {
    if (hint < trace->tenant_count && strcmp(trace->tenants[hint], value) == 0)
        return (int64_t)hint;
    for (size_t i = 0; i < trace->tenant_count; i++)
        if (strcmp(trace->tenants[i], value) == 0)
            return (int64_t)i;
    return -1;
}

static const char *id_of(struct sim_scenario_memory *memory, const char *value) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    char *id = sim_memory_text(memory, value[0] != '\0' ? value : "_", value[0] != '\0' ? strnlen(value, 100) : 1);
    for (char *c = id; *c != '\0'; c++)
        if (strchr(allowed, *c) == NULL || (c == id && (*c == '.' || *c == '-')))
            *c = '_';
    return id;
}

/** Tenants of one trace's values, those before @p stream's excepted: each once. */
static bool add_values(struct sim_workload_builder *builder, const struct sim_place *place,
                       const struct sim_tenant_draft *draft, const struct model_stream *streams, size_t stream) {
    const struct sim_stream_draft *stream_draft = draft->streams.items;
    const struct model_trace *trace = streams[stream].arrivals.trace;
    for (size_t v = 0; v < trace->tenant_count; v++) {
        const char *value = trace->tenants[v];
        bool known = false;
        for (size_t i = 0; i < stream && !known; i++)
            known = is_wildcard(&stream_draft[i]) && trace_tenant(streams[i].arrivals.trace, value, v) >= 0;
        if (known)
            continue;
        if (!sim_workload_add_tenant(builder, place, id_of(builder->resolver->reader.scratch, value), draft->plan,
                                     draft->daily_tokens))
            return false;
        for (size_t i = 0; i < draft->streams.count; i++) {
            struct model_stream own = streams[i];
            if (is_wildcard(&stream_draft[i]))
                own.arrivals.trace_tenant = trace_tenant(own.arrivals.trace, value, v);
            if (is_wildcard(&stream_draft[i]) && own.arrivals.trace_tenant < 0)
                continue;
            if (!sim_workload_add_stream(builder, place, &own))
                return false;
        }
    }
    return true;
}

static bool add_copies(struct sim_workload_builder *builder, const struct sim_place *place,
                       const struct sim_tenant_draft *draft, const struct model_stream *streams) {
    for (uint32_t i = 0; i < draft->count; i++) {
        const char *id = draft->count > 1
                             ? sim_memory_format(builder->resolver->reader.scratch, "%s-%u", draft->id, i + 1)
                             : draft->id;
        if (!sim_workload_add_tenant(builder, place, id, draft->plan, draft->daily_tokens))
            return false;
        for (size_t j = 0; j < draft->streams.count; j++)
            if (!sim_workload_add_stream(builder, place, &streams[j]))
                return false;
    }
    return true;
}

static bool add_entry(struct sim_workload_builder *builder, const struct sim_place *place,
                      const struct sim_tenant_draft *draft) {
    struct sim_resolver *resolver = builder->resolver;
    struct sim_place list = {.parent = place, .key = "streams"};
    const struct sim_stream_draft *stream_draft = draft->streams.items;
    struct model_stream *streams = sim_memory_take(resolver->reader.scratch, draft->streams.count, sizeof *streams);
    bool wildcard = false;
    for (size_t i = 0; i < draft->streams.count; i++) {
        struct sim_place stream = {.parent = &list, .index = i};
        if (!sim_resolve_stream(resolver, &stream, &stream_draft[i], &streams[i]))
            return false;
        wildcard = wildcard || is_wildcard(&stream_draft[i]);
    }
    if (!wildcard)
        return add_copies(builder, place, draft, streams);
    if (draft->count > 1)
        return sim_layers_fail(resolver->reader.layers, &(struct sim_place){.parent = place, .key = "count"},
                               "expected 1 beside a trace with tenant \"*\", found %u", draft->count);
    for (size_t i = 0; i < draft->streams.count; i++)
        if (is_wildcard(&stream_draft[i]) && !add_values(builder, place, draft, streams, i))
            return false;
    return true;
}

struct owner {
    const char *id;
    size_t index;
};

static int by_id(const void *left, const void *right) {
    const struct owner *a = left, *b = right;
    int order = strcmp(a->id, b->id);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static bool check_ids(const struct sim_workload_builder *builder) {
    struct owner *owners = sim_memory_take(builder->resolver->reader.scratch, builder->tenant_count, sizeof *owners);
    for (size_t i = 0; i < builder->tenant_count; i++)
        owners[i] = (struct owner){.id = builder->tenants[i].id, .index = i};
    qsort(owners, builder->tenant_count, sizeof *owners, by_id);
    for (size_t i = 1; i < builder->tenant_count; i++) {
        if (strcmp(owners[i].id, owners[i - 1].id) != 0)
            continue;
        struct sim_place place = {.parent = builder->origins[owners[i].index], .key = "id"};
        return sim_layers_fail(builder->resolver->reader.layers, &place,
                               "expected tenants with ids of their own, found \"%s\" twice", owners[i].id);
    }
    return true;
}

bool sim_resolve_workload(struct sim_resolver *resolver) {
    struct sim_workload_builder builder = {.resolver = resolver};
    const struct sim_draft *draft = resolver->draft;
    const struct sim_tenant_draft *tenant = draft->tenants.items;
    const struct sim_population_draft *population = draft->populations.items;
    size_t entries = draft->tenants.count + draft->populations.count;
    struct sim_place top = {0}, tenants = {.parent = &top, .key = "tenants"},
                     populations = {.parent = &top, .key = "population"};
    struct sim_place *places = sim_memory_take(resolver->reader.scratch, entries, sizeof *places);
    bool single = cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(resolver->root, "population"));
    if (entries == 0)
        return sim_layers_fail(resolver->reader.layers, &top,
                               "the key \"tenants\" is missing: expected it, or \"population\"");
    for (size_t i = 0; i < draft->tenants.count; i++) {
        places[i] = (struct sim_place){.parent = &tenants, .index = i};
        if (!add_entry(&builder, &places[i], &tenant[i]))
            return false;
    }
    for (size_t i = 0; i < draft->populations.count; i++) {
        struct sim_place *place = &places[draft->tenants.count + i];
        *place = single ? populations : (struct sim_place){.parent = &populations, .index = i};
        if (!sim_resolve_population(&builder, place, i, &population[i]))
            return false;
    }
    if (!check_ids(&builder))
        return false;
    resolver->scenario->workload = (struct model_workload){.tenants = builder.tenants,
                                                           .tenant_count = (uint32_t)builder.tenant_count,
                                                           .streams = builder.streams,
                                                           .stream_count = (uint32_t)builder.stream_count};
    return true;
}
