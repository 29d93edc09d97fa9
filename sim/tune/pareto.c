#include "pareto.h"

#include "../memory.h"
#include "../stats/estimate.h"

#include <math.h>
#include <stdlib.h>

/* -1: a is better in this dimension, 1: worse, 0: nothing is shown. */
static int compare(const double *a, const double *b, size_t count, double *differences) {
    for (size_t r = 0; r < count; r++)
        differences[r] = a[r] - b[r];
    struct sim_estimate estimate = sim_estimate_mean(differences, count, .95);
    return estimate.hi < 0 ? -1 : estimate.lo > 0 ? 1 : 0;
}

static bool dominates(const struct sim_pareto_point *a, const struct sim_pareto_point *b, size_t dimensions,
                      double *differences) {
    size_t count = a->replications < b->replications ? a->replications : b->replications;
    bool better = false;
    for (size_t d = 0; d < dimensions; d++) {
        int sign = compare(a->values[d], b->values[d], count, differences);
        if (sign > 0)
            return false;
        better |= sign < 0;
    }
    return better;
}

void sim_pareto(const struct sim_pareto_point *points, size_t count, size_t dimensions, size_t *ret_by) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = points[i].replications > most ? points[i].replications : most;
    double *differences = sim_calloc(most, sizeof *differences);
    for (size_t i = 0; i < count; i++) {
        ret_by[i] = SIM_PARETO_NOBODY;
        for (size_t by = 0; by < count && ret_by[i] == SIM_PARETO_NOBODY; by++)
            if (by != i && dominates(&points[by], &points[i], dimensions, differences))
                ret_by[i] = by;
    }
    free(differences);
}
