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

/** What a verdict rests on: value, interval, exceedance, reason. @return @p text. */
const char *cli_slo_detail(const struct sim_slo *slo, const struct sim_slo_result *verdict, char *text, size_t size);

/** The word for it, padded to the column where its SLO begins. */
void cli_put_verdict(const struct cli_page *page, enum sim_verdict verdict);

#endif
