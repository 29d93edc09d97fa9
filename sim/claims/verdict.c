/* Verdicts on what was read: pure. */
#include "claims.h"

#include <math.h>

const char *sim_claim_verdict_word(enum sim_claim_verdict verdict) {
    static const char *const words[] = {"no number", "reproduced", "direction only", "not reproduced"};
    return words[verdict];
}

const char sim_claim_legend[] =
    "Reproduced: ours lies within 15 % of each number stated, or the number within our 95 % interval, and ours changes "
    "the way the numbers do; a range or a bound is met by our value or by part of our interval; a change expected "
    "without "
    "numbers is sure and of 15 % or more, and the best levels differ when no level may be the best on both sides. "
    "Direction only: from before to after ours surely goes the way that is stated, by 15 % or more. Not reproduced: "
    "neither, or it cannot be told. No number: nothing is stated. A claim is as good as the worst of the measures that "
    "decide it; what was tried beside them decides nothing.";

/* ---- one side ---- */

static bool is_stated(const struct sim_claim_side *side) {
    return side->there && !isnan(side->article_lo);
}

static bool is_number(const struct sim_claim_side *side) {
    return side->article_lo == side->article_hi;
}

/* What ours certainly is not below, and not above. An end that nothing bounds is open; without any interval the value
 * stands alone. A time among jobs that never completed is above everything. */
static double least(const struct sim_claim_side *side) {
    const struct sim_estimate *ours = &side->ours;
    if (isnan(ours->value) && !isnan(ours->beyond))
        return ours->beyond;
    return !isnan(ours->lo) ? ours->lo : isnan(ours->hi) ? ours->value : -INFINITY;
}

static double most(const struct sim_claim_side *side) {
    const struct sim_estimate *ours = &side->ours;
    if (isnan(ours->value) && !isnan(ours->beyond))
        return INFINITY;
    return !isnan(ours->hi) ? ours->hi : isnan(ours->lo) ? ours->value : INFINITY;
}

static bool is_within(double value, const struct sim_claim_side *side, double slack) {
    return value >= side->article_lo - slack && value <= side->article_hi + slack;
}

/* Is one of the levels that are as good as the best among those stated? */
static bool a_kept_level_fits(const struct sim_claim_side *side) {
    for (size_t i = 0; i < side->count; i++)
        if (side->points[i].kept && is_within(side->points[i].level, side, 0))
            return true;
    return false;
}

/* Is ours near the number, or within the range, or may it be what is stated? */
static bool matches(enum sim_claim_reading reading, const struct sim_claim_side *side) {
    const struct sim_estimate *ours = &side->ours;
    double slack = is_number(side) ? SIM_CLAIM_TOLERANCE * fabs(side->article_lo) : 0;
    if (isnan(ours->value) && !isnan(ours->beyond))
        return isinf(side->article_hi) && ours->beyond >= side->article_lo;
    if (reading == SIM_READ_BEST)
        return a_kept_level_fits(side);
    double lo = least(side), hi = most(side);
    /* A capacity fails at its upper end. */
    if (reading == SIM_READ_CAPACITY && side->article_lo >= hi)
        return false;
    if (!isnan(ours->value) && is_within(ours->value, side, slack))
        return true;
    return side->article_lo <= hi && lo <= side->article_hi;
}

/* ---- both sides ---- */

/* May one level be the best on both sides? */
static bool share_a_level(const struct sim_claim_side *before, const struct sim_claim_side *after) {
    for (size_t i = 0; i < before->count; i++)
        for (size_t k = 0; k < after->count; k++)
            if (before->points[i].kept && after->points[k].kept && before->points[i].level == after->points[k].level)
                return true;
    return false;
}

static bool is_empty(const struct sim_claim_side *side) {
    return isnan(side->ours.value) && isnan(side->ours.beyond) && isnan(side->ours.hi);
}

/* Does ours rise (1) or fall (-1) for sure from before to after? 0: cannot be told. */
static int direction(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *before = &measure->before, *after = &measure->after;
    if (is_empty(before) || is_empty(after))
        return 0;
    if (measure->reading == SIM_READ_FIGURE && !isnan(measure->change.value))
        return measure->change.lo > 0 ? 1 : measure->change.hi < 0 ? -1 : 0;
    bool touch = measure->reading == SIM_READ_CAPACITY;
    if (touch ? least(after) >= most(before) : least(after) > most(before))
        return 1;
    return (touch ? most(after) <= least(before) : most(after) < least(before)) ? -1 : 0;
}

/* The size of a change: of one to or from a time beyond every completed job, what it is at the least. */
static double size_of_change(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *before = &measure->before, *after = &measure->after;
    if (!isnan(measure->change.value))
        return fabs(measure->change.value);
    return fmax(least(after) - most(before), least(before) - most(after));
}

/* The direction, but for changes that are sure and too small to be spoken of. */
static int marked_direction(const struct sim_claim_measure *measure) {
    const struct sim_estimate *before = &measure->before.ours;
    double scale = fabs(isnan(before->value) ? before->beyond : before->value);
    if (measure->reading == SIM_READ_FIGURE && size_of_change(measure) < SIM_CLAIM_TOLERANCE * scale)
        return 0;
    return direction(measure);
}

/* Is ours the same before and after: for sure within the tolerance, or, of the best level, may one be it on both sides? */
static bool is_same(const struct sim_claim_measure *measure) {
    if (measure->reading == SIM_READ_BEST)
        return share_a_level(&measure->before, &measure->after);
    if (measure->reading == SIM_READ_CAPACITY)
        return !is_empty(&measure->before) && !is_empty(&measure->after) && direction(measure) == 0;
    double slack = SIM_CLAIM_TOLERANCE * fabs(measure->before.ours.value);
    return measure->change.lo >= -slack && measure->change.hi <= slack;
}

static bool is_different(const struct sim_claim_measure *measure) {
    if (measure->reading == SIM_READ_BEST)
        return !is_empty(&measure->before) && !is_empty(&measure->after) &&
               !share_a_level(&measure->before, &measure->after);
    return marked_direction(measure) != 0;
}

static bool is_expected(const struct sim_claim_measure *measure) {
    switch (measure->expects) {
    case SIM_EXPECTS_RISE:
        return marked_direction(measure) > 0;
    case SIM_EXPECTS_FALL:
        return marked_direction(measure) < 0;
    case SIM_EXPECTS_DIFFER:
        return is_different(measure);
    case SIM_EXPECTS_SAME:
        return is_same(measure);
    case SIM_EXPECTS_NOTHING:
        break;
    }
    return true;
}

int sim_claim_stated_direction(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *before = &measure->before, *after = &measure->after;
    if (!is_stated(before) || !is_stated(after))
        return 0;
    return (after->article_lo > before->article_hi) - (after->article_hi < before->article_lo);
}

/* Is every number stated met, and does ours change as the numbers do, so that one value near both is no match? */
static bool is_met(const struct sim_claim_measure *measure) {
    const struct sim_claim_side *sides[] = {&measure->before, &measure->after};
    for (size_t i = 0; i < 2; i++)
        if (is_stated(sides[i]) && !matches(measure->reading, sides[i]))
            return false;
    int way = sim_claim_stated_direction(measure);
    return (way == 0 || direction(measure) == way) && is_expected(measure);
}

static bool goes_the_same_way(const struct sim_claim_measure *measure) {
    if (measure->expects != SIM_EXPECTS_NOTHING)
        return is_expected(measure);
    int way = sim_claim_stated_direction(measure);
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
