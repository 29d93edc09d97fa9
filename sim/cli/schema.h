/** Files that come with the program: the JSON Schema of scenarios, and what verbs take when they are given nothing. */
#ifndef SIM_CLI_SCHEMA_H
#define SIM_CLI_SCHEMA_H

/** What a scenario in the folder @p folder should say as its `$schema`: a relative path where that folder lies in the
 *  checkout or installation that this program belongs to, else a file: URI. The place is found from where the program
 *  stands: PREFIX/bin beside PREFIX/share/fairlane, or a build folder inside a checkout.
 *  @return malloc'ed; NULL when no schema is near the program. */
char *cli_schema_for(const char *folder);

/** Where @p path, "scenarios/...", is: as it stands where it is there, seen from the current directory, else beside the
 *  program, as above, else as it stands. @return malloc'ed. */
char *cli_shipped_file(const char *path);

#endif
