/** A candidate as a patch of its scenario: what `run --set-file` and `extends` take. */
#ifndef SIM_PATCH_H
#define SIM_PATCH_H

#include "../study/study.h"

/** An object that holds the candidate's values at the places that the paths of the knobs name, and nothing else but that
 *  an array which a path leads into is there as a whole, since merging replaces arrays whole. A value that is NULL is left
 *  out. @return the patch (cJSON_Delete), or NULL with *error. */
cJSON *sim_patch_create(const struct sim_study *study, const char *const *values, struct sim_located_error *error);

#endif
