/** The memory store keeps the contract of ports.h. */
#include "../../sched/store_memory.h"
#include "../support/store_contract.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void check(void (*contract)(struct sched_store store)) {
    struct sched_tenant tenants[4];
    struct sched_config config;
    void *block;

    store_contract_configure(&config, tenants);
    block = malloc(sched_store_memory_size(&config));
    cr_assert(block);
    memset(block, 0xa5, sched_store_memory_size(&config)); /* the store must not count on fresh memory */
    contract(sched_store_memory_init(block, &config));
    free(block);
}

Test(store_memory, queues) {
    check(store_contract_queues);
}

Test(store_memory, versions) {
    check(store_contract_versions);
}

Test(store_memory, grants) {
    check(store_contract_grants);
}

Test(store_memory, turns) {
    check(store_contract_turns);
}

Test(store_memory, leaving) {
    check(store_contract_leaving);
}

Test(store_memory, counters) {
    check(store_contract_counters);
}

Test(store_memory, throttles) {
    check(store_contract_throttles);
}

Test(store_memory, sums) {
    check(store_contract_sums);
}

Test(store_memory, usage) {
    check(store_contract_usage);
}
