/** Prices in USD per million tokens. */
#ifndef MODELS_PRICE_H
#define MODELS_PRICE_H

#include "workload.h"

struct model_price {
    double input; /**< uncached, not written */
    double cache_write;
    double cache_read;
    double output;
};

/** Haiku 4.5's published prices. */
extern const struct model_price model_price_default;

/** What Message Batches cost beside the Messages API. */
#define MODEL_BATCH_PRICE 0.5

/** Cost of @p work in USD. */
double model_cost_usd(const struct model_price *price, const struct model_work *work);

#endif
