/** What one result says of itself and of its replications: enough to compare it with another. */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "../run/run.h"
#include "../stats/paired.h"

struct sim_record {
    char *where;    /**< folder or file, as it was named */
    char *scenario; /**< name */
    char *hash;     /**< of the scenario */
    char *seed;
    double model; /**< version of the model (model_version.h) */
    double duration_s, warmup_s;
    size_t replications;
    struct sim_figures *figures;
    size_t figure_count;            /**< rows of `figures` with numbers: all, or only those of no tenant */
    double *value, *weight, *below; /**< by figure, then replication: the columns of replications.csv */
    struct sim_estimate *pooled;    /**< by figure: as in summary.json */
    bool *known;                    /**< by figure: false in a result from before there was this figure */
    char **slos;                    /**< texts */
    size_t slo_count;
};

/** The record of a finished run. @p where is copied; nothing of @p result is kept. */
struct sim_record *sim_record_of(const struct sim_result *result, const char *where);

/** What the record of @p replications of @p scenario will have, its numbers still null. */
struct sim_record *sim_record_planned(const struct sim_scenario *scenario, size_t replications, const char *where);

/** Room for `figure_count` x `replications` numbers, all null. */
void sim_record_reserve(struct sim_record *record);

/** Accepts NULL. */
void sim_record_destroy(struct sim_record *record);

/** Row @p figure of the record, ready to be paired; borrowed. */
struct sim_side sim_record_side(const struct sim_record *record, size_t figure);

/** Do replications 1 .. n of both cover the same draws and the same span? @return false with *error's message set: what
 *  differs, on which side, and what to do. */
bool sim_record_pairs(const struct sim_record *a, const struct sim_record *b, struct sim_located_error *error);

#endif
