/** What a tuning run leaves on disk. */
#ifndef SIM_TUNE_FILES_H
#define SIM_TUNE_FILES_H

#include "../results/results.h"
#include "tune.h"

/** tune.json, stages.csv, candidates.csv, pareto.csv, sensitivity.csv, recommended.json and manifest.json into @p folder.
 *  @return false with *error. */
bool sim_tune_write(struct sim_folder *folder, const struct sim_tune *tune, struct sim_located_error *error);

/** Texts of the files; malloc'ed. */
char *sim_tune_json(const struct sim_tune *tune);
char *sim_tune_stages_csv(const struct sim_tune *tune);
char *sim_tune_candidates_csv(const struct sim_tune *tune);
char *sim_tune_pareto_csv(const struct sim_tune *tune);
char *sim_tune_sensitivity_csv(const struct sim_tune *tune);
char *sim_tune_recommended_json(const struct sim_tune *tune);
char *sim_tune_manifest_json(const struct sim_tune *tune);

/** A candidate that more than the first round saw, and by whom it is dominated. */
struct sim_pareto_row {
    size_t candidate;
    size_t by; /**< a candidate, or SIM_PARETO_NOBODY */
};

/** The baseline and all candidates of the second round or later (of the first where there is one only), by number,
 *  compared in the goal, Jain's index of service, throughput, and further objectives of the study. *ret (free) of
 *  *ret_count. */
void sim_tune_pareto(const struct sim_tune *tune, struct sim_pareto_row **ret, size_t *ret_count);

#endif
