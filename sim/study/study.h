/** A study: one scenario, the knobs to vary in it, and which settings of them to try.
 *
 *  A study file is JSON, version 1, read as strictly as a scenario; scenarios/studies/README.md lists its keys. Knobs are
 *  axes: a path as `--set` takes it, and its levels or its range. Axes of one zip group move together; each group, and
 *  each axis in none, is one dimension of the design. A configuration gives every axis a value, kept as JSON text. The
 *  same study gives the same configurations in the same order everywhere. */
#ifndef SIM_STUDY_H
#define SIM_STUDY_H

#include "../scenario/memory.h"
#include "../scenario/scenario.h"
#include "expression.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIM_AXES_MAX = 40,               /**< what GSL's Sobol sequence can do */
    SIM_LEVELS_MAX = 10000,          /**< of one axis */
    SIM_CONFIGURATIONS_MAX = 100000, /**< of one study */
};

enum sim_design {
    SIM_DESIGN_GRID,   /**< every combination, the last dimension fastest */
    SIM_DESIGN_SOBOL,  /**< Sobol's sequence (GSL; Bratley and Fox 1988) */
    SIM_DESIGN_LHS,    /**< Latin hypercube (McKay, Beckman, Conover 1979) */
    SIM_DESIGN_RANDOM, /**< independent uniform draws */
};

/** A range without levels is continuous: any value in it may be tried. */
struct sim_axis {
    const char *path;    /**< as --set takes it */
    const char *name;    /**< shortest end of the path, from a dot on, that no other axis has */
    const char **levels; /**< JSON text of each */
    size_t level_count;  /**< 0: continuous */
    double from, to;     /**< continuous */
    bool log;            /**< continuous: even in the logarithm */
    bool whole;          /**< the key takes whole numbers only */
    size_t dimension;
};

struct sim_study {
    char *name;
    char *about;          /**< NULL: none */
    const char *file;     /**< as it was opened */
    const char *scenario; /**< file of the scenario, from the current directory */
    enum sim_design design;
    uint64_t design_seed; /**< lhs and random */
    uint32_t points;      /**< asked of a design that is no grid */
    uint32_t repeat;      /**< replications of each configuration */
    struct sim_axis *axes;
    size_t axis_count;
    size_t dimensions;
    struct sim_expression **constraints;
    size_t constraint_count;
    struct sim_objective {
        char *text;   /**< as written */
        char *figure; /**< its name */
        bool more;    /**< more is better */
    } * objectives;
    size_t objective_count;
    bool own_slo; /**< the study has SLOs, in the place of the scenario's */
    char **slo;   /**< the study's, else the scenario's */
    size_t slo_count;
    const char *warmup_set;            /**< once \"auto\" is settled: the --set that says so; else NULL */
    struct sim_scenario *base;         /**< the scenario with no knob turned */
    struct sim_scenario_options given; /**< the caller's changes to the scenario, below the knobs */
    const char **own_paths;            /**< paths of the scenario that expressions name beside the knobs */
    size_t own_count, own_room;
    struct sim_scenario_memory *memory; /**< owns all but base */
};

/** Read and check @p path. @p given (NULL: none) changes the scenario before the knobs do; what it points to must outlive
 *  the study. @return the study (sim_study_destroy), or NULL with *error filled. */
struct sim_study *sim_study_create(const char *path, const struct sim_scenario_options *given,
                                   struct sim_located_error *error);
/** Accepts NULL. */
void sim_study_destroy(struct sim_study *study);

/** Configurations, in order. Entry [i x axis_count + a]: value of axis a in configuration i, JSON text; borrowed. */
struct sim_configurations {
    const char **values;
    size_t count;
    size_t asked;                       /**< before constraints, duplicates and filter */
    struct sim_scenario_memory *memory; /**< owns texts that are no level's */
};

/** All configurations of the design that meet the constraints, and @p filter (NULL: all). Designs that are no grid drop
 *  duplicates; sobol and random go on until they have `points`, or have tried a hundred times as many.
 *  @return false with *error: none is left, too many, or an expression that cannot be evaluated. */
bool sim_study_enumerate(const struct sim_study *study, const struct sim_expression *filter,
                         struct sim_configurations *ret, struct sim_located_error *error);
void sim_configurations_finish(struct sim_configurations *configurations);

/** Value of @p axis at @p u in [0, 1): the level there, or the point of the range rounded to six digits. Borrowed from the
 *  axis or taken from @p memory. */
const char *sim_axis_at(const struct sim_axis *axis, double u, struct sim_scenario_memory *memory);

/** Do @p values meet every constraint? A NULL value stands for the scenario's own.
 *  @return false with *error when one cannot be evaluated. */
bool sim_study_allows(const struct sim_study *study, const char *const *values, bool *ret_allowed,
                      struct sim_located_error *error);

/** Parse an expression whose names are those of the study: knobs, and other paths of the scenario. The study remembers
 *  the latter. @return NULL with *error. */
struct sim_expression *sim_study_expression(struct sim_study *study, const char *text, struct sim_located_error *error);

/** Does @p expression hold of @p values? A NULL value stands for the scenario's own. @return false with *error. */
bool sim_study_holds(const struct sim_study *study, const struct sim_expression *expression, const char *const *values,
                     bool *ret_holds, struct sim_located_error *error);

/** The scenario's own value at @p path: what stands there, else the key's default; JSON text from @p memory, or NULL when
 *  there is neither. */
const char *sim_study_own_value(const struct sim_study *study, const char *path, struct sim_scenario_memory *memory);

/** Where the scenario's warm-up is "auto": find it, on the scenario with no knob turned, once for all configurations, so
 *  that all cover the same jobs. Otherwise does nothing. @return false with *error. */
bool sim_study_settle_warmup(struct sim_study *study, uint32_t jobs, const volatile int *stop,
                             struct sim_located_error *error);

/** The scenario of a configuration: the base with @p values set (NULL: as the scenario has it), the study's SLOs, its
 *  `repeat` as replications and its settled warm-up, without precision on demand. Its hash does not depend on `repeat`.
 *  @return NULL with *error, which names the --set at fault. */
struct sim_scenario *sim_study_scenario(const struct sim_study *study, const char *const *values,
                                        struct sim_located_error *error);

/** "quantum=5 policy=drr": @p values by the axes' short names, into a new string from @p memory. */
const char *sim_study_label(const struct sim_study *study, const char *const *values,
                            struct sim_scenario_memory *memory);

/** The same values as JSON: {"path": value, ...}. */
const char *sim_study_knobs(const struct sim_study *study, const char *const *values,
                            struct sim_scenario_memory *memory);

#endif
