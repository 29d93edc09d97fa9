/** The tables that keys_scenario.c puts together; everybody else starts from sim_scenario_key. */
#ifndef SIM_KEYS_TABLES_H
#define SIM_KEYS_TABLES_H

#include "keys.h"

extern const struct sim_table sim_scheduler_table;       /**< fills struct sim_draft */
extern const struct sim_table sim_endpoint_table;        /**< fills struct sim_draft */
extern const struct sim_table sim_shared_arrivals_table; /**< of a population's streams: struct sim_stream_draft */
extern const struct sim_key sim_tenant_key;              /**< element: struct sim_tenant_draft */
extern const struct sim_key sim_population_key;          /**< element: struct sim_population_draft */

#endif
