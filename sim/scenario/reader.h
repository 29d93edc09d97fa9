/** From a merged tree to structs, row by row of the key table. */
#ifndef SIM_READER_H
#define SIM_READER_H

#include "draft.h"
#include "keys.h"
#include "layers.h"

#include <cjson/cJSON.h>

struct sim_reader {
    struct sim_layers *layers;           /**< for the place of errors */
    struct sim_scenario_memory *memory;  /**< of what the scenario keeps: strings, arrays of distributions */
    struct sim_scenario_memory *scratch; /**< of lists of drafts */
};

/** Read @p json (NULL: absent) as @p row says into the struct at @p base. Defaults fill what is absent.
 *  @return false with the error set. */
bool sim_read(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
              const cJSON *json, char *base);

/** Read every row of @p table from @p object (NULL: absent, all defaults) into @p base. */
bool sim_read_table(const struct sim_reader *reader, const struct sim_place *place, const struct sim_table *table,
                    const cJSON *object, char *base);

/** Read a value that holds no further keys (read_values.c). */
bool sim_read_value(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                    const cJSON *json, char *base);

/** Keep a number, a list, or the mark of absence, as @p row says. */
void sim_store_number(const struct sim_key *row, double number, char *base);
void sim_store_list(const struct sim_key *row, struct sim_list list, char *base);
void sim_store_absent(const struct sim_key *row, char *base);

/** Is @p length within what @p row allows of its list? */
bool sim_length_fits(const struct sim_key *row, size_t length);

/** Read a distribution into @p ret and prepare it (read_distribution.c). */
bool sim_read_distribution(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                           const cJSON *json, struct model_distribution *ret);

/** Report what stands at @p place instead of what @p row expects. @return false. */
bool sim_read_mismatch(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                       const cJSON *json);

/** Read a finite number within the bounds of @p row. */
bool sim_read_number(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                     const cJSON *json, double *ret);

/** "a string \"abc\"": what @p json is, cut to fit. @return buffer. */
const char *sim_read_found(const cJSON *json, char *buffer, size_t size);

/** "a number from 0 to 1 (s)". @return buffer. */
const char *sim_read_expected(const struct sim_key *row, char *buffer, size_t size);

/** RFC 3339 to ns since 1970; years 1971 to 2200. */
bool sim_read_timestamp(const char *text, int64_t *ret_unix_ns);

/** ns of a number of seconds, rounded; bounds of the key table keep it in range. */
int64_t sim_read_ns(double seconds);

#endif
