/** The token-bucket invariant, checked from outside: in every window of length t no more is admitted than
 *
 *      burst + rate x t + max(0, largest need admitted so far - burst)
 *
 *  whose last term is the debt that one request larger than the bucket may leave. Shares nothing with models/bucket.c
 *  but the unit: it never sees a level, only what was admitted and when.
 *
 *  Exact and streaming. With A(t) the units admitted so far and D(t) = A(t) - rate x t, the busiest window that ends at
 * t holds D(t) less the least D just before an admission or after a refund; that running minimum is all it keeps.
 *
 *  Feed needs as estimated at admission. A refund (output reserved in vain, an estimate that was too high) is given
 * back; a later extra charge is not fed, as it was never asked to pass. */
#ifndef SIM_BUCKET_CHECK_H
#define SIM_BUCKET_CHECK_H

#include "../../models/bucket.h"

#include <stdbool.h>
#include <stdint.h>

/** All zero is a check that is off and has found nothing. */
struct sim_bucket_check {
    bool limited;         /**< false: no limit, nothing to hold */
    int64_t rate;         /**< units per ns */
    model_units burst;    /**< units */
    model_units admitted; /**< A: admitted less refunded, since the start */
    model_units least;    /**< running minimum of D */
    model_units largest;  /**< largest need admitted since the start */
    int64_t start_ns;
    uint64_t violations; /**< admissions that broke the bound; kept over restarts */
};

/** Begin anew at @p now_ns under a limit of @p per_minute tokens (0: none) and a burst of per_minute x @p burst_ns / 60
 * s, but at least @p burst_min_tokens. */
void sim_bucket_check_restart(struct sim_bucket_check *check, int64_t now_ns, int64_t per_minute, int64_t burst_ns,
                              int64_t burst_min_tokens);

/** @p units were admitted at @p now_ns. @return whether every window that ends now holds; counts it otherwise. */
bool sim_bucket_check_admit(struct sim_bucket_check *check, int64_t now_ns, model_units units);

/** @p units >= 0 of an earlier admission are given back at @p now_ns. */
void sim_bucket_check_refund(struct sim_bucket_check *check, int64_t now_ns, model_units units);

#endif
