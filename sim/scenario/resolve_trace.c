/* Traces: loaded once for each file and set of columns. */
#include "resolve.h"

#include <string.h>

static bool same_name(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_columns(const struct model_trace_columns *a, const struct model_trace_columns *b) {
    return same_name(a->time, b->time) && same_name(a->tenant, b->tenant) &&
           same_name(a->input_tokens, b->input_tokens) && same_name(a->output_tokens, b->output_tokens) &&
           same_name(a->cached_tokens, b->cached_tokens);
}

static bool check_manifest(const struct sim_resolver *resolver, const struct sim_place *place, const char *file,
                           const char *sha256) {
    const struct sim_layers *layers = resolver->reader.layers;
    for (size_t i = 0; i < layers->trace_count; i++) {
        const struct sim_manifest_trace *trace = &layers->traces[i];
        if (strcmp(trace->file, file) == 0 && strcmp(trace->sha256, sha256) != 0)
            return sim_layers_fail(layers, place, "%s has changed: expected SHA-256 %.64s as in the manifest, found %s",
                                   file, trace->sha256, sha256);
    }
    return true;
}

static void record(struct sim_resolver *resolver, const char *file, const struct model_trace *trace) {
    struct sim_scenario *scenario = resolver->scenario;
    for (size_t i = 0; i < scenario->trace_count; i++)
        if (strcmp(scenario->traces[i].path, file) == 0)
            return;
    void *grown = sim_memory_take(resolver->reader.memory, scenario->trace_count + 1, sizeof *scenario->traces);
    if (scenario->trace_count > 0)
        memcpy(grown, scenario->traces, scenario->trace_count * sizeof *scenario->traces);
    scenario->traces = grown;
    scenario->traces[scenario->trace_count].path = sim_memory_text(resolver->reader.memory, file, strlen(file));
    memcpy(scenario->traces[scenario->trace_count].sha256, trace->sha256, sizeof trace->sha256);
    scenario->trace_count++;
}

const struct model_trace *sim_resolve_trace(struct sim_resolver *resolver, const struct sim_place *arrivals,
                                            const struct sim_stream_draft *draft) {
    struct sim_place kind = {.parent = arrivals, .key = "trace"}, place = {.parent = &kind, .key = "file"};
    char path[256];
    if (draft->file == NULL) {
        sim_layers_fail(resolver->reader.layers, &kind,
                        "the key \"file\" is missing: name a CSV file, for example with "
                        "--set %s=FILE.csv",
                        sim_place_text(&place, path, sizeof path));
        return NULL;
    }
    for (const struct sim_loaded_trace *known = resolver->traces; known != NULL; known = known->next)
        if (strcmp(known->file, draft->file) == 0 && same_columns(&known->columns, &draft->columns))
            return known->trace;
    struct model_trace_error error = {0};
    struct model_trace *trace = model_trace_create(draft->file, &draft->columns, &error);
    if (trace == NULL && error.line > 0)
        sim_layers_fail(resolver->reader.layers, &place, "%.150s:%zu: %s", draft->file, error.line, error.message);
    else if (trace == NULL)
        sim_layers_fail(resolver->reader.layers, &place, "%.150s: %s", draft->file, error.message);
    if (trace == NULL)
        return NULL;
    sim_memory_own_trace(resolver->reader.memory, trace);
    if (!check_manifest(resolver, &place, draft->file, trace->sha256))
        return NULL;
    record(resolver, draft->file, trace);
    struct sim_loaded_trace *loaded = sim_memory_take(resolver->reader.scratch, 1, sizeof *loaded);
    *loaded = (struct sim_loaded_trace){
        .next = resolver->traces, .file = draft->file, .columns = draft->columns, .trace = trace};
    resolver->traces = loaded;
    return trace;
}
