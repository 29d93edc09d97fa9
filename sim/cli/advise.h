/** What to do about a file that a verb could not read. */
#ifndef SIM_CLI_ADVISE_H
#define SIM_CLI_ADVISE_H

#include "options.h"

/** @p error says why the operand @p file of a verb that reads scenarios (or studies, @p study) was refused. Where the file
 *  is not there, or is of the other kind, replace what it says by words that name the way on. */
void cli_advise(const char *file, const struct cli_verb *verb, bool study, struct sim_located_error *error);

#endif
