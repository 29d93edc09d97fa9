#include "memory.h"

#include "../memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t bytes[];
};

enum guest_kind { GUEST_TRACE, GUEST_TREE };

struct guest {
    struct guest *next;
    enum guest_kind kind;
    void *object;
};

struct sim_scenario_memory {
    struct chunk *chunks;
    struct guest *guests;
};

struct sim_scenario_memory *sim_memory_create(void) {
    struct sim_scenario_memory *memory = sim_calloc(1, sizeof *memory);
    return memory;
}

void sim_memory_destroy(struct sim_scenario_memory *memory) {
    if (memory == NULL)
        return;
    for (struct guest *guest = memory->guests; guest != NULL; guest = guest->next) {
        if (guest->kind == GUEST_TRACE)
            model_trace_destroy(guest->object);
        else
            cJSON_Delete(guest->object);
    }
    for (struct chunk *chunk = memory->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(memory);
}

static struct chunk *grow(struct sim_scenario_memory *memory, size_t bytes) {
    size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct chunk *chunk = sim_calloc(1, sizeof *chunk + size);
    chunk->size = size;
    chunk->next = memory->chunks;
    memory->chunks = chunk;
    return chunk;
}

void *sim_memory_take(struct sim_scenario_memory *memory, size_t count, size_t size) {
    assert(size == 0 || count <= SIZE_MAX / 2 / size);
    size_t bytes = (count * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct chunk *chunk = memory->chunks;
    if (chunk == NULL || chunk->size - chunk->used < bytes)
        chunk = grow(memory, bytes);
    void *block = (char *)chunk->bytes + chunk->used;
    chunk->used += bytes;
    return block;
}

char *sim_memory_text(struct sim_scenario_memory *memory, const char *text, size_t length) {
    char *copy = sim_memory_take(memory, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *sim_memory_format(struct sim_scenario_memory *memory, const char *format, ...) {
    va_list arguments;
    char *made = NULL;
    va_start(arguments, format);
    int length = vasprintf(&made, format, arguments);
    va_end(arguments);
    if (length < 0)
        sim_out_of_memory();
    char *text = sim_memory_text(memory, made, (size_t)length);
    free(made);
    return text;
}

static void own(struct sim_scenario_memory *memory, enum guest_kind kind, void *object) {
    struct guest *guest = sim_memory_take(memory, 1, sizeof *guest);
    *guest = (struct guest){.next = memory->guests, .kind = kind, .object = object};
    memory->guests = guest;
}

void sim_memory_own_trace(struct sim_scenario_memory *memory, struct model_trace *trace) {
    own(memory, GUEST_TRACE, trace);
}

void sim_memory_own_tree(struct sim_scenario_memory *memory, cJSON *tree) {
    own(memory, GUEST_TREE, tree);
}
