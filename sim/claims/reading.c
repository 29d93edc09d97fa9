/* Reading measures off the outcomes of a study. Every interval is one of sim/stats: of a figure as `run` gives it, of a
 * share or of a change as the ratio estimator gives it, of a difference as `compare` does. */
#include "claims.h"

#include "../memory.h"
#include "../stats/replicated.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double level = .95;
static const struct sim_estimate none = {NAN, NAN, NAN, NAN};

/* Outcomes of one configuration. */
struct trials {
    const struct sim_figures *figures;
    struct sim_outcome **outcomes;
    uint32_t count;
};

static const struct sim_outcome *const *outcomes_of(const struct trials *trials) {
    return (const struct sim_outcome *const *)trials->outcomes;
}

static void forget(struct trials *trials) {
    for (uint32_t r = 0; trials->outcomes != NULL && r < trials->count; r++)
        sim_outcome_destroy(trials->outcomes[r]);
    free(trials->outcomes);
    *trials = (struct trials){0};
}

static bool fetch(const struct sim_claim_study *study, size_t configuration, struct trials *ret,
                  struct sim_located_error *error) {
    const struct sim_study_row *row = &study->table.rows[configuration];
    struct trials trials = {.figures = row->figures, .count = study->table.stored.repeat};
    trials.outcomes = sim_calloc(trials.count, sizeof *trials.outcomes);
    bool good = row->failure == NULL;
    if (!good)
        sim_error_set(error, study->path, 0, "", "%s: %s", row->configuration->label, row->failure);
    for (uint32_t r = 0; good && r < trials.count; r++) {
        char *failure = NULL;
        good = sim_store_get(study->store, row->configuration->hash, r + 1, &trials.outcomes[r], &failure, error);
        assert(!good || failure == NULL);
    }
    *ret = trials;
    return good;
}

/* ---- sums of counts ---- */

struct counts {
    const struct trials *trials;
    const struct sim_figures *named; /* in which names have their numbers */
    uint32_t replication;
    const char *missing;
};

static bool count_of(void *context, size_t number, struct sim_value *ret) {
    struct counts *counts = context;
    const char *name = counts->named->rows[number].name;
    const struct sim_figure *figure = sim_figures_find(counts->trials->figures, name);
    double weight;
    *ret = (struct sim_value){.kind = SIM_VALUE_NUMBER};
    if (figure == NULL)
        counts->missing = name;
    else
        sim_figure_of_replication(figure, counts->trials->outcomes[counts->replication], &ret->number, &weight);
    return figure != NULL;
}

/* @p sum of each replication, into @p ret. */
static bool add_up(const struct sim_claim_measure *measure, const struct sim_expression *sum,
                   const struct trials *trials, double *ret, struct sim_located_error *error) {
    struct counts counts = {.trials = trials, .named = measure->study->figures};
    for (uint32_t r = 0; r < trials->count; r++) {
        counts.replication = r;
        if (!sim_expression_number(sum, count_of, &counts, &ret[r], error)) {
            if (counts.missing == NULL)
                return false;
            *error = (struct sim_located_error){0};
            sim_error_set(error, measure->study->path, 0, "", "a configuration has no figure \"%s\"", counts.missing);
            return false;
        }
    }
    return true;
}

/* Are the parts whole numbers from 0 to their wholes, as jobs of jobs are, and few enough to be counted exactly? */
static bool are_counts(const double *parts, const double *wholes, uint32_t count) {
    const double exact_max = 0x1p53;
    double total = 0;
    for (uint32_t r = 0; r < count; r++) {
        total += wholes[r];
        if (!(parts[r] >= 0 && parts[r] <= wholes[r] && total <= exact_max) || parts[r] != floor(parts[r]) ||
            wholes[r] != floor(wholes[r]))
            return false;
    }
    return true;
}

static struct sim_estimate share_of(const double *parts, const double *wholes, uint32_t count) {
    if (!are_counts(parts, wholes, count))
        return sim_estimate_ratio(parts, wholes, count, level);
    uint64_t *numbers = sim_calloc(2 * (size_t)count, sizeof *numbers);
    for (uint32_t r = 0; r < count; r++) {
        numbers[r] = (uint64_t)parts[r];
        numbers[count + r] = (uint64_t)wholes[r];
    }
    struct sim_estimate estimate = sim_estimate_exceedance(numbers, numbers + count, count, level);
    free(numbers);
    return estimate;
}

/* The counts of one configuration over those of another, less 1. Where nothing at all is left the replications do not
 * spread, and the interval is that of a share of which none was seen. */
static struct sim_estimate change_of(const double *counts, const double *reference, uint32_t count) {
    bool any = false;
    for (uint32_t r = 0; r < count; r++)
        any = any || counts[r] != 0;
    struct sim_estimate estimate =
        any ? sim_estimate_ratio(counts, reference, count, level) : share_of(counts, reference, count);
    estimate.value -= 1;
    estimate.lo -= 1;
    estimate.hi -= 1;
    return estimate;
}

/* ---- one side ---- */

/* What one side comes to, and its columns for pairing: value and weight by replication. */
struct side {
    struct trials trials;
    struct sim_estimate estimate;
    const struct sim_figure *figure; /* NULL: a sum */
    double *value, *weight, *below;
};

static void finish(struct side *side) {
    forget(&side->trials);
    free(side->value);
    *side = (struct side){0};
}

static bool read_figure(const struct sim_claim_measure *measure, struct side *side, struct sim_located_error *error) {
    side->figure = sim_figures_find(side->trials.figures, measure->figure->name);
    if (side->figure == NULL) {
        sim_error_set(error, measure->study->path, 0, "", "a configuration has no figure \"%s\"",
                      measure->figure->name);
        return false;
    }
    side->estimate = sim_estimate_figure(side->figure, outcomes_of(&side->trials), side->trials.count, level);
    for (uint32_t r = 0; r < side->trials.count; r++) {
        struct sim_replicated one = sim_replicated_figure(side->figure, side->trials.outcomes[r], side->estimate.value);
        side->value[r] = one.value;
        side->weight[r] = one.weight;
        side->below[r] = one.below;
    }
    return true;
}

/* A sum, alone, over `of`, or over the same sum of the reference. */
static bool read_sum(const struct sim_claim_measure *measure, struct side *side, struct sim_located_error *error) {
    uint32_t count = side->trials.count;
    if (!add_up(measure, measure->sum, &side->trials, side->value, error))
        return false;
    if (measure->of != NULL) {
        if (!add_up(measure, measure->of, &side->trials, side->weight, error))
            return false;
        side->estimate = share_of(side->value, side->weight, count);
    } else if (measure->reference != SIZE_MAX) {
        struct trials reference = {0};
        bool good = fetch(measure->study, measure->reference, &reference, error) &&
                    add_up(measure, measure->sum, &reference, side->weight, error);
        forget(&reference);
        if (!good)
            return false;
        side->estimate = change_of(side->value, side->weight, count);
    } else {
        side->estimate = sim_estimate_mean(side->value, count, level);
        for (uint32_t r = 0; r < count; r++)
            side->weight[r] = 1;
    }
    return true;
}

static bool read_configuration(const struct sim_claim_measure *measure, size_t configuration, struct side *ret,
                               struct sim_located_error *error) {
    struct side side = {.estimate = none};
    bool good = fetch(measure->study, configuration, &side.trials, error);
    size_t count = side.trials.count;
    side.value = sim_calloc(3 * count, sizeof *side.value);
    side.weight = side.value + count;
    side.below = side.weight + count;
    if (good)
        good = measure->figure != NULL ? read_figure(measure, &side, error) : read_sum(measure, &side, error);
    *ret = side;
    return good;
}

/* What of sim_paired_difference() suits the measure. */
static struct sim_paired difference(const struct sim_claim_measure *measure, const struct side *a,
                                    const struct side *b) {
    bool ratio = measure->of != NULL || measure->reference != SIZE_MAX;
    enum sim_figure_kind kind = a->figure != NULL ? a->figure->kind : ratio ? SIM_FIGURE_RATIO : SIM_FIGURE_MEAN;
    const struct sim_side sides[] = {{a->value, a->weight, a->below, a->estimate},
                                     {b->value, b->weight, b->below, b->estimate}};
    return sim_paired_difference(kind, a->figure != NULL ? a->figure->p : NAN, &sides[0], &sides[1], a->trials.count,
                                 level);
}

/* ---- series ---- */

static bool read_points(const struct sim_claim_measure *measure, struct sim_claim_side *side,
                        struct sim_located_error *error) {
    for (size_t i = 0; i < side->count; i++) {
        struct sim_claim_point *point = &side->points[i];
        *point = (struct sim_claim_point){.level = sim_claim_level(measure, side->configurations[i]), .ours = none};
        point->verdict = sim_study_verdict(&measure->study->table.rows[side->configurations[i]]);
        struct side one = {0};
        bool good = measure->text == NULL || read_configuration(measure, side->configurations[i], &one, error);
        if (good && measure->text != NULL)
            point->ours = one.estimate;
        finish(&one);
        if (!good)
            return false;
    }
    return true;
}

/* The bracket: the last level of the unbroken row that passes, and the first one after it that fails; levels in doubt lie
 * between. */
static void read_capacity(struct sim_claim_side *side) {
    size_t passed = 0;
    while (passed < side->count && side->points[passed].verdict == SIM_PASS)
        side->points[passed++].kept = true;
    side->ours = none;
    if (passed > 0)
        side->ours.value = side->ours.lo = side->points[passed - 1].level;
    for (size_t i = passed; i < side->count && isnan(side->ours.hi); i++)
        if (side->points[i].verdict == SIM_FAIL)
            side->ours.hi = side->points[i].level;
}

static size_t best_point(const struct sim_claim_measure *measure, const struct sim_claim_side *side) {
    size_t best = SIZE_MAX;
    bool more = measure->figure->better == SIM_MORE;
    for (size_t i = 0; i < side->count; i++) {
        double value = side->points[i].ours.value, known = best < SIZE_MAX ? side->points[best].ours.value : NAN;
        if (isfinite(value) && (best == SIZE_MAX || (more ? value > known : value < known)))
            best = i;
    }
    return best;
}

/* Is @p point not surely worse than the best one? @p p: adjusted, of no difference between them. */
static bool may_be_best(const struct sim_claim_measure *measure, const struct sim_claim_point *best,
                        const struct sim_claim_point *point, double p) {
    const struct sim_estimate *ours = &point->ours;
    if (!isnan(ours->value))
        return isnan(p) || p > 1 - level;
    /* Beyond every completed job: worse where less is better, unless the best may lie there, too. */
    return measure->figure->better == SIM_LESS && !isnan(ours->beyond) &&
           !(best->ours.hi < ours->beyond || best->ours.value < ours->beyond);
}

/* Which levels are not surely worse than the best: each is paired with it, and the p are adjusted together (Holm). */
static bool read_best(const struct sim_claim_measure *measure, struct sim_claim_side *side,
                      struct sim_located_error *error) {
    size_t best = best_point(measure, side);
    side->ours = none;
    if (best == SIZE_MAX)
        return true;
    double *p = sim_calloc(2 * side->count, sizeof *p), *adjusted = p + side->count;
    struct side winner = {0};
    bool good = read_configuration(measure, side->configurations[best], &winner, error);
    for (size_t i = 0; good && i < side->count; i++) {
        struct side other = {0};
        good = read_configuration(measure, side->configurations[i], &other, error);
        p[i] = good && i != best ? difference(measure, &winner, &other).p : NAN;
        finish(&other);
    }
    finish(&winner);
    sim_holm(p, side->count, adjusted);
    side->ours.value = side->points[best].level;
    for (size_t i = 0; i < side->count; i++) {
        side->points[i].kept = may_be_best(measure, &side->points[best], &side->points[i], adjusted[i]);
        if (!side->points[i].kept)
            continue;
        side->ours.lo = isnan(side->ours.lo) ? side->points[i].level : side->ours.lo;
        side->ours.hi = side->points[i].level;
    }
    free(p);
    return good;
}

static bool read_series(const struct sim_claim_measure *measure, struct sim_claim_side *side,
                        struct sim_located_error *error) {
    side->points = sim_memory_take(measure->study->study->memory, side->count, sizeof *side->points);
    if (!read_points(measure, side, error))
        return false;
    if (measure->reading == SIM_READ_BEST)
        return read_best(measure, side, error);
    read_capacity(side);
    return true;
}

/* ---- a measure ---- */

static bool read_pair(struct sim_claim_measure *measure, struct sim_located_error *error) {
    struct side before = {0}, after = {0};
    bool good =
        !measure->before.there || read_configuration(measure, measure->before.configurations[0], &before, error);
    good = good && read_configuration(measure, measure->after.configurations[0], &after, error);
    if (good) {
        measure->before.ours = measure->before.there ? before.estimate : none;
        measure->after.ours = after.estimate;
    }
    if (good && measure->before.there) {
        struct sim_paired paired = difference(measure, &before, &after);
        measure->change = (struct sim_estimate){paired.difference, paired.lo, paired.hi, NAN};
    }
    finish(&before);
    finish(&after);
    return good;
}

bool sim_claim_read(struct sim_claim_measure *measure, struct sim_located_error *error) {
    measure->change = none;
    if (measure->reading == SIM_READ_FIGURE)
        return read_pair(measure, error);
    return (!measure->before.there || read_series(measure, &measure->before, error)) &&
           read_series(measure, &measure->after, error);
}
