/** Streaming rates against the same figures computed from the whole list of events. */
#include "../../sim/measure/rates.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const int64_t s_ns = 1000000000;

static struct sim_rates_summary measure(int64_t warmup_ns, int64_t duration_ns, const int64_t *times, size_t count) {
    struct sim_rates rates;
    sim_rates_init(&rates, warmup_ns, duration_ns);
    for (size_t i = 0; i < count; i++)
        sim_rates_record(&rates, times[i]);
    struct sim_rates_summary summary = sim_rates_summary(&rates);
    sim_rates_finish(&rates);
    return summary;
}

/** Mean and population standard deviation of whole bins, the slow way. */
static double spread(int64_t warmup_ns, int64_t duration_ns, int64_t width_ns, const int64_t *times, size_t count,
                     double *ret_mean) {
    int64_t origin = warmup_ns + s_ns / 2;
    double n = 0, sum = 0, squares = 0;
    for (int64_t begin = origin; begin + width_ns <= duration_ns; begin += width_ns) {
        double inside = 0;
        for (size_t i = 0; i < count; i++)
            inside += times[i] >= begin && times[i] < begin + width_ns;
        n++;
        sum += inside;
        squares += inside * inside;
    }
    *ret_mean = sum / n;
    return sqrt(squares / n - sum / n * (sum / n));
}

static int by_time(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

Test(measure_rates, equals_the_slow_way) {
    enum { COUNT = 600 };
    static int64_t times[COUNT];
    int64_t warmup = 3 * s_ns, duration = 3 * s_ns + 20250000000;
    uint64_t state = 5;
    for (size_t i = 0; i < COUNT; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        // bunched: many events at the same multiples of 50 ms, some before the warm-up and after the end
        times[i] = (int64_t)(state >> 33) % 520 * 50000000;
    }
    qsort(times, COUNT, sizeof *times, by_time);
    struct sim_rates_summary found = measure(warmup, duration, times, COUNT);
    double mean, tenth_mean;
    double sd = spread(warmup, duration, s_ns, times, COUNT, &mean);
    double tenth_sd = spread(warmup, duration, s_ns / 10, times, COUNT, &tenth_mean);
    cr_assert_float_eq(found.per_s, mean, 1e-9);
    cr_assert_float_eq(found.sd_per_s, sd, 1e-9);
    cr_assert_float_eq(found.sd_per_100ms, tenth_sd, 1e-9);
    double peak = 0;
    for (size_t i = 0; i < COUNT; i++) {
        double inside = 0;
        for (size_t j = 0; j < COUNT; j++)
            inside += times[j] >= warmup && times[j] < duration && times[j] <= times[i] && times[j] > times[i] - s_ns;
        peak = fmax(peak, times[i] >= warmup && times[i] < duration ? inside : 0);
    }
    cr_assert_eq(found.peak_per_s, peak);
}

Test(measure_rates, an_even_flow_has_no_spread) {
    int64_t times[100];
    for (int i = 0; i < 100; i++)
        times[i] = i * s_ns / 10; // 10 a second, one in each tenth, on its edge
    struct sim_rates_summary found = measure(0, 10 * s_ns, times, 100);
    cr_assert_eq(found.per_s, 10);
    cr_assert_eq(found.sd_per_s, 0);
    cr_assert_eq(found.sd_per_100ms, 0);
    cr_assert_eq(found.peak_per_s, 10);
}

Test(measure_rates, events_before_the_origin_count_for_the_peak_only) {
    const int64_t times[] = {0, 0, 0, 499999999, 500000000};
    struct sim_rates_summary found = measure(0, 2 * s_ns, times, 5);
    cr_assert_eq(found.per_s, 1, "one whole bin, [.5 s, 1.5 s)");
    cr_assert_eq(found.sd_per_s, 0);
    cr_assert_eq(found.peak_per_s, 5);
}

Test(measure_rates, window_of_the_peak_is_open_at_its_start) {
    const int64_t times[] = {0, 1000000000, 2999999999, 3000000000, 3999999998};
    cr_assert_eq(measure(0, 10 * s_ns, times, 2).peak_per_s, 1);
    cr_assert_eq(measure(0, 10 * s_ns, times, 5).peak_per_s, 3);
}

Test(measure_rates, nothing_happened_or_no_whole_bin) {
    struct sim_rates_summary none = measure(0, 10 * s_ns, NULL, 0);
    cr_assert_eq(none.per_s, 0);
    cr_assert_eq(none.sd_per_s, 0);
    cr_assert_eq(none.peak_per_s, 0);
    struct sim_rates_summary brief = measure(0, s_ns, NULL, 0);
    cr_assert(isnan(brief.per_s) && isnan(brief.sd_per_s));
    cr_assert_eq(brief.sd_per_100ms, 0, "five tenths fit");
}

Test(measure_rates, memory_is_that_of_one_second) {
    struct sim_rates rates;
    sim_rates_init(&rates, 0, 1000000 * s_ns);
    for (int64_t i = 0; i < 1000000; i++)
        sim_rates_record(&rates, i / 7 * s_ns / 50); // 50 instants a second, 7 events each
    cr_assert_leq(rates.ring_log2, 6);
    cr_assert_eq(rates.peak, 350);
    sim_rates_finish(&rates);
}
