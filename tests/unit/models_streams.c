/** Philox against its published answers, and the map of draws to counters. */
#include "../../models/streams.h"

#include <criterion/criterion.h>
#include <Random123/philox.h>

Test(models_streams, philox_known_answers) {
    struct model_streams zero = {.seed = 0, .replication = 0};
    cr_assert_eq(model_bits(&zero, 0, 0, (enum model_purpose)0, 0), UINT64_C(0xe169c58d6627e8d5));
    struct model_streams ones = {.seed = UINT64_MAX, .replication = MODEL_REPLICATIONS_MAX};
    uint64_t bits = model_bits(&ones, UINT32_MAX, UINT32_MAX, (enum model_purpose)255, UINT32_MAX);
    cr_assert_eq(bits, UINT64_C(0x41c83b0e408f276d));
}

Test(models_streams, counter_is_block_job_stream_purpose_and_replication) {
    struct model_streams streams = {.seed = UINT64_C(0x0123456789abcdef), .replication = 0x00a1b2c3};
    philox4x32_key_t key = {{0x89abcdef, 0x01234567}};
    philox4x32_ctr_t counter = {{7, 1234567, 42, 0x05a1b2c3}};
    philox4x32_ctr_t words = philox4x32(counter, key);
    uint64_t expected = ((uint64_t)words.v[1] << 32) | words.v[0];
    cr_assert_eq(model_bits(&streams, 42, 1234567, MODEL_OUTPUT, 7), expected);
    cr_assert_eq(model_uniform(&streams, 42, 1234567, MODEL_OUTPUT, 7), model_unit(expected));
}

Test(models_streams, unit_stays_inside_the_open_interval) {
    cr_assert_eq(model_unit(0), 0x1p-54);
    cr_assert_eq(model_unit(UINT64_C(1) << 63), 0.5, "k + 1/2 rounds to even there");
    cr_assert_eq(model_unit(UINT64_C(1) << 62), 0.25 + 0x1p-54);
    cr_assert_eq(model_unit(UINT64_MAX), 1 - 0x1p-53);
    cr_assert_eq(model_unit(0x7ff), model_unit(0), "the lowest 11 bits do not count");
    cr_assert_gt(model_unit(0x800), model_unit(0));
}
