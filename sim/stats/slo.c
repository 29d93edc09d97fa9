/** SLOs: reading and judging them. */
#include "estimate.h"

#include "../memory.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *text) {
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/** Comparison in @p text: the last one, as a tenant's id may hold anything. NULL: none. */
static const char *operator_in(const char *text) {
    for (const char *at = text + strlen(text); at-- > text;)
        if (*at == '<' || *at == '>')
            return at;
    return NULL;
}

/** A plain decimal number and nothing else: strtod() alone would take "inf", "nan" and hexadecimal. */
static bool read_number(const char *text, double *ret) {
    const char *begin = skip_space(text);
    size_t length = strspn(begin, "+-.0123456789eE");
    char *end;
    double number = strtod(begin, &end);
    if (end == begin || end != begin + length || *skip_space(end) != '\0' || !isfinite(number))
        return false;
    *ret = number;
    return true;
}

bool sim_slo_parse(const struct sim_figures *figures, const char *text, struct sim_slo *ret,
                   struct sim_located_error *error) {
    const char *comparison = operator_in(text);
    if (comparison == NULL || comparison[1] != '=') {
        sim_error_set(error, "", 0, "", "expected FIGURE <= NUMBER or FIGURE >= NUMBER, got \"%s\"", text);
        return false;
    }
    struct sim_slo slo = {.at_least = *comparison == '>', .text = text};
    if (!read_number(comparison + 2, &slo.limit)) {
        sim_error_set(error, "", 0, "", "expected a finite decimal number after %.2s, got \"%s\"", comparison,
                      skip_space(comparison + 2));
        return false;
    }
    const char *begin = skip_space(text);
    const char *end = comparison;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    char *name = sim_strdup(begin);
    name[end - begin] = '\0';
    slo.figure = sim_figures_find(figures, name);
    if (slo.figure == NULL)
        sim_error_set(error, "", 0, "", "expected the name of a figure before %.2s, got \"%s\"; nearest: \"%s\"",
                      comparison, name, sim_figures_nearest(figures, name));
    free(name);
    if (slo.figure == NULL)
        return false;
    *ret = slo;
    return true;
}

const struct sim_figure *sim_precision_figure(const struct sim_figures *figures, const struct sim_precision *precision,
                                              struct sim_located_error *error) {
    const struct sim_figure *figure = sim_figures_find(figures, precision->metric);

    if (!figure) {
        sim_error_set(error, "", 0, "", "expected the name of a figure, found \"%s\"; nearest: \"%s\"",
                      precision->metric, sim_figures_nearest(figures, precision->metric));
        return NULL;
    }
    if (figure->kind == SIM_FIGURE_MAX || figure->kind == SIM_FIGURE_SAMPLE_MAX) {
        sim_error_set(error, "", 0, "",
                      "expected a figure with an interval, found \"%s\", a largest value, which grows with every "
                      "replication",
                      precision->metric);
        return NULL;
    }
    return figure;
}

struct sim_slo *sim_slos_create(const struct sim_figures *figures, const struct sim_scenario *scenario) {
    struct sim_slo *slos = sim_calloc(scenario->slo_count, sizeof *slos);
    for (size_t i = 0; i < scenario->slo_count; i++) {
        bool parsed = sim_slo_parse(figures, scenario->slo[i], &slos[i], NULL);
        assert(parsed);
    }
    return slos;
}

static void decide(struct sim_slo_result *result, enum sim_verdict verdict, const char *why) {
    result->verdict = verdict;
    result->why = why;
}

/** Pass when all of [lo, hi] keeps to the limit, fail when none of it does. */
static void judge_interval(struct sim_slo_result *result, double lo, double hi, bool at_least, double limit) {
    if (isnan(lo) || isnan(hi))
        decide(result, SIM_INCONCLUSIVE, "fewer than two replications have a value, so there is no interval");
    else if (at_least ? lo >= limit : hi <= limit)
        decide(result, SIM_PASS, NULL);
    else if (at_least ? hi < limit : lo > limit)
        decide(result, SIM_FAIL, NULL);
    else
        decide(result, SIM_INCONCLUSIVE,
               "the limit lies within the interval: more replications or a longer run would tell");
}

static struct sim_estimate exceedance(const struct sim_figure *figure, size_t index,
                                      const struct sim_outcome *const *outcomes, size_t count, double level) {
    uint64_t *over = sim_calloc(2 * count, sizeof *over);
    uint64_t *jobs = over + count;
    for (size_t r = 0; r < count; r++) {
        const struct sim_sample *sample = &outcomes[r]->samples[figure->sample];
        over[r] = outcomes[r]->over[index];
        jobs[r] = sim_sample_jobs(sample, !figure->served);
    }
    struct sim_estimate estimate = sim_estimate_exceedance(over, jobs, count, level);
    free(over);
    return estimate;
}

/** "p99 <= L" holds when at most 1 % of the jobs take longer than L; "p99 >= L" when more do. */
static void judge_quantile(struct sim_slo_result *result, bool at_least) {
    double lo = result->exceedance.lo, hi = result->exceedance.hi;
    if (isnan(lo) || isnan(hi))
        decide(result, SIM_INCONCLUSIVE, "fewer than two replications have such jobs, so there is no interval");
    else if (hi <= result->allowed)
        decide(result, at_least ? SIM_FAIL : SIM_PASS, NULL);
    else if (lo > result->allowed)
        decide(result, at_least ? SIM_PASS : SIM_FAIL, NULL);
    else
        decide(result, SIM_INCONCLUSIVE,
               "the share of jobs over the limit is too near the allowed share: more replications or a longer run "
               "would tell");
}

struct sim_slo_result sim_slo_judge(const struct sim_slo *slo, size_t index, size_t slo_count,
                                    const struct sim_outcome *const *outcomes, size_t count) {
    const double reported_level = .95, error_rate = .05;
    const struct sim_estimate none = {NAN, NAN, NAN, NAN};
    const struct sim_figure *figure = slo->figure;
    bool quantile = figure->kind == SIM_FIGURE_QUANTILE;
    struct sim_slo_result result = {.figure = sim_estimate_figure(figure, outcomes, count, reported_level),
                                    .exceedance = none,
                                    .allowed = quantile ? 1 - figure->p : NAN,
                                    .level = 1 - error_rate / (double)slo_count};
    if (quantile)
        result.exceedance = exceedance(figure, index, outcomes, count, result.level);
    double value = result.figure.value;
    if (count < 2)
        decide(&result, SIM_INCONCLUSIVE, "one replication says nothing about the next");
    else if (isnan(value) && !isnan(result.figure.beyond))
        decide(&result, SIM_FAIL, NULL); // it lies among jobs that never completed
    else if (isnan(value))
        decide(&result, SIM_INCONCLUSIVE, "the figure does not exist in this run: no such jobs");
    else if (quantile)
        judge_quantile(&result, slo->at_least);
    else if (figure->kind == SIM_FIGURE_MAX || figure->kind == SIM_FIGURE_SAMPLE_MAX)
        judge_interval(&result, value, value, slo->at_least, slo->limit);
    else {
        struct sim_estimate adjusted = sim_estimate_figure(figure, outcomes, count, result.level);
        judge_interval(&result, adjusted.lo, adjusted.hi, slo->at_least, slo->limit);
    }
    return result;
}
