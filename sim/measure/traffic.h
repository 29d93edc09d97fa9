/** What went to the endpoint: attempts and admissions, refusals by limiter, retries, rates, and how far each bucket
 *  was used. Everything covers events in [warmup, duration). */
#ifndef SIM_TRAFFIC_H
#define SIM_TRAFFIC_H

#include "../job.h"
#include "backlog.h"
#include "bucket_check.h"
#include "outcome.h"
#include "rates.h"

#include <stdbool.h>
#include <stdint.h>

/** Use of one kind of bucket over the model classes that have it. */
struct sim_bucket_use {
    sim_wide charged; /**< units taken in the measured span so far */
    sim_wide refill;  /**< units refilled in the same time, as if never full */
};

struct sim_traffic {
    const struct model_endpoint *endpoint;
    bool measuring;
    uint64_t attempts, admitted;
    uint64_t refused[MODEL_LIMITERS];
    uint64_t after_throttle, after_throttle_again; /**< retries after a 429; those of them that got a 429 */
    uint64_t told, early;                          /**< ... that were told a time; those of them sent before it */
    uint64_t *tenant_throttles;
    struct sim_rates requests, admissions;
    struct sim_bucket_use use[MODEL_BUCKETS];
    int64_t use_from_ns;
    model_units *charged_from;       /**< by class and bucket: `charged` at use_from_ns */
    struct sim_bucket_check *checks; /**< by class and bucket */
};

/** @p endpoint is looked at, never changed, except that its buckets are advanced to now at span ends. */
void sim_traffic_init(struct sim_traffic *traffic, const struct model_endpoint *endpoint, uint32_t tenant_count,
                      int64_t from_ns, int64_t until_ns);
void sim_traffic_finish(struct sim_traffic *traffic);

/** The measured span begins / ends. */
void sim_traffic_begin(struct sim_traffic *traffic, int64_t now_ns);
void sim_traffic_close(struct sim_traffic *traffic, int64_t now_ns);
/** Around a change of the endpoint's regime. */
void sim_traffic_before_change(struct sim_traffic *traffic, int64_t now_ns);
void sim_traffic_after_change(struct sim_traffic *traffic, int64_t now_ns);

/** @p job was sent and answered. */
void sim_traffic_attempt(struct sim_traffic *traffic, const struct sim_job *job,
                         const struct model_admission *admission, int64_t now_ns);
/** The first token of @p job: its input estimate is corrected. Its completion: a reservation is refunded. */
void sim_traffic_first_token(struct sim_traffic *traffic, const struct sim_job *job, int64_t now_ns);
void sim_traffic_completed(struct sim_traffic *traffic, const struct sim_job *job, int64_t now_ns);

/** Admissions that broke a bucket's bound. */
uint64_t sim_traffic_violations(const struct sim_traffic *traffic);

/** Is this refusal a 429? */
bool sim_is_throttle(enum model_limiter limiter);

void sim_traffic_report(const struct sim_traffic *traffic, struct sim_outcome *outcome);

#endif
