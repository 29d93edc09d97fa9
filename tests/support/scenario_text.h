/** Scenarios given as text, for tests: written to files of a fresh folder below the working directory. */
#ifndef TEST_SCENARIO_TEXT_H
#define TEST_SCENARIO_TEXT_H

#include "../../sim/scenario/scenario.h"

/** The folder of this process's files, relative; made at the first call, and removed at exit. */
const char *text_folder(void);

/** Write @p text to @p name in the folder. @return its path, to be freed. */
char *text_file(const char *name, const char *text);

/** The smallest scenario there is, with @p extra (JSON members, each with a comma before it) at its end. To be freed. */
char *text_minimal(const char *extra);

/** Read @p text with up to four `--set` arguments (NULL ends them). NULL with *error on failure. */
struct sim_scenario *text_read(const char *text, const char *const *sets, struct sim_located_error *error);

/** Read @p text, which must be refused, with "path: message" of the error that holds @p path and @p words. Prints and
 *  returns false if it is not. */
bool text_refused(const char *text, const char *const *sets, const char *path, const char *words);

#endif
