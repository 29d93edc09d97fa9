#include "axis.h"

#include "../scenario/layers.h"
#include "../scenario/paths.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where a path leads ---- */

/* Does @p path begin with the whole step @p name? @return what follows its dot, "" at the end, NULL: no. */
static const char *after(const char *path, const char *name) {
    size_t length = strlen(name);
    if (length == 0 || strncmp(path, name, length) != 0)
        return NULL;
    return path[length] == '\0' ? path + length : path[length] == '.' ? path + length + 1 : NULL;
}

/* The child of @p node that @p path begins with, by the longest name: keys and ids may hold dots. */
static const cJSON *child_on(const cJSON *node, const char *path, const char **ret_rest) {
    const cJSON *child, *found = NULL;
    size_t index = 0, longest = 0;
    cJSON_ArrayForEach(child, node) {
        char digits[24];
        snprintf(digits, sizeof digits, "%zu", index++);
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(child, "id");
        const char *names[] = {child->string, cJSON_IsArray(node) ? digits : NULL,
                               cJSON_IsArray(node) && cJSON_IsString(id) ? id->valuestring : NULL};
        for (int i = 0; i < 3; i++) {
            const char *rest = names[i] != NULL ? after(path, names[i]) : NULL;
            if (rest == NULL || strlen(names[i]) <= longest)
                continue;
            longest = strlen(names[i]);
            *ret_rest = rest;
            found = child;
        }
    }
    return found;
}

const struct sim_key *sim_path_row(const cJSON *tree, const char *path, const cJSON **ret_value) {
    const struct sim_key *row = &sim_scenario_key;
    const cJSON *node = tree;
    while (*path != '\0' && node != NULL) {
        bool in_list = cJSON_IsArray(node);
        const char *rest = NULL;
        const cJSON *child = child_on(node, path, &rest);
        if (child == NULL)
            break;
        row = sim_key_child(row, child->string != NULL ? child->string : "", in_list);
        node = child;
        path = rest;
    }
    *ret_value = *path == '\0' ? node : NULL;
    /* What the scenario does not say stands in the table all the same. */
    while (*path != '\0' && row != NULL) {
        char step[128];
        size_t length = strcspn(path, ".");
        snprintf(step, sizeof step, "%.*s", (int)(length < sizeof step ? length : 0), path);
        row = sim_key_child(row, step, false);
        path += length + (path[length] == '.');
    }
    return row;
}

/* ---- levels ---- */

struct maker {
    struct sim_axis *axis;
    struct sim_scenario_memory *memory;
    const char *folder; /* of the study */
    char *message;
    size_t size;
};

static bool refuse(const struct maker *maker, const char *what) {
    snprintf(maker->message, maker->size, "%s", what);
    return false;
}

static const char *number_text(struct sim_scenario_memory *memory, double value, int digits) {
    /* No "-0", which would be another text for the same value. */
    return sim_memory_format(memory, "%.*g", digits, value + 0.0);
}

static bool add_level(const struct maker *maker, const char *text) {
    struct sim_axis *axis = maker->axis;
    for (size_t i = 0; i < axis->level_count; i++)
        if (strcmp(axis->levels[i], text) == 0)
            return false;
    axis->levels[axis->level_count++] = text;
    return true;
}

static bool make_list(const struct maker *maker, const cJSON *list, const struct sim_key *row) {
    struct sim_layers layers = {.scratch = maker->memory};
    size_t index = 0;
    const cJSON *item;
    maker->axis->levels = sim_memory_take(maker->memory, (size_t)cJSON_GetArraySize(list), sizeof(char *));
    cJSON_ArrayForEach(item, list) {
        cJSON *copy = cJSON_Duplicate(item, true);
        assert(copy != NULL);
        /* A trace that is named here is relative to the study. */
        if (row != NULL)
            sim_layers_rebase(&layers, copy, row, maker->folder);
        char *printed = cJSON_PrintUnformatted(copy);
        assert(printed != NULL);
        bool added = add_level(maker, sim_memory_format(maker->memory, "%s", printed));
        cJSON_free(printed);
        cJSON_Delete(copy);
        if (!added) {
            snprintf(maker->message, maker->size, "expected different values, found number %zu twice", index);
            return false;
        }
        index++;
    }
    return true;
}

static double range_point(const struct sim_values_draft *range, double share) {
    if (range->scale == SIM_SCALE_LOG)
        return exp(log(range->from) + share * (log(range->to) - log(range->from)));
    return range->from + share * (range->to - range->from);
}

/* Number of levels of a range with a step; 0: too many. */
static size_t steps_of(const struct sim_values_draft *range) {
    const double slack = 1e-9;
    double steps = range->scale == SIM_SCALE_LOG ? (log(range->to) - log(range->from)) / log(range->step)
                                                 : (range->to - range->from) / range->step;
    return steps < SIM_LEVELS_MAX ? (size_t)floor(steps + slack) + 1 : 0;
}

static bool make_range(const struct maker *maker, const struct sim_values_draft *range) {
    struct sim_axis *axis = maker->axis;
    bool stepped = !isnan(range->step);
    axis->from = range->from;
    axis->to = range->to;
    axis->log = range->scale == SIM_SCALE_LOG;
    if (!(range->from < range->to))
        return refuse(maker, "expected \"from\" under \"to\"");
    if (axis->log && !(range->from > 0))
        return refuse(maker, "expected \"from\" over 0, since the scale is logarithmic");
    if (axis->log && stepped && !(range->step > 1))
        return refuse(maker, "expected a \"step\" over 1: on a log scale it is a factor");
    if (!stepped && range->points == 0)
        return true;
    size_t count = stepped ? steps_of(range) : range->points;
    if (count == 0 || count > SIM_LEVELS_MAX)
        return refuse(maker, "expected at most 10000 levels, found more");
    axis->levels = sim_memory_take(maker->memory, count, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        double value = !stepped    ? range_point(range, (double)i / (double)(count - 1))
                       : axis->log ? range->from * pow(range->step, (double)i)
                                   : range->from + (double)i * range->step;
        /* 12 digits hide what the arithmetic adds, as in 0.30000000000000004. Rounding to whole numbers may give one
         * twice, which then counts once. */
        add_level(maker, number_text(maker->memory, axis->whole ? round(value) : value, axis->whole ? 17 : 12));
    }
    return true;
}

bool sim_axis_make(const struct sim_values_draft *draft, const struct sim_study *study, struct sim_axis *ret,
                   char *message, size_t size) {
    const cJSON *own;
    const struct sim_key *row = sim_path_row(study->base->resolved, ret->path, &own);
    const struct maker maker = {.axis = ret,
                                .memory = study->memory,
                                .folder = sim_path_folder(study->memory, study->file),
                                .message = message,
                                .size = size};
    ret->whole = row != NULL && row->type == SIM_KEY_INTEGER;
    if (strchr(ret->path, '=') != NULL)
        return refuse(&maker, "expected a path without \"=\"");
    return draft->values != NULL ? make_list(&maker, draft->values, row) : make_range(&maker, draft);
}

const char *sim_axis_at(const struct sim_axis *axis, double u, struct sim_scenario_memory *memory) {
    assert(u >= 0 && u < 1);
    if (axis->level_count > 0) {
        size_t level = (size_t)(u * (double)axis->level_count);
        return axis->levels[level < axis->level_count ? level : axis->level_count - 1];
    }
    /* Whole numbers: each gets an equal part of the range. */
    double low = axis->whole ? ceil(axis->from) - .5 : axis->from, high = axis->whole ? floor(axis->to) + .5 : axis->to;
    double value = axis->log ? exp(log(low) + u * (log(high) - log(low))) : low + u * (high - low);
    if (axis->whole)
        return number_text(memory, fmin(fmax(round(value), ceil(axis->from)), floor(axis->to)), 17);
    return number_text(memory, value, 6);
}

/* ---- short names ---- */

/* Is @p end the end of @p path, from its start or a dot on? */
static bool ends(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0 &&
           (length == tail || path[length - tail - 1] == '.');
}

static bool unique(const struct sim_axis *axes, size_t count, size_t self, const char *end) {
    for (size_t i = 0; i < count; i++)
        if (i != self && ends(axes[i].path, end))
            return false;
    return true;
}

void sim_axes_name(struct sim_axis *axes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *path = axes[i].path, *name = path + strlen(path);
        do {
            name--;
            while (name > path && name[-1] != '.')
                name--;
            /* "0" or "3" alone says nothing. */
        } while (name > path && (isdigit((unsigned char)*name) || !unique(axes, count, i, name)));
        axes[i].name = name;
    }
}
