/* Write the documents that are made from the table of keys, or check that the copies in the tree are not stale:
 *
 *     document [--check] README SCHEMA STUDIES-README STUDY-SCHEMA CLAIMS-README CLAIMS-SCHEMA
 *
 * exit: 0 written, or up to date; 1 stale or not writable; 2 bad usage. */
#include "../claims/keys_claims.h"
#include "../study/keys_study.h"
#include "document.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "%s: cannot be written\n", path);
    return good;
}

static bool same_as_file(const char *path, const char *text) {
    size_t length = strlen(text);
    char *bytes = malloc(length + 2);
    FILE *file = fopen(path, "rb");
    bool same = bytes != NULL && file != NULL && fread(bytes, 1, length + 1, file) == length &&
                memcmp(bytes, text, length) == 0;
    if (file != NULL)
        fclose(file);
    free(bytes);
    if (!same)
        fprintf(stderr, "%s is stale: `ninja document` in the build folder writes it anew from the table of keys\n",
                path);
    return same;
}

static const char studies_opening[] =
    "# Studies: every key\n"
    "\n"
    "This file is generated from the table that reads studies (`sim/study/keys_study.c`); change it there.\n"
    "`../schema/study.schema.json` says the same to editors: name it in `$schema`. docs/studies.md says what\n"
    "studies are for and how to run them. A study is one JSON file, version 1, read as strictly as a scenario.\n"
    "`null` means absent, but as a value in a list of `vary`. Any object may hold a `$comment`, a string.\n";

static const char claims_opening[] =
    "# Claims: every key\n"
    "\n"
    "This file is generated from the table that reads claims (`sim/claims/keys_claims.c`); change it there.\n"
    "`../schema/claims.schema.json` says the same to editors: name it in `$schema`. docs/claims.md says what they\n"
    "are for. A claims file is JSON, version 1, read as strictly as a scenario; files that it names are relative\n"
    "to it. Any object may hold a `$comment`, a string.\n"
    "\n"
    "Beside this file stand the claims of the article that Fairlane comes from (`claims.json`), the scenarios that\n"
    "try them, all of which start from `base.json`, and in `studies/` the studies. docs/article.md says what came\n"
    "of them.\n";

/* In the order of the arguments. */
enum { DOCUMENTS = 6 };

int main(int count, char **arguments) {
    bool check = count == DOCUMENTS + 2 && strcmp(arguments[1], "--check") == 0;
    if (!check && count != DOCUMENTS + 1) {
        fprintf(stderr, "usage: %s [--check] README SCHEMA STUDIES-README STUDY-SCHEMA CLAIMS-README CLAIMS-SCHEMA\n",
                arguments[0]);
        return 2;
    }
    char *texts[DOCUMENTS] = {sim_document_readme(),
                              sim_document_schema(),
                              sim_document_readme_of(studies_opening, &sim_study_key),
                              sim_document_schema_of("Fairlane study, version 1", &sim_study_key),
                              sim_document_readme_of(claims_opening, &sim_claims_key),
                              sim_document_schema_of("Fairlane claims, version 1", &sim_claims_key)};
    bool good = true;
    for (int i = 0; i < DOCUMENTS; i++) {
        const char *path = arguments[count - DOCUMENTS + i];
        good = (check ? same_as_file(path, texts[i]) : write_file(path, texts[i])) && good;
        free(texts[i]);
    }
    return good ? 0 : 1;
}
