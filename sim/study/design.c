/* Which configurations a study tries. */
#include "study.h"

#include "../../models/streams.h"
#include "../memory.h"

#include <assert.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a grid may have before constraints; a filter or constraint looks at each. */
#define GRID_MAX 1e7

struct collector {
    const struct sim_study *study;
    const struct sim_expression *filter;
    struct sim_configurations *found;
    size_t room;
    size_t kept;    /* before the filter */
    uint64_t *seen; /* hashes of configurations kept, open addressing; 0: free. NULL: no duplicates can come */
    size_t seen_mask;
    const char **values; /* of the configuration at hand */
    struct sim_located_error *error;
};

static uint64_t hash_of(const struct collector *collector) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t a = 0; a < collector->study->axis_count; a++)
        for (const char *at = collector->values[a];; at++) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
            if (*at == '\0')
                break;
        }
    return hash != 0 ? hash : 1;
}

/* Were these values kept before? Remember them. 64 bits do not collide among 100,000 in practice. */
static bool is_duplicate(struct collector *collector) {
    if (collector->seen == NULL)
        return false;
    uint64_t hash = hash_of(collector);
    size_t at = (size_t)hash & collector->seen_mask;
    while (collector->seen[at] != 0 && collector->seen[at] != hash)
        at = (at + 1) & collector->seen_mask;
    if (collector->seen[at] == hash)
        return true;
    collector->seen[at] = hash;
    return false;
}

static bool too_many(struct collector *collector) {
    sim_error_set(collector->error, collector->study->file, 0, "vary",
                  "expected at most %d configurations, found more: fewer values, or a design with \"points\"",
                  SIM_CONFIGURATIONS_MAX);
    return false;
}

/* Keep the values at hand if they are allowed and new. @return false with the error set. */
static bool collect(struct collector *collector) {
    const struct sim_study *study = collector->study;
    struct sim_configurations *found = collector->found;
    bool allowed, wanted = true;
    if (!sim_study_allows(study, collector->values, &allowed, collector->error))
        return false;
    if (!allowed || is_duplicate(collector))
        return true;
    collector->kept++;
    if (collector->filter != NULL &&
        !sim_study_holds(study, collector->filter, collector->values, &wanted, collector->error))
        return false;
    if (!wanted)
        return true;
    if (found->count == SIM_CONFIGURATIONS_MAX)
        return too_many(collector);
    if (found->count == collector->room) {
        collector->room = collector->room > 0 ? 2 * collector->room : 64;
        found->values = sim_realloc(found->values, collector->room * study->axis_count, sizeof *found->values);
    }
    memcpy(&found->values[found->count++ * study->axis_count], collector->values,
           study->axis_count * sizeof *found->values);
    return true;
}

static void set_values(struct collector *collector, const double *u) {
    const struct sim_study *study = collector->study;
    for (size_t a = 0; a < study->axis_count; a++)
        collector->values[a] = sim_axis_at(&study->axes[a], u[study->axes[a].dimension], collector->found->memory);
}

/* ---- grid ---- */

static size_t levels_of(const struct sim_study *study, size_t dimension) {
    for (size_t a = 0; a < study->axis_count; a++)
        if (study->axes[a].dimension == dimension)
            return study->axes[a].level_count;
    assert(false);
    return 0;
}

static bool walk_grid(struct collector *collector) {
    const struct sim_study *study = collector->study;
    size_t level[SIM_AXES_MAX] = {0};
    double total = 1;
    for (size_t d = 0; d < study->dimensions; d++)
        total *= (double)levels_of(study, d);
    collector->found->asked = total < GRID_MAX ? (size_t)total : SIZE_MAX;
    if (total > GRID_MAX)
        return too_many(collector);
    for (bool more = true; more;) {
        for (size_t a = 0; a < study->axis_count; a++)
            collector->values[a] = study->axes[a].levels[level[study->axes[a].dimension]];
        if (!collect(collector))
            return false;
        more = false;
        for (size_t d = study->dimensions; d-- > 0 && !more;) {
            more = ++level[d] < levels_of(study, d);
            level[d] = more ? level[d] : 0;
        }
    }
    return true;
}

/* ---- points ---- */

static double draw(const struct sim_study *study, size_t dimension, size_t point, uint32_t block) {
    const struct model_streams streams = {.seed = study->design_seed};
    return model_uniform(&streams, (uint32_t)dimension, (uint32_t)point, MODEL_DESIGN, block);
}

/* Points until enough were kept or too many tried: Sobol's sequence, or independent draws where @p sobol is NULL. */
static bool walk_points(struct collector *collector, gsl_qrng *sobol) {
    const struct sim_study *study = collector->study;
    size_t tries = (size_t)study->points * 100;
    for (size_t i = 0; i < tries && collector->kept < study->points; i++) {
        double u[SIM_AXES_MAX];
        if (sobol != NULL)
            gsl_qrng_get(sobol, u);
        for (size_t d = 0; sobol == NULL && d < study->dimensions; d++)
            u[d] = draw(study, d, i, 0);
        set_values(collector, u);
        if (!collect(collector))
            return false;
    }
    return true;
}

static bool walk_random(struct collector *collector) {
    return walk_points(collector, NULL);
}

static bool walk_sobol(struct collector *collector) {
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)collector->study->dimensions);
    assert(sobol != NULL);
    bool good = walk_points(collector, sobol);
    gsl_qrng_free(sobol);
    return good;
}

/* One point in each of `points` strata of every dimension. Points that constraints forbid are left out: others in their
 * place would not be a hypercube either. */
static bool walk_lhs(struct collector *collector) {
    const struct sim_study *study = collector->study;
    size_t points = study->points;
    uint32_t *stratum = sim_alloc(points * study->dimensions * sizeof *stratum);
    for (size_t d = 0; d < study->dimensions; d++) {
        uint32_t *own = stratum + d * points;
        for (size_t i = 0; i < points; i++)
            own[i] = (uint32_t)i;
        /* Fisher and Yates. */
        for (size_t i = points - 1; i > 0; i--) {
            size_t other = (size_t)(draw(study, d, i, 1) * (double)(i + 1));
            uint32_t kept = own[i];
            own[i] = own[other];
            own[other] = kept;
        }
    }
    bool good = true;
    for (size_t i = 0; i < points && good; i++) {
        double u[SIM_AXES_MAX];
        for (size_t d = 0; d < study->dimensions; d++)
            u[d] = ((double)stratum[d * points + i] + draw(study, d, i, 0)) / (double)points;
        set_values(collector, u);
        good = collect(collector);
    }
    free(stratum);
    return good;
}

bool sim_study_enumerate(const struct sim_study *study, const struct sim_expression *filter,
                         struct sim_configurations *ret, struct sim_located_error *error) {
    static bool (*const walks[])(struct collector * collector) = {[SIM_DESIGN_GRID] = walk_grid,
                                                                  [SIM_DESIGN_SOBOL] = walk_sobol,
                                                                  [SIM_DESIGN_LHS] = walk_lhs,
                                                                  [SIM_DESIGN_RANDOM] = walk_random};
    struct sim_configurations found = {.asked = study->points, .memory = sim_memory_create()};
    struct collector collector = {.study = study, .filter = filter, .found = &found, .error = error};
    collector.values = sim_memory_take(found.memory, study->axis_count, sizeof *collector.values);
    if (study->design != SIM_DESIGN_GRID) {
        size_t slots = 16;
        while (slots < 4 * (size_t)study->points)
            slots *= 2;
        collector.seen = sim_calloc(slots, sizeof *collector.seen);
        collector.seen_mask = slots - 1;
    }
    bool good = walks[study->design](&collector);
    free(collector.seen);
    if (good && found.count == 0) {
        sim_error_set(error, study->file, 0, "", "no configuration is left: %s",
                      collector.kept > 0 ? "the filter fits none" : "the constraints forbid all");
        good = false;
    }
    if (good)
        *ret = found;
    else
        sim_configurations_finish(&found);
    return good;
}

void sim_configurations_finish(struct sim_configurations *configurations) {
    free(configurations->values);
    sim_memory_destroy(configurations->memory);
    *configurations = (struct sim_configurations){0};
}
