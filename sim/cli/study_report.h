/** What sweep and merge do at the end: files, table, verdicts. */
#ifndef SIM_CLI_STUDY_REPORT_H
#define SIM_CLI_STUDY_REPORT_H

#include "../study/export.h"
#include "options.h"
#include "table.h"

/** Read the whole study from @p store, write study.csv and summary.json into @p folder, print table and verdicts, write
 *  what the gate's options ask for. @p file: the study's file, for annotations. @return the exit status. */
enum cli_exit cli_study_end(const struct cli_options *options, struct sim_store *store, const char *folder,
                            const char *file, struct sim_located_error *error);

#endif
