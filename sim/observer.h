/** Who wants to hear of single jobs while a world runs. */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "../sched/scheduler.h"
#include "job.h"

/** The worker of a job that goes past the workers, in a message batch. */
#define SIM_NO_WORKER UINT32_MAX

/** A NULL function hears nothing and costs nothing. Every call names the replication, from 1; calls for different
 *  replications may come from different threads at a time. @p job is the world's: to read, not to keep. */
struct sim_observer {
    /** @p job joined the queue of its class, or the batch being gathered: at its arrival, or @p again after a requeue.
     *  @p demoted: its tenant was demoted at this instant. */
    void (*queued)(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns, bool again,
                   bool demoted);
    /** @p worker took it from the queue; SIM_NO_WORKER: its batch was sent. */
    void (*picked)(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns, uint32_t worker);
    /** Pacing holds it until @p until_ns. */
    void (*held)(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns, int64_t until_ns);
    /** It was sent; if admitted, job->request says when it will end. */
    void (*attempted)(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns,
                      const struct model_admission *admission);
    /** What the scheduler made of the answer. */
    void (*advised)(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns,
                    const struct sched_advice *advice);
    /** It left the system at @p end_ns. */
    void (*ended)(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                  int64_t end_ns);
    void *context;
};

/** Tell @p observer (NULL: nobody) of @p event, one of its functions, with the arguments behind the job. */
#define SIM_TELL(observer, event, replication, ...)                                                                    \
    do {                                                                                                               \
        if ((observer) && (observer)->event)                                                                           \
            (observer)->event((observer)->context, replication, __VA_ARGS__);                                          \
    } while (false)

#endif
