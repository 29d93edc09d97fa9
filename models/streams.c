#include "streams.h"

#include <Random123/philox.h>

uint64_t model_bits(const struct model_streams *streams, uint32_t stream, uint32_t job, enum model_purpose purpose,
                    uint32_t block) {
    const philox4x32_key_t key = {{(uint32_t)streams->seed, (uint32_t)(streams->seed >> 32)}};
    const philox4x32_ctr_t counter = {{block, job, stream, ((uint32_t)purpose << 24) | streams->replication}};
    philox4x32_ctr_t words = philox4x32(counter, key);
    return ((uint64_t)words.v[1] << 32) | words.v[0];
}

double model_unit(uint64_t bits) {
    const double largest = 1 - 0x1p-53;
    /* Signed, because that conversion is one instruction. */
    double u = ((double)(int64_t)(bits >> 11) + 0.5) * 0x1p-53;
    return u < largest ? u : largest;
}

double model_uniform(const struct model_streams *streams, uint32_t stream, uint32_t job, enum model_purpose purpose,
                     uint32_t block) {
    return model_unit(model_bits(streams, stream, job, purpose, block));
}
