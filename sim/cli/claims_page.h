/** The page in Markdown that `claims --markdown` writes. */
#ifndef SIM_CLI_CLAIMS_PAGE_H
#define SIM_CLI_CLAIMS_PAGE_H

#include "../claims/claims.h"

/** @p pictures: folder of a picture ID.svg of each claim, relative to the page; NULL: none. The caller frees it. */
char *cli_claims_page(const struct sim_claims *claims, const char *pictures);

#endif
