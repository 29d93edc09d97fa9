/* fairlane sweep: run a study, or a part of it, and say what came of it. */
#include "../study/sweep.h"
#include "../memory.h"
#include "../world.h"
#include "advise.h"
#include "options.h"
#include "progress.h"
#include "study_report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Everything between reading the study and its end. */
struct job {
    const struct cli_options *options;
    struct sim_study *study;
    struct sim_configurations configurations;
    struct sim_stored_study stored;
    struct sim_shard shard;
    char *folder, *path; /* of the database */
    struct sim_unit *units;
    size_t unit_count, unit_total;
    struct sim_located_error *error;
};

/* ---- before ---- */

static const char *variable(const char *name) {
    return getenv(name);
}

static bool read_shard(struct job *job) {
    const struct cli_options *options = job->options;
    job->shard = (struct sim_shard){1, 1};
    if (!options->shard)
        return true;
    if (!sim_shard_read(options->shard, variable, &job->shard, job->error))
        return false;
    if (options->junit || options->markdown || options->annotations || options->json) {
        sim_error_set(job->error, "", 0, "",
                      "a shard has no verdicts: --junit, --markdown, --annotations and --json belong to `fairlane "
                      "merge`");
        return false;
    }
    return true;
}

static void name_folder(struct job *job) {
    const struct cli_options *options = job->options;
    int length = options->out     ? asprintf(&job->folder, "%s", options->out)
                 : options->shard ? asprintf(&job->folder, "results/%s/shard-%u-of-%u", job->study->name,
                                             job->shard.index, job->shard.count)
                                  : asprintf(&job->folder, "results/%s", job->study->name);
    if (length < 0 || asprintf(&job->path, "%s/study.db", job->folder) < 0)
        sim_out_of_memory();
}

static bool enumerate(struct job *job) {
    struct sim_expression *filter = NULL;
    struct sim_located_error why = {0};
    if (job->options->filter) {
        filter = sim_study_expression(job->study, job->options->filter, &why);
        if (!filter) {
            sim_error_set(job->error, "", 0, "", "--filter: %s", why.message);
            return false;
        }
    }
    bool good = sim_study_enumerate(job->study, filter, &job->configurations, job->error);
    sim_expression_destroy(filter);
    return good;
}

static void print_list(const struct job *job) {
    struct sim_scenario_memory *memory = sim_memory_create();
    struct cli_page page = cli_page_on(stdout);
    for (size_t i = 0; i < job->configurations.count; i++) {
        fprintf(page.out, "%zu\t", i + 1);
        cli_put(&page, CLI_PLAIN,
                sim_study_label(job->study, &job->configurations.values[i * job->study->axis_count], memory));
        fputc('\n', page.out);
    }
    sim_memory_destroy(memory);
}

/* What is to be done: hashes, and with them what is there already. */
static bool plan(struct job *job, struct sim_store *store) {
    return sim_sweep_describe(job->study, &job->configurations, job->options->stop, &job->stored, job->error) &&
           sim_sweep_missing(store, &job->stored, job->shard, &job->units, &job->unit_count, &job->unit_total,
                             job->error);
}

/* ---- dry run ---- */

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds that one unit takes on one thread: the mean of a few, spread over those to do, until two seconds are gone. */
static bool time_units(const struct job *job, double *ret_s, size_t *ret_timed) {
    enum { TIMED_MAX = 8 };
    const double enough_s = 2;
    double begun = now_s();
    size_t timed = 0;
    while (timed < TIMED_MAX && timed < job->unit_count && now_s() - begun < enough_s && !*job->options->stop) {
        const struct sim_unit *unit = &job->units[job->unit_count * timed / TIMED_MAX];
        const char *const *values = &job->configurations.values[unit->configuration * job->study->axis_count];
        struct sim_scenario *scenario = sim_study_scenario(job->study, values, job->error);
        if (!scenario)
            return false;
        struct sim_located_error ignored = {0};
        struct sim_world_options options = {.stop = job->options->stop};
        sim_outcome_destroy(sim_world_run(scenario, unit->replication, &options, &ignored));
        sim_scenario_destroy(scenario);
        timed++;
    }
    *ret_s = timed ? (now_s() - begun) / (double)timed : 0;
    *ret_timed = timed;
    return true;
}

static enum cli_exit dry_run(struct job *job) {
    struct sim_located_error ignored = {0};
    struct sim_store *store = access(job->path, F_OK) == 0 ? sim_store_open_read(job->path, &ignored) : NULL;
    double unit_s;
    size_t timed;
    char text[32];
    bool good = plan(job, store) && time_units(job, &unit_s, &timed);
    sim_store_close(store);
    if (!good)
        return CLI_USAGE;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t threads = job->options->jobs ? job->options->jobs : cores > 0 ? (uint32_t)cores : 1;
    printf("%zu configurations x %u replications", job->configurations.count, job->study->repeat);
    if (job->options->shard)
        printf(", shard %u of %u", job->shard.index, job->shard.count);
    printf(": %zu units, %zu of them done, %zu to do\n", job->unit_total, job->unit_total - job->unit_count,
           job->unit_count);
    if (timed)
        printf("about %s on %u thread%s (%zu units timed, %.3g ms each)\n",
               cli_duration(unit_s * (double)job->unit_count / threads, text), threads, threads == 1 ? "" : "s", timed,
               1000 * unit_s);
    return CLI_OK;
}

/* ---- the sweep ---- */

static bool sweep(struct job *job, struct sim_store *store) {
    const struct cli_options *options = job->options;
    struct cli_progress progress = cli_progress_begin("units", options->quiet || !job->unit_count);
    const struct sim_sweep_options sweep_options = {
        .jobs = options->jobs, .stop = options->stop, .progress = cli_progress_show, .progress_context = &progress};
    size_t done = 0;
    bool good = sim_sweep_run(job->study, &job->configurations, store, job->units, job->unit_count, &sweep_options,
                              &done, job->error);
    cli_progress_end(&progress);
    if (!good && !*job->error->message)
        sim_error_set(job->error, "", 0, "",
                      "interrupted; %zu of %zu units are in %s, and the same command goes on from there",
                      job->unit_total - job->unit_count + done, job->unit_total, job->path);
    return good;
}

static enum cli_exit end(const struct job *job, struct sim_store *store) {
    const struct cli_options *options = job->options;
    if (!options->shard)
        return cli_study_end(options, store, job->folder, job->study->file, job->error);
    if (!options->quiet)
        printf("shard %u of %u is complete in %s/; when all are: fairlane merge %s%s%s DIR...\n", job->shard.index,
               job->shard.count, job->folder, options->out ? "OUT" : "results/", options->out ? "" : job->study->name,
               "");
    return CLI_OK;
}

static enum cli_exit run(struct job *job) {
    struct sim_store *store = sim_store_open(job->path, job->error);
    if (!store)
        return CLI_FAILURE;
    enum cli_exit code = CLI_USAGE;
    if (!plan(job, store)) {
        code = *job->options->stop ? CLI_FAILURE : CLI_USAGE;
        if (*job->options->stop)
            sim_error_set(job->error, "", 0, "", "interrupted before anything ran");
    } else {
        code = CLI_FAILURE;
        if (sim_store_set_study(store, &job->stored, job->error) && sweep(job, store))
            code = end(job, store);
    }
    sim_store_close(store);
    return code;
}

static enum cli_exit work(struct job *job) {
    const struct cli_options *options = job->options;
    struct sim_scenario_options given = cli_scenario_options(options);
    job->study = sim_study_create(options->files[0], &given, job->error);
    if (!job->study)
        cli_advise(options->files[0], options->verb, CLI_STUDY, job->error);
    if (!job->study || !cli_spares_scenario(options, job->study->base, job->error) || !read_shard(job) ||
        !enumerate(job))
        return CLI_USAGE;
    if (options->list) {
        print_list(job);
        return CLI_OK;
    }
    name_folder(job);
    if (!sim_sweep_folder_usable(job->folder, job->error))
        return CLI_USAGE;
    if (!sim_study_settle_warmup(job->study, options->jobs, options->stop, job->error))
        return CLI_FAILURE;
    return options->dry_run ? dry_run(job) : run(job);
}

enum cli_exit cli_sweep(const struct cli_options *options, struct sim_located_error *error) {
    struct job job = {.options = options, .error = error};
    enum cli_exit code = work(&job);
    free(job.units);
    free(job.folder);
    free(job.path);
    sim_stored_study_finish(&job.stored);
    sim_configurations_finish(&job.configurations);
    sim_study_destroy(job.study);
    return code;
}
