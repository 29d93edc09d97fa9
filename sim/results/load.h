/** Read a result folder back: manifest.json, summary.json and replications.csv. Strict: what does not fit together is
 *  refused with the file, the line where it has one, what was expected and what was found. */
#ifndef SIM_LOAD_RESULTS_H
#define SIM_LOAD_RESULTS_H

#include "record.h"

/** Is @p path a folder? */
bool sim_is_folder(const char *path);

/** @return the record of the result in @p folder (sim_record_destroy), or NULL with *error. */
struct sim_record *sim_record_load(const char *folder, struct sim_located_error *error);

#endif
