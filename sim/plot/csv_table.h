/** A CSV file of a result, read whole: columns by name, cells as text or numbers. */
#ifndef SIM_CSV_TABLE_H
#define SIM_CSV_TABLE_H

#include "../scenario/located_error.h"

#include <stdbool.h>
#include <stddef.h>

/** No column of that name. */
#define SIM_NO_COLUMN ((size_t)-1)

struct sim_csv_table {
    char **cells; /**< row by row, the header first */
    size_t cell_count;
    size_t columns;
    size_t rows; /**< without the header */
};

/** Read @p path. Rows shorter than the header are filled with empty cells, longer ones are refused.
 *  @return false with *error; *ret is to be finished in any case. */
bool sim_csv_read(struct sim_csv_table *ret, const char *path, struct sim_located_error *error);
void sim_csv_finish(struct sim_csv_table *table);

/** @return the column called @p name, or SIM_NO_COLUMN. */
size_t sim_csv_column(const struct sim_csv_table *table, const char *name);

/** @return the column of the figure @p name, whose unit ends the column's name ("critical.latency.p99_s"), or with @p side
 *  "_lo" or "_hi" a bound of its interval ("critical.latency.p99_lo_s"). */
size_t sim_csv_figure(const struct sim_csv_table *table, const char *name, const char *side);

/** Cell as text; "" for SIM_NO_COLUMN. */
const char *sim_csv_text(const struct sim_csv_table *table, size_t row, size_t column);

/** Cell as a number: NaN for what is none, an empty cell among it. */
double sim_csv_number(const struct sim_csv_table *table, size_t row, size_t column);

#endif
