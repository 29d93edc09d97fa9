/** Properties of what happens to each job, on plain scenarios. ../support/random_trial.h says how they are tried. */
#include "../../sim/memory.h"
#include "../../sim/world.h"
#include "../support/random_trial.h"
#include "../support/scenario_edits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    uint32_t stream, number;
    int64_t wait_ns, latency_ns;
    enum sim_ending ending;
};

struct span {
    int64_t begin_ns, end_ns;
};

struct log {
    struct record *records;
    size_t count, room;
    struct span *busy; /* of the only worker: times without a pause */
    size_t spans, spans_room;
};

static void log_ended(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                      int64_t end_ns) {
    struct log *log = context;
    (void)replication;
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->records = sim_realloc(log->records, log->room, sizeof *log->records);
    }
    log->records[log->count++] = (struct record){
        .stream = job->stream,
        .number = job->number,
        .wait_ns = job->sched.first_dispatch_ns < 0 ? 0 : job->sched.first_dispatch_ns - job->sched.enqueued_ns,
        .latency_ns = end_ns - job->sched.enqueued_ns,
        .ending = ending};
}

static void log_attempted(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns,
                          const struct model_admission *admission) {
    struct log *log = context;
    (void)replication;
    (void)admission;
    if (log->spans > 0 && log->busy[log->spans - 1].end_ns == now_ns) {
        log->busy[log->spans - 1].end_ns = job->request.done_ns;
        return;
    }
    if (log->spans == log->spans_room) {
        log->spans_room = log->spans_room ? 2 * log->spans_room : 256;
        log->busy = sim_realloc(log->busy, log->spans_room, sizeof *log->busy);
    }
    log->busy[log->spans++] = (struct span){now_ns, job->request.done_ns};
}

static int by_job(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The jobs of replication 1, in order of their numbers. */
static struct log log_of(const cJSON *tree, struct random_finding *finding) {
    struct log log = {0};
    struct sim_scenario *scenario = random_read(tree, NULL, finding);
    struct sim_observer observer = {.ended = log_ended, .attempted = log_attempted, .context = &log};
    struct sim_world_options options = {.observer = &observer};
    struct sim_located_error error = {0};
    if (!scenario)
        return log;
    struct sim_outcome *outcome = sim_world_run(scenario, 1, &options, &error);
    if (!outcome)
        random_found(finding, "runs", "%s", error.message);
    qsort(log.records, log.count, sizeof *log.records, by_job);
    sim_outcome_destroy(outcome);
    sim_scenario_destroy(scenario);
    return log;
}

static void forget(struct log *log) {
    free(log->records);
    free(log->busy);
}

static void compare_pace(const struct log *slow, const struct log *fast, struct random_finding *finding) {
    if (slow->count != fast->count) {
        random_found(finding, "pace", "%zu jobs instead of %zu", slow->count, fast->count);
        return;
    }
    for (size_t i = 0; i < fast->count; i++) {
        const struct record *a = &fast->records[i], *b = &slow->records[i];
        if (a->ending != b->ending || llabs(b->latency_ns - 2 * a->latency_ns) > 1000 ||
            llabs(b->wait_ns - 2 * a->wait_ns) > 1000) {
            random_found(finding, "pace", "job %u.%u: waits %lld and takes %lld ns, at half the pace %lld and %lld",
                         a->stream, a->number, (long long)a->wait_ns, (long long)a->latency_ns, (long long)b->wait_ns,
                         (long long)b->latency_ns);
            return;
        }
    }
}

/* Does it state all the times whose defaults would not be stretched? */
static bool states_its_times(const cJSON *tree) {
    const cJSON *latency = cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "endpoint"), "latency");
    const cJSON *batch = cJSON_GetObjectItem(tree, "batch");
    return cJSON_HasObjectItem(tree, "drain_s") && cJSON_HasObjectItem(latency, "ttft_ms") &&
           cJSON_HasObjectItem(latency, "output_tokens_per_s") &&
           (!batch || (cJSON_HasObjectItem(batch, "flush_s") && cJSON_HasObjectItem(batch, "completion_s") &&
                       cJSON_HasObjectItem(batch, "expires_s")));
}

/* Twice as slow: twice as long. */
static void check_pace(const cJSON *tree, uint64_t seed, struct random_finding *finding) {
    cJSON *stretched = cJSON_Duplicate(tree, true);
    (void)seed;
    if (!states_its_times(tree)) {
        cJSON_Delete(stretched);
        return;
    }
    scenario_stretch(stretched, 2);
    struct log fast = log_of(tree, finding), slow = log_of(stretched, finding);
    if (!*finding->text)
        compare_pace(&slow, &fast, finding);
    forget(&fast);
    forget(&slow);
    cJSON_Delete(stretched);
}

/* ---- one worker, no drops ---- */

/* Leave out what makes the work itself depend on the order: impatience, feedback, lingering, other workers. */
static void only_order(cJSON *tree) {
    cJSON *child = tree->child;
    while (child) {
        cJSON *next = child->next;
        const char *key = child->string ? child->string : "";
        if (!strcmp(key, "patience_s") || !strcmp(key, "batch") || !strcmp(key, "critical_linger_ms")) {
            cJSON_Delete(cJSON_DetachItemViaPointer(tree, child));
        } else if (!strcmp(key, "closed")) {
            cJSON_Delete(cJSON_DetachItemViaPointer(tree, child));
            cJSON_AddNumberToObject(cJSON_AddObjectToObject(tree, "poisson"), "rate_per_s", 1);
        } else {
            only_order(child);
        }
        child = next;
    }
}

static void set_number(cJSON *tree, const char *key, double value) {
    cJSON_DeleteItemFromObject(tree, key);
    cJSON_AddNumberToObject(tree, key, value);
}

static void compare_work(const struct log *a, const struct log *b, const char *policy, struct random_finding *finding) {
    if (a->spans != b->spans) {
        random_found(finding, "work", "%zu busy periods under fifo, %zu under %s", a->spans, b->spans, policy);
        return;
    }
    for (size_t i = 0; i < a->spans; i++)
        if (a->busy[i].begin_ns != b->busy[i].begin_ns || a->busy[i].end_ns != b->busy[i].end_ns) {
            random_found(finding, "work", "busy period %zu: %lld to %lld under fifo, %lld to %lld under %s", i,
                         (long long)a->busy[i].begin_ns, (long long)a->busy[i].end_ns, (long long)b->busy[i].begin_ns,
                         (long long)b->busy[i].end_ns, policy);
            return;
        }
}

/* The same arrivals and the same busy periods: the same unfinished work at every instant, under every policy. */
static void check_work(const cJSON *tree, uint64_t seed, struct random_finding *finding) {
    static const char *const policies[] = {"fifo", "drr", "round_robin", "vtc"};
    cJSON *copy = cJSON_Duplicate(tree, true);
    struct log first = {0};
    (void)seed;
    only_order(copy);
    set_number(copy, "workers", 1);
    set_number(copy, "drain_s", 1e7);
    for (size_t i = 0; i < 4; i++) {
        cJSON *tenants = cJSON_GetObjectItem(cJSON_GetObjectItem(copy, "scheduler"), "tenants");
        cJSON_DeleteItemFromObject(tenants, "policy");
        cJSON_AddStringToObject(tenants, "policy", policies[i]);
        struct log log = log_of(copy, finding);
        if (i == 0) {
            first = log;
            continue;
        }
        if (!*finding->text && tenants)
            compare_work(&first, &log, policies[i], finding);
        forget(&log);
    }
    forget(&first);
    cJSON_Delete(copy);
}

Test(random_paths, twice_as_slow_takes_twice_as_long) {
    random_check_seeds(check_pace, RANDOM_PLAIN, 0);
    random_check_seeds(check_pace, RANDOM_PLAIN, 1);
}

Test(random_paths, one_worker_does_the_same_work_under_any_policy) {
    random_check_seeds(check_work, RANDOM_PLAIN, 0);
    random_check_seeds(check_work, RANDOM_PLAIN, 1);
}
