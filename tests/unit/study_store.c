/* Outcomes through the pack and the database; units through the threads. */
#include "../../sim/study/execute.h"
#include "../../sim/study/pack.h"
#include "../../sim/study/store.h"
#include "../../sim/world.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Busy enough for 429s, censored jobs and retries. */
static const char scenario_text[] =
    "{\"version\": 1, \"name\": \"s\", \"duration_s\": 120, \"drain_s\": 10, \"workers\": 2, \"endpoint\": {\"limits\":"
    " {\"rpm\": 20}, \"latency\": {\"ttft_ms\": 500}}, \"tenants\": [{\"id\": \"a\", \"streams\": [{\"origin\":"
    " \"user_action\", \"arrivals\": {\"poisson\": {\"rate_per_s\": 0.6}}, \"input_tokens\": 100, \"output_tokens\": "
    "50}]}],"
    " \"slo\": [\"critical.latency.p99 <= 2\", \"jain.service >= 0.5\"]}";

static void set_up(void) {
    strcpy(folder, "/tmp/fairlane-store-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    write_file("s.json", scenario_text);
}

static void tear_down(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(store, .init = set_up, .fini = tear_down);

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct sim_scenario *load(void *context, uint32_t configuration, struct sim_located_error *error) {
    char set[64];
    snprintf(set, sizeof set, "workers=%u", configuration + 1);
    const struct sim_scenario_options options = {.sets = (const char *const[]){set}, .set_count = 1};
    (*(int *)context)++;
    return sim_scenario_create(in_folder("s.json"), &options, error);
}

struct taken {
    int loads; /* first: `load` counts here */
    size_t count;
    struct sim_outcome *outcomes[8][8]; /* by configuration and replication - 1 */
    struct sim_store *store;
    volatile int stop;
    size_t stop_after;
    bool refuse;
};

static bool take(void *context, const struct sim_unit *unit, const struct sim_scenario *scenario,
                 const struct sim_figures *figures, struct sim_outcome *outcome, struct sim_located_error *error) {
    struct taken *taken = context;
    if (taken->refuse) {
        sim_outcome_destroy(outcome);
        sim_error_set(error, "", 0, "", "refused");
        return false;
    }
    cr_assert(taken->outcomes[unit->configuration][unit->replication - 1] == NULL);
    taken->outcomes[unit->configuration][unit->replication - 1] = outcome;
    taken->stop = ++taken->count == taken->stop_after ? 1 : taken->stop;
    return taken->store == NULL ||
           sim_store_put(taken->store, scenario->hash, unit->replication, figures, outcome, NULL, error);
}

static bool run(struct taken *taken, uint32_t configurations, uint32_t replications, uint32_t jobs,
                struct sim_located_error *error) {
    struct sim_unit units[64];
    size_t count = 0;
    for (uint32_t c = 0; c < configurations; c++)
        for (uint32_t r = 1; r <= replications; r++)
            units[count++] = (struct sim_unit){c, r};
    const struct sim_executor executor = {
        .load = load, .take = take, .context = taken, .jobs = jobs, .stop = &taken->stop};
    return sim_execute(units, count, &executor, error);
}

static void drop(struct taken *taken) {
    for (int c = 0; c < 8; c++)
        for (int r = 0; r < 8; r++)
            sim_outcome_destroy(taken->outcomes[c][r]);
}

static void expect_same(const struct sim_outcome *one, const struct sim_outcome *other) {
    size_t length[2];
    uint8_t *bytes[2] = {sim_outcome_pack(one, &length[0]), sim_outcome_pack(other, &length[1])};
    cr_assert_eq(length[0], length[1]);
    cr_assert_eq(memcmp(bytes[0], bytes[1], length[0]), 0);
    free(bytes[0]);
    free(bytes[1]);
}

Test(store, an_outcome_comes_back_whole) {
    struct sim_located_error error = {0};
    struct taken taken = {0};
    cr_assert(run(&taken, 1, 1, 1, &error), "%s", error.message);
    const struct sim_outcome *outcome = taken.outcomes[0][0];
    cr_assert(outcome->samples[2 * SIM_GROUP_ALL].beyond > 0 && outcome->samples[2 * SIM_GROUP_ALL].count > 0);
    cr_assert_gt(outcome->over[0], 0);
    size_t length;
    uint8_t *bytes = sim_outcome_pack(outcome, &length);
    struct sim_outcome *back = sim_outcome_unpack(bytes, length);
    cr_assert(back != NULL);
    expect_same(outcome, back);
    cr_assert_eq(back->slot_count, outcome->slot_count);
    cr_assert_eq(memcmp(back->value, outcome->value, outcome->slot_count * sizeof *back->value), 0);
    cr_assert_eq(memcmp(back->weight, outcome->weight, outcome->slot_count * sizeof *back->weight), 0);
    cr_assert_eq(back->sample_count, outcome->sample_count);
    for (size_t i = 0; i < outcome->sample_count; i++) {
        const struct sim_sample *one = &outcome->samples[i], *other = &back->samples[i];
        cr_assert(one->count == other->count && one->beyond == other->beyond && one->max_ns == other->max_ns &&
                  one->beyond_min_ns == other->beyond_min_ns && one->bin_count == other->bin_count);
        cr_assert(!(one->sum_s < other->sum_s) && !(one->sum_s > other->sum_s));
        for (size_t k = 0; k < one->bin_count; k++)
            cr_assert(one->bins[k].bin == other->bins[k].bin && one->bins[k].count == other->bins[k].count);
    }
    cr_assert(back->over[0] == outcome->over[0] && back->jobs == outcome->jobs);
    sim_outcome_destroy(back);
    free(bytes);
    drop(&taken);
}

/* Every prefix and every flipped byte must be told or read as something else, never crash; the sanitizers watch. */
Test(store, damage_is_told) {
    struct sim_located_error error = {0};
    struct taken taken = {0};
    cr_assert(run(&taken, 1, 1, 1, &error), "%s", error.message);
    size_t length;
    uint8_t *bytes = sim_outcome_pack(taken.outcomes[0][0], &length);
    for (size_t cut = 0; cut < length; cut += cut < 64 ? 1 : 7)
        cr_assert(sim_outcome_unpack(bytes, cut) == NULL, "%zu of %zu bytes were taken", cut, length);
    for (size_t i = 0; i < length; i += i < 64 ? 1 : 3) {
        bytes[i] ^= 0xff;
        sim_outcome_destroy(sim_outcome_unpack(bytes, length));
        bytes[i] ^= 0xff;
    }
    bytes[0] = 'X';
    cr_assert(sim_outcome_unpack(bytes, length) == NULL);
    free(bytes);
    drop(&taken);
}

/* Three threads, three configurations: every unit once, each scenario read once, the same outcomes as on one thread. */
Test(store, threads_do_not_show) {
    struct sim_located_error error = {0};
    struct taken one = {0}, three = {0};
    cr_assert(run(&one, 3, 5, 1, &error), "%s", error.message);
    cr_assert(run(&three, 3, 5, 3, &error), "%s", error.message);
    cr_assert_eq(one.loads, 3);
    cr_assert_eq(three.count, 15);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 5; r++)
            expect_same(one.outcomes[c][r], three.outcomes[c][r]);
    drop(&one);
    drop(&three);
}

Test(store, a_stop_finishes_what_runs) {
    struct sim_located_error error = {0};
    struct taken taken = {.stop_after = 4};
    cr_assert(!run(&taken, 3, 5, 2, &error));
    cr_assert_str_empty(error.message);
    cr_assert(taken.count >= 4 && taken.count <= 5, "%zu", taken.count);
    drop(&taken);
    struct taken refusing = {.refuse = true};
    cr_assert(!run(&refusing, 3, 5, 2, &error));
    cr_assert_str_eq(error.message, "refused");
}

Test(store, rows_are_found_again) {
    struct sim_located_error error = {0};
    struct taken taken = {.store = sim_store_open(in_folder("deep/er/study.db"), &error)};
    cr_assert(taken.store != NULL, "%s", error.message);
    cr_assert(run(&taken, 2, 3, 2, &error), "%s", error.message);
    struct sim_scenario *scenario = load(&taken.loads, 1, &error);
    cr_assert(sim_store_put(taken.store, scenario->hash, 7, NULL, NULL, "too much", &error), "%s", error.message);
    sim_store_close(taken.store);

    struct sim_store *store = sim_store_open_read(in_folder("deep/er/study.db"), &error);
    cr_assert(store != NULL, "%s", error.message);
    bool done[8] = {false}, expected[8] = {true, true, true, false, false, false, true, false};
    cr_assert(sim_store_done(store, scenario->hash, 8, done, &error), "%s", error.message);
    cr_assert_eq(memcmp(done, expected, sizeof done), 0);
    struct sim_outcome *outcome = NULL;
    char *failure = NULL;
    cr_assert(sim_store_get(store, scenario->hash, 2, &outcome, &failure, &error), "%s", error.message);
    cr_assert(failure == NULL);
    expect_same(outcome, taken.outcomes[1][1]);
    sim_outcome_destroy(outcome);
    cr_assert(sim_store_get(store, scenario->hash, 7, &outcome, &failure, &error));
    cr_assert(outcome == NULL);
    cr_assert_str_eq(failure, "too much");
    free(failure);
    cr_assert(sim_store_get(store, scenario->hash, 5, &outcome, &failure, &error));
    cr_assert(outcome == NULL && failure == NULL);
    sim_store_close(store);
    sim_scenario_destroy(scenario);
    drop(&taken);
}

Test(store, other_files_are_left_alone) {
    struct sim_located_error error = {0};
    write_file("text.db",
               "this is no database, and long enough to have a header of a hundred bytes, which SQLite reads "
               "first of all and finds wanting");
    cr_assert(sim_store_open(in_folder("text.db"), &error) == NULL);
    cr_assert(strstr(error.message, "not a database") != NULL, "%s", error.message);
    char command[256];
    error = (struct sim_located_error){0};
    cr_assert(sim_store_open_read(in_folder("none.db"), &error) == NULL);
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c \"import sqlite3; c = sqlite3.connect('%s/other.db'); "
             "c.execute('CREATE TABLE t(x)')\"",
             folder);
    cr_assert_eq(system(command), 0);
    error = (struct sim_located_error){0};
    cr_assert(sim_store_open(in_folder("other.db"), &error) == NULL);
    cr_assert(strstr(error.message, "none of a study") != NULL, "%s", error.message);
}

Test(store, a_study_is_kept_and_replaced) {
    struct sim_located_error error = {0};
    struct sim_store *store = sim_store_open(in_folder("study.db"), &error);
    struct sim_stored_study got;
    cr_assert(store != NULL, "%s", error.message);
    cr_assert(!sim_store_study(store, &got, &error));
    struct sim_stored_configuration rows[] = {
        {.hash = "h2", .label = "b", .knobs = "{\"x\": 2}", .slo = "[]", .tenants = "[\"t\"]"},
        {.hash = "h1", .label = "a", .knobs = "{\"x\": 1}", .slo = "[]", .tenants = "[\"t\"]"},
        {.hash = "h3", .label = "c", .knobs = "{\"x\": 3}", .slo = "[\"s\"]", .tenants = "[\"u\"]"}};
    struct sim_stored_study study = {
        .about = "{}", .model_version = 3, .repeat = 4, .configurations = rows, .count = 3};
    for (int round = 0; round < 2; round++) {
        study.count = round == 0 ? 3 : 2;
        error = (struct sim_located_error){0};
        cr_assert(sim_store_set_study(store, &study, &error), "%s", error.message);
        cr_assert(sim_store_study(store, &got, &error), "%s", error.message);
        cr_assert(sim_stored_study_same(&study, &got));
        cr_assert_eq(got.count, study.count);
        cr_assert_str_eq(got.configurations[1].tenants, "[\"t\"]");
        got.repeat++;
        cr_assert(!sim_stored_study_same(&study, &got));
        sim_stored_study_finish(&got);
    }
    sim_store_close(store);
}
