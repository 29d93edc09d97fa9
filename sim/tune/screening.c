/* Which knobs matter: Morris screening, on the goal and on the rules beside it. */
#include "stages.h"

#include "../memory.h"
#include "space.h"

#include <math.h>
#include <stdlib.h>

/* Trajectories that constraints forbid are drawn anew, so often. */
enum { TRIES = 20000 };

struct design {
    struct sim_tune *tune;
    struct sim_scenario_memory *memory;
    struct sim_morris_trajectory trajectories[SIM_TUNE_TRAJECTORIES];
    size_t count;
    struct sim_candidate **points; /* [trajectory x (dimensions + 1) + step] */
    size_t point_count;
};

/* Make the points of trajectory `design->count`. *ret_allowed: constraints permit them all. */
static bool set_values(struct design *design, const char **values, bool *ret_allowed, struct sim_located_error *error) {
    const struct sim_study *study = design->tune->study;
    const struct sim_morris_trajectory *trajectory = &design->trajectories[design->count];
    *ret_allowed = true;
    for (size_t step = 0; step <= study->dimensions && *ret_allowed; step++) {
        const char **own = values + step * study->axis_count;
        sim_space_values(study, NULL, trajectory->points + step * study->dimensions, design->memory, own);
        if (!sim_study_allows(study, own, ret_allowed, error))
            return false;
    }
    return true;
}

static bool add_points(struct design *design, const char *const *values, struct sim_located_error *error) {
    const struct sim_study *study = design->tune->study;
    for (size_t step = 0; step <= study->dimensions; step++) {
        struct sim_candidate *point =
            sim_candidate_create(&design->tune->bench, 0, values + step * study->axis_count, error);
        if (point == NULL) {
            design->tune->bad_study = true;
            return false;
        }
        design->points[design->point_count++] = point;
    }
    design->count++;
    return true;
}

static bool draw(struct design *design, struct sim_located_error *error) {
    const struct sim_study *study = design->tune->study;
    size_t dimensions = study->dimensions, points = dimensions + 1;
    const char **values = sim_memory_take(design->memory, points * study->axis_count, sizeof *values);
    bool good = true;
    design->points = sim_calloc(SIM_TUNE_TRAJECTORIES * points, sizeof(struct sim_candidate *));
    for (uint32_t number = 0; number < TRIES && design->count < SIM_TUNE_TRAJECTORIES && good; number++) {
        struct sim_morris_trajectory *next = &design->trajectories[design->count];
        bool allowed;
        if (next->points == NULL) {
            next->points = sim_memory_take(design->memory, points * dimensions, sizeof *next->points);
            next->moved = sim_memory_take(design->memory, dimensions, sizeof *next->moved);
        }
        sim_morris_draw(study->design_seed, number, dimensions, next);
        good = set_values(design, values, &allowed, error);
        if (good && allowed)
            good = add_points(design, values, error);
    }
    return good;
}

/* A point that cannot be run to its end is as bad as the worst that can. */
static void fill_gaps(double *response, size_t count) {
    double worst = NAN;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, response[i]);
    for (size_t i = 0; i < count; i++)
        response[i] = isnan(response[i]) ? (isnan(worst) ? 0 : worst) : response[i];
}

static void take_effects(const struct design *design) {
    struct sim_tune *tune = design->tune;
    struct sim_screening *screening = &tune->screening;
    size_t dimensions = tune->study->dimensions, count = design->point_count;
    const struct sim_outcome *const *baseline = sim_candidate_outcomes(tune->candidates[0], SIM_SEARCH);
    double *goal = sim_calloc(count, sizeof *goal), *rules = sim_calloc(count, sizeof *rules);
    for (size_t i = 0; i < count; i++) {
        const struct sim_candidate *point = design->points[i];
        bool failed = point->failure != NULL;
        goal[i] = failed ? (double)NAN : sim_tune_mean(tune, point, SIM_SEARCH, screening->replications).value;
        rules[i] = failed ? (double)NAN
                          : sim_excess(&tune->goal, sim_candidate_outcomes(point, SIM_SEARCH), baseline,
                                       screening->replications, true, NULL);
    }
    fill_gaps(goal, count);
    fill_gaps(rules, count);
    screening->effects = sim_calloc(dimensions, sizeof *screening->effects);
    screening->rules = sim_calloc(dimensions, sizeof *screening->rules);
    sim_morris_effects(design->trajectories, design->count, dimensions, goal, screening->effects);
    sim_morris_effects(design->trajectories, design->count, dimensions, rules, screening->rules);
    free(goal);
    free(rules);
}

static double strongest(const struct sim_morris_effect *effects, size_t dimensions) {
    double most = 0;
    for (size_t d = 0; d < dimensions; d++)
        most = fmax(most, effects[d].mu_star);
    return most;
}

static bool matters(const struct sim_morris_effect *effect, double most) {
    return effect->mu_star >= SIM_TUNE_DELTA && effect->mu_star >= SIM_TUNE_FREEZE * most;
}

static void freeze(struct sim_screening *screening, size_t dimensions) {
    double goal = strongest(screening->effects, dimensions), rules = strongest(screening->rules, dimensions);
    bool any = false;
    for (size_t d = 0; d < dimensions; d++) {
        screening->kept[d] = matters(&screening->effects[d], goal) || matters(&screening->rules[d], rules);
        any |= screening->kept[d];
    }
    /* Where no knob does much, the one that does most is still worth a look. */
    for (size_t d = 0; d < dimensions && !any; d++)
        any = screening->kept[d] = screening->effects[d].mu_star >= goal;
}

/* How many points of the design the constraints would forbid, were the knobs that are not @p kept left alone. */
static bool count_forbidden(const struct design *design, const bool *kept, size_t *ret,
                            struct sim_located_error *error) {
    const struct sim_study *study = design->tune->study;
    const char **values = sim_memory_take(design->memory, study->axis_count, sizeof *values);
    *ret = 0;
    for (size_t i = 0; i < design->point_count; i++) {
        bool allowed;
        for (size_t a = 0; a < study->axis_count; a++)
            values[a] = kept[study->axes[a].dimension] ? design->points[i]->values[a] : NULL;
        if (!sim_study_allows(study, values, &allowed, error))
            return false;
        *ret += !allowed;
    }
    return true;
}

/* A frozen knob may, through a constraint, keep others from good values: thaw the one that gives most room, as long as
 * that helps. */
static bool thaw(const struct design *design, struct sim_located_error *error) {
    bool *kept = design->tune->screening.kept;
    size_t dimensions = design->tune->study->dimensions, forbidden, best;
    if (!count_forbidden(design, kept, &forbidden, error))
        return false;
    do {
        best = dimensions;
        for (size_t d = 0; d < dimensions && forbidden > 0; d++) {
            size_t without;
            if (kept[d])
                continue;
            kept[d] = true;
            bool good = count_forbidden(design, kept, &without, error);
            kept[d] = false;
            if (!good)
                return false;
            if (without < forbidden) {
                forbidden = without;
                best = d;
            }
        }
        if (best < dimensions)
            kept[best] = true;
    } while (best < dimensions);
    return true;
}

bool sim_tune_screen(struct sim_tune *tune, struct sim_located_error *error) {
    struct sim_screening *screening = &tune->screening;
    size_t dimensions = tune->study->dimensions;
    struct design design = {.tune = tune, .memory = sim_memory_create()};
    screening->replications = SIM_TUNE_SCREENING;
    screening->kept = sim_calloc(dimensions, sizeof *screening->kept);
    for (size_t d = 0; d < dimensions; d++)
        screening->kept[d] = true;
    bool good = draw(&design, error) &&
                sim_tune_replicate(tune, design.points, design.point_count, SIM_SEARCH, screening->replications, error);
    if (good && design.count > 0) {
        screening->trajectories = design.count;
        take_effects(&design);
        freeze(screening, dimensions);
        good = thaw(&design, error);
    }
    for (size_t i = 0; i < design.point_count; i++)
        sim_candidate_destroy(design.points[i]);
    free(design.points);
    sim_memory_destroy(design.memory);
    return good;
}
