#include "scenario_text.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remove_folder(void) {
    DIR *folder = opendir(text_folder());
    if (folder == NULL)
        return;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(text_folder());
}

const char *text_folder(void) {
    static char name[] = "scenario-text-XXXXXX";
    static bool made;
    if (!made) {
        made = true;
        char *folder = mkdtemp(name);
        assert(folder != NULL);
        atexit(remove_folder);
    }
    return name;
}

char *text_file(const char *name, const char *text) {
    char *path;
    int length = asprintf(&path, "%s/%s", text_folder(), name);
    assert(length > 0);
    FILE *file = fopen(path, "wb");
    assert(file != NULL);
    fputs(text, file);
    fclose(file);
    return path;
}

char *text_minimal(const char *extra) {
    char *text;
    int length = asprintf(&text,
                          "{\"version\": 1, \"name\": \"t\", \"duration_s\": 100,\n"
                          " \"tenants\": [{\"id\": \"a\", \"streams\": [{\"origin\": \"scheduled\",\n"
                          "  \"arrivals\": {\"poisson\": {\"rate_per_s\": 1}},\n"
                          "  \"input_tokens\": 100, \"output_tokens\": 10}]}]%s}",
                          extra);
    assert(length > 0);
    return text;
}

struct sim_scenario *text_read(const char *text, const char *const *sets, struct sim_located_error *error) {
    struct sim_scenario_options options = {.sets = sets};
    for (; sets != NULL && options.set_count < 4 && sets[options.set_count] != NULL;)
        options.set_count++;
    char *path = text_file("scenario.json", text);
    struct sim_scenario *scenario = sim_scenario_create(path, &options, error);
    free(path);
    return scenario;
}

bool text_refused(const char *text, const char *const *sets, const char *path, const char *words) {
    struct sim_located_error error;
    struct sim_scenario *scenario = text_read(text, sets, &error);
    bool refused = scenario == NULL;
    sim_scenario_destroy(scenario);
    if (refused && strcmp(error.path, path) == 0 && strstr(error.message, words) != NULL)
        return true;
    char rendered[1400];
    fprintf(stderr, "expected %s: ...%s..., found %s\n", path, words,
            refused ? sim_error_text(&error, rendered, sizeof rendered) : "a scenario");
    return false;
}
