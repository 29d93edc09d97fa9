#include "service.h"

#include "../memory.h"
#include "fairness.h"

#include <math.h>
#include <stdlib.h>

void sim_service_init(struct sim_service *service, const struct model_workload *workload) {
    *service = (struct sim_service){
        .workload = workload,
        .tenants = sim_calloc(workload->tenant_count, sizeof service->tenants[0]),
        .scratch = sim_calloc(3 * (size_t)workload->tenant_count, sizeof service->scratch[0]),
    };
}

void sim_service_finish(struct sim_service *service) {
    free(service->tenants);
    free(service->scratch);
    *service = (struct sim_service){0};
}

void sim_service_moved(struct sim_service *service, uint32_t tenant, int64_t cost, int sign) {
    service->tenants[tenant].in_system += sign * (double)cost;
}

void sim_service_arrived(struct sim_service *service, uint32_t tenant, int64_t cost) {
    service->tenants[tenant].demand += (double)cost;
    service->tenants[tenant].window_demand += (double)cost;
}

void sim_service_completed(struct sim_service *service, uint32_t tenant, int64_t cost) {
    service->tenants[tenant].served += (double)cost;
    service->tenants[tenant].window_served += (double)cost;
    service->tenants[tenant].window_jobs++;
}

static void begin_window(struct sim_service *service) {
    for (uint32_t t = 0; t < service->workload->tenant_count; t++) {
        struct sim_tenant_service *tenant = &service->tenants[t];

        tenant->window_demand = tenant->in_system;
        tenant->window_served = 0;
        tenant->window_jobs = 0;
    }
}

void sim_service_begin(struct sim_service *service) {
    for (uint32_t t = 0; t < service->workload->tenant_count; t++) {
        service->tenants[t].demand = service->tenants[t].in_system;
        service->tenants[t].served = 0;
    }
    begin_window(service);
}

static struct sim_fairness fairness(const struct sim_service *service, bool window) {
    size_t tenants = service->workload->tenant_count;
    double *served = service->scratch;
    double *demand = served + tenants;
    double *weight = demand + tenants;

    for (size_t t = 0; t < tenants; t++) {
        const struct sim_tenant_service *tenant = &service->tenants[t];

        served[t] = window ? tenant->window_served : tenant->served;
        demand[t] = window ? tenant->window_demand : tenant->demand;
        weight[t] = service->workload->tenants[t].weight;
    }
    return sim_fairness_of(served, demand, weight, tenants);
}

void sim_service_window(struct sim_service *service) {
    struct sim_fairness found = fairness(service, true);

    /* A window without demand or service has no index. */
    if (!isnan(found.service)) {
        uint64_t jobs = 0;

        for (uint32_t t = 0; t < service->workload->tenant_count; t++)
            jobs += service->tenants[t].window_jobs;
        service->windowed[0] += found.service;
        service->windowed[1] += found.weighted;
        service->windowed[2] += found.entitlement;
        service->windows++;
        service->active += (double)found.tenants;
        service->jobs_per_tenant += (double)jobs / (double)found.tenants;
    }
    begin_window(service);
}

void sim_service_report(const struct sim_service *service, struct sim_outcome *outcome) {
    struct sim_fairness found = fairness(service, false);
    double windows = (double)service->windows;

    outcome->value[SIM_JAIN_SERVICE] = found.service;
    outcome->value[SIM_JAIN_WEIGHTED] = found.weighted;
    outcome->value[SIM_JAIN_ENTITLEMENT] = found.entitlement;
    for (int i = 0; i < 3; i++)
        outcome->value[SIM_JAIN_SERVICE_WINDOWED + i] = windows > 0 ? service->windowed[i] / windows : NAN;
    outcome->value[SIM_JAIN_POISSON] =
        windows > 0 ? sim_jain_poisson((size_t)llround(service->active / windows), service->jobs_per_tenant / windows)
                    : NAN;
    for (uint32_t t = 0; t < service->workload->tenant_count; t++) {
        double *value = outcome->value + SIM_SCALARS + (size_t)t * SIM_TENANT_SCALARS;

        value[SIM_TENANT_SERVED_COST] = service->tenants[t].served;
        value[SIM_TENANT_DEMAND_COST] = service->tenants[t].demand;
    }
}
