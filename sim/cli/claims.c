/* fairlane claims: what somebody states, held against what studies measure. */
#include "../claims/claims.h"

#include "../memory.h"
#include "../plot/view.h"
#include "../results/file.h"
#include "../results/json_file.h"
#include "../study/sweep.h"
#include "advise.h"
#include "claims_page.h"
#include "claims_pictures.h"
#include "claims_table.h"
#include "options.h"
#include "progress.h"
#include "schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_file[] = "scenarios/article/claims.json";

static char *path_in(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        sim_out_of_memory();
    return path;
}

static char *folder_of(const struct cli_options *options, const struct sim_claims *claims) {
    return options->out ? sim_strdup(options->out) : path_in("results", claims->name);
}

/* ---- what must not be lost ---- */

/* Files of the claims that lie in their folder, beside one folder a study. */
static const char *const own_files[] = {"claims.json", "claims.csv"};
static const char *const study_files[] = {"study.db", "study.csv", "summary.json"};
enum { OWN_FILES = sizeof own_files / sizeof *own_files, STUDY_FILES = sizeof study_files / sizeof *study_files };

/* Is @p output one of the files that the claims read? */
static bool spares_inputs(const struct sim_claims *claims, const char *output, struct sim_located_error *error) {
    const char *const file[] = {claims->file};
    bool fits = cli_spares(output, file, 1, error) &&
                (!claims->base || cli_spares(output, claims->base->files, claims->base->file_count, error));
    for (size_t i = 0; fits && i < claims->study_count; i++) {
        const struct sim_study *study = claims->studies[i].study;
        const char *const own[] = {study->file};
        fits =
            cli_spares(output, own, 1, error) && cli_spares(output, study->base->files, study->base->file_count, error);
    }
    return fits;
}

/* Results that the page must not be written over. */
static bool spares_results(const struct sim_claims *claims, const char *folder, const char *page,
                           struct sim_located_error *error) {
    bool fits = true;
    for (size_t k = 0; fits && k < OWN_FILES; k++) {
        char *path = path_in(folder, own_files[k]);
        fits = strcmp(page, path) != 0 && !sim_file_same(page, path);
        free(path);
    }
    for (size_t i = 0; fits && i < claims->study_count; i++)
        for (size_t k = 0; fits && k < STUDY_FILES; k++) {
            char *within = path_in(folder, claims->studies[i].study->name), *path = path_in(within, study_files[k]);
            fits = strcmp(page, path) != 0 && !sim_file_same(page, path);
            free(path);
            free(within);
        }
    if (!fits)
        sim_error_set(error, page, 0, "", "is a file of the results; name another for the page");
    return fits;
}

/* Does the folder hold what is not ours: other results, or claims of another name? */
static bool is_ours(const struct sim_claims *claims, const char *folder, struct sim_located_error *error) {
    static const char *const others[] = {"manifest.json", "study.db", "compare.json", "tune.json"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *path = path_in(folder, others[i]);
        bool there = access(path, F_OK) == 0;
        free(path);
        if (there) {
            sim_error_set(error, folder, 0, "", "holds other results; give the claims another name, or use --out");
            return false;
        }
    }
    char *path = path_in(folder, "claims.json");
    struct sim_json_file file = {0};
    struct sim_located_error ignored = {0};
    bool read = access(path, F_OK) == 0 && sim_json_file_open(&file, path, &ignored);
    const char *name = read ? sim_json_text_at(file.tree, "name") : claims->name;
    bool ours = strcmp(name, claims->name) == 0;
    if (!ours)
        sim_error_set(error, folder, 0, "", "holds the claims \"%.100s\"; use another --out", name);
    sim_json_file_close(&file);
    free(path);
    return ours;
}

static bool check_outputs(const struct cli_options *options, const struct sim_claims *claims, const char *folder,
                          struct sim_located_error *error) {
    bool fits = true;
    for (size_t k = 0; fits && k < OWN_FILES; k++) {
        char *path = path_in(folder, own_files[k]);
        fits = spares_inputs(claims, path, error);
        free(path);
    }
    fits = fits && is_ours(claims, folder, error);
    for (size_t i = 0; fits && i < claims->study_count; i++) {
        char *within = path_in(folder, claims->studies[i].study->name);
        fits = sim_sweep_folder_usable(within, error);
        free(within);
    }
    return fits && (!options->markdown || (spares_inputs(claims, options->markdown, error) &&
                                           spares_results(claims, folder, options->markdown, error)));
}

/* ---- running ---- */

static bool write_file(const char *folder, const char *name, const char *text, struct sim_located_error *error) {
    char *path = path_in(folder, name);
    bool good = sim_file_replace(path, text, error);
    free(path);
    return good;
}

static bool run(const struct cli_options *options, struct sim_claims *claims, const char *folder,
                struct sim_located_error *error) {
    struct cli_progress progress = cli_progress_begin("units", options->quiet);
    progress.patient = true;
    const struct sim_claims_options claims_options = {.folder = folder,
                                                      .jobs = options->jobs,
                                                      .stop = options->stop,
                                                      .progress = cli_progress_show,
                                                      .progress_context = &progress};
    bool good = sim_claims_run(claims, &claims_options, error);
    cli_progress_end(&progress);
    if (!good && !*error->message)
        sim_error_set(error, "", 0, "",
                      "interrupted; what was run is kept in %s, and the same command goes on from there", folder);
    return good;
}

/* Without gnuplot the page is written all the same, and the error says why its pictures are missing. */
static bool write_page(const struct cli_options *options, const struct sim_claims *claims, const cJSON *summary,
                       const char *folder, struct sim_located_error *error) {
    struct sim_located_error why = {0}, unwritten = {0};
    struct cli_claim_pictures pictures;
    bool drawn = cli_claims_draw(options, folder, &pictures, &why);
    char *page = cli_claims_page(claims, summary, &pictures);
    bool good = sim_file_replace(options->markdown, page, &unwritten);
    if (!good)
        *error = unwritten;
    else if (!drawn)
        sim_error_set(error, options->markdown, 0, "", "is written without all of its pictures: %s",
                      *why.message ? why.message : "interrupted");
    free(page);
    cli_claim_pictures_finish(&pictures);
    return good && drawn;
}

/* ---- all of it ---- */

static bool tell(const struct cli_options *options, const struct sim_claims *claims, const char *json,
                 const char *folder, struct sim_located_error *error) {
    cJSON *summary = cJSON_Parse(json);
    assert(summary);
    if (options->json) {
        fputs(json, stdout);
    } else if (!options->quiet) {
        struct cli_page page = cli_page_on(stdout);
        cli_print_claims(&page, summary, folder);
    }
    bool good = !options->markdown || write_page(options, claims, summary, folder, error);
    cJSON_Delete(summary);
    return good;
}

/* One claim alone is told and not written: it would take the place of all. */
static bool write_and_tell(const struct cli_options *options, const struct sim_claims *claims, const char *folder,
                           struct sim_located_error *error) {
    char *json = sim_claims_json(claims), *csv = sim_claims_csv(claims);
    bool good = options->only ||
                (write_file(folder, own_files[0], json, error) && write_file(folder, own_files[1], csv, error));
    good = good && tell(options, claims, json, folder, error);
    free(json);
    free(csv);
    return good;
}

/* What there is, for who only wants to know whether the file will do. */
static enum cli_exit dry_run(const struct cli_options *options, const struct sim_claims *claims) {
    size_t measures = 0, units = 0;
    for (size_t i = 0; i < claims->count; i++)
        measures += claims->claims[i].count;
    for (size_t i = 0; i < claims->study_count; i++)
        units += claims->studies[i].configurations.count * claims->studies[i].study->repeat;
    if (!options->quiet)
        printf("claims: %zu, measures: %zu, studies: %zu, replications: %zu\n", claims->count, measures,
               claims->study_count, units);
    return CLI_OK;
}

static enum cli_exit work(const struct cli_options *options, const char *file, struct sim_located_error *error) {
    struct sim_scenario_options given = cli_scenario_options(options);
    if (options->only && options->markdown) {
        sim_error_set(error, "", 0, "", "--markdown writes a page of all claims: leave out --only");
        return CLI_USAGE;
    }
    if (options->dry_run && (options->markdown || options->json)) {
        sim_error_set(error, "", 0, "", "--dry-run runs nothing that --markdown or --json could tell: leave one out");
        return CLI_USAGE;
    }
    struct sim_claims *claims = sim_claims_create(file, &given, options->only, error);
    if (!claims) {
        cli_advise(file, options->verb, CLI_CLAIMS, error);
        return CLI_USAGE;
    }
    if (options->dry_run) {
        enum cli_exit code = dry_run(options, claims);
        sim_claims_destroy(claims);
        return code;
    }
    char *folder = folder_of(options, claims);
    enum cli_exit code = CLI_USAGE;
    if (check_outputs(options, claims, folder, error))
        code = run(options, claims, folder, error) && write_and_tell(options, claims, folder, error) ? CLI_OK
                                                                                                     : CLI_FAILURE;
    free(folder);
    sim_claims_destroy(claims);
    return code;
}

enum cli_exit cli_claims(const struct cli_options *options, struct sim_located_error *error) {
    char *file = options->file_count ? sim_strdup(options->files[0]) : cli_shipped_file(default_file);
    enum cli_exit code = work(options, file, error);
    free(file);
    return code;
}
