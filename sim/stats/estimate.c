/** Estimates of figures over replications. */
#include "estimate.h"
#include "moments.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const struct sim_estimate null_estimate = {NAN, NAN, NAN, NAN};

static struct sim_estimate symmetric(struct sim_moments moments, double level) {
    double half = sim_student_t(level, moments.count) * moments.se;
    return (struct sim_estimate){moments.value, moments.value - half, moments.value + half, NAN};
}

struct sim_estimate sim_estimate_mean(const double *values, size_t count, double level) {
    return symmetric(sim_moments_of_mean(values, count), level);
}

struct sim_estimate sim_estimate_jain(const double *values, size_t count, double level) {
    struct sim_moments moments = sim_moments_of_mean(values, count);
    struct sim_estimate estimate = {moments.value, NAN, NAN, NAN};
    if (isnan(moments.se))
        return estimate;
    double j = fmin(1, moments.value);
    estimate.value = j;
    if (!(j > 0 && j < 1)) {
        // All 1 (or all 0): nothing varies and ln CV^2 has no value.
        estimate.lo = estimate.hi = j;
        return estimate;
    }
    // CV^2 = 1/J - 1, and d ln CV^2 / dJ = -1 / (J (1 - J)): the error of the mean is carried over there, not the
    // values, as a replication with J = 1 has no logarithm.
    double half = sim_student_t(level, moments.count) * moments.se / (j * (1 - j));
    double log_cv2 = log((1 - j) / j);
    estimate.lo = 1 / (1 + exp(log_cv2 + half));
    estimate.hi = 1 / (1 + exp(log_cv2 - half));
    return estimate;
}

struct sim_estimate sim_estimate_ratio(const double *numerators, const double *denominators, size_t count,
                                       double level) {
    return symmetric(sim_moments_of_ratio(numerators, denominators, count), level);
}

/** Largest of the values that are not NAN. */
static struct sim_estimate largest(const double *values, size_t count) {
    struct sim_estimate estimate = null_estimate;
    for (size_t r = 0; r < count; r++)
        estimate.value = fmax(estimate.value, values[r]); // fmax() prefers numbers to NAN
    return estimate;
}

/** Keep the interval of a share within 0 and 1. A ratio is a share when no replication's part exceeds its whole. */
static struct sim_estimate within_share(struct sim_estimate ratio, const double *parts, const double *wholes,
                                        size_t count) {
    for (size_t r = 0; r < count; r++)
        if (!(parts[r] >= 0 && parts[r] <= wholes[r]))
            return ratio;
    if (!isnan(ratio.lo))
        ratio.lo = fmax(0, ratio.lo);
    if (!isnan(ratio.hi))
        ratio.hi = fmin(1, ratio.hi);
    return ratio;
}

static struct sim_estimate of_scalar(const struct sim_figure *figure, const struct sim_outcome *const *outcomes,
                                     size_t count, double level) {
    double *memory = sim_alloc(2 * count * sizeof *memory);
    double *values = memory, *weights = memory + count;
    for (size_t r = 0; r < count; r++) {
        assert(figure->slot < outcomes[r]->slot_count);
        values[r] = outcomes[r]->value[figure->slot];
        weights[r] = outcomes[r]->weight[figure->slot];
    }
    struct sim_estimate estimate = figure->kind == SIM_FIGURE_RATIO  ? sim_estimate_ratio(values, weights, count, level)
                                   : figure->kind == SIM_FIGURE_JAIN ? sim_estimate_jain(values, count, level)
                                   : figure->kind == SIM_FIGURE_MAX  ? largest(values, count)
                                                                     : sim_estimate_mean(values, count, level);
    if (figure->kind == SIM_FIGURE_RATIO)
        estimate = within_share(estimate, values, weights, count);
    free(memory);
    return estimate;
}

static struct sim_estimate sample_mean(const struct sim_sample *const *samples, size_t count, bool served,
                                       double level) {
    double *memory = sim_alloc(2 * count * sizeof *memory);
    double *sums = memory, *jobs = memory + count;
    double least_sum = 0, all_jobs = 0;
    bool beyond = false;
    for (size_t r = 0; r < count; r++) {
        double lost = (double)samples[r]->beyond;
        sums[r] = samples[r]->sum_s;
        jobs[r] = (double)samples[r]->count;
        beyond |= lost > 0;
        least_sum += sums[r] + (lost > 0 ? lost * ((double)samples[r]->beyond_min_ns / 1e9) : 0);
        all_jobs += jobs[r] + lost;
    }
    struct sim_estimate estimate = null_estimate;
    if (beyond && !served)
        estimate.beyond = least_sum / all_jobs;
    else
        estimate = sim_estimate_ratio(sums, jobs, count, level);
    free(memory);
    return estimate;
}

static struct sim_estimate sample_max(const struct sim_sample *const *samples, size_t count, bool served) {
    struct sim_estimate estimate = null_estimate;
    for (size_t r = 0; r < count; r++) {
        if (samples[r]->beyond > 0 && !served)
            estimate.beyond = fmax(estimate.beyond, sim_sample_beyond_s(samples[r]));
        if (samples[r]->count > 0)
            estimate.value = fmax(estimate.value, (double)samples[r]->max_ns / 1e9);
    }
    if (!isnan(estimate.beyond)) {
        estimate.beyond = fmax(estimate.beyond, estimate.value);
        estimate.value = NAN;
    }
    return estimate;
}

static void samples_of(const struct sim_figure *figure, const struct sim_outcome *const *outcomes, size_t count,
                       const struct sim_sample **ret) {
    for (size_t r = 0; r < count; r++) {
        assert(figure->sample < outcomes[r]->sample_count);
        ret[r] = &outcomes[r]->samples[figure->sample];
    }
}

struct sim_estimate sim_estimate_figure(const struct sim_figure *figure, const struct sim_outcome *const *outcomes,
                                        size_t count, double level) {
    if (figure->kind < SIM_FIGURE_SAMPLE_MEAN)
        return of_scalar(figure, outcomes, count, level);
    const struct sim_sample **samples = sim_alloc(count * sizeof *samples);
    samples_of(figure, outcomes, count, samples);
    struct sim_estimate estimate =
        figure->kind == SIM_FIGURE_QUANTILE ? sim_estimate_quantile(samples, count, figure->p, figure->served, level)
        : figure->kind == SIM_FIGURE_SAMPLE_MEAN ? sample_mean(samples, count, figure->served, level)
                                                 : sample_max(samples, count, figure->served);
    free(samples);
    return estimate;
}

void sim_estimate_figures(const struct sim_figures *figures, const struct sim_outcome *const *outcomes, size_t count,
                          double level, struct sim_estimate *ret) {
    const struct sim_sample **samples = sim_alloc(count * sizeof *samples);
    struct sim_sample pooled = sim_sample_merge(NULL, 0);
    size_t pooled_sample = SIZE_MAX;
    for (size_t i = 0; i < figures->count; i++) {
        const struct sim_figure *figure = &figures->rows[i];
        if (figure->kind != SIM_FIGURE_QUANTILE) {
            ret[i] = sim_estimate_figure(figure, outcomes, count, level);
            continue;
        }
        if (figure->sample != pooled_sample) {
            samples_of(figure, outcomes, count, samples);
            sim_sample_finish(&pooled);
            pooled = sim_sample_merge(samples, count);
            pooled_sample = figure->sample;
        }
        ret[i] = sim_estimate_pooled_quantile(&pooled, samples, count, figure->p, figure->served, level);
    }
    sim_sample_finish(&pooled);
    free(samples);
}
