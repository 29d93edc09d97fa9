/** Memory of one replication's measurements. */
#include "outcome.h"

#include "../memory.h"

#include <stdlib.h>

struct sim_outcome *sim_outcome_create(uint32_t tenant_count, size_t slo_count) {
    struct sim_outcome *outcome = sim_calloc(1, sizeof *outcome);
    outcome->slot_count = (size_t)SIM_SCALARS + (size_t)SIM_TENANT_SCALARS * tenant_count;
    outcome->value = sim_calloc(outcome->slot_count, sizeof *outcome->value);
    outcome->weight = sim_alloc(outcome->slot_count * sizeof *outcome->weight);
    for (size_t i = 0; i < outcome->slot_count; i++)
        outcome->weight[i] = 1;
    outcome->sample_count = 2 * ((size_t)SIM_GROUP_TENANTS + tenant_count);
    outcome->samples = sim_calloc(outcome->sample_count, sizeof *outcome->samples);
    for (size_t i = 0; i < outcome->sample_count; i++)
        sim_sample_finish(&outcome->samples[i]);
    outcome->slo_count = slo_count;
    outcome->over = sim_calloc(slo_count, sizeof *outcome->over);
    return outcome;
}

void sim_outcome_destroy(struct sim_outcome *outcome) {
    if (outcome == NULL)
        return;
    for (size_t i = 0; i < outcome->sample_count; i++)
        sim_sample_finish(&outcome->samples[i]);
    free(outcome->samples);
    free(outcome->value);
    free(outcome->weight);
    free(outcome->over);
    free(outcome->series.points);
    free(outcome->series.sojourns);
    free(outcome->prometheus);
    free(outcome);
}
