#include "morris.h"

#include "../../models/streams.h"
#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws of one trajectory: blocks of the job number's stream. */
enum { BLOCK_LEVEL, BLOCK_UP, BLOCK_ORDER };

static const double level_step = 1. / 3, move = 2. / 3;

static double draw(uint64_t seed, uint32_t number, size_t dimension, uint32_t block) {
    const struct model_streams streams = {.seed = seed};
    return model_uniform(&streams, (uint32_t)dimension, number, MODEL_SCREENING, block);
}

/* Fisher and Yates. */
static void draw_order(uint64_t seed, uint32_t number, size_t dimensions, size_t *order) {
    for (size_t d = 0; d < dimensions; d++)
        order[d] = d;
    for (size_t d = dimensions - 1; d > 0; d--) {
        size_t other = (size_t)(draw(seed, number, d, BLOCK_ORDER) * (double)(d + 1)), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
}

void sim_morris_draw(uint64_t seed, uint32_t number, size_t dimensions, struct sim_morris_trajectory *ret) {
    assert(dimensions > 0);
    double *point = ret->points;
    for (size_t d = 0; d < dimensions; d++) {
        bool second = draw(seed, number, d, BLOCK_LEVEL) >= .5, up = draw(seed, number, d, BLOCK_UP) >= .5;
        /* The lower two levels move up by two, the upper two down. */
        point[d] = (second ? level_step : 0) + (up ? 0 : move);
    }
    draw_order(seed, number, dimensions, ret->moved);
    for (size_t step = 0; step < dimensions; step++, point += dimensions) {
        double *next = point + dimensions, *value = &next[ret->moved[step]];
        memcpy(next, point, dimensions * sizeof *point);
        *value += *value < .5 ? move : -move;
        /* The ends exactly, whatever the thirds rounded to. */
        *value = *value < .1 ? 0 : *value > .9 ? 1 : *value;
    }
}

/* Every trajectory has one effect of each dimension. */
static double effect_of(const struct sim_morris_trajectory *trajectory, size_t dimensions, const double *response,
                        size_t dimension) {
    for (size_t step = 0; step < dimensions; step++) {
        if (trajectory->moved[step] != dimension)
            continue;
        const double *from = trajectory->points + step * dimensions, *to = from + dimensions;
        return (response[step + 1] - response[step]) / (to[dimension] - from[dimension]);
    }
    assert(false);
    return NAN;
}

void sim_morris_effects(const struct sim_morris_trajectory *trajectories, size_t count, size_t dimensions,
                        const double *response, struct sim_morris_effect *ret) {
    double *effects = sim_calloc(count, sizeof *effects);
    for (size_t d = 0; d < dimensions; d++) {
        double n = (double)count, sum = 0, magnitudes = 0, squares = 0;
        for (size_t t = 0; t < count; t++) {
            effects[t] = effect_of(&trajectories[t], dimensions, response + t * (dimensions + 1), d);
            sum += effects[t];
            magnitudes += fabs(effects[t]);
        }
        for (size_t t = 0; t < count; t++)
            squares += (effects[t] - sum / n) * (effects[t] - sum / n);
        ret[d] = (struct sim_morris_effect){.mu_star = magnitudes / n,
                                            .mu = sum / n,
                                            .sigma = count < 2 ? (double)NAN : sqrt(squares / (n - 1)),
                                            .effects = count};
    }
    free(effects);
}
