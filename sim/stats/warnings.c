/** Warnings beside the figures. */
#include "warnings.h"

#include "../memory.h"
#include "moments.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const double cv_max = .15;
static const double failed_share_near = .005; /**< half the 1 % at which p99 falls among the failed */
static const double failed_share_over = .01;

static const char *const class_names[] = {"critical", "standard", "batch", "all"};
enum { CLASSES = 4 };

struct list {
    char **items;
    size_t count;
};

__attribute__((format(printf, 2, 3))) static void warn(struct list *list, const char *format, ...) {
    va_list arguments;
    char *text;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        sim_out_of_memory();
    list->items = sim_realloc(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = text;
}

static void warn_of_invariants(const struct sim_warnings_input *input, struct list *list) {
    struct sim_invariants sum = {0};
    for (size_t r = 0; r < input->count; r++) {
        const struct sim_invariants *found = &input->outcomes[r]->invariants;
        sum.conservation += found->conservation;
        sum.time_in_system += found->time_in_system;
        sum.work_conservation += found->work_conservation;
        sum.bucket += found->bucket;
        sum.clock += found->clock;
    }
    const struct {
        uint64_t count;
        const char *what;
    } rows[] = {
        {sum.conservation, "arrivals are not completed + failed + abandoned + censored"},
        {sum.time_in_system, "the integral of jobs in the system is not the sum of their times in it"},
        {sum.work_conservation, "a worker stood idle beside a job that it could have taken"},
        {sum.bucket, "more was admitted in some window than burst + rate x time"},
        {sum.clock, "time went back"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count > 0)
            warn(list,
                 "invariant violated %" PRIu64 " times: %s; do not use these results, this is a fault of the program",
                 rows[i].count, rows[i].what);
}

/** A replication alone says nothing about the spread between replications. */
static void warn_of_one_replication(const struct sim_warnings_input *input, struct list *list) {
    if (input->count == 1)
        warn(list, "one replication: no figure has an interval and every SLO is inconclusive; 20 replications or more "
                   "are usual");
}

static const struct sim_sample *latency_of(const struct sim_outcome *outcome, size_t class_id) {
    return &outcome->samples[2 * class_id + SIM_LATENCY];
}

static void warn_of_spread(const struct sim_warnings_input *input, struct list *list) {
    double *quantiles = sim_alloc(input->count * sizeof *quantiles);
    for (size_t class_id = 0; class_id < CLASSES; class_id++) {
        bool finite = true;
        for (size_t r = 0; r < input->count; r++) {
            quantiles[r] = NAN;
            sim_sample_quantile(latency_of(input->outcomes[r], class_id), .99, true, &quantiles[r]);
            finite &= !isinf(quantiles[r]);
        }
        struct sim_moments moments = sim_moments_of_mean(quantiles, input->count);
        double cv = moments.se * sqrt((double)moments.count) / moments.value;
        if (finite && cv > cv_max)
            warn(list,
                 "%s.latency.p99 varies by %.0f %% from replication to replication (coefficient of variation): "
                 "replications this short do not tell it reliably; lengthen duration_s",
                 class_names[class_id], 100 * cv);
    }
    free(quantiles);
}

double sim_jobs_for_quantile(double p, double level) {
    return ceil(log((1 - level) / 2) / log(p));
}

/** @p figure is asked for by @p text; with none of its jobs over the limit it takes enough of them to tell at
 *  confidence @p level. */
static void warn_of_few_jobs_for(const struct sim_warnings_input *input, const struct sim_figure *figure,
                                 const char *text, double level, struct list *list) {
    if (figure->kind != SIM_FIGURE_QUANTILE)
        return;
    double jobs = 0;
    for (size_t r = 0; r < input->count; r++) {
        const struct sim_sample *sample = &input->outcomes[r]->samples[figure->sample];
        jobs += (double)sample->count + (figure->served ? 0 : (double)sample->beyond);
    }
    double jobs_min = sim_jobs_for_quantile(figure->p, level);
    if (jobs == 0)
        warn(list, "%s: the run has no such job", text);
    else if (jobs < jobs_min)
        warn(list,
             "%s: %.0f jobs in all replications are too few; even if none were over the limit, it takes %.0f to pass",
             text, jobs, jobs_min);
}

static void warn_of_few_jobs(const struct sim_warnings_input *input, struct list *list) {
    for (size_t i = 0; i < input->slo_count; i++)
        warn_of_few_jobs_for(input, input->slos[i].figure, input->slos[i].text, 1 - .05 / (double)input->slo_count,
                             list);
    if (input->precision != NULL)
        warn_of_few_jobs_for(input, input->precision, input->precision->name, .95, list);
}

static void warn_of_failures(const struct sim_warnings_input *input, struct list *list) {
    for (size_t class_id = 0; class_id < CLASSES; class_id++) {
        double beyond = 0, jobs = 0;
        for (size_t r = 0; r < input->count; r++) {
            const struct sim_sample *sample = latency_of(input->outcomes[r], class_id);
            beyond += (double)sample->beyond;
            jobs += (double)(sample->count + sample->beyond);
        }
        double share = jobs > 0 ? beyond / jobs : 0;
        if (share > failed_share_over)
            warn(list,
                 "%.3g %% of jobs (%s) did not complete, so %s.latency.p99 lies among them and has no value; "
                 "served.%s.latency.p99 is that of the others",
                 100 * share, class_names[class_id], class_names[class_id], class_names[class_id]);
        else if (share >= failed_share_near)
            warn(list,
                 "%.3g %% of jobs (%s) did not complete: near 1 %% that share, more than the speed of the others, "
                 "decides %s.latency.p99",
                 100 * share, class_names[class_id], class_names[class_id]);
    }
}

/** Least-squares line through the queue's length over [warmup, duration]. */
struct trend {
    double growth;    /**< along the line over the points, jobs */
    double mean;      /**< jobs */
    double r_squared; /**< share of the variance that the line explains */
    double span_s;
};

static bool in_span(const struct sim_warnings_input *input, const struct sim_series_point *point) {
    return point->time_s >= input->warmup_s && point->time_s <= input->duration_s;
}

static double queued(const struct sim_series_point *point) {
    return point->queue[0] + point->queue[1] + point->queue[2];
}

/** @return false with fewer than @p points_min points or no change at all. */
static bool trend_of(const struct sim_warnings_input *input, const struct sim_series *series, size_t points_min,
                     struct trend *ret) {
    double n = 0, sum_t = 0, sum_q = 0, first = NAN, last = NAN;
    for (size_t i = 0; i < series->count; i++) {
        const struct sim_series_point *point = &series->points[i];
        if (!in_span(input, point))
            continue;
        n++;
        sum_t += point->time_s;
        sum_q += queued(point);
        first = isnan(first) ? point->time_s : first;
        last = point->time_s;
    }
    if (n < (double)points_min)
        return false;
    double tt = 0, tq = 0, qq = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct sim_series_point *point = &series->points[i];
        if (!in_span(input, point))
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

/** A stable queue wanders; one that grows for good follows its line, and by much. A single replication must be plainer.
 */
static bool grows(const struct trend *trend, size_t replications) {
    const double jobs_min = 5, share_min = .25;
    return trend->growth >= jobs_min && trend->growth >= share_min * trend->mean &&
           trend->r_squared >= (replications > 1 ? .5 : .8);
}

static void warn_of_backlog(const struct sim_warnings_input *input, struct list *list) {
    enum { POINTS_MIN = 10 };
    size_t growing = 0;
    double jobs_per_min = 0;
    for (size_t r = 0; r < input->count; r++) {
        struct trend trend;
        if (!trend_of(input, &input->outcomes[r]->series, POINTS_MIN, &trend) || !grows(&trend, input->count))
            continue;
        growing++;
        jobs_per_min += trend.growth / trend.span_s * 60;
    }
    if (growing == 0 || 4 * growing < 3 * input->count)
        return;
    warn(list,
         "the backlog grows through the run in %zu of %zu replications, by %.3g jobs a minute: more arrives than is "
         "served, the system is unstable, and no steady-state p99 exists; what is printed depends on duration_s",
         growing, input->count, jobs_per_min / (double)growing);
}

void sim_warnings_collect(const struct sim_warnings_input *input, char ***ret, size_t *ret_count) {
    struct list list = {0};
    warn_of_invariants(input, &list);
    warn_of_one_replication(input, &list);
    warn_of_backlog(input, &list);
    warn_of_failures(input, &list);
    warn_of_few_jobs(input, &list);
    warn_of_spread(input, &list);
    *ret = list.items;
    *ret_count = list.count;
}

void sim_warnings_free(char **warnings, size_t count) {
    if (warnings == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        free(warnings[i]);
    free(warnings);
}
