/** Jain's index and max-min shares against values worked out by hand. */
#include "../../sim/measure/fairness.h"

#include <criterion/criterion.h>
#include <math.h>

Test(measure_fairness, jain_of_known_divisions) {
    const double half[] = {3, 3, 0, 0};
    const double four[] = {1, 2, 3, 4}, ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const double two_one[] = {2, 1}, ten_one[] = {10, 1};
    cr_assert_float_eq(sim_jain(half, 4), .5, 1e-15);
    cr_assert_float_eq(sim_jain(half, 2), 1, 1e-15);
    cr_assert_float_eq(sim_jain(four, 4), .833333, 5e-7);
    cr_assert_float_eq(sim_jain(ten, 10), .785714, 5e-7);
    cr_assert_float_eq(sim_jain(two_one, 2), .9, 1e-15);
    cr_assert_float_eq(sim_jain(ten_one, 2), .599010, 5e-7);
}

Test(measure_fairness, jain_has_no_unit_and_no_value_without_service) {
    const double tiny[] = {1e-200, 2e-200, 3e-200, 4e-200}, huge[] = {1e200, 2e200, 3e200, 4e200};
    const double zero[] = {0, 0};
    cr_assert_float_eq(sim_jain(tiny, 4), 5. / 6, 1e-15);
    cr_assert_float_eq(sim_jain(huge, 4), 5. / 6, 1e-15);
    cr_assert(isnan(sim_jain(zero, 2)));
    cr_assert(isnan(sim_jain(zero, 0)));
}

Test(measure_fairness, water_fills_small_demands_first) {
    const double demands[] = {2, 5, 20}, equal[] = {1, 1, 1};
    uint32_t order[3];
    double shares[3];
    sim_water_fill(10, demands, equal, 3, order, shares);
    cr_assert_float_eq(shares[0], 2, 1e-12);
    cr_assert_float_eq(shares[1], 4, 1e-12);
    cr_assert_float_eq(shares[2], 4, 1e-12);
    sim_water_fill(100, demands, equal, 3, order, shares);
    cr_assert_float_eq(shares[2], 20, 1e-12, "never more than asked for");
    sim_water_fill(0, demands, equal, 3, order, shares);
    cr_assert_eq(shares[0] + shares[1] + shares[2], 0);
}

Test(measure_fairness, water_fills_by_weight) {
    const double demands[] = {20, 20, 1, 5}, weights[] = {3, 1, 1, 0};
    uint32_t order[4];
    double shares[4];
    sim_water_fill(9, demands, weights, 4, order, shares);
    cr_assert_float_eq(shares[0], 6, 1e-12);
    cr_assert_float_eq(shares[1], 2, 1e-12);
    cr_assert_float_eq(shares[2], 1, 1e-12);
    cr_assert_eq(shares[3], 0, "weight 0 owns nothing");
}

Test(measure_fairness, shares_are_max_min_fair) {
    enum { COUNT = 50 };
    double demands[COUNT], weights[COUNT], shares[COUNT], sum = 0, level = 0;
    uint32_t order[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        demands[i] = (double)((i * 37) % 101);
        weights[i] = i % 7 == 0 ? 1e-9 : (double)(1 + i % 4);
    }
    sim_water_fill(777, demands, weights, COUNT, order, shares);
    for (size_t i = 0; i < COUNT; i++) {
        sum += shares[i];
        level = fmax(level, shares[i] / weights[i]);
    }
    cr_assert_float_eq(sum, 777, 1e-9);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert(shares[i] <= demands[i]);
        // Who gets less than it asks for stands at the highest level of all.
        if (shares[i] < demands[i])
            cr_assert_float_eq(shares[i] / weights[i], level, 1e-6 * level);
    }
}

Test(measure_fairness, three_readings_of_one_division) {
    // The second asked for little and got it; the fourth asked for nothing; the third is held below its share.
    const double served[] = {6, 1, 1, 0}, demands[] = {9, 1, 9, 0}, weights[] = {3, 1, 1, 1};
    struct sim_fairness fairness = sim_fairness_of(served, demands, weights, 4);
    cr_assert_eq(fairness.tenants, 3);
    cr_assert_float_eq(fairness.service, 64. / (3 * 38), 1e-12);
    cr_assert_float_eq(fairness.weighted, 16. / (3 * 6), 1e-12);
    // shares of 8 by weight 3:1:1 over 9, 1, 9: 5.25, 1, 1.75
    double x = 6 / 5.25, z = 1 / 1.75;
    cr_assert_float_eq(fairness.entitlement, (x + 1 + z) * (x + 1 + z) / (3 * (x * x + 1 + z * z)), 1e-12);
}

Test(measure_fairness, entitlement_is_one_when_each_gets_what_it_asks_for) {
    const double served[] = {100, 1, 7}, weights[] = {1, 3, 1};
    struct sim_fairness fairness = sim_fairness_of(served, served, weights, 3);
    cr_assert_float_eq(fairness.entitlement, 1, 1e-12);
    cr_assert_lt(fairness.service, .5);
}

Test(measure_fairness, does_not_exist_without_demand_or_service) {
    const double zero[] = {0, 0}, one[] = {1, 1};
    cr_assert(isnan(sim_fairness_of(zero, zero, one, 2).service));
    cr_assert(isnan(sim_fairness_of(zero, one, one, 2).entitlement));
    cr_assert_eq(sim_fairness_of(zero, one, one, 2).tenants, 2);
}

Test(measure_fairness, poisson_noise_alone) {
    cr_assert_float_eq(sim_jain_poisson(10, 100), .991, 5e-4);
    cr_assert_eq(sim_jain_poisson(1, 3), 1);
    cr_assert(isnan(sim_jain_poisson(0, 3)));
    cr_assert(isnan(sim_jain_poisson(3, 0)));
}
