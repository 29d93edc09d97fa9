/** The scheduler: classify, queue, pick, and say what to do with a result. The same code drives the simulator and a
 *  live worker.
 *
 *  A worker's cycle:
 *
 *      sched_next()      -> a job, or nothing, or "not before this instant"
 *      sched_dispatch()  -> send it now, or hold it until an instant (pacing)
 *      (send it)
 *      sched_on_result() -> done, failed, retry after a delay with the slot held, or requeue after a delay
 *      sched_release()   -> the worker's slot is free again
 *
 *  Nothing here allocates, blocks or keeps state of its own beyond struct sched_scheduler. Several schedulers, one a
 *  process, may share one store. */
#ifndef SCHED_SCHEDULER_H
#define SCHED_SCHEDULER_H

#include "config.h"
#include "pacing.h"
#include "ports.h"

/** One worker slot's memory between calls. All zero is a slot that was never released. */
struct sched_worker {
    int64_t linger_until_ns; /**< until then it takes critical jobs only, if it favours them */
    bool released;           /**< `favours` holds the draw of its last release */
    bool favours;            /**< favours critical */
};

struct sched_scheduler {
    const struct sched_config *config;
    struct sched_clock clock;
    struct sched_random random;
    struct sched_store store;
    struct sched_pacing *pacing; /**< this process's copies of the buckets; NULL without pacing */
    uint64_t picks;
    uint64_t releases;
    uint64_t shuffles;
};

enum sched_next_status {
    SCHED_PICKED, /**< a job was picked */
    SCHED_EMPTY,  /**< no work that this worker may take, until something is enqueued */
    SCHED_NOT_YET /**< work exists but none may be sent before ret->not_before_ns, unless something is enqueued */
};

struct sched_pick {
    struct sched_job *job;     /**< SCHED_PICKED: the job, now the caller's to serve */
    struct sched_job *expired; /**< jobs met whose patience had ended, linked by `next`; set whatever the status */
    int64_t not_before_ns;     /**< SCHED_NOT_YET */
    bool inversion;            /**< a higher class held a job when this one was picked */
};

/** How the endpoint answered one attempt. */
enum sched_outcome {
    SCHED_COMPLETED,
    SCHED_THROTTLED,  /**< 429 */
    SCHED_OVERLOADED, /**< 529 or another 5xx */
    SCHED_UNSERVABLE  /**< can never be admitted: no retry */
};

/** The answer to one attempt. */
struct sched_result {
    enum sched_outcome outcome;
    int64_t retry_after_ns;   /**< as the endpoint sent it; -1: it sent none */
    int64_t output_tokens;    /**< SCHED_COMPLETED: tokens produced */
    bool batched;             /**< it went through Message Batches, which pacing does not watch */
    const int64_t *remaining; /**< of a refusal, as for sched_on_admitted() */
};

enum sched_advice_kind { SCHED_DONE, SCHED_FAIL, SCHED_RETRY, SCHED_REQUEUE };

struct sched_advice {
    enum sched_advice_kind kind;
    int64_t delay_ns;          /**< SCHED_RETRY, SCHED_REQUEUE: how long the worker holds its slot first */
    bool demoted;              /**< this result made the tenant go from not demoted to demoted */
    bool demoted_by_throttles; /**< ... because of its 429s, not its budget */
    int64_t throttle_span_ns;  /**< ... which came within so long */
};

/** Borrow everything; @p config must outlive @p scheduler. */
void sched_init(struct sched_scheduler *scheduler, const struct sched_config *config, struct sched_clock clock,
                struct sched_random random, struct sched_store store, struct sched_pacing *pacing);

/** Classify @p job and queue it. Its caller's fields must be set. @p again: it comes back after a requeue, and keeps
 *  its first enqueue time.
 *  @return false when it was not queued: a batch-class job that config->batches_elsewhere gives back to the caller. */
bool sched_enqueue(struct sched_scheduler *scheduler, struct sched_job *job, bool again);

/** Pick the next job for @p worker: the class, then the tenant. Sets *ret on every status. */
enum sched_next_status sched_next(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                                  struct sched_pick *ret);

/** May the worker send @p job now? Charges the pacing copy if so.
 *  @return true: send; false: hold it and ask again at *ret_not_before_ns. Always true without pacing. */
bool sched_dispatch(struct sched_scheduler *scheduler, struct sched_job *job, int64_t *ret_not_before_ns);

/** The endpoint took @p job in. @p remaining: requests, input tokens and output tokens left, as the response headers
 *  say; NULL: no such headers. */
void sched_on_admitted(struct sched_scheduler *scheduler, const struct sched_job *job, const int64_t *remaining);

/** Digest the answer to an attempt of @p job: pacing, demotion, back-off. */
struct sched_advice sched_on_result(struct sched_scheduler *scheduler, struct sched_job *job,
                                    const struct sched_result *result);

/** @p worker is free again: draw whether it favours critical and start its linger. Needed only when linger is on, and
 *  harmless otherwise. */
void sched_release(struct sched_scheduler *scheduler, struct sched_worker *worker);

/** Is @p tenant demoted at this instant? */
bool sched_demoted(const struct sched_scheduler *scheduler, uint32_t tenant);

#endif
