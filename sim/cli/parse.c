/* The parser that the tables of verbs and options drive. */
#include "nearest.h"
#include "options.h"

#include "../memory.h"
#include "../results/file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_takes(const struct cli_verb *verb, const struct cli_option *option) {
    if (!option->verbs || !verb)
        return !option->verbs;
    size_t length = strlen(verb->name);
    for (const char *at = option->verbs; (at = strstr(at, verb->name)); at += length)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static const struct cli_verb *find_verb(const char *name, struct sim_located_error *error) {
    const char *names[32];
    size_t count = 0;
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++) {
        if (!strcmp(verb->name, name))
            return verb;
        assert(count < 32);
        names[count++] = verb->name;
    }
    const char *nearest = cli_nearest(name, names, count);
    if (nearest)
        sim_error_set(error, "", 0, "", "unknown verb \"%s\"; did you mean \"%s\"? See fairlane --help", name, nearest);
    else
        sim_error_set(error, "", 0, "", "unknown verb \"%s\"; see fairlane --help", name);
    return NULL;
}

static bool unknown_option(const char *given, size_t length, const struct cli_verb *verb,
                           struct sim_located_error *error) {
    const char *names[64];
    size_t count = 0;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, given);
    for (const struct cli_option *option = cli_option_table; option->name; option++) {
        if (verb && !cli_takes(verb, option))
            continue;
        assert(count < 64);
        names[count++] = option->name;
    }
    const char *nearest = cli_nearest(name, names, count);
    const char *help = verb ? verb->name : "";
    if (nearest)
        sim_error_set(error, "", 0, "", "unknown option --%s; did you mean --%s? See fairlane %s%s--help", name,
                      nearest, help, verb ? " " : "");
    else
        sim_error_set(error, "", 0, "", "unknown option --%s; see fairlane %s%s--help", name, help, verb ? " " : "");
    return false;
}

static const struct cli_option *find_long(const char *name, size_t length) {
    for (const struct cli_option *option = cli_option_table; option->name; option++)
        if (strlen(option->name) == length && !strncmp(option->name, name, length))
            return option;
    return NULL;
}

static const struct cli_option *find_letter(char letter) {
    for (const struct cli_option *option = cli_option_table; option->name; option++)
        if (letter && option->letter == letter)
            return option;
    return NULL;
}

/* An option as it was met; noted only once the verb is known, which may stand after it. */
struct met {
    const struct cli_option *option;
    const char *argument;
};

struct parser {
    struct cli_options *options;
    struct sim_located_error *error;
    char **argv;
    int argc, at;
    const char **operands;
    size_t operand_count;
    struct met *met;
    size_t met_count;
};

/* Note down `option`, whose argument is `attached` or, without one, the next word. */
static bool meet(struct parser *parser, const struct cli_option *option, const char *attached) {
    if (option->argument && !attached) {
        if (parser->at >= parser->argc) {
            sim_error_set(parser->error, "", 0, "", "--%s: expected %s after it", option->name, option->argument);
            return false;
        }
        attached = parser->argv[parser->at++];
    }
    if (!option->argument && attached) {
        sim_error_set(parser->error, "", 0, "", "--%s takes no value, found \"%s\"", option->name, attached);
        return false;
    }
    parser->met[parser->met_count++] = (struct met){option, attached};
    return true;
}

static bool meet_long(struct parser *parser, const char *word) {
    size_t length = strcspn(word, "=");
    const struct cli_option *option = find_long(word, length);
    if (!option) {
        struct sim_located_error ignored = {0};
        const struct cli_verb *verb = parser->operand_count ? find_verb(parser->operands[0], &ignored) : NULL;
        return unknown_option(word, length, verb, parser->error);
    }
    return meet(parser, option, word[length] ? word + length + 1 : NULL);
}

static bool meet_letters(struct parser *parser, const char *letters) {
    for (; *letters; letters++) {
        const struct cli_option *option = find_letter(*letters);
        if (!option) {
            sim_error_set(parser->error, "", 0, "", "unknown option -%c; see fairlane --help", *letters);
            return false;
        }
        if (option->argument)
            return meet(parser, option, letters[1] ? letters + 1 : NULL);
        if (!meet(parser, option, NULL))
            return false;
    }
    return true;
}

/* Sort the words into operands and options. */
static bool split_words(struct parser *parser) {
    bool only_operands = false;
    while (parser->at < parser->argc) {
        const char *word = parser->argv[parser->at++];
        bool good = true;
        if (only_operands || word[0] != '-' || !word[1])
            parser->operands[parser->operand_count++] = word;
        else if (!strcmp(word, "--"))
            only_operands = true;
        else if (word[1] == '-')
            good = meet_long(parser, word + 2);
        else
            good = meet_letters(parser, word + 1);
        if (!good)
            return false;
    }
    return true;
}

static bool refuse_here(const struct cli_verb *verb, const struct cli_option *option, struct sim_located_error *error) {
    if (verb)
        sim_error_set(error, "", 0, "", "%s takes no --%s; see fairlane %s --help", verb->name, option->name,
                      verb->name);
    else
        sim_error_set(error, "", 0, "", "expected a verb with --%s; see fairlane --help", option->name);
    return false;
}

/* An option may have a row for each sort of argument that verbs take with it: the one of `verb`. */
static const struct cli_option *row_of(const struct cli_verb *verb, const struct cli_option *option) {
    for (const struct cli_option *row = cli_option_table; row->name; row++)
        if (!strcmp(row->name, option->name) && cli_takes(verb, row))
            return row;
    return option;
}

static bool note_each(struct parser *parser) {
    struct cli_options *options = parser->options;
    for (size_t i = 0; i < parser->met_count; i++) {
        const struct cli_option *option = row_of(options->verb, parser->met[i].option);
        if (!cli_takes(options->verb, option))
            return refuse_here(options->verb, option, parser->error);
        if (!option->note(options, option, parser->met[i].argument, parser->error))
            return false;
    }
    return true;
}

static bool check_operands(const struct cli_options *options, struct sim_located_error *error) {
    const struct cli_verb *verb = options->verb;
    if (options->help || options->version ||
        (options->file_count >= verb->operands_min && options->file_count <= verb->operands_max))
        return true;
    if (options->file_count < verb->operands_min)
        sim_error_set(error, "", 0, "", "expected %s after \"%s\"; see fairlane %s --help", verb->operands, verb->name,
                      verb->name);
    else
        sim_error_set(error, "", 0, "", "unexpected \"%s\"; see fairlane %s --help", options->files[verb->operands_max],
                      verb->name);
    return false;
}

static bool parse(struct parser *parser) {
    struct cli_options *options = parser->options;
    if (!split_words(parser))
        return false;
    size_t first = 0;
    if (parser->operand_count && !strcmp(parser->operands[0], "help")) {
        options->help = true;
        first = 1;
    }
    if (parser->operand_count > first && !(options->verb = find_verb(parser->operands[first++], parser->error)))
        return false;
    for (size_t i = first; i < parser->operand_count; i++)
        options->files[options->file_count++] = parser->operands[i];
    if (!note_each(parser))
        return false;
    if (options->verb)
        return check_operands(options, parser->error);
    if (options->help || options->version)
        return true;
    sim_error_set(parser->error, "", 0, "", "expected a verb, such as: fairlane run FILE; see fairlane --help");
    return false;
}

bool cli_options_parse(struct cli_options *ret, int argc, char **argv, struct sim_located_error *error) {
    size_t room = (size_t)argc + 1;
    size_t letters = 0;
    for (int i = 1; i < argc; i++)
        letters += strlen(argv[i]);
    *ret = (struct cli_options){.files = sim_calloc(room, sizeof *ret->files),
                                .sets = sim_calloc(room, sizeof *ret->sets),
                                .set_files = sim_calloc(room, sizeof *ret->set_files),
                                .fail_ons = sim_calloc(room, sizeof *ret->fail_ons),
                                .job_ids = sim_calloc(room, sizeof *ret->job_ids)};
    struct parser parser = {.options = ret, .error = error, .argv = argv, .argc = argc, .at = 1};
    parser.operands = sim_calloc(room, sizeof *parser.operands);
    parser.met = sim_calloc(room + letters, sizeof *parser.met);
    bool good = parse(&parser);
    free(parser.operands);
    free(parser.met);
    return good;
}

void cli_options_finish(struct cli_options *options) {
    for (size_t i = 0; i < options->set_count; i++)
        free(options->sets[i]);
    free(options->sets);
    free(options->files);
    free(options->set_files);
    free(options->fail_ons);
    free(options->job_ids);
    *options = (struct cli_options){0};
}

struct sim_scenario_options cli_scenario_options(const struct cli_options *options) {
    return (struct sim_scenario_options){.sets = (const char *const *)options->sets,
                                         .set_count = options->set_count,
                                         .set_files = options->set_files,
                                         .set_file_count = options->set_file_count};
}

bool cli_spares(const char *output, const char *const *inputs, size_t count, struct sim_located_error *error) {
    for (size_t i = 0; output && i < count; i++)
        if (sim_file_same(output, inputs[i])) {
            sim_error_set(error, output, 0, "",
                          "is also an input, which writing to it would destroy; name another file");
            return false;
        }
    return true;
}

bool cli_spares_scenario(const struct cli_options *options, const struct sim_scenario *scenario,
                         struct sim_located_error *error) {
    const char *const outputs[] = {options->junit, options->markdown};
    bool fits = true;
    for (size_t i = 0; fits && i < sizeof outputs / sizeof *outputs; i++) {
        fits = cli_spares(outputs[i], scenario->files, scenario->file_count, error);
        for (size_t k = 0; fits && k < scenario->trace_count; k++) {
            const char *const trace[] = {scenario->traces[k].path};
            fits = cli_spares(outputs[i], trace, 1, error);
        }
    }
    return fits;
}

/* Does @p path lie in @p folder, by their names? */
static bool is_within(const char *path, const char *folder) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool cli_output_fits(const struct cli_options *options, const char *output, struct sim_located_error *error) {
    if (!output)
        return true;
    bool within = is_within(output, options->out ? options->out : "results");
    struct sim_located_error why = {0};
    if (sim_file_writable(output, &why) || (within && errno == ENOENT))
        return true;
    *error = why;
    return false;
}
