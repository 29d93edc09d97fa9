/* Looking things up in the table of keys. */
#include "keys.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sim_key *sim_table_row(const struct sim_table *table, size_t index, size_t *ret_offset) {
    size_t offset = 0;
    for (; table != NULL; table = table->include) {
        if (index < table->count) {
            *ret_offset = offset;
            return &table->rows[index];
        }
        index -= table->count;
        offset += table->include_offset;
    }
    return NULL;
}

static bool is_pattern(const struct sim_key *row) {
    return strcmp(row->name, "p*") == 0;
}

const struct sim_key *sim_table_find(const struct sim_table *table, const char *name, size_t *ret_offset) {
    const struct sim_key *row;
    double probability;
    for (size_t i = 0; (row = sim_table_row(table, i, ret_offset)) != NULL; i++)
        if (is_pattern(row) ? sim_percentile_key(name, &probability) : strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t sim_edit_distance(const char *a, const char *b) {
    enum { LONGEST = 40 };
    size_t cost[LONGEST + 1][LONGEST + 1];
    size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
    for (size_t i = 0; i <= a_length; i++) {
        for (size_t j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            size_t differs = a[i - 1] != b[j - 1];
            size_t best = least(cost[i - 1][j - 1] + differs, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return cost[a_length][b_length];
}

const char *sim_table_nearest(const struct sim_table *table, const char *name) {
    const char *nearest = NULL;
    size_t nearest_distance = SIZE_MAX, offset;
    const struct sim_key *row;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++) {
        const char *known = is_pattern(row) ? "p99" : row->name;
        size_t distance = sim_edit_distance(known, name);
        if (distance < nearest_distance) {
            nearest = known;
            nearest_distance = distance;
        }
    }
    return nearest;
}

const struct sim_key *sim_key_child(const struct sim_key *row, const char *step, bool in_list) {
    size_t offset;
    if (row == NULL)
        return NULL;
    if (in_list || row->type == SIM_KEY_MAP)
        return row->element;
    if (row->type == SIM_KEY_OBJECT_OR_LIST)
        row = row->element;
    const struct sim_table *table = row->type == SIM_KEY_DISTRIBUTION ? &sim_distribution_table : row->table;
    return table != NULL ? sim_table_find(table, step, &offset) : NULL;
}

bool sim_percentile_key(const char *name, double *ret_probability) {
    if (name[0] != 'p' || !isdigit((unsigned char)name[1]))
        return false;
    size_t length = strlen(name);
    if (length > 12 || strspn(name + 1, "0123456789.") != length - 1 || name[length - 1] == '.')
        return false;
    char *end;
    double percent = strtod(name + 1, &end);
    if (*end != '\0' || percent <= 0 || percent >= 100)
        return false;
    *ret_probability = percent / 100;
    return true;
}

bool sim_plain_name(const char *name) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t length = strlen(name);
    return length >= 1 && length <= 100 && strspn(name, allowed) == length && name[0] != '.' && name[0] != '-';
}

struct walk {
    bool (*visit)(void *context, const char *path, const struct sim_key *row);
    void *context;
};

static bool walk_table(const struct walk *walk, const struct sim_table *table, const char *path);

/** Paths of the table are far shorter than their buffers. */
static void joined(char *buffer, size_t size, const char *path, const char *name) {
    int length = snprintf(buffer, size, "%s%s%s", path, path[0] != '\0' ? "." : "", name);
    assert(length >= 0 && (size_t)length < size);
}

/** Visit what lies below a row whose own path is @p path. */
static bool walk_below(const struct walk *walk, const struct sim_key *row, const char *path) {
    char below[256];
    switch (row->type) {
    case SIM_KEY_OBJECT:
    case SIM_KEY_CHOICE:
    case SIM_KEY_NUMBER_OR_OBJECT:
        return walk_table(walk, row->table, path);
    case SIM_KEY_LIST:
    case SIM_KEY_MAP:
        joined(below, sizeof below, path, "*");
        return walk_below(walk, row->element, below);
    case SIM_KEY_OBJECT_OR_LIST:
        return walk_below(walk, row->element, path);
    default:
        return true;
    }
}

static bool walk_table(const struct walk *walk, const struct sim_table *table, const char *path) {
    const struct sim_key *row;
    size_t offset;
    for (size_t i = 0; (row = sim_table_row(table, i, &offset)) != NULL; i++) {
        char below[256];
        joined(below, sizeof below, path, row->name);
        if (!walk->visit(walk->context, below, row) || !walk_below(walk, row, below))
            return false;
    }
    return true;
}

bool sim_keys_walk(bool (*visit)(void *context, const char *path, const struct sim_key *row), void *context) {
    struct walk walk = {.visit = visit, .context = context};
    return walk_table(&walk, sim_scenario_key.table, "") && walk_table(&walk, &sim_distribution_table, "distribution");
}
