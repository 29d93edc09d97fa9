/** Where jobs come from: the arrival events of every stream. Open streams arrive by themselves; the users of a closed
 *  one think, send, and think again when their job has ended. */
#ifndef SIM_SOURCES_H
#define SIM_SOURCES_H

#include "../models/arrivals.h"
#include "../models/streams.h"
#include "../models/workload.h"
#include "event_queue.h"

struct sim_source;

struct sim_sources {
    const struct model_workload *workload;
    const struct model_streams *streams;
    struct sim_event_queue *events;
    int64_t end_ns; /**< no arrival at or after it */
    struct sim_source *items;
};

/** Schedule every stream's first arrivals. Borrows all; arrivals are events SIM_ARRIVAL of the stream's index. */
void sim_sources_init(struct sim_sources *sources, const struct model_workload *workload,
                      const struct model_streams *streams, struct sim_event_queue *events, int64_t end_ns);
void sim_sources_finish(struct sim_sources *sources);

/** The arrival whose event @p stream is due, at its time: its number in the stream and, of a trace, its row. Call
 *  sim_sources_next() afterwards. */
struct model_arrival sim_sources_take(struct sim_sources *sources, uint32_t stream);

/** Schedule the arrival after the one taken. */
void sim_sources_next(struct sim_sources *sources, uint32_t stream);

/** A job of @p stream left the system at @p end_ns, which is noticed at @p now_ns: a user of a closed stream thinks from
 *  then on, and sends at once if the thinking is over by now. */
void sim_sources_ended(struct sim_sources *sources, uint32_t stream, int64_t end_ns, int64_t now_ns);

#endif
