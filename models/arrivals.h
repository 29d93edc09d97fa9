/** Arrival processes: when the jobs of one stream come.
 *
 *  Jobs come in [from, until). Every process is exact inversion: the gap before job n is made from the exponential (or
 *  renewal) draw of counter (block 0, job n); on_off takes its sojourns within that gap from blocks 1, 2, ... of the
 * same job, so nothing depends on how far another stream has run. Poisson, renewal and on_off start at `from`: the
 * first gap is an ordinary one, on_off is stationary there. */
#ifndef MODELS_ARRIVALS_H
#define MODELS_ARRIVALS_H

#include "distribution.h"
#include "streams.h"
#include "trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum model_arrivals_kind {
    MODEL_POISSON,
    MODEL_GAMMA_RENEWAL,
    MODEL_WEIBULL_RENEWAL,
    MODEL_REGULAR, /**< `constant`: one every 1 / rate */
    MODEL_BURST,
    MODEL_ON_OFF,  /**< two-state Markov-modulated Poisson, started stationary */
    MODEL_PROFILE, /**< Poisson, piecewise-constant rate by hour of the day (24) or of the week from Monday (168), UTC
                    */
    MODEL_CLOSED,  /**< a population that thinks, sends, waits for the result, thinks */
    MODEL_TRACE
};

/** Settings of one process; read-only while in use. */
struct model_arrivals_config {
    enum model_arrivals_kind kind;
    double rate_per_s;             /**< poisson, gamma, weibull, constant */
    double cv;                     /**< gamma, weibull: coefficient of variation of gaps */
    struct model_distribution gap; /**< gamma, weibull: prepared, mean 1 / rate */
    int64_t first_ns;    /**< constant, periodic burst: first instant of the run (those before `from` are left out); -1:
                            one gap after from */
    int64_t burst_count; /**< burst: jobs at each instant */
    size_t at_count;     /**< burst at given instants, rising; 0: periodic */
    int64_t *at_ns;
    int64_t every_ns;                                            /**< periodic burst */
    double on_rate_per_s, off_rate_per_s, mean_on_s, mean_off_s; /**< on_off */
    size_t profile_count;                                        /**< 24 or 168 */
    double *profile_rate_per_s;
    int64_t population; /**< closed */
    struct model_distribution think_s;
    const struct model_trace *trace; /**< its earliest row, of whatever tenant, is at from */
    int64_t trace_tenant;            /**< only rows of this tenant index; -1: all rows */
    double time_scale;               /**< trace: file seconds x this = simulated seconds */
    bool loop; /**< trace: start over one mean gap of the whole file after its last row, so that tenants of one
                    file stay in step; a file that spans no time is not repeated */
    int64_t from_ns, until_ns; /**< window in which jobs come; until INT64_MAX: no end. Set it to the run's end at
                                    the latest: a process of almost no rate is searched up to it */
    int64_t start_unix_ns;     /**< wall clock of instant 0 (profile) */
};

/** One stream's process in one replication. */
struct model_arrivals {
    const struct model_arrivals_config *config;
    const struct model_streams *streams;
    uint32_t stream; /**< index over the whole scenario */
    uint32_t job;    /**< number of the next job, from 0 */
    uint32_t block;  /**< draws used within the current job number */
    int64_t time_ns; /**< of the last arrival */
    double clock_s;  /**< position of the process in seconds of the run, so that rounding to ns never adds up; INFINITY:
                          it has ended */
    size_t
        cursor; /**< trace: next row; burst: instant; constant: tick; profile: hours since the one that holds `from` */
    int64_t left;       /**< burst: jobs still to come at this instant */
    int64_t lap_ns;     /**< trace: start of the current lap */
    double state_end_s; /**< on_off: end of the sojourn in progress */
    bool on;            /**< on_off: in the on state */
};

/** An arrival: when, and the trace row it comes from (NULL for other processes). */
struct model_arrival {
    int64_t time_ns;
    uint32_t job;
    const struct model_trace_row *row;
};

/** Start at instant 0 of @p streams' replication. Borrows both. Closed populations do not use this: see
 * model_think_ns(). */
void model_arrivals_init(struct model_arrivals *arrivals, const struct model_arrivals_config *config,
                         const struct model_streams *streams, uint32_t stream);

/** The next arrival. @return false when none comes any more (before until_ns). Times never fall. */
bool model_arrivals_next(struct model_arrivals *arrivals, struct model_arrival *ret);

/** Think time before job @p job of a closed stream, in ns. */
int64_t model_think_ns(const struct model_arrivals_config *config, const struct model_streams *streams, uint32_t stream,
                       uint32_t job);

/** Expected jobs in [0, duration) per second of it, for the load sheet: exact for constant, burst, profile and trace,
 *  long-run rate x share of the window otherwise; closed: population / mean think time (INFINITY without thinking), an
 *  upper bound. */
double model_arrivals_mean_rate(const struct model_arrivals_config *config, double duration_s);

#endif
