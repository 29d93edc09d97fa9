/** Laying one JSON tree over another, as `extends` and `--set` do. */
#ifndef SIM_MERGE_H
#define SIM_MERGE_H

#include "keys.h"

#include <cjson/cJSON.h>

/** Merge every member of @p patch (an object, consumed) into @p object, whose keys @p row describes.
 *
 *  Objects merge deeply; everything else, arrays too, is replaced. A member that names another kind of distribution or
 *  arrival process first clears what stood there; one of another group of a table (`every_s` after `at_s`) first removes
 *  its rivals. null replaces as any value does. */
void sim_merge(cJSON *object, cJSON *patch, const struct sim_key *row);

/** The same for one member: put @p value (consumed) behind @p key. */
void sim_merge_member(cJSON *object, const char *key, cJSON *value, const struct sim_key *row);

/** Clear what the presence of @p key in @p object excludes. */
void sim_merge_displace(cJSON *object, const char *key, const struct sim_key *row);

/** An object for the members of a NUMBER_OR_OBJECT @p row whose value so far is @p number: the number behind each key. */
cJSON *sim_merge_expand(const cJSON *number, const struct sim_key *row);

/** Add @p item to @p object behind @p key, in the place of what stood there. Consumes @p item. */
void sim_merge_put(cJSON *object, const char *key, cJSON *item);

#endif
