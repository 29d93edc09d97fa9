/** Which figures to compare, and what to make of the differences. */
#include "comparison.h"

#include "../memory.h"

#include <assert.h>
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double level = .95;

/** Looked at when nobody asks for others: few, as Holm's adjustment pays for each. Rows without values on both sides are
 *  left out. */
static const char *const short_choice[] = {
    "critical.latency.p50", "critical.latency.p99",  "standard.latency.p50",
    "standard.latency.p99", "batch.latency.p50",     "batch.latency.p99",
    "all.failed",           "all.censored",          "jain.service",
    "jain.entitlement",     "throttles.rate",        "retries.amplification",
    "queue.mean",           "throughput.jobs_per_s", "cost.usd",
};

/** By figure of A: whether it is wanted. */
struct wanted {
    const struct sim_record *a, *b;
    bool *rows;
};

/* ---- which figures ---- */

static bool row_of(const struct sim_record *record, const char *name, size_t *ret) {
    const struct sim_figure *figure = sim_figures_find(record->figures, name);
    size_t row = figure ? (size_t)(figure - record->figures->rows) : SIZE_MAX;
    if (row >= record->figure_count || !record->known[row])
        return false;
    *ret = row;
    return true;
}

/** Want figure @p name. @return false with *error when a side does not have it. */
static bool want(struct wanted *wanted, const char *name, size_t *ret_row, struct sim_located_error *error) {
    const struct sim_record *sides[] = {wanted->a, wanted->b};
    size_t row;
    for (size_t i = 0; i < 2; i++)
        if (!row_of(sides[i], name, &row)) {
            sim_error_set(error, "", 0, "",
                          "\"%.80s\" is no figure of %s; the nearest is \"%s\" (see fairlane metrics)", name,
                          sides[i]->where, sim_figures_nearest(sides[i]->figures, name));
            return false;
        }
    row_of(wanted->a, name, &row);
    wanted->rows[row] = true;
    if (ret_row)
        *ret_row = row;
    return true;
}

/** Want every figure that both sides have and @p pattern matches. @return how many. */
static size_t want_matching(struct wanted *wanted, const char *pattern) {
    size_t count = 0, other;
    for (size_t i = 0; i < wanted->a->figure_count; i++) {
        const char *name = wanted->a->figures->rows[i].name;
        if (fnmatch(pattern, name, 0) != 0 || !row_of(wanted->a, name, &other) || !row_of(wanted->b, name, &other))
            continue;
        wanted->rows[i] = true;
        count++;
    }
    return count;
}

static bool want_list(struct wanted *wanted, const char *names, struct sim_located_error *error) {
    char *copy = sim_strdup(names), *rest = copy, *name;
    bool good = true;
    while (good && (name = strsep(&rest, ","))) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        if (!*name)
            continue;
        if (!strpbrk(name, "*?["))
            good = want(wanted, name, NULL, error);
        else if (want_matching(wanted, name) == 0) {
            sim_error_set(error, "", 0, "", "--metrics: no figure of both sides matches \"%.80s\"", name);
            good = false;
        }
    }
    free(copy);
    return good;
}

static bool has_value(const struct sim_record *record, const char *name) {
    size_t row;
    if (!row_of(record, name, &row))
        return false;
    const struct sim_estimate *pooled = &record->pooled[row];
    return !isnan(pooled->value) || !isnan(pooled->beyond);
}

/** Figures that SLOs name, as far as both sides have them. */
static void want_slos(struct wanted *wanted, const struct sim_record *of) {
    for (size_t i = 0; i < of->slo_count; i++) {
        struct sim_slo slo;
        struct sim_located_error ignored = {0};
        if (sim_slo_parse(of->figures, of->slos[i], &slo, &ignored) && has_value(wanted->a, slo.figure->name) &&
            has_value(wanted->b, slo.figure->name))
            want(wanted, slo.figure->name, NULL, &ignored);
    }
}

static void want_short_choice(struct wanted *wanted) {
    struct sim_located_error ignored = {0};
    for (size_t i = 0; i < sizeof short_choice / sizeof *short_choice; i++)
        if (has_value(wanted->a, short_choice[i]) || has_value(wanted->b, short_choice[i]))
            want(wanted, short_choice[i], NULL, &ignored);
    want_slos(wanted, wanted->a);
    want_slos(wanted, wanted->b);
}

/* ---- rules ---- */

static const char *skip_blanks(const char *at) {
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/** What stands behind the number: "%", the figure's unit, or nothing. */
static bool read_unit(const char *at, const char *unit, bool *ret_relative) {
    size_t length = strlen(unit);
    at = skip_blanks(at);
    *ret_relative = *at == '%';
    if (*ret_relative)
        at++;
    else if (strncmp(at, unit, length) == 0)
        at += length;
    return !*skip_blanks(at);
}

static bool parse_rule(struct wanted *wanted, const char *text, struct sim_fail_on *ret,
                       struct sim_located_error *error) {
    const char *name = skip_blanks(text), *at = name + strcspn(name, " \t<>");
    char *end;
    *ret = (struct sim_fail_on){.text = text, .name = sim_alloc((size_t)(at - name) + 1)};
    memcpy(ret->name, name, (size_t)(at - name));
    ret->name[at - name] = '\0';
    at = skip_blanks(at);
    ret->rise = *at == '>';
    if (!*ret->name || (*at != '>' && *at != '<')) {
        sim_error_set(error, "", 0, "",
                      "--fail-on: expected a figure, \"<\" or \">\", and a change, such as "
                      "\"critical.latency.p99 > +2%%\"; found \"%.100s\"",
                      text);
        return false;
    }
    if (!want(wanted, ret->name, &ret->row, error))
        return false;
    at = skip_blanks(at + 1);
    double change = strtod(at, &end);
    const char *unit = wanted->a->figures->rows[ret->row].unit;
    if (end == at || !isfinite(change) || !read_unit(end, unit, &ret->relative)) {
        sim_error_set(error, "", 0, "",
                      "--fail-on: expected a change such as +2%% or +0.1%s%s in \"%.100s\", found \"%.40s\"",
                      strcmp(unit, "1") != 0 ? " " : "", strcmp(unit, "1") != 0 ? unit : "", text, at);
        return false;
    }
    if (ret->rise ? change < 0 : change > 0) {
        sim_error_set(error, "", 0, "", "--fail-on: \"%.100s\": a rise is \"> +2%%\", a fall is \"< -2%%\"", text);
        return false;
    }
    ret->threshold = fabs(change) / (ret->relative ? 100 : 1);
    return true;
}

/* ---- differences ---- */

static enum sim_change change_of(const struct sim_comparison_row *row) {
    const struct sim_paired *paired = &row->paired;
    bool no_a = isnan(paired->a), no_b = isnan(paired->b);
    if (no_a || no_b)
        return no_a && no_b ? SIM_CHANGE_UNKNOWN : SIM_CHANGE_LOST;
    if (paired->difference == 0 && paired->lo == 0 && paired->hi == 0)
        return SIM_CHANGE_NONE;
    if (isnan(paired->lo) && isnan(paired->hi))
        return SIM_CHANGE_UNKNOWN;
    if (row->p_holm <= 1 - level)
        return SIM_CHANGE_SURE;
    return paired->lo > 0 || paired->hi < 0 ? SIM_CHANGE_HINT : SIM_CHANGE_UNCLEAR;
}

static bool is_worse(const struct sim_comparison_row *row) {
    if (row->change == SIM_CHANGE_LOST)
        return isnan(row->paired.b);
    return row->figure->better == SIM_MORE ? row->paired.difference < 0 : row->paired.difference > 0;
}

static void fill_rows(struct sim_comparison *comparison, const struct wanted *wanted, size_t *row_of_figure) {
    for (size_t i = 0; i < wanted->a->figure_count; i++) {
        if (!wanted->rows[i])
            continue;
        const struct sim_figure *figure = &wanted->a->figures->rows[i];
        struct sim_comparison_row *row = &comparison->rows[comparison->row_count];
        size_t other;
        bool found = row_of(wanted->b, figure->name, &other);
        assert(found);
        struct sim_side a = sim_record_side(wanted->a, i), b = sim_record_side(wanted->b, other);
        row->figure = figure;
        row->paired = sim_paired_difference(figure->kind, figure->p, &a, &b, wanted->a->replications, level);
        row_of_figure[i] = comparison->row_count++;
    }
}

static void adjust(struct sim_comparison *comparison) {
    double *memory = sim_alloc(2 * comparison->row_count * sizeof *memory);
    double *p = memory, *adjusted = memory + comparison->row_count;
    for (size_t i = 0; i < comparison->row_count; i++)
        p[i] = comparison->rows[i].paired.p;
    sim_holm(p, comparison->row_count, adjusted);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct sim_comparison_row *row = &comparison->rows[i];
        row->p_holm = adjusted[i];
        row->change = change_of(row);
        row->worse = is_worse(row);
    }
    free(memory);
}

double sim_comparison_threshold(const struct sim_comparison *comparison, const struct sim_fail_on *rule) {
    return rule->threshold * (rule->relative ? fabs(comparison->rows[rule->row].paired.a) : 1);
}

static void judge(struct sim_comparison *comparison, const size_t *row_of_figure) {
    for (size_t i = 0; i < comparison->rule_count; i++) {
        struct sim_fail_on *rule = &comparison->rules[i];
        rule->row = row_of_figure[rule->row];
        rule->verdict = sim_paired_judge(&comparison->rows[rule->row].paired, rule->rise,
                                         sim_comparison_threshold(comparison, rule), &rule->why);
    }
}

/* ---- all of it ---- */

static bool choose(struct sim_comparison *comparison, struct wanted *wanted,
                   const struct sim_comparison_options *options, struct sim_located_error *error) {
    if (options->all)
        want_matching(wanted, "*");
    else if (!options->names)
        want_short_choice(wanted);
    else if (!want_list(wanted, options->names, error))
        return false;
    for (size_t i = 0; i < options->rule_count; i++) {
        comparison->rule_count++;
        if (!parse_rule(wanted, options->rules[i], &comparison->rules[i], error))
            return false;
    }
    return true;
}

struct sim_comparison *sim_comparison_create(const struct sim_record *a, const struct sim_record *b,
                                             const struct sim_comparison_options *options,
                                             struct sim_located_error *error) {
    struct sim_comparison *comparison = sim_calloc(1, sizeof *comparison);
    struct wanted wanted = {.a = a, .b = b, .rows = sim_calloc(a->figure_count, sizeof *wanted.rows)};
    size_t *row_of_figure = sim_calloc(a->figure_count, sizeof *row_of_figure);
    assert(a->replications == b->replications);
    *comparison = (struct sim_comparison){
        .a = a,
        .b = b,
        .rows = sim_calloc(a->figure_count, sizeof *comparison->rows),
        .rules = sim_calloc(options->rule_count, sizeof *comparison->rules),
    };
    if (choose(comparison, &wanted, options, error)) {
        fill_rows(comparison, &wanted, row_of_figure);
        adjust(comparison);
        judge(comparison, row_of_figure);
    } else {
        sim_comparison_destroy(comparison);
        comparison = NULL;
    }
    free(row_of_figure);
    free(wanted.rows);
    return comparison;
}

bool sim_comparison_check(const struct sim_record *a, const struct sim_record *b,
                          const struct sim_comparison_options *options, struct sim_located_error *error) {
    struct sim_comparison *comparison = sim_calloc(1, sizeof *comparison);
    struct wanted wanted = {.a = a, .b = b, .rows = sim_calloc(a->figure_count, sizeof *wanted.rows)};
    comparison->rules = sim_calloc(options->rule_count, sizeof *comparison->rules);
    bool good = choose(comparison, &wanted, options, error);
    sim_comparison_destroy(comparison);
    free(wanted.rows);
    return good;
}

void sim_comparison_destroy(struct sim_comparison *comparison) {
    if (!comparison)
        return;
    for (size_t i = 0; i < comparison->rule_count; i++)
        free(comparison->rules[i].name);
    free(comparison->rules);
    free(comparison->rows);
    free(comparison);
}
