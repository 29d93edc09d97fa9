#include "random_trial.h"

#include "scenario_edits.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHRINK_TRIES = 600, SECONDS_MAX = 20 };

void random_found(struct random_finding *finding, const char *property, const char *format, ...) {
    va_list arguments;
    size_t length;
    if (*finding->text)
        return;
    length = (size_t)snprintf(finding->text, sizeof finding->text, "%s: ", property);
    va_start(arguments, format);
    vsnprintf(finding->text + length, sizeof finding->text - length, format, arguments);
    va_end(arguments);
}

struct sim_scenario *random_read_text(const char *json, const struct sim_scenario_options *options,
                                      struct random_finding *finding) {
    char path[] = "/tmp/random-scenario-XXXXXX", text[2048];
    int file = mkstemp(path);
    struct sim_located_error error = {0};
    struct sim_scenario *scenario;
    cr_assert(file >= 0 && write(file, json, strlen(json)) == (ssize_t)strlen(json));
    close(file);
    scenario = sim_scenario_create(path, options, &error);
    if (!scenario)
        random_found(finding, "valid", "%s", sim_error_text(&error, text, sizeof text));
    unlink(path);
    return scenario;
}

struct sim_scenario *random_read(const cJSON *tree, const struct sim_scenario_options *options,
                                 struct random_finding *finding) {
    char *json = cJSON_Print(tree);
    struct sim_scenario *scenario = random_read_text(json, options, finding);
    free(json);
    return scenario;
}

/* ---- trying, shrinking, telling ---- */

/* Check @p tree in a process of its own. */
static struct random_finding try_in_child(random_property check, const cJSON *tree, uint64_t seed) {
    struct random_finding finding = {""};
    int ends[2], status = 0;
    cr_assert_eq(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        alarm(SECONDS_MAX);
        signal(SIGABRT, SIG_DFL);
        check(tree, seed, &finding);
        _exit(write(ends[1], finding.text, strlen(finding.text)) < 0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; length < sizeof finding.text - 1 &&
                      (got = read(ends[0], finding.text + length, sizeof finding.text - 1 - length)) > 0;)
        length += (size_t)got;
    finding.text[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        random_found(&finding, WTERMSIG(status) == SIGALRM ? "hangs" : "crashes", "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        random_found(&finding, "crashes", "exit %d", WEXITSTATUS(status));
    return finding;
}

struct chase {
    random_property check;
    uint64_t seed;
    struct random_finding finding;
};

/* Does it still break the same property? */
static bool still_fails(void *context, const cJSON *tree) {
    struct chase *chase = context;
    struct random_finding finding = try_in_child(chase->check, tree, chase->seed);
    size_t name = strcspn(chase->finding.text, ":") + 1;
    if (strncmp(finding.text, chase->finding.text, name) != 0)
        return false;
    chase->finding = finding;
    return true;
}

static void tell(struct chase *chase, cJSON *tree) {
    char path[64];
    /* A scenario that cannot be read is the generator's fault; a hang takes its time at every try. */
    bool slow = !strncmp(chase->finding.text, "hangs:", 6);
    if (strncmp(chase->finding.text, "valid:", 6) != 0)
        scenario_shrink(tree, still_fails, chase, slow ? SHRINK_TRIES / 20 : SHRINK_TRIES);
    char *json = cJSON_Print(tree);
    snprintf(path, sizeof path, "random-%llu.json", (unsigned long long)chase->seed);
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "%s\n", json);
        fclose(file);
    }
    cr_expect(false, "seed %llu: %s\n%s\n(also in %s)", (unsigned long long)chase->seed, chase->finding.text, json,
              path);
    free(json);
}

static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Check every second seed from @p first on. */
void random_check_seeds(random_property check, enum random_kind kind, uint64_t first) {
    uint64_t from = setting("FAIRLANE_RANDOM_SEED", 1), count = setting("FAIRLANE_RANDOM_COUNT", 200);
    int failures = 0;
    for (uint64_t seed = from + first; seed < from + count && failures < 3; seed += 2) {
        cJSON *tree = random_scenario(seed, kind);
        struct chase chase = {.check = check, .seed = seed, .finding = try_in_child(check, tree, seed)};
        if (*chase.finding.text) {
            tell(&chase, tree);
            failures++;
        }
        cJSON_Delete(tree);
    }
}
