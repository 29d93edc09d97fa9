#include "kn.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void sim_kn_init(struct sim_kn *kn, size_t count, uint32_t first, double alpha, double delta) {
    assert(count >= 2 && first >= 2 && delta > 0);
    assert(alpha > 0 && 2 * alpha < (double)(count - 1));
    double degrees = first - 1;
    *kn = (struct sim_kn){.count = count, .first = first, .alpha = alpha, .delta = delta, .in_count = count};
    kn->eta = (pow(2 * alpha / (double)(count - 1), -2 / degrees) - 1) / 2;
    kn->h2 = 2 * kn->eta * degrees;
    kn->in = sim_calloc(count, sizeof *kn->in);
    kn->left_at = sim_calloc(count, sizeof *kn->left_at);
    kn->sums = sim_calloc(count, sizeof *kn->sums);
    kn->early = sim_calloc(count * first, sizeof *kn->early);
    kn->variance = sim_calloc(count * count, sizeof *kn->variance);
    for (size_t i = 0; i < count; i++)
        kn->in[i] = true;
}

void sim_kn_finish(struct sim_kn *kn) {
    free(kn->in);
    free(kn->left_at);
    free(kn->sums);
    free(kn->early);
    free(kn->variance);
    *kn = (struct sim_kn){0};
}

double sim_kn_mean(const struct sim_kn *kn, size_t system) {
    uint32_t observations = kn->left_at[system] > 0 ? kn->left_at[system] : kn->observations;
    return kn->sums[system] / observations;
}

/* Sample variance of the difference of two systems over the first observations. */
static double variance_of(const struct sim_kn *kn, size_t i, size_t l) {
    double mean = (kn->sums[i] - kn->sums[l]) / kn->first, squares = 0;
    for (uint32_t r = 0; r < kn->first; r++) {
        double off = kn->early[r * kn->count + i] - kn->early[r * kn->count + l] - mean;
        squares += off * off;
    }
    return squares / (kn->first - 1);
}

static void take_variances(struct sim_kn *kn) {
    double most = 0;
    for (size_t i = 0; i < kn->count; i++)
        for (size_t l = 0; l < i; l++) {
            double variance = variance_of(kn, i, l);
            kn->variance[i * kn->count + l] = kn->variance[l * kn->count + i] = variance;
            most = fmax(most, floor(kn->h2 * variance / (kn->delta * kn->delta)));
        }
    kn->most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - 1;
    if (kn->most < kn->first)
        kn->most = kn->first - 1;
}

/* How far the mean of i may lie over that of l before it leaves. */
static double allowance(const struct sim_kn *kn, size_t i, size_t l) {
    double r = kn->observations, need = kn->h2 * kn->variance[i * kn->count + l] / (kn->delta * kn->delta);
    return fmax(0, kn->delta / (2 * r) * (need - r));
}

/* All comparisons are among those that were in before this observation. */
static void screen(struct sim_kn *kn) {
    bool *leaves = sim_calloc(kn->count, sizeof *leaves);
    for (size_t i = 0; i < kn->count; i++)
        for (size_t l = 0; l < kn->count && kn->in[i]; l++)
            if (l != i && kn->in[l] && sim_kn_mean(kn, i) > sim_kn_mean(kn, l) + allowance(kn, i, l))
                leaves[i] = true;
    for (size_t i = 0; i < kn->count; i++)
        if (leaves[i]) {
            kn->in[i] = false;
            kn->left_at[i] = kn->observations;
            kn->in_count--;
        }
    free(leaves);
}

/* Only equal means are left once nothing more can be learnt. */
static void break_ties(struct sim_kn *kn) {
    size_t best = sim_kn_best(kn);
    for (size_t i = 0; i < kn->count; i++)
        if (i != best && kn->in[i]) {
            kn->in[i] = false;
            kn->left_at[i] = kn->observations;
        }
    kn->in_count = 1;
}

void sim_kn_observe(struct sim_kn *kn, const double *values) {
    assert(!sim_kn_done(kn));
    uint32_t r = kn->observations++;
    for (size_t i = 0; i < kn->count; i++) {
        if (!kn->in[i])
            continue;
        assert(isfinite(values[i]));
        kn->sums[i] += values[i];
        if (r < kn->first)
            kn->early[r * kn->count + i] = values[i];
    }
    if (kn->observations < kn->first)
        return;
    if (kn->observations == kn->first)
        take_variances(kn);
    screen(kn);
    if (kn->in_count > 1 && kn->observations > kn->most)
        break_ties(kn);
}

bool sim_kn_done(const struct sim_kn *kn) {
    return kn->in_count == 1;
}

size_t sim_kn_best(const struct sim_kn *kn) {
    size_t best = kn->count;
    assert(kn->observations > 0);
    for (size_t i = 0; i < kn->count; i++)
        if (kn->in[i] && (best == kn->count || sim_kn_mean(kn, i) < sim_kn_mean(kn, best)))
            best = i;
    return best;
}
