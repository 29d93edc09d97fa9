/** A comparison as files: compare.json, compare.csv, manifest.json. */
#include "comparison.h"
#include "text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_VERSION = 1, MANIFEST_VERSION = 1 };

static const char *verdict_word(enum sim_verdict verdict) {
    static const char *const words[] = {"pass", "fail", "inconclusive"};
    return words[verdict];
}

static const char *better_word(enum sim_better better) {
    static const char *const words[] = {"less", "more", "neither"};
    return words[better];
}

const char *sim_comparison_word(const struct sim_comparison_row *row) {
    bool directed = row->figure->better != SIM_NEITHER;
    bool rose = row->paired.difference > 0;
    switch (row->change) {
    case SIM_CHANGE_NONE:
        return "same";
    case SIM_CHANGE_UNCLEAR:
        return "no clear change";
    case SIM_CHANGE_HINT:
        return !directed ? (rose ? "higher?" : "lower?") : row->worse ? "worse?" : "better?";
    case SIM_CHANGE_SURE:
        return !directed ? (rose ? "higher" : "lower") : row->worse ? "worse" : "better";
    case SIM_CHANGE_LOST:
        return row->worse ? "worse" : "better";
    case SIM_CHANGE_UNKNOWN:
        break;
    }
    return "";
}

static void add_string(struct sim_text *text, const char *key, const char *value) {
    sim_text_printf(text, "\"%s\": ", key);
    sim_text_json_string(text, value);
}

static void add_number(struct sim_text *text, const char *key, double value) {
    sim_text_printf(text, ", \"%s\": ", key);
    sim_text_json_number(text, value);
}

/** Paths are left out: a file that holds them would differ from place to place. */
static void add_side(struct sim_text *text, const char *key, const struct sim_record *record) {
    sim_text_printf(text, "  \"%s\": {", key);
    add_string(text, "scenario", record->scenario);
    sim_text_add(text, ", ");
    add_string(text, "hash", record->hash);
    sim_text_add(text, "},\n");
}

/** A side's value, or null with what it is beyond. */
static void add_value(struct sim_text *text, const char *key, double value, double beyond) {
    add_number(text, key, value);
    if (!isnan(value) || isnan(beyond))
        return;
    sim_text_printf(text, ", \"%s_beyond\": ", key);
    sim_text_json_number(text, beyond);
}

static void add_row(struct sim_text *text, const struct sim_comparison_row *row) {
    const struct sim_paired *paired = &row->paired;
    sim_text_json_string(text, row->figure->name);
    sim_text_add(text, ": {");
    add_string(text, "unit", row->figure->unit);
    sim_text_add(text, ", ");
    add_string(text, "better", better_word(row->figure->better));
    add_value(text, "a", paired->a, paired->a_beyond);
    add_value(text, "b", paired->b, paired->b_beyond);
    sim_text_add(text, ",\n      \"difference\": ");
    sim_text_json_number(text, paired->difference);
    add_number(text, "lo", paired->lo);
    add_number(text, "hi", paired->hi);
    add_number(text, "relative", paired->relative);
    add_number(text, "p", paired->p);
    add_number(text, "p_holm", row->p_holm);
    sim_text_printf(text, ", \"pairs\": %zu, ", paired->pairs);
    add_string(text, "change", sim_comparison_word(row));
    sim_text_add(text, "}");
}

static void add_rule(struct sim_text *text, const struct sim_comparison *comparison, const struct sim_fail_on *rule) {
    sim_text_add(text, "{");
    add_string(text, "text", rule->text);
    sim_text_add(text, ", ");
    add_string(text, "verdict", verdict_word(rule->verdict));
    sim_text_add(text, ", ");
    add_string(text, "figure", rule->name);
    add_number(text, "threshold", (rule->rise ? 1 : -1) * sim_comparison_threshold(comparison, rule));
    sim_text_add(text, ", \"why\": ");
    if (rule->why)
        sim_text_json_string(text, rule->why);
    else
        sim_text_add(text, "null");
    sim_text_add(text, "}");
}

char *sim_comparison_json(const struct sim_comparison *comparison) {
    struct sim_text text = {0};
    sim_text_printf(&text, "{\n  \"version\": %d,\n", COMPARE_VERSION);
    add_side(&text, "a", comparison->a);
    add_side(&text, "b", comparison->b);
    sim_text_add(&text, "  ");
    add_string(&text, "seed", comparison->a->seed);
    sim_text_printf(&text, ",\n  \"replications\": %zu,\n  \"level\": 0.95,\n  \"metrics\": {",
                    comparison->a->replications);
    for (size_t i = 0; i < comparison->row_count; i++) {
        sim_text_add(&text, i ? ",\n    " : "\n    ");
        add_row(&text, &comparison->rows[i]);
    }
    sim_text_add(&text, "\n  },\n  \"fail_on\": [");
    for (size_t i = 0; i < comparison->rule_count; i++) {
        sim_text_add(&text, i ? ",\n    " : "\n    ");
        add_rule(&text, comparison, &comparison->rules[i]);
    }
    sim_text_add(&text, comparison->rule_count ? "\n  ]\n}\n" : "]\n}\n");
    return sim_text_take(&text);
}

char *sim_comparison_csv(const struct sim_comparison *comparison) {
    struct sim_text text = {0};
    sim_text_add(&text, "figure,unit,better,a,b,difference,lo,hi,relative,p,p_holm,pairs,change\n");
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct sim_comparison_row *row = &comparison->rows[i];
        const struct sim_paired *paired = &row->paired;
        double a = isnan(paired->a) && !isnan(paired->a_beyond) ? INFINITY : paired->a;
        double b = isnan(paired->b) && !isnan(paired->b_beyond) ? INFINITY : paired->b;
        const double numbers[] = {a,         b,          paired->difference, paired->lo, paired->hi, paired->relative,
                                  paired->p, row->p_holm};
        sim_text_csv_string(&text, row->figure->name);
        sim_text_printf(&text, ",%s,%s", row->figure->unit, better_word(row->figure->better));
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            sim_text_add(&text, ",");
            sim_text_csv_number(&text, numbers[k]);
        }
        sim_text_printf(&text, ",%zu,%s\n", paired->pairs, sim_comparison_word(row));
    }
    return sim_text_take(&text);
}

static char *manifest(const struct sim_comparison *comparison) {
    struct sim_text text = {0};
    sim_text_printf(&text, "{\n  \"manifest\": %d,\n  \"kind\": \"comparison\",\n  ", MANIFEST_VERSION);
    add_string(&text, "program", "fairlane");
    sim_text_add(&text, ",\n  ");
    add_string(&text, "version", FAIRLANE_VERSION);
    sim_text_printf(&text, ",\n  \"model\": %.0f,\n", comparison->a->model);
    add_side(&text, "a", comparison->a);
    add_side(&text, "b", comparison->b);
    sim_text_add(&text, "  ");
    add_string(&text, "seed", comparison->a->seed);
    sim_text_printf(&text, ",\n  \"replications\": %zu\n}\n", comparison->a->replications);
    return sim_text_take(&text);
}

bool sim_comparison_write(struct sim_folder *folder, const struct sim_comparison *comparison,
                          struct sim_located_error *error) {
    /* The manifest comes last: a folder that has one is complete. */
    const struct {
        const char *name;
        char *text;
    } files[] = {{"compare.json", sim_comparison_json(comparison)},
                 {"compare.csv", sim_comparison_csv(comparison)},
                 {"manifest.json", manifest(comparison)}};
    bool good = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert(files[i].text);
        good = good && sim_folder_write(folder, files[i].name, files[i].text, strlen(files[i].text), error);
        free(files[i].text);
    }
    return good;
}
