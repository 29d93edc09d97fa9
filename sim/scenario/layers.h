/** The texts a scenario is put together from, lowest first: files along `extends`, presets, set files, --set arguments.
 *
 *  They are merged into one tree. Which text a value came from is not kept per value: when there is an error to report,
 *  the topmost text that holds the value's path is the one, since whatever is laid on later only ever replaces. */
#ifndef SIM_LAYERS_H
#define SIM_LAYERS_H

#include "keys.h"
#include "memory.h"
#include "place.h"
#include "scenario.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

enum { SIM_EXTENDS_MAX = 16 };

struct sim_layer {
    const char *label; /**< file, "preset NAME" or the --set argument */
    const char *text;
    size_t length;
    const char *prefix;       /**< member of the text that holds the scenario (a manifest's); NULL: the text itself */
    const char *scope;        /**< the only key of the scenario that it speaks of (a preset's); NULL: all */
    const char *const *steps; /**< where a --set value goes; the text is that value */
    size_t step_count;
    bool is_set;
};

/** What a manifest says of a trace. */
struct sim_manifest_trace {
    const char *file;
    const char *sha256;
    const char *manifest; /**< the file that says so */
};

struct sim_layers {
    struct sim_scenario_memory *scratch; /**< borrowed: texts and labels live here */
    struct sim_layer *layers;
    size_t count, room;
    struct sim_manifest_trace *traces;
    size_t trace_count, trace_room;
    struct sim_located_error *error;
};

/** Read @p path with all it extends, lay @p options over it. @return the tree (cJSON_Delete), or NULL with the error set.
 *  In the tree, `extends` and `endpoint.preset` are gone and trace files are relative to the current directory. */
cJSON *sim_layers_load(struct sim_layers *layers, const char *path, const struct sim_scenario_options *options);

/** Read @p path, a strict file that nothing is laid over, into a tree that @p memory owns. Files named in it, as @p row says,
 *  become relative to the current directory. @return NULL with the error set. */
cJSON *sim_layers_open(struct sim_layers *layers, const char *path, const struct sim_key *row,
                       struct sim_scenario_memory *memory);

void sim_layers_add(struct sim_layers *layers, const struct sim_layer *layer);

/** Report a fault at @p place of the merged tree. @return false. */
bool sim_layers_fail(const struct sim_layers *layers, const struct sim_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Lay the preset that @p endpoint (the patch of one layer) names over @p root, and drop the key from @p endpoint.
 *  @p source: the layer that holds the patch, for errors. @return false with the error set. */
bool sim_layers_preset(struct sim_layers *layers, cJSON *root, cJSON *endpoint, const struct sim_layer *source);

/** Apply one `path=value` to @p root (sets.c). @return false with the error set. */
bool sim_layers_set(struct sim_layers *layers, cJSON *root, const char *argument);

/** Make the trace files in @p tree, given relative to @p folder, relative to the current directory. */
void sim_layers_rebase(struct sim_layers *layers, cJSON *tree, const struct sim_key *row, const char *folder);

/** Round fractions to what cJSON prints of them, so that a scenario read back from its manifest is the same to the bit. */
void sim_layers_round(cJSON *tree);

#endif
