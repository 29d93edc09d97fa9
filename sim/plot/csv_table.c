#include "csv_table.h"

#include "../memory.h"
#include "../scenario/file_text.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A study of many configurations has one row of some hundred figures for each. */
static const size_t bytes_max = (size_t)1 << 30;

/* The table in the making. */
struct filling {
    struct sim_csv_table *table;
    size_t room;     /* for cells */
    size_t column;   /* of the next cell */
    size_t long_row; /* number of the first row with too many cells; 0: none */
    bool header_done;
    size_t row;
};

static void add_cell(struct filling *filling, char *text) {
    if (filling->table->cell_count == filling->room) {
        filling->room = filling->room ? 2 * filling->room : 1024;
        filling->table->cells = sim_realloc(filling->table->cells, filling->room, sizeof *filling->table->cells);
    }
    filling->table->cells[filling->table->cell_count++] = text;
}

static void take_cell(void *bytes, size_t length, void *context) {
    struct filling *filling = context;
    if (filling->header_done && filling->column == filling->table->columns) {
        if (!filling->long_row)
            filling->long_row = filling->row;
        return;
    }
    char *text = sim_alloc(length + 1);
    memcpy(text, bytes, length);
    text[length] = '\0';
    add_cell(filling, text);
    filling->column++;
}

static void take_row(int end, void *context) {
    struct filling *filling = context;
    (void)end;
    if (!filling->header_done)
        filling->table->columns = filling->column;
    else
        filling->table->rows++;
    for (; filling->header_done && filling->column < filling->table->columns; filling->column++)
        add_cell(filling, sim_strdup(""));
    filling->header_done = true;
    filling->column = 0;
    filling->row++;
}

bool sim_csv_read(struct sim_csv_table *ret, const char *path, struct sim_located_error *error) {
    struct filling filling = {.table = ret, .row = 1};
    struct sim_file_identity identity;
    struct csv_parser parser;
    size_t length;
    *ret = (struct sim_csv_table){0};
    char *text = sim_file_read_within(path, bytes_max, &length, &identity, error);
    if (!text)
        return false;
    if (csv_init(&parser, CSV_APPEND_NULL) != 0)
        sim_out_of_memory();
    bool good = csv_parse(&parser, text, length, take_cell, take_row, &filling) == length &&
                csv_fini(&parser, take_cell, take_row, &filling) == 0;
    csv_free(&parser);
    free(text);
    if (!good)
        sim_error_set(error, path, filling.row, "", "is no CSV file");
    else if (!ret->columns)
        sim_error_set(error, path, 0, "", "is empty");
    else if (filling.long_row)
        sim_error_set(error, path, filling.long_row, "", "expected %zu fields, found more", ret->columns);
    return good && ret->columns && !filling.long_row;
}

void sim_csv_finish(struct sim_csv_table *table) {
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct sim_csv_table){0};
}

size_t sim_csv_column(const struct sim_csv_table *table, const char *name) {
    for (size_t i = 0; i < table->columns; i++)
        if (!strcmp(table->cells[i], name))
            return i;
    return SIM_NO_COLUMN;
}

size_t sim_csv_figure(const struct sim_csv_table *table, const char *name, const char *side) {
    char start[160];
    int length = snprintf(start, sizeof start, "%s%s", name, side);
    for (size_t i = 0; i < table->columns && length > 0 && (size_t)length < sizeof start; i++) {
        const char *head = table->cells[i];
        if (strncmp(head, start, (size_t)length) != 0)
            continue;
        head += length;
        /* What is left is the unit, if anything; of the value's own column, not of its interval's. */
        if (!*head || (*head == '_' && strncmp(head, "_lo", 3) != 0 && strncmp(head, "_hi", 3) != 0))
            return i;
    }
    return SIM_NO_COLUMN;
}

const char *sim_csv_text(const struct sim_csv_table *table, size_t row, size_t column) {
    return column == SIM_NO_COLUMN ? "" : table->cells[(row + 1) * table->columns + column];
}

double sim_csv_number(const struct sim_csv_table *table, size_t row, size_t column) {
    const char *text = sim_csv_text(table, row, column);
    char *end;
    double value = strtod(text, &end);
    return *text && !*end ? value : NAN;
}
