/* fairlane presets: the endpoint presets that the program carries. */
#include "nearest.h"
#include "options.h"
#include "table.h"

#include "../memory.h"
#include "../scenario/presets.h"

#include <stdlib.h>
#include <string.h>

static const char *const limit_keys[] = {"rpm", "itpm", "otpm"};
static const int widths[] = {6, 10, 9};

static void print_preset(const struct cli_page *page, const struct sim_preset *preset) {
    cJSON *json = cJSON_ParseWithLength(preset->text, preset->length);
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(json, "about");
    const cJSON *endpoint = cJSON_GetObjectItemCaseSensitive(json, "endpoint");
    const cJSON *limits = cJSON_GetObjectItemCaseSensitive(endpoint, "limits");
    fprintf(page->out, "%-18s", preset->name);
    for (size_t i = 0; i < 3; i++) {
        const cJSON *limit = cJSON_GetObjectItemCaseSensitive(limits, limit_keys[i]);
        fprintf(page->out, "  %*s", widths[i], cJSON_IsNumber(limit) ? cli_count(limit->valuedouble).text : "none");
    }
    fputs("  ", page->out);
    cli_put_wrapped(page, CLI_DIM, cJSON_IsString(about) ? about->valuestring : "", 50);
    cJSON_Delete(json);
}

static void list_presets(const struct cli_page *page) {
    cli_put(page, CLI_BOLD, "preset                 RPM        ITPM       OTPM  about");
    fputs("\n", page->out);
    for (size_t i = 0; i < sim_preset_count; i++)
        print_preset(page, &sim_presets[i]);
    fputs("\nIn a scenario: \"endpoint\": { \"preset\": \"NAME\" }; keys beside it override.\n"
          "\"fairlane presets NAME\" prints one.\n",
          page->out);
}

static const char *nearest_preset(const char *name) {
    const char **names = sim_calloc(sim_preset_count + 1, sizeof *names);
    for (size_t i = 0; i < sim_preset_count; i++)
        names[i] = sim_presets[i].name;
    const char *nearest = cli_nearest(name, names, sim_preset_count);
    free(names);
    return nearest;
}

enum cli_exit cli_presets(const struct cli_options *options, struct sim_located_error *error) {
    struct cli_page page = cli_page_on(stdout);
    if (!options->file_count) {
        list_presets(&page);
        return CLI_OK;
    }
    const char *name = options->files[0];
    for (size_t i = 0; i < sim_preset_count; i++) {
        if (strcmp(sim_presets[i].name, name) == 0) {
            fwrite(sim_presets[i].text, 1, sim_presets[i].length, stdout);
            return CLI_OK;
        }
    }
    const char *nearest = nearest_preset(name);
    if (nearest)
        sim_error_set(error, "", 0, "", "no preset is called \"%s\"; did you mean \"%s\"?", name, nearest);
    else
        sim_error_set(error, "", 0, "", "no preset is called \"%s\"; see fairlane presets", name);
    return CLI_USAGE;
}
