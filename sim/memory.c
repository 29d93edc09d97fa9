/** Allocation that never returns NULL. */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sim_out_of_memory(void) {
    fputs("fairlane: out of memory\n", stderr);
    _exit(1);
}

void *sim_alloc(size_t size) {
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        sim_out_of_memory();
    return memory;
}

void *sim_calloc(size_t count, size_t size) {
    void *memory = count > 0 && size > 0 ? calloc(count, size) : calloc(1, 1);
    if (memory == NULL)
        sim_out_of_memory();
    return memory;
}

void *sim_realloc(void *memory, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        sim_out_of_memory();
    void *moved = realloc(memory, bytes > 0 ? bytes : 1);
    if (moved == NULL)
        sim_out_of_memory();
    return moved;
}

char *sim_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(sim_alloc(size), text, size);
}
