/** The command line: one table of verbs and one of options, from which the parser, `--help`, shell completions and the
 *  manual page all come. */
#ifndef SIM_CLI_OPTIONS_H
#define SIM_CLI_OPTIONS_H

#include "../plot/plot.h"
#include "../scenario/scenario.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** What the program tells its caller. When several apply: an error, then failed, then inconclusive. */
enum cli_exit { CLI_OK = 0, CLI_FAILURE = 1, CLI_USAGE = 2, CLI_INCONCLUSIVE = 98, CLI_FAILED_SLO = 99 };

/** A command line, taken apart. Strings are borrowed from argv but for those in `sets`. */
struct cli_options {
    const struct cli_verb *verb; /**< NULL: none given (general help or version) */
    const char **files;          /**< operands, in order */
    size_t file_count;
    char **sets; /**< `--set` and the options that stand for one, "path=value", in order */
    size_t set_count;
    const char **set_files;
    size_t set_file_count;
    const char *out;
    uint32_t jobs;        /**< 0: all cores */
    const char *only;     /**< one picture, or one claim */
    const char *template; /**< of `new`; NULL: the first */
    enum sim_plot_format format;
    enum sim_plot_theme theme;
    const char *metrics; /**< compare: figures and patterns, separated by commas */
    const char **fail_ons;
    size_t fail_on_count;
    const char **job_ids; /**< explain */
    size_t job_id_count;
    uint32_t worst; /**< explain: how many; 0: not asked for */
    const char *class_name;
    bool all;
    bool jobs_csv;
    bool json;
    bool quiet;
    const char *filter;   /**< expression over a study's knobs; NULL: none */
    const char *shard;    /**< "I/N" or "auto"; NULL: all */
    bool list;            /**< say what would be run, and stop */
    bool dry_run;         /**< say how much it is, and stop */
    const char *junit;    /**< file to write; NULL: none */
    const char *markdown; /**< file to write; NULL: none */
    bool annotations;     /**< GitHub's, on standard output */
    bool help;
    bool version;
    const volatile sig_atomic_t *stop; /**< set by a signal */
};

/** One verb. */
struct cli_verb {
    const char *name;
    const char *operands; /**< as help shows them: "FILE..." */
    size_t operands_min, operands_max;
    const char *summary; /**< one line */
    const char *details; /**< paragraphs for `fairlane VERB --help` */
    /** Do it; results to standard output. @return the exit code; on CLI_FAILURE and CLI_USAGE *error says why. */
    enum cli_exit (*run)(const struct cli_options *options, struct sim_located_error *error);
};

/** One option. */
struct cli_option {
    const char *name; /**< without the dashes */
    char letter;      /**< short form; 0: none */
    const char
        *argument;     /**< how help names its argument, or the words it may be: "svg|png|pdf"; NULL: it takes none */
    const char *verbs; /**< verbs that take it, each between spaces; NULL: all, and none */
    const char *help;
    /** Note it. @return false with *error's message set when @p argument will not do. */
    bool (*note)(struct cli_options *options, const struct cli_option *option, const char *argument,
                 struct sim_located_error *error);
};

/** What the program is, for the general help: paragraphs. */
extern const char cli_about[];

/** Exit statuses and what they mean. */
extern const char *const cli_exit_words[][2];
extern const size_t cli_exit_word_count;

/** The tables, each ended by a row without a name. */
extern const struct cli_verb cli_verbs[];
extern const struct cli_option cli_option_table[];

/** Take @p argv apart. @return false with *error set on a usage error; *ret is to be finished in any case. */
bool cli_options_parse(struct cli_options *ret, int argc, char **argv, struct sim_located_error *error);
void cli_options_finish(struct cli_options *options);

/** Does @p verb (NULL: no verb) take @p option? */
bool cli_takes(const struct cli_verb *verb, const struct cli_option *option);

/** Print the help of @p verb, or the general one for NULL. */
void cli_help(FILE *out, const struct cli_verb *verb);

/** Is @p output (NULL: none) none of the @p count files @p inputs, which writing it would destroy? @return false with *error. */
bool cli_spares(const char *output, const char *const *inputs, size_t count, struct sim_located_error *error);

/** Are the files that @p options ask to be written none of those that @p scenario was read from, traces included?
 *  @return false with *error. */
bool cli_spares_scenario(const struct cli_options *options, const struct sim_scenario *scenario,
                         struct sim_located_error *error);

/** Can @p output (NULL: none) be written, as far as can be told before? What lies in a folder of results that is still to
 *  be made may. @return false with *error. */
bool cli_output_fits(const struct cli_options *options, const char *output, struct sim_located_error *error);

/** What the scenario reader needs of @p options. */
struct sim_scenario_options cli_scenario_options(const struct cli_options *options);

enum cli_exit cli_run(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_validate(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_plot(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_new(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_report(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_presets(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_sweep(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_tune(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_merge(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_claims(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_compare(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_explain(const struct cli_options *options, struct sim_located_error *error);
enum cli_exit cli_metrics(const struct cli_options *options, struct sim_located_error *error);

#endif
