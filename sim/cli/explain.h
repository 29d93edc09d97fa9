/** The life of a job, in words. */
#ifndef SIM_CLI_EXPLAIN_H
#define SIM_CLI_EXPLAIN_H

#include "../run/life.h"
#include "table.h"

/** A timeline of seconds, and one sentence that says where the time went. @p every_pick: a line for each pick that passed
 *  the job by, instead of one for each row of them. */
void cli_print_life(const struct cli_page *page, const struct sim_scenario *scenario, const struct sim_life *life,
                    bool every_pick);

/** That sentence, without a final full stop; malloc'ed. */
char *cli_life_sentence(const struct sim_scenario *scenario, const struct sim_life *life);

/** All of @p lives as JSON; malloc'ed. */
char *cli_lives_json(const struct sim_scenario *scenario, const struct sim_life *lives, size_t count);

/** Words of a life: "429 by ITPM", "529 (overloaded)", "unservable". */
const char *cli_refusal_word(enum model_limiter limiter);

#endif
