/** The preset files: complete, plausible, and all listed in their README. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    char *text = calloc(1, 65536);
    size_t length = fread(text, 1, 65535, file);
    cr_assert(length > 0 && length < 65535, "%s", path);
    fclose(file);
    return text;
}

/** Value of a dotted path of keys, all of which must exist. */
static double number_at(const cJSON *node, const char *file, const char *path) {
    char keys[128], *rest = NULL;
    snprintf(keys, sizeof keys, "%s", path);
    for (char *key = strtok_r(keys, "/", &rest); key; key = strtok_r(NULL, "/", &rest)) {
        node = cJSON_GetObjectItemCaseSensitive(node, key);
        cr_assert(node != NULL, "%s: no %s", file, path);
    }
    cr_assert(cJSON_IsNumber(node), "%s: %s", file, path);
    return node->valuedouble;
}

static void check_preset(const char *file, const cJSON *preset) {
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(preset, "about");
    const cJSON *endpoint = cJSON_GetObjectItemCaseSensitive(preset, "endpoint");
    cr_assert(cJSON_IsString(about) && endpoint, "%s", file);

    double rpm = number_at(endpoint, file, "limits/rpm");
    double itpm = number_at(endpoint, file, "limits/itpm");
    double otpm = number_at(endpoint, file, "limits/otpm");
    cr_assert(0 < rpm && rpm < otpm && otpm < itpm, "%s", file);

    double input = number_at(endpoint, file, "price/input");
    cr_assert_float_eq(number_at(endpoint, file, "price/cache_write"), 1.25 * input, 1e-9, "%s", file);
    cr_assert_float_eq(number_at(endpoint, file, "price/cache_read"), .1 * input, 1e-9, "%s", file);
    cr_assert_float_eq(number_at(endpoint, file, "price/output"), 5 * input, 1e-9, "%s", file);

    cr_assert_gt(number_at(endpoint, file, "latency/output_tokens_per_s/lognormal/median"), 10, "%s", file);
    number_at(endpoint, file, "latency/prefill_ms_per_1k_tokens");
    const cJSON *ttft = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItem(endpoint, "latency"), "ttft_ms");
    if (cJSON_HasObjectItem(ttft, "percentiles"))
        cr_assert(number_at(ttft, file, "percentiles/p50") < number_at(ttft, file, "percentiles/p95") &&
                      number_at(ttft, file, "percentiles/p95") < number_at(ttft, file, "percentiles/p99"),
                  "%s", file);
    else
        number_at(ttft, file, "lognormal/median");
}

Test(models_presets, are_complete_and_listed) {
    const char *source = getenv("FAIRLANE_SOURCE");
    char folder[4000];
    int count = 0;
    if (!source)
        cr_skip_test("FAIRLANE_SOURCE names no source tree");
    snprintf(folder, sizeof folder, "%s/models/presets", source);
    char *readme = read_file(folder, "README.md");
    DIR *dir = opendir(folder);
    cr_assert(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char listed[300];
        char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json") != 0)
            continue;
        char *text = read_file(folder, entry->d_name);
        cJSON *preset = cJSON_Parse(text);
        cr_assert(preset != NULL, "%s", entry->d_name);
        check_preset(entry->d_name, preset);
        snprintf(listed, sizeof listed, "`%.*s`", (int)(dot - entry->d_name), entry->d_name);
        cr_assert(strstr(readme, listed) != NULL, "%s is not in the README", listed);
        cJSON_Delete(preset);
        free(text);
        count++;
    }
    closedir(dir);
    free(readme);
    cr_assert_eq(count, 22);
}
