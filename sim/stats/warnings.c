/** Warnings beside the figures. */
#include "warnings.h"

#include "../memory.h"
#include "growth.h"
#include "moments.h"
#include "stretches.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/** Largest coefficient of variation of the replications' p99s. That of 20 values is itself uncertain by a quarter or
 *  more, and least where it matters most, as a p99 that is too low takes its spread with it. So the length of a
 *  replication, which is known better, decides in doubt: as many independent stretches as a p99 needs jobs are long
 *  enough for the intervals (docs/statistics.md has the measurement). */
static const double cv_max = .15;
static const double cv_max_long = .5;
static const double cv_max_short = .1;
static const double stretches_min = 100;
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

/** Independent stretches in a replication: no more than the fewest jobs that any of them has. NAN: cannot be told. */
static double stretches_of(const struct sim_warnings_input *input, size_t class_id) {
    double stretches = sim_stretches(input->outcomes, input->count, class_id, input->warmup_s, input->duration_s);
    for (size_t r = 0; r < input->count && !isnan(stretches); r++)
        stretches = fmin(stretches, (double)sim_sample_jobs(latency_of(input->outcomes[r], class_id), true));
    return stretches;
}

/** Coefficient of variation of the replications' p99s; NAN when one is beyond. */
static double spread_of(const struct sim_warnings_input *input, size_t class_id) {
    double *quantiles = sim_alloc(input->count * sizeof *quantiles);
    bool finite = true;
    for (size_t r = 0; r < input->count; r++) {
        quantiles[r] = NAN;
        sim_sample_quantile(latency_of(input->outcomes[r], class_id), .99, true, &quantiles[r]);
        finite &= !isinf(quantiles[r]);
    }
    struct sim_moments moments = sim_moments_of_mean(quantiles, input->count);
    free(quantiles);
    return finite ? moments.se * sqrt((double)moments.count) / moments.value : (double)NAN;
}

static void warn_of_spread(const struct sim_warnings_input *input, struct list *list) {
    for (size_t class_id = 0; class_id < CLASSES; class_id++) {
        double cv = spread_of(input, class_id), stretches = stretches_of(input, class_id);
        bool is_short = stretches < stretches_min, is_long = stretches >= stretches_min;
        if (!(cv > (is_short ? cv_max_short : is_long ? cv_max_long : cv_max)))
            continue;
        char memory[120] = "";
        if (is_short)
            snprintf(memory, sizeof memory, ", which hold only %.0f independent stretches or jobs each", stretches);
        warn(list,
             "%s.latency.p99 varies by %.0f %% from replication to replication (coefficient of variation)%s: its "
             "interval may miss the truth; lengthen duration_s",
             class_names[class_id], 100 * cv, memory);
    }
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
        jobs += (double)sim_sample_jobs(&input->outcomes[r]->samples[figure->sample], !figure->served);
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

static void warn_of_backlog(const struct sim_warnings_input *input, struct list *list) {
    struct sim_growth growth;
    char where[60] = "on average over the replications";
    if (!sim_backlog_grows(input->outcomes, input->count, input->warmup_s, input->duration_s, &growth))
        return;
    if (growth.replications > 0)
        snprintf(where, sizeof where, "in %zu of %zu replications", growth.replications, input->count);
    warn(list,
         "the backlog grows through the run %s, by %.3g jobs a minute: more arrives than is served, the system is "
         "unstable, and no steady-state p99 exists; what is printed depends on duration_s",
         where, growth.jobs_per_min);
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
