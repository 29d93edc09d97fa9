/** Endpoint presets, embedded at build time from models/presets/NAME.json. */
#ifndef SIM_PRESETS_H
#define SIM_PRESETS_H

#include <stddef.h>

struct sim_preset {
    const char *name;
    const char *text; /**< the file, NUL-terminated: { "about": "...", "endpoint": { ... } } */
    size_t length;    /**< without the NUL */
};

/** In order of name. */
extern const struct sim_preset sim_presets[];
extern const size_t sim_preset_count;

#endif
