/** The page in Markdown that `claims --markdown` writes. */
#ifndef SIM_CLI_CLAIMS_PAGE_H
#define SIM_CLI_CLAIMS_PAGE_H

#include "../claims/claims.h"
#include "claims_pictures.h"

/** @p summary: the tree of claims.json, whose numbers the page shows; @p claims: the files that they come from. With those of
 *  @p pictures that are there. The caller frees it. */
char *cli_claims_page(const struct sim_claims *claims, const cJSON *summary, const struct cli_claim_pictures *pictures);

#endif
