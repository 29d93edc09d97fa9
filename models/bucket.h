/** A token bucket in exact integer arithmetic.
 *
 *  Levels count units of 1/(60e9) token, so that a limit of L tokens a minute refills exactly L units a nanosecond and
 * a retry that waited exactly its time is never refused by rounding. The level may go below zero (debt); it is clamped
 *  at the capacity. Between calls it moves at the refill rate less the drains in progress. */
#ifndef MODELS_BUCKET_H
#define MODELS_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

/** Wide enough for a day's burst of the largest limit. */
__extension__ typedef __int128 model_units;

/** Units in one token. */
#define MODEL_UNITS_PER_TOKEN INT64_C(60000000000)

/** No wait is longer than this: some 31 years. */
#define MODEL_BUCKET_WAIT_MAX_S INT64_C(1000000000)

struct model_bucket {
    bool limited;   /**< false: no limit; every other field but `charged` is idle */
    int64_t refill; /**< units per ns = tokens per minute */
    int64_t drain;  /**< units per ns taken by streams in progress */
    model_units capacity;
    model_units level;   /**< at `at_ns` */
    model_units charged; /**< everything charged so far less everything refunded, drains included up to `at_ns` */
    int64_t at_ns;
};

/** Set limit and burst at @p now_ns: @p per_minute tokens (0: no limit), capacity = per_minute x burst / 60 s but at
 *  least @p capacity_min tokens. A bucket that had no limit before starts full; otherwise the level is kept, clamped.
 *  Drains in progress go on. A bucket that is all zero is one without limit at instant 0. */
void model_bucket_configure(struct model_bucket *bucket, int64_t now_ns, int64_t per_minute, int64_t burst_ns,
                            int64_t capacity_min);

/** Bring level and `charged` to @p now_ns. */
void model_bucket_advance(struct model_bucket *bucket, int64_t now_ns);

/** Take @p units (negative: refund, clamped at the capacity). The bucket must be at now. */
void model_bucket_charge(struct model_bucket *bucket, model_units units);

/** As charge, but `charged` keeps the figure first charged: the correction of an estimate. */
void model_bucket_correct(struct model_bucket *bucket, model_units units);

/** Change the drain by @p units_per_ns. The bucket must be at now. Without a limit it only adds up in `charged`. */
void model_bucket_drain(struct model_bucket *bucket, int64_t units_per_ns);

/** Whole seconds, at least 1 and at most MODEL_BUCKET_WAIT_MAX_S, until the level reaches @p units at the plain refill
 *  rate. The bucket must be limited and at now. */
int64_t model_bucket_wait_s(const struct model_bucket *bucket, model_units units);

/** Whole tokens left, at least 0; INT64_MAX without a limit. The bucket must be at now. */
int64_t model_bucket_remaining(const struct model_bucket *bucket);

#endif
