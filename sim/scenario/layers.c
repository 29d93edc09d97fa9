#include "layers.h"

#include "file_text.h"
#include "keys.h"
#include "merge.h"
#include "paths.h"
#include "presets.h"
#include "strict_scan.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sim_layers_add(struct sim_layers *layers, const struct sim_layer *layer) {
    if (layers->count == layers->room) {
        size_t room = layers->room > 0 ? 2 * layers->room : 16;
        struct sim_layer *grown = sim_memory_take(layers->scratch, room, sizeof *grown);
        if (layers->count > 0)
            memcpy(grown, layers->layers, layers->count * sizeof *grown);
        layers->layers = grown;
        layers->room = room;
    }
    layers->layers[layers->count++] = *layer;
}

/** How a layer holds a path. */
enum hold { HOLD_NOT, HOLD_ABOVE /**< a --set of something below the path */, HOLD_VALUE };

static enum hold locate(const struct sim_layer *layer, const struct sim_route *route, size_t count, size_t *ret_line,
                        size_t *ret_column) {
    const char *steps[SIM_PLACE_DEPTH + 1];
    size_t used = 0, first = 0;
    if (layer->scope != NULL && (count == 0 || strcmp(route->step[0], layer->scope) != 0))
        return HOLD_NOT;
    if (layer->prefix != NULL)
        steps[used++] = layer->prefix;
    if (layer->is_set) {
        for (; first < layer->step_count && first < count; first++)
            if (strcmp(layer->steps[first], route->step[first]) != 0)
                return HOLD_NOT;
        if (first < layer->step_count)
            return HOLD_ABOVE;
    }
    for (size_t i = first; i < count; i++)
        steps[used++] = route->step[i];
    return sim_scan_locate(layer->text, layer->length, steps, used, ret_line, ret_column) ? HOLD_VALUE : HOLD_NOT;
}

/** Which layer holds @p place, or the innermost thing around it that one holds. NULL: none. */
static const struct sim_layer *holder(const struct sim_layer *layers, size_t layer_count, const struct sim_place *place,
                                      size_t *ret_line, size_t *ret_column) {
    struct sim_route route;
    sim_place_route(place, &route);
    for (size_t count = route.count + 1; count-- > 0;) {
        const struct sim_layer *above = NULL;
        for (size_t i = layer_count; i-- > 0;) {
            enum hold hold = locate(&layers[i], &route, count, ret_line, ret_column);
            if (hold == HOLD_VALUE)
                return &layers[i];
            if (hold == HOLD_ABOVE && above == NULL && count > 0)
                above = &layers[i];
        }
        if (above != NULL)
            return above;
    }
    return NULL;
}

static bool fail_in(const struct sim_layer *layers, size_t count, struct sim_located_error *error,
                    const struct sim_place *place, const char *format, va_list arguments) {
    char path[256], message[512];
    vsnprintf(message, sizeof message, format, arguments);
    size_t line = 0, column = 0;
    const struct sim_layer *layer = holder(layers, count, place, &line, &column);
    bool in_file = layer != NULL && !layer->is_set;
    sim_error_set_at(error, layer != NULL ? layer->label : "", in_file ? line : 0, in_file ? column : 0,
                     sim_place_text(place, path, sizeof path), "%s", message);
    return false;
}

bool sim_layers_fail(const struct sim_layers *layers, const struct sim_place *place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_in(layers->layers, layers->count, layers->error, place, format, arguments);
    va_end(arguments);
    return false;
}

__attribute__((format(printf, 4, 5))) static bool fail_here(struct sim_located_error *error,
                                                            const struct sim_layer *layer,
                                                            const struct sim_place *place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_in(layer, 1, error, place, format, arguments);
    va_end(arguments);
    return false;
}

void sim_layers_round(cJSON *tree) {
    for (cJSON *node = tree; node != NULL; node = node->next) {
        if (node->child != NULL)
            sim_layers_round(node->child);
        if (!cJSON_IsNumber(node) || floor(node->valuedouble) >= node->valuedouble)
            continue;
        char text[32];
        snprintf(text, sizeof text, "%1.15g", node->valuedouble);
        double printed = strtod(text, NULL);
        double larger = fmax(fabs(printed), fabs(node->valuedouble));
        if (fabs(printed - node->valuedouble) <= larger * DBL_EPSILON)
            cJSON_SetNumberValue(node, printed);
    }
}

/** @p text is known to be good JSON. */
static cJSON *parse(const char *text, size_t length) {
    cJSON *tree = cJSON_ParseWithLength(text, length);
    assert(tree != NULL);
    sim_layers_round(tree);
    return tree;
}

static const struct sim_preset *find_preset(const char *name, const char **ret_nearest) {
    size_t nearest = SIZE_MAX;
    for (size_t i = 0; i < sim_preset_count; i++) {
        if (strcmp(sim_presets[i].name, name) == 0)
            return &sim_presets[i];
        size_t distance = sim_edit_distance(sim_presets[i].name, name);
        if (distance < nearest) {
            nearest = distance;
            *ret_nearest = sim_presets[i].name;
        }
    }
    return NULL;
}

bool sim_layers_preset(struct sim_layers *layers, cJSON *root, cJSON *endpoint, const struct sim_layer *source) {
    cJSON *named = cJSON_GetObjectItemCaseSensitive(endpoint, "preset");
    /* Anything but a string stays, for the reader to refuse. */
    if (!cJSON_IsString(named))
        return true;
    const char *nearest = "";
    const struct sim_preset *preset = find_preset(named->valuestring, &nearest);
    struct sim_place top = {0}, outer = {.parent = &top, .key = "endpoint"},
                     place = {.parent = &outer, .key = "preset"};
    if (preset == NULL)
        return fail_here(layers->error, source, &place,
                         "expected the name of a preset (`fairlane presets`), found \"%.60s\"; the nearest is \"%s\"",
                         named->valuestring, nearest);
    struct sim_layer layer = {.label = sim_memory_format(layers->scratch, "preset %s", preset->name),
                              .text = preset->text,
                              .length = preset->length,
                              .scope = "endpoint"};
    sim_layers_add(layers, &layer);
    cJSON *tree = parse(preset->text, preset->length);
    cJSON_DeleteItemFromObjectCaseSensitive(tree, "about");
    sim_merge(root, tree, &sim_scenario_key);
    cJSON_DeleteItemFromObjectCaseSensitive(endpoint, "preset");
    return true;
}

void sim_layers_rebase(struct sim_layers *layers, cJSON *tree, const struct sim_key *row, const char *folder) {
    if (row == NULL)
        return;
    if (row->type == SIM_KEY_FILE && cJSON_IsString(tree)) {
        const char *path = sim_path_from_here(layers->scratch, folder, tree->valuestring);
        bool done = cJSON_SetValuestring(tree, path) != NULL;
        assert(done);
        return;
    }
    cJSON *child;
    cJSON_ArrayForEach(child, tree) {
        const char *step = child->string != NULL ? child->string : "";
        sim_layers_rebase(layers, child, sim_key_child(row, step, cJSON_IsArray(tree)), folder);
    }
}

static void add_trace(struct sim_layers *layers, const struct sim_manifest_trace *trace) {
    if (layers->trace_count == layers->trace_room) {
        size_t room = layers->trace_room > 0 ? 2 * layers->trace_room : 8;
        struct sim_manifest_trace *grown = sim_memory_take(layers->scratch, room, sizeof *grown);
        if (layers->trace_count > 0)
            memcpy(grown, layers->traces, layers->trace_count * sizeof *grown);
        layers->traces = grown;
        layers->trace_room = room;
    }
    layers->traces[layers->trace_count++] = *trace;
}

/** Take the scenario and the checksums out of a manifest. @return the scenario's tree, NULL with the error set. */
static cJSON *open_manifest(struct sim_layers *layers, struct sim_layer *layer, const cJSON *tree) {
    struct sim_place top = {0}, traces = {.parent = &top, .key = "traces"};
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(tree, "manifest");
    if (!cJSON_IsNumber(number) || number->valuedouble < 1 || number->valuedouble > 1) {
        fail_here(layers->error, layer, &(struct sim_place){.parent = &top, .key = "manifest"},
                  "expected 1, the version of a manifest");
        return NULL;
    }
    const cJSON *scenario = cJSON_GetObjectItemCaseSensitive(tree, "scenario");
    if (!cJSON_IsObject(scenario)) {
        fail_here(layers->error, layer, &(struct sim_place){.parent = &top, .key = "scenario"},
                  "expected an object: the scenario that the manifest repeats");
        return NULL;
    }
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(tree, "traces"), *entry;
    cJSON_ArrayForEach(entry, list) {
        const cJSON *file = cJSON_GetObjectItemCaseSensitive(entry, "file");
        const cJSON *hash = cJSON_GetObjectItemCaseSensitive(entry, "sha256");
        if (!cJSON_IsString(file) || !cJSON_IsString(hash)) {
            fail_here(layers->error, layer, &traces, "expected entries with \"file\" and \"sha256\"");
            return NULL;
        }
        struct sim_manifest_trace trace = {
            .file = sim_memory_format(layers->scratch, "%s", file->valuestring),
            .sha256 = sim_memory_format(layers->scratch, "%s", hash->valuestring),
            .manifest = layer->label,
        };
        add_trace(layers, &trace);
    }
    layer->prefix = "scenario";
    cJSON *copy = cJSON_Duplicate(scenario, true);
    assert(copy != NULL);
    return copy;
}

/** The files being read, innermost first, to notice that one extends itself. */
struct chain {
    const struct chain *outer;
    struct sim_file_identity identity;
    size_t depth;
};

static bool known(const struct chain *chain, const struct sim_file_identity *identity) {
    for (; chain != NULL; chain = chain->outer)
        if (chain->identity.device == identity->device && chain->identity.inode == identity->inode)
            return true;
    return false;
}

static bool lay_file(struct sim_layers *layers, cJSON *root, const char *path, const struct chain *outer,
                     const struct sim_layer *source);

/** Follow `extends` of @p tree, if any. */
static bool lay_base(struct sim_layers *layers, cJSON *root, cJSON *tree, const struct chain *chain,
                     const struct sim_layer *layer) {
    struct sim_place top = {0}, place = {.parent = &top, .key = "extends"};
    cJSON *extends = cJSON_DetachItemFromObjectCaseSensitive(tree, "extends");
    bool good = true;
    if (extends != NULL && !cJSON_IsNull(extends)) {
        if (!cJSON_IsString(extends) || extends->valuestring[0] == '\0')
            good = fail_here(layers->error, layer, &place, "expected a string: the file to start from");
        else if (chain->depth >= SIM_EXTENDS_MAX)
            good = fail_here(layers->error, layer, &place, "expected at most %d files in a chain of extends",
                             SIM_EXTENDS_MAX);
        else
            good = lay_file(
                layers, root,
                sim_path_join(layers->scratch, sim_path_folder(layers->scratch, layer->label), extends->valuestring),
                chain, layer);
    }
    cJSON_Delete(extends);
    return good;
}

/** Lay one checked text over @p root, its base first. */
static bool lay_text(struct sim_layers *layers, cJSON *root, struct sim_layer *layer, const struct chain *chain) {
    struct sim_place top = {0};
    cJSON *tree = parse(layer->text, layer->length);
    const char *folder = sim_path_folder(layers->scratch, layer->label);
    bool good = cJSON_IsObject(tree);
    if (!good)
        fail_here(layers->error, layer, &top, "expected an object: a scenario");
    if (good && cJSON_GetObjectItemCaseSensitive(tree, "manifest") != NULL) {
        cJSON *scenario = open_manifest(layers, layer, tree);
        cJSON_Delete(tree);
        tree = scenario;
        folder = ".";
        good = tree != NULL;
    }
    good = good && lay_base(layers, root, tree, chain, layer);
    if (good) {
        sim_layers_rebase(layers, tree, &sim_scenario_key, folder);
        good = sim_layers_preset(layers, root, cJSON_GetObjectItemCaseSensitive(tree, "endpoint"), layer);
    }
    if (!good) {
        cJSON_Delete(tree);
        return false;
    }
    sim_layers_add(layers, layer);
    sim_merge(root, tree, &sim_scenario_key);
    return true;
}

static bool lay_file(struct sim_layers *layers, cJSON *root, const char *path, const struct chain *outer,
                     const struct sim_layer *source) {
    struct sim_place top = {0}, extends = {.parent = &top, .key = "extends"};
    struct chain chain = {.outer = outer, .depth = outer != NULL ? outer->depth + 1 : 1};
    struct sim_located_error inner = {0};
    size_t length;
    char *bytes = sim_file_read(path, &length, &chain.identity, &inner);
    if (bytes == NULL && source != NULL)
        return fail_here(layers->error, source, &extends, "%s: %s", path, inner.message);
    if (bytes == NULL) {
        sim_error_set(layers->error, path, 0, "", "%s", inner.message);
        return false;
    }
    struct sim_layer layer = {.label = path, .text = sim_memory_text(layers->scratch, bytes, length), .length = length};
    free(bytes);
    if (known(outer, &chain.identity))
        return fail_here(layers->error, source, &extends, "%s extends itself, directly or through others", path);
    return sim_scan_check(layer.text, layer.length, path, layers->error) && lay_text(layers, root, &layer, &chain);
}

cJSON *sim_layers_load(struct sim_layers *layers, const char *path, const struct sim_scenario_options *options) {
    cJSON *root = cJSON_CreateObject();
    assert(root != NULL);
    bool good = lay_file(layers, root, path, NULL, NULL);
    for (size_t i = 0; good && options != NULL && i < options->set_file_count; i++)
        good = lay_file(layers, root, options->set_files[i], NULL, NULL);
    for (size_t i = 0; good && options != NULL && i < options->set_count; i++)
        good = sim_layers_set(layers, root, options->sets[i]);
    /* Again, for those that came by --set: it changes nothing in the others. */
    sim_layers_rebase(layers, root, &sim_scenario_key, ".");
    if (good)
        return root;
    cJSON_Delete(root);
    return NULL;
}

cJSON *sim_layers_open(struct sim_layers *layers, const char *path, const struct sim_key *row,
                       struct sim_scenario_memory *memory) {
    struct sim_file_identity identity;
    size_t length;
    char *bytes = sim_file_read(path, &length, &identity, layers->error);
    if (bytes == NULL)
        return NULL;
    struct sim_layer layer = {.label = path, .text = sim_memory_text(layers->scratch, bytes, length), .length = length};
    free(bytes);
    if (!sim_scan_check(layer.text, length, path, layers->error))
        return NULL;
    cJSON *tree = cJSON_ParseWithLength(layer.text, length);
    assert(tree != NULL);
    sim_memory_own_tree(memory, tree);
    sim_layers_round(tree);
    sim_layers_rebase(layers, tree, row, sim_path_folder(memory, path));
    sim_layers_add(layers, &layer);
    return tree;
}
