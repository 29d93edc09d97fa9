/** Documents made from the table of keys. The files in scenarios/ are copies; a test says when they are stale. */
#ifndef SIM_DOCUMENT_H
#define SIM_DOCUMENT_H

/** scenarios/README.md. @return malloc'ed text. */
char *sim_document_readme(void);

/** scenarios/schema/scenario.schema.json, JSON Schema draft 2020-12. @return malloc'ed text. */
char *sim_document_schema(void);

#endif
