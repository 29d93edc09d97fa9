/* claims.json and claims.csv. */
#include "claims.h"

#include "../model_version.h"
#include "../results/results.h"
#include "../results/text.h"

#include <math.h>

enum { CLAIMS_FILE_VERSION = 1 };

static const char *const reading_words[] = {"figure", "capacity", "best"};
static const char *const expects_words[] = {NULL, "rise", "fall", "differ", "same"};

static void add_text(struct sim_text *text, const char *key, const char *value) {
    sim_text_printf(text, "\"%s\": ", key);
    if (value != NULL)
        sim_text_json_string(text, value);
    else
        sim_text_add(text, "null");
}

static void add_number(struct sim_text *text, const char *key, double value) {
    sim_text_printf(text, "\"%s\": ", key);
    sim_text_json_number(text, value);
}

static void add_estimate(struct sim_text *text, const struct sim_estimate *estimate) {
    add_number(text, "value", estimate->value);
    sim_text_add(text, ", ");
    add_number(text, "lo", estimate->lo);
    sim_text_add(text, ", ");
    add_number(text, "hi", estimate->hi);
    if (isnan(estimate->value) && !isnan(estimate->beyond)) {
        sim_text_add(text, ", ");
        add_number(text, "beyond", estimate->beyond);
    }
}

static void add_points(struct sim_text *text, const struct sim_claim_side *side) {
    sim_text_add(text, ", \"points\": [");
    for (size_t i = 0; i < side->count; i++) {
        const struct sim_claim_point *point = &side->points[i];
        sim_text_add(text, i > 0 ? ",\n" : "\n");
        sim_text_add(text, "                { ");
        add_number(text, "level", point->level);
        sim_text_add(text, ", ");
        add_estimate(text, &point->ours);
        sim_text_printf(text, ", \"verdict\": \"%s\", \"kept\": %s }", sim_verdict_word(point->verdict),
                        point->kept ? "true" : "false");
    }
    sim_text_add(text, "]");
}

static void add_side(struct sim_text *text, const char *key, const struct sim_claim_measure *measure,
                     const struct sim_claim_side *side) {
    sim_text_printf(text, ",\n          \"%s\": ", key);
    if (!side->there) {
        sim_text_add(text, "null");
        return;
    }
    sim_text_add(text, "{ ");
    if (measure->along == NULL) {
        const struct sim_study_row *row = &measure->study->table.rows[side->configurations[0]];
        sim_text_printf(text, "\"configuration\": %zu, ", side->configurations[0] + 1);
        add_text(text, "knobs", row->configuration->label);
        sim_text_add(text, ", ");
    }
    add_estimate(text, &side->ours);
    sim_text_add(text, ", \"article\": ");
    if (isnan(side->article_lo)) {
        sim_text_add(text, "null");
    } else {
        sim_text_add(text, "[");
        sim_text_json_number(text, side->article_lo);
        sim_text_add(text, ", ");
        sim_text_json_number(text, side->article_hi);
        sim_text_add(text, "]");
    }
    if (measure->along != NULL)
        add_points(text, side);
    sim_text_add(text, " }");
}

static void add_measure(struct sim_text *text, const struct sim_claim_measure *measure, bool decides) {
    sim_text_add(text, "        { ");
    add_text(text, "label", measure->label);
    sim_text_add(text, ", ");
    add_text(text, "study", measure->study->study->name);
    sim_text_printf(text, ", \"decides\": %s, \"on_base\": %s, \"reading\": \"%s\",\n          ",
                    decides ? "true" : "false", measure->on_base ? "true" : "false", reading_words[measure->reading]);
    add_text(text, "figure", measure->text);
    sim_text_add(text, ", ");
    add_text(text, "of", measure->of_text);
    sim_text_add(text, ", ");
    add_text(text, "along", measure->along != NULL ? measure->along->path : NULL);
    sim_text_add(text, ", ");
    add_text(text, "knob", measure->along != NULL ? measure->along->name : NULL);
    sim_text_add(text, ", ");
    add_text(text, "relative_to", measure->reference_text);
    sim_text_add(text, ", ");
    add_text(text, "unit", measure->unit);
    sim_text_add(text, ", ");
    add_text(text, "expects", expects_words[measure->expects]);
    sim_text_add(text, ", ");
    add_text(text, "verdict", sim_claim_verdict_word(measure->verdict));
    add_side(text, "before", measure, &measure->before);
    add_side(text, "after", measure, &measure->after);
    sim_text_add(text, ",\n          \"change\": { ");
    add_estimate(text, &measure->change);
    sim_text_add(text, " } }");
}

static const char *or_null(const char *json) {
    return json != NULL ? json : "null";
}

static void add_departures(struct sim_text *text, const struct sim_claims *claims, const struct sim_claim *claim) {
    struct sim_scenario_memory *memory = sim_memory_create();
    struct sim_departure *departures;
    size_t count = sim_claim_departures(claims, claim, memory, &departures);
    sim_text_add(text, "      \"departures\": [");
    for (size_t i = 0; i < count; i++) {
        sim_text_printf(text, "%s\n        { \"measure\": %zu, ", i > 0 ? "," : "", departures[i].measure + 1);
        add_text(text, "path", departures[i].path);
        sim_text_printf(text, ", \"base\": %s, \"before\": %s, \"after\": %s }", or_null(departures[i].base),
                        or_null(departures[i].before), or_null(departures[i].after));
    }
    sim_text_add(text, "],\n");
    sim_memory_destroy(memory);
}

static void add_claim(struct sim_text *text, const struct sim_claims *claims, size_t index) {
    const struct sim_claim *claim = &claims->claims[index];
    sim_text_printf(text, "%s\n    { \"number\": %zu, ", index > 0 ? "," : "", claim->number);
    add_text(text, "id", claim->id);
    sim_text_add(text, ", ");
    add_text(text, "verdict", sim_claim_verdict_word(claim->verdict));
    sim_text_add(text, ", ");
    add_text(text, "on_base", claim->has_base ? sim_claim_verdict_word(claim->base_verdict) : NULL);
    sim_text_add(text, ",\n      ");
    add_text(text, "says", claim->says);
    sim_text_add(text, ",\n      ");
    add_text(text, "because", claim->because);
    sim_text_add(text, ",\n");
    add_departures(text, claims, claim);
    sim_text_add(text, "      \"measures\": [");
    for (size_t i = 0; i < claim->count; i++) {
        sim_text_add(text, i > 0 ? ",\n" : "\n");
        add_measure(text, &claim->measures[i], i < claim->deciding);
    }
    sim_text_add(text, "] }");
}

static void add_study(struct sim_text *text, const struct sim_study *study, size_t index) {
    sim_text_add(text, index > 0 ? ",\n    { " : "\n    { ");
    add_text(text, "name", study->name);
    sim_text_add(text, ", ");
    add_text(text, "scenario", study->base->name);
    sim_text_add(text, ", ");
    add_text(text, "seed", study->base->seed_text);
    sim_text_printf(text, ", \"replications\": %u }", study->repeat);
}

char *sim_claims_json(const struct sim_claims *claims) {
    struct sim_text text = {0};
    sim_text_printf(&text, "{\n  \"version\": %d,\n  ", CLAIMS_FILE_VERSION);
    add_text(&text, "name", claims->name);
    sim_text_add(&text, ",\n  ");
    add_text(&text, "title", claims->title);
    sim_text_add(&text, ",\n  ");
    add_text(&text, "about", claims->about);
    sim_text_add(&text, ",\n  ");
    add_text(&text, "source", claims->source);
    sim_text_printf(&text, ",\n  \"model_version\": %d,\n  \"studies\": [", SIM_MODEL_VERSION);
    for (size_t i = 0; i < claims->study_count; i++)
        add_study(&text, claims->studies[i].study, i);
    sim_text_add(&text, "],\n  \"claims\": [");
    for (size_t i = 0; i < claims->count; i++)
        add_claim(&text, claims, i);
    sim_text_add(&text, "]\n}\n");
    return sim_text_take(&text);
}

/* ---- claims.csv ---- */

static void add_cells(struct sim_text *text, const struct sim_claim_side *side) {
    sim_text_add(text, ",");
    sim_text_csv_number(text, side->there ? side->article_lo : NAN);
    sim_text_add(text, ",");
    sim_text_csv_number(text, side->there ? side->article_hi : NAN);
    const struct sim_estimate none = {NAN, NAN, NAN, NAN};
    sim_csv_add_estimate(text, side->there ? &side->ours : &none);
}

static void add_row(struct sim_text *text, const struct sim_claim *claim, size_t index) {
    const struct sim_claim_measure *measure = &claim->measures[index];
    const char *const texts[] = {measure->text, measure->of_text};
    sim_text_csv_string(text, claim->id);
    sim_text_add(text, ",");
    sim_text_csv_string(text, measure->label);
    sim_text_printf(text, ",%s,%s,", index < claim->deciding ? "yes" : "no", measure->on_base ? "yes" : "no");
    sim_text_csv_string(text, measure->study->study->name);
    for (size_t i = 0; i < 2; i++) {
        sim_text_add(text, ",");
        sim_text_csv_string(text, texts[i] != NULL ? texts[i] : "");
    }
    sim_text_printf(text, ",%s,%s", measure->unit, sim_claim_verdict_word(measure->verdict));
    add_cells(text, &measure->before);
    add_cells(text, &measure->after);
    sim_csv_add_estimate(text, &measure->change);
    sim_text_add(text, "\n");
}

char *sim_claims_csv(const struct sim_claims *claims) {
    struct sim_text text = {0};
    sim_text_add(&text,
                 "claim,measure,decides,on_base,study,figure,of,unit,verdict,before_stated_lo,before_stated_hi,before,"
                 "before_lo,before_hi,after_stated_lo,after_stated_hi,after,after_lo,after_hi,change,change_lo,"
                 "change_hi\n");
    for (size_t i = 0; i < claims->count; i++)
        for (size_t k = 0; k < claims->claims[i].count; k++)
            add_row(&text, &claims->claims[i], k);
    return sim_text_take(&text);
}
