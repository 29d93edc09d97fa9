/** Where editors find the JSON Schema of scenarios. */
#ifndef SIM_CLI_SCHEMA_H
#define SIM_CLI_SCHEMA_H

/** What a scenario in the folder @p folder should say as its `$schema`: a relative path where that folder lies in the
 *  checkout or installation that this program belongs to, else a file: URI. The place is found from where the program
 *  stands: PREFIX/bin beside PREFIX/share/fairlane, or a build folder inside a checkout.
 *  @return malloc'ed; NULL when no schema is near the program. */
char *cli_schema_for(const char *folder);

#endif
