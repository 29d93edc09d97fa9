/** Verdicts on claims: which numbers count as reproduced, which changes as a direction. Would break if tolerances, bounds or
 *  null values were read another way than docs/claims.md says. */
#include "../../sim/claims/claims.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const struct sim_estimate none = {NAN, NAN, NAN, NAN};

static struct sim_claim_side stated(double lo, double hi, struct sim_estimate ours) {
    return (struct sim_claim_side){.there = true, .article_lo = lo, .article_hi = hi, .ours = ours};
}

static struct sim_claim_side silent(struct sim_estimate ours) {
    return stated(NAN, NAN, ours);
}

static struct sim_estimate around(double value, double half) {
    return (struct sim_estimate){value, value - half, value + half, NAN};
}

static enum sim_claim_verdict judge(struct sim_claim_side before, struct sim_claim_side after, double half,
                                    enum sim_claim_expects expects) {
    struct sim_claim_measure measure = {.before = before, .after = after, .expects = expects, .change = none};
    if (before.there)
        measure.change = around(after.ours.value - before.ours.value, half);
    return sim_claim_judge(&measure);
}

static enum sim_claim_verdict pair(double stated_before, double ours_before, double stated_after, double ours_after) {
    return judge(stated(stated_before, stated_before, around(ours_before, .01)),
                 stated(stated_after, stated_after, around(ours_after, .01)), .01, SIM_EXPECTS_NOTHING);
}

Test(claims_verdict, numbers_within_fifteen_per_cent) {
    cr_assert_eq(pair(10, 11.4, 2, 1.72), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(pair(10, 11.6, 2, 2), SIM_CLAIM_DIRECTION);
    cr_assert_eq(pair(10, 10, 2, 2.4), SIM_CLAIM_DIRECTION);
    cr_assert_eq(pair(10, 2, 2, 10), SIM_CLAIM_NOT);
}

Test(claims_verdict, a_number_within_a_wide_interval) {
    const struct sim_claim_side after = stated(2, 2, around(3, 1.5));
    cr_assert_eq(judge(stated(10, 10, around(10, .1)), after, 1.5, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
}

Test(claims_verdict, one_value_near_both_numbers_is_no_match) {
    cr_assert_eq(pair(1, .885, .85, .885), SIM_CLAIM_NOT);
    cr_assert_eq(pair(1, .92, .85, .88), SIM_CLAIM_REPRODUCED);
}

Test(claims_verdict, small_changes_are_no_direction) {
    cr_assert_eq(pair(3.4, 1.64, 1.1, 1.60), SIM_CLAIM_NOT);
    cr_assert_eq(pair(3.4, 1.64, 1.1, 1.38), SIM_CLAIM_DIRECTION);
    /* Large, but not sure. */
    cr_assert_eq(judge(stated(3.4, 3.4, around(1.64, .5)), stated(1.1, 1.1, around(1.38, .1)), .5, SIM_EXPECTS_NOTHING),
                 SIM_CLAIM_NOT);
}

Test(claims_verdict, ranges_and_bounds) {
    const struct sim_claim_side nothing = {0};
    cr_assert_eq(judge(nothing, stated(.86, .91, around(.9, .001)), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(nothing, stated(.86, .91, around(.85, .02)), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    /* Ranges have no tolerance of their own. */
    cr_assert_eq(judge(nothing, stated(.86, .91, around(.85, .001)), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
    cr_assert_eq(judge(nothing, stated(.05, INFINITY, around(.3, .1)), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(nothing, stated(.05, INFINITY, around(.04, .001)), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
    cr_assert_eq(judge(nothing, stated(-INFINITY, 2, around(1, .1)), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(
        judge(stated(0, 0, around(0, 0)), stated(.05, INFINITY, around(.004, .001)), .001, SIM_EXPECTS_NOTHING),
        SIM_CLAIM_DIRECTION);
}

Test(claims_verdict, times_beyond_every_finished_job) {
    const struct sim_claim_side nothing = {0}, lost = stated(9.8, 9.8, (struct sim_estimate){NAN, NAN, NAN, 35});
    struct sim_claim_side bound = lost;
    /* From beyond 35 s to 2 s is a fall, though there is no difference to estimate. */
    cr_assert_eq(judge(lost, stated(1.7, 1.7, around(2.3, .1)), NAN, SIM_EXPECTS_NOTHING), SIM_CLAIM_DIRECTION);
    cr_assert_eq(judge(nothing, lost, 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
    bound.article_hi = INFINITY;
    cr_assert_eq(judge(nothing, bound, 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    bound.article_lo = 40; /* it may be 36 */
    cr_assert_eq(judge(nothing, bound, 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
}

Test(claims_verdict, expectations_without_numbers) {
    const struct sim_claim_side low = silent(around(1, .1)), high = silent(around(2, .1)),
                                near = silent(around(1.1, .01));
    cr_assert_eq(judge(low, high, .1, SIM_EXPECTS_NOTHING), SIM_CLAIM_UNSTATED);
    cr_assert_eq(judge(low, high, .1, SIM_EXPECTS_RISE), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(low, high, .1, SIM_EXPECTS_FALL), SIM_CLAIM_NOT);
    cr_assert_eq(judge(low, high, .1, SIM_EXPECTS_DIFFER), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(low, near, .01, SIM_EXPECTS_DIFFER), SIM_CLAIM_NOT);
    cr_assert_eq(judge(low, near, .01, SIM_EXPECTS_SAME), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(low, near, .2, SIM_EXPECTS_SAME), SIM_CLAIM_NOT);
}

/* Open ends and missing ones. */
Test(claims_verdict, intervals_that_are_open) {
    const struct sim_claim_side nothing = {0};
    const struct sim_estimate open = {5.4, 3.6, NAN, NAN}, alone = {5.4, NAN, NAN, NAN};
    cr_assert_eq(judge(nothing, stated(8, INFINITY, open), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(nothing, stated(12, 12, open), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(judge(nothing, stated(1, 2, open), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
    cr_assert_eq(judge(nothing, stated(12, 12, alone), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
    cr_assert_eq(judge(nothing, stated(5, 5, alone), 0, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
}

Test(claims_verdict, bounds_that_may_be_met_without_a_change) {
    /* "At most 5" and "at least 2" say nothing of a fall. */
    const struct sim_claim_side before = stated(-INFINITY, 5, around(1.1, .1)),
                                after = stated(2, INFINITY, around(3.9, .1));
    cr_assert_eq(judge(before, after, .1, SIM_EXPECTS_NOTHING), SIM_CLAIM_REPRODUCED);
    const struct sim_claim_measure apart = {.before = stated(6, INFINITY, none), .after = stated(-INFINITY, 5, none)};
    cr_assert_eq(sim_claim_stated_direction(&apart), -1);
}

Test(claims_verdict, a_small_change_to_a_time_beyond) {
    const struct sim_claim_side lost = silent((struct sim_estimate){NAN, NAN, NAN, 10.1});
    cr_assert_eq(judge(silent(around(10, .05)), lost, NAN, SIM_EXPECTS_RISE), SIM_CLAIM_NOT);
    cr_assert_eq(judge(silent(around(5, .05)), lost, NAN, SIM_EXPECTS_RISE), SIM_CLAIM_REPRODUCED);
}

Test(claims_verdict, nothing_is_no_match) {
    cr_assert_eq(judge(silent(none), silent(none), NAN, SIM_EXPECTS_SAME), SIM_CLAIM_NOT);
    cr_assert_eq(judge(silent(none), silent(none), NAN, SIM_EXPECTS_DIFFER), SIM_CLAIM_NOT);
    cr_assert_eq(judge((struct sim_claim_side){0}, stated(1, INFINITY, none), NAN, SIM_EXPECTS_NOTHING), SIM_CLAIM_NOT);
}

/* ---- series ---- */

enum { LEVELS = 4 };
static const double levels[LEVELS] = {1, 2, 3, 4};

/* Sets of levels by their numbers in @p kept, digits. */
static struct sim_claim_side best(struct sim_claim_point points[LEVELS], const char *kept) {
    struct sim_claim_side side = silent(none);
    for (size_t i = 0; i < LEVELS; i++) {
        points[i] = (struct sim_claim_point){.level = levels[i], .kept = strchr(kept, '1' + (int)i) != NULL};
        if (!points[i].kept)
            continue;
        side.ours.value = side.ours.lo = isnan(side.ours.lo) ? levels[i] : side.ours.lo;
        side.ours.hi = levels[i];
    }
    side.points = points;
    side.count = LEVELS;
    return side;
}

static enum sim_claim_verdict best_of(const char *before, const char *after, enum sim_claim_expects expects) {
    struct sim_claim_point points[2][LEVELS];
    const struct sim_claim_measure measure = {.reading = SIM_READ_BEST,
                                              .expects = expects,
                                              .change = none,
                                              .before = best(points[0], before),
                                              .after = best(points[1], after)};
    return sim_claim_judge(&measure);
}

Test(claims_verdict, best_levels_are_sets) {
    cr_assert_eq(best_of("34", "1234", SIM_EXPECTS_DIFFER), SIM_CLAIM_NOT);
    cr_assert_eq(best_of("34", "1234", SIM_EXPECTS_SAME), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(best_of("34", "12", SIM_EXPECTS_DIFFER), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(best_of("34", "12", SIM_EXPECTS_FALL), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(best_of("34", "12", SIM_EXPECTS_RISE), SIM_CLAIM_NOT);
    /* Between each other without a common one: other levels, in neither direction. */
    cr_assert_eq(best_of("13", "24", SIM_EXPECTS_DIFFER), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(best_of("13", "24", SIM_EXPECTS_SAME), SIM_CLAIM_NOT);
    cr_assert_eq(best_of("13", "24", SIM_EXPECTS_RISE), SIM_CLAIM_NOT);
    cr_assert_eq(best_of("", "", SIM_EXPECTS_SAME), SIM_CLAIM_NOT);
}

Test(claims_verdict, a_stated_level_must_be_among_the_best) {
    struct sim_claim_point points[LEVELS];
    struct sim_claim_measure measure = {.reading = SIM_READ_BEST, .change = none, .after = best(points, "134")};
    measure.after.article_lo = measure.after.article_hi = 3;
    cr_assert_eq(sim_claim_judge(&measure), SIM_CLAIM_REPRODUCED);
    measure.after.article_lo = measure.after.article_hi = 2;
    cr_assert_eq(sim_claim_judge(&measure), SIM_CLAIM_NOT);
    /* Near the best level, and surely worse: 15 % do not help. */
    points[0].level = 1000;
    points[1].level = measure.after.article_lo = measure.after.article_hi = 1100;
    measure.after.ours.value = 1000;
    cr_assert_eq(sim_claim_judge(&measure), SIM_CLAIM_NOT);
}

static enum sim_claim_verdict capacity(struct sim_estimate ours, double lo, double hi) {
    const struct sim_claim_measure measure = {
        .reading = SIM_READ_CAPACITY, .change = none, .after = stated(lo, hi, ours)};
    return sim_claim_judge(&measure);
}

Test(claims_verdict, capacities_end_before_what_fails) {
    const struct sim_estimate bracket = {400, 400, 900, NAN}, nothing = {NAN, NAN, 1, NAN}, all = {4, 4, NAN, NAN};
    cr_assert_eq(capacity(bracket, 800, INFINITY), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(capacity(bracket, 900, INFINITY), SIM_CLAIM_NOT);
    cr_assert_eq(capacity((struct sim_estimate){.76, .76, .8, NAN}, .85, .85), SIM_CLAIM_NOT);
    cr_assert_eq(capacity((struct sim_estimate){.76, .76, .9, NAN}, .7, .7), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(capacity(nothing, -INFINITY, 2), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(capacity(nothing, 1, INFINITY), SIM_CLAIM_NOT);
    cr_assert_eq(capacity(all, 5, INFINITY), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(capacity(all, -INFINITY, 3), SIM_CLAIM_NOT);
}

static enum sim_claim_verdict capacities(double lo, double hi, double after_lo, double after_hi) {
    const struct sim_claim_measure measure = {.reading = SIM_READ_CAPACITY,
                                              .expects = SIM_EXPECTS_RISE,
                                              .change = none,
                                              .before = silent((struct sim_estimate){lo, lo, hi, NAN}),
                                              .after =
                                                  silent((struct sim_estimate){after_lo, after_lo, after_hi, NAN})};
    return sim_claim_judge(&measure);
}

Test(claims_verdict, capacities_that_rise) {
    /* What fails at .8 before and passes at .8 after has risen. */
    cr_assert_eq(capacities(.7, .8, .8, .9), SIM_CLAIM_REPRODUCED);
    cr_assert_eq(capacities(.7, .8, .7, .8), SIM_CLAIM_NOT);
    cr_assert_eq(capacities(.55, NAN, .65, NAN), SIM_CLAIM_NOT);
}
