/** Streaming counts per bin and the busiest second. */
#include "rates.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const int64_t second_ns = 1000000000;
static const int64_t tenth_ns = 100000000;
static const int64_t origin_offset_ns = 500000000;
enum { RING_LOG2_MIN = 6 };

static struct sim_rate_bins bins_of(int64_t width_ns, int64_t span_ns) {
    return (struct sim_rate_bins){.width_ns = width_ns, .bins = span_ns > 0 ? span_ns / width_ns : 0, .current = -1};
}

void sim_rates_init(struct sim_rates *rates, int64_t warmup_ns, int64_t duration_ns) {
    int64_t span_ns = duration_ns - (warmup_ns + origin_offset_ns);
    *rates = (struct sim_rates){.warmup_ns = warmup_ns,
                                .duration_ns = duration_ns,
                                .second = bins_of(second_ns, span_ns),
                                .tenth = bins_of(tenth_ns, span_ns)};
}

static void close_bin(struct sim_rate_bins *bins) {
    bins->sum += bins->open;
    bins->squares += (sim_rate_squares)bins->open * bins->open;
    bins->open = 0;
}

static void count_in(struct sim_rate_bins *bins, int64_t since_origin_ns) {
    int64_t bin = since_origin_ns / bins->width_ns;
    if (bin >= bins->bins)
        return;
    if (bin != bins->current) {
        close_bin(bins);
        bins->current = bin;
    }
    bins->open++;
}

static struct sim_rate_instant *instant(const struct sim_rates *rates, size_t index) {
    return &rates->ring[(rates->first + index) & (((size_t)1 << rates->ring_log2) - 1)];
}

static void grow_ring(struct sim_rates *rates) {
    size_t log2 = rates->ring == NULL ? RING_LOG2_MIN : rates->ring_log2 + 1;
    struct sim_rate_instant *ring = sim_calloc((size_t)1 << log2, sizeof *ring);
    for (size_t i = 0; i < rates->used; i++)
        ring[i] = *instant(rates, i);
    free(rates->ring);
    rates->ring = ring;
    rates->ring_log2 = log2;
    rates->first = 0;
}

static void count_in_window(struct sim_rates *rates, int64_t now_ns) {
    while (rates->used > 0 && instant(rates, 0)->at_ns <= now_ns - second_ns) {
        rates->in_window -= instant(rates, 0)->count;
        rates->first++;
        rates->used--;
    }
    if (rates->used > 0 && instant(rates, rates->used - 1)->at_ns == now_ns) {
        instant(rates, rates->used - 1)->count++;
    } else {
        if (rates->ring == NULL || rates->used == (size_t)1 << rates->ring_log2)
            grow_ring(rates);
        *instant(rates, rates->used++) = (struct sim_rate_instant){now_ns, 1};
    }
    if (++rates->in_window > rates->peak)
        rates->peak = rates->in_window;
}

void sim_rates_record(struct sim_rates *rates, int64_t now_ns) {
    if (now_ns < rates->warmup_ns || now_ns >= rates->duration_ns)
        return;
    assert(rates->used == 0 || now_ns >= instant(rates, rates->used - 1)->at_ns);
    count_in_window(rates, now_ns);
    int64_t since_origin_ns = now_ns - rates->warmup_ns - origin_offset_ns;
    if (since_origin_ns < 0)
        return;
    count_in(&rates->second, since_origin_ns);
    count_in(&rates->tenth, since_origin_ns);
}

/** Mean and population standard deviation; the sums are exact, so that a constant count has spread 0. */
static double spread(struct sim_rate_bins bins, double *ret_mean) {
    if (bins.bins == 0) {
        *ret_mean = NAN;
        return NAN;
    }
    close_bin(&bins);
    double n = (double)bins.bins;
    *ret_mean = (double)bins.sum / n;
    sim_rate_squares excess = (sim_rate_squares)bins.bins * bins.squares - (sim_rate_squares)bins.sum * bins.sum;
    return sqrt((double)excess) / n;
}

struct sim_rates_summary sim_rates_summary(const struct sim_rates *rates) {
    struct sim_rates_summary summary = {.peak_per_s = (double)rates->peak};
    double per_tenth;
    summary.sd_per_s = spread(rates->second, &summary.per_s);
    summary.sd_per_100ms = spread(rates->tenth, &per_tenth);
    return summary;
}

void sim_rates_finish(struct sim_rates *rates) {
    free(rates->ring);
    rates->ring = NULL;
    rates->used = 0;
}
