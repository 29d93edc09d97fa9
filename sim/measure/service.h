/** What tenants were served against what they asked for: cost by tenant, and Jain's index three ways, over the whole run
 *  and over windows. */
#ifndef SIM_SERVICE_H
#define SIM_SERVICE_H

#include "../../models/workload.h"
#include "outcome.h"

#include <stdint.h>

/** Length of a fairness window. */
#define SIM_WINDOW_NS INT64_C(60000000000)

/** Cost of one tenant's jobs, in DRR cost units. */
struct sim_tenant_service {
    double in_system; /**< queued, in back-off and in service now */
    double demand;    /**< in the system at warm-up + arrived since */
    double served;    /**< completed since warm-up */
    double window_demand, window_served;
    uint64_t window_jobs; /**< completed in this window */
};

struct sim_service {
    const struct model_workload *workload;
    struct sim_tenant_service *tenants;
    double *scratch; /**< 3 x tenants */
    /* sums over windows that have demand and service */
    double windowed[3];
    uint64_t windows;
    double jobs_per_tenant; /**< sum over those windows of completed jobs per tenant with demand */
    double active;          /**< sum over those windows of tenants with demand */
};

void sim_service_init(struct sim_service *service, const struct model_workload *workload);
void sim_service_finish(struct sim_service *service);

/** A job of @p tenant entered (sign 1) or left (sign -1) the system. */
void sim_service_moved(struct sim_service *service, uint32_t tenant, int64_t cost, int sign);
/** A job of @p tenant arrived, or completed, within the measured span. */
void sim_service_arrived(struct sim_service *service, uint32_t tenant, int64_t cost);
void sim_service_completed(struct sim_service *service, uint32_t tenant, int64_t cost);

/** Warm-up is over: whole-run and first window begin with what is in the system. */
void sim_service_begin(struct sim_service *service);
/** A window ends: take its indices and begin the next. */
void sim_service_window(struct sim_service *service);

/** Write the fairness scalars and each tenant's served and demanded cost. */
void sim_service_report(const struct sim_service *service, struct sim_outcome *outcome);

#endif
