/** Calls what the scheduler must never call: the symbol check has to refuse it. */
#include <stdlib.h>

void *planted_malloc(size_t size);

void *planted_malloc(size_t size) {
    return malloc(size);
}
