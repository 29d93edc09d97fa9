/* What options and operands take, told from how the tables name it. */
#include "manual.h"

#include "../results/text.h"
#include "../scenario/keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Arguments in capitals name a thing, in small letters they are the words themselves. */
enum cli_kind cli_option_kind(const struct cli_option *option) {
    static const struct {
        const char *argument;
        enum cli_kind kind;
    } kinds[] = {{"FILE", CLI_KIND_FILE},
                 {"DIR", CLI_KIND_FOLDER},
                 {"PATH=VALUE", CLI_KIND_PATH},
                 {"LIST", CLI_KIND_FIGURE},
                 {"FIGURE", CLI_KIND_FIGURE}};
    if (!option->argument)
        return CLI_KIND_NONE;
    if (islower((unsigned char)option->argument[0]))
        return CLI_KIND_WORDS;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(option->argument, kinds[i].argument))
            return kinds[i].kind;
    return CLI_KIND_NONE;
}

enum cli_kind cli_operand_kind(const struct cli_verb *verb) {
    if (strstr(verb->operands, "NAME"))
        return CLI_KIND_PRESET;
    if (strstr(verb->operands, "DIR"))
        return CLI_KIND_FOLDER;
    return *verb->operands ? CLI_KIND_JSON : CLI_KIND_NONE;
}

/* One line for each way to begin a --set with this key: a leaf, lists by their first element. */
static bool add_path(void *context, const char *path, const struct sim_key *row) {
    struct sim_text *text = context;
    bool leaf = row->type <= SIM_KEY_WORDS || row->type == SIM_KEY_NUMBER_OR_LIST || row->type == SIM_KEY_DISTRIBUTION;
    if (!leaf || !strncmp(path, "distribution", 12) || path[0] == '$' || !strcmp(path, "version") || strstr(path, "p*"))
        return true;
    struct sim_text name = {0};
    for (const char *at = path; *at; at++)
        sim_text_append(&name, *at == '*' ? "0" : at, 1);
    sim_text_add(&name, "=");
    char *key = sim_text_take(&name);
    static const char *const truths[] = {"true", "false", NULL};
    const char *const *words = row->type == SIM_KEY_BOOL ? truths : row->type == SIM_KEY_WORDS ? NULL : row->words;
    if (!words || row->type == SIM_KEY_NUMBER)
        sim_text_printf(text, "%s\n", key);
    for (size_t i = 0; words && words[i]; i++)
        sim_text_printf(text, "%s%s\n", key, words[i]);
    free(key);
    return true;
}

char *cli_set_paths(void) {
    struct sim_text text = {0};
    sim_keys_walk(add_path, &text);
    return sim_text_take(&text);
}
