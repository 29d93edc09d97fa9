/** Quantiles and shares of jobs, with their intervals over replications. */
#include "binomial.h"
#include "estimate.h"
#include "moments.h"

#include "../memory.h"

#include <math.h>
#include <stdlib.h>

static const struct sim_estimate null_estimate = {NAN, NAN, NAN, NAN};

/** Does every replication hold enough jobs for a quantile of its own, and that on a finished job? */
static bool sectionable(const struct sim_sample *const *samples, size_t count, double p, bool served) {
    double jobs_min = 1 / (1 - p) * (1 - 1e-12); // .99 is a little less than 99/100
    for (size_t r = 0; r < count; r++) {
        double quantile;
        if ((double)sim_sample_jobs(samples[r], !served) < jobs_min)
            return false;
        if (!sim_sample_quantile(samples[r], p, !served, &quantile) || isinf(quantile))
            return false;
    }
    return true;
}

/** Sectioning: the replications' quantiles spread around the pooled one (Asmussen and Glynn, Stochastic Simulation,
 * 2007, section III.5a). */
static void by_sections(const struct sim_sample *const *samples, size_t count, double p, bool served, double t,
                        const struct sim_sample *pooled, struct sim_estimate *estimate) {
    double squares = 0;
    for (size_t r = 0; r < count; r++) {
        double quantile;
        sim_sample_quantile(samples[r], p, !served, &quantile);
        squares += (quantile - estimate->value) * (quantile - estimate->value);
    }
    double n = (double)count;
    double half = t * sqrt(squares / (n - 1) / n);
    estimate->lo = fmax(0, estimate->value - half);
    estimate->hi = estimate->value + half;
    // With jobs beyond, what lies above the last finished one may be no time at all.
    if (!served && pooled->beyond > 0 && estimate->hi > (double)pooled->max_ns / 1e9)
        estimate->hi = NAN;
}

/** The pooled sample read at @p p, or null where that lies past the last finished job. */
static double bound_at(const struct sim_sample *pooled, double p, bool served) {
    double bound;
    if (p >= 1)
        return NAN;
    return sim_sample_quantile(pooled, fmax(0, p), !served, &bound) && isfinite(bound) ? bound : NAN;
}

static void by_shares(const struct sim_sample *const *samples, size_t count, double p, bool served, double t,
                      const struct sim_sample *pooled, struct sim_estimate *estimate) {
    double *memory = sim_alloc(2 * count * sizeof *memory);
    double *below = memory, *jobs = memory + count;
    for (size_t r = 0; r < count; r++) {
        below[r] = (double)sim_sample_at_or_below(samples[r], estimate->value);
        jobs[r] = (double)sim_sample_jobs(samples[r], !served);
    }
    struct sim_moments share = sim_moments_of_ratio(below, jobs, count);
    free(memory);
    double binomial = sqrt(p * (1 - p) / (double)sim_sample_jobs(pooled, !served));
    double half = t * fmax(share.se, binomial);
    if (isnan(share.se))
        return; // fewer than two replications have such jobs
    estimate->lo = bound_at(pooled, p - half, served);
    estimate->hi = bound_at(pooled, p + half, served);
}

struct sim_estimate sim_estimate_pooled_quantile(const struct sim_sample *pooled,
                                                 const struct sim_sample *const *samples, size_t count, double p,
                                                 bool served, double level) {
    struct sim_estimate estimate = null_estimate;
    double value;
    if (!sim_sample_quantile(pooled, p, !served, &value))
        return estimate;
    if (isinf(value)) {
        estimate.beyond = sim_sample_beyond_s(pooled);
        return estimate;
    }
    estimate.value = value;
    if (count < 2)
        return estimate;
    double t = sim_student_t(level, count);
    if (sectionable(samples, count, p, served))
        by_sections(samples, count, p, served, t, pooled, &estimate);
    else
        by_shares(samples, count, p, served, t, pooled, &estimate);
    return estimate;
}

struct sim_estimate sim_estimate_quantile(const struct sim_sample *const *samples, size_t count, double p, bool served,
                                          double level) {
    struct sim_sample pooled = sim_sample_merge(samples, count);
    struct sim_estimate estimate = sim_estimate_pooled_quantile(&pooled, samples, count, p, served, level);
    sim_sample_finish(&pooled);
    return estimate;
}

struct sim_estimate sim_estimate_exceedance(const uint64_t *over, const uint64_t *jobs, size_t count, double level) {
    struct sim_estimate estimate = null_estimate;
    uint64_t hits = 0, trials = 0;
    double *memory = sim_alloc(2 * count * sizeof *memory);
    double *numerators = memory, *denominators = memory + count;
    for (size_t r = 0; r < count; r++) {
        hits += over[r];
        trials += jobs[r];
        numerators[r] = (double)over[r];
        denominators[r] = (double)jobs[r];
    }
    struct sim_moments share = sim_moments_of_ratio(numerators, denominators, count);
    free(memory);
    estimate.value = share.value;
    if (isnan(share.se))
        return estimate;
    double half = sim_student_t(level, share.count) * share.se;
    double lo, hi;
    sim_clopper_pearson(hits, trials, level, &lo, &hi);
    estimate.lo = fmax(0, fmin(lo, share.value - half));
    estimate.hi = fmin(1, fmax(hi, share.value + half));
    return estimate;
}
