/** Changes to a scenario's tree: the same system at another pace, under other names, or smaller. */
#ifndef TESTS_SCENARIO_EDITS_H
#define TESTS_SCENARIO_EDITS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/** Make every time of a plain scenario (random_scenario.h) @p factor times as long, and every rate so much lower. */
void scenario_stretch(cJSON *scenario, double factor);

/** Rename tenants and populations: in the order of the alphabet and in length they are others then. SLOs name none. */
void scenario_rename(cJSON *scenario);

/** The opposite of scenario_rename() in the text of a result; malloc'ed. */
char *scenario_unrename(const char *text);

/** Does a scenario still show the fault that is being looked for? */
typedef bool (*scenario_fails)(void *context, const cJSON *scenario);

/** Delete whatever can be deleted from @p scenario, which fails, while it still does, member by member, the largest
 *  parts first. Asks at most @p tries times. */
void scenario_shrink(cJSON *scenario, scenario_fails fails, void *context, int tries);

#endif
