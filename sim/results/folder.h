/** Steps of folder.c that others take alone. */
#ifndef SIM_FOLDER_H
#define SIM_FOLDER_H

#include <stdbool.h>

/** mkdir -p. @return false with errno. */
bool sim_folder_make(const char *folder);

/** Exchange the folders @p partial and @p base within directory @p parent: at once where the file system can, else, or
 *  if @p by_renames, by renames. @return false with errno. */
bool sim_folder_exchange(int parent, const char *partial, const char *base, bool by_renames);

/** Remove the folder @p name within directory @p parent and all in it, following no links. @return false when something
 * stands in the way. */
bool sim_folder_remove(int parent, const char *name);

#endif
