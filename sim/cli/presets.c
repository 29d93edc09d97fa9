/* fairlane presets: the endpoint presets that the program carries. */
#include "nearest.h"
#include "options.h"
#include "table.h"

#include "../memory.h"
#include "../scenario/presets.h"

#include <stdlib.h>
#include <string.h>

static const char *const limit_keys[] = {"rpm", "itpm", "otpm"};
/* Narrow gaps, so that the longest text fits beside them on 80 columns. */
static const int widths[] = {6, 10, 9};
enum { NAME = 17, ABOUT = 48 };

static void print_preset(const struct cli_page *page, const struct sim_preset *preset) {
    cJSON *json = cJSON_ParseWithLength(preset->text, preset->length);
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(json, "about");
    const cJSON *endpoint = cJSON_GetObjectItemCaseSensitive(json, "endpoint");
    const cJSON *limits = cJSON_GetObjectItemCaseSensitive(endpoint, "limits");
    cli_put(page, CLI_BOLD, preset->name);
    fprintf(page->out, "%*s", NAME + 1 - (int)strlen(preset->name), "");
    for (size_t i = 0; i < 3; i++) {
        const cJSON *limit = cJSON_GetObjectItemCaseSensitive(limits, limit_keys[i]);
        fprintf(page->out, " %*s", widths[i], cJSON_IsNumber(limit) ? cli_count(limit->valuedouble).text : "none");
    }
    fputs("  ", page->out);
    cli_put_wrapped(page, CLI_PLAIN, cJSON_IsString(about) ? about->valuestring : "", ABOUT);
    cJSON_Delete(json);
}

static void list_presets(const struct cli_page *page) {
    char heads[96];
    snprintf(heads, sizeof heads, "%-*s %*s %*s %*s  %s", NAME + 1, "preset", widths[0], "RPM", widths[1], "ITPM",
             widths[2], "OTPM", "about");
    cli_put(page, CLI_BOLD, heads);
    fputs("\n", page->out);
    for (size_t i = 0; i < sim_preset_count; i++)
        print_preset(page, &sim_presets[i]);
    fputs("\nRPM, ITPM, OTPM: requests, input tokens and output tokens a minute.\n"
          "In a scenario: \"endpoint\": { \"preset\": \"NAME\" }; keys beside it override.\n"
          "\"fairlane presets NAME\" prints one.\n",
          page->out);
}

/* All of them as one object, by name. */
static void print_all(void) {
    puts("{");
    for (size_t i = 0; i < sim_preset_count; i++) {
        size_t length = sim_presets[i].length;
        while (length && sim_presets[i].text[length - 1] == '\n')
            length--;
        printf("\"%s\": %.*s%s\n", sim_presets[i].name, (int)length, sim_presets[i].text,
               i + 1 < sim_preset_count ? "," : "");
    }
    puts("}");
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
        if (options->json)
            print_all();
        else
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
