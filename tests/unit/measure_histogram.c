/** Histogram and sample: bins, exact merges, order statistics. */
#include "../../sim/measure/histogram.h"
#include "../../sim/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/** Knuth's MMIX generator: plenty for test data, the same everywhere. */
static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 11;
}

static struct sim_sample sample_of(const int64_t *times, size_t count) {
    struct sim_histogram histogram = {0};
    for (size_t i = 0; i < count; i++)
        sim_histogram_record(&histogram, times[i]);
    struct sim_sample sample = sim_sample_from(&histogram);
    sim_histogram_finish(&histogram);
    return sample;
}

static int by_time(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

Test(measure_histogram, bins_rise_without_gap_and_hold_their_upper_edge) {
    for (uint32_t bin = 0; bin < 53 * 1024 + 1024; bin++) {
        int64_t upper = sim_histogram_upper_ns(bin);
        cr_assert_eq(sim_histogram_bin(upper), bin, "upper edge of bin %u", bin);
        if (upper < INT64_MAX)
            cr_assert_eq(sim_histogram_bin(upper + 1), bin + 1, "after bin %u", bin);
    }
    cr_assert_eq(sim_histogram_bin(0), 0);
    cr_assert_eq(sim_histogram_upper_ns(sim_histogram_bin(INT64_MAX)), INT64_MAX);
}

Test(measure_histogram, upper_edge_is_within_a_thousandth) {
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        int64_t ns = (int64_t)(next_random(&state) >> (i % 50));
        double upper = (double)sim_histogram_upper_ns(sim_histogram_bin(ns));
        cr_assert(upper >= (double)ns && upper <= (double)ns * 1.001, "%lld -> %g", (long long)ns, upper);
        if (ns < 2048)
            cr_assert_eq(sim_histogram_upper_ns(sim_histogram_bin(ns)), ns);
    }
}

Test(measure_histogram, quantile_is_the_order_statistic_of_the_sorted_array) {
    enum { COUNT = 1777 };
    static int64_t times[COUNT];
    uint64_t state = 2;
    for (size_t i = 0; i < COUNT; i++)
        times[i] = (int64_t)(next_random(&state) % 20000000000);
    struct sim_sample sample = sample_of(times, COUNT);
    qsort(times, COUNT, sizeof *times, by_time);
    for (int k = 1; k <= COUNT; k++)
        for (int nudge = -1; nudge <= 0; nudge++) {
            // (k - 1/2) / n and k / n both ask for the k-th
            double value, p = (k + nudge * .5) / COUNT;
            cr_assert(sim_sample_quantile(&sample, p, false, &value));
            double exact = (double)times[k - 1] / 1e9;
            cr_assert(value >= exact && value <= exact * 1.001, "rank %d: %.9g not %.9g", k, value, exact);
        }
    double largest;
    cr_assert(sim_sample_quantile(&sample, 1, false, &largest));
    cr_assert_eq(largest, (double)times[COUNT - 1] / 1e9, "never over the largest");
    sim_sample_finish(&sample);
}

Test(measure_histogram, ranks_are_not_moved_by_rounding_of_the_product) {
    // .99 x n, .999 x n ... round to either side of an integer, depending on n.
    const double ps[] = {.5, .9, .95, .99, .999};
    for (int n = 1; n <= 5000; n++) {
        struct sim_bin bins[2] = {{1, 0}, {2, 0}};
        for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
            int per_mille = (int)lround(ps[i] * 1000);
            int rank = (per_mille * n + 999) / 1000;
            // rank jobs of 1 ns, the others 2 ns: the quantile is 1 ns, and 2 ns with one job less.
            for (int less = 0; less <= 1; less++) {
                bins[0].count = (uint64_t)(rank - less);
                bins[1].count = (uint64_t)(n - rank + less);
                struct sim_sample sample = {.bins = bins, .bin_count = 2, .count = (uint64_t)n, .max_ns = 2};
                double value;
                cr_assert(sim_sample_quantile(&sample, ps[i], false, &value));
                cr_assert_eq(value, (1 + less) / 1e9, "p %g n %d less %d", ps[i], n, less);
            }
        }
    }
}

Test(measure_histogram, merge_equals_recording_all_in_one) {
    enum { PARTS = 7, EACH = 500 };
    static int64_t times[PARTS * EACH];
    struct sim_sample parts[PARTS + 1];
    const struct sim_sample *list[PARTS + 1];
    uint64_t state = 3;
    for (size_t i = 0; i < PARTS * EACH; i++)
        times[i] = (int64_t)(next_random(&state) % (i % 3 == 0 ? 3000 : 90000000000));
    for (size_t i = 0; i < PARTS; i++) {
        parts[i] = sample_of(times + i * EACH, EACH);
        parts[i].beyond = i;
        parts[i].beyond_min_ns = i == 0 ? INT64_MAX : (int64_t)(100 - i);
        list[i] = &parts[i];
    }
    parts[PARTS] = sample_of(NULL, 0);
    list[PARTS] = &parts[PARTS];
    struct sim_sample merged = sim_sample_merge(list, PARTS + 1), whole = sample_of(times, PARTS * EACH);
    cr_assert_eq(merged.bin_count, whole.bin_count);
    for (size_t i = 0; i < whole.bin_count; i++)
        cr_assert(merged.bins[i].bin == whole.bins[i].bin && merged.bins[i].count == whole.bins[i].count);
    cr_assert_eq(merged.count, whole.count);
    cr_assert_eq(merged.max_ns, whole.max_ns);
    cr_assert_float_eq(merged.sum_s, whole.sum_s, 1e-9 * whole.sum_s);
    cr_assert_eq(merged.beyond, 21);
    cr_assert_eq(merged.beyond_min_ns, 94);
    for (size_t i = 0; i <= PARTS; i++)
        sim_sample_finish(&parts[i]);
    sim_sample_finish(&merged);
    sim_sample_finish(&whole);
}

Test(measure_histogram, jobs_beyond_are_longer_than_all_others) {
    const int64_t times[] = {10, 20, 30};
    struct sim_sample sample = sample_of(times, 3);
    sample.beyond = 1;
    sample.beyond_min_ns = 5;
    double value;
    cr_assert(sim_sample_quantile(&sample, .75, true, &value));
    cr_assert_eq(value, 30e-9);
    cr_assert(sim_sample_quantile(&sample, .76, true, &value));
    cr_assert(isinf(value));
    cr_assert(sim_sample_quantile(&sample, .76, false, &value));
    cr_assert_eq(value, 30e-9);
    cr_assert_eq(sim_sample_beyond_s(&sample), 30e-9, "the longest finite time is later than the job's own 5 ns");
    sample.beyond_min_ns = 50;
    cr_assert_eq(sim_sample_beyond_s(&sample), 50e-9);
    sim_sample_finish(&sample);
}

Test(measure_histogram, empty_sample) {
    struct sim_sample sample = sample_of(NULL, 0);
    double value = 7;
    cr_assert_not(sim_sample_quantile(&sample, .5, true, &value));
    cr_assert_eq(value, 7);
    cr_assert_eq(sample.max_ns, -1);
    cr_assert_eq(sample.beyond_min_ns, INT64_MAX);
    cr_assert_eq(sim_sample_at_or_below(&sample, 1), 0);
    sim_sample_finish(&sample);
}

Test(measure_histogram, at_or_below_counts_whole_bins) {
    const int64_t times[] = {0, 1000000000, 1000000001, 2000000000, 900000000000};
    struct sim_sample sample = sample_of(times, 5);
    cr_assert_eq(sim_sample_at_or_below(&sample, -1), 0);
    cr_assert_eq(sim_sample_at_or_below(&sample, 0), 1);
    cr_assert_eq(sim_sample_at_or_below(&sample, .99), 1);
    cr_assert_eq(sim_sample_at_or_below(&sample, 1), 3, "1 s and 1 s + 1 ns share a bin");
    cr_assert_eq(sim_sample_at_or_below(&sample, 2), 4);
    cr_assert_eq(sim_sample_at_or_below(&sample, INFINITY), 5);
    sim_sample_finish(&sample);
}

Test(measure_histogram, few_jobs_cost_bytes_and_tables_stay_half_empty) {
    struct sim_histogram histogram = {0};
    for (int64_t i = 0; i < 4; i++)
        sim_histogram_record(&histogram, 1 << i);
    cr_assert_leq(histogram.slots_log2, 3);
    for (int64_t i = 0; i < 100000; i++) {
        sim_histogram_record(&histogram, i * i);
        cr_assert(2 * histogram.used <= UINT32_C(1) << histogram.slots_log2);
    }
    cr_assert_eq(histogram.count, 100004);
    sim_histogram_finish(&histogram);
}
