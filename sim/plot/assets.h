/** Texts that pictures and reports are made of, embedded at build time: plots/NAME.gp, sim/report/page.css and page.js. */
#ifndef SIM_ASSETS_H
#define SIM_ASSETS_H

#include <stddef.h>

struct sim_asset {
    const char *name; /**< with its ending */
    const char *text; /**< NUL-terminated */
    size_t length;
};

extern const struct sim_asset sim_assets[];
extern const size_t sim_asset_count;

/** The one called @p name, which must be there. */
const struct sim_asset *sim_asset(const char *name);

#endif
