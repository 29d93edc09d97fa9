/** Where the transient of a series ends. */
#ifndef SIM_MSER_H
#define SIM_MSER_H

#include <stddef.h>

/** Values that are averaged into one before the rule looks at them. */
enum { SIM_MSER_BATCH = 5 };

/** Fewest values that the rule can say anything about. */
enum { SIM_MSER_VALUES_MIN = 100 };

/** MSER-5: how many of the first values to drop so that the mean of the rest has the smallest marginal standard error.
 *  With Z_1 .. Z_k the means of five values each, the least d that minimises
 *
 *      sum over i > d of (Z_i - mean of Z_{d+1} .. Z_k)^2 / (k - d)^2
 *
 *  K. P. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69 (1997);
 *  K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation heuristics for simulation",
 *  WSC 2000, for the batches. d leaves at least five batches, whose mean would otherwise look exact by accident.
 *  A result over half of @p count means that the series has not settled: drop nothing on its word.
 *  @return 5 d. count >= SIM_MSER_VALUES_MIN; no value is NAN. */
size_t sim_mser(const double *values, size_t count);

#endif
