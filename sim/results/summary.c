/* summary.json: every figure with its interval, the verdicts, the warnings and what the invariants found. */
#include "results.h"
#include "text.h"

#include <math.h>
#include <string.h>

/* Version of the file's format. */
enum { SUMMARY_VERSION = 1 };

static void add_key(struct sim_text *text, const char *key) {
    sim_text_json_string(text, key);
    sim_text_add(text, ": ");
}

static void add_member(struct sim_text *text, const char *key, double value) {
    add_key(text, key);
    sim_text_json_number(text, value);
}

/* value, lo, hi: the members of an estimate, without braces. A figure without value has no interval either. */
static void add_estimate(struct sim_text *text, const struct sim_estimate *estimate) {
    bool null = !isfinite(estimate->value);
    add_member(text, "value", estimate->value);
    sim_text_add(text, ", ");
    add_member(text, "lo", null ? NAN : estimate->lo);
    sim_text_add(text, ", ");
    add_member(text, "hi", null ? NAN : estimate->hi);
}

void sim_json_add_figure(struct sim_text *text, const char *name, const char *unit,
                         const struct sim_estimate *estimate) {
    add_key(text, name);
    sim_text_add(text, "{");
    add_estimate(text, estimate);
    sim_text_add(text, ", ");
    add_key(text, "unit");
    sim_text_json_string(text, unit);
    if (isfinite(estimate->beyond)) {
        sim_text_add(text, ", ");
        add_member(text, "beyond", estimate->beyond);
    }
    sim_text_add(text, "}");
}

static void add_metrics(struct sim_text *text, const struct sim_result *result) {
    sim_text_add(text, "  \"metrics\": {");
    for (size_t i = 0; i < result->figures->fixed_count; i++) {
        const struct sim_figure *figure = &result->figures->rows[i];
        sim_text_add(text, i ? ",\n    " : "\n    ");
        sim_json_add_figure(text, figure->name, figure->unit, &result->estimates[i]);
    }
    sim_text_add(text, "\n  },\n");
}

/* Figures of a tenant under their names without "tenant.ID.". Every tenant has equally many rows. */
static void add_tenants(struct sim_text *text, const struct sim_result *result) {
    const struct model_workload *workload = &result->scenario->workload;
    size_t rows = (result->figures->count - result->figures->fixed_count) / workload->tenant_count;
    size_t i = result->figures->fixed_count;
    sim_text_add(text, "  \"tenants\": {");
    for (uint32_t tenant = 0; tenant < workload->tenant_count; tenant++) {
        size_t prefix = strlen("tenant.") + strlen(workload->tenants[tenant].id) + 1;
        sim_text_add(text, tenant ? ",\n    " : "\n    ");
        add_key(text, workload->tenants[tenant].id);
        sim_text_add(text, "{");
        for (size_t row = 0; row < rows; row++, i++) {
            const struct sim_figure *figure = &result->figures->rows[i];
            sim_text_add(text, row ? ",\n      " : "\n      ");
            sim_json_add_figure(text, figure->name + prefix, figure->unit, &result->estimates[i]);
        }
        sim_text_add(text, "\n    }");
    }
    sim_text_add(text, "\n  }\n");
}

const char *sim_verdict_word(enum sim_verdict verdict) {
    switch (verdict) {
    case SIM_PASS:
        return "pass";
    case SIM_FAIL:
        return "fail";
    case SIM_INCONCLUSIVE:
        break;
    }
    return "inconclusive";
}

void sim_json_add_slo(struct sim_text *text, const struct sim_slo *slo, const struct sim_slo_result *result) {
    sim_text_add(text, "{");
    add_key(text, "text");
    sim_text_json_string(text, slo->text);
    sim_text_add(text, ", ");
    add_key(text, "verdict");
    sim_text_json_string(text, sim_verdict_word(result->verdict));
    sim_text_add(text, ",\n      ");
    add_estimate(text, &result->figure);
    sim_text_add(text, ", ");
    add_key(text, "unit");
    sim_text_json_string(text, slo->figure->unit);
    if (isfinite(result->figure.beyond)) {
        sim_text_add(text, ", ");
        add_member(text, "beyond", result->figure.beyond);
    }
    sim_text_add(text, ", ");
    add_member(text, "limit", slo->limit);
    sim_text_add(text, ",\n      ");
    add_key(text, "exceedance");
    if (slo->figure->kind == SIM_FIGURE_QUANTILE) {
        sim_text_add(text, "{");
        add_member(text, "share", result->exceedance.value);
        sim_text_add(text, ", ");
        add_member(text, "lo", result->exceedance.lo);
        sim_text_add(text, ", ");
        add_member(text, "hi", result->exceedance.hi);
        sim_text_add(text, ", ");
        /* 1 - 0.99 in binary is not quite 0.01. */
        add_member(text, "allowed", round(result->allowed * 1e12) / 1e12);
        sim_text_add(text, "}");
    } else {
        sim_text_add(text, "null");
    }
    sim_text_add(text, ", ");
    add_member(text, "level", result->level);
    sim_text_add(text, ", ");
    add_key(text, "why");
    if (result->why)
        sim_text_json_string(text, result->why);
    else
        sim_text_add(text, "null");
    sim_text_add(text, "}");
}

static void add_slos(struct sim_text *text, const struct sim_result *result) {
    sim_text_add(text, "  \"slo\": [");
    for (size_t i = 0; i < result->slo_count; i++) {
        sim_text_add(text, i ? ",\n    " : "\n    ");
        sim_json_add_slo(text, &result->slos[i], &result->slo_results[i]);
    }
    sim_text_add(text, result->slo_count ? "\n  ],\n" : "],\n");
}

/* What was asked of one figure's interval, and what came of it. */
static void add_precision(struct sim_text *text, const struct sim_result *result) {
    const struct sim_precision_result *found = &result->precision;
    sim_text_add(text, "  \"precision\": ");
    if (!found->figure) {
        sim_text_add(text, "null,\n");
        return;
    }
    sim_text_add(text, "{");
    add_key(text, "metric");
    sim_text_json_string(text, found->figure->name);
    sim_text_add(text, ", ");
    add_key(text, "verdict");
    sim_text_json_string(text, found->reached ? "reached" : "inconclusive");
    sim_text_add(text, ", ");
    add_member(text, "wanted", found->wanted);
    sim_text_add(text, ", ");
    add_member(text, "relative", found->relative);
    sim_text_add(text, ", ");
    add_key(text, "why");
    if (found->why)
        sim_text_json_string(text, found->why);
    else
        sim_text_add(text, "null");
    sim_text_add(text, "},\n");
}

static void add_warnings(struct sim_text *text, const struct sim_result *result) {
    sim_text_add(text, "  \"warnings\": [");
    for (size_t i = 0; i < result->warning_count; i++) {
        sim_text_add(text, i ? ",\n    " : "\n    ");
        sim_text_json_string(text, result->warnings[i]);
    }
    sim_text_add(text, result->warning_count ? "\n  ],\n" : "],\n");
}

static void add_invariants(struct sim_text *text, const struct sim_invariants *found) {
    const struct {
        const char *name;
        uint64_t count;
    } rows[] = {{"conservation", found->conservation},
                {"time_in_system", found->time_in_system},
                {"work_conservation", found->work_conservation},
                {"bucket", found->bucket},
                {"clock", found->clock}};
    uint64_t violations = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        violations += rows[i].count;
    sim_text_printf(text, "  \"invariants\": {\"ok\": %s", violations ? "false" : "true");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        sim_text_printf(text, ", \"%s\": %llu", rows[i].name, (unsigned long long)rows[i].count);
    sim_text_add(text, "},\n");
}

char *sim_summary_json(const struct sim_result *result) {
    struct sim_text text = {0};
    sim_text_printf(&text, "{\n  \"version\": %d,\n  ", SUMMARY_VERSION);
    add_key(&text, "scenario");
    sim_text_json_string(&text, result->scenario->name);
    sim_text_add(&text, ",\n  ");
    add_key(&text, "seed");
    sim_text_json_string(&text, result->scenario->seed_text);
    sim_text_printf(&text, ",\n  \"replications\": %zu,\n  ", result->replications);
    add_member(&text, "warmup_s", (double)result->scenario->warmup_ns / 1e9);
    sim_text_add(&text, ",\n");
    add_metrics(&text, result);
    add_slos(&text, result);
    add_precision(&text, result);
    add_warnings(&text, result);
    add_invariants(&text, &result->invariants);
    add_tenants(&text, result);
    sim_text_add(&text, "}\n");
    return sim_text_take(&text);
}
