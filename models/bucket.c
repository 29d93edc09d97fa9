#include "bucket.h"

#include <assert.h>

void model_bucket_configure(struct model_bucket *bucket, int64_t now_ns, int64_t per_minute, int64_t burst_ns,
                            int64_t capacity_min) {
    assert(per_minute >= 0);
    bool was_limited = bucket->limited;

    model_bucket_advance(bucket, now_ns);
    bucket->limited = per_minute > 0;
    bucket->refill = per_minute;
    if (!bucket->limited)
        return;

    assert(burst_ns > 0);
    model_units floor_units = (model_units)capacity_min * MODEL_UNITS_PER_TOKEN;
    /* Tokens a minute are units a nanosecond, so this is exact. */
    bucket->capacity = (model_units)per_minute * burst_ns;
    if (bucket->capacity < floor_units)
        bucket->capacity = floor_units;
    if (!was_limited || bucket->level > bucket->capacity)
        bucket->level = bucket->capacity;
}

void model_bucket_advance(struct model_bucket *bucket, int64_t now_ns) {
    int64_t elapsed_ns = now_ns - bucket->at_ns;

    if (elapsed_ns == 0)
        return;
    assert(elapsed_ns > 0);
    bucket->at_ns = now_ns;
    if (bucket->drain != 0)
        bucket->charged += (model_units)bucket->drain * elapsed_ns;
    if (!bucket->limited)
        return;
    /* The net rate is constant over the interval, so clamping once at its end is exact. */
    bucket->level += (model_units)(bucket->refill - bucket->drain) * elapsed_ns;
    if (bucket->level > bucket->capacity)
        bucket->level = bucket->capacity;
}

void model_bucket_charge(struct model_bucket *bucket, model_units units) {
    bucket->charged += units;
    model_bucket_correct(bucket, units);
}

void model_bucket_correct(struct model_bucket *bucket, model_units units) {
    if (!bucket->limited)
        return;
    bucket->level -= units;
    if (bucket->level > bucket->capacity)
        bucket->level = bucket->capacity;
}

void model_bucket_drain(struct model_bucket *bucket, int64_t units_per_ns) {
    bucket->drain += units_per_ns;
    assert(bucket->drain >= 0);
}

int64_t model_bucket_wait_s(const struct model_bucket *bucket, model_units units) {
    assert(bucket->limited);
    model_units missing = units - bucket->level;
    model_units per_s = (model_units)bucket->refill * 1000000000;

    if (missing <= per_s)
        return 1;
    /* A 64-bit division is several times cheaper than a 128-bit one, and a storm of retries is all refusals. */
    if (missing <= INT64_MAX - per_s)
        return ((int64_t)missing + (int64_t)per_s - 1) / (int64_t)per_s;
    model_units wait_s = (missing + per_s - 1) / per_s;
    return wait_s < MODEL_BUCKET_WAIT_MAX_S ? (int64_t)wait_s : MODEL_BUCKET_WAIT_MAX_S;
}

int64_t model_bucket_remaining(const struct model_bucket *bucket) {
    if (!bucket->limited)
        return INT64_MAX;
    if (bucket->level <= 0)
        return 0;
    if (bucket->level <= INT64_MAX)
        return (int64_t)bucket->level / MODEL_UNITS_PER_TOKEN;
    model_units tokens = bucket->level / MODEL_UNITS_PER_TOKEN;
    return tokens < INT64_MAX ? (int64_t)tokens : INT64_MAX;
}
