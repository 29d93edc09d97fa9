/** Random streams: counter-based draws (Philox4x32-10, Salmon et al. 2011, Random123), so that a draw depends only on
 *  what it is for, never on what was drawn before it.
 *
 *  Key = the 64-bit seed. Counter = (draw block, job number within the stream, stream index over the whole scenario,
 *  purpose << 24 | replication). */
#ifndef MODELS_STREAMS_H
#define MODELS_STREAMS_H

#include <stdint.h>

/** What a draw is for: 8 bits of the counter. Values are part of the file format of "the same seed": never renumber. */
enum model_purpose {
    MODEL_ARRIVAL = 1,
    MODEL_INPUT = 2,
    MODEL_CACHED = 3,
    MODEL_CACHE_WRITE = 4,
    MODEL_OUTPUT = 5,
    MODEL_TTFT = 6,
    MODEL_RATE = 7,
    MODEL_ESTIMATE = 8,
    MODEL_PATIENCE = 9,
    MODEL_THINK = 10,
    MODEL_OVERLOAD_STATE = 11, /**< sojourns of the 529 process */
    MODEL_OVERLOAD_HIT = 12,   /**< does this attempt get a 529? */
    MODEL_BATCH_TIME = 13,
    MODEL_SPREAD = 14, /**< rates of a population */
    MODEL_PLAN = 15,   /**< plans of a population */
    MODEL_PICK_FAVOUR = 32,
    MODEL_PICK_CLASS = 33,
    MODEL_PICK_SHUFFLE = 34,
    MODEL_JITTER = 35,
    MODEL_DESIGN = 48,    /**< points of a study's design; its seed is the study's */
    MODEL_SCREENING = 49, /**< trajectories of a screening design; its seed is the study's */
    MODEL_SEED = 50,      /**< seeds derived from a seed, for replications that nobody has seen */
};

enum { MODEL_REPLICATIONS_MAX = (1 << 24) - 1 };

struct model_streams {
    uint64_t seed;
    uint32_t replication; /**< 0 .. MODEL_REPLICATIONS_MAX */
};

/** 64 random bits: words 0 (low) and 1 (high) of the block at this counter. */
uint64_t model_bits(const struct model_streams *streams, uint32_t stream, uint32_t job, enum model_purpose purpose,
                    uint32_t block);

/** A uniform in the open interval (0, 1): (k + 1/2) / 2^53 with k the upper 53 bits of model_bits(). The
 *  one k whose value would round to 1 gives 1 - 2^-53. */
double model_uniform(const struct model_streams *streams, uint32_t stream, uint32_t job, enum model_purpose purpose,
                     uint32_t block);

/** The same map from 64 bits to (0, 1), for bits that came another way. */
double model_unit(uint64_t bits);

#endif
