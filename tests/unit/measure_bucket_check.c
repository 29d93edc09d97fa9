/** The bucket invariant: planted violations are caught to the unit, lawful admissions never blamed. */
#include "../../sim/measure/bucket_check.h"

#include <criterion/criterion.h>

static const int64_t s_ns = 1000000000;
static const model_units token = MODEL_UNITS_PER_TOKEN;

/** 60 tokens a minute, burst 10 tokens: one token a second. */
static struct sim_bucket_check ten_and_one_a_second(void) {
    struct sim_bucket_check check = {0};
    sim_bucket_check_restart(&check, 0, 60, 10 * s_ns, 0);
    return check;
}

Test(measure_bucket_check, burst_then_rate_is_lawful_and_one_unit_more_is_not) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 0, 10 * token));
    for (int64_t i = 1; i <= 100; i++)
        cr_assert(sim_bucket_check_admit(&check, i * s_ns, token));
    cr_assert_eq(check.violations, 0);
    cr_assert_not(sim_bucket_check_admit(&check, 100 * s_ns, 1));
    cr_assert_eq(check.violations, 1);
}

Test(measure_bucket_check, one_nanosecond_early_is_caught) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 5 * s_ns, 10 * token));
    cr_assert_not(sim_bucket_check_admit(&check, 6 * s_ns - 1, token));
}

Test(measure_bucket_check, an_idle_hour_saves_no_more_than_the_burst) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 0, 4 * token));
    cr_assert(sim_bucket_check_admit(&check, 3600 * s_ns, 10 * token));
    cr_assert_not(sim_bucket_check_admit(&check, 3600 * s_ns, token));
}

Test(measure_bucket_check, a_busy_window_need_not_begin_at_the_start) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 0, token));
    cr_assert(sim_bucket_check_admit(&check, 100 * s_ns, 6 * token));
    cr_assert(sim_bucket_check_admit(&check, 102 * s_ns, 6 * token));
    cr_assert_not(sim_bucket_check_admit(&check, 103 * s_ns, 2 * token), "14 tokens in 3 s");
}

Test(measure_bucket_check, a_request_over_the_burst_leaves_a_debt) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 0, 25 * token));
    cr_assert(sim_bucket_check_admit(&check, 16 * s_ns, token), "the debt of 15 and its own token are refilled");
    cr_assert_eq(check.violations, 0);
    cr_assert_not(sim_bucket_check_admit(&check, 16 * s_ns, 16 * token));
}

Test(measure_bucket_check, refunds_may_be_used_again) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 0, 10 * token));
    sim_bucket_check_refund(&check, 0, 7 * token);
    cr_assert(sim_bucket_check_admit(&check, 0, 7 * token));
    cr_assert_not(sim_bucket_check_admit(&check, 0, 1));
}

Test(measure_bucket_check, refund_to_a_full_bucket_is_no_credit) {
    struct sim_bucket_check check = ten_and_one_a_second();
    cr_assert(sim_bucket_check_admit(&check, 0, 10 * token));
    sim_bucket_check_refund(&check, 100 * s_ns, 10 * token);
    cr_assert(sim_bucket_check_admit(&check, 100 * s_ns, 10 * token));
    cr_assert_not(sim_bucket_check_admit(&check, 100 * s_ns, 1));
}

Test(measure_bucket_check, restart_forgets_the_past_but_not_its_violations) {
    struct sim_bucket_check check = ten_and_one_a_second();
    sim_bucket_check_admit(&check, 0, 10 * token);
    sim_bucket_check_admit(&check, 0, token);
    sim_bucket_check_restart(&check, s_ns, 120, 10 * s_ns, 0);
    cr_assert(sim_bucket_check_admit(&check, s_ns, 20 * token));
    cr_assert_not(sim_bucket_check_admit(&check, s_ns, token));
    cr_assert_eq(check.violations, 2);
}

Test(measure_bucket_check, floor_of_the_burst_and_no_limit) {
    struct sim_bucket_check check = {0};
    sim_bucket_check_restart(&check, 0, 6, s_ns, 1);
    cr_assert(sim_bucket_check_admit(&check, 0, token), "a tenth of a request is raised to one");
    cr_assert_not(sim_bucket_check_admit(&check, 9 * s_ns, token));
    sim_bucket_check_restart(&check, 10 * s_ns, 0, s_ns, 1);
    cr_assert(sim_bucket_check_admit(&check, 10 * s_ns, 1000000 * token));
}

/** A plain bucket of whole tokens, filled each second, against every window of the record. */
Test(measure_bucket_check, agrees_with_all_windows) {
    enum { SECONDS = 400 };
    uint64_t state = 11;
    for (int round = 0; round < 20; round++) {
        struct sim_bucket_check check = ten_and_one_a_second();
        int64_t admitted[SECONDS];
        bool lawful = true;
        for (int64_t i = 0; i < SECONDS; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            admitted[i] = state >> 60 < 3 ? (int64_t)(state >> 33) % 7 : 0;
            bool holds = true;
            int64_t sum = 0;
            for (int64_t j = i; j >= 0; j--) {
                sum += admitted[j];
                holds &= sum <= 10 + (i - j);
            }
            bool found = sim_bucket_check_admit(&check, i * s_ns, admitted[i] * token);
            cr_assert(admitted[i] == 0 || found == holds, "round %d, second %d", round, (int)i);
            lawful &= holds;
        }
        cr_assert_eq(check.violations == 0, lawful);
    }
}
