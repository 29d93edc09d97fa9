/* sim_scenario_create: all rooms in order, and the checks that need several of them. */
#include "resolve.h"

#include "paths.h"

#include "../../sched/config.h"
#include "../measure/figures.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/** Results of a run hold some hundred bytes for each of these. */
#define TENANT_REPLICATIONS_MAX 2e6
/** The throttle window keeps so many times for each tenant, per thread. */
#define TENANT_THROTTLES_MAX 2e7

static int64_t fixed_delay_ns(const void *context, double u) {
    return model_ns(model_distribution_quantile(context, u));
}

/** FNV-1a 64 (Fowler, Noll, Vo). */
static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static void fill_scheduler(struct sim_resolver *resolver) {
    struct sim_scenario *scenario = resolver->scenario;
    struct sched_config *config = &scenario->scheduler;
    const struct model_workload *workload = &scenario->workload;
    const struct model_endpoint_config *endpoint = &scenario->endpoint;
    struct sched_tenant *tenants = sim_memory_take(resolver->reader.memory, workload->tenant_count, sizeof *tenants);
    for (uint32_t i = 0; i < workload->tenant_count; i++)
        tenants[i] = (struct sched_tenant){.key = hash_of(workload->tenants[i].id),
                                           .weight = workload->tenants[i].weight,
                                           .daily_tokens = workload->tenants[i].daily_tokens};
    struct sched_paced_limits *paced = sim_memory_take(resolver->reader.memory, endpoint->class_count, sizeof *paced);
    for (size_t i = 0; i < endpoint->class_count; i++) {
        const struct model_class_regime *limits = &endpoint->regimes[0].classes[i];
        for (int bucket = 0; bucket < MODEL_BUCKETS; bucket++) {
            paced[i].per_minute[bucket] = limits->per_minute[bucket];
            paced[i].burst_ns[bucket] = limits->burst_ns[bucket];
        }
        paced[i].reserve = endpoint->output_charge == MODEL_CHARGE_RESERVE;
    }
    config->tenant = tenants;
    config->tenant_count = workload->tenant_count;
    config->paced = paced;
    config->paced_count = (uint32_t)endpoint->class_count;
    config->retry.fixed =
        (struct sched_fixed_delay){.quantile_ns = fixed_delay_ns, .context = &scenario->fixed_delay_s};
}

/** A place of up to three keys. */
#define PLACE(name, first, second, third)                                                                              \
    struct sim_place name##_top = {0}, name##_1 = {.parent = &name##_top, .key = first},                               \
                     name##_2 = {.parent = &name##_1, .key = second}, name = {.parent = &name##_2, .key = third}

static bool check_before(const struct sim_resolver *resolver) {
    const struct sim_scenario *scenario = resolver->scenario;
    const struct sim_layers *layers = resolver->reader.layers;
    struct sim_place top = {0}, warmup = {.parent = &top, .key = "warmup_s"}, name = {.parent = &top, .key = "name"};
    if (scenario->warmup_ns >= scenario->duration_ns)
        return sim_layers_fail(layers, &warmup, "expected less than duration_s = %.10g, found %.10g",
                               (double)scenario->duration_ns / 1e9, (double)scenario->warmup_ns / 1e9);
    size_t length = scenario->name != NULL ? strlen(scenario->name) : 0;
    if (length >= 5 && strcmp(scenario->name + length - 5, ".prev") == 0)
        return sim_layers_fail(layers, &name, "expected a name that does not end in .prev, found \"%s\"",
                               scenario->name);
    const double *weights = scenario->scheduler.picker.weights;
    PLACE(place, "scheduler", "picker", "weights");
    if (weights[SCHED_CRITICAL] + weights[SCHED_STANDARD] + weights[SCHED_BATCH] <= 0)
        return sim_layers_fail(layers, &place, "expected one weight over 0, found none");
    return true;
}

static bool check_after(const struct sim_resolver *resolver) {
    const struct sim_scenario *scenario = resolver->scenario;
    const struct sim_layers *layers = resolver->reader.layers;
    struct sim_place top = {0}, outer = {.parent = &top, .key = "precision"},
                     most = {.parent = &outer, .key = "max_replications"},
                     replications = {.parent = &top, .key = "replications"};
    double tenants = scenario->workload.tenant_count, runs = scenario->replications;
    bool precise = resolver->draft->has_precision;
    PLACE(throttles, "scheduler", "demotion", "throttles");
    if (precise && scenario->precision.max_replications < scenario->replications)
        return sim_layers_fail(layers, &most, "expected at least replications = %u, found %u", scenario->replications,
                               scenario->precision.max_replications);
    if (precise)
        runs = scenario->precision.max_replications;
    if (runs * tenants > TENANT_REPLICATIONS_MAX)
        return sim_layers_fail(layers, precise ? &most : &replications,
                               "expected replications x tenants of at most %.0f, found %.0f x %.0f",
                               TENANT_REPLICATIONS_MAX, runs, tenants);
    if (scenario->scheduler.demotion.throttles * tenants > TENANT_THROTTLES_MAX)
        return sim_layers_fail(layers, &throttles, "expected throttles x tenants of at most %.0f, found %u x %.0f",
                               TENANT_THROTTLES_MAX, scenario->scheduler.demotion.throttles, tenants);
    return true;
}

/** Every SLO, and precision's metric, names a figure of these tenants. Here, because here is known where each stands. */
static bool check_figures(const struct sim_resolver *resolver) {
    const struct sim_scenario *scenario = resolver->scenario;
    const struct sim_layers *layers = resolver->reader.layers;
    struct sim_place top = {0}, list = {.parent = &top, .key = "slo"}, outer = {.parent = &top, .key = "precision"},
                     metric = {.parent = &outer, .key = "metric"};
    if (scenario->slo_count == 0 && !resolver->draft->has_precision)
        return true;
    struct sim_figures *figures = sim_figures_create(&scenario->workload);
    bool good = true;
    for (size_t i = 0; good && i < scenario->slo_count; i++) {
        struct sim_place place = {.parent = &list, .index = i};
        struct sim_located_error why = {0};
        struct sim_slo slo;
        if (!sim_slo_parse(figures, scenario->slo[i], &slo, &why))
            good = sim_layers_fail(layers, &place, "%s", why.message);
    }
    struct sim_located_error why = {0};
    if (good && resolver->draft->has_precision && !sim_precision_figure(figures, &scenario->precision, &why))
        good = sim_layers_fail(layers, &metric, "%s", why.message);
    sim_figures_destroy(figures);
    return good;
}

/** A scenario without a name is called after its file. */
static void default_name(const struct sim_layers *layers, cJSON *root, const char *path) {
    const char *stem = sim_path_stem(layers->scratch, path);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(root, "name");
    if ((name != NULL && !cJSON_IsNull(name)) || !sim_plain_name(stem))
        return;
    cJSON *made = cJSON_CreateString(stem);
    assert(made != NULL);
    cJSON_DeleteItemFromObjectCaseSensitive(root, "name");
    bool done = cJSON_AddItemToObject(root, "name", made);
    assert(done);
}

/** The tree to keep: cleaned, the seed in its one spelling. */
static void keep_tree(struct sim_resolver *resolver, cJSON *root) {
    struct sim_scenario *scenario = resolver->scenario;
    sim_canonical_clean(root);
    scenario->seed_text = sim_memory_format(resolver->reader.memory, "%llu", (unsigned long long)scenario->seed);
    cJSON *seed = cJSON_CreateString(scenario->seed_text);
    assert(seed != NULL);
    bool done = cJSON_HasObjectItem(root, "seed") ? cJSON_ReplaceItemInObjectCaseSensitive(root, "seed", seed)
                                                  : cJSON_AddItemToObject(root, "seed", seed);
    assert(done);
    scenario->resolved = root;
    sim_canonical_hash(scenario, scenario->hash);
}

static bool resolve(struct sim_resolver *resolver) {
    struct sim_scenario *scenario = resolver->scenario;
    const struct sim_draft *draft = resolver->draft;
    struct sim_place top = {0};
    if (!sim_read(&resolver->reader, &top, &sim_scenario_key, resolver->root, (char *)resolver->draft))
        return false;
    struct sim_scenario_memory *memory = scenario->memory;
    *scenario = draft->scenario;
    scenario->memory = memory;
    scenario->slo = draft->slo.items;
    scenario->slo_count = draft->slo.count;
    scenario->batches.on = draft->batch_destination == SIM_TO_BATCHES;
    scenario->scheduler.batches_elsewhere = scenario->batches.on;
    bool timed = sim_read_timestamp(scenario->start_text, &scenario->start_unix_ns);
    assert(timed);
    if (scenario->name == NULL)
        return sim_layers_fail(resolver->reader.layers, &top,
                               "the key \"name\" is missing: expected it, since the file's name cannot serve");
    if (!check_before(resolver) || !sim_resolve_endpoint(resolver) || !sim_resolve_workload(resolver) ||
        !check_after(resolver) || !check_figures(resolver))
        return false;
    fill_scheduler(resolver);
    return true;
}

static void keep_files(struct sim_scenario *scenario, const struct sim_layers *layers) {
    scenario->files = sim_memory_take(scenario->memory, layers->count, sizeof *scenario->files);
    for (size_t i = 0; i < layers->count; i++)
        /* Presets speak of one key only; all else that is no argument is a file. */
        if (!layers->layers[i].is_set && layers->layers[i].scope == NULL)
            scenario->files[scenario->file_count++] =
                sim_memory_format(scenario->memory, "%s", layers->layers[i].label);
}

struct sim_scenario *sim_scenario_create(const char *path, const struct sim_scenario_options *options,
                                         struct sim_located_error *error) {
    if (error != NULL)
        *error = (struct sim_located_error){0};
    model_init();
    struct sim_scenario_memory *memory = sim_memory_create(), *scratch = sim_memory_create();
    struct sim_layers layers = {.scratch = scratch, .error = error};
    struct sim_scenario *scenario = sim_memory_take(memory, 1, sizeof *scenario);
    scenario->memory = memory;
    cJSON *root = sim_layers_load(&layers, path, options);
    bool good = root != NULL;
    if (good) {
        default_name(&layers, root, path);
        struct sim_resolver resolver = {.reader = {.layers = &layers, .memory = memory, .scratch = scratch},
                                        .draft = sim_memory_take(scratch, 1, sizeof(struct sim_draft)),
                                        .scenario = scenario,
                                        .root = root};
        good = resolve(&resolver);
        if (good) {
            keep_tree(&resolver, root);
            keep_files(scenario, &layers);
        }
    }
    if (good)
        sim_memory_own_tree(memory, root);
    else
        cJSON_Delete(root);
    sim_memory_destroy(scratch);
    if (!good)
        sim_memory_destroy(memory);
    return good ? scenario : NULL;
}

void sim_scenario_destroy(struct sim_scenario *scenario) {
    if (scenario != NULL)
        sim_memory_destroy(scenario->memory);
}
