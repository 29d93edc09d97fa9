#include "job_rows.h"

const char sim_job_rows_header[] =
    "replication,job,tenant,origin,requested_class,class,counted,arrived_s,first_dispatch_s,ended_s,ending,attempts,"
    "input_tokens,cached_tokens,output_tokens,max_tokens,cost\n";

static const char *const origin_names[] = {"user_action", "scheduled", "batch_job"};
static const char *const class_names[] = {"critical", "standard", "batch"};
static const char *const ending_names[] = {"completed", "failed", "abandoned", "censored"};

bool sim_job_rows_init(struct sim_job_rows *rows, const struct sim_scenario *scenario) {
    *rows = (struct sim_job_rows){.spool = tmpfile(), .scenario = scenario};
    return rows->spool != NULL;
}

void sim_job_rows_finish(struct sim_job_rows *rows) {
    if (rows->spool)
        fclose(rows->spool);
    rows->spool = NULL;
}

/** Seconds with all nine decimals, exactly. */
static void put_time(FILE *file, int64_t ns) {
    fprintf(file, "%lld.%09lld,", (long long)(ns / 1000000000), (long long)(ns % 1000000000));
}

void sim_job_rows_ended(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                        int64_t end_ns) {
    struct sim_job_rows *rows = context;
    FILE *file = rows->spool;

    fprintf(file, "%u,%u.%u,%s,%s,%s,%s,%d,", replication, job->stream, job->number,
            rows->scenario->workload.tenants[job->sched.tenant].id, origin_names[job->sched.origin],
            class_names[job->sched.requested], class_names[job->sched.class_id], job->counted);
    put_time(file, job->sched.enqueued_ns);
    if (job->sched.first_dispatch_ns >= 0)
        put_time(file, job->sched.first_dispatch_ns);
    else
        fputc(',', file);
    if (ending != SIM_ENDED_CENSORED)
        put_time(file, end_ns);
    else
        fputc(',', file);
    fprintf(file, "%s,%u,%lld,%lld,%lld,%lld,%lld\n", ending_names[ending], job->attempts,
            (long long)job->work.input_tokens, (long long)job->work.cached_tokens, (long long)job->work.output_tokens,
            (long long)job->work.max_tokens, (long long)job->sched.cost);
    rows->failed |= ferror(file) != 0;
}

bool sim_job_rows_emit(struct sim_job_rows *rows, uint32_t replication, const struct sim_run_options *sink) {
    char chunk[65536];
    size_t length;

    if (rows->failed || fflush(rows->spool) != 0)
        return false;
    rewind(rows->spool);
    while ((length = fread(chunk, 1, sizeof chunk, rows->spool)) > 0)
        if (!sink->job_rows(sink->job_context, replication, chunk, length))
            return false;
    return !ferror(rows->spool);
}
