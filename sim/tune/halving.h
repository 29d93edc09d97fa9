/** Successive halving: spend replications on what looks good.
 *
 *  K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016;
 *  Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013. Rounds of about equal
 *  cost: each keeps the best quarter and gives what is left four times the replications. It is a search: what it drops
 *  carries no guarantee. */
#ifndef SIM_HALVING_H
#define SIM_HALVING_H

#include <stddef.h>
#include <stdint.h>

enum {
    SIM_HALVING_RATE = 4,    /**< of those kept, and of replications */
    SIM_HALVING_FIRST = 2,   /**< replications in the first round */
    SIM_HALVING_KEEP = 8,    /**< in the end */
    SIM_HALVING_LAST = 32,   /**< replications in the last round, at least */
    SIM_HALVING_ROUNDS = 12, /**< more than any number of candidates needs */
};

struct sim_halving_round {
    size_t candidates;     /**< at its start */
    uint32_t replications; /**< of each at its end, those of earlier rounds included */
};

/** Rounds for @p candidates >= 1: 128 gives 128 x 2, 32 x 8, 8 x 32. @return their number. */
size_t sim_halving_plan(size_t candidates, struct sim_halving_round ret[SIM_HALVING_ROUNDS]);

/** How good a candidate looks: those that keep all rules come first, by objective; the others by how far they miss. */
struct sim_standing {
    size_t candidate;
    double excess;    /**< over 0: misses a rule by that much; else keeps all */
    double objective; /**< less is better */
};

/** Best first; of equals the one with the lower number. */
void sim_standings_sort(struct sim_standing *standings, size_t count);

#endif
