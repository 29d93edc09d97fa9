/** The token bucket: exact integer levels, clamping, debt, drains and waits. */
#include "../../models/bucket.h"

#include <criterion/criterion.h>

#define SECOND_NS INT64_C(1000000000)

static model_units tokens(int64_t count) {
    return (model_units)count * MODEL_UNITS_PER_TOKEN;
}

static struct model_bucket bucket_of(int64_t per_minute, int64_t burst_s) {
    struct model_bucket bucket = {.limited = false};
    model_bucket_configure(&bucket, 0, per_minute, burst_s * SECOND_NS, 0);
    return bucket;
}

Test(models_bucket, starts_full_with_a_burst_of_refill) {
    struct model_bucket bucket = bucket_of(40000, 60);
    cr_assert(bucket.capacity == tokens(40000));
    cr_assert(bucket.level == bucket.capacity);
    cr_assert(bucket_of(50, 6).capacity == tokens(5));
}

Test(models_bucket, capacity_may_be_a_fraction_of_a_token_unless_a_minimum_is_asked_for) {
    struct model_bucket bucket = {.limited = false};
    model_bucket_configure(&bucket, 0, 50, SECOND_NS, 0);
    cr_assert(bucket.capacity == 50 * (model_units)SECOND_NS);
    struct model_bucket rpm = {.limited = false};
    model_bucket_configure(&rpm, 0, 50, SECOND_NS, 1);
    cr_assert(rpm.capacity == tokens(1));
    cr_assert(rpm.level == tokens(1));
}

Test(models_bucket, refills_one_unit_per_ns_and_token_a_minute_up_to_the_capacity) {
    struct model_bucket bucket = bucket_of(7, 60);
    model_bucket_charge(&bucket, tokens(7));
    model_bucket_advance(&bucket, 1);
    cr_assert(bucket.level == 7);
    model_bucket_advance(&bucket, 59 * SECOND_NS);
    cr_assert(bucket.level == 7 * 59 * (model_units)SECOND_NS);
    model_bucket_advance(&bucket, 61 * SECOND_NS);
    cr_assert(bucket.level == tokens(7));
}

Test(models_bucket, goes_into_debt_and_comes_back) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(100));
    cr_assert(bucket.level == tokens(-40));
    cr_assert_eq(model_bucket_remaining(&bucket), 0);
    model_bucket_advance(&bucket, 41 * SECOND_NS);
    cr_assert(bucket.level == tokens(1));
}

Test(models_bucket, refunds_are_clamped_but_counted) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(10));
    model_bucket_advance(&bucket, 9 * SECOND_NS);
    model_bucket_charge(&bucket, tokens(-5));
    cr_assert(bucket.level == tokens(60));
    cr_assert(bucket.charged == tokens(5));
}

Test(models_bucket, corrections_move_the_level_only) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(10));
    model_bucket_correct(&bucket, tokens(3));
    cr_assert(bucket.level == tokens(47));
    model_bucket_correct(&bucket, tokens(-30));
    cr_assert(bucket.level == tokens(60));
    cr_assert(bucket.charged == tokens(10));
}

Test(models_bucket, drains_run_against_the_refill) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_drain(&bucket, 180); /* 3 tokens a second against 1 */
    model_bucket_advance(&bucket, 40 * SECOND_NS);
    cr_assert(bucket.level == tokens(60 - 80));
    cr_assert(bucket.charged == tokens(120));
    model_bucket_drain(&bucket, -180);
    model_bucket_advance(&bucket, 50 * SECOND_NS);
    cr_assert(bucket.level == tokens(-10));
    cr_assert(bucket.charged == tokens(120));
}

Test(models_bucket, a_drain_below_the_refill_keeps_a_full_bucket_full) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_drain(&bucket, 59);
    model_bucket_advance(&bucket, 1000 * SECOND_NS);
    cr_assert(bucket.level == bucket.capacity);
}

Test(models_bucket, waits_are_whole_seconds_rounded_up) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(60));
    cr_assert_eq(model_bucket_wait_s(&bucket, tokens(1)), 1);
    cr_assert_eq(model_bucket_wait_s(&bucket, tokens(5)), 5);
    cr_assert_eq(model_bucket_wait_s(&bucket, tokens(5) + 1), 6);
    cr_assert_eq(model_bucket_wait_s(&bucket, 0), 1, "never less than a second");
    cr_assert_eq(model_bucket_wait_s(&bucket, tokens(-5)), 1);
    model_bucket_advance(&bucket, 1);
    cr_assert_eq(model_bucket_wait_s(&bucket, tokens(5)), 5);
}

Test(models_bucket, waits_ignore_drains) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(60));
    model_bucket_drain(&bucket, 600);
    cr_assert_eq(model_bucket_wait_s(&bucket, tokens(5)), 5);
}

Test(models_bucket, wide_debts_do_not_overflow) {
    struct model_bucket bucket = bucket_of(1, 60);
    model_bucket_charge(&bucket, tokens(INT64_C(10000000)));
    /* 10,000,000 tokens at one a minute, less the one that it started with */
    cr_assert_eq(model_bucket_wait_s(&bucket, 0), INT64_C(9999999) * 60);
    model_bucket_charge(&bucket, tokens(INT64_C(1000000000000000)));
    cr_assert_eq(model_bucket_wait_s(&bucket, 0), MODEL_BUCKET_WAIT_MAX_S);
    struct model_bucket wide = bucket_of(10000000, 86400);
    cr_assert(wide.level == tokens(INT64_C(14400000000)));
    cr_assert_eq(model_bucket_remaining(&wide), INT64_C(14400000000));
}

Test(models_bucket, remaining_is_the_floor) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(3) + 1);
    cr_assert_eq(model_bucket_remaining(&bucket), 56);
    model_bucket_charge(&bucket, -1);
    cr_assert_eq(model_bucket_remaining(&bucket), 57);
}

Test(models_bucket, a_change_keeps_the_level_and_clamps_it) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(30));
    model_bucket_configure(&bucket, 10 * SECOND_NS, 120, 60 * SECOND_NS, 0);
    cr_assert(bucket.level == tokens(40), "10 s at the old rate, nothing for the larger capacity");
    model_bucket_configure(&bucket, 10 * SECOND_NS, 20, 60 * SECOND_NS, 0);
    cr_assert(bucket.level == tokens(20));
}

Test(models_bucket, a_bucket_that_had_no_limit_starts_full) {
    struct model_bucket bucket = bucket_of(60, 60);
    model_bucket_charge(&bucket, tokens(50));
    model_bucket_configure(&bucket, 0, 0, 60 * SECOND_NS, 0);
    cr_assert(!bucket.limited);
    cr_assert_eq(model_bucket_remaining(&bucket), INT64_MAX);
    model_bucket_charge(&bucket, tokens(500));
    model_bucket_configure(&bucket, SECOND_NS, 30, 60 * SECOND_NS, 0);
    cr_assert(bucket.level == tokens(30));
    cr_assert(bucket.charged == tokens(550), "without a limit it still counts");
}

Test(models_bucket, drains_go_on_across_changes) {
    struct model_bucket bucket = bucket_of(0, 60);
    model_bucket_drain(&bucket, 120);
    model_bucket_configure(&bucket, 10 * SECOND_NS, 60, 60 * SECOND_NS, 0);
    cr_assert(bucket.level == tokens(60));
    model_bucket_advance(&bucket, 20 * SECOND_NS);
    cr_assert(bucket.level == tokens(50));
    cr_assert(bucket.charged == tokens(40));
}
