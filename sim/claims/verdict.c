/* Verdicts on what was read: pure. */
#include "claims.h"

#include <math.h>

/* How far from a stated number ours may lie. */
static const double tolerance = .15;

const char *sim_claim_verdict_word(enum sim_claim_verdict verdict) {
    static const char *const words[] = {"no number", "reproduced", "direction only", "not reproduced"};
    return words[verdict];
}

static bool is_stated(const struct sim_claim_side *side) {
    return side->there && !isnan(side->article_lo);
}

static bool is_number(const struct sim_claim_side *side) {
    return side->article_lo == side->article_hi;
}

/* Is ours near the number, or within the range, or is what is stated within our interval? */
static bool matches(const struct sim_claim_side *side) {
    const struct sim_estimate *ours = &side->ours;
    if (isnan(ours->value))
        return !is_number(side) && ours->beyond >= side->article_lo && isinf(side->article_hi);
    bool overlaps = ours->lo <= side->article_hi && ours->hi >= side->article_lo;
    double slack = is_number(side) ? tolerance * fabs(side->article_lo) : 0;
    return overlaps || (ours->value >= side->article_lo - slack && ours->value <= side->article_hi + slack);
}

/* Where a side certainly begins and ends. A time among jobs that never completed exceeds `beyond`. */
static double least(const struct sim_claim_side *side) {
    return isnan(side->ours.value) ? side->ours.beyond : side->ours.lo;
}

static double most(const struct sim_claim_side *side) {
    return isnan(side->ours.value) && !isnan(side->ours.beyond) ? INFINITY : side->ours.hi;
}

/* Does ours rise (1) or fall (-1) for sure from before to after? 0: cannot be told. */
static int direction(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *before = &measure->before, *after = &measure->after;
    if (measure->reading == SIM_READ_FIGURE && !isnan(measure->change.value))
        return measure->change.lo > 0 ? 1 : measure->change.hi < 0 ? -1 : 0;
    /* A capacity fails at its upper end already; levels that are as good as the best are those of both ends. */
    bool touch = measure->reading == SIM_READ_CAPACITY;
    if (touch ? least(after) >= most(before) : least(after) > most(before))
        return 1;
    return (touch ? most(after) <= least(before) : most(after) < least(before)) ? -1 : 0;
}

/* The same, but for changes that are sure and too small to be what anybody speaks of. */
static int marked_direction(const struct sim_claim_measure *measure) {
    bool small = fabs(measure->change.value) < tolerance * fabs(measure->before.ours.value);
    return measure->reading == SIM_READ_FIGURE && small ? 0 : direction(measure);
}

/* Is ours the same before and after: for sure within the tolerance, or, of a series, may one level be it on both sides? */
static bool is_same(const struct sim_claim_measure *measure) {
    if (measure->reading != SIM_READ_FIGURE)
        return direction(measure) == 0;
    double slack = tolerance * fabs(measure->before.ours.value);
    return measure->change.lo >= -slack && measure->change.hi <= slack;
}

/* One number for a range, to see which way the statement goes. */
static double middle(const struct sim_claim_side *side) {
    if (isinf(side->article_lo))
        return side->article_hi;
    return isinf(side->article_hi) ? side->article_lo : (side->article_lo + side->article_hi) / 2;
}

static bool is_expected(const struct sim_claim_measure *measure) {
    int way = marked_direction(measure);
    switch (measure->expects) {
    case SIM_EXPECTS_RISE:
        return way > 0;
    case SIM_EXPECTS_FALL:
        return way < 0;
    case SIM_EXPECTS_DIFFER:
        return way != 0;
    case SIM_EXPECTS_SAME:
        return is_same(measure);
    case SIM_EXPECTS_NOTHING:
        break;
    }
    return true;
}

/* Which way from before to after is stated, 0: none, or no change. */
static int stated_direction(const struct sim_claim_measure *measure) {
    if (!is_stated(&measure->before) || !is_stated(&measure->after))
        return 0;
    double change = middle(&measure->after) - middle(&measure->before);
    return (change > 0) - (change < 0);
}

/* Is every number stated met, and does ours change as the numbers do, so that one value near both is no match? */
static bool is_met(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *sides[] = {&measure->before, &measure->after};
    for (size_t i = 0; i < 2; i++)
        if (is_stated(sides[i]) && !matches(sides[i]))
            return false;
    int way = stated_direction(measure);
    return (way == 0 || direction(measure) == way) && is_expected(measure);
}

static bool goes_the_same_way(const struct sim_claim_measure *measure) {
    if (measure->expects != SIM_EXPECTS_NOTHING)
        return is_expected(measure);
    int way = stated_direction(measure);
    return way != 0 && marked_direction(measure) == way;
}

enum sim_claim_verdict sim_claim_judge(const struct sim_claim_measure *measure) {
    bool numbers = is_stated(&measure->before) || is_stated(&measure->after);
    if (!numbers && measure->expects == SIM_EXPECTS_NOTHING)
        return SIM_CLAIM_UNSTATED;
    if (is_met(measure))
        return SIM_CLAIM_REPRODUCED;
    return numbers && goes_the_same_way(measure) ? SIM_CLAIM_DIRECTION : SIM_CLAIM_NOT;
}
