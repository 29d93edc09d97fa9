/** One knob of a study: its levels, its name, its place in the scenario. */
#ifndef SIM_AXIS_H
#define SIM_AXIS_H

#include "../scenario/keys.h"
#include "keys_study.h"
#include "study.h"

/** Fill *ret, whose path is set, from @p draft. @return false with @p message (of @p size bytes). */
bool sim_axis_make(const struct sim_values_draft *draft, const struct sim_study *study, struct sim_axis *ret,
                   char *message, size_t size);

/** Give every axis its short name. */
void sim_axes_name(struct sim_axis *axes, size_t count);

/** The row of the scenario's table of keys that describes what stands at @p path of @p tree; NULL: unknown.
 *  *ret_value: what stands there, NULL: nothing. */
const struct sim_key *sim_path_row(const cJSON *tree, const char *path, const cJSON **ret_value);

#endif
