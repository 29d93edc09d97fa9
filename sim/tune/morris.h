/** Screening: which knobs matter at all?
 *
 *  Elementary effects. M. Morris, "Factorial sampling plans for preliminary computational experiments", Technometrics 33
 *  (1991): a trajectory visits dimensions + 1 points of a grid of four levels a dimension, from one to the next of which
 *  exactly one dimension moves, by 2/3 of its range. Every step gives one elementary effect, the change of the response
 *  per range. Their mean is mu, their standard deviation sigma (curvature and interaction), and the mean of their
 *  magnitudes is mu* (F. Campolongo, J. Cariboni, A. Saltelli, Environmental Modelling & Software 22, 2007), which does
 *  not cancel where effects change sign. */
#ifndef SIM_MORRIS_H
#define SIM_MORRIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One trajectory. Points are in [0, 1]^dimensions. */
struct sim_morris_trajectory {
    double *points; /**< [(step) x dimensions + d], dimensions + 1 points */
    size_t *moved;  /**< by step: the dimension that moves from point `step` to the next */
};

/** Draw trajectory @p number: a start at the lower two levels or the upper two of each dimension, and an order in which
 *  dimensions move, both from @p seed and @p number alone. Writes into the arrays of *ret, which the caller made. */
void sim_morris_draw(uint64_t seed, uint32_t number, size_t dimensions, struct sim_morris_trajectory *ret);

struct sim_morris_effect {
    double mu_star, mu;
    double sigma; /**< NAN with fewer than two effects */
    size_t effects;
};

/** Effects of all dimensions on a response. @p response: [trajectory x (dimensions + 1) + step]. */
void sim_morris_effects(const struct sim_morris_trajectory *trajectories, size_t count, size_t dimensions,
                        const double *response, struct sim_morris_effect *ret);

#endif
