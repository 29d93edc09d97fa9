/* fairlane validate: check files, print their load sheets. */
#include "loaded.h"

#include "../results/text.h"

#include <assert.h>
#include <stdlib.h>

static void print_json(const struct cli_loaded *loaded, size_t count) {
    cJSON *whole = cJSON_CreateObject();
    bool done = cJSON_AddNumberToObject(whole, "version", 1) != NULL;
    cJSON *list = cJSON_AddArrayToObject(whole, "scenarios");
    for (size_t i = 0; i < count; i++)
        done = done && cJSON_AddItemToArray(list, cli_load_json(&loaded[i]));
    assert(done);
    struct sim_text text = {0};
    sim_text_json_value(&text, whole, 0);
    sim_text_add(&text, "\n");
    fputs(text.bytes, stdout);
    free(text.bytes);
    cJSON_Delete(whole);
}

enum cli_exit cli_validate(const struct cli_options *options, struct sim_located_error *error) {
    struct cli_loaded *loaded = cli_load_all(options, error);
    if (!loaded)
        return CLI_USAGE;
    struct cli_page page = cli_page_on(stdout);
    if (options->json)
        print_json(loaded, options->file_count);
    for (size_t i = 0; i < options->file_count && !options->quiet && !options->json; i++) {
        if (i)
            putchar('\n');
        cli_print_load(&page, &loaded[i]);
    }
    cli_unload_all(loaded, options->file_count);
    return CLI_OK;
}
