#include "assets.h"

#include <assert.h>
#include <string.h>

const struct sim_asset *sim_asset(const char *name) {
    const struct sim_asset *found = NULL;
    for (size_t i = 0; i < sim_asset_count; i++)
        if (!strcmp(sim_assets[i].name, name))
            found = &sim_assets[i];
    assert(found);
    return found;
}
