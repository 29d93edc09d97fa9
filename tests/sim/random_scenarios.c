/** Properties that must hold of any scenario, on scenarios drawn from seeds.
 *
 *  Each seed is tried in a process of its own, so that a crash or a hang is a finding like any other. One that fails is
 *  shrunk to a small scenario that fails in the same way, which is printed and kept as random-SEED.json in the current
 *  folder. FAIRLANE_RANDOM_COUNT: how many seeds a property gets (default 150; a soak: 20000). FAIRLANE_RANDOM_SEED: the
 *  first one (default 1). */
#include "../../sim/memory.h"
#include "../../sim/results/results.h"
#include "../../sim/results/text.h"
#include "../../sim/scenario/keys.h"
#include "../../sim/world.h"
#include "../support/random_scenario.h"
#include "../support/scenario_edits.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHRINK_TRIES = 600, SECONDS_MAX = 20 };

/* ---- findings ---- */

/* What is wrong with a scenario: the property's name, a colon, and details. Empty: nothing. */
struct finding {
    char text[1024];
};

__attribute__((format(printf, 3, 4))) static void found(struct finding *finding, const char *property,
                                                        const char *format, ...) {
    va_list arguments;
    size_t length;
    if (*finding->text)
        return;
    length = (size_t)snprintf(finding->text, sizeof finding->text, "%s: ", property);
    va_start(arguments, format);
    vsnprintf(finding->text + length, sizeof finding->text - length, format, arguments);
    va_end(arguments);
}

static struct sim_scenario *read_scenario(const cJSON *tree, const struct sim_scenario_options *options,
                                          struct finding *finding) {
    char path[] = "/tmp/random-scenario-XXXXXX", text[2048];
    int file = mkstemp(path);
    char *json = cJSON_Print(tree);
    struct sim_located_error error = {0};
    struct sim_scenario *scenario;
    cr_assert(file >= 0 && json && write(file, json, strlen(json)) == (ssize_t)strlen(json));
    close(file);
    scenario = sim_scenario_create(path, options, &error);
    if (!scenario)
        found(finding, "valid", "%s", sim_error_text(&error, text, sizeof text));
    unlink(path);
    free(json);
    return scenario;
}

static struct sim_result *run(const struct sim_scenario *scenario, uint32_t jobs, struct finding *finding) {
    struct sim_run_options options = {.jobs = jobs};
    struct sim_located_error error = {0};
    struct sim_result *result = sim_run(scenario, &options, &error);
    char text[2048];
    if (!result)
        found(finding, "runs", "%s", sim_error_text(&error, text, sizeof text));
    return result;
}

/* ---- any scenario ---- */

/* Everything that a run writes but the manifest. */
static char *texts_of(const struct sim_result *result) {
    char *(*const writers[])(const struct sim_result *) = {sim_summary_json,   sim_replications_csv, sim_tenants_csv,
                                                           sim_timeseries_csv, sim_latency_csv,      sim_metrics_prom};
    struct sim_text text = {0};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char *one = writers[i](result);
        sim_text_add(&text, one);
        free(one);
    }
    return sim_text_take(&text);
}

static char *texts_of_run(const cJSON *tree, const struct sim_scenario_options *options, uint32_t jobs,
                          struct finding *finding) {
    struct sim_scenario *scenario = read_scenario(tree, options, finding);
    struct sim_result *result = scenario ? run(scenario, jobs, finding) : NULL;
    char *texts = result ? texts_of(result) : NULL;
    sim_result_destroy(result);
    sim_scenario_destroy(scenario);
    return texts;
}

/* The first line in which two texts differ. */
static void compare_texts(const char *a, const char *b, const char *property, const char *what,
                          struct finding *finding) {
    const char *line = b;
    if (!a || !b)
        return;
    for (; *a && *a == *b; a++, b++)
        if (*b == '\n')
            line = b + 1;
    if (*a || *b)
        found(finding, property, "%s changes a result, at: %.*s", what, (int)strcspn(line, "\n"), line);
}

static double value_of(const struct sim_result *result, const char *name) {
    const struct sim_figure *figure = sim_figures_find(result->figures, name);
    cr_assert(figure, "%s", name);
    return result->estimates[figure - result->figures->rows].value;
}

static void check_invariants(const struct sim_result *result, struct finding *finding) {
    const struct sim_invariants *broken = &result->invariants;
    if (broken->conservation + broken->time_in_system + broken->work_conservation + broken->bucket + broken->clock)
        found(finding, "invariants",
              "conservation %llu, time in system %llu, work conservation %llu, bucket %llu, "
              "clock %llu",
              (unsigned long long)broken->conservation, (unsigned long long)broken->time_in_system,
              (unsigned long long)broken->work_conservation, (unsigned long long)broken->bucket,
              (unsigned long long)broken->clock);
}

static void check_counts(const struct sim_result *result, const char *group, struct finding *finding) {
    static const char *const ends[] = {"completed", "failed", "abandoned", "censored"};
    char name[96];
    double sum = 0, arrived;
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s.%s", group, ends[i]);
        sum += value_of(result, name);
    }
    snprintf(name, sizeof name, "%s.arrived", group);
    arrived = value_of(result, name);
    if (fabs(arrived - sum) > 1e-6)
        found(finding, "counts", "%s: %g arrived, %g ended", group, arrived, sum);
}

static void check_order(const struct sim_result *result, const char *group, struct finding *finding) {
    static const char *const rising[] = {"p50", "p90", "p95", "p99", "p999", "max"};
    double last = 0;
    for (size_t i = 0; i < 6; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s.%s", group, rising[i]);
        double value = value_of(result, name);
        if (value < last)
            found(finding, "order", "%s is %g, below the quantile before it, %g", name, value, last);
        if (!isnan(value))
            last = value;
    }
}

static void check_bounds(const struct sim_result *result, struct finding *finding) {
    static const char *const shares[] = {"jain.service",          "jain.weighted",       "jain.entitlement",
                                         "jain.service.windowed", "throttles.rate",      "retries.recurrence",
                                         "retries.early_share",   "workers.busy",        "workers.backoff",
                                         "workers.idle",          "demotions.time_share"};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double value = value_of(result, shares[i]);
        if (value < 0 || value > 1 + 1e-12)
            found(finding, "bounds", "%s is %g", shares[i], value);
    }
    double workers =
        value_of(result, "workers.busy") + value_of(result, "workers.backoff") + value_of(result, "workers.idle");
    if (fabs(workers - 1) > 1e-9)
        found(finding, "bounds", "worker shares add up to %.12g", workers);
    if (value_of(result, "retries.amplification") < 1)
        found(finding, "bounds", "retries.amplification is %g", value_of(result, "retries.amplification"));
    for (size_t i = 0; i < result->figures->count; i++) {
        const struct sim_estimate *estimate = &result->estimates[i];
        double slack = 1e-9 * fabs(estimate->value);
        if (estimate->lo > estimate->value + slack || estimate->hi < estimate->value - slack)
            found(finding, "bounds", "%s is %g, outside its interval [%g, %g]", result->figures->rows[i].name,
                  estimate->value, estimate->lo, estimate->hi);
    }
}

static void check_figures(const struct sim_result *result, struct finding *finding) {
    static const char *const groups[] = {"critical", "standard", "batch", "all"};
    check_invariants(result, finding);
    for (size_t i = 0; i < 4; i++) {
        char name[64];
        check_counts(result, groups[i], finding);
        snprintf(name, sizeof name, "requested.%s", groups[i]);
        check_counts(result, name, finding);
        static const char *const samples[] = {"%s.latency", "%s.wait", "served.%s.latency"};
        for (size_t k = 0; k < 3; k++) {
            snprintf(name, sizeof name, samples[k], groups[i]);
            check_order(result, name, finding);
        }
    }
    check_bounds(result, finding);
}

/* ---- defaults ---- */

struct defaults {
    char *sets[256];
    size_t count;
};

/* Every key with a default that @p tree leaves out, as an argument of --set. */
static void collect(struct defaults *defaults, const struct sim_table *table, const cJSON *tree, const char *prefix) {
    for (size_t i = 0; i < table->count; i++) {
        const struct sim_key *row = &table->rows[i];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(tree, row->name);
        char path[256];
        snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", row->name);
        bool plain_object = row->type == SIM_KEY_OBJECT && row->table;
        if (plain_object && (value || row->offset_flag == SIM_NO_FLAG))
            collect(defaults, row->table, value, path);
        else if (!value && row->initial && defaults->count < sizeof defaults->sets / sizeof *defaults->sets &&
                 asprintf(&defaults->sets[defaults->count], "%s=%s", path, row->initial) >= 0)
            defaults->count++;
    }
}

/* Three of them, by the seed. */
static void check_defaults(const cJSON *tree, uint64_t seed, const char *texts, struct finding *finding) {
    struct defaults defaults = {.count = 0};
    collect(&defaults, sim_scenario_key.table, tree, "");
    cr_assert_gt(defaults.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const char *set = defaults.sets[(seed * 7 + i * 11) % defaults.count];
        struct sim_scenario_options options = {.sets = &set, .set_count = 1};
        char *other = texts_of_run(tree, &options, 1, finding);
        compare_texts(texts, other, "defaults", set, finding);
        free(other);
    }
    for (size_t i = 0; i < defaults.count; i++)
        free(defaults.sets[i]);
}

/* ---- names ---- */

static bool refills_by_timer(const struct sim_scenario *scenario) {
    return scenario->scheduler.tenants.policy == SCHED_DRR && scenario->scheduler.tenants.refill == SCHED_REFILL_TIMER;
}

static void check_names(const cJSON *tree, const char *texts, struct finding *finding) {
    cJSON *renamed = cJSON_Duplicate(tree, true);
    scenario_rename(renamed);
    char *other = texts_of_run(renamed, NULL, 1, finding);
    if (other) {
        char *back = scenario_unrename(other);
        compare_texts(texts, back, "names", "renaming tenants", finding);
        free(back);
    }
    free(other);
    cJSON_Delete(renamed);
}

static void check_any(const cJSON *tree, uint64_t seed, struct finding *finding) {
    struct sim_scenario *scenario = read_scenario(tree, NULL, finding);
    struct sim_result *result = scenario ? run(scenario, 1, finding) : NULL;
    if (!result) {
        sim_scenario_destroy(scenario);
        return;
    }
    check_figures(result, finding);
    char *texts = texts_of(result);
    char *threads = texts_of_run(tree, NULL, 2, finding);
    compare_texts(texts, threads, "threads", "a second thread", finding);
    check_defaults(tree, seed, texts, finding);
    /* A timer's phase is a hash of the tenant's id. */
    if (!refills_by_timer(scenario))
        check_names(tree, texts, finding);
    free(threads);
    free(texts);
    sim_result_destroy(result);
    sim_scenario_destroy(scenario);
}

/* ---- plain scenarios: what happened to each job ---- */

struct record {
    uint32_t stream, number;
    int64_t wait_ns, latency_ns;
    enum sim_ending ending;
};

struct span {
    int64_t begin_ns, end_ns;
};

struct log {
    struct record *records;
    size_t count, room;
    struct span *busy; /* of the only worker: times without a pause */
    size_t spans, spans_room;
};

static void log_ended(void *context, uint32_t replication, const struct sim_job *job, enum sim_ending ending,
                      int64_t end_ns) {
    struct log *log = context;
    (void)replication;
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->records = sim_realloc(log->records, log->room, sizeof *log->records);
    }
    log->records[log->count++] = (struct record){
        .stream = job->stream,
        .number = job->number,
        .wait_ns = job->sched.first_dispatch_ns < 0 ? 0 : job->sched.first_dispatch_ns - job->sched.enqueued_ns,
        .latency_ns = end_ns - job->sched.enqueued_ns,
        .ending = ending};
}

static void log_attempted(void *context, uint32_t replication, const struct sim_job *job, int64_t now_ns,
                          const struct model_admission *admission) {
    struct log *log = context;
    (void)replication;
    (void)admission;
    if (log->spans > 0 && log->busy[log->spans - 1].end_ns == now_ns) {
        log->busy[log->spans - 1].end_ns = job->request.done_ns;
        return;
    }
    if (log->spans == log->spans_room) {
        log->spans_room = log->spans_room ? 2 * log->spans_room : 256;
        log->busy = sim_realloc(log->busy, log->spans_room, sizeof *log->busy);
    }
    log->busy[log->spans++] = (struct span){now_ns, job->request.done_ns};
}

static int by_job(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The jobs of replication 1, in order of their numbers. */
static struct log log_of(const cJSON *tree, struct finding *finding) {
    struct log log = {0};
    struct sim_scenario *scenario = read_scenario(tree, NULL, finding);
    struct sim_observer observer = {.ended = log_ended, .attempted = log_attempted, .context = &log};
    struct sim_world_options options = {.observer = &observer};
    struct sim_located_error error = {0};
    if (!scenario)
        return log;
    struct sim_outcome *outcome = sim_world_run(scenario, 1, &options, &error);
    if (!outcome)
        found(finding, "runs", "%s", error.message);
    qsort(log.records, log.count, sizeof *log.records, by_job);
    sim_outcome_destroy(outcome);
    sim_scenario_destroy(scenario);
    return log;
}

static void forget(struct log *log) {
    free(log->records);
    free(log->busy);
}

static void compare_pace(const struct log *slow, const struct log *fast, struct finding *finding) {
    if (slow->count != fast->count) {
        found(finding, "pace", "%zu jobs instead of %zu", slow->count, fast->count);
        return;
    }
    for (size_t i = 0; i < fast->count; i++) {
        const struct record *a = &fast->records[i], *b = &slow->records[i];
        if (a->ending != b->ending || llabs(b->latency_ns - 2 * a->latency_ns) > 1000 ||
            llabs(b->wait_ns - 2 * a->wait_ns) > 1000) {
            found(finding, "pace", "job %u.%u: waits %lld and takes %lld ns, at half the pace %lld and %lld", a->stream,
                  a->number, (long long)a->wait_ns, (long long)a->latency_ns, (long long)b->wait_ns,
                  (long long)b->latency_ns);
            return;
        }
    }
}

/* Does it state all the times whose defaults would not be stretched? */
static bool states_its_times(const cJSON *tree) {
    const cJSON *latency = cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "endpoint"), "latency");
    const cJSON *batch = cJSON_GetObjectItem(tree, "batch");
    return cJSON_HasObjectItem(tree, "drain_s") && cJSON_HasObjectItem(latency, "ttft_ms") &&
           cJSON_HasObjectItem(latency, "output_tokens_per_s") &&
           (!batch || (cJSON_HasObjectItem(batch, "flush_s") && cJSON_HasObjectItem(batch, "completion_s") &&
                       cJSON_HasObjectItem(batch, "expires_s")));
}

/* Twice as slow: twice as long. */
static void check_pace(const cJSON *tree, uint64_t seed, struct finding *finding) {
    cJSON *stretched = cJSON_Duplicate(tree, true);
    (void)seed;
    if (!states_its_times(tree)) {
        cJSON_Delete(stretched);
        return;
    }
    scenario_stretch(stretched, 2);
    struct log fast = log_of(tree, finding), slow = log_of(stretched, finding);
    if (!*finding->text)
        compare_pace(&slow, &fast, finding);
    forget(&fast);
    forget(&slow);
    cJSON_Delete(stretched);
}

/* ---- one worker, no drops ---- */

/* Leave out what makes the work itself depend on the order: impatience, feedback, lingering, other workers. */
static void only_order(cJSON *tree) {
    cJSON *child = tree->child;
    while (child) {
        cJSON *next = child->next;
        const char *key = child->string ? child->string : "";
        if (!strcmp(key, "patience_s") || !strcmp(key, "batch") || !strcmp(key, "critical_linger_ms")) {
            cJSON_Delete(cJSON_DetachItemViaPointer(tree, child));
        } else if (!strcmp(key, "closed")) {
            cJSON_Delete(cJSON_DetachItemViaPointer(tree, child));
            cJSON_AddNumberToObject(cJSON_AddObjectToObject(tree, "poisson"), "rate_per_s", 1);
        } else {
            only_order(child);
        }
        child = next;
    }
}

static void set_number(cJSON *tree, const char *key, double value) {
    cJSON_DeleteItemFromObject(tree, key);
    cJSON_AddNumberToObject(tree, key, value);
}

static void compare_work(const struct log *a, const struct log *b, const char *policy, struct finding *finding) {
    if (a->spans != b->spans) {
        found(finding, "work", "%zu busy periods under fifo, %zu under %s", a->spans, b->spans, policy);
        return;
    }
    for (size_t i = 0; i < a->spans; i++)
        if (a->busy[i].begin_ns != b->busy[i].begin_ns || a->busy[i].end_ns != b->busy[i].end_ns) {
            found(finding, "work", "busy period %zu: %lld to %lld under fifo, %lld to %lld under %s", i,
                  (long long)a->busy[i].begin_ns, (long long)a->busy[i].end_ns, (long long)b->busy[i].begin_ns,
                  (long long)b->busy[i].end_ns, policy);
            return;
        }
}

/* The same arrivals and the same busy periods: the same unfinished work at every instant, under every policy. */
static void check_work(const cJSON *tree, uint64_t seed, struct finding *finding) {
    static const char *const policies[] = {"fifo", "drr", "round_robin", "vtc"};
    cJSON *copy = cJSON_Duplicate(tree, true);
    struct log first = {0};
    (void)seed;
    only_order(copy);
    set_number(copy, "workers", 1);
    set_number(copy, "drain_s", 1e7);
    for (size_t i = 0; i < 4; i++) {
        cJSON *tenants = cJSON_GetObjectItem(cJSON_GetObjectItem(copy, "scheduler"), "tenants");
        cJSON_DeleteItemFromObject(tenants, "policy");
        cJSON_AddStringToObject(tenants, "policy", policies[i]);
        struct log log = log_of(copy, finding);
        if (i == 0) {
            first = log;
            continue;
        }
        if (!*finding->text && tenants)
            compare_work(&first, &log, policies[i], finding);
        forget(&log);
    }
    forget(&first);
    cJSON_Delete(copy);
}

/* ---- trying, shrinking, telling ---- */

typedef void (*property)(const cJSON *tree, uint64_t seed, struct finding *finding);

/* Check @p tree in a process of its own. */
static struct finding try_in_child(property check, const cJSON *tree, uint64_t seed) {
    struct finding finding = {""};
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
        found(&finding, WTERMSIG(status) == SIGALRM ? "hangs" : "crashes", "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        found(&finding, "crashes", "exit %d", WEXITSTATUS(status));
    return finding;
}

struct chase {
    property check;
    uint64_t seed;
    struct finding finding;
};

/* Does it still break the same property? */
static bool still_fails(void *context, const cJSON *tree) {
    struct chase *chase = context;
    struct finding finding = try_in_child(chase->check, tree, chase->seed);
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
static void check_seeds(property check, enum random_kind kind, uint64_t first) {
    uint64_t from = setting("FAIRLANE_RANDOM_SEED", 1), count = setting("FAIRLANE_RANDOM_COUNT", 150);
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

/* Halves, so that two cores have something to do. */
Test(random_scenarios, any_even) {
    check_seeds(check_any, RANDOM_ANY, 1);
}

Test(random_scenarios, any_odd) {
    check_seeds(check_any, RANDOM_ANY, 0);
}

Test(random_scenarios, twice_as_slow) {
    check_seeds(check_pace, RANDOM_PLAIN, 0);
    check_seeds(check_pace, RANDOM_PLAIN, 1);
}

Test(random_scenarios, one_worker_under_any_policy) {
    check_seeds(check_work, RANDOM_PLAIN, 0);
    check_seeds(check_work, RANDOM_PLAIN, 1);
}
