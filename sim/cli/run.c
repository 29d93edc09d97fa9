/* fairlane run: run scenarios, print what came of them, write their folders. */
#include "gate.h"
#include "loaded.h"
#include "report.h"

#include "../memory.h"
#include "../results/results.h"
#include "../run/job_rows.h"
#include "../run/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- before anything runs ---- */

/* Folder of the results; malloc'ed. */
static char *folder_path(const struct cli_options *options, const struct sim_scenario *scenario) {
    char *path = NULL;
    int length = options->out ? asprintf(&path, "%s", options->out) : asprintf(&path, "results/%s", scenario->name);
    assert(length >= 0);
    return path;
}

/* A name that can be a folder of results/, and is not taken for a kept predecessor or a folder in the making. */
static bool check_name(const struct cli_loaded *loaded, struct sim_located_error *error) {
    const char *name = loaded->scenario->name, *prev = ".prev";
    size_t length = strlen(name), tail = strlen(prev);
    bool good = *name && *name != '.' && !strchr(name, '/') && length < 200 &&
                (length < tail || strcmp(name + length - tail, prev) != 0);
    if (!good)
        sim_error_set(error, loaded->file, 0, "name",
                      "\"%s\" cannot name a folder under results/ (no \"/\", no \".\" in front, no \".prev\" behind); "
                      "change it, or use --out",
                      name);
    return good;
}

static bool check_names(const struct cli_options *options, const struct cli_loaded *loaded,
                        struct sim_located_error *error) {
    if (options->out && options->file_count > 1) {
        sim_error_set(error, "", 0, "", "--out names one folder, but there are %zu files", options->file_count);
        return false;
    }
    for (size_t i = 0; i < options->file_count && !options->out; i++) {
        if (!check_name(&loaded[i], error))
            return false;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(loaded[i].scenario->name, loaded[k].scenario->name) != 0)
                continue;
            sim_error_set(error, loaded[i].file, 0, "name",
                          "\"%s\" is also the name in %s; each needs its own, for results/NAME/",
                          loaded[i].scenario->name, loaded[k].file);
            return false;
        }
    }
    return true;
}

static bool check_folders(const struct cli_options *options, const struct cli_loaded *loaded,
                          struct sim_located_error *error) {
    bool good = true;
    for (size_t i = 0; i < options->file_count && good; i++) {
        char *path = folder_path(options, loaded[i].scenario);
        good = sim_folder_usable(path, error);
        free(path);
    }
    return good;
}

/* ---- one run ---- */

/* jobs.csv in the making: keeps the first error, which sim_run() does not know. */
struct job_rows {
    struct sim_folder_file *file;
    struct sim_located_error *error;
};

static bool take_job_rows(void *context, uint32_t replication, const char *csv, size_t length) {
    struct job_rows *rows = context;
    (void)replication;
    return sim_folder_append(rows->file, csv, length, rows->error);
}

static struct sim_folder_file *open_job_rows(struct sim_folder *folder, struct sim_located_error *error) {
    struct sim_folder_file *file = sim_folder_open(folder, "jobs.csv", error);
    if (!file || sim_folder_append(file, sim_job_rows_header, strlen(sim_job_rows_header), error))
        return file;
    sim_folder_close(file, error);
    return NULL;
}

static struct sim_result *simulate(const struct cli_options *options, const struct cli_loaded *loaded,
                                   struct sim_folder *folder, struct sim_located_error *error) {
    struct job_rows rows = {.error = error};
    if (options->jobs_csv && !(rows.file = open_job_rows(folder, error)))
        return NULL;
    struct cli_progress progress;
    struct sim_run_options run_options = cli_run_options(options, &progress);
    run_options.job_rows = rows.file ? take_job_rows : NULL;
    run_options.job_context = &rows;
    struct sim_result *result = sim_run(loaded->scenario, &run_options, error);
    cli_progress_end(&progress);
    if (!sim_folder_close(rows.file, error) && result) {
        sim_result_destroy(result);
        result = NULL;
    }
    return result;
}

/* The load sheet's warnings go in front of the run's own: summary.json shall hold all. */
static void add_load_warnings(struct sim_result *result, const struct sim_load *load) {
    size_t count = load->warning_count;
    result->warnings = sim_realloc(result->warnings, result->warning_count + count, sizeof *result->warnings);
    memmove(result->warnings + count, result->warnings, result->warning_count * sizeof *result->warnings);
    for (size_t i = 0; i < count; i++)
        result->warnings[i] = sim_strdup(load->warnings[i]);
    result->warning_count += count;
}

static bool write_and_print(const struct cli_options *options, const struct cli_loaded *loaded,
                            const struct sim_result *result, struct sim_folder *folder, const char *path,
                            struct sim_located_error *error) {
    if (*options->stop) {
        sim_error_set(error, "", 0, "", "interrupted; nothing was written to %s", path);
        return false;
    }
    if (!sim_results_write(folder, result, error) || !sim_folder_commit(folder, error))
        return false;
    if (options->json) {
        char *json = sim_summary_json(result);
        fputs(json, stdout);
        free(json);
    } else if (!options->quiet) {
        struct cli_page page = cli_page_on(stdout);
        cli_print_report(&page, result, loaded->load->warning_count, path);
    }
    return true;
}

static void fill_gate(struct cli_gate *gate, const struct cli_loaded *loaded, const struct sim_result *result) {
    const struct sim_precision_result *precision = &result->precision;
    const char *name = result->scenario->name;
    for (size_t i = 0; i < result->slo_count; i++)
        cli_gate_add(gate, name, "", loaded->file, &result->slos[i], &result->slo_results[i]);
    if (precision->figure)
        cli_gate_add_rule(gate, name, "", loaded->file, "precision", precision->reached ? SIM_PASS : SIM_INCONCLUSIVE,
                          precision->why ? precision->why : precision->figure->name);
}

/* With --json, standard output holds JSON and nothing else. */
static void print_before(const struct cli_options *options, const struct cli_loaded *loaded) {
    struct cli_page page = cli_page_on(options->json ? stderr : stdout);
    if (options->quiet)
        return;
    if (!options->json) {
        cli_print_heading(&page, loaded->scenario);
        cli_print_load_brief(&page, loaded);
    }
    cli_print_load_warnings(&page, loaded);
    fflush(page.out);
}

static enum cli_exit run_one(const struct cli_options *options, const struct cli_loaded *loaded, struct cli_gate *gate,
                             struct sim_located_error *error) {
    enum cli_exit code = CLI_FAILURE;
    char *path = folder_path(options, loaded->scenario);
    print_before(options, loaded);
    struct sim_folder *folder = sim_folder_create(path, error);
    struct sim_result *result = folder ? simulate(options, loaded, folder, error) : NULL;
    if (result) {
        add_load_warnings(result, loaded->load);
        if (write_and_print(options, loaded, result, folder, path, error))
            code = CLI_OK;
        if (code == CLI_OK)
            fill_gate(gate, loaded, result);
    }
    sim_result_destroy(result);
    sim_folder_destroy(folder);
    free(path);
    return code;
}

enum cli_exit cli_run(const struct cli_options *options, struct sim_located_error *error) {
    struct cli_loaded *loaded = cli_load_all(options, error);
    if (!loaded)
        return CLI_USAGE;
    enum cli_exit code = CLI_USAGE;
    if (check_names(options, loaded, error) && check_folders(options, loaded, error)) {
        struct cli_gate gate = {0};
        code = CLI_OK;
        for (size_t i = 0; i < options->file_count && code == CLI_OK; i++) {
            if (i && !options->quiet && !options->json)
                putchar('\n');
            code = run_one(options, &loaded[i], &gate, error);
        }
        if (code == CLI_OK)
            code = cli_gate_write(&gate, options, error) ? cli_gate_exit(&gate) : CLI_FAILURE;
        cli_gate_finish(&gate);
    }
    cli_unload_all(loaded, options->file_count);
    return code;
}
