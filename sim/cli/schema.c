#include "schema.h"

#include "../results/text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char schema_path[] = "scenarios/schema/scenario.schema.json";

/* Folders above the program's own in which a checkout is looked for: build/release/fairlane is two below its root. */
enum { LEVELS = 4 };

/* Cut the last part off @p path. @return false at the root. */
static bool cut(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return false;
    *slash = '\0';
    return true;
}

/* The folder in which the program's @p path lies, into @p ret[PATH_MAX]. */
static bool find_root(const char *path, char *ret) {
    static const char *const below[] = {"share/fairlane/", ""};
    char at[PATH_MAX], candidate[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", at, sizeof at - 1);
    if (length <= 0)
        return false;
    at[length] = '\0';
    for (int level = 0; level < LEVELS && cut(at); level++) {
        for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
            snprintf(candidate, sizeof candidate, "%s/%s%s", at, below[i], path);
            if (access(candidate, R_OK) != 0 || !realpath(candidate, ret))
                continue;
            ret[strlen(ret) - strlen(path) - 1] = '\0';
            return true;
        }
    }
    return false;
}

/* A file: URI (RFC 8089): bytes that are not unreserved are percent-encoded. */
static char *uri_of(const char *root) {
    struct sim_text text = {0};
    sim_text_add(&text, "file://");
    for (const char *at = root; *at; at++) {
        bool plain = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/", *at) != NULL;
        sim_text_printf(&text, plain ? "%c" : "%%%02X", plain ? *at : (unsigned char)*at);
    }
    sim_text_printf(&text, "/%s", schema_path);
    return sim_text_take(&text);
}

char *cli_shipped_file(const char *path) {
    char root[PATH_MAX];
    struct sim_text text = {0};
    if (access(path, F_OK) != 0 && find_root(path, root))
        sim_text_printf(&text, "%s/", root);
    sim_text_add(&text, path);
    return sim_text_take(&text);
}

char *cli_schema_for(const char *folder) {
    char root[PATH_MAX], here[PATH_MAX];
    if (!find_root(schema_path, root) || !realpath(folder, here))
        return NULL;
    size_t length = strlen(root);
    if (strncmp(here, root, length) != 0 || (here[length] && here[length] != '/'))
        return uri_of(root);
    /* Up to the root, then down; nobody goes up from scenarios/ only to come down into it again. */
    const char *rest = here + length, *down = schema_path;
    if (!strncmp(rest, "/scenarios", 10) && (!rest[10] || rest[10] == '/')) {
        rest += 10;
        down += strlen("scenarios/");
    }
    struct sim_text text = {0};
    for (; *rest; rest++)
        if (*rest == '/')
            sim_text_add(&text, "../");
    sim_text_add(&text, down);
    return sim_text_take(&text);
}
