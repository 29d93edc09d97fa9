/** Everything the scheduler needs from the world: time, randomness, and the state that workers share.
 *
 *  Each port is a table of operations and a context for it. `sched/` calls nothing else: no clock, no random number
 *  generator, no I/O and no allocator of its own. */
#ifndef SCHED_PORTS_H
#define SCHED_PORTS_H

#include "job.h"

#include <stdbool.h>
#include <stddef.h>

/** Time. */
struct sched_clock {
    int64_t (*now_ns)(void *context); /**< monotonic; never goes back */
    int64_t (*day)(void *context);    /**< number of the current UTC calendar day, for daily budgets */
    void *context;
};

/** What a draw is for. A purpose has its own sequence, so that turning one knob never shifts the draws of another. */
enum sched_draw {
    SCHED_DRAW_FAVOUR_CRITICAL, /**< does this pick (or worker release) favour critical? index: the pick or release */
    SCHED_DRAW_CLASS,           /**< weighted choice of a class; index: the pick */
    SCHED_DRAW_SHUFFLE,         /**< order of tenants in the `article` policy; index: a running number */
    SCHED_DRAW_JITTER,          /**< back-off jitter; key: the job's id, index: the refusal */
};

/** Randomness: independent uniform 64-bit words. */
struct sched_random {
    uint64_t (*draw)(void *context, enum sched_draw purpose, uint64_t key, uint64_t index);
    void *context;
};

/** One backlogged flow of a class: a tenant's queue, or, under `fifo`, the one queue of the class. */
struct sched_flow {
    const struct sched_flow *next; /**< towards the tail of the active list; NULL ends the view */
    const struct sched_job *head;  /**< oldest job */
    uint64_t length;               /**< queued jobs */
    double deficit;                /**< DRR: cost units that it may still send; >= 0 */
    double counter;                /**< VTC: weighted cost served so far */
    int64_t ticks;                 /**< timer refill: ticks already granted */
    uint32_t id;                   /**< tenant index; 0 under `fifo` */
};

/** Which flow stands at the front of a view. */
enum sched_view_order {
    SCHED_BY_TURN,   /**< the active list, front to tail, as far as the view reaches; timer refill and the `article`
                          policy need all of it */
    SCHED_BY_COUNTER /**< the flow with the least counter, ties to the lower id; only that one is shown */
};

/** A bounded look at one class, as one consistent snapshot. */
struct sched_view {
    uint64_t version;               /**< raised by exactly one with every push and every commit */
    const struct sched_flow *front; /**< NULL when the class is empty */
    uint64_t active;                /**< backlogged flows in the class, also those beyond the view */
    double idle_counter;            /**< VTC: counter of the flow that left the class last */
    bool turn_open;                 /**< DRR: the front flow is in its turn and has had its quantum */
};

/** What a policy decided after a view: plain writes, no policy left in them. The store applies them in this order,
 *  all or nothing:
 *  1. every active flow's deficit grows by `rounds` x `quantum` x its weight;
 *  2. the first `visits` flows, one after another: deficit grows by `quantum` x weight, then to the tail;
 *  3. the target, which is flow `target` if `by_id`, else the one now at the front: if `pop`, its head job leaves and
 *     its deficit and counter become `deficit` and `counter`; left empty, it leaves the active list (deficit 0 if
 *     `reset_on_leave`); otherwise it goes to the tail if `rotate`;
 *  4. `turn_open` is recorded for the flow now at the front. */
struct sched_decision {
    uint64_t version; /**< of the view it was decided on */
    double rounds;
    double quantum;
    uint64_t visits;
    uint32_t target;
    double deficit;
    double counter;
    bool by_id;
    bool pop;
    bool rotate;
    bool reset_on_leave;
    bool turn_open;
};

/** Shared sums of one tenant over the throttle window, for entitlement. All in cost units. */
struct sched_usage {
    int64_t admitted; /**< admitted within the window, to a sixtieth of it */
    int64_t waiting;  /**< queued, held or in back-off now */
};

/** State that all workers share. An implementation holds no policy: it stores, orders and counts.
 *
 *  Functions that read and then decide follow view -> commit: a commit is refused (false, nothing changed) when the
 *  class changed since the view, and the caller views again. */
struct sched_store_ops {
    /** Append @p job to flow @p flow of @p class_id. A flow that was empty joins the tail of the active list with its
     *  counter raised to at least @p counter_floor. Raises the version. */
    void (*push)(void *context, enum sched_class class_id, uint32_t flow, struct sched_job *job, double counter_floor);
    /** Snapshot of @p class_id, valid until the next call for that class. */
    void (*view)(void *context, enum sched_class class_id, enum sched_view_order order, struct sched_view *ret);
    /** Apply @p decision if the class is still at its version. *ret_job: the popped job, or NULL without `pop`. */
    bool (*commit)(void *context, enum sched_class class_id, const struct sched_decision *decision,
                   struct sched_job **ret_job);
    /** Set deficit and ticks of one flow, whether it is active or not (timer refill). Part of a view: no version. */
    void (*grant)(void *context, enum sched_class class_id, uint32_t flow, double deficit, int64_t ticks);
    /** One flow, active or not (`next` is meaningless, `head` NULL when it is not). */
    void (*flow)(void *context, enum sched_class class_id, uint32_t flow, struct sched_flow *ret);
    /** Jobs queued in a class. */
    uint64_t (*queued)(void *context, enum sched_class class_id);

    /** Record a 429 of @p tenant at @p now_ns. @return the time of its @p nth most recent one, this one counted
     *  (nth = 1), or INT64_MIN when there are fewer. */
    int64_t (*record_throttle)(void *context, uint32_t tenant, int64_t now_ns, uint32_t nth);
    /** The same time without recording anything. */
    int64_t (*nth_throttle)(void *context, uint32_t tenant, uint32_t nth);
    /** Add @p tokens to the tenant's count of calendar day @p day. @return that day's sum. */
    int64_t (*add_tokens)(void *context, uint32_t tenant, int64_t day, int64_t tokens);
    /** Instant until which the tenant is demoted; <= now: it is not. */
    int64_t (*demoted_until)(void *context, uint32_t tenant);
    void (*demote)(void *context, uint32_t tenant, int64_t until_ns);
    /** Add to the tenant's usage at @p now_ns: cost admitted, and change of cost waiting. */
    void (*add_usage)(void *context, uint32_t tenant, int64_t now_ns, int64_t admitted, int64_t waiting);
    /** Usage of @p tenant over the window that ends at @p now_ns. */
    void (*usage)(void *context, uint32_t tenant, int64_t now_ns, struct sched_usage *ret);
};

struct sched_store {
    const struct sched_store_ops *ops;
    void *context;
};

#endif
