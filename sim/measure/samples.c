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
        .tenants = sim_calloc(tenant_count, sizeof samples->tenants[0]),
        .tenant_count = tenant_count,
        .rules = sim_calloc(slo_count, sizeof samples->rules[0]),
        .over = sim_calloc(slo_count, sizeof samples->over[0]),
        .rule_count = slo_count,
    };
    for (size_t i = 0; i < slo_count; i++)
        samples->rules[i] = rule_of(&slos[i]);
}

static void finish_cell(struct sim_cell *cell) {
    sim_histogram_finish(&cell->times[SIM_LATENCY].finite);
    sim_histogram_finish(&cell->times[SIM_WAIT].finite);
}

void sim_samples_finish(struct sim_samples *samples) {
    for (int e = 0; e < SCHED_CLASSES; e++)
        for (int r = 0; r < SCHED_CLASSES; r++)
            finish_cell(&samples->classes[e][r]);
    for (uint32_t t = 0; t < samples->tenant_count; t++)
        finish_cell(&samples->tenants[t]);
    free(samples->tenants);
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
    struct sim_cell *cells[2] = {&samples->classes[sched->class_id][sched->requested],
                                 &samples->tenants[sched->tenant]};

    for (int i = 0; i < 2; i++) {
        cells[i]->ended[ending]++;
        record(cells[i], SIM_LATENCY, lasted[SIM_LATENCY]);
        record(cells[i], SIM_WAIT, lasted[SIM_WAIT]);
    }
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

    for (uint32_t t = 0; t < samples->tenant_count; t++)
        for (int e = 0; e < 4; e++)
            count += samples->tenants[t].ended[e];
    return count;
}

static struct sim_sample freeze(const struct sim_recording *recording) {
    struct sim_sample sample = sim_sample_from(&recording->finite);

    sample.beyond = recording->beyond;
    sample.beyond_min_ns = recording->beyond > 0 ? recording->beyond_min_ns : INT64_MAX;
    return sample;
}

/** Does group @p group (below SIM_GROUP_TENANTS) hold jobs of this pair of classes? */
static bool covers(int group, int effective, int requested) {
    int class_id = group % SIM_GROUP_REQUESTED;

    if (class_id == SIM_GROUP_ALL)
        return true;
    return class_id == (group < SIM_GROUP_REQUESTED ? effective : requested);
}

static void report_samples(const struct sim_samples *samples, enum sim_time time, struct sim_outcome *outcome) {
    struct sim_sample cells[SCHED_CLASSES][SCHED_CLASSES];

    for (int e = 0; e < SCHED_CLASSES; e++)
        for (int r = 0; r < SCHED_CLASSES; r++)
            cells[e][r] = freeze(&samples->classes[e][r].times[time]);
    for (int group = 0; group < SIM_GROUP_TENANTS; group++) {
        const struct sim_sample *parts[SCHED_CLASSES * SCHED_CLASSES];
        size_t count = 0;

        for (int e = 0; e < SCHED_CLASSES; e++)
            for (int r = 0; r < SCHED_CLASSES; r++)
                if (covers(group, e, r))
                    parts[count++] = &cells[e][r];
        outcome->samples[2 * group + (int)time] = sim_sample_merge(parts, count);
    }
    for (int e = 0; e < SCHED_CLASSES; e++)
        for (int r = 0; r < SCHED_CLASSES; r++)
            sim_sample_finish(&cells[e][r]);
    for (uint32_t t = 0; t < samples->tenant_count; t++)
        outcome->samples[2 * (SIM_GROUP_TENANTS + (size_t)t) + time] = freeze(&samples->tenants[t].times[time]);
}

/** Slots of a set's five counts: arrived is the sum of the four endings. */
static void report_counts(const struct sim_cell *cell, double *arrived, double *ended, size_t stride) {
    for (size_t e = 0; e < 4; e++) {
        ended[e * stride] += (double)cell->ended[e];
        *arrived += (double)cell->ended[e];
    }
}

void sim_samples_report(const struct sim_samples *samples, struct sim_outcome *outcome) {
    double *value = outcome->value;

    report_samples(samples, SIM_LATENCY, outcome);
    report_samples(samples, SIM_WAIT, outcome);
    for (size_t slot = SIM_ARRIVED; slot < SIM_UNSERVED_MAX; slot++)
        value[slot] = 0;
    for (int group = 0; group < SIM_GROUP_TENANTS; group++) {
        bool requested = group >= SIM_GROUP_REQUESTED;
        int class_id = group % SIM_GROUP_REQUESTED;

        for (int e = 0; e < SCHED_CLASSES; e++)
            for (int r = 0; r < SCHED_CLASSES; r++)
                if (covers(group, e, r))
                    report_counts(&samples->classes[e][r],
                                  &value[(requested ? SIM_REQUESTED_ARRIVED : SIM_ARRIVED) + class_id],
                                  &value[(requested ? SIM_REQUESTED_COMPLETED : SIM_COMPLETED) + class_id], 4);
    }
    for (uint32_t t = 0; t < samples->tenant_count; t++) {
        double *tenant = value + SIM_SCALARS + (size_t)t * SIM_TENANT_SCALARS;

        for (int s = SIM_TENANT_ARRIVED; s <= SIM_TENANT_CENSORED; s++)
            tenant[s] = 0;
        report_counts(&samples->tenants[t], &tenant[SIM_TENANT_ARRIVED], &tenant[SIM_TENANT_COMPLETED], 1);
    }
    for (size_t i = 0; i < samples->rule_count; i++)
        outcome->over[i] = samples->over[i];
}
