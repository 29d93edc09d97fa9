/** The six metrics of the article this scheduler comes from, under its names, kept by the same code in simulation and
 *  live: queue depth, request latency, 429s and input tokens by tenant, demoted tenants, and Jain's index.
 *
 *  A report counts; a reading is what it says at one instant; text is OpenMetrics, from one reading (a scrape) or from many
 *  (a simulated history). */
#ifndef SCHED_REPORT_H
#define SCHED_REPORT_H

#include "scheduler.h"

/** Upper bounds of the latency buckets, in s; one more bucket is +Inf. */
enum { SCHED_REPORT_BOUNDS = 14 };
extern const double sched_report_bounds_s[SCHED_REPORT_BOUNDS];

struct sched_report;

/** Bytes of a report, and of a reading, for @p config. */
size_t sched_report_size(const struct sched_config *config);
size_t sched_reading_size(const struct sched_config *config);

/** Build an empty report in @p block (aligned for any type). Borrows both. */
struct sched_report *sched_report_init(void *block, const struct sched_config *config);

/** A job was enqueued for the first time; a job got a 429; a job ended, and if it completed, at what latency. */
void sched_report_arrived(struct sched_report *report, const struct sched_job *job);
void sched_report_throttled(struct sched_report *report, const struct sched_job *job, int64_t now_ns);
void sched_report_ended(struct sched_report *report, const struct sched_job *job, bool completed, int64_t now_ns);

struct sched_tenant_reading {
    uint64_t throttles;    /**< 429s in the last 60 s */
    uint64_t input_tokens; /**< of completed jobs, since the start */
};

struct sched_reading {
    int64_t at_ns;
    uint64_t queued[SCHED_CLASSES];
    uint64_t latency_buckets[SCHED_CLASSES][SCHED_REPORT_BOUNDS + 1]; /**< not cumulative */
    double latency_sum_s[SCHED_CLASSES];
    uint64_t demoted;
    double fairness; /**< Jain's index of the cost served in the last 60 s, over tenants with work; 1 without any */
    struct sched_tenant_reading tenants[];
};

/** Read everything at @p now_ns into @p ret (sched_reading_size() bytes). */
void sched_report_read(struct sched_report *report, const struct sched_scheduler *scheduler, int64_t now_ns,
                       struct sched_reading *ret);

/** Where text goes: @p length bytes at @p text. */
typedef void sched_emit(void *context, const char *text, size_t length);

/** OpenMetrics text of @p count readings in order of time, without the closing "# EOF". @p timestamps: write each
 *  reading's instant, in Unix time with its origin at @p epoch_ns. @p tenant_ids: names by tenant index, free of quotes,
 *  backslashes and line ends. */
void sched_report_text(const struct sched_config *config, const struct sched_reading *const *readings, size_t count,
                       const char *const *tenant_ids, bool timestamps, int64_t epoch_ns, sched_emit *emit,
                       void *context);

#endif
