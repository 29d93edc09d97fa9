#include "series.h"

#include "../memory.h"

#include <string.h>

enum { POINTS_MAX = 600 };

int64_t sim_series_step_ns(int64_t duration_ns) {
    static const double round_s[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600};
    int64_t step_ns = 0;

    for (size_t i = 0; i < sizeof round_s / sizeof round_s[0]; i++) {
        step_ns = (int64_t)(round_s[i] * 1e9);
        if (duration_ns / step_ns <= POINTS_MAX)
            return step_ns;
    }
    while (duration_ns / step_ns > POINTS_MAX)
        step_ns *= 2;
    return step_ns;
}

void sim_series_init(struct sim_series_recorder *recorder, int64_t duration_ns) {
    int64_t step_ns = sim_series_step_ns(duration_ns);

    *recorder = (struct sim_series_recorder){.capacity = (size_t)(duration_ns / step_ns), .step_ns = step_ns};
    recorder->series.points = sim_calloc(recorder->capacity, sizeof recorder->series.points[0]);
    recorder->series.sojourns = sim_calloc(recorder->capacity, sizeof recorder->series.sojourns[0]);
}

void sim_series_point(struct sim_series_recorder *recorder, const struct sim_series_point *state, int64_t now_ns) {
    struct sim_series_point *point;

    if (recorder->series.count == recorder->capacity)
        return;
    point = &recorder->series.points[recorder->series.count++];
    *point = recorder->now;
    point->time_s = (double)now_ns / 1e9;
    memcpy(point->queue, state->queue, sizeof point->queue);
    memcpy(point->level, state->level, sizeof point->level);
    point->in_system = state->in_system;
    point->busy = state->busy;
    point->backoff = state->backoff;
    point->demoted = state->demoted;
    recorder->now = (struct sim_series_point){0};
}

void sim_series_ended(struct sim_series_recorder *recorder, int64_t arrived_ns, int64_t end_ns) {
    size_t step = (size_t)(arrived_ns / recorder->step_ns);

    if (step >= recorder->capacity)
        return;
    recorder->series.sojourns[step].sum_s += (double)(end_ns - arrived_ns) / 1e9;
    recorder->series.sojourns[step].jobs++;
}
