/** What to do about a file that a verb could not read. */
#ifndef SIM_CLI_ADVISE_H
#define SIM_CLI_ADVISE_H

#include "options.h"

enum cli_file_kind { CLI_SCENARIO, CLI_STUDY, CLI_CLAIMS, CLI_FILE_KINDS };

/** @p error says why the operand @p file of a verb that reads files of kind @p wanted was refused. Where the file is not
 *  there, or is of another kind, replace what it says by words that name the way on. */
void cli_advise(const char *file, const struct cli_verb *verb, enum cli_file_kind wanted,
                struct sim_located_error *error);

#endif
