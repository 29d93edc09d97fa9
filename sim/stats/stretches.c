/** Memory of a queue, from the time series of several replications. */
#include "stretches.h"

#include "../memory.h"

#include <math.h>
#include <stdlib.h>

enum { REPLICATIONS_MAX = 200, POINTS_MIN = 20 };
static const double window_factor = 3;

/** Distances from the common course: [replication][point]. */
struct distances {
    double *value;
    size_t replications, points;
};

static double root_at(const struct sim_series_point *point, size_t backlog) {
    return sqrt(backlog == SIM_BACKLOG_ALL ? point->in_system : point->queue[backlog]);
}

/** Points of @p series in [from, until]: *ret_first, and how many. */
static size_t points_in(const struct sim_series *series, double from_s, double until_s, size_t *ret_first) {
    size_t first = 0, end;
    while (first < series->count && series->points[first].time_s < from_s)
        first++;
    for (end = first; end < series->count && series->points[end].time_s <= until_s; end++)
        ;
    *ret_first = first;
    return end - first;
}

static void subtract_course(struct distances *distances) {
    for (size_t i = 0; i < distances->points; i++) {
        double sum = 0;
        for (size_t r = 0; r < distances->replications; r++)
            sum += distances->value[r * distances->points + i];
        for (size_t r = 0; r < distances->replications; r++)
            distances->value[r * distances->points + i] -= sum / (double)distances->replications;
    }
}

/** Sum of products at @p lag over all replications. */
static double covariance(const struct distances *distances, size_t lag) {
    double sum = 0;
    for (size_t r = 0; r < distances->replications; r++) {
        const double *value = distances->value + r * distances->points;
        for (size_t i = 0; i + lag < distances->points; i++)
            sum += value[i] * value[i + lag];
    }
    return sum;
}

/** The integrated autocorrelation time, in points; NAN without variation. */
static double memory_of(const struct distances *distances) {
    double variance = covariance(distances, 0), tau = 1;
    if (!(variance > 0))
        return (double)NAN;
    for (size_t lag = 1; lag < distances->points && (double)lag < window_factor * tau; lag++)
        tau += 2 * covariance(distances, lag) / variance;
    return fmax(1, tau);
}

double sim_stretches(const struct sim_outcome *const *outcomes, size_t count, size_t backlog, double from_s,
                     double until_s) {
    struct distances distances = {.replications = count < REPLICATIONS_MAX ? count : REPLICATIONS_MAX};
    if (count < 2)
        return (double)NAN;
    distances.points = SIZE_MAX;
    for (size_t r = 0; r < distances.replications; r++) {
        size_t first, points = points_in(&outcomes[r]->series, from_s, until_s, &first);
        distances.points = points < distances.points ? points : distances.points;
    }
    if (distances.points < POINTS_MIN)
        return (double)NAN;
    distances.value = sim_alloc(distances.replications * distances.points * sizeof *distances.value);
    for (size_t r = 0; r < distances.replications; r++) {
        size_t first;
        points_in(&outcomes[r]->series, from_s, until_s, &first);
        for (size_t i = 0; i < distances.points; i++)
            distances.value[r * distances.points + i] = root_at(&outcomes[r]->series.points[first + i], backlog);
    }
    subtract_course(&distances);
    double tau = memory_of(&distances);
    free(distances.value);
    return isnan(tau) ? tau : fmax(1, (double)distances.points / tau);
}
