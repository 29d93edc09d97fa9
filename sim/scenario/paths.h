/** File names as scenarios give them. */
#ifndef SIM_PATHS_H
#define SIM_PATHS_H

#include "memory.h"

/** Folder part of @p path; "." when it has none. */
const char *sim_path_folder(struct sim_scenario_memory *memory, const char *path);

/** @p file as seen from where @p folder is: itself when absolute or when @p folder is ".". */
const char *sim_path_join(struct sim_scenario_memory *memory, const char *folder, const char *file);

/** Name of @p file (relative to @p folder, or absolute) from the current directory, links resolved in its folder, so that
 *  one file has one name however the scenario was reached. Where the folder does not exist, the plain join. */
const char *sim_path_from_here(struct sim_scenario_memory *memory, const char *folder, const char *file);

/** Last part of @p path without ".json". */
const char *sim_path_stem(struct sim_scenario_memory *memory, const char *path);

#endif
