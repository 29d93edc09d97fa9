/* The load sheet's sums and warnings. */
#include "load.h"

#include "draws.h"

#include "../memory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Draws of a class are shared out over its streams by rate, with a floor for the rare ones. */
enum { DRAWS = 10000, DRAWS_MIN = 100 };
/* An SLO on a p99 of fewer jobs than this rests on fewer than five over its limit. */
enum { JOBS_MIN = 500 };

/* The sheet in the making. */
struct making {
    const struct sim_scenario *scenario;
    struct sim_load *load;
    struct sim_load_draws *draws; /* by stream */
};

static enum sched_class class_of(const struct model_stream *stream) {
    return sched_classify(stream->origin, stream->sla_ns);
}

static bool is_batched(const struct sim_scenario *scenario, enum sched_class class_id) {
    return scenario->batches.on && class_id == SCHED_BATCH;
}

__attribute__((format(printf, 2, 3))) static void warn(struct making *making, const char *format, ...) {
    struct sim_load *load = making->load;
    load->warnings = sim_realloc(load->warnings, load->warning_count + 1, sizeof *load->warnings);
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&load->warnings[load->warning_count++], format, arguments);
    assert(length >= 0);
    va_end(arguments);
}

/* ---- draws ---- */

static void draw_streams(struct making *making) {
    const struct model_workload *workload = &making->scenario->workload;
    double duration_s = (double)making->scenario->duration_ns * 1e-9;
    double total = 0;
    for (uint32_t i = 0; i < workload->stream_count; i++)
        total += model_arrivals_mean_rate(&workload->streams[i].arrivals, duration_s);
    for (uint32_t i = 0; i < workload->stream_count; i++) {
        /* Tenants by the thousand share the draws; a rare class keeps enough for its own quantile. */
        size_t count = workload->stream_count <= 20 ? DRAWS : DRAWS_MIN;
        double rate = model_arrivals_mean_rate(&workload->streams[i].arrivals, duration_s);
        double share = total > 0 && isfinite(total) ? rate / total : 0;
        if (share * DRAWS > (double)count)
            count = (size_t)(share * DRAWS);
        sim_load_draws_init(&making->draws[i], making->scenario, i, count);
    }
}

/* ---- rows ---- */

static void add_load(struct sim_load_row *row, const struct sim_load_draws *draws) {
    row->jobs_per_min += 60 * draws->rate_per_s;
    row->input_per_min += 60 * draws->rate_per_s * draws->input;
    row->output_per_min += 60 * draws->rate_per_s * draws->output;
    row->workers += draws->rate_per_s * draws->service;
}

static void set_shares(struct sim_load_row *row, const struct sim_scenario *scenario) {
    const struct model_class_regime *regime = &scenario->endpoint.regimes[0].classes[row->model];
    const double asked[MODEL_BUCKETS] = {row->jobs_per_min, row->input_per_min, row->output_per_min};
    for (size_t i = 0; i < MODEL_BUCKETS; i++)
        row->share[i] = regime->per_minute[i] > 0 && !row->batched ? asked[i] / (double)regime->per_minute[i] : NAN;
    if (row->batched)
        row->workers = 0;
}

/* The row that stream `i` belongs to: streams come tenant by tenant, so it is among those of its tenant, which are
 * last. */
static struct sim_load_row *row_for(struct making *making, const struct model_stream *stream) {
    struct sim_load *load = making->load;
    enum sched_class class_id = class_of(stream);
    for (size_t i = load->row_count; i > 0 && load->rows[i - 1].tenant == stream->tenant; i--)
        if (load->rows[i - 1].class_id == class_id && load->rows[i - 1].model == stream->model)
            return &load->rows[i - 1];
    struct sim_load_row *row = &load->rows[load->row_count++];
    *row = (struct sim_load_row){.tenant = stream->tenant,
                                 .class_id = class_id,
                                 .model = stream->model,
                                 .batched = is_batched(making->scenario, class_id)};
    return row;
}

static void sum_rows(struct making *making) {
    const struct sim_scenario *scenario = making->scenario;
    struct sim_load *load = making->load;
    double service_s[SCHED_CLASSES] = {0};
    for (uint32_t i = 0; i < scenario->workload.stream_count; i++) {
        const struct model_stream *stream = &scenario->workload.streams[i];
        enum sched_class class_id = class_of(stream);
        add_load(row_for(making, stream), &making->draws[i]);
        if (!is_batched(scenario, class_id))
            add_load(&load->totals[stream->model], &making->draws[i]);
        load->class_jobs_per_min[class_id] += 60 * making->draws[i].rate_per_s;
        service_s[class_id] += 60 * making->draws[i].rate_per_s * making->draws[i].service;
        load->largest_tokens = fmax(load->largest_tokens, making->draws[i].largest);
    }
    for (size_t i = 0; i < load->row_count; i++)
        set_shares(&load->rows[i], scenario);
    for (size_t i = 0; i < load->total_count; i++) {
        load->totals[i].model = (uint32_t)i;
        set_shares(&load->totals[i], scenario);
        load->workers_share += load->totals[i].workers / scenario->workers;
    }
    for (size_t i = 0; i < SCHED_CLASSES; i++)
        load->class_service_s[i] = load->class_jobs_per_min[i] > 0 ? service_s[i] / load->class_jobs_per_min[i] : NAN;
}

static void size_quantum(struct making *making) {
    const struct sim_scenario *scenario = making->scenario;
    double unit = (double)scenario->scheduler.tenants.cost_unit_tokens;
    double lightest = INFINITY;
    for (uint32_t i = 0; i < scenario->workload.tenant_count; i++)
        lightest = fmin(lightest, scenario->workload.tenants[i].weight);
    making->load->quantum_tokens = scenario->scheduler.tenants.quantum * unit;
    making->load->quantum_min_tokens = making->load->quantum_tokens * lightest;
}

/* ---- SLOs ---- */

/* Is stream number `i` in the sample's group (outcome.h)? Idle systems demote nobody: effective = requested class. */
static bool in_group(const struct making *making, uint32_t i, size_t group) {
    const struct model_stream *stream = &making->scenario->workload.streams[i];
    if (group >= SIM_GROUP_TENANTS)
        return stream->tenant == group - SIM_GROUP_TENANTS;
    size_t class_id = group % SIM_GROUP_REQUESTED;
    return class_id == SIM_GROUP_ALL || class_of(stream) == (enum sched_class)class_id;
}

struct weighted {
    double value, weight;
};

static int by_value(const void *a, const void *b) {
    double x = ((const struct weighted *)a)->value, y = ((const struct weighted *)b)->value;
    return (x > y) - (x < y);
}

/* The idle system's service times of one group, weighted by rate, sorted; malloc'ed. None when some of its jobs go to
 * Message Batches, whose time is no service time. */
static struct weighted *idle_times(const struct making *making, size_t group, size_t *ret_count) {
    size_t count = 0;
    for (uint32_t i = 0; i < making->scenario->workload.stream_count; i++)
        count += making->draws[i].count;
    struct weighted *times = sim_calloc(count, sizeof *times);
    *ret_count = 0;
    for (uint32_t i = 0; i < making->scenario->workload.stream_count; i++) {
        const struct sim_load_draws *draws = &making->draws[i];
        if (!in_group(making, i, group))
            continue;
        if (is_batched(making->scenario, class_of(&making->scenario->workload.streams[i]))) {
            *ret_count = 0;
            break;
        }
        for (size_t k = 0; k < draws->count; k++)
            times[(*ret_count)++] = (struct weighted){draws->service_s[k], draws->rate_per_s / (double)draws->count};
    }
    qsort(times, *ret_count, sizeof *times, by_value);
    return times;
}

static double weighted_quantile(const struct weighted *times, size_t count, double p) {
    double total = 0, below = 0;
    for (size_t i = 0; i < count; i++)
        total += times[i].weight;
    for (size_t i = 0; i < count; i++) {
        below += times[i].weight;
        if (below >= p * total * (1 - 1e-12))
            return times[i].value;
    }
    return count ? times[count - 1].value : NAN;
}

static void weigh_idle(struct making *making, const struct sim_slo *slo, struct sim_load_slo *ret) {
    size_t count;
    struct weighted *times = idle_times(making, slo->figure->sample / 2, &count);
    double total = 0, sum = 0, over = 0;
    for (size_t i = 0; i < count; i++) {
        total += times[i].weight;
        sum += times[i].weight * times[i].value;
        over += times[i].value > slo->limit ? times[i].weight : 0;
    }
    if (slo->figure->kind == SIM_FIGURE_QUANTILE && total > 0) {
        ret->idle = weighted_quantile(times, count, slo->figure->p);
        ret->over = over / total;
    } else if (slo->figure->kind == SIM_FIGURE_SAMPLE_MEAN && total > 0) {
        ret->idle = sum / total;
    }
    free(times);
}

static bool is_of_sample(const struct sim_figure *figure) {
    return figure->kind == SIM_FIGURE_QUANTILE || figure->kind == SIM_FIGURE_SAMPLE_MEAN ||
           figure->kind == SIM_FIGURE_SAMPLE_MAX;
}

static struct sim_load_slo weigh_slo(struct making *making, const struct sim_slo *slo) {
    struct sim_load_slo result = {NAN, NAN, NAN};
    const struct sim_scenario *scenario = making->scenario;
    if (!is_of_sample(slo->figure))
        return result;
    result.jobs = 0;
    double span_s = (double)(scenario->duration_ns - scenario->warmup_ns) * 1e-9;
    for (uint32_t i = 0; i < scenario->workload.stream_count; i++)
        if (in_group(making, i, slo->figure->sample / 2))
            result.jobs += making->draws[i].rate_per_s * span_s * scenario->replications;
    if (slo->figure->sample % 2 == SIM_LATENCY)
        weigh_idle(making, slo, &result);
    return result;
}

static void warn_of_slo(struct making *making, const struct sim_slo *slo, const struct sim_load_slo *idle) {
    if (!is_of_sample(slo->figure))
        return;
    double drain_s = (double)making->scenario->drain_ns * 1e-9;
    if (!slo->at_least && drain_s < slo->limit)
        warn(making, "drain_s is %g, shorter than the limit of \"%s\": a job that is still open then counts as over it",
             drain_s, slo->text);
    if (idle->jobs == 0)
        warn(making, "no stream sends jobs for \"%s\": it is judged on demoted ones, if any", slo->text);
    else if (idle->jobs < JOBS_MIN)
        warn(making, "\"%s\" expects only %.0f jobs over all replications; below %d its verdict is hardly ever clear",
             slo->text, idle->jobs, JOBS_MIN);
    if (!slo->at_least && isfinite(idle->idle) && idle->idle > slo->limit)
        warn(making, "no scheduler can meet \"%s\": an idle system gives %.3g s", slo->text, idle->idle);
}

/* ---- warnings ---- */

static void warn_of_limits(struct making *making) {
    static const char *const what[] = {"requests", "input tokens", "output tokens"};
    const struct model_endpoint_config *endpoint = &making->scenario->endpoint;
    for (size_t i = 0; i < making->load->total_count; i++) {
        const struct sim_load_row *total = &making->load->totals[i];
        const double asked[MODEL_BUCKETS] = {total->jobs_per_min, total->input_per_min, total->output_per_min};
        for (size_t k = 0; k < MODEL_BUCKETS; k++)
            if (total->share[k] > 1)
                warn(making, "%s%stenants ask for %.0f %s a minute, %.0f %% of the limit of %lld: the backlog grows",
                     i ? endpoint->class_names[i] : "", i ? ": " : "", asked[k], what[k], 100 * total->share[k],
                     (long long)endpoint->regimes[0].classes[i].per_minute[k]);
    }
    if (making->load->workers_share > 1)
        warn(making, "jobs need %.3g workers, %.0f %% of the %u there are: the backlog grows",
             making->load->workers_share * making->scenario->workers, 100 * making->load->workers_share,
             making->scenario->workers);
}

static void allocate(struct making *making, size_t slo_count) {
    const struct sim_scenario *scenario = making->scenario;
    struct sim_load *load = sim_calloc(1, sizeof *load);
    load->total_count = scenario->endpoint.class_count;
    load->slo_count = slo_count;
    load->rows = sim_calloc(scenario->workload.stream_count, sizeof *load->rows);
    load->totals = sim_calloc(load->total_count, sizeof *load->totals);
    load->slos = sim_calloc(slo_count, sizeof *load->slos);
    making->load = load;
    making->draws = sim_calloc(scenario->workload.stream_count, sizeof *making->draws);
}

struct sim_load *sim_load_create(const struct sim_scenario *scenario, const struct sim_slo *slos, size_t slo_count) {
    struct making making = {.scenario = scenario};
    allocate(&making, slo_count);
    draw_streams(&making);
    sum_rows(&making);
    size_quantum(&making);
    warn_of_limits(&making);
    for (size_t i = 0; i < slo_count; i++) {
        making.load->slos[i] = weigh_slo(&making, &slos[i]);
        warn_of_slo(&making, &slos[i], &making.load->slos[i]);
    }
    for (uint32_t i = 0; i < scenario->workload.stream_count; i++)
        sim_load_draws_finish(&making.draws[i]);
    free(making.draws);
    return making.load;
}

void sim_load_destroy(struct sim_load *load) {
    if (!load)
        return;
    for (size_t i = 0; i < load->warning_count; i++)
        free(load->warnings[i]);
    free(load->warnings);
    free(load->rows);
    free(load->totals);
    free(load->slos);
    free(load);
}
