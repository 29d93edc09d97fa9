/** The invariant "no idle worker beside a job that it may take" fires when the scheduler withholds work, and only then.
 *  sched_next() is wrapped at link time, so that the world calls the scheduler through a fault. */
#include "../../sched/scheduler.h"
#include "../../sim/world.h"
#include "../support/scenario_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum sched_next_status __real_sched_next(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                                         struct sched_pick *ret);
enum sched_next_status __wrap_sched_next(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                                         struct sched_pick *ret);

static uint32_t withhold_every; /* every so many calls say that there is no work; 0: never */
static uint32_t calls;

enum sched_next_status __wrap_sched_next(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                                         struct sched_pick *ret) {
    if (withhold_every > 0 && ++calls % withhold_every == 0) {
        *ret = (struct sched_pick){.not_before_ns = SCHED_NEVER};
        return SCHED_EMPTY;
    }
    return __real_sched_next(scheduler, worker, ret);
}

/** Violations in a run of the smallest scenario with @p extra, its three workers well used. */
static uint64_t violations(const char *extra, uint32_t every) {
    struct sim_located_error error;
    const char *const sets[] = {"workers=3", "duration_s=1000", "tenants.a.streams.0.arrivals.poisson.rate_per_s=3",
                                NULL};
    char *text = text_minimal(extra);
    struct sim_scenario *scenario = text_read(text, sets, &error);
    struct sim_outcome *outcome;
    uint64_t found;

    cr_assert(scenario != NULL);
    withhold_every = every;
    calls = 0;
    outcome = sim_world_run(scenario, 1, &(struct sim_world_options){0}, &error);
    cr_assert(outcome != NULL);
    cr_assert(outcome->jobs > 2000);
    found = outcome->invariants.work_conservation;
    sim_outcome_destroy(outcome);
    sim_scenario_destroy(scenario);
    free(text);
    return found;
}

/* Broken by: an invariant that is not looked at, or one that sees faults where there are none. */
Test(work_conservation, fires_when_work_is_withheld) {
    cr_assert_eq(violations("", 0), 0);
    cr_assert(violations("", 7) > 100);
    cr_assert_eq(violations(", \"endpoint\": {\"limits\": {\"rpm\": 120}}", 0), 0);
    cr_assert(violations(", \"endpoint\": {\"limits\": {\"rpm\": 120}}", 7) > 100);
}

/* Lingering workers may idle beside standard jobs, but not for longer, and never beside critical ones. Broken by leaving
 * scenarios that linger out altogether, or by counting what they are entitled to. */
Test(work_conservation, leaves_out_only_what_lingers) {
    const char *linger = ", \"scheduler\": {\"picker\": {\"critical_linger_ms\": 300}}";
    const char *critical =
        ", \"scheduler\": {\"picker\": {\"critical_linger_ms\": 300, \"critical_win_probability\": 1},"
        " \"demotion\": {\"enabled\": false}}, \"population\": {\"id\": \"p\", \"n\": 1, \"streams\":"
        " [{\"origin\": \"user_action\", \"arrivals\": {\"poisson\": {\"rate_per_s\": 1}},"
        " \"input_tokens\": 1, \"output_tokens\": 1}]}";

    cr_assert_eq(violations(linger, 0), 0);
    cr_assert(violations(linger, 7) > 100);
    cr_assert_eq(violations(critical, 0), 0);
    cr_assert(violations(critical, 7) > 100);
}
