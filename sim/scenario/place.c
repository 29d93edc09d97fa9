#include "place.h"

#include <stdio.h>
#include <string.h>

void sim_place_route(const struct sim_place *place, struct sim_route *ret) {
    size_t depth = 0;
    for (const struct sim_place *at = place; at != NULL && at->parent != NULL; at = at->parent)
        depth++;
    ret->count = depth < SIM_PLACE_DEPTH ? depth : SIM_PLACE_DEPTH;
    for (const struct sim_place *at = place; depth > 0; at = at->parent) {
        depth--;
        if (depth >= SIM_PLACE_DEPTH)
            continue;
        if (at->key == NULL)
            snprintf(ret->digits[depth], sizeof ret->digits[depth], "%zu", at->index);
        ret->step[depth] = at->key != NULL ? at->key : ret->digits[depth];
    }
}

const char *sim_place_text(const struct sim_place *place, char *buffer, size_t size) {
    struct sim_route route;
    sim_place_route(place, &route);
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < route.count && used < size; i++) {
        int written = snprintf(buffer + used, size - used, "%s%s", i > 0 ? "." : "", route.step[i]);
        used += written > 0 ? (size_t)written : 0;
    }
    return buffer;
}
