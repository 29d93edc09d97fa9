/** Distribution of times: recording, sorting, merging, quantiles. */
#include "histogram.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_LOG2 = 10, SLOTS_LOG2_MIN = 3 };
_Static_assert(1 << STEPS_LOG2 == SIM_HISTOGRAM_STEPS, "one power of two holds SIM_HISTOGRAM_STEPS bins");

/** Relative slack on p x n, so that .99 x 100 is rank 99 whatever way the product rounds. Far below the distance of any
 *  other product of the figures' probabilities from an integer. */
static const double rank_slack = 1e-14;

uint32_t sim_histogram_bin(int64_t ns) {
    assert(ns >= 0);
    uint64_t value = (uint64_t)ns;
    if (value < SIM_HISTOGRAM_STEPS)
        return (uint32_t)value;
    unsigned shift = 63U - (unsigned)__builtin_clzll(value) - STEPS_LOG2;
    // value >> shift lies in [STEPS, 2 STEPS), so octave `shift` begins where the one below ended.
    return (uint32_t)((shift << STEPS_LOG2) + (value >> shift));
}

int64_t sim_histogram_upper_ns(uint32_t bin) {
    if (bin < 2 * SIM_HISTOGRAM_STEPS)
        return (int64_t)bin;
    unsigned shift = (bin >> STEPS_LOG2) - 1;
    uint64_t step = bin - ((uint64_t)shift << STEPS_LOG2);
    return (int64_t)(((step + 1) << shift) - 1);
}

/** Slot that holds page @p tag - 1, or the free one where it belongs. */
static uint32_t slot_of(const uint32_t *pages, uint32_t slots_log2, uint32_t tag) {
    uint32_t mask = (UINT32_C(1) << slots_log2) - 1;
    // Fibonacci hashing: neighbouring pages, the usual case, spread evenly over the table.
    uint32_t at = (tag * UINT32_C(2654435769)) >> (32 - slots_log2);
    while (pages[at] != 0 && pages[at] != tag)
        at = (at + 1) & mask;
    return at;
}

static void grow(struct sim_histogram *histogram) {
    struct sim_histogram old = *histogram;
    histogram->slots_log2 = old.pages == NULL ? SLOTS_LOG2_MIN : old.slots_log2 + 1;
    size_t slots = (size_t)1 << histogram->slots_log2;
    histogram->pages = sim_calloc(slots, sizeof *histogram->pages);
    histogram->counts = sim_calloc(slots, sizeof *histogram->counts);
    size_t old_slots = old.pages == NULL ? 0 : (size_t)1 << old.slots_log2;
    for (size_t i = 0; i < old_slots; i++) {
        if (old.pages[i] == 0)
            continue;
        uint32_t at = slot_of(histogram->pages, histogram->slots_log2, old.pages[i]);
        histogram->pages[at] = old.pages[i];
        memcpy(histogram->counts[at], old.counts[i], sizeof *old.counts);
    }
    free(old.pages);
    free(old.counts);
}

/** Slot of page @p tag - 1, taken if it was not there. */
static uint32_t take_slot(struct sim_histogram *histogram, uint32_t tag) {
    // At most half full, which keeps probes short.
    if (histogram->pages == NULL || (histogram->used + 1) * 2 > UINT32_C(1) << histogram->slots_log2)
        grow(histogram);
    uint32_t at = slot_of(histogram->pages, histogram->slots_log2, tag);
    histogram->used += histogram->pages[at] == 0;
    histogram->pages[at] = tag;
    return at;
}

void sim_histogram_record(struct sim_histogram *histogram, int64_t ns) {
    uint32_t bin = sim_histogram_bin(ns);
    uint32_t tag = bin / SIM_PAGE_BINS + 1;
    uint32_t at = histogram->pages == NULL ? 0 : slot_of(histogram->pages, histogram->slots_log2, tag);
    if (histogram->pages == NULL || histogram->pages[at] == 0)
        at = take_slot(histogram, tag);
    uint32_t *count = &histogram->counts[at][bin % SIM_PAGE_BINS];
    assert(*count < UINT32_MAX);
    ++*count;
    if (histogram->count++ == 0 || ns > histogram->max_ns)
        histogram->max_ns = ns;
    histogram->sum_s += (double)ns * 1e-9;
}

void sim_histogram_finish(struct sim_histogram *histogram) {
    free(histogram->pages);
    free(histogram->counts);
    *histogram = (struct sim_histogram){0};
}

static int by_bin(const void *a, const void *b) {
    const struct sim_bin *left = a, *right = b;
    return (left->bin > right->bin) - (left->bin < right->bin);
}

static struct sim_sample empty_sample(void) {
    return (struct sim_sample){.beyond_min_ns = INT64_MAX, .max_ns = -1};
}

/** The taken pages in order: bin is the page's first, count its slot. */
static struct sim_bin *pages_in_order(const struct sim_histogram *histogram) {
    struct sim_bin *pages = sim_alloc(histogram->used * sizeof *pages);
    size_t count = 0;
    for (size_t i = 0; i < (size_t)1 << histogram->slots_log2; i++)
        if (histogram->pages[i] != 0)
            pages[count++] = (struct sim_bin){(histogram->pages[i] - 1) * SIM_PAGE_BINS, i};
    qsort(pages, count, sizeof *pages, by_bin);
    return pages;
}

struct sim_sample sim_sample_from(const struct sim_histogram *histogram) {
    struct sim_sample sample = empty_sample();
    if (histogram->count == 0)
        return sample;
    struct sim_bin *pages = pages_in_order(histogram);
    for (size_t i = 0; i < histogram->used; i++)
        for (uint32_t j = 0; j < SIM_PAGE_BINS; j++)
            sample.bin_count += histogram->counts[pages[i].count][j] != 0;
    sample.bins = sim_alloc(sample.bin_count * sizeof *sample.bins);
    size_t at = 0;
    for (size_t i = 0; i < histogram->used; i++)
        for (uint32_t j = 0; j < SIM_PAGE_BINS; j++)
            if (histogram->counts[pages[i].count][j] != 0)
                sample.bins[at++] = (struct sim_bin){pages[i].bin + j, histogram->counts[pages[i].count][j]};
    free(pages);
    sample.count = histogram->count;
    sample.sum_s = histogram->sum_s;
    sample.max_ns = histogram->max_ns;
    return sample;
}

/** Add the bins of all @p samples, which lie in [first, last], by way of a plain array: faster than merging sorted lists,
 *  whose every comparison is a coin toss for the processor. */
static void add_bins(const struct sim_sample *const *samples, size_t count, uint32_t first, uint32_t last,
                     struct sim_sample *sum) {
    size_t width = (size_t)(last - first) + 1, used = 0;
    uint64_t *counts = sim_calloc(width, sizeof *counts);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < samples[i]->bin_count; j++) {
            uint64_t *slot = &counts[samples[i]->bins[j].bin - first];
            used += *slot == 0;
            *slot += samples[i]->bins[j].count;
        }
    sum->bins = sim_alloc(used * sizeof *sum->bins);
    for (size_t at = 0; at < width; at++)
        if (counts[at] != 0)
            sum->bins[sum->bin_count++] = (struct sim_bin){first + (uint32_t)at, counts[at]};
    free(counts);
}

struct sim_sample sim_sample_merge(const struct sim_sample *const *samples, size_t count) {
    struct sim_sample sum = empty_sample();
    uint32_t first = UINT32_MAX, last = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sim_sample *next = samples[i];
        sum.count += next->count;
        sum.beyond += next->beyond;
        sum.sum_s += next->sum_s;
        if (next->beyond > 0 && next->beyond_min_ns < sum.beyond_min_ns)
            sum.beyond_min_ns = next->beyond_min_ns;
        if (next->count == 0)
            continue;
        uint32_t low = next->bins[0].bin, high = next->bins[next->bin_count - 1].bin;
        first = low < first ? low : first;
        last = high > last ? high : last;
        sum.max_ns = next->max_ns > sum.max_ns ? next->max_ns : sum.max_ns;
    }
    if (sum.count > 0)
        add_bins(samples, count, first, last, &sum);
    return sum;
}

void sim_sample_finish(struct sim_sample *sample) {
    free(sample->bins);
    *sample = empty_sample();
}

uint64_t sim_sample_jobs(const struct sim_sample *sample, bool with_beyond) {
    return sample->count + (with_beyond ? sample->beyond : 0);
}

bool sim_sample_quantile(const struct sim_sample *sample, double p, bool with_beyond, double *ret_s) {
    assert(p >= 0 && p <= 1);
    uint64_t n = sim_sample_jobs(sample, with_beyond);
    if (n == 0)
        return false;
    double target = p * (double)n;
    uint64_t rank = (uint64_t)ceil(target - target * rank_slack);
    rank = rank < 1 ? 1 : rank > n ? n : rank;
    if (rank > sample->count) {
        *ret_s = INFINITY;
        return true;
    }
    uint64_t below = 0;
    size_t i = 0;
    while (below + sample->bins[i].count < rank)
        below += sample->bins[i++].count;
    int64_t upper_ns = sim_histogram_upper_ns(sample->bins[i].bin);
    *ret_s = (double)(upper_ns < sample->max_ns ? upper_ns : sample->max_ns) / 1e9;
    return true;
}

uint64_t sim_sample_at_or_below(const struct sim_sample *sample, double seconds) {
    assert(!isnan(seconds));
    if (seconds < 0)
        return 0;
    // Above this the conversion would overflow, and no time of a run is as long.
    if (seconds >= 9.2e9)
        return sample->count;
    uint32_t last = sim_histogram_bin(llround(seconds * 1e9));
    uint64_t count = 0;
    for (size_t i = 0; i < sample->bin_count && sample->bins[i].bin <= last; i++)
        count += sample->bins[i].count;
    return count;
}

double sim_sample_beyond_s(const struct sim_sample *sample) {
    int64_t last_ns = sample->count > 0 && sample->max_ns > 0 ? sample->max_ns : 0;
    bool later = sample->beyond > 0 && sample->beyond_min_ns > last_ns;
    return (double)(later ? sample->beyond_min_ns : last_ns) / 1e9;
}
