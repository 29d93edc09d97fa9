/** An outcome as bytes, for the database: version 1.
 *
 *  Little-endian whatever the machine. Whole numbers are LEB128 varints, doubles 8 bytes of IEEE 754. What it holds: every
 *  scalar, the samples (bins as differences), jobs over each SLO limit, the invariants, and of the time series the queues'
 *  lengths, from which a growing backlog shows. The rest of the series and the OpenMetrics text are left out: with them a
 *  row would be ten times as large. */
#ifndef SIM_PACK_H
#define SIM_PACK_H

#include "../measure/outcome.h"

#include <stddef.h>
#include <stdint.h>

/** @return malloc'ed bytes, *ret_length of them. The same outcome gives the same bytes. */
uint8_t *sim_outcome_pack(const struct sim_outcome *outcome, size_t *ret_length);

/** @return the outcome (sim_outcome_destroy), or NULL when the bytes are none that sim_outcome_pack() made. */
struct sim_outcome *sim_outcome_unpack(const uint8_t *bytes, size_t length);

#endif
