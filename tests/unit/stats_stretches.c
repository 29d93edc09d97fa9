/** Memory of a queue: known for a first-order autoregressive series. */
#include "../../sim/memory.h"
#include "../../sim/stats/stretches.h"

#include <criterion/criterion.h>
#include <math.h>

enum { REPLICATIONS = 20, POINTS = 400 };

struct bench {
    struct sim_series_point points[REPLICATIONS][POINTS];
    struct sim_outcome outcomes[REPLICATIONS];
    const struct sim_outcome *pointers[REPLICATIONS];
};

static double noise(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992. - .5;
}

/** All jobs: 100 + @p slope x i + x_i with x_i = @p phi x_(i-1) + noise. Critical: never any. Standard: noise. */
static struct bench *make(double phi, double slope) {
    struct bench *bench = sim_calloc(1, sizeof *bench);
    uint64_t state = 11;
    for (int r = 0; r < REPLICATIONS; r++) {
        double x = noise(&state);
        for (int i = 0; i < POINTS; i++) {
            struct sim_series_point *point = &bench->points[r][i];
            x = phi * x + noise(&state);
            point->time_s = 10 * (i + 1);
            point->in_system = 100 + slope * i + x;
            point->queue[1] = 10 + noise(&state);
        }
        bench->outcomes[r].series = (struct sim_series){.points = bench->points[r], .count = POINTS};
        bench->pointers[r] = &bench->outcomes[r];
    }
    return bench;
}

/** tau = (1 + phi) / (1 - phi) points. */
static void check(double phi, double slope, double tolerance) {
    struct bench *bench = make(phi, slope);
    double found = sim_stretches(bench->pointers, REPLICATIONS, SIM_BACKLOG_ALL, 0, 4000);
    double expected = POINTS * (1 - phi) / (1 + phi);
    cr_assert_float_eq(found, expected, tolerance * expected, "phi %g: %g instead of %g", phi, found, expected);
    free(bench);
}

Test(stats_stretches, of_known_memory) {
    check(0, 0, .1);
    check(.5, 0, .15);
    check(.8, 0, .2);
    check(.95, 0, .35);
}

Test(stats_stretches, a_course_common_to_all_is_no_memory) {
    check(.5, 3, .15);
}

Test(stats_stretches, only_the_span_counts) {
    struct bench *bench = make(0, 0);
    double whole = sim_stretches(bench->pointers, REPLICATIONS, 1, 0, 4000),
           half = sim_stretches(bench->pointers, REPLICATIONS, 1, 2000, 4000);
    cr_assert_float_eq(half / whole, .5, .1);
    free(bench);
}

Test(stats_stretches, cannot_be_told) {
    struct bench *bench = make(0, 0);
    cr_assert(isnan(sim_stretches(bench->pointers, REPLICATIONS, 0, 0, 4000)), "a queue that never is");
    cr_assert(isnan(sim_stretches(bench->pointers, 1, SIM_BACKLOG_ALL, 0, 4000)), "one replication");
    cr_assert(isnan(sim_stretches(bench->pointers, REPLICATIONS, SIM_BACKLOG_ALL, 0, 190)), "19 points");
    free(bench);
}
