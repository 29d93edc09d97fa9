/* Running the studies of a claims file, each as a sweep would. */
#include "claims.h"

#include "../memory.h"
#include "../study/sweep.h"

#include <stdio.h>
#include <stdlib.h>

/* What there is to do for one study. */
struct plan {
    struct sim_claim_study *study;
    struct sim_stored_study stored;
    struct sim_unit *units;
    size_t unit_count;
};

/* Progress over all studies together. */
struct tally {
    const struct sim_claims_options *options;
    size_t before, total;
};

static void show(void *context, size_t done, size_t total) {
    const struct tally *tally = context;
    (void)total;
    tally->options->progress(tally->options->progress_context, tally->before + done, tally->total);
}

static char *folder_of(const struct sim_claims_options *options, const struct sim_claim_study *study) {
    char *folder;
    if (asprintf(&folder, "%s/%s", options->folder, study->study->name) < 0)
        sim_out_of_memory();
    return folder;
}

static bool open_store(const struct sim_claims_options *options, struct sim_claim_study *study,
                       struct sim_located_error *error) {
    char *folder = folder_of(options, study), *path;
    if (asprintf(&path, "%s/study.db", folder) < 0)
        sim_out_of_memory();
    study->store = sim_store_open(path, error);
    free(path);
    free(folder);
    return study->store != NULL;
}

static bool make_plan(const struct sim_claims_options *options, struct sim_claim_study *study, struct plan *plan,
                      struct sim_located_error *error) {
    const struct sim_shard all = {1, 1};
    size_t total;
    plan->study = study;
    return sim_study_settle_warmup(study->study, options->jobs, options->stop, error) &&
           open_store(options, study, error) &&
           sim_sweep_describe(study->study, &study->configurations, options->stop, &plan->stored, error) &&
           sim_sweep_missing(study->store, &plan->stored, all, &plan->units, &plan->unit_count, &total, error) &&
           sim_store_set_study(study->store, &plan->stored, error);
}

static bool export(const struct sim_claims_options *options, struct sim_claim_study *study,
                   struct sim_located_error *error) {
    char *folder = folder_of(options, study);
    bool good =
        sim_study_table_read(study->store, &study->table, error) && sim_study_export(&study->table, folder, error);
    free(folder);
    return good;
}

static bool run_plan(const struct plan *plan, struct tally *tally, struct sim_located_error *error) {
    const struct sim_claims_options *options = tally->options;
    struct sim_claim_study *study = plan->study;
    const struct sim_sweep_options sweep = {.jobs = options->jobs,
                                            .stop = options->stop,
                                            .progress = options->progress != NULL ? show : NULL,
                                            .progress_context = tally};
    size_t done;
    if (!sim_sweep_run(study->study, &study->configurations, study->store, plan->units, plan->unit_count, &sweep, &done,
                       error))
        return false;
    tally->before += plan->unit_count;
    return export(options, study, error);
}

/* Say whose measure it is that cannot be read. */
static bool name_measure(const struct sim_claim *claim, const struct sim_claim_measure *measure,
                         struct sim_located_error *error) {
    struct sim_located_error why = *error;
    *error = (struct sim_located_error){0};
    sim_error_set(error, why.file, 0, "", "claim \"%.60s\", \"%.80s\": %.300s", claim->id, measure->label, why.message);
    return false;
}

static bool read_claim(struct sim_claim *claim, const volatile int *stop, struct sim_located_error *error) {
    for (size_t k = 0; k < claim->count; k++) {
        struct sim_claim_measure *measure = &claim->measures[k];
        if (stop != NULL && *stop)
            return false;
        if (!sim_claim_read(measure, error))
            return name_measure(claim, measure, error);
        measure->verdict = sim_claim_judge(measure);
        if (k < claim->deciding && measure->verdict > claim->verdict)
            claim->verdict = measure->verdict;
        if (measure->on_base && measure->verdict > claim->base_verdict)
            claim->base_verdict = measure->verdict;
        claim->has_base = claim->has_base || measure->on_base;
    }
    return true;
}

bool sim_claims_run(struct sim_claims *claims, const struct sim_claims_options *options,
                    struct sim_located_error *error) {
    struct plan *plans = sim_calloc(claims->study_count, sizeof *plans);
    struct tally tally = {.options = options};
    bool good = true;
    for (size_t i = 0; good && i < claims->study_count; i++) {
        good = make_plan(options, &claims->studies[i], &plans[i], error);
        tally.total += plans[i].unit_count;
    }
    for (size_t i = 0; good && i < claims->study_count; i++)
        good = run_plan(&plans[i], &tally, error);
    for (size_t i = 0; i < claims->study_count; i++) {
        free(plans[i].units);
        sim_stored_study_finish(&plans[i].stored);
    }
    free(plans);
    for (size_t i = 0; good && i < claims->count; i++)
        good = read_claim(&claims->claims[i], options->stop, error);
    return good;
}
