#include "selection.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double sim_claim_level(const struct sim_claim_measure *measure, size_t configuration) {
    const struct sim_study *study = measure->study->study;
    size_t axis = (size_t)(measure->along - study->axes);
    const char *text = measure->study->configurations.values[configuration * study->axis_count + axis];
    char *end;
    double level = text != NULL ? strtod(text, &end) : NAN;
    return text != NULL && end != text && *end == '\0' ? level : NAN;
}

/* Insert a configuration of a series by its level. @return false when it has no number, or one that is there already. */
static bool insert(const struct sim_claim_measure *measure, struct sim_claim_side *side, size_t configuration) {
    size_t at = side->count;
    double level = sim_claim_level(measure, configuration);
    if (isnan(level))
        return false;
    while (at > 0 && sim_claim_level(measure, side->configurations[at - 1]) > level)
        at--;
    if (at > 0 && sim_claim_level(measure, side->configurations[at - 1]) >= level)
        return false;
    memmove(&side->configurations[at + 1], &side->configurations[at],
            (side->count - at) * sizeof *side->configurations);
    side->configurations[at] = configuration;
    side->count++;
    return true;
}

/* Two filters, either of which may be NULL, and the dimensions of the study of which they say something. */
struct filters {
    const struct sim_study *study;
    struct sim_expression *both[2];
    bool *spoken_of;
};

static void note_dimensions(struct filters *filters, const struct sim_axis *along) {
    const struct sim_study *study = filters->study;
    for (size_t i = 0; i < study->axis_count; i++)
        for (size_t k = 0; k < 2; k++)
            if (&study->axes[i] == along || (filters->both[k] != NULL && sim_expression_names(filters->both[k], i)))
                filters->spoken_of[study->axes[i].dimension] = true;
}

/* Do both filters hold, and does every knob of which they say nothing stand at its first value? */
static bool holds(const struct filters *filters, const char *const *values, bool *ret,
                  struct sim_located_error *error) {
    const struct sim_study *study = filters->study;
    *ret = true;
    for (size_t i = 0; i < study->axis_count && *ret; i++)
        *ret = filters->spoken_of[study->axes[i].dimension] || strcmp(values[i], study->axes[i].levels[0]) == 0;
    for (size_t i = 0; i < 2 && *ret; i++)
        if (filters->both[i] != NULL && !sim_study_holds(study, filters->both[i], values, ret, error))
            return false;
    return true;
}

static bool pick(const struct sim_claim_measure *measure, const struct filters *filters, struct sim_claim_side *side,
                 bool *ret_distinct, struct sim_located_error *error) {
    const struct sim_configurations *configurations = &measure->study->configurations;
    *ret_distinct = true;
    for (size_t i = 0; i < configurations->count; i++) {
        bool wanted;
        if (!holds(filters, &configurations->values[i * filters->study->axis_count], &wanted, error))
            return false;
        if (wanted && measure->along != NULL)
            *ret_distinct = insert(measure, side, i) && *ret_distinct;
        else if (wanted)
            side->configurations[side->count++] = i;
    }
    return true;
}

/* A knob in which the first two configurations of a side differ. */
static const char *difference_of(const struct sim_claim_study *study, const struct sim_claim_side *side) {
    size_t axes = study->study->axis_count;
    const char *const *one = &study->configurations.values[side->configurations[0] * axes];
    const char *const *other = &study->configurations.values[side->configurations[1] * axes];
    for (size_t i = 0; i < axes; i++)
        if (strcmp(one[i], other[i]) != 0)
            return study->study->axes[i].name;
    return "";
}

/* Are there as many as the measure reads? @p distinct: the levels of a series are numbers, each once. */
static bool check(const struct sim_claim_measure *measure, const struct sim_claim_side *side, bool distinct,
                  struct sim_located_error *why) {
    const char *path = measure->study->path;
    if (measure->along != NULL && !(distinct && side->count >= 2))
        sim_error_set(why, "", 0, "",
                      "expected what leaves two or more values of \"%.100s\", each a number and each once",
                      measure->along->path);
    else if (measure->along == NULL && side->count > 1)
        sim_error_set(why, "", 0, "",
                      "expected what holds of one configuration of %.200s, found %zu, which differ in \"%.80s\"", path,
                      side->count, difference_of(measure->study, side));
    else if (measure->along == NULL && side->count == 0)
        sim_error_set(why, "", 0, "", "expected what holds of one configuration of %.200s, found 0", path);
    else
        return true;
    return false;
}

bool sim_claim_select(const struct sim_claim_measure *measure, const char *const filters[2],
                      struct sim_scenario_memory *memory, struct sim_claim_side *ret, struct sim_located_error *why) {
    struct sim_claim_study *study = measure->study;
    struct filters both = {.study = study->study};
    bool good = true, distinct = true;
    both.spoken_of = sim_memory_take(memory, study->study->dimensions, sizeof *both.spoken_of);
    ret->configurations = sim_memory_take(memory, study->configurations.count, sizeof *ret->configurations);
    for (size_t i = 0; i < 2 && good; i++)
        if (filters[i] != NULL)
            good = (both.both[i] = sim_study_expression(study->study, filters[i], why)) != NULL;
    note_dimensions(&both, measure->along);
    good = good && pick(measure, &both, ret, &distinct, why);
    for (size_t i = 0; i < 2; i++)
        sim_expression_destroy(both.both[i]);
    return good && check(measure, ret, distinct, why);
}
