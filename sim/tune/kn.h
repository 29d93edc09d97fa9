/** Fully sequential selection of the best of a few systems, with a guarantee.
 *
 *  S.-H. Kim and B. Nelson, "A fully sequential procedure for indifference-zone selection in simulation", ACM TOMACS 11
 *  (2001), with c = 1; here the best is the one with the smallest mean. Observation r of all systems may share random
 *  numbers. After `first` observations of each, the sample variances S2_il of the pairs' differences are taken once and
 *  for all; from then on a system i leaves at observation r as soon as for some l still in
 *
 *      mean_i(r) > mean_l(r) + max(0, delta / (2 r) x (h2 S2_il / delta^2 - r)),
 *
 *  with h2 = 2 eta (first - 1) and eta = ((2 alpha / (count - 1))^(-2 / (first - 1)) - 1) / 2. When one is left, it is
 *  chosen. What is guaranteed: if observations are normal and independent from one r to the next, and the best mean is
 *  smaller than every other by at least delta, the best is chosen with probability at least 1 - alpha. When the lead is
 *  smaller, nothing is. */
#ifndef SIM_KN_H
#define SIM_KN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_kn {
    size_t count; /**< systems */
    uint32_t first;
    double alpha, delta;
    double eta, h2;
    uint32_t observations; /**< r so far */
    uint32_t most;         /**< known from r = first on: at the latest after most + 1 observations all is decided */
    bool *in;              /**< by system: not ruled out yet */
    uint32_t *left_at;     /**< by system: the observation at which it left; 0: still in */
    size_t in_count;
    double *sums;     /**< by system */
    double *early;    /**< observations 1 .. first: [(r - 1) x count + i] */
    double *variance; /**< S2_il: [i x count + l] */
};

/** 2 <= count, 2 <= first, 0 < alpha <= (count - 1) / 2 (eta > 0), delta > 0. */
void sim_kn_init(struct sim_kn *kn, size_t count, uint32_t first, double alpha, double delta);
void sim_kn_finish(struct sim_kn *kn);

/** The next observation of every system that is in; entries of those that are not are ignored. Not after one is left. */
void sim_kn_observe(struct sim_kn *kn, const double *values);

/** Is the choice made? */
bool sim_kn_done(const struct sim_kn *kn);

/** The system with the smallest mean of those that are in, the lowest number of equals; at least one observation. */
size_t sim_kn_best(const struct sim_kn *kn);

double sim_kn_mean(const struct sim_kn *kn, size_t system);

#endif
