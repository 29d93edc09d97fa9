/** Which tenant a pick serves inside its class: one function a policy. Each looks at a view and fills a decision; the
 *  scheduler commits it, and comes again when the class changed meanwhile. */
#ifndef SCHED_POLICY_H
#define SCHED_POLICY_H

#include "scheduler.h"

/** What the views of one pick have shown so far, so that a class larger than one view is still walked only once. */
struct sched_pass {
    uint64_t version; /**< of the class after our own last commit; any other resets the pass */
    uint64_t seen;    /**< flows visited in a row without one that could send */
    double rounds;    /**< least number of further whole rounds that any of them needs */
    bool started;
    uint64_t rank; /**< article: place in the order, and flow, at which a call goes on */
    uint32_t flow;
};

/** Deficit Round Robin (Shreedhar and Varghese 1996), refilled at each turn. O(1) when quantum x weight covers the
 *  head's cost. When a whole round finds nobody who can send, the rounds up to the first who can are granted at once,
 *  which gives exactly what walking them one by one would give, order included. */
void sched_drr_decide(const struct sched_scheduler *scheduler, const struct sched_view *view, int64_t now_ns,
                      struct sched_pass *pass, struct sched_decision *ret);

/** DRR with deficits that a timer refills. Grants due ticks to the flows it looks at.
 *  @return false when no flow of the class can send yet. */
bool sched_timer_decide(const struct sched_scheduler *scheduler, enum sched_class class_id,
                        const struct sched_view *view, int64_t now_ns, struct sched_decision *ret);

/** Can a flow of the class send at @p now_ns? If not, *ret_not_before_ns is the tick at which the first one can. */
bool sched_timer_ready(const struct sched_scheduler *scheduler, const struct sched_view *view, int64_t now_ns,
                       int64_t *ret_not_before_ns);

/** Grant the ticks due to one flow before its head changes: the cap depends on the head. */
void sched_timer_settle(const struct sched_scheduler *scheduler, enum sched_class class_id, uint32_t tenant,
                        int64_t now_ns);

/** Fifo and round robin: the front flow sends; round robin then sends it to the tail. */
void sched_turn_decide(const struct sched_scheduler *scheduler, const struct sched_view *view,
                       struct sched_decision *ret);

/** Virtual Token Counter (Sheng et al., OSDI 2024): least weighted service first. */
void sched_vtc_decide(const struct sched_scheduler *scheduler, const struct sched_view *view,
                      struct sched_decision *ret);

/** The counter below which a tenant that returns to @p class_id must not stay. */
double sched_vtc_floor(const struct sched_scheduler *scheduler, enum sched_class class_id, uint32_t tenant);

/** The article's printed code, literally: every call starts again at the first active tenant and refills it; what a
 *  tenant cannot afford stays at its head. One set of deficits for all classes; plan weights play no part.
 *  @return false when no tenant could send: the worker calls again at once. */
bool sched_article_decide(struct sched_scheduler *scheduler, const struct sched_view *view, int64_t now_ns,
                          struct sched_pass *pass, struct sched_decision *ret);

/** Has the patience of @p job ended before its first dispatch? Such a head is discarded by the pick that meets it, free
 *  of charge. A requeued job was dispatched before and stays. */
static inline bool sched_expired(const struct sched_job *job, int64_t now_ns) {
    return job->first_dispatch_ns < 0 && job->patience_end_ns <= now_ns;
}

/** Does @p cost fit into @p deficit? Deficits are real numbers; the slack absorbs the rounding of sums such as
 *  ten quanta of a tenth. */
static inline bool sched_fits(int64_t cost, double deficit) {
    return deficit + 1e-9 >= (double)cost;
}

#endif
