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
    bool pair = measure->reading == SIM_READ_FIGURE && !isnan(measure->change.value);
    if (pair)
        return measure->change.lo > 0 ? 1 : measure->change.hi < 0 ? -1 : 0;
    /* A capacity fails at its upper end already; levels that are as good as the best are those of both ends. */
    bool touch = measure->reading == SIM_READ_CAPACITY;
    if (touch ? least(after) >= most(before) : least(after) > most(before))
        return 1;
    return (touch ? most(after) <= least(before) : most(after) < least(before)) ? -1 : 0;
}

/* One number for a range, to see which way the statement goes. */
static double middle(const struct sim_claim_side *side) {
    if (isinf(side->article_lo))
        return side->article_hi;
    return isinf(side->article_hi) ? side->article_lo : (side->article_lo + side->article_hi) / 2;
}

static bool is_expected(const struct sim_claim_measure *measure) {
    int way = direction(measure);
    switch (measure->expects) {
    case SIM_EXPECTS_RISE:
        return way > 0;
    case SIM_EXPECTS_FALL:
        return way < 0;
    case SIM_EXPECTS_DIFFER:
        return way != 0;
    case SIM_EXPECTS_NOTHING:
        break;
    }
    return true;
}

static bool goes_the_same_way(const struct sim_claim_measure *measure) {
    if (measure->expects != SIM_EXPECTS_NOTHING)
        return is_expected(measure);
    if (!is_stated(&measure->before) || !is_stated(&measure->after))
        return false;
    double stated = middle(&measure->after) - middle(&measure->before);
    int way = direction(measure);
    return way != 0 && (way > 0) == (stated > 0) && stated != 0;
}

enum sim_claim_verdict sim_claim_judge(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *before = &measure->before, *after = &measure->after;
    bool numbers = is_stated(before) || is_stated(after);
    if (!numbers && measure->expects == SIM_EXPECTS_NOTHING)
        return SIM_CLAIM_UNSTATED;
    bool all = (!is_stated(before) || matches(before)) && (!is_stated(after) || matches(after));
    if (all && is_expected(measure))
        return SIM_CLAIM_REPRODUCED;
    return numbers && goes_the_same_way(measure) ? SIM_CLAIM_DIRECTION : SIM_CLAIM_NOT;
}
