#include "shard.h"

#include <stdlib.h>
#include <string.h>

/* A whole number of at most SIM_SHARDS_MAX, digits only; moves *at behind it. */
static bool read_number(const char **at, uint32_t *ret) {
    size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > 7)
        return false;
    unsigned long value = strtoul(*at, NULL, 10);
    *at += digits;
    *ret = (uint32_t)value;
    return value <= SIM_SHARDS_MAX;
}

static bool read_variable(const char *(*variable)(const char *name), const char *name, uint32_t *ret,
                          struct sim_located_error *error) {
    const char *text = variable(name), *at = text;
    if (text != NULL && read_number(&at, ret) && *at == '\0')
        return true;
    sim_error_set(error, "", 0, "", "--shard auto: expected a whole number in %s, found %s%s%s", name,
                  text != NULL ? "\"" : "", text != NULL ? text : "nothing", text != NULL ? "\"" : "");
    return false;
}

static bool read_slurm(const char *(*variable)(const char *name), struct sim_shard *ret,
                       struct sim_located_error *error) {
    uint32_t id, least, most, count;
    if (!read_variable(variable, "SLURM_ARRAY_TASK_ID", &id, error) ||
        !read_variable(variable, "SLURM_ARRAY_TASK_MIN", &least, error) ||
        !read_variable(variable, "SLURM_ARRAY_TASK_MAX", &most, error) ||
        !read_variable(variable, "SLURM_ARRAY_TASK_COUNT", &count, error))
        return false;
    if (id < least || id > most || most - least + 1 != count) {
        sim_error_set(error, "", 0, "",
                      "--shard auto: expected a Slurm array without gaps, such as --array=1-8, found task %u of %u in "
                      "%u-%u",
                      id, count, least, most);
        return false;
    }
    *ret = (struct sim_shard){.index = id - least + 1, .count = count};
    return true;
}

static bool read_kubernetes(const char *(*variable)(const char *name), struct sim_shard *ret,
                            struct sim_located_error *error) {
    uint32_t index, count;
    if (variable("FAIRLANE_SHARDS") == NULL) {
        sim_error_set(error, "", 0, "",
                      "--shard auto: JOB_COMPLETION_INDEX is set, but FAIRLANE_SHARDS is not: expected the Job's "
                      "`completions` there");
        return false;
    }
    if (!read_variable(variable, "JOB_COMPLETION_INDEX", &index, error) ||
        !read_variable(variable, "FAIRLANE_SHARDS", &count, error))
        return false;
    if (index >= count) {
        sim_error_set(error, "", 0, "",
                      "--shard auto: expected JOB_COMPLETION_INDEX under FAIRLANE_SHARDS = %u, found %u", count, index);
        return false;
    }
    *ret = (struct sim_shard){.index = index + 1, .count = count};
    return true;
}

static bool read_auto(const char *(*variable)(const char *name), struct sim_shard *ret,
                      struct sim_located_error *error) {
    bool slurm = variable("SLURM_ARRAY_TASK_ID") != NULL, kubernetes = variable("JOB_COMPLETION_INDEX") != NULL;
    if (slurm != kubernetes)
        return slurm ? read_slurm(variable, ret, error) : read_kubernetes(variable, ret, error);
    sim_error_set(error, "", 0, "",
                  "--shard auto: expected %s of SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX, found %s", "one",
                  slurm ? "both" : "neither");
    return false;
}

bool sim_shard_read(const char *text, const char *(*variable)(const char *name), struct sim_shard *ret,
                    struct sim_located_error *error) {
    struct sim_shard shard;
    const char *at = text;
    if (strcmp(text, "auto") == 0)
        return read_auto(variable, ret, error);
    if (read_number(&at, &shard.index) && *at++ == '/' && read_number(&at, &shard.count) && *at == '\0' &&
        shard.index >= 1 && shard.index <= shard.count) {
        *ret = shard;
        return true;
    }
    sim_error_set(error, "", 0, "", "--shard: expected I/N with 1 <= I <= N, or auto, found \"%s\"", text);
    return false;
}
