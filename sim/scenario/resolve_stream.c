/* One stream: what its keys mean together. */
#include "resolve.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Jobs are numbered in 32 bits within a stream. */
#define JOBS_MAX 4e9

const char *sim_resolve_nearest(const void *names, size_t count, size_t stride, const char *name) {
    const char *nearest = "";
    size_t nearest_distance = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        char *known;
        memcpy(&known, (const char *)names + i * stride, sizeof known);
        size_t distance = sim_edit_distance(known, name);
        if (distance < nearest_distance) {
            nearest = known;
            nearest_distance = distance;
        }
    }
    return nearest;
}

static bool resolve_model(const struct sim_resolver *resolver, const struct sim_place *stream,
                          const struct sim_stream_draft *draft, uint32_t *ret) {
    const struct sim_list *models = &resolver->draft->models;
    const struct sim_model_draft *model = models->items;
    struct sim_place place = {.parent = stream, .key = "model"};
    *ret = 0;
    if (draft->model == NULL)
        return true;
    for (size_t i = 0; i < models->count; i++) {
        if (strcmp(model[i].name, draft->model) == 0) {
            *ret = (uint32_t)(i + 1);
            return true;
        }
    }
    if (models->count == 0)
        return sim_layers_fail(resolver->reader.layers, &place,
                               "expected a name in endpoint.models, which has none, found \"%s\"", draft->model);
    return sim_layers_fail(resolver->reader.layers, &place,
                           "expected a name in endpoint.models, found \"%s\"; the nearest is \"%s\"", draft->model,
                           sim_resolve_nearest(models->items, models->count, sizeof *model, draft->model));
}

static int by_time(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void resolve_burst(const struct sim_resolver *resolver, const struct sim_stream_draft *draft,
                          struct model_arrivals_config *arrivals) {
    const double *at_s = draft->at.items;
    arrivals->at_count = draft->at.count;
    if (arrivals->at_count == 0)
        return;
    arrivals->at_ns = sim_memory_take(resolver->reader.memory, arrivals->at_count, sizeof *arrivals->at_ns);
    for (size_t i = 0; i < arrivals->at_count; i++)
        arrivals->at_ns[i] = sim_read_ns(at_s[i]);
    qsort(arrivals->at_ns, arrivals->at_count, sizeof *arrivals->at_ns, by_time);
}

static bool resolve_profile(const struct sim_resolver *resolver, const struct sim_place *place,
                            const struct sim_stream_draft *draft, struct model_arrivals_config *arrivals) {
    struct sim_place kind = {.parent = place, .key = "profile"}, rates = {.parent = &kind, .key = "rate_per_s"};
    arrivals->profile_count = draft->profile.count;
    arrivals->profile_rate_per_s = draft->profile.items;
    if (arrivals->profile_count != 24 && arrivals->profile_count != 168)
        return sim_layers_fail(resolver->reader.layers, &rates, "expected 24 or 168 numbers, found %zu",
                               arrivals->profile_count);
    double sum = 0;
    for (size_t i = 0; i < arrivals->profile_count; i++)
        sum += arrivals->profile_rate_per_s[i];
    return sum > 0 || sim_layers_fail(resolver->reader.layers, &rates, "expected one rate over 0, found none");
}

static bool resolve_tenant_of_trace(struct sim_resolver *resolver, const struct sim_place *place,
                                    const struct sim_stream_draft *draft, struct model_arrivals_config *arrivals) {
    struct sim_place kind = {.parent = place, .key = "trace"}, tenant = {.parent = &kind, .key = "tenant"};
    const struct model_trace *trace = arrivals->trace;
    arrivals->trace_tenant = -1;
    if (draft->trace_tenant == NULL)
        return true;
    if (draft->columns.tenant == NULL)
        return sim_layers_fail(resolver->reader.layers, &tenant,
                               "expected columns.tenant to be named, found it absent");
    if (strcmp(draft->trace_tenant, "*") == 0)
        return true;
    for (size_t i = 0; i < trace->tenant_count; i++) {
        if (strcmp(trace->tenants[i], draft->trace_tenant) == 0) {
            arrivals->trace_tenant = (int64_t)i;
            return true;
        }
    }
    return sim_layers_fail(
        resolver->reader.layers, &tenant,
        "expected a value of the column \"%.60s\", found \"%.60s\"; the nearest is \"%.60s\"", draft->columns.tenant,
        draft->trace_tenant,
        sim_resolve_nearest(trace->tenants, trace->tenant_count, sizeof *trace->tenants, draft->trace_tenant));
}

bool sim_resolve_gap(struct sim_resolver *resolver, const struct sim_place *place,
                     struct model_arrivals_config *arrivals) {
    if (arrivals->kind != MODEL_GAMMA_RENEWAL && arrivals->kind != MODEL_WEIBULL_RENEWAL)
        return true;
    arrivals->gap = (struct model_distribution){
        .kind = arrivals->kind == MODEL_GAMMA_RENEWAL ? MODEL_GAMMA : MODEL_WEIBULL,
        .a = 1 / arrivals->rate_per_s,
        .b = arrivals->cv,
        .min = -INFINITY,
        .max = INFINITY,
    };
    const char *why = model_distribution_prepare(&arrivals->gap);
    return why == NULL || sim_layers_fail(resolver->reader.layers, place, "gaps cannot be drawn: %s", why);
}

static bool resolve_window(const struct sim_resolver *resolver, const struct sim_place *stream,
                           struct model_arrivals_config *arrivals) {
    int64_t end_ns = resolver->scenario->duration_ns;
    if (arrivals->until_ns <= arrivals->from_ns)
        return sim_layers_fail(resolver->reader.layers, &(struct sim_place){.parent = stream, .key = "until_s"},
                               "expected more than from_s = %.10g, found %.10g", (double)arrivals->from_ns / 1e9,
                               (double)arrivals->until_ns / 1e9);
    if (arrivals->from_ns >= end_ns)
        return sim_layers_fail(resolver->reader.layers, &(struct sim_place){.parent = stream, .key = "from_s"},
                               "expected less than duration_s = %.10g, found %.10g", (double)end_ns / 1e9,
                               (double)arrivals->from_ns / 1e9);
    if (arrivals->until_ns > end_ns)
        arrivals->until_ns = end_ns;
    return true;
}

static bool resolve_arrivals(struct sim_resolver *resolver, const struct sim_place *stream,
                             const struct sim_stream_draft *draft, struct model_arrivals_config *arrivals) {
    struct sim_place place = {.parent = stream, .key = "arrivals"};
    arrivals->start_unix_ns = resolver->scenario->start_unix_ns;
    if (!resolve_window(resolver, stream, arrivals))
        return false;
    switch (arrivals->kind) {
    case MODEL_BURST:
        resolve_burst(resolver, draft, arrivals);
        break;
    case MODEL_PROFILE:
        if (!resolve_profile(resolver, &place, draft, arrivals))
            return false;
        break;
    case MODEL_TRACE:
        arrivals->trace = sim_resolve_trace(resolver, &place, draft);
        if (arrivals->trace == NULL || !resolve_tenant_of_trace(resolver, &place, draft, arrivals))
            return false;
        break;
    default:
        break;
    }
    /* A population's stream without a rate gets one later. */
    if (arrivals->kind <= MODEL_REGULAR && arrivals->rate_per_s <= 0)
        return true;
    double seconds = (double)resolver->scenario->duration_ns / 1e9;
    if (!sim_resolve_gap(resolver, &place, arrivals))
        return false;
    double jobs = arrivals->kind == MODEL_CLOSED ? 0 : model_arrivals_mean_rate(arrivals, seconds) * seconds;
    return jobs <= JOBS_MAX || sim_layers_fail(resolver->reader.layers, &place,
                                               "expected at most 4e9 jobs in a run, found some %.3g", jobs);
}

/** Tokens of one kind: from the stream, or from the trace's column. */
static bool tokens_given(const struct sim_resolver *resolver, const struct sim_place *stream, const char *key,
                         bool given, const char *column, struct model_distribution *tokens) {
    if (given)
        return true;
    *tokens = model_constant(0);
    return column != NULL || sim_layers_fail(resolver->reader.layers, stream,
                                             "the key \"%s\" is missing: expected a number or a distribution", key);
}

static bool check_parts(const struct sim_resolver *resolver, const struct sim_place *stream,
                        const struct sim_stream_draft *draft) {
    const struct model_stream *parts = &draft->stream;
    bool fixed = draft->has_input && parts->input_tokens.kind == MODEL_CONSTANT &&
                 parts->cached_tokens.kind == MODEL_CONSTANT && parts->cache_write_tokens.kind == MODEL_CONSTANT &&
                 draft->columns.input_tokens == NULL && draft->columns.cached_tokens == NULL;
    double sum = parts->cached_tokens.a + parts->cache_write_tokens.a;
    if (!fixed || sum <= parts->input_tokens.a)
        return true;
    const char *key = parts->cached_tokens.a > 0 ? "cached_tokens" : "cache_write_tokens";
    return sim_layers_fail(resolver->reader.layers, &(struct sim_place){.parent = stream, .key = key},
                           "expected cached_tokens + cache_write_tokens <= input_tokens = %.10g, found %.10g",
                           parts->input_tokens.a, sum);
}

bool sim_resolve_stream(struct sim_resolver *resolver, const struct sim_place *place,
                        const struct sim_stream_draft *draft, struct model_stream *ret) {
    struct model_stream stream = draft->stream;
    bool trace = stream.arrivals.kind == MODEL_TRACE;
    if (!resolve_model(resolver, place, draft, &stream.model) ||
        !tokens_given(resolver, place, "input_tokens", draft->has_input, trace ? draft->columns.input_tokens : NULL,
                      &stream.input_tokens) ||
        !tokens_given(resolver, place, "output_tokens", draft->has_output, trace ? draft->columns.output_tokens : NULL,
                      &stream.output_tokens) ||
        !check_parts(resolver, place, draft))
        return false;
    if (resolver->scenario->endpoint.output_charge == MODEL_CHARGE_RESERVE && stream.max_tokens == 0)
        return sim_layers_fail(resolver->reader.layers, place,
                               "the key \"max_tokens\" is missing: endpoint.output_charge \"reserve\" needs it on "
                               "every stream");
    if (!resolve_arrivals(resolver, place, draft, &stream.arrivals))
        return false;
    *ret = stream;
    return true;
}
