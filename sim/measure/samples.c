#include "samples.h"

#include "../memory.h"

#include <stdlib.h>

static struct sim_over_rule rule_of(const struct sim_slo *slo) {
    if (slo->figure->kind != SIM_FIGURE_QUANTILE)
        return (struct sim_over_rule){.group = SIZE_MAX};
    return (struct sim_over_rule){
        .group = slo->figure->sample / 2,
        .time = slo->figure->sample % 2 == 0 ? SIM_LATENCY : SIM_WAIT,
        .limit_ns = slo->limit * 1e9,
        .served = slo->figure->served,
    };
}

void sim_samples_init(struct sim_samples *samples, uint32_t tenant_count, const struct sim_slo *slos,
                      size_t slo_count) {
    *samples = (struct sim_samples){
        .cells = sim_calloc(tenant_count, sizeof samples->cells[0]),
        .tenant_count = tenant_count,
        .rules = sim_calloc(slo_count, sizeof samples->rules[0]),
        .over = sim_calloc(slo_count, sizeof samples->over[0]),
        .rule_count = slo_count,
    };
    for (size_t i = 0; i < slo_count; i++)
        samples->rules[i] = rule_of(&slos[i]);
}

/** All cells as one array, and how many there are. */
static struct sim_cell *flat(const struct sim_samples *samples) {
    return &samples->cells[0][0][0];
}

static size_t cell_count(const struct sim_samples *samples) {
    return (size_t)samples->tenant_count * SCHED_CLASSES * SCHED_CLASSES;
}

void sim_samples_finish(struct sim_samples *samples) {
    for (size_t i = 0; i < cell_count(samples); i++)
        for (int time = SIM_LATENCY; time <= SIM_WAIT; time++)
            sim_histogram_finish(&flat(samples)[i].times[time].finite);
    free(samples->cells);
    free(samples->rules);
    free(samples->over);
    *samples = (struct sim_samples){0};
}

/** A job's times; `finite` false: longer than every finite one, at least `ns`. */
struct lasted {
    int64_t ns;
    bool finite;
};

static void record(struct sim_cell *cell, enum sim_time time, struct lasted lasted) {
    struct sim_recording *recording = &cell->times[time];

    if (lasted.finite) {
        sim_histogram_record(&recording->finite, lasted.ns);
        return;
    }
    if (recording->beyond == 0 || lasted.ns < recording->beyond_min_ns)
        recording->beyond_min_ns = lasted.ns;
    recording->beyond++;
}

static bool in_group(const struct sim_job *job, size_t group) {
    if (group >= SIM_GROUP_TENANTS)
        return job->sched.tenant == group - SIM_GROUP_TENANTS;
    if (group == SIM_GROUP_ALL || group == SIM_GROUP_REQUESTED + SIM_GROUP_ALL)
        return true;
    return group < SIM_GROUP_ALL ? job->sched.class_id == group : job->sched.requested == group - SIM_GROUP_REQUESTED;
}

void sim_samples_ended(struct sim_samples *samples, const struct sim_job *job, enum sim_ending ending, int64_t end_ns) {
    const struct sched_job *sched = &job->sched;
    bool dispatched = sched->first_dispatch_ns >= 0;
    struct lasted lasted[2] = {
        [SIM_LATENCY] = {end_ns - sched->enqueued_ns, ending == SIM_ENDED_COMPLETED},
        [SIM_WAIT] = {(dispatched ? sched->first_dispatch_ns : end_ns) - sched->enqueued_ns, dispatched},
    };
    struct sim_cell *cell = &samples->cells[sched->tenant][sched->class_id][sched->requested];

    cell->ended[ending]++;
    record(cell, SIM_LATENCY, lasted[SIM_LATENCY]);
    record(cell, SIM_WAIT, lasted[SIM_WAIT]);
    for (size_t i = 0; i < samples->rule_count; i++) {
        const struct sim_over_rule *rule = &samples->rules[i];

        if (rule->group == SIZE_MAX || !in_group(job, rule->group) || (rule->served && ending != SIM_ENDED_COMPLETED))
            continue;
        if (!lasted[rule->time].finite || (double)lasted[rule->time].ns > rule->limit_ns)
            samples->over[i]++;
    }
}

uint64_t sim_samples_count(const struct sim_samples *samples) {
    uint64_t count = 0;

    for (size_t i = 0; i < cell_count(samples); i++)
        for (int e = 0; e < 4; e++)
            count += flat(samples)[i].ended[e];
    return count;
}

static struct sim_sample freeze(const struct sim_recording *recording) {
    struct sim_sample sample = sim_sample_from(&recording->finite);

    sample.beyond = recording->beyond;
    sample.beyond_min_ns = recording->beyond > 0 ? recording->beyond_min_ns : INT64_MAX;
    return sample;
}

/** Does group @p group hold the jobs of cell number @p index? */
static bool covers(size_t group, size_t index) {
    size_t tenant = index / (SCHED_CLASSES * SCHED_CLASSES);
    size_t effective = index / SCHED_CLASSES % SCHED_CLASSES;
    size_t requested = index % SCHED_CLASSES;
    size_t class_id = group % SIM_GROUP_REQUESTED;

    if (group >= SIM_GROUP_TENANTS)
        return tenant == group - SIM_GROUP_TENANTS;
    if (class_id == SIM_GROUP_ALL)
        return true;
    return class_id == (group < SIM_GROUP_REQUESTED ? effective : requested);
}

/** Cells [*ret_first, *ret_end) hold all of @p group's jobs: a tenant's stand together. */
static void span(const struct sim_samples *samples, size_t group, size_t *ret_first, size_t *ret_end) {
    *ret_first = 0;
    *ret_end = cell_count(samples);
    if (group >= SIM_GROUP_TENANTS) {
        *ret_first = (group - SIM_GROUP_TENANTS) * SCHED_CLASSES * SCHED_CLASSES;
        *ret_end = *ret_first + SCHED_CLASSES * SCHED_CLASSES;
    }
}

static void report_samples(const struct sim_samples *samples, enum sim_time time, struct sim_outcome *outcome) {
    size_t count = cell_count(samples);
    struct sim_sample *frozen = sim_calloc(count, sizeof frozen[0]);
    const struct sim_sample **parts = sim_calloc(count, sizeof parts[0]);

    for (size_t i = 0; i < count; i++)
        frozen[i] = freeze(&flat(samples)[i].times[time]);
    for (size_t group = 0; group < SIM_GROUP_TENANTS + (size_t)samples->tenant_count; group++) {
        size_t first, end;
        size_t part_count = 0;

        span(samples, group, &first, &end);
        for (size_t i = first; i < end; i++)
            if (frozen[i].count + frozen[i].beyond > 0 && covers(group, i))
                parts[part_count++] = &frozen[i];
        outcome->samples[2 * group + time] = sim_sample_merge(parts, part_count);
    }
    for (size_t i = 0; i < count; i++)
        sim_sample_finish(&frozen[i]);
    free(frozen);
    free(parts);
}

/** Add a cell's endings to a set's five counts; `arrived` is the sum of the other four. */
static void add_counts(const struct sim_cell *cell, double *arrived, double *ended, size_t stride) {
    for (size_t e = 0; e < 4; e++) {
        ended[e * stride] += (double)cell->ended[e];
        *arrived += (double)cell->ended[e];
    }
}

static void report_counts(const struct sim_samples *samples, struct sim_outcome *outcome) {
    double *value = outcome->value;

    for (size_t i = 0; i < cell_count(samples); i++) {
        const struct sim_cell *cell = &flat(samples)[i];
        double *tenant = value + SIM_SCALARS + i / (SCHED_CLASSES * SCHED_CLASSES) * SIM_TENANT_SCALARS;

        for (size_t group = 0; group < SIM_GROUP_REQUESTED; group++) {
            if (covers(group, i))
                add_counts(cell, &value[SIM_ARRIVED + group], &value[SIM_COMPLETED + group], 4);
            if (covers(group + SIM_GROUP_REQUESTED, i))
                add_counts(cell, &value[SIM_REQUESTED_ARRIVED + group], &value[SIM_REQUESTED_COMPLETED + group], 4);
        }
        add_counts(cell, &tenant[SIM_TENANT_ARRIVED], &tenant[SIM_TENANT_COMPLETED], 1);
    }
}

void sim_samples_report(const struct sim_samples *samples, struct sim_outcome *outcome) {
    report_samples(samples, SIM_LATENCY, outcome);
    report_samples(samples, SIM_WAIT, outcome);
    report_counts(samples, outcome);
    for (size_t i = 0; i < samples->rule_count; i++)
        outcome->over[i] = samples->over[i];
}
