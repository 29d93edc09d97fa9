/** Exact interval of a binomial share. */
#ifndef SIM_BINOMIAL_H
#define SIM_BINOMIAL_H

#include <stdint.h>

/** Clopper and Pearson's two-sided interval of the share behind @p hits of @p trials: C. Clopper, E. Pearson, "The use
 * of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934). Ends are quantiles
 * of beta distributions, found by bisection to the last bit. 0 <= hits <= trials, trials >= 1, 0 < level < 1. */
void sim_clopper_pearson(uint64_t hits, uint64_t trials, double level, double *ret_lo, double *ret_hi);

#endif
