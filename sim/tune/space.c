#include "space.h"

#include "../memory.h"

#include <assert.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>

/* A continuous value to about a thousandth of its range, or of itself on a log scale: recommended numbers are for people,
 * too. Beyond the ends, and for whole numbers and levels, the text stays. */
static const char *rounded(const struct sim_axis *axis, const char *text, struct sim_scenario_memory *memory) {
    if (axis->level_count > 0 || axis->whole)
        return text;
    double value = strtod(text, NULL);
    int decimals = (int)ceil(3 - log10(axis->to - axis->from));
    const char *shorter = axis->log ? sim_memory_format(memory, "%.3g", value)
                                    : sim_memory_format(memory, "%.*f", decimals > 0 ? decimals : 0, value);
    double near = strtod(shorter, NULL);
    /* Read back and printed anew: no zeros behind the point. */
    return near < axis->from || near > axis->to ? text : sim_memory_format(memory, "%.10g", near + 0.0);
}

void sim_space_values(const struct sim_study *study, const bool *free, const double *u,
                      struct sim_scenario_memory *memory, const char **ret) {
    const double under_1 = nextafter(1, 0);
    for (size_t a = 0; a < study->axis_count; a++) {
        size_t dimension = study->axes[a].dimension;
        bool turned = free == NULL || free[dimension];
        const char *text = turned ? sim_axis_at(&study->axes[a], fmin(u[dimension], under_1), memory) : NULL;
        ret[a] = turned ? rounded(&study->axes[a], text, memory) : NULL;
    }
}

struct sim_sobol {
    const struct sim_study *study;
    bool free[SIM_AXES_MAX];
    size_t free_count;
    gsl_qrng *sequence;
};

struct sim_sobol *sim_sobol_create(const struct sim_study *study, const bool *free) {
    struct sim_sobol *sobol = sim_calloc(1, sizeof *sobol);
    sobol->study = study;
    for (size_t d = 0; d < study->dimensions; d++) {
        sobol->free[d] = free[d];
        sobol->free_count += free[d];
    }
    assert(sobol->free_count > 0);
    sobol->sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)sobol->free_count);
    assert(sobol->sequence != NULL);
    return sobol;
}

void sim_sobol_destroy(struct sim_sobol *sobol) {
    if (sobol == NULL)
        return;
    gsl_qrng_free(sobol->sequence);
    free(sobol);
}

bool sim_sobol_next(struct sim_sobol *sobol, size_t tries, struct sim_scenario_memory *memory, const char **ret,
                    bool *ret_found, struct sim_located_error *error) {
    const struct sim_study *study = sobol->study;
    bool allowed = false;
    for (size_t i = 0; i < tries && !allowed; i++) {
        double point[SIM_AXES_MAX], u[SIM_AXES_MAX] = {0};
        size_t used = 0;
        gsl_qrng_get(sobol->sequence, point);
        for (size_t d = 0; d < study->dimensions; d++)
            if (sobol->free[d])
                u[d] = point[used++];
        sim_space_values(study, sobol->free, u, memory, ret);
        if (!sim_study_allows(study, ret, &allowed, error))
            return false;
    }
    *ret_found = allowed;
    return true;
}
