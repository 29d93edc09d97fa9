/** What a run says on the terminal. */
#ifndef SIM_CLI_REPORT_H
#define SIM_CLI_REPORT_H

#include "../run/run.h"
#include "table.h"

/** Name and size of the run that is about to begin. */
void cli_print_heading(const struct cli_page *page, const struct sim_scenario *scenario);

/** Classes, fairness, endpoint, workers, verdicts, warnings. @p where: the folder that holds the files. */
void cli_print_report(const struct cli_page *page, const struct sim_result *result, const char *where);

#endif
