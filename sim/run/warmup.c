#include "warmup.h"

#include "../../models/streams.h"
#include "../measure/series.h"
#include "../memory.h"
#include "../stats/mser.h"
#include "replications.h"

#include <math.h>
#include <stdlib.h>

/** Steps on each side that the moving average takes in, as a share of all: a twentieth of the run in all, well below the
 *  half that Welch allows. */
enum { STEPS_PER_SIDE = 40 };

/** Means over the pilots, step by step. */
static void average(struct sim_outcome *const *pilots, struct sim_warmup *warmup) {
    for (size_t i = 0; i < warmup->count; i++) {
        struct sim_welch_point *point = &warmup->points[i];
        struct sim_sojourns sojourns = {0};

        for (size_t r = 0; r < SIM_PILOTS; r++) {
            const struct sim_series *series = &pilots[r]->series;

            /* A pilot that ended before this step is empty by then. */
            if (i < series->count)
                point->backlog += series->points[i].in_system / SIM_PILOTS;
            sojourns.sum_s += series->sojourns[i].sum_s;
            sojourns.jobs += series->sojourns[i].jobs;
        }
        point->sojourn_s = sojourns.jobs > 0 ? sojourns.sum_s / sojourns.jobs : (double)NAN;
    }
}

/** One of a point's series. */
typedef double *(*series_of)(struct sim_welch_point *point);

static double *backlog_of(struct sim_welch_point *point) {
    return &point->backlog;
}

static double *sojourn_of(struct sim_welch_point *point) {
    return &point->sojourn_s;
}

/** Welch's moving average: over as many steps on each side, fewer near the ends. P. Welch, "The statistical analysis of
 *  simulation results", in: Computer Performance Modeling Handbook, 1983. */
static double moving_average(const struct sim_warmup *warmup, size_t at, series_of series) {
    size_t side = warmup->count / STEPS_PER_SIDE, last = warmup->count - 1 - at;
    double sum = 0, values = 0;

    side = side < at ? side : at;
    side = side < last ? side : last;
    for (size_t i = at - side; i <= at + side; i++) {
        double value = *series(&warmup->points[i]);

        if (!isnan(value)) {
            sum += value;
            values++;
        }
    }
    return values > 0 ? sum / values : (double)NAN;
}

/** The end of the transient of one series. A step without a value repeats the one before it. */
static int64_t end_of_transient(const struct sim_warmup *warmup, int64_t step_ns, series_of series) {
    double *values = sim_alloc(warmup->count * sizeof *values);
    double last = 0;
    size_t dropped;

    for (size_t i = warmup->count; i-- > 0;)
        last = isnan(*series(&warmup->points[i])) ? last : *series(&warmup->points[i]);
    for (size_t i = 0; i < warmup->count; i++) {
        last = isnan(*series(&warmup->points[i])) ? last : *series(&warmup->points[i]);
        values[i] = last;
    }
    dropped = sim_mser(values, warmup->count);
    free(values);
    return (int64_t)dropped * step_ns;
}

static bool choose(const struct sim_scenario *scenario, struct sim_outcome *const *pilots, struct sim_warmup *warmup,
                   struct sim_located_error *error) {
    int64_t step_ns = sim_series_step_ns(scenario->duration_ns);

    warmup->count = (size_t)(scenario->duration_ns / step_ns);
    if (warmup->count < SIM_MSER_VALUES_MIN) {
        sim_error_set(error, scenario->name, 0, "warmup_s",
                      "\"auto\" needs a run of at least 10 s, and this one lasts %.10g s: lengthen duration_s, or give "
                      "the warm-up as a number",
                      (double)scenario->duration_ns / 1e9);
        return false;
    }
    warmup->points = sim_calloc(warmup->count, sizeof warmup->points[0]);
    for (size_t i = 0; i < warmup->count; i++)
        warmup->points[i].time_s = (double)(step_ns * (int64_t)(i + 1)) / 1e9;
    average(pilots, warmup);
    for (size_t i = 0; i < warmup->count; i++) {
        warmup->points[i].backlog_ma = moving_average(warmup, i, backlog_of);
        warmup->points[i].sojourn_ma_s = moving_average(warmup, i, sojourn_of);
    }
    warmup->backlog_ns = end_of_transient(warmup, step_ns, backlog_of);
    warmup->sojourn_ns = end_of_transient(warmup, step_ns, sojourn_of);
    warmup->chosen_ns = warmup->backlog_ns > warmup->sojourn_ns ? warmup->backlog_ns : warmup->sojourn_ns;
    if (warmup->chosen_ns > scenario->duration_ns / 2) {
        sim_error_set(
            error, scenario->name, 0, "warmup_s",
            "\"auto\" finds no steady state: %s settles only after %.10g s, in the second half of the %.10g s "
            "that the run lasts; lengthen duration_s, lower the load, or give the warm-up as a number (0 for "
            "a run that begins and ends empty)",
            warmup->backlog_ns >= warmup->sojourn_ns ? "the backlog" : "the time in the system",
            (double)warmup->chosen_ns / 1e9, (double)scenario->duration_ns / 1e9);
        return false;
    }
    return true;
}

bool sim_warmup_choose(const struct sim_scenario *scenario, const struct sim_run_options *options,
                       struct sim_warmup *ret, struct sim_located_error *error) {
    struct sim_scenario pilot = *scenario;
    struct sim_run_options pilot_options = *options;
    struct sim_outcome *outcomes[SIM_PILOTS];
    struct sim_warmup warmup = {0};
    bool good;

    pilot.warmup_ns = 0;
    pilot_options.job_rows = NULL;
    if (!sim_replications_run(&pilot, NULL, 0, MODEL_REPLICATIONS_MAX - SIM_PILOTS + 1, MODEL_REPLICATIONS_MAX,
                              &pilot_options, outcomes, error))
        return false;
    good = choose(scenario, outcomes, &warmup, error);
    for (size_t i = 0; i < SIM_PILOTS; i++)
        sim_outcome_destroy(outcomes[i]);
    if (good)
        *ret = warmup;
    else
        sim_warmup_finish(&warmup);
    return good;
}

void sim_warmup_finish(struct sim_warmup *warmup) {
    free(warmup->points);
    *warmup = (struct sim_warmup){0};
}
