/** The scheduler's settings: plain data, filled by the caller, read-only while a scheduler uses it. */
#ifndef SCHED_CONFIG_H
#define SCHED_CONFIG_H

#include "job.h"

#include <stdbool.h>
#include <stddef.h>

/** Who goes first inside a class. */
enum sched_policy { SCHED_DRR, SCHED_FIFO, SCHED_ROUND_ROBIN, SCHED_VTC, SCHED_ARTICLE };
/** When a DRR tenant's deficit grows: at its turn, or by a timer. */
enum sched_refill { SCHED_REFILL_ROUND, SCHED_REFILL_TIMER };
/** Order in which the `article` policy meets tenants. */
enum sched_order { SCHED_ORDER_FIXED, SCHED_ORDER_SHUFFLED };

enum sched_retry_policy { SCHED_RETRY_AFTER, SCHED_EXPONENTIAL, SCHED_FIXED, SCHED_IMMEDIATE, SCHED_SDK };
enum sched_jitter_mode { SCHED_JITTER_SYMMETRIC, SCHED_JITTER_POSITIVE };
enum sched_jitter { SCHED_JITTER_NONE, SCHED_JITTER_FULL, SCHED_JITTER_EQUAL, SCHED_JITTER_DECORRELATED };
enum sched_sdk_client { SCHED_SDK_TYPESCRIPT, SCHED_SDK_PYTHON };
enum sched_exhausted { SCHED_EXHAUSTED_FAIL, SCHED_EXHAUSTED_REQUEUE };
enum sched_pacing_mode { SCHED_PACING_NONE, SCHED_PACING_MIRROR };
enum sched_attribution { SCHED_ATTRIBUTE_CALLER, SCHED_ATTRIBUTE_OVER_ENTITLEMENT };

struct sched_picker_config {
    double critical_win_probability; /**< chance that waiting critical work wins outright */
    int64_t critical_linger_ns;      /**< how long a worker that favours critical waits for it; 0: not at all */
    double weights[SCHED_CLASSES];   /**< of the draw among classes; 0: only reached by the walk */
};

struct sched_tenants_config {
    enum sched_policy policy;
    double quantum;           /**< cost units per round and unit of weight */
    int64_t cost_unit_tokens; /**< input tokens in one cost unit */
    enum sched_refill refill;
    int64_t refill_interval_ns;
    int64_t refill_jitter_ns; /**< phases spread over [0, this); 0: all at once */
    enum sched_order order;
};

/** Delay of the `fixed` policy at uniform probability @p u: a constant or the quantile of a distribution. */
struct sched_fixed_delay {
    int64_t (*quantile_ns)(const void *context, double u);
    const void *context;
};

struct sched_retry_config {
    enum sched_retry_policy policy;
    double factor; /**< retry_after: multiple of what the endpoint said */
    double jitter; /**< retry_after: relative spread */
    enum sched_jitter_mode jitter_mode;
    int64_t base_ns; /**< exponential */
    double multiplier;
    int64_t cap_ns;
    enum sched_jitter exponential_jitter;
    struct sched_fixed_delay fixed;
    enum sched_sdk_client sdk_client;
    uint32_t max_retries; /**< 4: at most 5 attempts */
    enum sched_exhausted on_exhausted;
    int64_t
        give_up_ns; /**< fail when the next retry would come later than this after the first dispatch; SCHED_NEVER */
    enum sched_pacing_mode pacing;
};

struct sched_demotion_config {
    bool enabled;
    uint32_t throttles; /**< 429s within the window that demote */
    int64_t window_ns;
    double budget_ratio; /**< multiple of the daily budget above which a tenant is demoted */
    int64_t duration_ns;
    bool applies_to[SCHED_CLASSES];
    enum sched_attribution attribution;
};

struct sched_tenant {
    uint64_t key;         /**< FNV-1a 64 of the id: the phase of its timer refill */
    double weight;        /**< plan weight */
    int64_t daily_tokens; /**< daily input-token budget; -1: none */
};

/** What mirror pacing assumes of one set of endpoint limits. Tokens and requests a minute; 0: no such limit. */
struct sched_paced_limits {
    int64_t per_minute[3]; /**< requests, input tokens, output tokens */
    int64_t burst_ns[3];   /**< capacity = a burst's worth of refill */
    bool reserve;          /**< the endpoint reserves max_tokens */
};

struct sched_config {
    struct sched_picker_config picker;
    struct sched_tenants_config tenants;
    struct sched_retry_config retry;
    struct sched_demotion_config demotion;
    const struct sched_tenant *tenant;
    uint32_t tenant_count;
    bool batches_elsewhere; /**< batch-class jobs go out as Message Batches, past the queues and workers */
    const struct sched_paced_limits *paced; /**< by sched_job.model; read under `mirror` pacing only */
    uint32_t paced_count;
};

#endif
