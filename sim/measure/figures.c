/** The table of figures, and its expansion over classes, statistics and tenants. */
#include "figures.h"

#include "../memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** One line of the table. In `name`, the part S stands for a class, Q for a statistic of a sample of times, ID for a
 * tenant; the line makes one figure for each combination, in that order. */
struct row {
    const char *name;
    const char *unit;
    enum sim_better better;
    enum sim_figure_kind kind; /**< lines with Q: that of the statistic */
    size_t at;                 /**< slot (lines with Q: sample) of the first class, or within the tenant */
    bool served;
    const char *help; /**< lines with Q: what the statistic is of */
};

#define BEYOND "; failed, abandoned and censored jobs count as longer than any other"
#define MEAN SIM_FIGURE_MEAN
#define RATIO SIM_FIGURE_RATIO
#define JAIN SIM_FIGURE_JAIN
#define MAX SIM_FIGURE_MAX
#define TIMES SIM_FIGURE_QUANTILE

static const struct row fixed_rows[] = {
    {"S.latency.Q", "s", SIM_LESS, TIMES, SIM_LATENCY, false,
     "time from enqueue to completion, by effective class" BEYOND},
    {"S.wait.Q", "s", SIM_LESS, TIMES, SIM_WAIT, false,
     "time from enqueue to first dispatch, by effective class; jobs never dispatched count as longer than any other"},
    {"served.S.latency.Q", "s", SIM_LESS, TIMES, SIM_LATENCY, true,
     "time from enqueue to completion of completed jobs only, by effective class"},
    {"S.arrived", "jobs", SIM_NEITHER, MEAN, SIM_ARRIVED, false,
     "jobs that count: arrived in [warmup, duration) or still open then, by effective class"},
    {"S.completed", "jobs", SIM_MORE, MEAN, SIM_COMPLETED, false, "of those, completed"},
    {"S.failed", "jobs", SIM_LESS, MEAN, SIM_FAILED, false,
     "of those, failed: retries exhausted, given up or unservable"},
    {"S.abandoned", "jobs", SIM_LESS, MEAN, SIM_ABANDONED, false,
     "of those, left before a first dispatch as their patience ended"},
    {"S.censored", "jobs", SIM_LESS, MEAN, SIM_CENSORED, false, "of those, still open when the run ended"},
    {"requested.S.latency.Q", "s", SIM_LESS, TIMES, 2 * SIM_GROUP_REQUESTED + SIM_LATENCY, false,
     "time from enqueue to completion, by requested class" BEYOND},
    {"requested.S.wait.Q", "s", SIM_LESS, TIMES, 2 * SIM_GROUP_REQUESTED + SIM_WAIT, false,
     "time from enqueue to first dispatch, by requested class; jobs never dispatched count as longer than any other"},
    {"requested.S.arrived", "jobs", SIM_NEITHER, MEAN, SIM_REQUESTED_ARRIVED, false,
     "jobs that count, by requested class"},
    {"requested.S.completed", "jobs", SIM_MORE, MEAN, SIM_REQUESTED_COMPLETED, false, "of those, completed"},
    {"requested.S.failed", "jobs", SIM_LESS, MEAN, SIM_REQUESTED_FAILED, false, "of those, failed"},
    {"requested.S.abandoned", "jobs", SIM_LESS, MEAN, SIM_REQUESTED_ABANDONED, false,
     "of those, left before a first dispatch"},
    {"requested.S.censored", "jobs", SIM_LESS, MEAN, SIM_REQUESTED_CENSORED, false,
     "of those, still open when the run ended"},
    {"jain.service", "1", SIM_MORE, JAIN, SIM_JAIN_SERVICE, false,
     "Jain's index of cost served over tenants with demand, whole run"},
    {"jain.weighted", "1", SIM_MORE, JAIN, SIM_JAIN_WEIGHTED, false,
     "Jain's index of cost served / plan weight, whole run"},
    {"jain.entitlement", "1", SIM_MORE, JAIN, SIM_JAIN_ENTITLEMENT, false,
     "Jain's index of cost served / max-min fair share, whole run; 1: nobody is held below their share"},
    {"jain.service.windowed", "1", SIM_MORE, JAIN, SIM_JAIN_SERVICE_WINDOWED, false,
     "mean of jain.service over 60 s windows"},
    {"jain.weighted.windowed", "1", SIM_MORE, JAIN, SIM_JAIN_WEIGHTED_WINDOWED, false,
     "mean of jain.weighted over 60 s windows"},
    {"jain.entitlement.windowed", "1", SIM_MORE, JAIN, SIM_JAIN_ENTITLEMENT_WINDOWED, false,
     "mean of jain.entitlement over 60 s windows"},
    {"jain.service.poisson", "1", SIM_NEITHER, JAIN, SIM_JAIN_POISSON, false,
     "what jain.service.windowed would be if equal tenants differed by Poisson noise alone"},
    {"throttles.total", "responses", SIM_LESS, MEAN, SIM_THROTTLES_TOTAL, false,
     "429s in [warmup, duration), by any limiter"},
    {"throttles.rpm", "responses", SIM_LESS, MEAN, SIM_THROTTLES_RPM, false, "429s by the limit on requests"},
    {"throttles.itpm", "responses", SIM_LESS, MEAN, SIM_THROTTLES_ITPM, false, "429s by the limit on input tokens"},
    {"throttles.otpm", "responses", SIM_LESS, MEAN, SIM_THROTTLES_OTPM, false, "429s by the limit on output tokens"},
    {"throttles.ramp", "responses", SIM_LESS, MEAN, SIM_THROTTLES_RAMP, false, "429s by the limit on acceleration"},
    {"throttles.concurrency", "responses", SIM_LESS, MEAN, SIM_THROTTLES_CONCURRENCY, false,
     "429s by the limit on requests in service"},
    {"throttles.overload", "responses", SIM_LESS, MEAN, SIM_THROTTLES_OVERLOAD, false,
     "529s; not part of throttles.total"},
    {"throttles.spend", "responses", SIM_LESS, MEAN, SIM_THROTTLES_SPEND, false, "429s by the daily spend cap"},
    {"throttles.rate", "1", SIM_LESS, RATIO, SIM_THROTTLES_RATE, false, "429s per attempt"},
    {"retries.recurrence", "1", SIM_LESS, RATIO, SIM_RECURRENCE, false,
     "share of retries after a 429 that get a 429 again"},
    {"retries.amplification", "1", SIM_LESS, RATIO, SIM_AMPLIFICATION, false, "attempts per admitted one"},
    {"retries.early_share", "1", SIM_LESS, RATIO, SIM_EARLY_SHARE, false,
     "share of retries after a 429 with a retry-after that were sent before it had passed"},
    {"requests.per_s", "requests/s", SIM_NEITHER, MEAN, SIM_REQUESTS_PER_S, false,
     "attempts sent per second: mean of 1 s bins"},
    {"requests.sd_per_s", "requests/s", SIM_LESS, MEAN, SIM_REQUESTS_SD_PER_S, false,
     "standard deviation of attempts per 1 s bin"},
    {"requests.sd_per_100ms", "requests/100ms", SIM_LESS, MEAN, SIM_REQUESTS_SD_PER_100MS, false,
     "standard deviation of attempts per 0.1 s bin"},
    {"requests.peak_per_s", "requests/s", SIM_LESS, MAX, SIM_REQUESTS_PEAK_PER_S, false,
     "most attempts in any second (t - 1 s, t]"},
    {"admitted.per_s", "requests/s", SIM_MORE, MEAN, SIM_ADMITTED_PER_S, false,
     "attempts admitted per second: mean of 1 s bins"},
    {"admitted.sd_per_s", "requests/s", SIM_LESS, MEAN, SIM_ADMITTED_SD_PER_S, false,
     "standard deviation of admissions per 1 s bin"},
    {"admitted.sd_per_100ms", "requests/100ms", SIM_LESS, MEAN, SIM_ADMITTED_SD_PER_100MS, false,
     "standard deviation of admissions per 0.1 s bin"},
    {"admitted.peak_per_s", "requests/s", SIM_NEITHER, MAX, SIM_ADMITTED_PEAK_PER_S, false,
     "most admissions in any second (t - 1 s, t]"},
    {"endpoint.rpm.utilisation", "1", SIM_NEITHER, MEAN, SIM_UTILISATION_RPM, false,
     "requests charged / what the limit refills in [warmup, duration)"},
    {"endpoint.itpm.utilisation", "1", SIM_NEITHER, MEAN, SIM_UTILISATION_ITPM, false,
     "input tokens charged, as estimated / what the limit refills"},
    {"endpoint.otpm.utilisation", "1", SIM_NEITHER, MEAN, SIM_UTILISATION_OTPM, false,
     "output tokens charged, less refunds / what the limit refills"},
    {"workers.busy", "1", SIM_NEITHER, MEAN, SIM_WORKERS_BUSY, false, "share of worker time with a request in service"},
    {"workers.backoff", "1", SIM_LESS, MEAN, SIM_WORKERS_BACKOFF, false,
     "share of worker time holding a job: back-off and pacing"},
    {"workers.idle", "1", SIM_NEITHER, MEAN, SIM_WORKERS_IDLE, false, "share of worker time without a job"},
    {"queue.mean", "jobs", SIM_LESS, MEAN, SIM_QUEUE_MEAN, false,
     "queued jobs of all classes, without those in back-off: mean over time"},
    {"queue.max", "jobs", SIM_LESS, MAX, SIM_QUEUE_MAX, false, "most queued jobs of all classes at once"},
    {"unserved.S.max", "s", SIM_LESS, MAX, SIM_UNSERVED_MAX, false,
     "longest time that the class was backlogged without a dispatch"},
    {"inversions", "picks", SIM_LESS, MEAN, SIM_INVERSIONS, false, "picks of a class while a higher one held a job"},
    {"demotions.count", "demotions", SIM_NEITHER, MEAN, SIM_DEMOTIONS_COUNT, false,
     "steps of a tenant from not demoted to demoted in [warmup, duration)"},
    {"demotions.tenants", "tenants", SIM_NEITHER, MEAN, SIM_DEMOTIONS_TENANTS, false,
     "tenants with a demotion in [warmup, duration)"},
    {"demotions.time_share", "1", SIM_NEITHER, MEAN, SIM_DEMOTIONS_TIME_SHARE, false,
     "demoted tenant-seconds / (tenants x span)"},
    {"demotions.by_throttles", "demotions", SIM_NEITHER, MEAN, SIM_DEMOTIONS_BY_THROTTLES, false,
     "those of demotions.count that 429s caused, not the daily budget"},
    {"demotions.by_burst", "demotions", SIM_NEITHER, MEAN, SIM_DEMOTIONS_BY_BURST, false,
     "those of demotions.by_throttles whose 429s all came within 1 s: a burst that met parallel workers"},
    {"unservable", "jobs", SIM_LESS, MEAN, SIM_UNSERVABLE, false,
     "attempts that could never be admitted: max_tokens over the reserved bucket"},
    {"throughput.jobs_per_s", "jobs/s", SIM_MORE, MEAN, SIM_THROUGHPUT, false,
     "jobs completed per second of [warmup, duration)"},
    {"tokens.input", "tokens", SIM_NEITHER, MEAN, SIM_INPUT_TOKENS, false,
     "input tokens of jobs completed in [warmup, duration)"},
    {"tokens.output", "tokens", SIM_NEITHER, MEAN, SIM_OUTPUT_TOKENS, false,
     "output tokens of jobs completed in [warmup, duration)"},
    {"cost.usd", "USD", SIM_LESS, MEAN, SIM_COST_USD, false, "price of the jobs completed in [warmup, duration)"},
};

static const struct row tenant_rows[] = {
    {"tenant.ID.latency.Q", "s", SIM_LESS, TIMES, SIM_LATENCY, false,
     "time of the tenant's jobs from enqueue to completion" BEYOND},
    {"tenant.ID.wait.Q", "s", SIM_LESS, TIMES, SIM_WAIT, false,
     "time of the tenant's jobs from enqueue to first dispatch; jobs never dispatched count as longer than any other"},
    {"tenant.ID.arrived", "jobs", SIM_NEITHER, MEAN, SIM_TENANT_ARRIVED, false, "the tenant's jobs that count"},
    {"tenant.ID.completed", "jobs", SIM_MORE, MEAN, SIM_TENANT_COMPLETED, false, "of those, completed"},
    {"tenant.ID.failed", "jobs", SIM_LESS, MEAN, SIM_TENANT_FAILED, false, "of those, failed"},
    {"tenant.ID.abandoned", "jobs", SIM_LESS, MEAN, SIM_TENANT_ABANDONED, false,
     "of those, left before a first dispatch"},
    {"tenant.ID.censored", "jobs", SIM_LESS, MEAN, SIM_TENANT_CENSORED, false,
     "of those, still open when the run ended"},
    {"tenant.ID.throttles", "responses", SIM_LESS, MEAN, SIM_TENANT_THROTTLES, false,
     "429s that the tenant's jobs got in [warmup, duration)"},
    {"tenant.ID.demotions", "demotions", SIM_NEITHER, MEAN, SIM_TENANT_DEMOTIONS, false,
     "the tenant's steps from not demoted to demoted"},
    {"tenant.ID.demotions.by_throttles", "demotions", SIM_NEITHER, MEAN, SIM_TENANT_DEMOTIONS_BY_THROTTLES, false,
     "of those, caused by 429s, not by the daily budget"},
    {"tenant.ID.demotions.by_burst", "demotions", SIM_NEITHER, MEAN, SIM_TENANT_DEMOTIONS_BY_BURST, false,
     "of those, by 429s that all came within 1 s"},
    {"tenant.ID.served_cost", "cost", SIM_MORE, MEAN, SIM_TENANT_SERVED_COST, false,
     "cost units completed in [warmup, duration)"},
    {"tenant.ID.demand_cost", "cost", SIM_NEITHER, MEAN, SIM_TENANT_DEMAND_COST, false,
     "cost units in the system at warmup or arrived until duration"},
    {"tenant.ID.unserved.max", "s", SIM_LESS, MAX, SIM_TENANT_UNSERVED_MAX, false,
     "longest time that the tenant was backlogged without a dispatch"},
};

static const struct statistic {
    const char *name;
    enum sim_figure_kind kind;
    double p;
    const char *help;
} statistics[] = {
    {"p50", SIM_FIGURE_QUANTILE, .5, "median of the"},
    {"p90", SIM_FIGURE_QUANTILE, .9, "90th percentile of the"},
    {"p95", SIM_FIGURE_QUANTILE, .95, "95th percentile of the"},
    {"p99", SIM_FIGURE_QUANTILE, .99, "99th percentile of the"},
    {"p999", SIM_FIGURE_QUANTILE, .999, "99.9th percentile of the"},
    {"mean", SIM_FIGURE_SAMPLE_MEAN, 0, "mean of the"},
    {"max", SIM_FIGURE_SAMPLE_MAX, 1, "longest"},
};

static const char *const class_names[] = {"critical", "standard", "batch", "all"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))
enum {
    CLASSES = LENGTH(class_names),
    STATISTICS = LENGTH(statistics),
    ROWS = LENGTH(fixed_rows) + LENGTH(tenant_rows)
};

struct sim_figures_memory {
    char *names;
    char *help[ROWS][STATISTICS]; /**< of lines with Q, else NULL */
    uint32_t *index;              /**< open addressing: row + 1; 0 is free */
    size_t index_mask;
};

/** Where figures are written to; without rows they are only counted. */
struct sink {
    struct sim_figure *rows;
    size_t count;
    char *names;
    size_t bytes;
};

static bool is_part(const char *part, size_t length, const char *text) {
    return length == strlen(text) && memcmp(part, text, length) == 0;
}

static bool has_part(const char *pattern, const char *text) {
    for (const char *part = pattern; part != NULL; part = strchr(part, '.')) {
        part += *part == '.';
        if (is_part(part, strcspn(part, "."), text))
            return true;
    }
    return false;
}

/** Write the name (or, without room, measure it) and its NUL. @return its bytes. */
static size_t write_name(char *ret, const char *pattern, const char *id, const char *class_name,
                         const char *statistic) {
    size_t bytes = 0;
    for (const char *part = pattern;;) {
        size_t length = strcspn(part, ".");
        const char *text = is_part(part, length, "ID")  ? id
                           : is_part(part, length, "S") ? class_name
                           : is_part(part, length, "Q") ? statistic
                                                        : NULL;
        size_t text_length = text == NULL ? length : strlen(text);
        if (ret != NULL) {
            memcpy(ret + bytes, text == NULL ? part : text, text_length);
            ret[bytes + text_length] = part[length];
        }
        bytes += text_length + 1;
        if (part[length] == '\0')
            return bytes;
        part += length + 1;
    }
}

/** Add the figures of one line. @p offset: of the slots (or, for times, samples) of the tenant. */
static void expand(struct sink *sink, const struct row *row, char *const *help, const char *id, size_t offset) {
    bool times = row->kind == TIMES;
    size_t classes = has_part(row->name, "S") ? CLASSES : 1;
    for (size_t s = 0; s < classes; s++)
        for (size_t q = 0; q < (times ? (size_t)STATISTICS : 1); q++) {
            char *name = sink->rows == NULL ? NULL : sink->names + sink->bytes;
            sink->bytes += write_name(name, row->name, id, class_names[s], statistics[q].name);
            if (sink->rows != NULL)
                sink->rows[sink->count] = (struct sim_figure){
                    .name = name,
                    .unit = row->unit,
                    .help = times ? help[q] : row->help,
                    .better = row->better,
                    .kind = times ? statistics[q].kind : row->kind,
                    .slot = times ? 0 : row->at + s + offset,
                    .sample = times ? row->at + 2 * s + offset : 0,
                    .p = times ? statistics[q].p : 0,
                    .served = row->served,
                };
            sink->count++;
        }
}

/** @return how many of the figures are no tenant's. */
static size_t expand_all(struct sink *sink, const struct model_workload *workload, char *help[][STATISTICS]) {
    for (size_t i = 0; i < LENGTH(fixed_rows); i++)
        expand(sink, &fixed_rows[i], help[i], NULL, 0);
    size_t fixed = sink->count;
    for (size_t tenant = 0; tenant < workload->tenant_count; tenant++)
        for (size_t i = 0; i < LENGTH(tenant_rows); i++) {
            size_t offset = tenant_rows[i].kind == TIMES ? 2 * (SIM_GROUP_TENANTS + tenant)
                                                         : SIM_SCALARS + SIM_TENANT_SCALARS * tenant;
            expand(sink, &tenant_rows[i], help[LENGTH(fixed_rows) + i], workload->tenants[tenant].id, offset);
        }
    return fixed;
}

static void write_help(struct sim_figures_memory *memory) {
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = i < LENGTH(fixed_rows) ? &fixed_rows[i] : &tenant_rows[i - LENGTH(fixed_rows)];
        for (size_t q = 0; row->kind == TIMES && q < STATISTICS; q++) {
            size_t size = strlen(statistics[q].help) + strlen(" ") + strlen(row->help) + 1;
            memory->help[i][q] = sim_alloc(size);
            snprintf(memory->help[i][q], size, "%s %s", statistics[q].help, row->help);
        }
    }
}

/** FNV-1a, 64 bit. */
static uint64_t hash_of(const char *name) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

static void write_index(struct sim_figures *figures) {
    struct sim_figures_memory *memory = figures->memory;
    size_t slots = 1;
    while (slots < 2 * figures->count)
        slots *= 2;
    memory->index = sim_calloc(slots, sizeof *memory->index);
    memory->index_mask = slots - 1;
    for (size_t i = 0; i < figures->count; i++) {
        size_t at = (size_t)hash_of(figures->rows[i].name) & memory->index_mask;
        while (memory->index[at] != 0)
            at = (at + 1) & memory->index_mask;
        memory->index[at] = (uint32_t)i + 1;
    }
}

struct sim_figures *sim_figures_create(const struct model_workload *workload) {
    struct sim_figures *figures = sim_calloc(1, sizeof *figures);
    figures->memory = sim_calloc(1, sizeof *figures->memory);
    write_help(figures->memory);
    struct sink measure = {0};
    figures->fixed_count = expand_all(&measure, workload, figures->memory->help);
    figures->rows = sim_calloc(measure.count, sizeof *figures->rows);
    figures->memory->names = sim_alloc(measure.bytes);
    struct sink sink = {.rows = figures->rows, .names = figures->memory->names};
    expand_all(&sink, workload, figures->memory->help);
    figures->count = sink.count;
    write_index(figures);
    return figures;
}

void sim_figures_destroy(struct sim_figures *figures) {
    if (figures == NULL)
        return;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t q = 0; q < STATISTICS; q++)
            free(figures->memory->help[i][q]);
    free(figures->memory->names);
    free(figures->memory->index);
    free(figures->memory);
    free(figures->rows);
    free(figures);
}

const struct sim_figure *sim_figures_find(const struct sim_figures *figures, const char *name) {
    const struct sim_figures_memory *memory = figures->memory;
    for (size_t at = (size_t)hash_of(name) & memory->index_mask; memory->index[at] != 0;
         at = (at + 1) & memory->index_mask) {
        const struct sim_figure *figure = &figures->rows[memory->index[at] - 1];
        if (strcmp(figure->name, name) == 0)
            return figure;
    }
    return NULL;
}

/** Levenshtein distance. @p line: scratch for @p b_length + 1 entries. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length, size_t *line) {
    for (size_t j = 0; j <= b_length; j++)
        line[j] = j;
    for (size_t i = 0; i < a_length; i++) {
        size_t diagonal = line[0];
        line[0] = i + 1;
        for (size_t j = 0; j < b_length; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = line[j + 1];
            size_t skipped = (line[j] < diagonal ? line[j] : diagonal) + 1;
            line[j + 1] = replaced < skipped ? replaced : skipped;
        }
    }
    return line[b_length];
}

const char *sim_figures_nearest(const struct sim_figures *figures, const char *name) {
    enum { NAME_MAX_COMPARED = 200 };
    size_t length = strnlen(name, NAME_MAX_COMPARED);
    size_t *line = sim_alloc((length + 1) * sizeof *line);
    const char *nearest = figures->rows[0].name;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < figures->count && least > 0; i++) {
        size_t other = strlen(figures->rows[i].name);
        // The difference in length is a lower bound, and cheap.
        if ((other > length ? other - length : length - other) >= least)
            continue;
        size_t apart = distance(figures->rows[i].name, other, name, length, line);
        if (apart < least) {
            least = apart;
            nearest = figures->rows[i].name;
        }
    }
    free(line);
    return nearest;
}

void sim_figure_of_replication(const struct sim_figure *figure, const struct sim_outcome *outcome, double *ret_value,
                               double *ret_weight) {
    const struct sim_sample *sample = &outcome->samples[figure->sample];
    bool beyond = !figure->served && sample->beyond > 0;
    *ret_value = NAN;
    *ret_weight = 1;
    switch (figure->kind) {
    case SIM_FIGURE_MEAN:
    case SIM_FIGURE_JAIN:
    case SIM_FIGURE_MAX:
    case SIM_FIGURE_RATIO:
        *ret_value = outcome->value[figure->slot];
        *ret_weight = outcome->weight[figure->slot];
        break;
    case SIM_FIGURE_SAMPLE_MEAN:
        *ret_value = beyond ? INFINITY : sample->sum_s;
        *ret_weight = (double)sim_sample_jobs(sample, !figure->served);
        break;
    case SIM_FIGURE_SAMPLE_MAX:
        *ret_value = beyond ? INFINITY : sample->max_ns < 0 ? NAN : (double)sample->max_ns * 1e-9;
        break;
    case SIM_FIGURE_QUANTILE:
        if (!sim_sample_quantile(sample, figure->p, !figure->served, ret_value))
            *ret_value = NAN;
        *ret_weight = (double)sim_sample_jobs(sample, !figure->served);
        break;
    }
}
