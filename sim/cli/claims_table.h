/** What `claims` says on the terminal. */
#ifndef SIM_CLI_CLAIMS_TABLE_H
#define SIM_CLI_CLAIMS_TABLE_H

#include "../claims/claims.h"
#include "table.h"

/** Every claim with its measures, then how many came out how. @p folder: where the files are. */
void cli_print_claims(const struct cli_page *page, const struct sim_claims *claims, const char *folder);

#endif
