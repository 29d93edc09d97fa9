/* Write the documents that are made from the table of keys, or check that the copies in the tree are not stale:
 *
 *     document [--check] README SCHEMA
 *
 * exit: 0 written, or up to date; 1 stale or not writable; 2 bad usage. */
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

int main(int count, char **arguments) {
    bool check = count == 4 && strcmp(arguments[1], "--check") == 0;
    if (!check && count != 3) {
        fprintf(stderr, "usage: %s [--check] README SCHEMA\n", arguments[0]);
        return 2;
    }
    char *texts[] = {sim_document_readme(), sim_document_schema()};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        const char *path = arguments[count - 2 + i];
        good = (check ? same_as_file(path, texts[i]) : write_file(path, texts[i])) && good;
        free(texts[i]);
    }
    return good ? 0 : 1;
}
