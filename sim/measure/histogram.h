/** Distribution of times: a log-linear histogram whose bins are at most 0.1 % wide, that merges exactly.
 *
 *  Two forms. `sim_histogram` records: an open-addressing table from bin to count, so that ten jobs of one tenant cost
 *  bytes and ten million cost no more than the range they span. `sim_sample` is what is kept of it: sorted bins, plus
 * what must be exact (count, sum, largest) and the jobs that lie beyond every finite time (failed, censored,
 * abandoned). */
#ifndef SIM_HISTOGRAM_H
#define SIM_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Sub-bins per power of two: relative width 1/1024 at most. Below 1024 ns bins are exact. */
enum { SIM_HISTOGRAM_STEPS = 1024 };

/** Bin of @p ns >= 0, rising with it. */
uint32_t sim_histogram_bin(int64_t ns);

/** Largest time that falls into @p bin, in ns. */
int64_t sim_histogram_upper_ns(uint32_t bin);

struct sim_bin {
    uint32_t bin;
    uint64_t count;
};

/** Bins that share a page: one cache line of counts. */
enum { SIM_PAGE_BINS = 16 };

struct sim_histogram {
    uint32_t *pages;                   /**< power-of-two slots: number of the page there + 1; 0: free. NULL at first */
    uint32_t (*counts)[SIM_PAGE_BINS]; /**< by slot */
    uint32_t slots_log2;
    uint32_t used; /**< slots taken */
    uint64_t count;
    double sum_s;
    int64_t max_ns;
};

/** All zero is an empty histogram. Record one time; negative is a bug. Grows by doubling; out of memory ends the
 * process through sim_out_of_memory(). */
void sim_histogram_record(struct sim_histogram *histogram, int64_t ns);
void sim_histogram_finish(struct sim_histogram *histogram);

/** A finished sample. `beyond` jobs are longer than every finite one; each of them lasted at least beyond_min_ns. */
struct sim_sample {
    struct sim_bin *bins; /**< rising */
    size_t bin_count;
    uint64_t count; /**< finite ones */
    uint64_t beyond;
    int64_t beyond_min_ns; /**< INT64_MAX when beyond == 0 */
    double sum_s;          /**< of finite ones */
    int64_t max_ns;        /**< largest finite one; -1: none */
};

/** Sorted copy of @p histogram, without jobs beyond. */
struct sim_sample sim_sample_from(const struct sim_histogram *histogram);

/** Exact union of @p count samples (any may be empty). */
struct sim_sample sim_sample_merge(const struct sim_sample *const *samples, size_t count);

void sim_sample_finish(struct sim_sample *sample);

/** How many times it holds, those beyond among them if @p with_beyond. */
uint64_t sim_sample_jobs(const struct sim_sample *sample, bool with_beyond);

/** The smallest order statistic with at least @p p x n at or below it (upper edge of its bin, but never over the
 * largest), in s.
 *  @p with_beyond: n counts the jobs beyond. *ret_s is INFINITY when it falls among them.
 *  @return false when n == 0. */
bool sim_sample_quantile(const struct sim_sample *sample, double p, bool with_beyond, double *ret_s);

/** How many finite times lie in bins at or below that of @p seconds. */
uint64_t sim_sample_at_or_below(const struct sim_sample *sample, double seconds);

/** What a quantile among the jobs beyond certainly exceeds, in s: the longest finite time, or the shortest time that
 * any job beyond was in the system, whichever is later. */
double sim_sample_beyond_s(const struct sim_sample *sample);

#endif
