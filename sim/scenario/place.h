/** Where in a tree of JSON values one is: a chain of steps on the caller's stack, innermost first. */
#ifndef SIM_PLACE_H
#define SIM_PLACE_H

#include <stddef.h>

struct sim_place {
    const struct sim_place *parent; /**< NULL: the root itself */
    const char *key;                /**< member of an object; NULL: element of an array */
    size_t index;
};

/** Steps from the root, with the keys they name; elements of arrays are decimal numbers. */
enum { SIM_PLACE_DEPTH = 72 };
struct sim_route {
    const char *step[SIM_PLACE_DEPTH];
    size_t count;
    char digits[SIM_PLACE_DEPTH][24]; /**< texts of the indices; `step` points here, so a route does not move */
};

/** Flatten @p place into @p ret. A place that is deeper than a route can be is cut at its start of SIM_PLACE_DEPTH steps. */
void sim_place_route(const struct sim_place *place, struct sim_route *ret);

/** Render "tenants.0.plan" into @p buffer, cut if it does not fit. @return buffer. */
const char *sim_place_text(const struct sim_place *place, char *buffer, size_t size);

#endif
