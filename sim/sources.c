#include "sources.h"

#include "memory.h"

#include <stdlib.h>

/** One stream's arrivals: the one that is pending, or, of a closed stream, its counters. */
struct sim_source {
    struct model_arrivals arrivals;
    struct model_arrival pending;
    uint32_t jobs;   /* closed: jobs so far */
    uint32_t thinks; /* closed: thinks so far */
};

static const struct model_arrivals_config *config_of(const struct sim_sources *sources, uint32_t stream) {
    return &sources->workload->streams[stream].arrivals;
}

static void think(struct sim_sources *sources, uint32_t stream, int64_t from_ns, int64_t now_ns) {
    const struct model_arrivals_config *config = config_of(sources, stream);
    int64_t at_ns = from_ns + model_think_ns(config, sources->streams, stream, sources->items[stream].thinks++);

    if (at_ns < now_ns)
        at_ns = now_ns;
    if (at_ns < config->until_ns && at_ns < sources->end_ns)
        sim_event_queue_push(sources->events, at_ns, SIM_ARRIVAL, stream);
}

void sim_sources_init(struct sim_sources *sources, const struct model_workload *workload,
                      const struct model_streams *streams, struct sim_event_queue *events, int64_t end_ns) {
    *sources = (struct sim_sources){
        .workload = workload,
        .streams = streams,
        .events = events,
        .end_ns = end_ns,
        .items = sim_calloc(workload->stream_count, sizeof sources->items[0]),
    };
    for (uint32_t s = 0; s < workload->stream_count; s++) {
        const struct model_arrivals_config *config = config_of(sources, s);

        if (config->kind == MODEL_CLOSED) {
            for (int64_t i = 0; i < config->population; i++)
                think(sources, s, config->from_ns, 0);
            continue;
        }
        model_arrivals_init(&sources->items[s].arrivals, config, streams, s);
        sim_sources_next(sources, s);
    }
}

void sim_sources_finish(struct sim_sources *sources) {
    free(sources->items);
    *sources = (struct sim_sources){0};
}

struct model_arrival sim_sources_take(struct sim_sources *sources, uint32_t stream) {
    struct sim_source *source = &sources->items[stream];

    if (config_of(sources, stream)->kind == MODEL_CLOSED)
        return (struct model_arrival){.job = source->jobs++};
    return source->pending;
}

void sim_sources_next(struct sim_sources *sources, uint32_t stream) {
    struct sim_source *source = &sources->items[stream];

    if (config_of(sources, stream)->kind != MODEL_CLOSED && model_arrivals_next(&source->arrivals, &source->pending) &&
        source->pending.time_ns < sources->end_ns)
        sim_event_queue_push(sources->events, source->pending.time_ns, SIM_ARRIVAL, stream);
}

void sim_sources_ended(struct sim_sources *sources, uint32_t stream, int64_t end_ns, int64_t now_ns) {
    if (config_of(sources, stream)->kind == MODEL_CLOSED)
        think(sources, stream, end_ns, now_ns);
}
