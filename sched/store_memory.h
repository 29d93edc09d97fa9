/** The store in this process's memory: the embedded default, and what the simulator runs on. A view is a pointer into
 *  its lists and a commit succeeds whenever its version is the current one, which in one thread is always. */
#ifndef SCHED_STORE_MEMORY_H
#define SCHED_STORE_MEMORY_H

#include "config.h"
#include "ports.h"

struct sched_store_memory;

/** Bytes that a store for @p config needs. */
size_t sched_store_memory_size(const struct sched_config *config);

/** Build an empty store in @p block (of at least that size, aligned for any type). Borrows block and config, and
 *  needs no finish. */
struct sched_store sched_store_memory_init(void *block, const struct sched_config *config);

#endif
