/** Run (configuration, replication) units on all cores and hand back their outcomes.
 *
 *  Each thread owns a stretch of the list of units and takes from its front; one that has run out steals the back half of
 *  the longest stretch left. So neighbours in the list, which usually share a configuration, meet in one thread, and a
 *  configuration's scenario is read once, shared, and dropped with its last unit. Which thread runs what never shows in an
 *  outcome. */
#ifndef SIM_EXECUTE_H
#define SIM_EXECUTE_H

#include "../measure/figures.h"
#include "../measure/outcome.h"
#include "../scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_unit {
    uint32_t configuration; /**< a number that means something to the caller */
    uint32_t replication;   /**< from 1 */
};

/** What the caller does; each is called under one lock, from any thread. */
struct sim_executor {
    /** The scenario of @p configuration, handed over. @return NULL with *error: that ends the execution. Not under the
     *  lock: several may be read at once. */
    struct sim_scenario *(*load)(void *context, uint32_t configuration, struct sim_located_error *error);
    /** @p outcome of @p unit, handed over; NULL: it failed, *error says why. @p figures and @p scenario are borrowed for
     *  the call. @return false with *error to end the execution. */
    bool (*take)(void *context, const struct sim_unit *unit, const struct sim_scenario *scenario,
                 const struct sim_figures *figures, struct sim_outcome *outcome, struct sim_located_error *error);
    void *context;
    uint32_t jobs;            /**< threads; 0: all cores */
    const volatile int *stop; /**< set by a signal: running units end, no new one begins; NULL: never */
};

/** Run all @p units. @return true when every one was taken; false with *error when the executor ended it, or, with an
 *  empty *error, when it was stopped. */
bool sim_execute(const struct sim_unit *units, size_t count, const struct sim_executor *executor,
                 struct sim_located_error *error);

#endif
