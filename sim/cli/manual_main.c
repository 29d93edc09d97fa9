/* Write, at build time, what is installed beside the program and made from its tables:
 *
 *     fairlane-manual man FOLDER | bash FILE | zsh FILE
 *
 * exit: 0 written; 1 not writable; 2 bad usage. */
#include "manual.h"

#include "../results/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool write_text(const char *path, char *text) {
    struct sim_located_error error = {0};
    char words[1024];
    bool good = sim_file_replace(path, text, &error);
    if (!good)
        fprintf(stderr, "%s\n", sim_error_text(&error, words, sizeof words));
    free(text);
    return good;
}

static bool write_pages(const char *folder) {
    char path[4096];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        return false;
    }
    snprintf(path, sizeof path, "%s/fairlane.1", folder);
    bool good = write_text(path, cli_manual_page(NULL));
    for (const struct cli_verb *verb = cli_verbs; verb->name && good; verb++) {
        snprintf(path, sizeof path, "%s/fairlane-%s.1", folder, verb->name);
        good = write_text(path, cli_manual_page(verb));
    }
    return good;
}

int main(int count, char **arguments) {
    const char *what = count == 3 ? arguments[1] : "";
    if (!strcmp(what, "man"))
        return !write_pages(arguments[2]);
    if (!strcmp(what, "bash"))
        return !write_text(arguments[2], cli_bash_completion());
    if (!strcmp(what, "zsh"))
        return !write_text(arguments[2], cli_zsh_completion());
    fprintf(stderr, "usage: fairlane-manual man FOLDER | bash FILE | zsh FILE\n");
    return 2;
}
