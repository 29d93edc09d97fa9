/* fairlane new: a starting scenario, explained. */
#include "options.h"
#include "schema.h"
#include "templates.h"

#include "../memory.h"
#include "../results/file.h"
#include "../results/text.h"
#include "../scenario/keys.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Texts of the templates that fit their own place and are changed to fit the new file's. */
static const char own_schema[] = "  \"$schema\": \"../../../scenarios/schema/scenario.schema.json\",\n";
static const char own_version[] = "  \"version\": 1,\n";
static const char own_trace[] = "\"trace.csv\"";

/* Where it goes when the command line does not say. */
static const char default_path[] = "scenario.json";

static const struct cli_template *find(const char *name, const char *ending) {
    char file[64];
    snprintf(file, sizeof file, "%s%s", name, ending);
    for (size_t i = 0; i < cli_template_count; i++)
        if (!strcmp(cli_templates[i].name, file))
            return &cli_templates[i];
    return NULL;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* @p path without a ".json" at its end, and @p ending in its place. */
static char *with_ending(const char *path, const char *ending) {
    struct sim_text text = {0};
    size_t length = strlen(path), tail = strlen(".json");
    if (length > tail && !strcmp(path + length - tail, ".json"))
        length -= tail;
    sim_text_append(&text, path, length);
    sim_text_add(&text, ending);
    return sim_text_take(&text);
}

/* Replace the first @p what in *text, which must be there. */
static void replace(char **text, const char *what, const char *with) {
    char *found = strstr(*text, what);
    struct sim_text made = {0};
    assert(found);
    sim_text_append(&made, *text, (size_t)(found - *text));
    sim_text_add(&made, with);
    sim_text_add(&made, found + strlen(what));
    free(*text);
    *text = sim_text_take(&made);
}

static void fit_schema(char **text, const char *path) {
    char *folder = sim_strdup(path);
    folder[base_of(path) - path] = '\0';
    char *schema = cli_schema_for(*folder ? folder : ".");
    struct sim_text line = {0};
    if (schema) {
        sim_text_add(&line, "  \"$schema\": ");
        sim_text_json_string(&line, schema);
        sim_text_add(&line, ",\n");
    }
    char *taken = sim_text_take(&line);
    replace(text, own_schema, taken);
    free(taken);
    free(schema);
    free(folder);
}

/* A scenario is called after its file; where that name cannot serve, after its template. */
static void fit_name(char **text, const char *path, const char *template) {
    char *stem = with_ending(base_of(path), "");
    if (!sim_plain_name(stem)) {
        struct sim_text lines = {0};
        sim_text_printf(&lines, "%s  \"name\": \"%s\",\n", own_version, template);
        char *taken = sim_text_take(&lines);
        replace(text, own_version, taken);
        free(taken);
    }
    free(stem);
}

static void fit_trace(char **text, const char *trace_path) {
    struct sim_text quoted = {0};
    sim_text_json_string(&quoted, base_of(trace_path));
    char *taken = sim_text_take(&quoted);
    replace(text, own_trace, taken);
    free(taken);
}

/* Write a file that is not there yet. */
static bool create(const char *path, const char *text, const char *template, struct sim_located_error *error) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) {
        sim_error_set(error, path, 0, "",
                      "is there already and is not overwritten; name another file: fairlane new --template %s FILE",
                      template);
        return false;
    }
    bool good = fd >= 0 && sim_file_write_all(fd, text, strlen(text));
    int cause = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        cause = errno;
    }
    if (!good)
        sim_error_set(error, path, 0, "", "cannot be written: %s", strerror(cause));
    if (!good && fd >= 0)
        unlink(path);
    return good;
}

enum cli_exit cli_new(const struct cli_options *options, struct sim_located_error *error) {
    const char *path = options->file_count ? options->files[0] : default_path;
    const char *name = options->template ? options->template : "article";
    const struct cli_template *template = find(name, ".json"), *trace = find(name, ".csv");
    assert(template);
    char *text = sim_strdup(template->text), *trace_path = with_ending(path, ".csv");
    fit_schema(&text, path);
    fit_name(&text, path, name);
    if (trace)
        fit_trace(&text, trace_path);
    bool good = create(path, text, name, error);
    if (good && trace && !create(trace_path, trace->text, name, error)) {
        unlink(path);
        good = false;
    }
    if (good && !options->quiet) {
        printf("wrote %s%s%s\n", path, trace ? " and a sample trace, " : "", trace ? trace_path : "");
        printf("next: fairlane validate %s\n      fairlane run %s\n", path, path);
    }
    free(text);
    free(trace_path);
    return good ? CLI_OK : CLI_USAGE;
}
