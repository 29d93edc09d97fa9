/** How numbers of claims are said, on the terminal and on the page. */
#ifndef SIM_CLI_CLAIMS_WORDS_H
#define SIM_CLI_CLAIMS_WORDS_H

#include "../claims/claims.h"
#include "table.h"

/** What is stated of a side: "9.8 s", "0.86 to 0.91", "at least 5 %"; "-" where nothing is. */
struct cli_word cli_claim_stated(const struct sim_claim_measure *measure, const struct sim_claim_side *side);

/** Ours, with its interval: "9.94 s [9.84, 10.1]", "> 60 s", "5 [2, 10]"; "-" for no value. */
struct cli_word cli_claim_ours(const struct sim_claim_measure *measure, const struct sim_claim_side *side);

/** What is measured: "tenant.b.latency.p99", "batch.completed of all.completed"; into @p ret (room for @p size). */
const char *cli_claim_figure(const struct sim_claim_measure *measure, char *ret, size_t size);

/** Claims by verdict: ret[verdict]. */
void cli_claims_count(const struct sim_claims *claims, size_t ret[SIM_CLAIM_NOT + 1]);

#endif
