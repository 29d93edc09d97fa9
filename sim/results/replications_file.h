/** replications.csv, read back. */
#ifndef SIM_REPLICATIONS_FILE_H
#define SIM_REPLICATIONS_FILE_H

#include "record.h"

/** Read @p path into the reserved numbers of @p record: every figure of every replication, each once. Rows of SLO limits
 *  ("over: ...") are passed by. @return false with *error. */
bool sim_replications_file_read(const char *path, struct sim_record *record, struct sim_located_error *error);

#endif
