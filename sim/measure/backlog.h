/** Queues over time: their length, and how long whoever waited went without a dispatch. */
#ifndef SIM_BACKLOG_H
#define SIM_BACKLOG_H

#include "../../sched/job.h"
#include "outcome.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 sim_wide; /**< job-nanoseconds: exact for any run */

/** A set of queues watched as one: a class, a tenant, or everything. */
struct sim_scope {
    uint64_t queued;
    int64_t since_ns; /**< when it became backlogged, or its last dispatch */
    int64_t unserved_ns_max;
};

enum { SIM_SCOPE_ALL = SCHED_CLASSES };

struct sim_backlog {
    int64_t from_ns, until_ns;                   /**< measured span */
    struct sim_scope classes[SCHED_CLASSES + 1]; /**< the last one is all */
    struct sim_scope *tenants;
    uint32_t tenant_count;
    sim_wide area_ns; /**< integral of all queued jobs over the measured span */
    uint64_t queued_max;
};

void sim_backlog_init(struct sim_backlog *backlog, uint32_t tenant_count, int64_t from_ns, int64_t until_ns);
void sim_backlog_finish(struct sim_backlog *backlog);

void sim_backlog_joined(struct sim_backlog *backlog, const struct sched_job *job, int64_t now_ns);
/** @p job was picked. */
void sim_backlog_dispatched(struct sim_backlog *backlog, const struct sched_job *job, int64_t now_ns);
/** @p job, found expired at @p now_ns, left at @p left_ns: its queue was shorter since then. */
void sim_backlog_expired(struct sim_backlog *backlog, const struct sched_job *job, int64_t left_ns, int64_t now_ns);

/** @p ns have passed within the measured span. */
void sim_backlog_advance(struct sim_backlog *backlog, int64_t ns);
/** The picks of an instant within the measured span are done. */
void sim_backlog_settled(struct sim_backlog *backlog);
/** The measured span is over: whoever still waits went unserved until now. */
void sim_backlog_close(struct sim_backlog *backlog);

void sim_backlog_report(const struct sim_backlog *backlog, struct sim_outcome *outcome);

#endif
