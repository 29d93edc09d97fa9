/** How evenly events come: mean and spread of counts per bin, and the busiest second.
 *
 *  Streaming: memory is one entry for each distinct instant within the last second. Bins begin at warmup + 0.5 s, away
 *  from whole seconds, where timers and constant arrivals put their events; only whole bins that end by `duration`
 * count. */
#ifndef SIM_RATES_H
#define SIM_RATES_H

#include <stddef.h>
#include <stdint.h>

/** Sums of squared counts, exact. */
__extension__ typedef unsigned __int128 sim_rate_squares;

/** Bins of one width. */
struct sim_rate_bins {
    int64_t width_ns;
    int64_t bins;    /**< whole bins by `duration`; empty ones count */
    int64_t current; /**< bin that `open` counts; -1: none yet */
    uint64_t open;
    uint64_t sum; /**< over closed bins */
    sim_rate_squares squares;
};

struct sim_rate_instant {
    int64_t at_ns;
    uint64_t count;
};

struct sim_rates {
    int64_t warmup_ns, duration_ns;
    struct sim_rate_bins second, tenth;
    struct sim_rate_instant *ring; /**< instants within the last second, oldest at `first`; power-of-two room */
    size_t ring_log2, first, used;
    uint64_t in_window; /**< events in the ring */
    uint64_t peak;
};

struct sim_rates_summary {
    double per_s;        /**< mean count of the 1 s bins; NAN without a whole bin */
    double sd_per_s;     /**< population standard deviation of the same, events/s */
    double sd_per_100ms; /**< ... of the 0.1 s bins, events/100 ms */
    double peak_per_s;   /**< most events in any window (t - 1 s, t] */
};

/** Watch [warmup, duration). Owns memory until sim_rates_finish(). */
void sim_rates_init(struct sim_rates *rates, int64_t warmup_ns, int64_t duration_ns);

/** One event at @p now_ns, not before the last one. Outside [warmup, duration) it is ignored. */
void sim_rates_record(struct sim_rates *rates, int64_t now_ns);

/** What was found so far, as if no event followed. */
struct sim_rates_summary sim_rates_summary(const struct sim_rates *rates);

void sim_rates_finish(struct sim_rates *rates);

#endif
