/* Which part of a study a process does. */
#include "../../sim/study/shard.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <string.h>

struct setting {
    const char *name, *value;
};

/* The environment of the test at hand, ended by a row without name. */
static const struct setting *settings;

static const char *variable(const char *name) {
    for (const struct setting *setting = settings; setting->name != NULL; setting++)
        if (strcmp(setting->name, name) == 0)
            return setting->value;
    return NULL;
}

static void expect(const char *text, const struct setting *environment, uint32_t index, uint32_t count) {
    struct sim_shard shard = {0};
    struct sim_located_error error = {0};
    settings = environment;
    cr_assert(sim_shard_read(text, variable, &shard, &error), "%s: %s", text, error.message);
    cr_assert(shard.index == index && shard.count == count, "%s: %u/%u", text, shard.index, shard.count);
}

static void refuse(const char *text, const struct setting *environment, const char *words) {
    struct sim_shard shard;
    struct sim_located_error error = {0};
    settings = environment;
    cr_assert(!sim_shard_read(text, variable, &shard, &error), "%s was taken", text);
    cr_assert(strstr(error.message, words) != NULL, "%s: %s", text, error.message);
}

static const struct setting none[] = {{0}};

Test(shard, reads_parts) {
    expect("1/1", none, 1, 1);
    expect("7/7", none, 7, 7);
    expect("3/1000000", none, 3, 1000000);
    static const char *const bad[] = {"",     "1",    "0/3",   "4/3", "1/0",       "-1/3",
                                      "1/3 ", " 1/3", "1/3/3", "a/b", "1/1000001", "1,3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i], none, "I/N");
}

#define SLURM(id, min, max, count)                                                                                     \
    (const struct setting[]) {                                                                                         \
        {"SLURM_ARRAY_TASK_ID", id}, {"SLURM_ARRAY_TASK_MIN", min}, {"SLURM_ARRAY_TASK_MAX", max},                     \
            {"SLURM_ARRAY_TASK_COUNT", count}, {                                                                       \
            0                                                                                                          \
        }                                                                                                              \
    }

Test(shard, auto_is_the_task_of_a_slurm_array) {
    expect("auto", SLURM("1", "1", "8", "8"), 1, 8);
    expect("auto", SLURM("0", "0", "2", "3"), 1, 3);
    expect("auto", SLURM("12", "10", "13", "4"), 3, 4);
    /* --array=0-8:2, --array=1,5 and --array=1-4,6 have gaps. */
    refuse("auto", SLURM("4", "0", "8", "5"), "without gaps");
    refuse("auto", SLURM("5", "1", "5", "2"), "without gaps");
    refuse("auto", SLURM("6", "1", "6", "5"), "without gaps");
    refuse("auto", SLURM("9", "1", "8", "8"), "without gaps");
    refuse("auto", SLURM("1", "1", "8", "x"), "SLURM_ARRAY_TASK_COUNT");
    refuse("auto", SLURM("1", "1", "8", NULL), "SLURM_ARRAY_TASK_COUNT");
}

Test(shard, auto_is_the_pod_of_an_indexed_job) {
    expect("auto", (const struct setting[]){{"JOB_COMPLETION_INDEX", "0"}, {"FAIRLANE_SHARDS", "5"}, {0}}, 1, 5);
    expect("auto", (const struct setting[]){{"JOB_COMPLETION_INDEX", "4"}, {"FAIRLANE_SHARDS", "5"}, {0}}, 5, 5);
    refuse("auto", (const struct setting[]){{"JOB_COMPLETION_INDEX", "0"}, {0}}, "FAIRLANE_SHARDS is not");
    refuse("auto", (const struct setting[]){{"JOB_COMPLETION_INDEX", "5"}, {"FAIRLANE_SHARDS", "5"}, {0}}, "under");
    refuse("auto", (const struct setting[]){{"JOB_COMPLETION_INDEX", "x"}, {"FAIRLANE_SHARDS", "5"}, {0}},
           "JOB_COMPLETION_INDEX");
}

Test(shard, auto_needs_one_of_both) {
    refuse("auto", none, "neither");
    refuse("auto",
           (const struct setting[]){
               {"JOB_COMPLETION_INDEX", "0"}, {"SLURM_ARRAY_TASK_ID", "1"}, {"FAIRLANE_SHARDS", "5"}, {0}},
           "both");
}
