#include "job.h"

enum sched_class sched_classify(enum sched_origin origin, int64_t sla_ns) {
    if (origin == SCHED_USER_ACTION)
        return SCHED_CRITICAL;
    if (origin == SCHED_BATCH_JOB || sla_ns >= SCHED_BATCH_SLA_NS)
        return SCHED_BATCH;
    return SCHED_STANDARD;
}

int64_t sched_cost(int64_t input_tokens, int64_t cost_unit_tokens) {
    int64_t units = input_tokens / cost_unit_tokens;

    return units < 1 ? 1 : units;
}
