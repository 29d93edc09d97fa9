/** Jain's index and max-min fair shares. */
#include "fairness.h"

#include "../memory.h"

#include <math.h>
#include <stdlib.h>

double sim_jain(const double *values, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, values[i]);
    if (!(largest > 0))
        return NAN;
    // Scaled by the largest, so that no unit makes the squares overflow or vanish.
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        double x = values[i] / largest;
        sum += x;
        squares += x * x;
    }
    return fmin(1.0, sum * sum / ((double)count * squares));
}

struct flows {
    const double *demands;
    const double *weights;
};

/** By demand per weight, those without weight last; equal ones by number, so that the order is the same everywhere. */
static int by_level(const void *a, const void *b, void *context) {
    const struct flows *flows = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    double x = flows->weights[left] > 0 ? flows->demands[left] / flows->weights[left] : INFINITY;
    double y = flows->weights[right] > 0 ? flows->demands[right] / flows->weights[right] : INFINITY;
    if (x != y)
        return x < y ? -1 : 1;
    return left < right ? -1 : left > right;
}

void sim_water_fill(double capacity, const double *demands, const double *weights, size_t count, uint32_t *order,
                    double *ret_shares) {
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    struct flows flows = {demands, weights};
    qsort_r(order, count, sizeof *order, by_level, &flows);
    // Weight of each flow and of all behind it, summed from the end: subtracting from the total would cancel.
    double behind = 0;
    for (size_t k = count; k-- > 0;)
        ret_shares[order[k]] = behind += weights[order[k]];
    double left = capacity;
    for (size_t k = 0; k < count; k++) {
        size_t i = order[k];
        double fair = weights[i] > 0 ? left * (weights[i] / ret_shares[i]) : 0;
        ret_shares[i] = fmin(demands[i], fair);
        left = fmax(0, left - ret_shares[i]);
    }
}

/** Keep the tenants that @p keep says; @return how many. */
static size_t compact(const double *values, const double *keep, size_t count, double *ret) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (keep[i] > 0)
            ret[kept++] = values[i];
    return kept;
}

struct sim_fairness sim_fairness_of(const double *served, const double *demands, const double *weights, size_t count) {
    double *memory = sim_alloc(4 * count * sizeof *memory);
    uint32_t *order = sim_alloc(count * sizeof *order);
    double *x = memory, *demand = memory + count, *weight = memory + 2 * count, *share = memory + 3 * count;
    size_t n = compact(served, demands, count, x);
    compact(demands, demands, count, demand);
    compact(weights, demands, count, weight);
    struct sim_fairness fairness = {.service = sim_jain(x, n), .tenants = n};

    double capacity = 0;
    for (size_t i = 0; i < n; i++)
        capacity += x[i];
    sim_water_fill(capacity, demand, weight, n, order, share);
    size_t weighted = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(weight[i] > 0))
            continue;
        demand[weighted] = share[i] > 0 ? x[i] / share[i] : 0;
        x[weighted] = x[i] / weight[i];
        weighted++;
    }
    fairness.weighted = sim_jain(x, weighted);
    fairness.entitlement = sim_jain(demand, weighted);
    free(order);
    free(memory);
    return fairness;
}

double sim_jain_poisson(size_t tenants, double mean_count) {
    if (tenants == 0 || !(mean_count > 0))
        return NAN;
    double n = (double)tenants;
    return 1 / (1 + (n - 1) / (n * mean_count));
}
