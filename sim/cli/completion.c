/* Shell completions from the tables. Both scripts carry their words with them: no program runs while somebody types. */
#include "manual.h"

#include "../measure/figures.h"
#include "../results/text.h"
#include "../scenario/presets.h"

#include <stdlib.h>
#include <string.h>

/* ---- words that both shells share ---- */

/* Names of figures that every scenario has, one a line. */
static char *figure_names(void) {
    struct model_workload nobody = {0};
    struct sim_figures *figures = sim_figures_create(&nobody);
    struct sim_text text = {0};
    for (size_t i = 0; i < figures->count; i++)
        sim_text_printf(&text, "%s\n", figures->rows[i].name);
    sim_figures_destroy(figures);
    return sim_text_take(&text);
}

static char *preset_names(void) {
    struct sim_text text = {0};
    for (size_t i = 0; i < sim_preset_count; i++)
        sim_text_printf(&text, "%s\n", sim_presets[i].name);
    return sim_text_take(&text);
}

/* "svg|png|pdf" with spaces in between. */
static void add_choice(struct sim_text *text, const char *words) {
    for (; *words; words++)
        sim_text_append(text, *words == '|' ? " " : words, 1);
}

/* ---- bash ---- */

static void add_bash_list(struct sim_text *text, const char *name, char *words) {
    sim_text_printf(text, "_fairlane_%s='%s'\n", name, words);
    free(words);
}

static void add_bash_verbs(struct sim_text *text) {
    sim_text_add(text, "_fairlane_verbs='help");
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++)
        sim_text_printf(text, " %s", verb->name);
    sim_text_add(text, "'\n\n# Options of verb $1.\n_fairlane_options() {\n    case $1 in\n");
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++) {
        sim_text_printf(text, "    %s) echo '", verb->name);
        for (const struct cli_option *option = cli_option_table; option->name; option++)
            if (cli_takes(verb, option))
                sim_text_printf(text, "--%s ", option->name);
        sim_text_add(text, "' ;;\n");
    }
    sim_text_add(text, "    *) echo '--help --version' ;;\n    esac\n}\n\n");
}

static const char *bash_reply(enum cli_kind kind) {
    switch (kind) {
    case CLI_KIND_JSON:
        return "_fairlane_files '*.json'";
    case CLI_KIND_FILE:
        return "_fairlane_files '*'";
    case CLI_KIND_FOLDER:
        return "_fairlane_files ''";
    case CLI_KIND_PATH:
        return "_fairlane_path";
    case CLI_KIND_FIGURE:
        return "_fairlane_figure";
    case CLI_KIND_PRESET:
        return "_fairlane_words \"$_fairlane_presets\"";
    case CLI_KIND_WORDS:
    case CLI_KIND_NONE:
        break;
    }
    return ":";
}

static void add_bash_taking(struct sim_text *text) {
    sim_text_add(text, "# Options that something follows.\n_fairlane_taking=' ");
    for (const struct cli_option *option = cli_option_table; option->name; option++) {
        if (option->argument && option->letter)
            sim_text_printf(text, "-%c ", option->letter);
        if (option->argument)
            sim_text_printf(text, "--%s ", option->name);
    }
    sim_text_add(text, "'\n\n");
}

static void add_bash_arguments(struct sim_text *text) {
    sim_text_add(text, "# Complete what follows option $1.\n_fairlane_argument() {\n    case $1 in\n");
    for (const struct cli_option *option = cli_option_table; option->name; option++) {
        if (!option->argument)
            continue;
        enum cli_kind kind = cli_option_kind(option);
        sim_text_printf(text, "    --%s", option->name);
        if (option->letter)
            sim_text_printf(text, " | -%c", option->letter);
        sim_text_add(text, ") ");
        if (kind == CLI_KIND_WORDS) {
            sim_text_add(text, "_fairlane_words '");
            add_choice(text, option->argument);
            sim_text_add(text, "'");
        } else {
            sim_text_add(text, bash_reply(kind));
        }
        sim_text_add(text, " ;;\n");
    }
    sim_text_add(text, "    esac\n}\n\n");
}

static void add_bash_operands(struct sim_text *text) {
    sim_text_add(text, "# Complete an operand of verb $1.\n_fairlane_operand() {\n    case $1 in\n"
                       "    '' | help) _fairlane_words \"$_fairlane_verbs\" ;;\n");
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++)
        sim_text_printf(text, "    %s) %s ;;\n", verb->name, bash_reply(cli_operand_kind(verb)));
    sim_text_add(text, "    esac\n}\n\n");
}

/* The parts that no table changes. $cur is what is being completed; "=" is a word of its own to bash. */
static const char bash_tools[] =
    "_fairlane_words() {\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "}\n"
    "\n"
    "# Files that match $1, and folders.\n"
    "_fairlane_files() {\n"
    "    compopt -o filenames\n"
    "    mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; [ -z \"$1\" ] || compgen -f -X \"!$1\" -- \"$cur\")\n"
    "}\n"
    "\n"
    "# Keys level by level would be slow to type: all of them are offered, up to the \"=\".\n"
    "_fairlane_path() {\n"
    "    local line keys=''\n"
    "    for line in $_fairlane_paths; do keys+=\"${line%%=*}= \"; done\n"
    "    _fairlane_words \"$keys\"\n"
    "    compopt -o nospace\n"
    "}\n"
    "\n"
    "# Values of key $1, where it takes words.\n"
    "_fairlane_value() {\n"
    "    local line values=''\n"
    "    for line in $_fairlane_paths; do [[ $line == \"$1=\"?* ]] && values+=\"${line#*=} \"; done\n"
    "    _fairlane_words \"$values\"\n"
    "}\n"
    "\n"
    "# The last of names separated by commas.\n"
    "_fairlane_figure() {\n"
    "    local before='' all=$cur\n"
    "    [[ $all == *,* ]] && before=${all%,*},\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$_fairlane_figures\" -- \"${all##*,}\")\n"
    "}\n"
    "\n";

static const char bash_main[] =
    "_fairlane() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=() word verb='' i\n"
    "    COMPREPLY=()\n"
    "    # --set=KEY=VALUE comes as --set = KEY = VALUE: what stands before the cursor, without the first =.\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do before+=(\"${COMP_WORDS[i]}\"); done\n"
    "    [[ $cur == = ]] && before+=(\"=\") && cur=''\n"
    "    for ((i = 0; i < ${#before[@]}; i++)); do\n"
    "        word=${before[i]}\n"
    "        if [[ $_fairlane_taking == *\" $word \"* ]]; then\n"
    "            ((i++))\n"
    "            [[ ${before[i]} == = ]] && ((i++))\n"
    "            [[ ${before[i + 1]} == = ]] && ((i += 2))\n"
    "        elif [[ -z $verb && $word != -* ]]; then\n"
    "            verb=$word\n"
    "        fi\n"
    "    done\n"
    "    local n=${#before[@]} last='' key=''\n"
    "    ((n >= 1)) && last=${before[n - 1]}\n"
    "    if [[ $last == = ]] && ((n >= 2)); then\n"
    "        key=${before[n - 2]}\n"
    "        if [[ $key == --* ]]; then _fairlane_argument \"$key\"; else _fairlane_value \"$key\"; fi\n"
    "    elif [[ $last == -* && $_fairlane_taking == *\" $last \"* ]]; then\n"
    "        _fairlane_argument \"$last\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _fairlane_words \"$(_fairlane_options \"$verb\")\"\n"
    "    else\n"
    "        _fairlane_operand \"$verb\"\n"
    "    fi\n"
    "}\n"
    "complete -F _fairlane fairlane\n";

char *cli_bash_completion(void) {
    struct sim_text text = {0};
    sim_text_add(&text, "# bash completion for fairlane, made from its tables of options. Needs bash 4.4.\n\n");
    add_bash_list(&text, "figures", figure_names());
    add_bash_list(&text, "presets", preset_names());
    add_bash_list(&text, "paths", cli_set_paths());
    add_bash_verbs(&text);
    add_bash_taking(&text);
    sim_text_add(&text, bash_tools);
    add_bash_arguments(&text);
    add_bash_operands(&text);
    sim_text_add(&text, bash_main);
    return sim_text_take(&text);
}

/* ---- zsh ---- */

/* Text inside single quotes inside an _arguments specification: brackets and colons escaped. */
static void add_zsh_words(struct sim_text *text, const char *plain) {
    for (; *plain; plain++) {
        if (*plain == '\'')
            sim_text_add(text, "'\\'");
        else if (strchr("[]:\\", *plain))
            sim_text_add(text, "\\");
        sim_text_append(text, plain, 1);
    }
}

static void add_zsh_action(struct sim_text *text, enum cli_kind kind, const char *words) {
    static const char *const actions[] = {
        [CLI_KIND_NONE] = " ",
        [CLI_KIND_WORDS] = "(",
        [CLI_KIND_JSON] = "_files -g \"*.json(-.)\"",
        [CLI_KIND_FILE] = "_files",
        [CLI_KIND_FOLDER] = "_files -/",
        [CLI_KIND_PATH] = "_fairlane_path",
        [CLI_KIND_FIGURE] = "_values -s , figure $_fairlane_figures",
        [CLI_KIND_PRESET] = "compadd -a _fairlane_presets",
    };
    sim_text_add(text, actions[kind]);
    if (kind == CLI_KIND_WORDS) {
        add_choice(text, words);
        sim_text_add(text, ")");
    }
}

static void add_zsh_option(struct sim_text *text, const struct cli_option *option) {
    const char *rest = option->argument ? "=" : "";
    sim_text_add(text, "            '*'");
    if (option->letter)
        sim_text_printf(text, "{-%c%s,--%s%s}", option->letter, option->argument ? "+" : "", option->name, rest);
    else
        sim_text_printf(text, "--%s%s", option->name, rest);
    sim_text_add(text, "'[");
    add_zsh_words(text, option->help);
    sim_text_add(text, "]");
    if (option->argument) {
        sim_text_add(text, ":");
        add_zsh_words(text, option->argument);
        sim_text_add(text, ":");
        add_zsh_action(text, cli_option_kind(option), option->argument);
    }
    sim_text_add(text, "' \\\n");
}

static void add_zsh_array(struct sim_text *text, const char *name, char *words) {
    sim_text_printf(text, "typeset -ga _fairlane_%s=(\n%s)\n", name, words);
    free(words);
}

static void add_zsh_verbs(struct sim_text *text) {
    sim_text_add(text, "    local -a verbs=(\n");
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++) {
        sim_text_printf(text, "        '%s:", verb->name);
        add_zsh_words(text, verb->summary);
        sim_text_add(text, "'\n");
    }
    sim_text_add(text, "        'help:tell more about a verb'\n    )\n");
}

static void add_zsh_verb(struct sim_text *text, const struct cli_verb *verb) {
    sim_text_printf(text, "    %s)\n        _arguments -s -S \\\n", verb->name);
    for (const struct cli_option *option = cli_option_table; option->name; option++)
        if (cli_takes(verb, option))
            add_zsh_option(text, option);
    sim_text_add(text, "            '*:");
    add_zsh_words(text, verb->operands);
    sim_text_add(text, ":");
    add_zsh_action(text, cli_operand_kind(verb), "");
    sim_text_add(text, "'\n        ;;\n");
}

char *cli_zsh_completion(void) {
    struct sim_text text = {0};
    sim_text_add(&text, "#compdef fairlane\n# zsh completion for fairlane, made from its tables of options.\n\n");
    add_zsh_array(&text, "figures", figure_names());
    add_zsh_array(&text, "presets", preset_names());
    add_zsh_array(&text, "paths", cli_set_paths());
    sim_text_add(&text, "\n_fairlane_path() {\n"
                        "    if compset -P 1 '*='; then\n"
                        "        local key=${${IPREFIX%=}##*=}\n"
                        "        local -a values=(${${(M)_fairlane_paths:#$key=?*}#*=})\n"
                        "        compadd -a values\n"
                        "    else\n"
                        "        local -aU keys=(${_fairlane_paths%%=*})\n"
                        "        compadd -S = -a keys\n"
                        "    fi\n"
                        "}\n\n_fairlane() {\n    local curcontext=$curcontext state line\n");
    add_zsh_verbs(&text);
    sim_text_add(&text, "    _arguments -C '(- 1 *)'{-h,--help}'[print this help]' "
                        "'(- 1 *)'{-V,--version}'[print the version]' '1:verb:->verb' '*::argument:->rest'\n"
                        "    if [[ $state == verb ]]; then\n"
                        "        _describe verb verbs\n"
                        "        return\n"
                        "    fi\n"
                        "    [[ $state == rest ]] || return\n"
                        "    case $words[1] in\n"
                        "    help) _describe verb verbs ;;\n");
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++)
        add_zsh_verb(&text, verb);
    sim_text_add(&text, "    esac\n}\n\n_fairlane \"$@\"\n");
    return sim_text_take(&text);
}
