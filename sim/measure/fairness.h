/** Fairness of a division: Jain's index, max-min fair shares, and what chance alone does to the index.
 *
 *  Sources: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and Discrimination", DEC-TR-301, 1984;
 *  D. Bertsekas, R. Gallager, "Data Networks", 2nd ed., section 6.5 (max-min fairness). docs/statistics.md says when to
 *  trust which. */
#ifndef SIM_FAIRNESS_H
#define SIM_FAIRNESS_H

#include <stddef.h>
#include <stdint.h>

/** Jain's index (sum x)^2 / (n sum x^2) of @p count values >= 0: between 1/n and 1, whatever the unit.
 *  @return NAN without values or when all are 0. */
double sim_jain(const double *values, size_t count);

/** Max-min fair division of @p capacity (water-filling): who asks for less than its share by weight gets all that it
 *  asks for, and what that leaves goes to the others by weight. Demands >= 0, weights >= 0, any unit; a tenant of
 * weight 0 gets nothing. The shares add up to min(capacity, what those of positive weight ask for). O(n log n).
 *  @p order: scratch for @p count entries. */
void sim_water_fill(double capacity, const double *demands, const double *weights, size_t count, uint32_t *order,
                    double *ret_shares);

/** Jain's index three ways over the tenants with demand. NAN: does not exist (no demand, or nothing served). */
struct sim_fairness {
    double service;     /**< x = cost served */
    double weighted;    /**< x = cost served / plan weight */
    double entitlement; /**< x = cost served / max-min fair share of all that was served */
    size_t tenants;     /**< with demand: the n of the index */
};

/** Over @p count tenants: cost @p served, cost in @p demands, plan @p weights. Tenants without demand leave n; demand
 *  without service is x = 0. One of weight 0 has no entitlement and is left out of the last two. Allocates. */
struct sim_fairness sim_fairness_of(const double *served, const double *demands, const double *weights, size_t count);

/** Expected index of @p tenants equal tenants whose counts are Poisson of mean @p mean_count:
 *  1 / (1 + (n - 1) / (n m)), to first order in 1/m. NAN without tenants or when the mean is not positive. */
double sim_jain_poisson(size_t tenants, double mean_count);

#endif
