/** Screening, halving, Pareto sets and checks of normality on problems whose answers are known. */
#include "../../models/streams.h"
#include "../../sim/tune/halving.h"
#include "../../sim/tune/morris.h"
#include "../../sim/tune/normality.h"
#include "../../sim/tune/pareto.h"

#include <criterion/criterion.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

/* ---- Morris ---- */

enum { INPUTS = 6, TRAJECTORIES = 12 };

/* Strong and linear, curved, two that act only together, weak, none. */
static double response(const double *x) {
    return 10 * x[0] + 6 * x[1] * x[1] + 8 * (x[2] - .5) * (x[3] - .5) + .1 * x[4];
}

struct screen {
    double points[TRAJECTORIES][(INPUTS + 1) * INPUTS];
    size_t moved[TRAJECTORIES][INPUTS];
    struct sim_morris_trajectory trajectories[TRAJECTORIES];
    double responses[TRAJECTORIES * (INPUTS + 1)];
    struct sim_morris_effect effects[INPUTS];
};

static void run_screen(struct screen *screen, uint64_t seed) {
    for (uint32_t t = 0; t < TRAJECTORIES; t++) {
        screen->trajectories[t] = (struct sim_morris_trajectory){screen->points[t], screen->moved[t]};
        sim_morris_draw(seed, t, INPUTS, &screen->trajectories[t]);
        for (size_t step = 0; step <= INPUTS; step++)
            screen->responses[t * (INPUTS + 1) + step] = response(&screen->points[t][step * INPUTS]);
    }
    sim_morris_effects(screen->trajectories, TRAJECTORIES, INPUTS, screen->responses, screen->effects);
}

Test(morris, trajectories_move_one_input_at_a_time) {
    struct screen screen;
    run_screen(&screen, 1);
    bool starts_differ = false;
    for (size_t t = 0; t < TRAJECTORIES; t++) {
        bool moved[INPUTS] = {false};
        for (size_t step = 0; step < INPUTS; step++) {
            const double *from = &screen.points[t][step * INPUTS], *to = from + INPUTS;
            for (size_t d = 0; d < INPUTS; d++) {
                bool moves = d == screen.moved[t][step];
                cr_assert_float_eq(fabs(to[d] - from[d]), moves ? 2. / 3 : 0, 1e-12);
                cr_assert(to[d] >= 0 && to[d] <= 1);
                moved[d] |= moves;
            }
        }
        for (size_t d = 0; d < INPUTS; d++)
            cr_assert(moved[d]);
        starts_differ |= t > 0 && screen.points[t][0] != screen.points[0][0];
    }
    cr_assert(starts_differ);
}

Test(morris, ranks_a_known_function) {
    struct screen screen;
    run_screen(&screen, 1);
    const struct sim_morris_effect *e = screen.effects;
    /* Exact where the effect is the same everywhere. */
    cr_assert_float_eq(e[0].mu_star, 10, 1e-9);
    cr_assert_float_eq(e[0].sigma, 0, 1e-9);
    cr_assert_float_eq(e[4].mu_star, .1, 1e-9);
    cr_assert_float_eq(e[5].mu_star, 0, 1e-9);
    /* x^2 from 0 to 2/3 and from 1/3 to 1 has slopes 2/3 and 4/3. */
    cr_assert(e[1].mu_star > 4 && e[1].mu_star < 8 && e[1].sigma > .5);
    /* An interaction whose effects cancel in mu stands out in mu* and sigma. */
    for (int d = 2; d < 4; d++) {
        cr_assert(e[d].mu_star > 1.3 - 1e-9 && e[d].mu_star < 4 + 1e-9);
        cr_assert_gt(e[d].sigma, e[d].mu_star / 2);
        cr_assert_lt(fabs(e[d].mu), e[d].mu_star);
    }
    cr_assert(e[0].mu_star > e[1].mu_star && e[1].mu_star > e[2].mu_star && e[2].mu_star > e[4].mu_star);
}

/* ---- halving ---- */

Test(halving, rounds_cost_about_the_same) {
    struct sim_halving_round plan[SIM_HALVING_ROUNDS];
    cr_assert_eq(sim_halving_plan(128, plan), 3);
    static const struct sim_halving_round known[] = {{128, 2}, {32, 8}, {8, 32}};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(plan[i].candidates, known[i].candidates);
        cr_assert_eq(plan[i].replications, known[i].replications);
    }
    cr_assert_eq(sim_halving_plan(12, plan), 2);
    cr_assert(plan[1].candidates == 8 && plan[1].replications == 32);
    cr_assert_eq(sim_halving_plan(3, plan), 1);
    cr_assert(plan[0].candidates == 3 && plan[0].replications == 32);
    size_t rounds = sim_halving_plan(100000, plan);
    cr_assert(plan[rounds - 1].candidates == 8);
}

Test(halving, those_that_keep_the_rules_come_first) {
    struct sim_standing s[] = {{0, .2, -9}, {1, -.1, 5}, {2, .1, -9}, {3, -3, 4}, {4, 0, 5}, {5, INFINITY, INFINITY}};
    static const size_t order[] = {3, 1, 4, 2, 0, 5};
    sim_standings_sort(s, 6);
    for (int i = 0; i < 6; i++)
        cr_assert_eq(s[i].candidate, order[i]);
}

static double noise(uint32_t macro, uint32_t candidate, uint32_t r) {
    const struct model_streams streams = {.seed = 7, .replication = macro};
    return gsl_cdf_ugaussian_Pinv(model_uniform(&streams, candidate, r, MODEL_THINK, 0));
}

/* 128 candidates with means 0, .1, .2, ... and noise of 1: the best one of all must come through nearly always, which
 * picking at random would do in one of 16 cases. */
Test(halving, keeps_the_best) {
    enum { MACROS = 200, CANDIDATES = 128 };
    size_t kept = 0;
    for (uint32_t macro = 1; macro <= MACROS; macro++) {
        struct sim_halving_round plan[SIM_HALVING_ROUNDS];
        struct sim_standing standings[CANDIDATES];
        size_t rounds = sim_halving_plan(CANDIDATES, plan), best = macro % CANDIDATES;
        for (size_t i = 0; i < CANDIDATES; i++)
            standings[i].candidate = i;
        for (size_t round = 0; round < rounds; round++) {
            for (size_t k = 0; k < plan[round].candidates; k++) {
                uint32_t candidate = (uint32_t)standings[k].candidate;
                double sum = 0, mean = .1 * (double)((candidate + CANDIDATES - best) % CANDIDATES);
                for (uint32_t r = 0; r < plan[round].replications; r++)
                    sum += noise(macro, candidate, r);
                standings[k].excess = -1;
                standings[k].objective = mean + sum / plan[round].replications;
            }
            sim_standings_sort(standings, plan[round].candidates);
        }
        for (size_t k = 0; k < SIM_HALVING_KEEP; k++)
            kept += standings[k].candidate == best;
    }
    cr_assert_geq(kept, MACROS * 97 / 100);
}

/* ---- Pareto ---- */

enum { REPLICATIONS = 8 };

Test(pareto, dominated_needs_intervals_that_exclude_zero) {
    /* (time, unfairness); all share a common noise, which pairing takes out. */
    static const double means[][2] = {
        {1, 5},    /* fast, unfair */
        {3, 1},    /* slow, fair */
        {3, 5},    /* dominated by both */
        {1.01, 5}, /* within its own noise of the first: nothing is shown */
        {2, 2},    /* in between */
    };
    double values[5][2][REPLICATIONS];
    const double *rows[5][2];
    struct sim_pareto_point points[5];
    for (size_t i = 0; i < 5; i++) {
        for (size_t d = 0; d < 2; d++) {
            for (uint32_t r = 0; r < REPLICATIONS; r++)
                values[i][d][r] = means[i][d] + 10 * noise(1, 1000, r) + .05 * noise(1, (uint32_t)(2 * i + d), r);
            rows[i][d] = values[i][d];
        }
        points[i] = (struct sim_pareto_point){rows[i], REPLICATIONS};
    }
    size_t by[5];
    sim_pareto(points, 5, 2, by);
    cr_assert_eq(by[2], 0);
    cr_assert(by[0] == SIM_PARETO_NOBODY && by[1] == SIM_PARETO_NOBODY && by[3] == SIM_PARETO_NOBODY &&
              by[4] == SIM_PARETO_NOBODY);
    /* One pair of replications has no interval: nobody is dominated. */
    points[2].replications = 1;
    sim_pareto(points, 5, 2, by);
    cr_assert_eq(by[2], SIM_PARETO_NOBODY);
}

/* ---- normality ---- */

Test(normality, skewness_and_variation) {
    /* Of 1, 2, 9: mean 4, m2 = 38/3, m3 = 90/3. */
    static const double values[] = {1, 2, 9};
    cr_assert_float_eq(sim_skewness(values, 3), 30 / pow(38. / 3, 1.5), 1e-12);
    cr_assert_float_eq(sim_variation(values, 3), sqrt(19) / 4, 1e-12);
    cr_assert_float_eq(sim_skewness((double[]){2, 2, 2}, 3), 0, 1e-12);
    cr_assert(isnan(sim_skewness(values, 2)));
}

Test(normality, normal_samples_exceed_the_limit_seldom) {
    enum { SAMPLES = 1000, COUNT = 20 };
    size_t over = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        double values[COUNT];
        for (uint32_t r = 0; r < COUNT; r++)
            values[r] = noise(i, 5000, r);
        over += fabs(sim_skewness(values, COUNT)) > sim_skewness_limit(COUNT, 1);
    }
    cr_assert(over > SAMPLES * 2 / 100 && over < SAMPLES * 7 / 100);
}
