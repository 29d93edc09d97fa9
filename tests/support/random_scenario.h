/** Valid scenarios drawn from a seed: small enough to run in milliseconds, wide enough to mix every feature with every
 *  other. */
#ifndef TESTS_RANDOM_SCENARIO_H
#define TESTS_RANDOM_SCENARIO_H

#include <cjson/cJSON.h>
#include <stdint.h>

enum random_kind {
    RANDOM_ANY,  /**< everything a scenario can say, traces apart */
    RANDOM_PLAIN /**< without limits, refusals, demotion, timer refill, changes, and whatever looks at the wall clock */
};

/** A scenario; the caller deletes it. The same seed gives the same one on every machine. */
cJSON *random_scenario(uint64_t seed, enum random_kind kind);

#endif
