/** Documents made from the table of keys. The files in scenarios/ are copies; a test says when they are stale. */
#ifndef SIM_DOCUMENT_H
#define SIM_DOCUMENT_H

#include "keys.h"

/** scenarios/README.md. @return malloc'ed text. */
char *sim_document_readme(void);

/** The same of any other table: @p opening, then a section for each object below @p root. */
char *sim_document_readme_of(const char *opening, const struct sim_key *root);

/** scenarios/schema/scenario.schema.json, JSON Schema draft 2020-12. @return malloc'ed text. */
char *sim_document_schema(void);

/** The same of any other table without distributions. */
char *sim_document_schema_of(const char *title, const struct sim_key *root);

#endif
