/** Try a property on scenarios drawn from seeds, and track down what breaks it.
 *
 *  Each seed is tried in a process of its own, so that a crash or a hang is a finding like any other. One that fails is
 *  shrunk to a small scenario that fails in the same way, which is printed and kept as random-SEED.json in the current
 *  folder. FAIRLANE_RANDOM_COUNT: how many seeds a property gets (default 200; a soak: 20000). FAIRLANE_RANDOM_SEED: the
 *  first one (default 1). */
#ifndef TESTS_RANDOM_TRIAL_H
#define TESTS_RANDOM_TRIAL_H

#include "../../sim/scenario/scenario.h"
#include "random_scenario.h"

/** What is wrong with a scenario: the property's name, a colon, and details. Empty: nothing. */
struct random_finding {
    char text[1024];
};

/** Note a breach of @p property; the first one stands. */
__attribute__((format(printf, 3, 4))) void random_found(struct random_finding *finding, const char *property,
                                                        const char *format, ...);

/** Read a scenario from @p json, or from a tree. @return NULL, with a finding, when it cannot be read. */
struct sim_scenario *random_read_text(const char *json, const struct sim_scenario_options *options,
                                      struct random_finding *finding);
struct sim_scenario *random_read(const cJSON *tree, const struct sim_scenario_options *options,
                                 struct random_finding *finding);

/** Look for a breach in the scenario @p tree, which @p seed gave. */
typedef void (*random_property)(const cJSON *tree, uint64_t seed, struct random_finding *finding);

/** Check every second seed, from number @p first (0 or 1) on; fails the Criterion test that calls it. */
void random_check_seeds(random_property check, enum random_kind kind, uint64_t first);

#endif
