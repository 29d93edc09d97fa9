/* The table of options, and what each of them notes. */
#include "options.h"

#include "../memory.h"
#include "../results/text.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_set(struct cli_options *options, char *set) {
    assert(set);
    options->sets[options->set_count++] = set;
}

static bool refuse(struct sim_located_error *error, const struct cli_option *option, const char *expected,
                   const char *found) {
    sim_error_set(error, "", 0, "", "--%s: expected %s, found \"%s\"", option->name, expected, found);
    return false;
}

/* A whole number of at most `max`, digits only. */
static bool read_count(const char *text, uint64_t max, uint64_t *ret) {
    if (!*text || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno || value > max)
        return false;
    *ret = value;
    return true;
}

static bool note_set(struct cli_options *options, const struct cli_option *option, const char *argument,
                     struct sim_located_error *error) {
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument)
        return refuse(error, option, "PATH=VALUE such as scheduler.tenants.quantum=8", argument);
    add_set(options, sim_strdup(argument));
    return true;
}

static bool note_set_file(struct cli_options *options, const struct cli_option *option, const char *argument,
                          struct sim_located_error *error) {
    (void)option;
    (void)error;
    options->set_files[options->set_file_count++] = argument;
    return true;
}

/* Seeds use all 64 bits, which JSON numbers cannot: hence the string. */
static bool note_seed(struct cli_options *options, const struct cli_option *option, const char *argument,
                      struct sim_located_error *error) {
    uint64_t seed;
    char *set;
    if (!read_count(argument, UINT64_MAX, &seed))
        return refuse(error, option, "a whole number from 0 to 18446744073709551615", argument);
    add_set(options, asprintf(&set, "seed=\"%llu\"", (unsigned long long)seed) < 0 ? NULL : set);
    return true;
}

static bool note_replications(struct cli_options *options, const struct cli_option *option, const char *argument,
                              struct sim_located_error *error) {
    uint64_t count;
    char *set;
    if (!read_count(argument, MODEL_REPLICATIONS_MAX, &count) || count == 0)
        return refuse(error, option, "a whole number, at least 1", argument);
    add_set(options, asprintf(&set, "replications=%llu", (unsigned long long)count) < 0 ? NULL : set);
    return true;
}

static bool note_jobs(struct cli_options *options, const struct cli_option *option, const char *argument,
                      struct sim_located_error *error) {
    uint64_t jobs;
    if (!read_count(argument, 4096, &jobs) || jobs == 0)
        return refuse(error, option, "a whole number from 1 to 4096", argument);
    options->jobs = (uint32_t)jobs;
    return true;
}

static bool note_out(struct cli_options *options, const struct cli_option *option, const char *argument,
                     struct sim_located_error *error) {
    if (!*argument)
        return refuse(error, option, "the name of a folder or file", argument);
    options->out = argument;
    return true;
}

#define TEXT(field)                                                                                                    \
    static bool note_##field(struct cli_options *options, const struct cli_option *option, const char *argument,       \
                             struct sim_located_error *error) {                                                        \
        if (!*argument)                                                                                                \
            return refuse(error, option, option->argument, argument);                                                  \
        options->field = argument;                                                                                     \
        return true;                                                                                                   \
    }
TEXT(filter)
TEXT(shard)
TEXT(junit)
TEXT(markdown)
TEXT(only)
TEXT(metrics)

/* Refuse @p found, naming the words that the option takes: "svg, png or pdf". */
static bool refuse_word(struct sim_located_error *error, const struct cli_option *option, const char *found) {
    struct sim_text words = {0};
    for (const char *at = option->argument; *at; at++) {
        bool last = !strchr(at + 1, '|');
        if (*at == '|')
            sim_text_add(&words, last ? " or " : ", ");
        else
            sim_text_append(&words, at, 1);
    }
    char *expected = sim_text_take(&words);
    refuse(error, option, expected, found);
    free(expected);
    return false;
}

/* Which of the words "a|b|c" that the option takes is @p argument? @return its place. */
static bool note_word(const struct cli_option *option, const char *argument, int *ret,
                      struct sim_located_error *error) {
    int place = 0;
    for (const char *word = option->argument;; word++, place++) {
        size_t length = strcspn(word, "|");
        if (strlen(argument) == length && !strncmp(word, argument, length)) {
            *ret = place;
            return true;
        }
        word += length;
        if (!*word)
            return refuse_word(error, option, argument);
    }
}

static bool note_annotations(struct cli_options *options, const struct cli_option *option, const char *argument,
                             struct sim_located_error *error) {
    int place;
    options->annotations = note_word(option, argument, &place, error);
    return options->annotations;
}

static bool note_format(struct cli_options *options, const struct cli_option *option, const char *argument,
                        struct sim_located_error *error) {
    int place;
    if (!note_word(option, argument, &place, error))
        return false;
    options->format = (enum sim_plot_format)place;
    return true;
}

static bool note_theme(struct cli_options *options, const struct cli_option *option, const char *argument,
                       struct sim_located_error *error) {
    int place;
    if (!note_word(option, argument, &place, error))
        return false;
    options->theme = (enum sim_plot_theme)place;
    return true;
}

static bool note_fail_on(struct cli_options *options, const struct cli_option *option, const char *argument,
                         struct sim_located_error *error) {
    (void)option;
    (void)error;
    options->fail_ons[options->fail_on_count++] = argument;
    return true;
}

static bool note_job(struct cli_options *options, const struct cli_option *option, const char *argument,
                     struct sim_located_error *error) {
    (void)option;
    (void)error;
    options->job_ids[options->job_id_count++] = argument;
    return true;
}

static bool note_worst(struct cli_options *options, const struct cli_option *option, const char *argument,
                       struct sim_located_error *error) {
    uint64_t count;
    if (!read_count(argument, 1000, &count) || count == 0)
        return refuse(error, option, "a whole number from 1 to 1000", argument);
    options->worst = (uint32_t)count;
    return true;
}

static bool note_class(struct cli_options *options, const struct cli_option *option, const char *argument,
                       struct sim_located_error *error) {
    int place;
    options->class_name = argument;
    return note_word(option, argument, &place, error);
}

static bool note_template(struct cli_options *options, const struct cli_option *option, const char *argument,
                          struct sim_located_error *error) {
    int place;
    options->template = argument;
    return note_word(option, argument, &place, error);
}

#define FLAG(field)                                                                                                    \
    static bool note_##field(struct cli_options *options, const struct cli_option *option, const char *argument,       \
                             struct sim_located_error *error) {                                                        \
        (void)option;                                                                                                  \
        (void)argument;                                                                                                \
        (void)error;                                                                                                   \
        options->field = true;                                                                                         \
        return true;                                                                                                   \
    }
FLAG(all)
FLAG(jobs_csv)
FLAG(json)
FLAG(quiet)
FLAG(list)
FLAG(dry_run)
FLAG(help)
FLAG(version)

const struct cli_option cli_option_table[] = {
    {"set", 's', "PATH=VALUE", " run validate metrics sweep tune compare ",
     "change one value of the scenario, such as scheduler.tenants.quantum=8 or tenants.hog.plan=pro; repeatable",
     note_set},
    {"set-file", 0, "FILE", " run validate metrics sweep tune compare ",
     "merge a JSON file over the scenario, before --set; repeatable", note_set_file},
    {"seed", 0, "NUMBER", " run validate sweep tune compare claims ", "the same as --set seed=NUMBER", note_seed},
    {"replications", 'r', "NUMBER", " run validate compare ", "the same as --set replications=NUMBER",
     note_replications},
    {"jobs", 'j', "NUMBER", " run sweep tune compare explain claims ",
     "threads to run replications on (default: all cores); results do not depend on it", note_jobs},
    {"filter", 0, "EXPRESSION", " sweep ",
     "only configurations for which it holds, such as \"quantum > 5 && policy == 'drr'\"", note_filter},
    {"shard", 0, "I/N", " sweep ",
     "only part I of N, or `auto` in a Slurm array or a Kubernetes Indexed Job; `merge` puts the parts together",
     note_shard},
    {"list", 0, NULL, " sweep ", "list the configurations and stop", note_list},
    {"dry-run", 'n', NULL, " claims ", "check the file and what it names, say how much there is, and stop",
     note_dry_run},
    {"dry-run", 'n', NULL, " sweep ", "say how much there is to do and how long it may take, and stop", note_dry_run},
    {"template", 't', "article|noisy|trace|batch", " new ", "what to start from (default: article)", note_template},
    {"format", 'f', "svg|png|pdf", " plot ", "kind of picture (default: svg)", note_format},
    {"theme", 0, "light|dark", " plot ", "colours for a light page (the default) or a dark one", note_theme},
    {"only", 0, "NAME", " plot ", "draw this one picture", note_only},
    {"only", 0, "ID", " claims ",
     "try this one claim: its study is kept, claims.json and claims.csv are left as they are", note_only},
    {"out", 'o', "DIR", " run sweep tune compare claims ", "write the results to exactly DIR instead of results/NAME",
     note_out},
    {"out", 'o', "FILE", " report ", "write the page to FILE instead of DIR/report.html", note_out},
    {"metrics", 'm', "LIST", " compare ", "figures to compare, separated by commas; * stands for any letters",
     note_metrics},
    {"all", 'a', NULL, " compare explain ", "compare: every figure; explain: one line for every pick", note_all},
    {"fail-on", 0, "RULE", " compare ",
     "exit with 99 when RULE holds for sure, such as \"critical.latency.p99 > +2%\"; repeatable", note_fail_on},
    {"job", 0, "ID", " explain ",
     "the job to explain, as jobs.csv names it: REPLICATION:JOB such as 3:12.57; repeatable", note_job},
    {"worst", 0, "NUMBER", " explain ", "explain the jobs that took longest, over all replications", note_worst},
    {"class", 0, "critical|standard|batch|all", " explain ",
     "of --worst: only jobs of this effective class (default: all)", note_class},
    {"jobs-csv", 0, NULL, " run ", "also write jobs.csv, one row for each simulated job", note_jobs_csv},
    {"junit", 0, "FILE", " run sweep merge ", "write verdicts as JUnit XML: one case for each SLO and configuration",
     note_junit},
    {"markdown", 0, "FILE", " run sweep merge ", "write verdicts as a Markdown table, such as for a job's summary",
     note_markdown},
    {"markdown", 0, "FILE", " claims ", "write the page FILE in Markdown, and pictures to pictures/NAME/ beside it",
     note_markdown},
    {"annotations", 0, "github", " run sweep merge ", "print SLOs that did not pass as annotations of GitHub Actions",
     note_annotations},
    {"quiet", 'q', NULL, " report run validate sweep merge tune compare claims new plot ", "print nothing but errors",
     note_quiet},
    {"json", 0, NULL, " run sweep merge tune compare claims explain validate presets metrics ",
     "print JSON instead of the tables", note_json},
    {"help", 'h', NULL, NULL, "print this help", note_help},
    {"version", 'V', NULL, NULL, "print the version", note_version},
    {0}};
