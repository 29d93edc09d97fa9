/** Result folders: what a run leaves on disk. A folder appears whole or not at all. */
#ifndef SIM_RESULTS_H
#define SIM_RESULTS_H

#include "../run/run.h"

/** A folder in the making, beside its destination. */
struct sim_folder;

/** Begin to write what will become @p path ("results/NAME"); parent folders are made. @return NULL with *error on failure. */
struct sim_folder *sim_folder_create(const char *path, struct sim_located_error *error);

/** Write one file into it (complete, fsynced). @return false with *error on failure: full disk included. */
bool sim_folder_write(struct sim_folder *folder, const char *name, const char *bytes, size_t length, struct sim_located_error *error);

/** Exchange it with what stood at the destination, which is kept as `PATH.prev`. @return false with *error; the old one stands. */
bool sim_folder_commit(struct sim_folder *folder, struct sim_located_error *error);

/** Drop it if it was not committed, and free it. Accepts NULL. */
void sim_folder_destroy(struct sim_folder *folder);

/** Texts of the files; each is malloc'ed, the caller frees it. */
char *sim_summary_json(const struct sim_result *result);
char *sim_replications_csv(const struct sim_result *result);
char *sim_tenants_csv(const struct sim_result *result);
char *sim_timeseries_csv(const struct sim_result *result);
char *sim_latency_csv(const struct sim_result *result);
char *sim_metrics_prom(const struct sim_result *result);
char *sim_manifest_json(const struct sim_result *result);

/** All of them into @p folder. @return false with *error. */
bool sim_results_write(struct sim_folder *folder, const struct sim_result *result, struct sim_located_error *error);

#endif
