/** Message Batches: the cheap, slow way for batch-class jobs. They bypass workers and the Messages API's limits. */
#ifndef MODELS_BATCHES_H
#define MODELS_BATCHES_H

#include "distribution.h"

#include <stdbool.h>
#include <stdint.h>

struct model_batches_config {
    bool on;                                /**< destination "batches" */
    int64_t size;                           /**< a batch is sent when it holds this many jobs ... */
    int64_t flush_ns;                       /**< ... or this long after its first one */
    struct model_distribution completion_s; /**< from sending to the job's result */
    int64_t expires_ns;                     /**< a job not done this long after sending has failed */
};

#endif
