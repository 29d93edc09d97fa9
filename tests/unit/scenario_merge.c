/* extends, presets, --set, --set-file, manifests: what a scenario is put together from. */
#include "../support/scenario_text.h"

#include "../../sim/scenario/presets.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLOSE(a, b) cr_assert_float_eq(a, b, 1e-9 * (b))

static struct sim_scenario *read_file(const char *path, const char *const *sets, const char *const *set_files) {
    struct sim_located_error error;
    struct sim_scenario_options options = {.sets = sets, .set_files = set_files};
    for (; sets != NULL && sets[options.set_count] != NULL;)
        options.set_count++;
    for (; set_files != NULL && set_files[options.set_file_count] != NULL;)
        options.set_file_count++;
    char rendered[1400];
    struct sim_scenario *scenario = sim_scenario_create(path, &options, &error);
    cr_assert_not_null(scenario, "%s", sim_error_text(&error, rendered, sizeof rendered));
    return scenario;
}

static void put_file(const char *name, const char *text) {
    free(text_file(name, text));
}

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", text_folder(), name);
    return path;
}

static void write_base(void) {
    char *text = text_minimal(", \"workers\": 3, \"about\": \"base\","
                              " \"scheduler\": {\"tenants\": {\"quantum\": 2, \"cost_unit_tokens\": 1000}},"
                              " \"endpoint\": {\"limits\": {\"rpm\": 10, \"itpm\": 20}, \"burst_s\": 30,"
                              "  \"latency\": {\"ttft_ms\": {\"lognormal\": {\"median\": 400, \"sigma\": 0.3}}}},"
                              " \"slo\": [\"queue.mean <= 1\", \"queue.max <= 2\"]");
    put_file("base.json", text);
    free(text);
}

Test(scenario_merge, objects_merge_and_the_rest_is_replaced) {
    write_base();
    put_file("top.json",
             "{\"extends\": \"base.json\", \"name\": \"top\", \"workers\": null,"
             " \"scheduler\": {\"tenants\": {\"quantum\": 7}}, \"endpoint\": {\"limits\": {\"rpm\": null, \"otpm\": 5},"
             "  \"latency\": {\"ttft_ms\": {\"exponential\": {\"mean\": 9}}}}, \"slo\": [\"inversions <= 3\"]}");
    struct sim_scenario *s = read_file(in_folder("top.json"), NULL, NULL);
    cr_assert_eq(strcmp(s->name, "top"), 0);
    cr_assert_eq(s->workers, 8);
    CLOSE(s->scheduler.tenants.quantum, 7);
    cr_assert_eq(s->scheduler.tenants.cost_unit_tokens, 1000);
    const struct model_class_regime *r = &s->endpoint.regimes[0].classes[0];
    cr_assert(r->per_minute[0] == 0 && r->per_minute[1] == 20 && r->per_minute[2] == 5);
    cr_assert_eq(r->latency.ttft_ms.kind, MODEL_EXPONENTIAL);
    cr_assert_eq(s->slo_count, 1);
    cr_assert_null(cJSON_GetObjectItemCaseSensitive(s->resolved, "extends"));
    cr_assert_null(cJSON_GetObjectItemCaseSensitive(s->resolved, "workers"));
    sim_scenario_destroy(s);
}

Test(scenario_merge, one_parameter_within_a_kind) {
    write_base();
    static const char *const sigma[] = {"endpoint.latency.ttft_ms.lognormal.sigma=0.5", NULL};
    struct sim_scenario *s = read_file(in_folder("base.json"), sigma, NULL);
    const struct model_distribution *d = &s->endpoint.regimes[0].classes[0].latency.ttft_ms;
    CLOSE(d->b, 0.5);
    cr_assert_float_eq(model_distribution_quantile(d, 0.5), 400, 1e-6);
    sim_scenario_destroy(s);

    static const char *const percentiles[] = {"endpoint.latency.ttft_ms.lognormal={\"p50\": 541, \"p95\": 1591}", NULL};
    s = read_file(in_folder("base.json"), percentiles, NULL);
    cr_assert_float_eq(model_distribution_quantile(&s->endpoint.regimes[0].classes[0].latency.ttft_ms, 0.95), 1591,
                       1e-6);
    sim_scenario_destroy(s);

    static const char *const dotted[] = {"endpoint.latency.ttft_ms={\"percentiles\": {\"p50\": 1, \"p99.9\": 3}}",
                                         "endpoint.latency.ttft_ms.percentiles.p99.9=8",
                                         "endpoint.latency.ttft_ms.percentiles.p99.99=9", NULL};
    s = read_file(in_folder("base.json"), dotted, NULL);
    cr_assert_eq(s->endpoint.regimes[0].classes[0].latency.ttft_ms.count, 3);
    cr_assert_float_eq(model_distribution_quantile(&s->endpoint.regimes[0].classes[0].latency.ttft_ms, 0.999), 8, 1e-6);
    sim_scenario_destroy(s);

    static const char *const kind[] = {"tenants.a.streams.0.arrivals.burst={\"count\": 2, \"at_s\": 1}",
                                       "tenants.a.streams.0.arrivals.burst.every_s=5", NULL};
    s = read_file(in_folder("base.json"), kind, NULL);
    cr_assert_eq(s->workload.streams[0].arrivals.kind, MODEL_BURST);
    cr_assert_eq(s->workload.streams[0].arrivals.at_count, 0);
    cr_assert_eq(s->workload.streams[0].arrivals.burst_count, 2);
    sim_scenario_destroy(s);
}

Test(scenario_merge, sets_take_indices_ids_and_words) {
    write_base();
    static const char *const sets[] = {"tenants.0.plan=pro",
                                       "tenants.a.daily_input_tokens=7",
                                       "about=two words",
                                       "endpoint.burst_s.rpm=1",
                                       "scheduler.tenants.policy=\"fifo\"",
                                       "plans={\"pro\": {\"weight\": 3}, \"v1.5\": {\"weight\": 2}}",
                                       "plans.v1.5.weight=4",
                                       NULL};
    struct sim_scenario *s = read_file(in_folder("base.json"), sets, NULL);
    CLOSE(s->workload.tenants[0].weight, 3);
    cr_assert_eq(s->workload.tenants[0].daily_tokens, 7);
    cr_assert_eq(strcmp(s->about, "two words"), 0);
    cr_assert_eq(s->endpoint.regimes[0].classes[0].burst_ns[0], INT64_C(1000000000));
    cr_assert_eq(s->endpoint.regimes[0].classes[0].burst_ns[1], INT64_C(30000000000));
    cr_assert_eq(s->scheduler.tenants.policy, SCHED_FIFO);
    sim_scenario_destroy(s);
}

Test(scenario_merge, plans_given_replace_the_default_ones) {
    write_base();
    struct sim_located_error error;
    static const char *const sets[] = {"plans={\"gold\": {\"weight\": 2}}", "tenants.a.plan=pro"};
    struct sim_scenario_options options = {.sets = sets, .set_count = 2};
    cr_assert_null(sim_scenario_create(in_folder("base.json"), &options, &error));
    cr_assert_eq(strcmp(error.path, "tenants.0.plan"), 0);
    cr_assert(strstr(error.message, "gold") != NULL);
    cr_assert_eq(strcmp(error.file, "--set tenants.a.plan=pro"), 0);
}

Test(scenario_merge, set_files_come_before_sets) {
    write_base();
    put_file("patch.json", "{\"workers\": 5, \"replications\": 7}");
    char *patch = strdup(in_folder("patch.json"));
    struct sim_scenario *s =
        read_file(in_folder("base.json"), (const char *const[]){"workers=6", NULL}, (const char *const[]){patch, NULL});
    cr_assert_eq(s->workers, 6);
    cr_assert_eq(s->replications, 7);
    sim_scenario_destroy(s);
    free(patch);
}

Test(scenario_merge, a_preset_lies_over_the_base_and_under_its_own_file) {
    write_base();
    put_file(
        "preset.json",
        "{\"extends\": \"base.json\", \"endpoint\": {\"preset\": \"sonnet-4.6-tier-2\", \"limits\": {\"rpm\": 77}}}");
    struct sim_scenario *s = read_file(in_folder("preset.json"), NULL, NULL);
    const struct model_class_regime *r = &s->endpoint.regimes[0].classes[0];
    cr_assert(r->per_minute[0] == 77 && r->per_minute[1] == 450000 && r->per_minute[2] == 90000);
    cr_assert_eq(r->burst_ns[0], INT64_C(30000000000));
    cr_assert_eq(r->latency.ttft_ms.kind, MODEL_PERCENTILES);
    CLOSE(s->endpoint.prices[0].output, 15);
    const cJSON *endpoint = cJSON_GetObjectItemCaseSensitive(s->resolved, "endpoint");
    cr_assert_null(cJSON_GetObjectItemCaseSensitive(endpoint, "preset"));
    sim_scenario_destroy(s);

    static const char *const sets[] = {"endpoint.limits.rpm=5", "endpoint.preset=opus-4.6-tier-1",
                                       "endpoint.limits.otpm=6", NULL};
    s = read_file(in_folder("preset.json"), sets, NULL);
    r = &s->endpoint.regimes[0].classes[0];
    cr_assert(r->per_minute[0] == 50 && r->per_minute[1] == 30000 && r->per_minute[2] == 6);
    sim_scenario_destroy(s);

    struct sim_located_error error;
    struct sim_scenario_options options = {.sets = (const char *const[]){"endpoint.preset=opus"}, .set_count = 1};
    cr_assert_null(sim_scenario_create(in_folder("base.json"), &options, &error));
    cr_assert_eq(strcmp(error.file, "--set endpoint.preset=opus"), 0);
    cr_assert(strstr(error.message, "nearest") != NULL, "%s", error.message);
}

Test(scenario_merge, every_preset_file_is_embedded_and_good) {
    const char *source = getenv("FAIRLANE_SOURCE");
    if (source == NULL)
        cr_skip_test("FAIRLANE_SOURCE names no source tree");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/models/presets", source);
    size_t files = 0;
    DIR *listing = opendir(folder);
    cr_assert_not_null(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing))
        files += strstr(entry->d_name, ".json") != NULL;
    closedir(listing);
    cr_assert_eq(files, sim_preset_count);
    write_base();
    for (size_t i = 0; i < sim_preset_count; i++) {
        char set[128];
        snprintf(set, sizeof set, "endpoint.preset=%s", sim_presets[i].name);
        struct sim_scenario *s = read_file(in_folder("base.json"), (const char *const[]){set, NULL}, NULL);
        cr_assert_gt(s->endpoint.regimes[0].classes[0].per_minute[MODEL_RPM], 0);
        sim_scenario_destroy(s);
    }
}

Test(scenario_merge, comments_and_schema_change_nothing) {
    char *plain = text_minimal(""),
         *commented = text_minimal(", \"$schema\": \"x\", \"$comment\": \"y\", \"plans\": null,"
                                   " \"about\": \"z\"");
    struct sim_located_error error;
    struct sim_scenario *a = text_read(plain, NULL, &error), *b = text_read(commented, NULL, &error);
    struct sim_scenario *c =
        text_read(plain, (const char *const[]){"tenants.a.$comment=why", "seed=017453090", NULL}, &error);
    struct sim_scenario *d = text_read(plain, (const char *const[]){"workers=9", NULL}, &error);
    cr_assert(a != NULL && b != NULL && c != NULL && d != NULL, "%s", error.message);
    cr_assert_eq(strcmp(a->hash, b->hash), 0);
    cr_assert_eq(strcmp(a->hash, c->hash), 0);
    cr_assert_neq(strcmp(a->hash, d->hash), 0);
    cr_assert_null(cJSON_GetObjectItemCaseSensitive(b->resolved, "$schema"));
    sim_scenario_destroy(a);
    sim_scenario_destroy(b);
    sim_scenario_destroy(c);
    sim_scenario_destroy(d);
    free(plain);
    free(commented);
}

Test(scenario_merge, the_name_is_the_files_by_default) {
    char *text = text_minimal(", \"name\": null");
    char *second = strstr(text, "\"name\": \"t\", ");
    memset(second, ' ', strlen("\"name\": \"t\", "));
    put_file("my-case.json", text);
    struct sim_scenario *s = read_file(in_folder("my-case.json"), NULL, NULL);
    cr_assert_eq(strcmp(s->name, "my-case"), 0);
    sim_scenario_destroy(s);
    put_file("my case.json", text);
    struct sim_located_error error;
    cr_assert_null(sim_scenario_create(in_folder("my case.json"), NULL, &error));
    cr_assert(strstr(error.message, "\"name\" is missing") != NULL, "%s", error.message);
    free(text);
}

static void write_manifest(const struct sim_scenario *s, const char *sha256) {
    char *scenario = cJSON_Print(s->resolved), *text;
    cr_assert_gt(asprintf(&text,
                          "{\"manifest\": 1, \"hash\": \"%s\", \"scenario\": %s,\n\"traces\": [{\"file\": \"%s\", "
                          "\"sha256\": \"%s\"}]}",
                          s->hash, scenario, s->traces[0].path, sha256),
                 0);
    put_file("manifest.json", text);
    free(text);
    free(scenario);
}

Test(scenario_merge, a_manifest_repeats_the_scenario) {
    write_base();
    put_file("t.csv", "when,who,in\n0,x y,5\n1.5,b,6\n3,x y,7\n");
    put_file("traced.json",
             "{\"extends\": \"base.json\", \"tenants\": [{\"id\": \"all\", \"streams\": [{\"origin\": \"batch_job\","
             " \"arrivals\": {\"trace\": {\"file\": \"t.csv\", \"tenant\": \"*\", \"time_scale\": 0.1234567890123456,"
             "  \"columns\": {\"time\": \"when\", \"tenant\": \"who\", \"input_tokens\": \"in\"}}}, \"output_tokens\": "
             "3}]}]}");
    struct sim_scenario *s = read_file(in_folder("traced.json"), NULL, NULL);
    cr_assert_eq(s->workload.tenant_count, 2);
    cr_assert_eq(strcmp(s->workload.tenants[0].id, "x_y"), 0);
    cr_assert_eq(strcmp(s->workload.tenants[1].id, "b"), 0);
    cr_assert_eq(s->workload.streams[1].arrivals.trace_tenant, 1);
    cr_assert_eq(s->trace_count, 1);
    cr_assert_eq(strcmp(s->traces[0].path, in_folder("t.csv")), 0);
    write_manifest(s, s->traces[0].sha256);
    struct sim_scenario *again = read_file(in_folder("manifest.json"), NULL, NULL);
    cr_assert_eq(strcmp(again->hash, s->hash), 0);
    cr_assert_eq(again->workload.streams[0].arrivals.time_scale, s->workload.streams[0].arrivals.time_scale);
    cr_assert_eq(strcmp(again->traces[0].path, s->traces[0].path), 0);
    sim_scenario_destroy(again);

    write_manifest(s, "0000");
    struct sim_located_error error;
    cr_assert_null(sim_scenario_create(in_folder("manifest.json"), NULL, &error));
    cr_assert(strstr(error.message, "has changed") != NULL, "%s", error.message);
    cr_assert_eq(strcmp(error.path, "tenants.0.streams.0.arrivals.trace.file"), 0);
    cr_assert_gt(error.line, 1);
    sim_scenario_destroy(s);
}

Test(scenario_merge, trace_files_are_never_absolute) {
    write_base();
    put_file("t.csv", "when,in,out\n0,5,1\n1.5,6,1\n");
    char here[1024], absolute[1400];
    cr_assert_not_null(getcwd(here, sizeof here));
    snprintf(absolute, sizeof absolute, "tenants.a.streams.0.arrivals.trace.file=%s/%s", here, in_folder("t.csv"));
    static const char columns[] =
        "tenants.a.streams.0.arrivals={\"trace\": {\"columns\": {\"time\": \"when\", \"input_tokens\": \"in\"}}}";
    char *relative;
    cr_assert_gt(asprintf(&relative, "tenants.a.streams.0.arrivals.trace.file=./%s", in_folder("t.csv")), 0);
    const char *const first[] = {columns, absolute, NULL}, *const second[] = {columns, relative, NULL};
    struct sim_scenario *a = read_file(in_folder("base.json"), first, NULL),
                        *b = read_file(in_folder("base.json"), second, NULL);
    cr_assert_eq(strcmp(a->traces[0].path, in_folder("t.csv")), 0, "%s", a->traces[0].path);
    cr_assert_eq(strcmp(b->traces[0].path, in_folder("t.csv")), 0, "%s", b->traces[0].path);
    cr_assert_eq(strcmp(a->hash, b->hash), 0);
    sim_scenario_destroy(a);
    sim_scenario_destroy(b);
    free(relative);
}

Test(scenario_merge, errors_name_the_file_that_holds_the_value) {
    write_base();
    struct sim_located_error error;
    put_file("bad-base.json", "{\"version\": 1,\n \"workers\": -3}");
    put_file("over.json", "{\"extends\": \"bad-base.json\", \"duration_s\": 5}");
    cr_assert_null(sim_scenario_create(in_folder("over.json"), NULL, &error));
    cr_assert_eq(strcmp(error.file, in_folder("bad-base.json")), 0, "%s", error.file);
    cr_assert_eq(error.line, 2);
    cr_assert_eq(error.column, 13);
    cr_assert_eq(strcmp(error.path, "workers"), 0);

    struct sim_scenario_options options = {.sets = (const char *const[]){"workers=0"}, .set_count = 1};
    cr_assert_null(sim_scenario_create(in_folder("base.json"), &options, &error));
    cr_assert_eq(strcmp(error.file, "--set workers=0"), 0);
    cr_assert_eq(error.line, 0);
    options.sets = (const char *const[]){"endpoint.latency.ttft_ms.gamma.mean=5"};
    cr_assert_null(sim_scenario_create(in_folder("base.json"), &options, &error));
    cr_assert_eq(strcmp(error.path, "endpoint.latency.ttft_ms.gamma"), 0, "%s", error.path);
    cr_assert_eq(strncmp(error.file, "--set", 5), 0);
}
