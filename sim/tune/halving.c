#include "halving.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

size_t sim_halving_plan(size_t candidates, struct sim_halving_round ret[SIM_HALVING_ROUNDS]) {
    assert(candidates > 0);
    size_t rounds = 0;
    uint32_t replications = SIM_HALVING_FIRST;
    while (candidates > SIM_HALVING_KEEP) {
        assert(rounds + 1 < SIM_HALVING_ROUNDS);
        ret[rounds++] = (struct sim_halving_round){candidates, replications};
        candidates = (candidates + SIM_HALVING_RATE - 1) / SIM_HALVING_RATE;
        candidates = candidates > SIM_HALVING_KEEP ? candidates : SIM_HALVING_KEEP;
        replications *= SIM_HALVING_RATE;
    }
    replications = replications > SIM_HALVING_LAST ? replications : SIM_HALVING_LAST;
    ret[rounds++] = (struct sim_halving_round){candidates, replications};
    return rounds;
}

static int by_number(double a, double b) {
    return (a > b) - (a < b);
}

static int by_standing(const void *left, const void *right) {
    const struct sim_standing *a = left, *b = right;
    int order = by_number(fmax(0, a->excess), fmax(0, b->excess));
    if (order == 0)
        order = by_number(a->objective, b->objective);
    return order != 0 ? order : (a->candidate > b->candidate) - (a->candidate < b->candidate);
}

void sim_standings_sort(struct sim_standing *standings, size_t count) {
    qsort(standings, count, sizeof *standings, by_standing);
}
