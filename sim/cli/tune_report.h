/** What tuning says on the terminal, stage by stage. */
#ifndef SIM_CLI_TUNE_REPORT_H
#define SIM_CLI_TUNE_REPORT_H

#include "../tune/tune.h"
#include "table.h"

/** What is about to begin. */
void cli_tune_heading(const struct cli_page *page, const struct sim_study *study);

/** The stage that has just ended. */
void cli_tune_stage(const struct cli_page *page, const struct sim_tune *tune, enum sim_tune_stage stage);

/** Verdict, guarantee, patch. @p where: the folder that holds the files. */
void cli_tune_verdict(const struct cli_page *page, const struct sim_tune *tune, const char *where);

#endif
