#include "demotion.h"

#include <math.h>

static bool by_entitlement(const struct sched_scheduler *scheduler) {
    const struct sched_demotion_config *config = &scheduler->config->demotion;

    return config->enabled && config->attribution == SCHED_ATTRIBUTE_OVER_ENTITLEMENT;
}

static int64_t now(const struct sched_scheduler *scheduler) {
    return scheduler->clock.now_ns(scheduler->clock.context);
}

void sched_demotion_usage(struct sched_scheduler *scheduler, const struct sched_job *job, int admitted, int waiting) {
    if (by_entitlement(scheduler))
        scheduler->store.ops->add_usage(scheduler->store.context, job->tenant, now(scheduler), admitted * job->cost,
                                        waiting * job->cost);
}

static struct sched_usage usage_of(const struct sched_scheduler *scheduler, uint32_t tenant, int64_t now_ns) {
    struct sched_usage usage;

    scheduler->store.ops->usage(scheduler->store.context, tenant, now_ns, &usage);
    return usage;
}

/** Cost per unit of weight to which everybody is served in the max-min fair division of what the window admitted
 *  (water-filling, without memory: whoever demands less than the level is met in full and leaves the rest to the
 *  others, until nobody new is met). INFINITY when all demand is met. */
static double fair_level(const struct sched_scheduler *scheduler, int64_t now_ns) {
    const struct sched_config *config = scheduler->config;
    double level = 0;
    uint32_t met = 0;
    bool first = true;

    for (;;) {
        double left = 0;
        double weights = 0;
        uint32_t met_now = 0;

        for (uint32_t t = 0; t < config->tenant_count; t++) {
            struct sched_usage usage = usage_of(scheduler, t, now_ns);
            double demand = (double)(usage.admitted + usage.waiting);

            left += (double)usage.admitted;
            if (!first && demand <= level * config->tenant[t].weight) {
                left -= demand;
                met_now++;
            } else {
                weights += config->tenant[t].weight;
            }
        }
        if (weights <= 0)
            return INFINITY;
        if (!first && met_now == met)
            return level;
        level = left / weights;
        met = met_now;
        first = false;
    }
}

static bool above_share(const struct sched_scheduler *scheduler, uint32_t tenant, int64_t now_ns) {
    struct sched_usage usage = usage_of(scheduler, tenant, now_ns);
    double demand = (double)(usage.admitted + usage.waiting);
    double share = fmin(demand, fair_level(scheduler, now_ns) * scheduler->config->tenant[tenant].weight);

    return (double)usage.admitted > share + 1e-9;
}

static struct sched_demotion demote(struct sched_scheduler *scheduler, uint32_t tenant, int64_t now_ns,
                                    struct sched_demotion demotion) {
    bool fresh = scheduler->store.ops->demoted_until(scheduler->store.context, tenant) <= now_ns;

    scheduler->store.ops->demote(scheduler->store.context, tenant, now_ns + scheduler->config->demotion.duration_ns);
    return fresh ? demotion : (struct sched_demotion){.cause = SCHED_NOT_DEMOTED};
}

/** Demote, or renew, if a rule holds. @p nth_ns: time of the `throttles`th last 429. */
static struct sched_demotion check(struct sched_scheduler *scheduler, uint32_t tenant, int64_t now_ns, int64_t nth_ns,
                                   int64_t day_tokens) {
    const struct sched_demotion_config *config = &scheduler->config->demotion;
    int64_t budget = scheduler->config->tenant[tenant].daily_tokens;

    if (nth_ns > now_ns - config->window_ns && nth_ns != INT64_MIN)
        return demote(scheduler, tenant, now_ns, (struct sched_demotion){SCHED_DEMOTED_BY_THROTTLES, now_ns - nth_ns});
    if (budget >= 0 && (double)day_tokens > config->budget_ratio * (double)budget)
        return demote(scheduler, tenant, now_ns, (struct sched_demotion){.cause = SCHED_DEMOTED_BY_BUDGET});
    return (struct sched_demotion){.cause = SCHED_NOT_DEMOTED};
}

static int64_t count_tokens(struct sched_scheduler *scheduler, uint32_t tenant, int64_t tokens) {
    int64_t day = scheduler->clock.day(scheduler->clock.context);

    return scheduler->store.ops->add_tokens(scheduler->store.context, tenant, day, tokens);
}

struct sched_demotion sched_demotion_throttled(struct sched_scheduler *scheduler, const struct sched_job *job) {
    const struct sched_demotion_config *config = &scheduler->config->demotion;
    int64_t now_ns = now(scheduler);
    int64_t nth_ns;

    if (!config->enabled)
        return (struct sched_demotion){.cause = SCHED_NOT_DEMOTED};
    if (by_entitlement(scheduler) && !above_share(scheduler, job->tenant, now_ns))
        return (struct sched_demotion){.cause = SCHED_NOT_DEMOTED};
    nth_ns = scheduler->store.ops->record_throttle(scheduler->store.context, job->tenant, now_ns, config->throttles);
    return check(scheduler, job->tenant, now_ns, nth_ns, count_tokens(scheduler, job->tenant, 0));
}

struct sched_demotion sched_demotion_completed(struct sched_scheduler *scheduler, const struct sched_job *job) {
    const struct sched_demotion_config *config = &scheduler->config->demotion;
    int64_t nth_ns;

    if (!config->enabled)
        return (struct sched_demotion){.cause = SCHED_NOT_DEMOTED};
    nth_ns = scheduler->store.ops->nth_throttle(scheduler->store.context, job->tenant, config->throttles);
    return check(scheduler, job->tenant, now(scheduler), nth_ns,
                 count_tokens(scheduler, job->tenant, job->input_tokens));
}
