/** Do 95 % intervals hold the truth about 95 % of the time? Simulated with independent exponential times, fixed seed.
 */
#include "../../sim/memory.h"
#include "../../sim/stats/estimate.h"

#include <criterion/criterion.h>
#include <math.h>

enum { REPETITIONS = 400, REPLICATIONS = 20 };

static double uniform(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 11) + .5) / 9007199254740992.;
}

/** Exponential times of mean 1 s; @p spread > 0 makes the replication's mean vary, so that jobs of one are alike. */
static struct sim_sample draw(uint64_t *state, int jobs, double spread) {
    struct sim_histogram histogram = {0};
    double mean = 1 + spread * (uniform(state) - .5);
    for (int i = 0; i < jobs; i++)
        sim_histogram_record(&histogram, llround(-log(uniform(state)) * mean * 1e9));
    struct sim_sample sample = sim_sample_from(&histogram);
    sim_histogram_finish(&histogram);
    return sample;
}

/** How often the interval of quantile @p p holds @p truth. A null upper end is open: it holds everything above. */
static double coverage(int jobs, double p, double truth) {
    uint64_t state = 17453090;
    int held = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        struct sim_sample samples[REPLICATIONS];
        const struct sim_sample *list[REPLICATIONS];
        for (int r = 0; r < REPLICATIONS; r++) {
            samples[r] = draw(&state, jobs, 0);
            list[r] = &samples[r];
        }
        struct sim_estimate estimate = sim_estimate_quantile(list, REPLICATIONS, p, false, .95);
        held += estimate.lo <= truth && (isnan(estimate.hi) || estimate.hi >= truth);
        for (int r = 0; r < REPLICATIONS; r++)
            sim_sample_finish(&samples[r]);
    }
    return (double)held / REPETITIONS;
}

Test(stats_coverage, p99_by_sectioning) {
    double share = coverage(400, .99, 4.605170);
    cr_assert(share >= .9 && share <= .99, "%g", share);
}

Test(stats_coverage, p99_of_few_jobs_by_shares) {
    double few = coverage(5, .99, 4.605170), more = coverage(20, .99, 4.605170);
    cr_assert(few >= .93, "5 jobs a replication: %g", few);
    cr_assert(more >= .93, "20 jobs a replication: %g", more);
}

Test(stats_coverage, p50) {
    double share = coverage(50, .5, .693147);
    cr_assert(share >= .9 && share <= .99, "%g", share);
}

Test(stats_coverage, exceedance_of_replications_that_differ) {
    // P(T > 3) over means uniform in [.5, 1.5], by Simpson's rule
    double truth = 0;
    for (int i = 0; i <= 1000; i++)
        truth += (i == 0 || i == 1000 ? 1 : i % 2 == 1 ? 4 : 2) * exp(-3 / (.5 + i / 1000.)) / 3000;
    uint64_t state = 4;
    int held = 0, binomial_held = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        uint64_t over[REPLICATIONS], jobs[REPLICATIONS];
        double hits = 0;
        for (int r = 0; r < REPLICATIONS; r++) {
            struct sim_sample sample = draw(&state, 300, 1);
            jobs[r] = sample.count;
            over[r] = sample.count - sim_sample_at_or_below(&sample, 3);
            hits += (double)over[r];
            sim_sample_finish(&sample);
        }
        struct sim_estimate share = sim_estimate_exceedance(over, jobs, REPLICATIONS, .95);
        held += share.lo <= truth && truth <= share.hi;
        double n = 300. * REPLICATIONS, naive = 1.96 * sqrt(share.value * (1 - share.value) / n);
        binomial_held += fabs(hits / n - truth) <= naive;
    }
    cr_assert(held >= .9 * REPETITIONS && held <= .99 * REPETITIONS, "%d", held);
    cr_assert(binomial_held < .8 * REPETITIONS, "the naive interval would do as well: %d", binomial_held);
}

Test(stats_coverage, ratio) {
    uint64_t state = 9;
    int held = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        double top[REPLICATIONS], bottom[REPLICATIONS];
        for (int r = 0; r < REPLICATIONS; r++) {
            bottom[r] = 20 + floor(80 * uniform(&state));
            top[r] = 0;
            for (int k = 0; k < bottom[r]; k++)
                top[r] += uniform(&state) < .3;
        }
        struct sim_estimate ratio = sim_estimate_ratio(top, bottom, REPLICATIONS, .95);
        held += ratio.lo <= .3 && .3 <= ratio.hi;
    }
    cr_assert(held >= .9 * REPETITIONS && held <= .99 * REPETITIONS, "%d", held);
}
