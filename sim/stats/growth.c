/** Growth of the backlog, by lines and by halves. */
#include "growth.h"

#include "../memory.h"
#include "moments.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS_MIN = 10 };
static const double jobs_min = 5;    /**< least rise, jobs */
static const double share_min = .25; /**< least rise, of the mean */

struct span {
    double from_s, until_s;
};

/** Least-squares line through the queue's length over [warmup, duration]. */
struct trend {
    double growth;    /**< along the line over the points, jobs */
    double mean;      /**< jobs */
    double r_squared; /**< share of the variance that the line explains */
    double span_s;
};

static bool in_span(const struct span *span, const struct sim_series_point *point) {
    return point->time_s >= span->from_s && point->time_s <= span->until_s;
}

static double queued(const struct sim_series_point *point) {
    return point->queue[0] + point->queue[1] + point->queue[2];
}

/** @return false with fewer than POINTS_MIN points or no change at all. */
static bool trend_of(const struct sim_series *series, const struct span *span, struct trend *ret) {
    double n = 0, sum_t = 0, sum_q = 0, first = NAN, last = NAN;
    for (size_t i = 0; i < series->count; i++) {
        const struct sim_series_point *point = &series->points[i];
        if (!in_span(span, point))
            continue;
        n++;
        sum_t += point->time_s;
        sum_q += queued(point);
        first = isnan(first) ? point->time_s : first;
        last = point->time_s;
    }
    if (n < POINTS_MIN)
        return false;
    double tt = 0, tq = 0, qq = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct sim_series_point *point = &series->points[i];
        if (!in_span(span, point))
            continue;
        double t = point->time_s - sum_t / n, q = queued(point) - sum_q / n;
        tt += t * t;
        tq += t * q;
        qq += q * q;
    }
    if (!(tt > 0 && qq > 0))
        return false;
    *ret = (struct trend){.growth = tq / tt * (last - first),
                          .mean = sum_q / n,
                          .r_squared = tq * tq / (tt * qq),
                          .span_s = last - first};
    return true;
}

/** One that grows for good follows its line, and by much. A single replication must be plainer. */
static bool follows_its_line(const struct trend *trend, size_t replications) {
    return trend->growth >= jobs_min && trend->growth >= share_min * trend->mean &&
           trend->r_squared >= (replications > 1 ? .5 : .8);
}

static bool grow_one_by_one(const struct sim_outcome *const *outcomes, size_t count, const struct span *span,
                            struct sim_growth *ret) {
    struct sim_growth growth = {0};
    for (size_t r = 0; r < count; r++) {
        struct trend trend;
        if (!trend_of(&outcomes[r]->series, span, &trend) || !follows_its_line(&trend, count))
            continue;
        growth.replications++;
        growth.jobs_per_min += trend.growth / trend.span_s * 60;
    }
    if (growth.replications == 0 || 4 * growth.replications < 3 * count)
        return false;
    growth.jobs_per_min /= (double)growth.replications;
    *ret = growth;
    return true;
}

/** Mean length of the queue in a tenth of the span that begins at @p share of it; NAN without a point there. */
static double tenth_at(const struct sim_series *series, const struct span *span, double share) {
    double length_s = span->until_s - span->from_s, sum = 0, points = 0;
    struct span tenth = {span->from_s + share * length_s, span->from_s + (share + .1) * length_s};
    for (size_t i = 0; i < series->count; i++)
        if (in_span(&tenth, &series->points[i])) {
            sum += queued(&series->points[i]);
            points++;
        }
    return points > 0 ? sum / points : (double)NAN;
}

/** From the first tenth to the middle one, and from there to the last. */
enum { FIRST_HALF, SECOND_HALF, HALVES };

static bool grow_together(const struct sim_outcome *const *outcomes, size_t count, const struct span *span,
                          struct sim_growth *ret) {
    const double errors_min = 4, ratio_min = .6, apart = .9;
    double *memory = sim_alloc(3 * count * sizeof *memory);
    double *rises[HALVES] = {memory, memory + count}, *starts = memory + 2 * count;
    for (size_t r = 0; r < count; r++) {
        const struct sim_series *series = &outcomes[r]->series;
        double middle = tenth_at(series, span, .45);
        starts[r] = tenth_at(series, span, 0);
        rises[FIRST_HALF][r] = middle - starts[r];
        rises[SECOND_HALF][r] = tenth_at(series, span, .9) - middle;
    }
    struct sim_moments start = sim_moments_of_mean(starts, count),
                       first = sim_moments_of_mean(rises[FIRST_HALF], count),
                       second = sim_moments_of_mean(rises[SECOND_HALF], count);
    free(memory);
    double rise = first.value + second.value, mean = start.value + rise / 2;
    // Written so that NAN, which is what one replication has for an error, says no.
    if (!(rise >= jobs_min && rise >= share_min * mean && second.value > errors_min * second.se &&
          second.value >= ratio_min * first.value))
        return false;
    *ret = (struct sim_growth){.jobs_per_min = rise / (apart * (span->until_s - span->from_s)) * 60};
    return true;
}

bool sim_backlog_grows(const struct sim_outcome *const *outcomes, size_t count, double from_s, double until_s,
                       struct sim_growth *ret) {
    struct span span = {from_s, until_s};
    return grow_one_by_one(outcomes, count, &span, ret) || grow_together(outcomes, count, &span, ret);
}
