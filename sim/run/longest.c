#include "longest.h"

#include "../memory.h"
#include "replications.h"

#include <stdlib.h>

/** The longest of one replication so far, in order. */
struct podium {
    struct sim_longest *longest;
    size_t count;
};

struct search {
    size_t wanted;
    int class_id;
    struct podium *podiums; /* by replication */
};

/** Before: longer, or earlier in the order of ties. */
static int by_length(const void *a, const void *b) {
    const struct sim_longest *x = a, *y = b;

    if (x->beyond != y->beyond)
        return x->beyond ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns > y->time_ns ? -1 : 1;
    if (x->replication != y->replication)
        return x->replication < y->replication ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void on_candidate(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                         int64_t end_ns) {
    const struct search *search = context;
    struct podium *podium = &search->podiums[replication - 1];
    struct sim_longest one = {.replication = replication,
                              .stream = job->stream,
                              .number = job->number,
                              .beyond = ending != SIM_ENDED_COMPLETED,
                              .time_ns = end_ns - job->sched.enqueued_ns};
    size_t at;

    if (!job->counted || (search->class_id != SCHED_CLASSES && (int)job->sched.class_id != search->class_id))
        return;
    if (podium->count == search->wanted && by_length(&podium->longest[podium->count - 1], &one) < 0)
        return;
    at = podium->count < search->wanted ? podium->count++ : podium->count - 1;
    for (; at > 0 && by_length(&one, &podium->longest[at - 1]) < 0; at--)
        podium->longest[at] = podium->longest[at - 1];
    podium->longest[at] = one;
}

static size_t merge(const struct search *search, uint32_t replications, struct sim_longest *ret) {
    struct sim_longest *all = sim_calloc(search->wanted * replications, sizeof all[0]);
    size_t count = 0;

    for (uint32_t r = 0; r < replications; r++)
        for (size_t i = 0; i < search->podiums[r].count; i++)
            all[count++] = search->podiums[r].longest[i];
    qsort(all, count, sizeof all[0], by_length);
    count = count < search->wanted ? count : search->wanted;
    for (size_t i = 0; i < count; i++)
        ret[i] = all[i];
    free(all);
    return count;
}

size_t sim_longest_find(const struct sim_scenario *scenario, size_t wanted, int class_id,
                        const struct sim_run_options *options, struct sim_longest *ret,
                        struct sim_located_error *error) {
    struct search search = {.wanted = wanted,
                            .class_id = class_id,
                            .podiums = sim_calloc(scenario->replications, sizeof search.podiums[0])};
    struct sim_observer observer = {.ended = on_candidate, .context = &search};
    struct sim_run_options watched = *options;
    struct sim_outcome **outcomes = sim_calloc(scenario->replications, sizeof outcomes[0]);
    size_t count = SIZE_MAX;

    watched.observer = &observer;
    for (uint32_t r = 0; r < scenario->replications; r++)
        search.podiums[r].longest = sim_calloc(wanted, sizeof search.podiums[r].longest[0]);
    if (sim_replications_run(scenario, NULL, 0, 1, scenario->replications, &watched, outcomes, error))
        count = merge(&search, scenario->replications, ret);
    for (uint32_t r = 0; r < scenario->replications; r++) {
        sim_outcome_destroy(outcomes[r]);
        free(search.podiums[r].longest);
    }
    free(search.podiums);
    free(outcomes);
    return count;
}
