/** What a run says on the terminal. */
#ifndef SIM_CLI_REPORT_H
#define SIM_CLI_REPORT_H

#include "../run/run.h"
#include "table.h"

/** Name and size of the run that is about to begin. */
void cli_print_heading(const struct cli_page *page, const struct sim_scenario *scenario);

/** Classes, fairness, endpoint, workers, verdicts, warnings but for the first @p warnings_shown, which the reader has seen.
 *  @p where: the folder that holds the files. */
void cli_print_report(const struct cli_page *page, const struct sim_result *result, size_t warnings_shown,
                      const char *where);

#endif
