/* manifest.json: what was run, so that `run manifest.json` repeats it. Nothing in it depends on when, where or on how
 * many threads it ran. */
#include "results.h"
#include "text.h"

#include "../model_version.h"

enum { MANIFEST_VERSION = 1 };

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void add_string(struct sim_text *text, const char *key, const char *value) {
    sim_text_printf(text, ",\n  \"%s\": ", key);
    sim_text_json_string(text, value);
}

char *sim_manifest_json(const struct sim_result *result) {
    const struct sim_scenario *scenario = result->scenario;
    struct sim_text text = {0};
    sim_text_printf(&text, "{\n  \"manifest\": %d", MANIFEST_VERSION);
    add_string(&text, "program", "fairlane");
    add_string(&text, "version", FAIRLANE_VERSION);
    sim_text_printf(&text, ",\n  \"model\": %d", SIM_MODEL_VERSION);
    add_string(&text, "compiler", COMPILER);
    add_string(&text, "hash", scenario->hash);
    add_string(&text, "seed", scenario->seed_text);
    sim_text_printf(&text, ",\n  \"replications\": %zu,\n  \"warmup_s\": ", result->replications);
    sim_text_json_number(&text, (double)scenario->warmup_ns / 1e9);
    sim_text_add(&text, ",\n  \"traces\": [");
    for (size_t i = 0; i < scenario->trace_count; i++) {
        sim_text_add(&text, i ? ",\n    {\"file\": " : "\n    {\"file\": ");
        sim_text_json_string(&text, scenario->traces[i].path);
        sim_text_printf(&text, ", \"sha256\": \"%s\"}", scenario->traces[i].sha256);
    }
    sim_text_add(&text, scenario->trace_count ? "\n  ],\n  \"scenario\": " : "],\n  \"scenario\": ");
    sim_text_json_value(&text, scenario->resolved, 1);
    sim_text_add(&text, "\n}\n");
    return sim_text_take(&text);
}
