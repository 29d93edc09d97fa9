/** The token-bucket invariant, checked from outside. */
#include "bucket_check.h"

#include <assert.h>

void sim_bucket_check_restart(struct sim_bucket_check *check, int64_t now_ns, int64_t per_minute, int64_t burst_ns,
                              int64_t burst_min_tokens) {
    model_units burst = (model_units)per_minute * burst_ns; // a unit is 1/60e9 token: no division
    model_units burst_min = (model_units)burst_min_tokens * MODEL_UNITS_PER_TOKEN;
    *check = (struct sim_bucket_check){.limited = per_minute > 0,
                                       .rate = per_minute,
                                       .burst = burst > burst_min ? burst : burst_min,
                                       .start_ns = now_ns,
                                       .violations = check->violations};
}

/** D at @p now_ns, and its minimum brought up to date: D only falls between admissions, so its value here is the least
 *  since the last one. */
static model_units settle(struct sim_bucket_check *check, int64_t now_ns) {
    assert(now_ns >= check->start_ns);
    model_units d = check->admitted - (model_units)check->rate * (now_ns - check->start_ns);
    if (d < check->least)
        check->least = d;
    return d;
}

bool sim_bucket_check_admit(struct sim_bucket_check *check, int64_t now_ns, model_units units) {
    assert(units >= 0);
    if (!check->limited)
        return true;
    model_units in_window = settle(check, now_ns) + units - check->least;
    check->admitted += units;
    if (units > check->largest)
        check->largest = units;
    model_units debt = check->largest > check->burst ? check->largest - check->burst : 0;
    bool holds = in_window <= check->burst + debt;
    check->violations += !holds;
    return holds;
}

void sim_bucket_check_refund(struct sim_bucket_check *check, int64_t now_ns, model_units units) {
    assert(units >= 0);
    if (!check->limited)
        return;
    check->admitted -= units;
    settle(check, now_ns);
}
