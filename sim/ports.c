#include "ports.h"

static int64_t now_ns(void *context) {
    return ((const struct sim_ports *)context)->now_ns;
}

static int64_t day(void *context) {
    const struct sim_ports *ports = context;

    return (ports->start_unix_ns + ports->now_ns) / (86400 * INT64_C(1000000000));
}

static uint64_t draw(void *context, enum sched_draw purpose, uint64_t key, uint64_t index) {
    const struct model_streams *streams = &((const struct sim_ports *)context)->streams;

    switch (purpose) {
    case SCHED_DRAW_FAVOUR_CRITICAL:
        return model_bits(streams, (uint32_t)(index >> 32), (uint32_t)index, MODEL_PICK_FAVOUR, 0);
    case SCHED_DRAW_CLASS:
        return model_bits(streams, (uint32_t)(index >> 32), (uint32_t)index, MODEL_PICK_CLASS, 0);
    case SCHED_DRAW_SHUFFLE:
        return model_bits(streams, (uint32_t)(key >> 32), (uint32_t)key, MODEL_PICK_SHUFFLE, (uint32_t)index);
    case SCHED_DRAW_JITTER:
        return model_bits(streams, (uint32_t)(key >> 32), (uint32_t)key, MODEL_JITTER, (uint32_t)index);
    }
    return 0;
}

struct sched_clock sim_ports_clock(struct sim_ports *ports) {
    return (struct sched_clock){.now_ns = now_ns, .day = day, .context = ports};
}

struct sched_random sim_ports_random(struct sim_ports *ports) {
    return (struct sched_random){.draw = draw, .context = ports};
}
