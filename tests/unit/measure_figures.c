/** The table of figures: names, slots, look-up, suggestions. */
#include "../../sim/measure/figures.h"
#include "../../sim/memory.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct model_tenant two_tenants[] = {{.id = "hog"}, {.id = "a.b"}};
static const struct model_workload two = {.tenants = two_tenants, .tenant_count = 2};

static void check_slot(const struct sim_figures *figures, const char *name, size_t slot, enum sim_figure_kind kind) {
    const struct sim_figure *figure = sim_figures_find(figures, name);
    cr_assert_not_null(figure, "%s", name);
    cr_assert_eq(figure->slot, slot, "%s", name);
    cr_assert_eq(figure->kind, kind, "%s", name);
}

static void check_sample(const struct sim_figures *figures, const char *name, size_t sample, double p, bool served) {
    const struct sim_figure *figure = sim_figures_find(figures, name);
    cr_assert_not_null(figure, "%s", name);
    cr_assert_eq(figure->sample, sample, "%s", name);
    cr_assert_eq(figure->p, p, "%s", name);
    cr_assert_eq(figure->served, served, "%s", name);
}

Test(measure_figures, scalars_lead_to_their_slots) {
    struct sim_figures *figures = sim_figures_create(&two);
    check_slot(figures, "critical.arrived", SIM_ARRIVED, SIM_FIGURE_MEAN);
    check_slot(figures, "all.censored", SIM_CENSORED + 3, SIM_FIGURE_MEAN);
    check_slot(figures, "requested.batch.failed", SIM_REQUESTED_FAILED + 2, SIM_FIGURE_MEAN);
    check_slot(figures, "unserved.standard.max", SIM_UNSERVED_MAX + 1, SIM_FIGURE_MAX);
    check_slot(figures, "jain.entitlement.windowed", SIM_JAIN_ENTITLEMENT_WINDOWED, SIM_FIGURE_JAIN);
    check_slot(figures, "throttles.rate", SIM_THROTTLES_RATE, SIM_FIGURE_RATIO);
    check_slot(figures, "retries.early_share", SIM_EARLY_SHARE, SIM_FIGURE_RATIO);
    check_slot(figures, "queue.max", SIM_QUEUE_MAX, SIM_FIGURE_MAX);
    check_slot(figures, "tenant.hog.arrived", SIM_SCALARS + SIM_TENANT_ARRIVED, SIM_FIGURE_MEAN);
    check_slot(figures, "tenant.a.b.unserved.max", SIM_SCALARS + SIM_TENANT_SCALARS + SIM_TENANT_UNSERVED_MAX,
               SIM_FIGURE_MAX);
    sim_figures_destroy(figures);
}

Test(measure_figures, times_lead_to_their_samples) {
    struct sim_figures *figures = sim_figures_create(&two);
    check_sample(figures, "critical.latency.p50", 0, .5, false);
    check_sample(figures, "all.wait.p999", 7, .999, false);
    check_sample(figures, "served.batch.latency.p99", 4, .99, true);
    check_sample(figures, "requested.critical.wait.p90", 9, .9, false);
    check_sample(figures, "requested.all.latency.p95", 14, .95, false);
    check_sample(figures, "tenant.hog.latency.p99", 16, .99, false);
    check_sample(figures, "tenant.a.b.wait.p99", 19, .99, false);
    cr_assert_eq(sim_figures_find(figures, "all.latency.mean")->kind, SIM_FIGURE_SAMPLE_MEAN);
    cr_assert_eq(sim_figures_find(figures, "all.latency.max")->kind, SIM_FIGURE_SAMPLE_MAX);
    sim_figures_destroy(figures);
}

Test(measure_figures, every_scalar_has_one_figure) {
    struct sim_figures *figures = sim_figures_create(&two);
    size_t used[SIM_SCALARS + 2 * SIM_TENANT_SCALARS] = {0};
    for (size_t i = 0; i < figures->count; i++)
        if (figures->rows[i].kind < SIM_FIGURE_SAMPLE_MEAN)
            used[figures->rows[i].slot]++;
    for (size_t slot = 0; slot < sizeof used / sizeof *used; slot++)
        cr_assert_eq(used[slot], 1, "slot %zu", slot);
    sim_figures_destroy(figures);
}

Test(measure_figures, names_are_unique_found_and_explained) {
    struct sim_figures *figures = sim_figures_create(&two);
    for (size_t i = 0; i < figures->count; i++) {
        const struct sim_figure *figure = &figures->rows[i];
        cr_assert_eq(sim_figures_find(figures, figure->name), figure, "%s", figure->name);
        cr_assert(strlen(figure->help) > 5 && figure->unit != NULL);
        cr_assert_eq(strncmp(figure->name, "tenant.", 7) == 0, i >= figures->fixed_count, "%s", figure->name);
    }
    cr_assert_null(sim_figures_find(figures, "critical.latency"));
    cr_assert_null(sim_figures_find(figures, ""));
    cr_assert_str_eq(
        sim_figures_find(figures, "batch.latency.p99")->help,
        "99th percentile of the time from enqueue to completion, by effective class; failed, abandoned and "
        "censored jobs count as longer than any other");
    sim_figures_destroy(figures);
}

Test(measure_figures, suggests_the_nearest) {
    struct sim_figures *figures = sim_figures_create(&two);
    cr_assert_str_eq(sim_figures_nearest(figures, "critical.latncy.p99"), "critical.latency.p99");
    cr_assert_str_eq(sim_figures_nearest(figures, "jain.servce"), "jain.service");
    cr_assert_str_eq(sim_figures_nearest(figures, "tenant.hgo.wait.p99"), "tenant.hog.wait.p99");
    cr_assert_not_null(sim_figures_nearest(figures, ""));
    sim_figures_destroy(figures);
}

Test(measure_figures, ten_thousand_tenants) {
    enum { TENANTS = 10000 };
    struct model_tenant *tenants = sim_calloc(TENANTS, sizeof *tenants);
    for (size_t i = 0; i < TENANTS; i++)
        cr_assert(asprintf(&tenants[i].id, "t-%zu", i + 1) > 0);
    const struct model_workload many = {.tenants = tenants, .tenant_count = TENANTS};
    struct sim_figures *figures = sim_figures_create(&many);
    cr_assert_eq((figures->count - figures->fixed_count) % TENANTS, 0);
    for (size_t i = 0; i < figures->count; i++)
        cr_assert_eq(sim_figures_find(figures, figures->rows[i].name), &figures->rows[i]);
    sim_figures_destroy(figures);
    for (size_t i = 0; i < TENANTS; i++)
        free(tenants[i].id);
    free(tenants);
}

/** The whole text of a file; NULL if there is none. */
static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = sim_alloc(size + 1);
    text[fread(text, 1, size, file)] = '\0';
    fclose(file);
    return text;
}

/** Every figure that the reference simulator reports has a row here; tenants' under any tenant's id. */
static void check_names_of(const char *path, const struct sim_figures *figures) {
    char *text = read_all(path);
    cr_assert_not_null(text, "%s", path);
    cJSON *root = cJSON_Parse(text);
    const cJSON *metric;
    cJSON_ArrayForEach(metric, cJSON_GetObjectItem(root, "metrics")) {
        char name[200];
        const char *rest = strncmp(metric->string, "tenant.", 7) == 0 ? strchr(metric->string + 7, '.') : NULL;
        snprintf(name, sizeof name, rest != NULL ? "tenant.hog%s" : "%s", rest != NULL ? rest : metric->string);
        cr_assert_not_null(sim_figures_find(figures, name), "%s of %s", name, path);
    }
    cJSON_Delete(root);
    free(text);
}

Test(measure_figures, reference_names_exist) {
    const char *shared = getenv("FAIRLANE_SHARED");
    char folder[500];
    snprintf(folder, sizeof folder, "%s/reference/expected", shared != NULL ? shared : "../shared");
    DIR *directory = opendir(folder);
    if (directory == NULL)
        cr_skip_test("no reference figures at %s", folder);
    struct sim_figures *figures = sim_figures_create(&two);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[1000];
        if (strstr(entry->d_name, ".json") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_names_of(path, figures);
    }
    closedir(directory);
    sim_figures_destroy(figures);
}
