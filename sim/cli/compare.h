/** The tables of a comparison. */
#ifndef SIM_CLI_COMPARE_H
#define SIM_CLI_COMPARE_H

#include "../results/comparison.h"
#include "table.h"

/** What is compared with what. */
void cli_print_compared(const struct cli_page *page, const struct sim_record *a, const struct sim_record *b);

/** Differences, and the verdicts of the rules. */
void cli_print_comparison(const struct cli_page *page, const struct sim_comparison *comparison);

#endif
