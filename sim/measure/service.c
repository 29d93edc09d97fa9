#include "service.h"

#include "../memory.h"
#include "fairness.h"

#include <math.h>
#include <stdlib.h>

void sim_service_init(struct sim_service *service, const struct model_workload *workload)
{
    *service = (struct sim_service){
        .workload = workload,
        .tenants = sim_calloc(workload->tenant_count, sizeof service->tenants[0]),
        .scratch = sim_calloc(4 * (size_t)workload->tenant_count, sizeof service->scratch[0]),
    };
}

void sim_service_finish(struct sim_service *service)
{
    free(service->tenants);
    free(service->scratch);
    *service = (struct sim_service){0};
}

void sim_service_moved(struct sim_service *service, uint32_t tenant, int64_t cost, int sign)
{
    service->tenants[tenant].in_system += sign * (double)cost;
}

void sim_service_arrived(struct sim_service *service, uint32_t tenant, int64_t cost)
{
    service->tenants[tenant].demand += (double)cost;
    service->tenants[tenant].window_demand += (double)cost;
}

void sim_service_completed(struct sim_service *service, uint32_t tenant, int64_t cost)
{
    service->tenants[tenant].served += (double)cost;
    service->tenants[tenant].window_served += (double)cost;
    service->tenants[tenant].window_jobs++;
}

static void begin_window(struct sim_service *service)
{
    for (uint32_t t = 0; t < service->workload->tenant_count; t++) {
        struct sim_tenant_service *tenant = &service->tenants[t];

        tenant->window_demand = tenant->in_system;
        tenant->window_served = 0;
        tenant->window_jobs = 0;
    }
}

void sim_service_begin(struct sim_service *service)
{
    for (uint32_t t = 0; t < service->workload->tenant_count; t++) {
        service->tenants[t].demand = service->tenants[t].in_system;
        service->tenants[t].served = 0;
    }
    begin_window(service);
}

/** Service, weighted and entitlement index over the tenants with demand. @return how many there are; the indices are
 *  meaningless when nothing was served (*ret_total 0). */
static size_t indices(const struct sim_service *service, bool window, double ret[3], double *ret_total)
{
    size_t tenants = service->workload->tenant_count;
    double *served = service->scratch;
    double *demand = served + tenants;
    double *weight = demand + tenants;
    double *share = weight + tenants;
    double total = 0;
    size_t n = 0;

    for (size_t t = 0; t < tenants; t++) {
        const struct sim_tenant_service *tenant = &service->tenants[t];
        double wanted = window ? tenant->window_demand : tenant->demand;

        if (wanted <= 0)
            continue;
        served[n] = window ? tenant->window_served : tenant->served;
        demand[n] = wanted;
        weight[n] = service->workload->tenants[t].weight;
        total += served[n];
        n++;
    }
    *ret_total = total;
    if (n == 0 || total <= 0)
        return n;
    sim_max_min_shares(demand, weight, n, total, share);
    ret[0] = sim_jain(served, n);
    for (size_t i = 0; i < n; i++) {
        weight[i] = served[i] / weight[i];
        share[i] = served[i] / share[i];
    }
    ret[1] = sim_jain(weight, n);
    ret[2] = sim_jain(share, n);
    return n;
}

void sim_service_window(struct sim_service *service)
{
    double index[3];
    double total;
    size_t n = indices(service, true, index, &total);

    if (n > 0 && total > 0) {
        uint64_t jobs = 0;

        for (uint32_t t = 0; t < service->workload->tenant_count; t++)
            jobs += service->tenants[t].window_jobs;
        for (int i = 0; i < 3; i++)
            service->windowed[i] += index[i];
        service->windows++;
        service->active += (double)n;
        service->jobs_per_tenant += (double)jobs / (double)n;
    }
    begin_window(service);
}

void sim_service_report(const struct sim_service *service, struct sim_outcome *outcome)
{
    double index[3];
    double total;
    double windows = (double)service->windows;
    size_t n = indices(service, false, index, &total);

    for (int i = 0; i < 3; i++) {
        outcome->value[SIM_JAIN_SERVICE + i] = n > 0 && total > 0 ? index[i] : NAN;
        outcome->value[SIM_JAIN_SERVICE_WINDOWED + i] = windows > 0 ? service->windowed[i] / windows : NAN;
    }
    outcome->value[SIM_JAIN_POISSON] =
        windows > 0 ? sim_jain_of_poisson(service->active / windows, service->jobs_per_tenant / windows) : NAN;
    for (uint32_t t = 0; t < service->workload->tenant_count; t++) {
        double *value = outcome->value + SIM_SCALARS + (size_t)t * SIM_TENANT_SCALARS;

        value[SIM_TENANT_SERVED_COST] = service->tenants[t].served;
        value[SIM_TENANT_DEMAND_COST] = service->tenants[t].demand;
    }
}
