/** Figures of a single replication. */
#include "replicated.h"

#include <math.h>

size_t sim_replicated_count(const struct sim_figures *figures, size_t tenant_count) {
    return tenant_count <= SIM_REPLICATED_TENANTS_MAX ? figures->count : figures->fixed_count;
}

struct sim_replicated sim_replicated_figure(const struct sim_figure *figure, const struct sim_outcome *outcome,
                                            double pooled) {
    struct sim_replicated one = {.below = NAN};
    sim_figure_of_replication(figure, outcome, &one.value, &one.weight);
    if (figure->kind == SIM_FIGURE_QUANTILE && !isnan(pooled))
        one.below = (double)sim_sample_at_or_below(&outcome->samples[figure->sample], pooled);
    return one;
}
