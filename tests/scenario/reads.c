/* Read scenario files: "ok HASH" or "no ERROR" for each, one line a file. Arguments "--set" X and "--set-file" X come
 * first and hold for all files. The Python checks beside it compare it with the JSON Schema. */
#include "../../sim/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    enum { MOST = 64 };
    const char *sets[MOST], *set_files[MOST];
    struct sim_scenario_options options = {.sets = sets, .set_files = set_files};
    int at = 1;
    for (; at + 1 < count && strncmp(arguments[at], "--set", 5) == 0; at += 2) {
        if (strcmp(arguments[at], "--set") == 0 && options.set_count < MOST)
            sets[options.set_count++] = arguments[at + 1];
        else if (options.set_file_count < MOST)
            set_files[options.set_file_count++] = arguments[at + 1];
    }
    for (; at < count; at++) {
        struct sim_located_error error;
        struct sim_scenario *scenario = sim_scenario_create(arguments[at], &options, &error);
        char text[1400];
        if (scenario != NULL)
            printf("ok %s\n", scenario->hash);
        else
            printf("no %s\n", sim_error_text(&error, text, sizeof text));
        sim_scenario_destroy(scenario);
    }
    return 0;
}
