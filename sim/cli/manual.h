/** Manual pages and shell completions, written from the tables of verbs and options (options.h), keys, figures and
 *  presets: what they say and what the program does cannot part. Each text is malloc'ed; the caller frees it. */
#ifndef SIM_CLI_MANUAL_H
#define SIM_CLI_MANUAL_H

#include "options.h"

/** The manual page fairlane-VERB(1), or fairlane(1) for NULL, as man(7) source. */
char *cli_manual_page(const struct cli_verb *verb);

/** A completion script for bash 4 or later, which needs nothing beside it. */
char *cli_bash_completion(void);

/** A completion function for zsh: the file _fairlane of a folder of fpath. */
char *cli_zsh_completion(void);

/** What can stand behind an option or as an operand. */
enum cli_kind {
    CLI_KIND_NONE,  /**< nothing that could be guessed */
    CLI_KIND_WORDS, /**< the words that the table names: "svg|png|pdf" */
    CLI_KIND_JSON,  /**< a scenario or study file, or a folder on the way to one */
    CLI_KIND_FILE,
    CLI_KIND_FOLDER,
    CLI_KIND_PATH,   /**< a key of a scenario, "=" and a value */
    CLI_KIND_FIGURE, /**< names of figures, separated by commas */
    CLI_KIND_PRESET
};

/** What @p option takes; CLI_KIND_NONE when it takes nothing. */
enum cli_kind cli_option_kind(const struct cli_option *option);

/** What the operands of @p verb are. */
enum cli_kind cli_operand_kind(const struct cli_verb *verb);

/** Keys that `--set` may name, one a line, with their words where they have some: "scheduler.tenants.policy=drr". Lists
 *  are shown by their first element. malloc'ed. */
char *cli_set_paths(void);

#endif
