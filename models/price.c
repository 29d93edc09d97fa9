#include "price.h"

const struct model_price model_price_default = {.input = 1, .cache_write = 1.25, .cache_read = 0.10, .output = 5};

double model_cost_usd(const struct model_price *price, const struct model_work *work) {
    int64_t plain = work->input_tokens - work->cached_tokens - work->cache_write_tokens;
    double millionths = (double)plain * price->input + (double)work->cache_write_tokens * price->cache_write +
                        (double)work->cached_tokens * price->cache_read + (double)work->output_tokens * price->output;
    return millionths * 1e-6;
}
