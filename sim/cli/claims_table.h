/** What `claims` says on the terminal. */
#ifndef SIM_CLI_CLAIMS_TABLE_H
#define SIM_CLI_CLAIMS_TABLE_H

#include "table.h"

#include <cjson/cJSON.h>

/** Every claim of claims.json, whose tree @p summary is, with its measures; then how many came out how. @p folder: where the
 *  files are. */
void cli_print_claims(const struct cli_page *page, const cJSON *summary, const char *folder);

#endif
