#include "report.h"

#include <stdio.h>
#include <string.h>

enum { SLOTS = 60 };
#define SLOT_NS INT64_C(1000000000)

const double sched_report_bounds_s[SCHED_REPORT_BOUNDS] = {0.1, 0.25, 0.5, 1, 2, 4, 6, 10, 20, 30, 60, 120, 300, 600};

struct tenant_counts {
    uint64_t input_tokens;
    uint64_t open; /* jobs in the system */
    int64_t slot;  /* newest second seen */
    uint32_t throttles[SLOTS];
    int64_t served[SLOTS];
};

struct sched_report {
    const struct sched_config *config;
    uint64_t latency_buckets[SCHED_CLASSES][SCHED_REPORT_BOUNDS + 1];
    double latency_sum_s[SCHED_CLASSES];
    struct tenant_counts tenants[];
};

size_t sched_report_size(const struct sched_config *config) {
    return sizeof(struct sched_report) + config->tenant_count * sizeof(struct tenant_counts);
}

size_t sched_reading_size(const struct sched_config *config) {
    return sizeof(struct sched_reading) + config->tenant_count * sizeof(struct sched_tenant_reading);
}

struct sched_report *sched_report_init(void *block, const struct sched_config *config) {
    struct sched_report *report = block;

    memset(block, 0, sched_report_size(config));
    report->config = config;
    return report;
}

/** Slot of the second of @p now_ns, after clearing those that have left the window. */
static size_t slide(struct tenant_counts *tenant, int64_t now_ns) {
    int64_t slot = now_ns / SLOT_NS;
    int64_t from = slot - tenant->slot > SLOTS ? slot - SLOTS : tenant->slot;

    for (int64_t s = from + 1; s <= slot; s++) {
        tenant->throttles[s % SLOTS] = 0;
        tenant->served[s % SLOTS] = 0;
    }
    tenant->slot = slot;
    return (size_t)(slot % SLOTS);
}

void sched_report_arrived(struct sched_report *report, const struct sched_job *job) {
    report->tenants[job->tenant].open++;
}

void sched_report_throttled(struct sched_report *report, const struct sched_job *job, int64_t now_ns) {
    struct tenant_counts *tenant = &report->tenants[job->tenant];

    tenant->throttles[slide(tenant, now_ns)]++;
}

void sched_report_ended(struct sched_report *report, const struct sched_job *job, bool completed, int64_t now_ns) {
    struct tenant_counts *tenant = &report->tenants[job->tenant];
    double latency_s = (double)(now_ns - job->enqueued_ns) / 1e9;
    int bucket = 0;

    tenant->open--;
    if (!completed)
        return;
    tenant->input_tokens += (uint64_t)job->input_tokens;
    tenant->served[slide(tenant, now_ns)] += job->cost;
    while (bucket < SCHED_REPORT_BOUNDS && latency_s > sched_report_bounds_s[bucket])
        bucket++;
    report->latency_buckets[job->class_id][bucket]++;
    report->latency_sum_s[job->class_id] += latency_s;
}

void sched_report_read(struct sched_report *report, const struct sched_scheduler *scheduler, int64_t now_ns,
                       struct sched_reading *ret) {
    double sum = 0;
    double squares = 0;
    double count = 0;

    *ret = (struct sched_reading){.at_ns = now_ns};
    for (int c = 0; c < SCHED_CLASSES; c++)
        ret->queued[c] = scheduler->store.ops->queued(scheduler->store.context, (enum sched_class)c);
    memcpy(ret->latency_buckets, report->latency_buckets, sizeof ret->latency_buckets);
    memcpy(ret->latency_sum_s, report->latency_sum_s, sizeof ret->latency_sum_s);
    for (uint32_t t = 0; t < report->config->tenant_count; t++) {
        struct tenant_counts *tenant = &report->tenants[t];
        double served = 0;
        uint64_t throttles = 0;

        slide(tenant, now_ns);
        for (int s = 0; s < SLOTS; s++) {
            served += (double)tenant->served[s];
            throttles += tenant->throttles[s];
        }
        ret->tenants[t] = (struct sched_tenant_reading){.throttles = throttles, .input_tokens = tenant->input_tokens};
        ret->demoted += sched_demoted(scheduler, t);
        if (served > 0 || tenant->open > 0) {
            sum += served;
            squares += served * served;
            count++;
        }
    }
    ret->fairness = squares > 0 ? sum * sum / (count * squares) : 1;
}

/** What the writers of one family share. */
struct text {
    const struct sched_reading *const *readings;
    size_t count;
    bool timestamps;
    int64_t epoch_ns;
    sched_emit *emit;
    void *context;
};

static const char *const class_names[SCHED_CLASSES] = {"critical", "standard", "batch"};

static void family(const struct text *text, const char *name, const char *type, const char *unit, const char *help) {
    char line[256];
    int length =
        snprintf(line, sizeof line, "# TYPE %s %s\n%s%s%s%s%s# HELP %s %s\n", name, type, unit ? "# UNIT " : "",
                 unit ? name : "", unit ? " " : "", unit ? unit : "", unit ? "\n" : "", name, help);

    text->emit(text->context, line, (size_t)length);
}

/** One sample of reading @p i: name{label="value"} number [timestamp]. */
static void sample(const struct text *text, size_t i, const char *name, const char *label, const char *value,
                   const char *bound, double number) {
    char line[384];
    int length = snprintf(line, sizeof line, "%s", name);

    if (label)
        length += snprintf(line + length, sizeof line - (size_t)length, "{%s=\"%.128s\"%s%s%s}", label, value,
                           bound ? ",le=\"" : "", bound ? bound : "", bound ? "\"" : "");
    /* Most numbers are counts, which print several times faster as integers. */
    if (number >= 0 && number < 1e15 && number == (double)(int64_t)number)
        length += snprintf(line + length, sizeof line - (size_t)length, " %lld", (long long)number);
    else
        length += snprintf(line + length, sizeof line - (size_t)length, " %.17g", number);
    if (text->timestamps) {
        int64_t at_ms = (text->epoch_ns + text->readings[i]->at_ns) / 1000000;

        length += snprintf(line + length, sizeof line - (size_t)length, " %lld.%03lld", (long long)(at_ms / 1000),
                           (long long)(at_ms % 1000));
    }
    length += snprintf(line + length, sizeof line - (size_t)length, "\n");
    text->emit(text->context, line, (size_t)length);
}

/** The bounds in OpenMetrics' canonical form. */
static const char *const bound_texts[SCHED_REPORT_BOUNDS + 1] = {"0.1",  "0.25",  "0.5",   "1.0",   "2.0",
                                                                 "4.0",  "6.0",   "10.0",  "20.0",  "30.0",
                                                                 "60.0", "120.0", "300.0", "600.0", "+Inf"};

static void latency_of(const struct text *text, int class_id) {
    for (size_t i = 0; i < text->count; i++) {
        const struct sched_reading *reading = text->readings[i];
        double cumulative = 0;

        for (int b = 0; b <= SCHED_REPORT_BOUNDS; b++) {
            cumulative += (double)reading->latency_buckets[class_id][b];
            sample(text, i, "claude_request_latency_seconds_bucket", "priority", class_names[class_id], bound_texts[b],
                   cumulative);
        }
        sample(text, i, "claude_request_latency_seconds_count", "priority", class_names[class_id], NULL, cumulative);
        sample(text, i, "claude_request_latency_seconds_sum", "priority", class_names[class_id], NULL,
               reading->latency_sum_s[class_id]);
    }
}

void sched_report_text(const struct sched_config *config, const struct sched_reading *const *readings, size_t count,
                       const char *const *tenant_ids, bool timestamps, int64_t epoch_ns, sched_emit *emit,
                       void *context) {
    struct text text = {readings, count, timestamps, epoch_ns, emit, context};

    family(&text, "claude_queue_depth", "gauge", NULL, "Jobs waiting, by priority class.");
    for (int c = 0; c < SCHED_CLASSES; c++)
        for (size_t i = 0; i < count; i++)
            sample(&text, i, "claude_queue_depth", "priority", class_names[c], NULL, (double)readings[i]->queued[c]);

    family(&text, "claude_request_latency_seconds", "histogram", "seconds", "Time from enqueue to completion.");
    for (int c = 0; c < SCHED_CLASSES; c++)
        latency_of(&text, c);

    family(&text, "claude_throttle_count", "gauge", NULL, "429s of the last 60 seconds, by tenant.");
    for (uint32_t t = 0; t < config->tenant_count; t++)
        for (size_t i = 0; i < count; i++)
            sample(&text, i, "claude_throttle_count", "tenant_id", tenant_ids[t], NULL,
                   (double)readings[i]->tenants[t].throttles);

    family(&text, "claude_demoted_tenants", "gauge", NULL, "Tenants demoted to batch.");
    for (size_t i = 0; i < count; i++)
        sample(&text, i, "claude_demoted_tenants", NULL, NULL, NULL, (double)readings[i]->demoted);

    family(&text, "claude_drr_fairness_index", "gauge", NULL,
           "Jain's index of the cost served in the last 60 seconds, over tenants with work.");
    for (size_t i = 0; i < count; i++)
        sample(&text, i, "claude_drr_fairness_index", NULL, NULL, NULL, readings[i]->fairness);

    family(&text, "claude_input_tokens", "counter", NULL, "Input tokens of completed requests, by tenant.");
    for (uint32_t t = 0; t < config->tenant_count; t++)
        for (size_t i = 0; i < count; i++)
            sample(&text, i, "claude_input_tokens_total", "tenant_id", tenant_ids[t], NULL,
                   (double)readings[i]->tenants[t].input_tokens);
}
