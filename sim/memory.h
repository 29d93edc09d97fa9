/** Allocation that never returns NULL.
 *
 *  A simulation cannot go on without memory, and its size is bounded by the scenario (max_pending_jobs) long before
 *  that; so running out ends the process, here, with one line on standard error and exit status 1. This is the one
 *  place in the libraries that prints. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <stddef.h>

/** Report and exit with status 1, without running exit handlers: other threads may be in the middle of anything. */
_Noreturn void sim_out_of_memory(void);

/** @p size bytes, not cleared; 0 is served as 1. Free with free(). */
void *sim_alloc(size_t size);

/** @p count x @p size bytes, all zero. A product that overflows counts as out of memory. */
void *sim_calloc(size_t count, size_t size);

/** Room for @p count x @p size bytes, what @p memory held kept. @p memory may be NULL. */
void *sim_realloc(void *memory, size_t count, size_t size);

/** Copy of @p text. */
char *sim_strdup(const char *text);

#endif
