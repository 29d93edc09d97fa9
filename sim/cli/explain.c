/* fairlane explain: why did this job take so long? */
#include "explain.h"
#include "options.h"

#include "../memory.h"
#include "../model_version.h"
#include "../results/json_file.h"
#include "../results/load.h"
#include "../run/longest.h"
#include "loaded.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the recorded run ---- */

/* The warm-up that the recorded run found, and whether this program is the one that ran it. */
static bool read_manifest(const struct cli_options *options, const char *path, struct sim_scenario *scenario,
                          struct sim_located_error *error) {
    struct sim_json_file file;
    const cJSON *warmup = NULL, *replications = NULL, *model = NULL;
    bool good =
        sim_json_file_open(&file, path, error) &&
        (warmup = sim_json_file_get(&file, (const char *const[]){"warmup_s"}, 1, SIM_JSON_NUMBER, error)) &&
        (model = sim_json_file_get(&file, (const char *const[]){"model"}, 1, SIM_JSON_NUMBER, error)) &&
        (replications = sim_json_file_get(&file, (const char *const[]){"replications"}, 1, SIM_JSON_NUMBER, error));
    if (good && !(replications->valuedouble >= 1 && replications->valuedouble <= MODEL_REPLICATIONS_MAX))
        good = sim_json_file_fail(&file, (const char *const[]){"replications"}, 1, error,
                                  "expected 1 or more, found %g", replications->valuedouble);
    if (good) {
        scenario->warmup_ns = (int64_t)(warmup->valuedouble * 1e9 + .5);
        scenario->warmup_auto = false;
        scenario->replications = (uint32_t)replications->valuedouble;
        if (model->valuedouble != SIM_MODEL_VERSION && !options->quiet)
            fprintf(stderr, "%s: made with version %g of the model, this is %d; jobs may fare differently now\n", path,
                    model->valuedouble, SIM_MODEL_VERSION);
    }
    sim_json_file_close(&file);
    return good;
}

static struct sim_scenario *open_run(const struct cli_options *options, struct sim_located_error *error) {
    const char *where = options->files[0];
    bool folder = sim_is_folder(where);
    size_t size = strlen(where) + sizeof "/manifest.json";
    char *path = sim_alloc(size);
    snprintf(path, size, "%s%s", where, folder ? "/manifest.json" : "");
    struct sim_scenario *scenario = sim_scenario_create(path, NULL, error);
    bool good = scenario &&
                (folder ? read_manifest(options, path, scenario, error) : cli_settle_warmup(options, scenario, error));
    free(path);
    if (good)
        return scenario;
    sim_scenario_destroy(scenario);
    return NULL;
}

/* ---- which jobs ---- */

static bool parse_job(const struct sim_scenario *scenario, const char *text, struct sim_life *ret,
                      struct sim_located_error *error) {
    unsigned replication, stream, number;
    int length = 0;
    if (strspn(text, "0123456789:.") != strlen(text) ||
        sscanf(text, "%9u:%9u.%9u%n", &replication, &stream, &number, &length) != 3 || text[length]) {
        sim_error_set(error, "", 0, "",
                      "--job: expected REPLICATION:STREAM.NUMBER such as 3:12.57 (jobs.csv: the "
                      "columns replication and job), found \"%.60s\"",
                      text);
        return false;
    }
    if (replication < 1 || replication > scenario->replications) {
        sim_error_set(error, "", 0, "", "--job %.40s: expected a replication from 1 to %u, found %u", text,
                      scenario->replications, replication);
        return false;
    }
    if (stream >= scenario->workload.stream_count) {
        sim_error_set(error, "", 0, "", "--job %.40s: expected a stream from 0 to %u, found %u", text,
                      scenario->workload.stream_count - 1, stream);
        return false;
    }
    *ret = (struct sim_life){.replication = replication, .stream = stream, .number = number};
    return true;
}

static int class_of(const char *name) {
    static const char *const names[] = {"critical", "standard", "batch"};
    for (int i = 0; name && i < SCHED_CLASSES; i++)
        if (!strcmp(name, names[i]))
            return i;
    return SCHED_CLASSES;
}

/* Fill @p lives with the named jobs, then the longest. @return how many, SIZE_MAX with *error. */
static size_t choose(const struct cli_options *options, const struct sim_scenario *scenario, struct sim_life *lives,
                     enum cli_exit *ret_code, struct sim_located_error *error) {
    size_t count = 0;
    *ret_code = CLI_USAGE;
    for (; count < options->job_id_count; count++)
        if (!parse_job(scenario, options->job_ids[count], &lives[count], error))
            return SIZE_MAX;
    if (options->worst == 0)
        return count;
    struct cli_progress progress;
    struct sim_run_options how = cli_run_options(options, &progress);
    struct sim_longest *longest = sim_calloc(options->worst, sizeof *longest);
    size_t found = sim_longest_find(scenario, options->worst, class_of(options->class_name), &how, longest, error);
    cli_progress_end(&progress);
    for (size_t i = 0; found != SIZE_MAX && i < found; i++)
        lives[count++] = (struct sim_life){
            .replication = longest[i].replication, .stream = longest[i].stream, .number = longest[i].number};
    free(longest);
    *ret_code = CLI_FAILURE;
    return found == SIZE_MAX ? SIZE_MAX : count;
}

static bool all_found(const struct sim_life *lives, size_t count, struct sim_located_error *error) {
    for (size_t i = 0; i < count; i++) {
        const struct sim_life *life = &lives[i];
        if (life->found)
            continue;
        sim_error_set(error, "", 0, "", "--job %u:%u.%u: no such job; stream %u has %u jobs in replication %u, from 0",
                      life->replication, life->stream, life->number, life->stream, life->stream_jobs,
                      life->replication);
        return false;
    }
    return true;
}

/* ---- all of it ---- */

static void print(const struct cli_options *options, const struct sim_scenario *scenario, const struct sim_life *lives,
                  size_t count) {
    struct cli_page page = cli_page_on(stdout);
    if (options->json) {
        char *json = cli_lives_json(scenario, lives, count);
        fputs(json, stdout);
        free(json);
        return;
    }
    if (count == 0)
        fputs("no such job was counted\n", stdout);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputs("\n", stdout);
        cli_print_life(&page, scenario, &lives[i], options->all);
    }
}

static enum cli_exit explain(const struct cli_options *options, const struct sim_scenario *scenario,
                             struct sim_located_error *error) {
    struct sim_life *lives = sim_calloc(options->job_id_count + options->worst, sizeof *lives);
    enum cli_exit code;
    size_t count = choose(options, scenario, lives, &code, error);
    if (count != SIZE_MAX) {
        code = CLI_FAILURE;
        if (sim_lives_trace(scenario, lives, count, options->stop, error)) {
            code = all_found(lives, count, error) ? CLI_OK : CLI_USAGE;
            if (code == CLI_OK)
                print(options, scenario, lives, count);
        }
    }
    for (size_t i = 0; i < options->job_id_count + options->worst; i++)
        sim_life_finish(&lives[i]);
    free(lives);
    return code;
}

enum cli_exit cli_explain(const struct cli_options *options, struct sim_located_error *error) {
    if (options->job_id_count == 0 && options->worst == 0) {
        sim_error_set(error, "", 0, "",
                      "expected --job ID (such as 3:12.57) or --worst NUMBER; see fairlane explain "
                      "--help");
        return CLI_USAGE;
    }
    if (options->class_name && options->worst == 0) {
        sim_error_set(error, "", 0, "", "--class chooses among the jobs of --worst, which is not given");
        return CLI_USAGE;
    }
    struct sim_scenario *scenario = open_run(options, error);
    if (!scenario)
        return CLI_USAGE;
    enum cli_exit code = explain(options, scenario, error);
    sim_scenario_destroy(scenario);
    return code;
}
