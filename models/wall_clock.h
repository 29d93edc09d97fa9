/** Calendar arithmetic on nanoseconds since 1970, which may be negative. Private to models/. */
#ifndef MODELS_WALL_CLOCK_H
#define MODELS_WALL_CLOCK_H

#include <stdint.h>

#define MODEL_MINUTE_NS INT64_C(60000000000)
#define MODEL_DAY_NS (1440 * MODEL_MINUTE_NS)

/** Number of the UTC minute or day, by @p period_ns, that holds @p unix_ns. */
static inline int64_t model_period(int64_t unix_ns, int64_t period_ns) {
    int64_t number = unix_ns / period_ns;
    return unix_ns % period_ns < 0 ? number - 1 : number;
}

#endif
