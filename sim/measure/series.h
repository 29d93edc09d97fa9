/** The time series of one replication: a bounded number of points, however long the run. */
#ifndef SIM_SERIES_H
#define SIM_SERIES_H

#include "outcome.h"

/** Step between points for a run of @p duration_ns: a round number of seconds that gives at most 600 points. */
int64_t sim_series_step_ns(int64_t duration_ns);

/** A point being gathered, and those done. */
struct sim_series_recorder {
    struct sim_series series;
    size_t capacity;
    int64_t step_ns;
    struct sim_series_point now; /**< counters since the last point */
};

void sim_series_init(struct sim_series_recorder *recorder, int64_t duration_ns);

/** End the point at @p now_ns: @p state holds the gauges; the counters are the recorder's. */
void sim_series_point(struct sim_series_recorder *recorder, const struct sim_series_point *state, int64_t now_ns);

/** A job that arrived at @p arrived_ns left the system at @p end_ns. */
void sim_series_ended(struct sim_series_recorder *recorder, int64_t arrived_ns, int64_t end_ns);

#endif
