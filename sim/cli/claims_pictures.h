/** Pictures of claims beside the page that `claims --markdown` writes. */
#ifndef SIM_CLI_CLAIMS_PICTURES_H
#define SIM_CLI_CLAIMS_PICTURES_H

#include "options.h"

/** What was drawn. All zero is nothing. */
struct cli_claim_pictures {
    char *folder; /**< seen from the page */
    char **names; /**< of the files, without ".svg": "claims", "claim-ID" */
    size_t count;
};

/** Draw the claims in the results @p folder, all and one by one, into pictures/NAME/ beside the page NAME.md that @p options
 *  name; a page that is no file in a folder, as a pipe is none, gets none. *ret, to be finished in any case, holds what was
 *  drawn. @return false with *error, also when there is no gnuplot. */
bool cli_claims_draw(const struct cli_options *options, const char *folder, struct cli_claim_pictures *ret,
                     struct sim_located_error *error);
void cli_claim_pictures_finish(struct cli_claim_pictures *pictures);

/** Is there one of that name? */
bool cli_claim_pictures_have(const struct cli_claim_pictures *pictures, const char *name);

#endif
