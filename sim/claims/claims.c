/* Reading a claims file, and the studies that it names. */
#include "claims.h"

#include "../scenario/layers.h"
#include "../scenario/paths.h"
#include "../scenario/reader.h"
#include "keys_claims.h"
#include "selection.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    struct sim_claims *claims;
    struct sim_claims_draft draft;
    struct sim_layers layers;
    const struct sim_scenario_options *given;
    struct sim_located_error *error;
};

/* ---- studies ---- */

static bool open_study(struct builder *builder, struct sim_claim_study *study, const char *path) {
    *study = (struct sim_claim_study){.path = path};
    study->study = sim_study_create(path, builder->given, builder->error);
    if (study->study != NULL && study->study->repeat < 2) {
        sim_error_set(builder->error, path, 0, "repeat",
                      "expected 2 replications or more: a single one leaves every interval open");
        return false;
    }
    if (study->study != NULL && study->study->design != SIM_DESIGN_GRID) {
        sim_error_set(builder->error, path, 0, "design",
                      "expected a grid: claims name its configurations by their knobs");
        return false;
    }
    if (study->study == NULL || !sim_study_enumerate(study->study, NULL, &study->configurations, builder->error))
        return false;
    study->figures = sim_figures_create(&study->study->base->workload);
    return true;
}

/* Each study gets a folder of its name beside the files of the claims. */
static bool check_name(const struct builder *builder, const struct sim_place *place,
                       const struct sim_claim_study *study) {
    static const char *const ends[] = {".json", ".csv", ".db", ".html", "plots"};
    const struct sim_claims *claims = builder->claims;
    const char *name = study->study->name;
    for (size_t i = 0; i < claims->study_count; i++)
        if (&claims->studies[i] != study && strcmp(claims->studies[i].study->name, name) == 0)
            return sim_layers_fail(&builder->layers, place,
                                   "expected a study with a name of its own, \"%.100s\" is that of %.200s, too", name,
                                   claims->studies[i].path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(name), tail = strlen(ends[i]);
        if (length >= tail && strcmp(name + length - tail, ends[i]) == 0)
            return sim_layers_fail(&builder->layers, place,
                                   "expected a study whose name does not end in \"%s\", as \"%.100s\"", ends[i], name);
    }
    return true;
}

/* The study of that path, read when it is met first. @return NULL with the error set. */
static struct sim_claim_study *study_of(struct builder *builder, const struct sim_place *place, const char *path) {
    struct sim_claims *claims = builder->claims;
    for (size_t i = 0; i < claims->study_count; i++)
        if (strcmp(claims->studies[i].path, path) == 0)
            return &claims->studies[i];
    struct sim_claim_study *study = &claims->studies[claims->study_count++];
    if (!open_study(builder, study, path))
        return NULL;
    if (!check_name(builder, place, study))
        return NULL;
    return study;
}

/* ---- measures ---- */

/* What a measure is made of, and where in the file it stands. */
struct context {
    struct builder *builder;
    const struct sim_place *place;
    const struct sim_claim_measure_draft *draft;
    struct sim_claim_measure *measure;
};

static bool fail(const struct context *context, const char *key, const char *message) {
    struct sim_place inner = {.parent = context->place, .key = key};
    return sim_layers_fail(&context->builder->layers, key != NULL ? &inner : context->place, "%s", message);
}

static bool find_count(void *context, const char *name, size_t length, size_t *ret, struct sim_located_error *error) {
    const struct sim_figures *figures = context;
    char *text = strndup(name, length);
    assert(text != NULL);
    const struct sim_figure *figure = sim_figures_find(figures, text);
    if (figure == NULL)
        sim_error_set(error, "", 0, "", "expected the name of a figure, found \"%.80s\"; nearest: \"%.80s\"", text,
                      sim_figures_nearest(figures, text));
    else if (figure->kind != SIM_FIGURE_MEAN)
        sim_error_set(error, "", 0, "", "expected counts or other totals in a sum, found \"%.80s\"", text);
    else
        *ret = (size_t)(figure - figures->rows);
    free(text);
    return figure != NULL && figure->kind == SIM_FIGURE_MEAN;
}

static struct sim_expression *make_sum(const struct context *context, const char *key, const char *text) {
    struct sim_located_error why = {0};
    const struct sim_names names = {.find = find_count, .context = context->measure->study->figures};
    struct sim_expression *sum = sim_expression_create(text, &names, &why);
    if (sum != NULL && sim_expression_is_sum(sum))
        return sum;
    fail(context, key, sum == NULL ? why.message : "expected a figure, or figures joined by + and -");
    sim_expression_destroy(sum);
    return NULL;
}

/* The name in @p text, blanks and backquotes around it taken off. */
static const char *plain_name(const struct context *context, const char *text) {
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    bool quoted = length >= 2 && text[0] == '`' && text[length - 1] == '`';
    return sim_memory_text(context->builder->claims->memory, text + quoted, length - 2 * quoted);
}

static bool make_figure(const struct context *context) {
    struct sim_claim_measure *measure = context->measure;
    const struct sim_claim_measure_draft *draft = context->draft;
    bool counts = draft->of != NULL || draft->relative_to != NULL;
    measure->text = draft->figure;
    measure->of_text = draft->of;
    if (draft->reading != SIM_READ_FIGURE && counts)
        return fail(context, draft->of != NULL ? "of" : "relative_to",
                    "expected none where \"reading\" is not \"figure\": a series takes figures alone");
    if (draft->figure == NULL)
        return draft->reading == SIM_READ_CAPACITY ||
               fail(context, NULL, "the key \"figure\" is missing: expected the name of a figure");
    if (draft->of != NULL && draft->relative_to != NULL)
        return fail(context, "relative_to", "expected none beside \"of\": a measure is a share or a change");
    if (!counts)
        measure->figure = sim_figures_find(measure->study->figures, plain_name(context, draft->figure));
    if (measure->figure == NULL && (measure->sum = make_sum(context, "figure", draft->figure)) == NULL)
        return false;
    if (draft->of != NULL && (measure->of = make_sum(context, "of", draft->of)) == NULL)
        return false;
    measure->unit = draft->of != NULL            ? "share"
                    : draft->relative_to != NULL ? "change"
                    : measure->figure != NULL    ? measure->figure->unit
                                                 : "";
    return true;
}

static bool make_series(const struct context *context) {
    struct sim_claim_measure *measure = context->measure;
    const char *path = context->draft->along;
    const struct sim_study *study = measure->study->study;
    measure->reading = (enum sim_claim_reading)context->draft->reading;
    if (measure->reading == SIM_READ_FIGURE)
        return path == NULL || fail(context, "along", "expected none where \"reading\" is \"figure\"");
    for (size_t i = 0; path != NULL && i < study->axis_count; i++)
        if (strcmp(study->axes[i].path, path) == 0 || strcmp(study->axes[i].name, path) == 0)
            measure->along = &study->axes[i];
    if (measure->along == NULL)
        return fail(context, "along", "expected the path of a knob of the study, or its short name");
    if (measure->reading == SIM_READ_CAPACITY && study->slo_count == 0)
        return fail(context, "reading", "expected SLOs in the study: without any there is no capacity");
    if (measure->sum != NULL)
        return fail(context, "figure", "expected a single figure: a series takes no sums");
    if (measure->reading == SIM_READ_BEST && measure->figure->better == SIM_NEITHER)
        return fail(context, "figure", "expected a figure of which less or more is better");
    measure->unit = "";
    return true;
}

/* Configurations for which both the measure's own filter and @p text (NULL: none), which stands at @p where, hold. */
static bool select_configurations(const struct context *context, const struct sim_place *where, const char *text,
                                  struct sim_claim_side *side) {
    const char *const filters[] = {context->draft->where, text};
    struct sim_located_error why = {0};
    return sim_claim_select(context->measure, filters, context->builder->claims->memory, side, &why) ||
           sim_layers_fail(&context->builder->layers, where, "%s", why.message);
}

static bool make_side(const struct context *context, const char *key, const struct sim_claim_side_draft *draft,
                      struct sim_claim_side *side) {
    struct sim_place place = {.parent = context->place, .key = key};
    struct sim_layers *layers = &context->builder->layers;
    const double *article = draft->article.items;
    size_t stated = draft->article.count;
    bool bound = !isnan(draft->at_least) || !isnan(draft->at_most);
    side->there = true;
    side->article_lo = stated > 0 ? article[0] : bound ? -INFINITY : NAN;
    side->article_hi = stated > 0 ? article[stated - 1] : bound ? INFINITY : NAN;
    if (stated > 0 && bound)
        return sim_layers_fail(layers, &place, "expected \"article\" or bounds, found both");
    if (!isnan(draft->at_least))
        side->article_lo = draft->at_least;
    if (!isnan(draft->at_most))
        side->article_hi = draft->at_most;
    if (side->article_lo > side->article_hi)
        return sim_layers_fail(layers, &place, "expected the lower end of what is stated first");
    struct sim_place where = {.parent = &place, .key = "where"};
    return select_configurations(context, &where, draft->where, side);
}

static bool make_reference(const struct context *context) {
    struct sim_claim_side reference = {0};
    context->measure->reference = SIZE_MAX;
    context->measure->reference_text = context->draft->relative_to;
    if (context->draft->relative_to == NULL)
        return true;
    struct sim_place place = {.parent = context->place, .key = "relative_to"};
    if (!select_configurations(context, &place, context->draft->relative_to, &reference))
        return false;
    context->measure->reference = reference.configurations[0];
    return true;
}

/* Do all configurations of the measure draw the same jobs over the same time, as pairs must? */
static bool draw_the_same(const struct context *context) {
    static const char *const paths[] = {"seed", "duration_s", "warmup_s"};
    const struct sim_claim_measure *measure = context->measure;
    const struct sim_study *study = measure->study->study;
    const struct sim_claim_side *sides[] = {&measure->before, &measure->after};
    const char **values = measure->study->configurations.values;
    size_t first = measure->after.configurations[0] * study->axis_count;
    for (size_t a = 0; a < study->axis_count; a++)
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
            if (strcmp(study->axes[a].path, paths[p]) != 0)
                continue;
            bool same = measure->reference == SIZE_MAX ||
                        strcmp(values[measure->reference * study->axis_count + a], values[first + a]) == 0;
            for (size_t k = 0; k < 2; k++)
                for (size_t i = 0; i < sides[k]->count; i++)
                    same = same &&
                           strcmp(values[sides[k]->configurations[i] * study->axis_count + a], values[first + a]) == 0;
            if (!same)
                return fail(context, "after",
                            "expected the same seed, duration_s and warmup_s as in what it is paired with");
        }
    return true;
}

static bool check_sides(const struct context *context) {
    const struct sim_claim_measure *measure = context->measure;
    const struct sim_claim_side *before = &measure->before, *after = &measure->after;
    if (!before->there)
        return true;
    if (before->count == after->count &&
        memcmp(before->configurations, after->configurations, after->count * sizeof *after->configurations) == 0)
        return fail(context, "after", "expected another configuration than before");
    int way = sim_claim_stated_direction(measure);
    if (way != 0 && measure->expects != SIM_EXPECTS_NOTHING)
        return fail(context, "expects", "expected none beside numbers of both sides, which say what changes");
    return true;
}

static bool make_measure(struct builder *builder, const struct sim_place *place, const struct sim_claim *claim,
                         const struct sim_claim_measure_draft *draft, struct sim_claim_measure *measure) {
    const struct context context = {builder, place, draft, measure};
    struct sim_place study = {.parent = place, .key = "study"};
    *measure = (struct sim_claim_measure){.label = draft->label, .study = claim->study};
    measure->expects = (enum sim_claim_expects)draft->expects;
    measure->on_base = draft->on_base;
    if (draft->study != NULL && (measure->study = study_of(builder, &study, draft->study)) == NULL)
        return false;
    if (measure->expects != SIM_EXPECTS_NOTHING && !draft->has_before)
        return fail(&context, "expects", "expected none without \"before\": nothing changes");
    return make_figure(&context) && make_series(&context) && make_reference(&context) &&
           (!draft->has_before || make_side(&context, "before", &draft->before, &measure->before)) &&
           make_side(&context, "after", &draft->after, &measure->after) && check_sides(&context) &&
           draw_the_same(&context);
}

/* ---- claims ---- */

static bool make_claim(struct builder *builder, size_t index, const struct sim_claim_draft *draft,
                       struct sim_claim *claim) {
    struct sim_place top = {0}, list = {.parent = &top, .key = "claims"}, at = {.parent = &list, .index = index};
    struct sim_place study = {.parent = &at, .key = "study"}, id = {.parent = &at, .key = "id"};
    struct sim_claims *claims = builder->claims;
    *claim = (struct sim_claim){.number = index + 1, .id = draft->id, .says = draft->says, .because = draft->because};
    for (size_t i = 0; i < claims->count; i++)
        if (strcmp(claims->claims[i].id, draft->id) == 0)
            return sim_layers_fail(&builder->layers, &id, "expected an id of its own, \"%.100s\" is taken", draft->id);
    claim->deciding = draft->measures.count;
    size_t count = claim->deciding + draft->tried.count;
    claim->measures = sim_memory_take(claims->memory, count, sizeof *claim->measures);
    claims->count++;
    if ((claim->study = study_of(builder, &study, draft->study)) == NULL)
        return false;
    while (claim->count < count) {
        bool tried = claim->count >= claim->deciding;
        size_t i = claim->count - (tried ? claim->deciding : 0);
        struct sim_claim_measure *measure = &claim->measures[claim->count++];
        const struct sim_claim_measure_draft *items = tried ? draft->tried.items : draft->measures.items;
        struct sim_place measures = {.parent = &at, .key = tried ? "tried" : "measures"};
        struct sim_place place = {.parent = &measures, .index = i};
        if (!make_measure(builder, &place, claim, &items[i], measure))
            return false;
    }
    return true;
}

/* Upper bound of the number of studies: one a claim and one a measure. */
static size_t most_studies(const struct sim_claims_draft *draft) {
    const struct sim_claim_draft *claims = draft->claims.items;
    size_t count = 0;
    for (size_t i = 0; i < draft->claims.count; i++)
        count += 1 + claims[i].measures.count + claims[i].tried.count;
    return count;
}

static bool read_file(struct builder *builder, const char *path) {
    struct sim_claims *claims = builder->claims;
    struct sim_reader reader = {.layers = &builder->layers, .memory = claims->memory, .scratch = claims->memory};
    struct sim_place top = {0};
    cJSON *tree = sim_layers_open(&builder->layers, path, &sim_claims_key, claims->memory);
    if (tree == NULL || !sim_read(&reader, &top, &sim_claims_key, tree, (char *)&builder->draft))
        return false;
    claims->file = sim_memory_format(claims->memory, "%s", path);
    claims->name = builder->draft.name;
    if (claims->name == NULL)
        claims->name = sim_path_stem(claims->memory, path);
    if (!sim_plain_name(claims->name))
        return sim_layers_fail(&builder->layers, &top,
                               "the key \"name\" is missing: expected it, since the file's name cannot serve");
    claims->title = builder->draft.title;
    claims->about = builder->draft.about;
    claims->source = builder->draft.source;
    claims->base_path = builder->draft.base;
    return true;
}

static const char *nearest_id(const struct sim_claim_draft *drafts, size_t count, const char *id) {
    const char *nearest = "";
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t distance = sim_edit_distance(drafts[i].id, id);
        if (distance >= least)
            continue;
        least = distance;
        nearest = drafts[i].id;
    }
    return nearest;
}

static bool build(struct builder *builder, const char *path, const char *only) {
    struct sim_claims *claims = builder->claims;
    if (!read_file(builder, path))
        return false;
    if (claims->base_path != NULL) {
        claims->base = sim_scenario_create(claims->base_path, builder->given, builder->error);
        if (claims->base == NULL)
            return false;
    }
    const struct sim_claim_draft *drafts = builder->draft.claims.items;
    claims->claims = sim_memory_take(claims->memory, builder->draft.claims.count, sizeof *claims->claims);
    claims->studies = sim_memory_take(claims->memory, most_studies(&builder->draft), sizeof *claims->studies);
    for (size_t i = 0; i < builder->draft.claims.count; i++)
        if ((only == NULL || strcmp(drafts[i].id, only) == 0) &&
            !make_claim(builder, i, &drafts[i], &claims->claims[claims->count]))
            return false;
    if (claims->count > 0)
        return true;
    sim_error_set(builder->error, path, 0, "", "no claim in it is called \"%.100s\"; the nearest is \"%.100s\"", only,
                  nearest_id(drafts, builder->draft.claims.count, only));
    return false;
}

struct sim_claims *sim_claims_create(const char *path, const struct sim_scenario_options *given, const char *only,
                                     struct sim_located_error *error) {
    struct sim_scenario_memory *memory = sim_memory_create(), *scratch = sim_memory_create();
    struct sim_claims *claims = sim_memory_take(memory, 1, sizeof *claims);
    claims->memory = memory;
    struct builder builder = {
        .claims = claims, .layers = {.scratch = scratch, .error = error}, .given = given, .error = error};
    bool good = build(&builder, path, only);
    sim_memory_destroy(scratch);
    if (good)
        return claims;
    sim_claims_destroy(claims);
    return NULL;
}

void sim_claims_destroy(struct sim_claims *claims) {
    if (claims == NULL)
        return;
    for (size_t i = 0; i < claims->count; i++)
        for (size_t k = 0; k < claims->claims[i].count; k++) {
            sim_expression_destroy(claims->claims[i].measures[k].sum);
            sim_expression_destroy(claims->claims[i].measures[k].of);
        }
    for (size_t i = 0; i < claims->study_count; i++) {
        struct sim_claim_study *study = &claims->studies[i];
        sim_store_close(study->store);
        sim_study_table_finish(&study->table);
        sim_configurations_finish(&study->configurations);
        sim_figures_destroy(study->figures);
        sim_study_destroy(study->study);
    }
    sim_scenario_destroy(claims->base);
    sim_memory_destroy(claims->memory);
}
