/* A distribution: from its draft, whatever the kind, to a prepared model_distribution. */
#include "reader.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_probability(const void *left, const void *right) {
    const struct sim_knot *a = left, *b = right;
    return (a->p > b->p) - (a->p < b->p);
}

/** Sort the knots; their values must rise with them. */
static bool order_knots(const struct sim_reader *reader, const struct sim_place *place, struct sim_list *list) {
    struct sim_knot *knots = list->items;
    qsort(knots, list->count, sizeof *knots, by_probability);
    for (size_t i = 1; i < list->count; i++) {
        if (!(knots[i].p > knots[i - 1].p))
            return sim_layers_fail(reader->layers, place, "the %.10gth percentile is given twice", 100 * knots[i].p);
        if (!(knots[i].x > knots[i - 1].x))
            return sim_layers_fail(reader->layers, place,
                                   "expected percentiles that rise, found p%.10g = %.10g after p%.10g = %.10g",
                                   100 * knots[i].p, knots[i].x, 100 * knots[i - 1].p, knots[i - 1].x);
    }
    return true;
}

static bool fill_lognormal(const struct sim_reader *reader, const struct sim_place *place,
                           struct sim_distribution_draft *draft, struct model_distribution *into) {
    if (draft->knots.count == 0) {
        into->a = log(draft->median);
        into->b = draft->sigma;
        return true;
    }
    if (!order_knots(reader, place, &draft->knots))
        return false;
    const struct sim_knot *knots = draft->knots.items;
    double z0 = gsl_cdf_ugaussian_Pinv(knots[0].p), z1 = gsl_cdf_ugaussian_Pinv(knots[1].p);
    into->b = (log(knots[1].x) - log(knots[0].x)) / (z1 - z0);
    into->a = log(knots[0].x) - into->b * z0;
    return true;
}

static bool fill_percentiles(const struct sim_reader *reader, const struct sim_place *place,
                             struct sim_distribution_draft *draft, struct model_distribution *into) {
    if (!order_knots(reader, place, &draft->knots))
        return false;
    const struct sim_knot *knots = draft->knots.items;
    into->count = draft->knots.count;
    into->p = sim_memory_take(reader->memory, into->count, sizeof *into->p);
    into->x = sim_memory_take(reader->memory, into->count, sizeof *into->x);
    for (size_t i = 0; i < into->count; i++) {
        into->p[i] = knots[i].p;
        into->x[i] = knots[i].x;
    }
    return true;
}

static bool fill_quantiles(const struct sim_reader *reader, const struct sim_place *place,
                           struct sim_distribution_draft *draft, struct model_distribution *into) {
    into->count = draft->values.count;
    into->x = draft->values.items;
    struct sim_place values = {.parent = place, .key = "values"};
    for (size_t i = 1; i < into->count; i++)
        if (!(into->x[i] >= into->x[i - 1]))
            return sim_layers_fail(reader->layers, &(struct sim_place){.parent = &values, .index = i},
                                   "expected values that do not fall, found %.10g after %.10g", into->x[i],
                                   into->x[i - 1]);
    return true;
}

static bool fill(const struct sim_reader *reader, const struct sim_place *place, struct sim_distribution_draft *draft,
                 struct model_distribution *into) {
    switch (draft->kind) {
    case MODEL_CONSTANT:
        into->a = draft->value;
        return true;
    case MODEL_UNIFORM:
        into->a = draft->low;
        into->b = draft->high;
        return draft->low <= draft->high ||
               sim_layers_fail(reader->layers, place, "expected min <= max, found %.10g and %.10g", draft->low,
                               draft->high);
    case MODEL_EXPONENTIAL:
        into->a = draft->mean;
        return true;
    case MODEL_LOGNORMAL:
        return fill_lognormal(reader, place, draft, into);
    case MODEL_PERCENTILES:
        return fill_percentiles(reader, place, draft, into);
    case MODEL_GAMMA:
    case MODEL_WEIBULL:
        into->a = draft->mean;
        into->b = draft->cv;
        return true;
    case MODEL_PARETO:
        into->a = draft->scale;
        into->b = draft->alpha;
        return true;
    case MODEL_QUANTILES:
        return fill_quantiles(reader, place, draft, into);
    }
    assert(false);
    return false;
}

/** Join the clamps inside and beside the kind with the bounds of the key, which keep every draw in range. */
static bool clamp(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                  const struct sim_distribution_draft *draft, struct model_distribution *into) {
    if (isfinite(draft->min) && isfinite(draft->outer_min))
        return sim_layers_fail(reader->layers, place, "`min` stands both inside the kind and beside it");
    if (isfinite(draft->max) && isfinite(draft->outer_max))
        return sim_layers_fail(reader->layers, place, "`max` stands both inside the kind and beside it");
    double low = fmax(draft->min, draft->outer_min), high = fmin(draft->max, draft->outer_max);
    if (low > high)
        return sim_layers_fail(reader->layers, place, "expected min <= max, found %.10g and %.10g", low, high);
    if (low > row->max || high < row->min)
        return sim_layers_fail(reader->layers, place, "expected draws from %.10g to %.10g, found the clamps leave none",
                               row->min, row->max);
    into->min = fmax(low, row->min);
    into->max = fmin(high, row->max);
    return true;
}

/** What surely lies outside the bounds of the key is an error, not something to clamp. */
static bool check_range(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                        const struct model_distribution *distribution) {
    double value = distribution->a;
    if (distribution->kind != MODEL_CONSTANT || (value >= row->min && value <= row->max))
        return true;
    char expected[320];
    const struct sim_key number = {.type = SIM_KEY_NUMBER, .unit = row->unit, .min = row->min, .max = row->max};
    return sim_layers_fail(reader->layers, place, "expected %s, found %.10g",
                           sim_read_expected(&number, expected, sizeof expected), value);
}

bool sim_read_distribution(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                           const cJSON *json, struct model_distribution *ret) {
    struct sim_distribution_draft draft = {
        .min = -INFINITY, .max = INFINITY, .outer_min = -INFINITY, .outer_max = INFINITY};
    struct model_distribution made = {0};
    struct sim_place kind_place = {.parent = place};
    const struct sim_place *at = place;
    if (cJSON_IsNumber(json)) {
        struct sim_key number = *row;
        number.type = SIM_KEY_NUMBER;
        if (!sim_read_number(reader, place, &number, json, &draft.value))
            return false;
    } else {
        struct sim_key choice = *row;
        choice.type = SIM_KEY_CHOICE;
        choice.table = &sim_distribution_table;
        choice.offset = offsetof(struct sim_distribution_draft, kind);
        choice.offset_flag = SIM_NO_FLAG;
        if (!cJSON_IsObject(json))
            return sim_read_mismatch(reader, place, row, json);
        if (!sim_read(reader, place, &choice, json, (char *)&draft))
            return false;
        kind_place.key = sim_distribution_table.rows[draft.kind].name;
        at = &kind_place;
    }
    made.kind = draft.kind;
    if (!fill(reader, at, &draft, &made) || !check_range(reader, at, row, &made) ||
        !clamp(reader, at, row, &draft, &made))
        return false;
    const char *why = model_distribution_prepare(&made);
    if (why != NULL)
        return sim_layers_fail(reader->layers, at, "cannot draw from it: %s", why);
    *ret = made;
    return true;
}
