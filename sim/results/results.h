/** Result folders: what a run leaves on disk. A folder appears whole or not at all. */
#ifndef SIM_RESULTS_H
#define SIM_RESULTS_H

#include "../run/run.h"
#include "text.h"

/** A folder in the making, beside its destination. */
struct sim_folder;

/** May results be written to @p path? Yes when nothing is there, or an empty folder, or an earlier result (a folder
 * that holds a manifest.json); the same for `PATH.prev`. Refused: other people's folders, files, the working directory
 *  itself, a mount point. Looks only. @return false with *error. */
bool sim_folder_usable(const char *path, struct sim_located_error *error);

/** Begin to write what will become @p path ("results/NAME"); parent folders are made. The folder in the making stands
 *  beside it as `.NAME.partial-N`, locked; those that killed runs left there are removed. A symbolic link at @p path is
 *  followed. @return NULL with *error on failure. */
struct sim_folder *sim_folder_create(const char *path, struct sim_located_error *error);

/** Write one file into it (complete, fsynced). @return false with *error on failure: full disk included. */
bool sim_folder_write(struct sim_folder *folder, const char *name, const char *bytes, size_t length,
                      struct sim_located_error *error);

/** A file of the folder that is written piece by piece. */
struct sim_folder_file;

/** Begin file @p name. @return NULL with *error on failure. */
struct sim_folder_file *sim_folder_open(struct sim_folder *folder, const char *name, struct sim_located_error *error);

/** Append to it, through a buffer. @return false with *error on failure: full disk included. */
bool sim_folder_append(struct sim_folder_file *file, const char *bytes, size_t length, struct sim_located_error *error);

/** Complete and fsync it, and free it in any case. Accepts NULL (true). @return false with *error on failure. */
bool sim_folder_close(struct sim_folder_file *file, struct sim_located_error *error);

/** Exchange it with what stood at the destination, which is kept as `PATH.prev`. @return false with *error; the old one
 * stands. */
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
/** How the backlog and the time in the system settle (result->warmup, not empty). */
char *sim_welch_csv(const struct sim_result *result);
char *sim_manifest_json(const struct sim_result *result);

/** Pieces of summary.json for others: `"NAME": {"value", "lo", "hi", "unit", "beyond"?}`, the object of one SLO, and the
 *  word for its verdict. */
void sim_json_add_figure(struct sim_text *text, const char *name, const char *unit,
                         const struct sim_estimate *estimate);
void sim_json_add_slo(struct sim_text *text, const struct sim_slo *slo, const struct sim_slo_result *result);
const char *sim_verdict_word(enum sim_verdict verdict);

/** Three columns of a figure in a CSV file, each with its comma in front: ",NAME_UNIT,NAME_lo_UNIT,NAME_hi_UNIT", and its
 *  values: empty where it does not exist, inf where it lies among jobs that never completed. */
void sim_csv_add_columns(struct sim_text *text, const char *name, const char *unit);
void sim_csv_add_estimate(struct sim_text *text, const struct sim_estimate *estimate);

/** All of them into @p folder. @return false with *error. */
bool sim_results_write(struct sim_folder *folder, const struct sim_result *result, struct sim_located_error *error);

#endif
