/** Rows of a study file, and the structs that they fill. */
#ifndef SIM_KEYS_STUDY_H
#define SIM_KEYS_STUDY_H

#include "../scenario/draft.h"
#include "../scenario/keys.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/** Values of one knob: a list, or a range. */
struct sim_values_draft {
    const cJSON *values; /**< NULL: a range */
    double from, to;
    double step; /**< NAN: not given */
    uint32_t points;
    enum { SIM_SCALE_LINEAR, SIM_SCALE_LOG } scale;
};

struct sim_vary_draft {
    char *path;
    struct sim_values_draft values;
};

struct sim_study_draft {
    char *name;
    char *about;
    char *scenario;
    int design;
    uint64_t design_seed;
    uint32_t points; /**< 0: not given */
    uint32_t repeat; /**< 0: not given */
    bool has_slo;
    struct sim_list vary;       /**< struct sim_vary_draft */
    struct sim_list zip;        /**< struct sim_list of char * */
    struct sim_list constraint; /**< char * */
    struct sim_list objectives; /**< char * */
    struct sim_list slo;        /**< char * */
};

/** The whole study: an OBJECT row without a name, for struct sim_study_draft. */
extern const struct sim_key sim_study_key;

#endif
