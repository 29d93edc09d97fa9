/* fairlane tune: recommend values for a study's knobs, and say how sure that is. */
#include "../memory.h"
#include "../tune/files.h"
#include "advise.h"
#include "options.h"
#include "progress.h"
#include "tune_report.h"

#include <stdlib.h>
#include <string.h>

/* What the callbacks need: stages are printed as they end, between bars of progress. */
struct show {
    struct cli_page page;
    bool stages;
    bool quiet;
    bool begun;
    struct cli_progress progress;
};

static void show_progress(void *context, size_t done, size_t total) {
    struct show *show = context;
    if (!show->begun)
        show->progress = cli_progress_begin("replications", show->quiet);
    show->begun = true;
    cli_progress_show(&show->progress, done, total);
    if (done < total)
        return;
    cli_progress_end(&show->progress);
    show->begun = false;
}

static void show_stage(void *context, const struct sim_tune *tune, enum sim_tune_stage stage) {
    struct show *show = context;
    if (show->stages)
        cli_tune_stage(&show->page, tune, stage);
}

static char *folder_path(const struct cli_options *options, const struct sim_study *study) {
    char *path;
    int length = options->out ? asprintf(&path, "%s", options->out) : asprintf(&path, "results/%s-tune", study->name);
    if (length < 0)
        sim_out_of_memory();
    return path;
}

static bool run(const struct cli_options *options, struct sim_tune *tune, struct sim_located_error *error) {
    struct show show = {.page = cli_page_on(stdout), .stages = !options->json && !options->quiet};
    /* Lines of progress in a log would only repeat what the stages say. */
    show.quiet = options->quiet || !cli_progress_begin("", false).terminal;
    const struct sim_tune_options tune_options = {
        .jobs = options->jobs, .stop = options->stop, .progress = show_progress, .stage = show_stage, .context = &show};
    if (show.stages)
        cli_tune_heading(&show.page, tune->study);
    fflush(stdout);
    bool good = sim_tune_run(tune, &tune_options, error);
    if (show.begun)
        cli_progress_end(&show.progress);
    if (!good && !*error->message)
        sim_error_set(error, "", 0, "", "interrupted; nothing was written");
    return good;
}

static bool write_and_print(const struct cli_options *options, const struct sim_tune *tune, const char *path,
                            struct sim_located_error *error) {
    struct sim_folder *folder = sim_folder_create(path, error);
    bool good = folder && sim_tune_write(folder, tune, error) && sim_folder_commit(folder, error);
    sim_folder_destroy(folder);
    if (!good)
        return false;
    if (options->json) {
        char *json = sim_tune_json(tune);
        fputs(json, stdout);
        free(json);
    } else if (!options->quiet) {
        struct cli_page page = cli_page_on(stdout);
        cli_tune_verdict(&page, tune, path);
    }
    return true;
}

static enum cli_exit exit_of(enum sim_tune_verdict verdict) {
    switch (verdict) {
    case SIM_TUNE_RECOMMENDED:
    case SIM_TUNE_NO_BETTER:
        return CLI_OK;
    case SIM_TUNE_NOTHING:
        return CLI_FAILED_SLO;
    case SIM_TUNE_INCONCLUSIVE:
        break;
    }
    return CLI_INCONCLUSIVE;
}

static enum cli_exit work(const struct cli_options *options, struct sim_study *study, struct sim_tune *tune,
                          const char *path, struct sim_located_error *error) {
    if (!sim_folder_usable(path, error))
        return CLI_USAGE;
    if (!sim_study_settle_warmup(study, options->jobs, options->stop, error))
        return CLI_FAILURE;
    if (!run(options, tune, error))
        return tune->bad_study ? CLI_USAGE : CLI_FAILURE;
    return write_and_print(options, tune, path, error) ? exit_of(tune->verdict) : CLI_FAILURE;
}

enum cli_exit cli_tune(const struct cli_options *options, struct sim_located_error *error) {
    struct sim_scenario_options given = cli_scenario_options(options);
    struct sim_study *study = sim_study_create(options->files[0], &given, error);
    if (!study)
        cli_advise(options->files[0], options->verb, CLI_STUDY, error);
    struct sim_tune *tune = study ? sim_tune_create(study, error) : NULL;
    enum cli_exit code = CLI_USAGE;
    if (tune) {
        char *path = folder_path(options, study);
        code = work(options, study, tune, path, error);
        free(path);
    }
    sim_tune_destroy(tune);
    sim_study_destroy(study);
    return code;
}
