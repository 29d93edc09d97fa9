/** MSER-5: finds the end of a transient, and says so when there is none. */
#include "../../sim/stats/mser.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

enum { VALUES = 400 };

static double uniform(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 11) + .5) / 9007199254740992.;
}

/** The statistic of d dropped batches, straight from its definition. */
static double statistic(const double *values, size_t batches, size_t d) {
    double z[VALUES], mean = 0, squares = 0, n = (double)(batches - d);
    for (size_t i = d; i < batches; i++) {
        z[i] = 0;
        for (size_t k = 0; k < 5; k++)
            z[i] += values[5 * i + k] / 5;
        mean += z[i] / n;
    }
    for (size_t i = d; i < batches; i++)
        squares += (z[i] - mean) * (z[i] - mean);
    return squares / (n * n);
}

Test(stats_mser, minimises_what_its_definition_says) {
    uint64_t state = 5;
    for (int trial = 0; trial < 50; trial++) {
        double values[VALUES], least = INFINITY;
        size_t expected = 0, count = 100 + (size_t)(300 * uniform(&state)), batches = count / 5;
        double start = 20 * uniform(&state), decay = 5 + 60 * uniform(&state);
        for (size_t i = 0; i < count; i++)
            values[i] = 1e6 + start * exp(-(double)i / decay) + uniform(&state);
        for (size_t d = 0; d + 5 <= batches; d++)
            if (statistic(values, batches, d) < least * (1 - 1e-12)) {
                least = statistic(values, batches, d);
                expected = 5 * d;
            }
        cr_assert_eq(sim_mser(values, count), expected, "trial %d: %zu instead of %zu", trial, sim_mser(values, count),
                     expected);
    }
}

Test(stats_mser, drops_the_transient_and_nothing_else) {
    uint64_t state = 7;
    double values[VALUES];
    for (size_t i = 0; i < VALUES; i++)
        values[i] = (i < 60 ? 50 : 0) + uniform(&state);
    // no less than the step; hardly more, as the noise may make one batch or two look worth dropping
    cr_assert(sim_mser(values, VALUES) >= 60 && sim_mser(values, VALUES) <= 75, "%zu", sim_mser(values, VALUES));
    for (size_t i = 0; i < VALUES; i++)
        values[i] = 3;
    cr_assert_eq(sim_mser(values, VALUES), 0);
}

Test(stats_mser, growth_never_settles) {
    uint64_t state = 9;
    double values[VALUES];
    for (size_t i = 0; i < VALUES; i++)
        values[i] = (double)i + 5 * uniform(&state);
    cr_assert_gt(sim_mser(values, VALUES), VALUES / 2);
    // what is left must be able to vary
    cr_assert_leq(sim_mser(values, VALUES), VALUES - 25);
}
