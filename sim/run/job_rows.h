/** One CSV row per job, spooled by replication so that rows come out in order of replication whatever finished first,
 *  and memory does not grow with the number of jobs. */
#ifndef SIM_JOB_ROWS_H
#define SIM_JOB_ROWS_H

#include "../world.h"
#include "run.h"

#include <stdio.h>

/** The header row, line end included. */
extern const char sim_job_rows_header[];

/** Rows of one replication, on an unnamed temporary file. */
struct sim_job_rows {
    FILE *spool;
    const struct sim_scenario *scenario;
    bool failed; /**< the spool could not be written */
};

/** @return false when no temporary file can be made. */
bool sim_job_rows_init(struct sim_job_rows *rows, const struct sim_scenario *scenario);
void sim_job_rows_finish(struct sim_job_rows *rows);

/** An observer that spools (context: struct sim_job_rows). */
void sim_job_rows_ended(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                        int64_t end_ns);

/** Hand everything to @p sink. @return false when the spool failed or the sink refused. */
bool sim_job_rows_emit(struct sim_job_rows *rows, uint32_t replication, const struct sim_run_options *sink);

#endif
