/** What every store must do: the checks that ports.h promises, as functions of a store, so that each implementation runs
 *  the same ones. They use Criterion's assertions. */
#ifndef TESTS_STORE_CONTRACT_H
#define TESTS_STORE_CONTRACT_H

#include "../../sched/config.h"
#include "../../sched/ports.h"

/** Fill in the settings that the checks expect of the store: four tenants of weights 1, 2, 3 and 4, five throttles in 60 s,
 *  usage kept. @p tenants: memory for four. */
void store_contract_configure(struct sched_config *config, struct sched_tenant *tenants);

/* Each on an empty store. */
void store_contract_queues(struct sched_store store);
void store_contract_versions(struct sched_store store);
void store_contract_grants(struct sched_store store);
void store_contract_turns(struct sched_store store);
void store_contract_leaving(struct sched_store store);
void store_contract_counters(struct sched_store store);
void store_contract_throttles(struct sched_store store);
void store_contract_sums(struct sched_store store);
void store_contract_usage(struct sched_store store);

#endif
