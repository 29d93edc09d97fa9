/** The memory of one scenario: everything it holds is taken from here and freed at once. */
#ifndef SIM_SCENARIO_MEMORY_H
#define SIM_SCENARIO_MEMORY_H

#include "../../models/trace.h"

#include <cjson/cJSON.h>
#include <stddef.h>

struct sim_scenario_memory;

struct sim_scenario_memory *sim_memory_create(void);

/** Free all blocks, traces and trees. Accepts NULL. */
void sim_memory_destroy(struct sim_scenario_memory *memory);

/** @p count items of @p size bytes, zeroed, aligned for anything; never NULL, also for 0 items. Sizes are bounded by the
 *  key table; running out of memory ends the process as in ../memory.h. */
void *sim_memory_take(struct sim_scenario_memory *memory, size_t count, size_t size);

/** A copy of the first @p length bytes of @p text, terminated. */
char *sim_memory_text(struct sim_scenario_memory *memory, const char *text, size_t length);

/** printf into a new string. */
char *sim_memory_format(struct sim_scenario_memory *memory, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Hand over a trace or a tree, to be destroyed with the rest. */
void sim_memory_own_trace(struct sim_scenario_memory *memory, struct model_trace *trace);
void sim_memory_own_tree(struct sim_scenario_memory *memory, cJSON *tree);

#endif
