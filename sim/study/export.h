/** What came of a study, read back from its database: one row a configuration, and the files made of them. Everything is
 *  computed anew from the stored outcomes in order of configuration and replication, so that neither threads nor shards
 *  nor interruptions show. */
#ifndef SIM_EXPORT_H
#define SIM_EXPORT_H

#include "../stats/estimate.h"
#include "store.h"

#include <cjson/cJSON.h>

struct sim_study_row {
    const struct sim_stored_configuration *configuration;
    uint32_t replications; /**< there */
    char *failure;         /**< of the first replication that failed; NULL: none did */
    const struct sim_figures *figures;
    struct sim_estimate *estimates; /**< of the fixed figures, 95 %; NULL when one failed or is missing */
    char **slo_texts;
    struct sim_slo *slos;
    struct sim_slo_result *verdicts; /**< of a configuration that failed: fail */
    size_t slo_count;
    char **warnings; /**< sentences, as `run` would print them */
    size_t warning_count;
};

struct sim_study_table {
    struct sim_stored_study stored;
    cJSON *about; /**< the study's description, parsed */
    struct sim_study_row *rows;
    size_t count;
    size_t missing;                     /**< units without a result: there is nothing to export yet */
    size_t failed;                      /**< rows that failed */
    struct sim_tenant_figures *figures; /**< owned: one for each list of tenants */
};

/** Read all rows of what @p store is about. @return false with *error. */
bool sim_study_table_read(struct sim_store *store, struct sim_study_table *ret, struct sim_located_error *error);
void sim_study_table_finish(struct sim_study_table *table);

/** The configuration that is best by objective @p index, among those without a failed SLO, else (*ret_feasible false)
 *  among all; NULL: it has no value anywhere. By the estimates' values alone. */
const struct sim_study_row *sim_study_best(const struct sim_study_table *table, size_t index, bool *ret_feasible);

/** The worst verdict of a row: pass when it has no SLOs. */
enum sim_verdict sim_study_verdict(const struct sim_study_row *row);

/** Estimate of the figure @p name, none of a tenant's; NULL: it has none. */
const struct sim_estimate *sim_study_estimate(const struct sim_study_row *row, const char *name);

/** Number of objectives; figure and aim of one. */
size_t sim_study_objectives(const struct sim_study_table *table);
const char *sim_study_objective(const struct sim_study_table *table, size_t index, bool *ret_more);

/** study.csv and summary.json; malloc'ed. The table must miss nothing. */
char *sim_study_csv(const struct sim_study_table *table);
char *sim_study_summary_json(const struct sim_study_table *table);

/** Both into @p folder, each complete or not at all. @return false with *error. */
bool sim_study_export(const struct sim_study_table *table, const char *folder, struct sim_located_error *error);

#endif
