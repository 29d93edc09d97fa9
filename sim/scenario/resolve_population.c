/* Populations: many tenants of unlike rate. */
#include "resolve.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Below this a process has no job in any run; it keeps 1 / rate finite. */
#define RATE_LEAST 1e-12

/** Long-run mean rate of a process that has one; NAN for the others. */
static double mean_rate(const struct model_arrivals_config *arrivals) {
    double sum = 0;
    switch (arrivals->kind) {
    case MODEL_POISSON:
    case MODEL_GAMMA_RENEWAL:
    case MODEL_WEIBULL_RENEWAL:
    case MODEL_REGULAR:
        return arrivals->rate_per_s;
    case MODEL_ON_OFF:
        return (arrivals->on_rate_per_s * arrivals->mean_on_s + arrivals->off_rate_per_s * arrivals->mean_off_s) /
               (arrivals->mean_on_s + arrivals->mean_off_s);
    case MODEL_PROFILE:
        for (size_t i = 0; i < arrivals->profile_count; i++)
            sum += arrivals->profile_rate_per_s[i];
        return sum / (double)arrivals->profile_count;
    default:
        return (double)NAN;
    }
}

static double scaled(double rate, double factor) {
    return rate > 0 ? fmax(rate * factor, RATE_LEAST) : 0;
}

static void scale(struct sim_resolver *resolver, struct model_arrivals_config *arrivals, double factor) {
    arrivals->rate_per_s = scaled(arrivals->rate_per_s, factor);
    arrivals->on_rate_per_s = scaled(arrivals->on_rate_per_s, factor);
    arrivals->off_rate_per_s = scaled(arrivals->off_rate_per_s, factor);
    if (arrivals->kind != MODEL_PROFILE)
        return;
    double *rates = sim_memory_take(resolver->reader.memory, arrivals->profile_count, sizeof *rates);
    for (size_t i = 0; i < arrivals->profile_count; i++)
        rates[i] = scaled(arrivals->profile_rate_per_s[i], factor);
    arrivals->profile_rate_per_s = rates;
}

/** Each tenant's share of the population's rate; they sum to 1. */
static double *rate_shares(const struct sim_resolver *resolver, size_t index,
                           const struct sim_population_draft *draft) {
    struct model_streams draws = {.seed = resolver->scenario->seed};
    double *shares = sim_memory_take(resolver->reader.scratch, draft->n, sizeof *shares), sum = 0;
    for (uint32_t i = 0; i < draft->n; i++) {
        shares[i] = 1;
        if (draft->spread == SIM_SPREAD_ZIPF)
            shares[i] = pow(i + 1, -draft->spread_parameter);
        if (draft->spread == SIM_SPREAD_LOGNORMAL)
            shares[i] = exp(draft->spread_parameter *
                            gsl_cdf_ugaussian_Pinv(model_uniform(&draws, (uint32_t)index, i, MODEL_SPREAD, 0)));
        sum += shares[i];
    }
    for (uint32_t i = 0; i < draft->n; i++)
        shares[i] /= sum;
    return shares;
}

struct ticket {
    double u;
    uint32_t tenant;
};

static int by_draw(const void *left, const void *right) {
    const struct ticket *a = left, *b = right;
    if (a->u < b->u || a->u > b->u)
        return a->u < b->u ? -1 : 1;
    return (a->tenant > b->tenant) - (a->tenant < b->tenant);
}

/** Each tenant's plan. The numbers on each plan are the shares, rounded; the seed draws who is on which. */
static const char **draw_plans(const struct sim_resolver *resolver, size_t index,
                               const struct sim_population_draft *draft) {
    const char **plans = sim_memory_take(resolver->reader.scratch, draft->n, sizeof *plans);
    const struct sim_named_number *share = draft->plans.items;
    if (draft->plans.count == 0)
        return plans;
    struct model_streams draws = {.seed = resolver->scenario->seed};
    struct ticket *tickets = sim_memory_take(resolver->reader.scratch, draft->n, sizeof *tickets);
    for (uint32_t i = 0; i < draft->n; i++)
        tickets[i] = (struct ticket){.u = model_uniform(&draws, (uint32_t)index, i, MODEL_PLAN, 0), .tenant = i};
    qsort(tickets, draft->n, sizeof *tickets, by_draw);
    double reached = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < draft->plans.count; i++) {
        reached += share[i].number;
        double end = i + 1 == draft->plans.count ? draft->n : round(reached * draft->n);
        for (; next < draft->n && next < end; next++)
            plans[tickets[next].tenant] = share[i].name;
    }
    return plans;
}

static bool check_plans(const struct sim_resolver *resolver, const struct sim_place *place,
                        const struct sim_population_draft *draft) {
    struct sim_place plans = {.parent = place, .key = "plans"};
    const struct sim_named_number *share = draft->plans.items;
    double sum = 0, ignored;
    for (size_t i = 0; i < draft->plans.count; i++) {
        if (!sim_resolve_plan(resolver, &(struct sim_place){.parent = &plans, .key = share[i].name}, share[i].name,
                              &ignored))
            return false;
        sum += share[i].number;
    }
    return draft->plans.count == 0 || fabs(sum - 1) <= 1e-6 ||
           sim_layers_fail(resolver->reader.layers, &plans, "expected shares that sum to 1, found %.10g", sum);
}

/** Bring the population's streams to the mean rate of one tenant. */
static bool level_rates(struct sim_resolver *resolver, const struct sim_place *place,
                        const struct sim_population_draft *draft, struct model_stream *streams) {
    struct sim_place list = {.parent = place, .key = "streams"};
    bool shared = !isnan(draft->total_rate_per_s);
    double sum = 0;
    for (size_t i = 0; i < draft->streams.count; i++) {
        struct sim_place stream = {.parent = &list, .index = i}, arrivals = {.parent = &stream, .key = "arrivals"};
        struct model_arrivals_config *config = &streams[i].arrivals;
        if (config->kind <= MODEL_REGULAR && config->rate_per_s <= 0) {
            if (!shared)
                return sim_layers_fail(resolver->reader.layers, &arrivals,
                                       "the key \"rate_per_s\" is missing: expected it here, or total_rate_per_s for "
                                       "the population");
            config->rate_per_s = 1;
        }
        double rate = mean_rate(config);
        if (isnan(rate) && (shared || draft->spread != SIM_SPREAD_NONE))
            return sim_layers_fail(resolver->reader.layers, &arrivals,
                                   "expected a process with a rate, since the population has a spread or total rate");
        sum += rate;
    }
    for (size_t i = 0; shared && i < draft->streams.count; i++)
        scale(resolver, &streams[i].arrivals, draft->total_rate_per_s / draft->n / sum);
    return true;
}

bool sim_resolve_population(struct sim_workload_builder *builder, const struct sim_place *place, size_t index,
                            const struct sim_population_draft *draft) {
    struct sim_resolver *resolver = builder->resolver;
    struct sim_place list = {.parent = place, .key = "streams"};
    const struct sim_stream_draft *stream_draft = draft->streams.items;
    struct model_stream *streams = sim_memory_take(resolver->reader.scratch, draft->streams.count, sizeof *streams);
    for (size_t i = 0; i < draft->streams.count; i++) {
        struct sim_place stream = {.parent = &list, .index = i};
        if (stream_draft[i].trace_tenant != NULL && strcmp(stream_draft[i].trace_tenant, "*") == 0)
            return sim_layers_fail(resolver->reader.layers, &stream,
                                   "expected no trace with tenant \"*\" in a population");
        if (!sim_resolve_stream(resolver, &stream, &stream_draft[i], &streams[i]))
            return false;
    }
    if (!check_plans(resolver, place, draft) || !level_rates(resolver, place, draft, streams))
        return false;
    const double *shares = rate_shares(resolver, index, draft);
    const char **plans = draw_plans(resolver, index, draft);
    for (uint32_t i = 0; i < draft->n; i++) {
        const char *id = sim_memory_format(resolver->reader.memory, "%s-%u", draft->id, i + 1);
        if (!sim_workload_add_tenant(builder, place, id, plans[i], draft->daily_tokens))
            return false;
        for (size_t j = 0; j < draft->streams.count; j++) {
            struct model_stream stream = streams[j];
            scale(resolver, &stream.arrivals, shares[i] * draft->n);
            if (!sim_resolve_gap(resolver, place, &stream.arrivals) ||
                !sim_workload_add_stream(builder, place, &stream))
                return false;
        }
    }
    return true;
}
