/* Configurations: what expressions see of them, their scenarios, their words. */
#include "study.h"

#include "../results/text.h"
#include "../run/warmup.h"
#include "axis.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sim_study_own_value(const struct sim_study *study, const char *path, struct sim_scenario_memory *memory) {
    const cJSON *value;
    const struct sim_key *row = sim_path_row(study->base->resolved, path, &value);
    if (value == NULL)
        return row != NULL ? row->initial : NULL;
    char *printed = cJSON_PrintUnformatted(value);
    assert(printed != NULL);
    const char *text = sim_memory_format(memory, "%s", printed);
    cJSON_free(printed);
    return text;
}

/* ---- expressions ---- */

static bool is_end(const char *path, const char *name, size_t length) {
    size_t whole = strlen(path);
    return whole >= length && memcmp(path + whole - length, name, length) == 0 &&
           (whole == length || path[whole - length - 1] == '.');
}

/* Number of an own path: behind the axes. */
static size_t own_number(struct sim_study *study, const char *path) {
    for (size_t i = 0; i < study->own_count; i++)
        if (strcmp(study->own_paths[i], path) == 0)
            return study->axis_count + i;
    if (study->own_count == study->own_room) {
        study->own_room = study->own_room > 0 ? 2 * study->own_room : 8;
        const char **grown = sim_memory_take(study->memory, study->own_room, sizeof *grown);
        for (size_t i = 0; i < study->own_count; i++)
            grown[i] = study->own_paths[i];
        study->own_paths = grown;
    }
    study->own_paths[study->own_count] = path;
    return study->axis_count + study->own_count++;
}

static bool find_name(void *context, const char *name, size_t length, size_t *ret, struct sim_located_error *error) {
    struct sim_study *study = context;
    size_t matches = 0;
    for (size_t i = 0; i < study->axis_count; i++) {
        const char *path = study->axes[i].path;
        if (!is_end(path, name, length))
            continue;
        if (matches++ == 0 || strlen(path) == length)
            *ret = i;
        if (strlen(path) == length)
            return true;
    }
    if (matches == 1)
        return true;
    if (matches > 1) {
        sim_error_set(error, "", 0, "", "\"%.*s\" may mean %zu of the knobs varied: expected more of the path",
                      (int)length, name, matches);
        return false;
    }
    const char *path = sim_memory_text(study->memory, name, length);
    if (sim_study_own_value(study, path, study->memory) == NULL) {
        sim_error_set(
            error, "", 0, "",
            "expected the name of a knob varied, such as \"%.60s\", or a path of the scenario, found \"%.60s\"",
            study->axes[0].name, path);
        return false;
    }
    *ret = own_number(study, path);
    return true;
}

struct sim_expression *sim_study_expression(struct sim_study *study, const char *text,
                                            struct sim_located_error *error) {
    const struct sim_names names = {.find = find_name, .context = study};
    return sim_expression_create(text, &names, error);
}

struct view {
    const struct sim_study *study;
    const char *const *values;
    struct sim_scenario_memory *memory;
};

/* JSON text as a value of an expression. */
static bool read_value(const char *text, struct sim_value *ret) {
    size_t length = strlen(text);
    bool truth = strcmp(text, "true") == 0;
    if (text[0] == '"') {
        *ret = (struct sim_value){.kind = SIM_VALUE_TEXT, .text = text + 1, .length = length - 2};
        return true;
    }
    if (truth || strcmp(text, "false") == 0) {
        *ret = (struct sim_value){.kind = SIM_VALUE_TRUTH, .number = truth};
        return true;
    }
    char *end;
    *ret = (struct sim_value){.kind = SIM_VALUE_NUMBER, .number = strtod(text, &end)};
    return end != text && *end == '\0';
}

static bool value_of(void *context, size_t number, struct sim_value *ret) {
    const struct view *view = context;
    const struct sim_study *study = view->study;
    bool axis = number < study->axis_count;
    const char *text = axis ? view->values[number] : NULL;
    if (text == NULL) {
        const char *path = axis ? study->axes[number].path : study->own_paths[number - study->axis_count];
        text = sim_study_own_value(study, path, view->memory);
    }
    return text != NULL && read_value(text, ret);
}

bool sim_study_holds(const struct sim_study *study, const struct sim_expression *expression, const char *const *values,
                     bool *ret_holds, struct sim_located_error *error) {
    struct view view = {.study = study, .values = values, .memory = sim_memory_create()};
    bool good = sim_expression_true(expression, value_of, &view, ret_holds, error);
    sim_memory_destroy(view.memory);
    return good;
}

bool sim_study_allows(const struct sim_study *study, const char *const *values, bool *ret_allowed,
                      struct sim_located_error *error) {
    *ret_allowed = true;
    for (size_t i = 0; i < study->constraint_count && *ret_allowed; i++)
        if (!sim_study_holds(study, study->constraints[i], values, ret_allowed, error))
            return false;
    return true;
}

/* ---- scenario ---- */

static const char *slo_set(const struct sim_study *study, struct sim_scenario_memory *memory) {
    struct sim_text text = {0};
    sim_text_add(&text, "slo=[");
    for (size_t i = 0; i < study->slo_count; i++) {
        sim_text_add(&text, i > 0 ? "," : "");
        sim_text_json_string(&text, study->slo[i]);
    }
    sim_text_add(&text, "]");
    char *taken = sim_text_take(&text);
    assert(taken != NULL);
    const char *set = sim_memory_format(memory, "%s", taken);
    free(taken);
    return set;
}

bool sim_study_settle_warmup(struct sim_study *study, uint32_t jobs, const volatile int *stop,
                             struct sim_located_error *error) {
    const struct sim_run_options options = {.jobs = jobs, .stop = stop};
    struct sim_warmup warmup;
    if (!study->base->warmup_auto || study->warmup_set != NULL)
        return true;
    if (!sim_warmup_choose(study->base, &options, &warmup, error))
        return false;
    study->warmup_set = sim_memory_format(study->memory, "warmup_s=%.15g", (double)warmup.chosen_ns / 1e9);
    sim_warmup_finish(&warmup);
    return true;
}

struct sim_scenario *sim_study_scenario(const struct sim_study *study, const char *const *values,
                                        struct sim_located_error *error) {
    struct sim_scenario_memory *memory = sim_memory_create();
    struct sim_scenario_options options = study->given;
    const char **sets = sim_memory_take(memory, options.set_count + study->axis_count + 4, sizeof *sets);
    size_t count = 0;
    for (; count < options.set_count; count++)
        sets[count] = options.sets[count];
    if (study->own_slo)
        sets[count++] = slo_set(study, memory);
    /* A fixed number, so that a study that repeats more often finds what it had. */
    sets[count++] = "replications=1";
    if (study->base->precision.metric != NULL)
        sets[count++] = "precision=null";
    if (study->warmup_set != NULL)
        sets[count++] = study->warmup_set;
    for (size_t i = 0; i < study->axis_count; i++)
        if (values[i] != NULL)
            sets[count++] = sim_memory_format(memory, "%s=%s", study->axes[i].path, values[i]);
    options.sets = sets;
    options.set_count = count;
    struct sim_scenario *scenario = sim_scenario_create(study->scenario, &options, error);
    if (scenario != NULL)
        scenario->replications = study->repeat;
    sim_memory_destroy(memory);
    return scenario;
}

/* ---- words ---- */

const char *sim_study_label(const struct sim_study *study, const char *const *values,
                            struct sim_scenario_memory *memory) {
    const char *label = "";
    for (size_t i = 0; i < study->axis_count; i++) {
        if (values[i] == NULL)
            continue;
        size_t length = strlen(values[i]);
        bool quoted = values[i][0] == '"';
        label = sim_memory_format(memory, "%s%s%s=%.*s", label, label[0] != '\0' ? " " : "", study->axes[i].name,
                                  (int)(quoted ? length - 2 : length), values[i] + quoted);
    }
    return label[0] != '\0' ? label : "as the scenario has it";
}

const char *sim_study_knobs(const struct sim_study *study, const char *const *values,
                            struct sim_scenario_memory *memory) {
    struct sim_text text = {0};
    bool any = false;
    sim_text_add(&text, "{");
    for (size_t i = 0; i < study->axis_count; i++) {
        if (values[i] == NULL)
            continue;
        sim_text_add(&text, any ? ", " : "");
        sim_text_json_string(&text, study->axes[i].path);
        sim_text_add(&text, ": ");
        sim_text_add(&text, values[i]);
        any = true;
    }
    sim_text_add(&text, "}");
    char *taken = sim_text_take(&text);
    assert(taken != NULL);
    const char *knobs = sim_memory_format(memory, "%s", taken);
    free(taken);
    return knobs;
}
