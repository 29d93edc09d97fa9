/** KN selection: its constants, its rule, and how often it finds the best. */
#include "../../models/streams.h"
#include "../../sim/tune/kn.h"

#include <criterion/criterion.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

/* ../shared/ORACLES.md: alpha .05, first 20. */
Test(kn, constants) {
    static const struct {
        size_t count;
        double eta, h2;
    } known[] = {{2, .137137, 5.211225}, {4, .215248, 8.179411}, {8, .281971, 10.714912}, {10, .302934, 11.511485}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct sim_kn kn;
        sim_kn_init(&kn, known[i].count, 20, .05, .05);
        cr_assert_float_eq(kn.eta, known[i].eta, 1e-6);
        cr_assert_float_eq(kn.h2, known[i].h2, 1e-6);
        sim_kn_finish(&kn);
    }
}

/* first = 3, worked by hand. Differences 0 - 1 are -1, -2, -3: S2 = 1. alpha = .1: eta = (.2^-1 - 1) / 2 = 2, h2 = 8.
 * With delta = 2 the allowance at r is 1 / r x (8 / 4 - r), so none from r = 2 on: at r = 3 system 1 leaves. With
 * delta = .5 it is .25 / r x (32 - r): 2.417 > 2 at r = 3, so both stay; at r = 4 it is 1.75, and a mean difference of
 * 2.25 decides. */
Test(kn, follows_the_rule) {
    static const double pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 3}};
    struct sim_kn kn;
    sim_kn_init(&kn, 2, 3, .1, 2);
    for (int r = 0; r < 3; r++) {
        cr_assert(!sim_kn_done(&kn));
        sim_kn_observe(&kn, pairs[r]);
    }
    cr_assert_float_eq(kn.variance[1], 1, 1e-12);
    cr_assert(sim_kn_done(&kn));
    cr_assert_eq(sim_kn_best(&kn), 0);
    sim_kn_finish(&kn);

    sim_kn_init(&kn, 2, 3, .1, .5);
    for (int r = 0; r < 4; r++) {
        cr_assert(!sim_kn_done(&kn));
        sim_kn_observe(&kn, pairs[r]);
    }
    cr_assert(sim_kn_done(&kn));
    cr_assert_eq(kn.most, 32);
    cr_assert_eq(kn.left_at[1], 4);
    cr_assert_float_eq(sim_kn_mean(&kn, 1), 2.25, 1e-12);
    sim_kn_finish(&kn);
}

/* Twins never differ, and must not run for ever: the first one is taken. */
Test(kn, equal_systems_end) {
    struct sim_kn kn;
    sim_kn_init(&kn, 3, 5, .05, .1);
    uint32_t r = 0;
    for (; !sim_kn_done(&kn) && r < 1000; r++) {
        double value = r % 2;
        sim_kn_observe(&kn, (double[]){2 + value, value, value});
    }
    cr_assert_eq(r, 5);
    cr_assert_eq(sim_kn_best(&kn), 1);
    sim_kn_finish(&kn);
}

static double normal(uint32_t macro, uint32_t r, uint32_t system) {
    const struct model_streams streams = {.seed = 20010703, .replication = macro};
    return gsl_cdf_ugaussian_Pinv(model_uniform(&streams, system, r, MODEL_THINK, 0));
}

/* Share of macro-replications that choose system 3, which leads all others by exactly delta (the least favourable
 * configuration). `shared`: standard deviation of what all systems have in common. */
static double correct_share(uint32_t macros, size_t count, double h2_factor, double shared, double *ret_observations) {
    const double delta = .05, spread = 2 * delta;
    uint32_t correct = 0;
    double observations = 0;
    for (uint32_t macro = 1; macro <= macros; macro++) {
        struct sim_kn kn;
        sim_kn_init(&kn, count, 20, .05, delta);
        kn.h2 *= h2_factor;
        for (uint32_t r = 0; !sim_kn_done(&kn); r++) {
            double values[10], common = shared * normal(macro, r, 100);
            for (uint32_t i = 0; i < count; i++)
                values[i] = (i == 3 ? -delta : 0) + common + spread * normal(macro, r, i);
            sim_kn_observe(&kn, values);
        }
        correct += sim_kn_best(&kn) == 3;
        observations += kn.observations;
        sim_kn_finish(&kn);
    }
    *ret_observations = observations / macros;
    return correct / (double)macros;
}

Test(kn, finds_the_best_as_often_as_promised) {
    double observations, less, with_noise;
    cr_assert_geq(correct_share(1000, 10, 1, 0, &observations), .95);
    /* What is common to all cancels in the differences: the same observations suffice. */
    cr_assert_geq(correct_share(1000, 10, 1, 1, &with_noise), .95);
    cr_assert_float_eq(with_noise, observations, 1e-6);
    /* A quarter of h2 is not enough: the measurement can tell. */
    cr_assert_lt(correct_share(1000, 10, .25, 0, &less), .95);
    cr_assert_lt(less, observations);
}
