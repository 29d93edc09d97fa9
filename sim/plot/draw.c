#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim_draw_word sim_draw_number(double value) {
    struct sim_draw_word word;
    if (!isfinite(value)) {
        snprintf(word.text, sizeof word.text, "%s", isnan(value) ? "-" : value < 0 ? "-inf" : "inf");
        return word;
    }
    if (fabs(value) < 1e-12)
        value = 0;
    if (value != 0 && fabs(value) < 1e-4) {
        snprintf(word.text, sizeof word.text, "%.2g", value);
        return word;
    }
    char digits[40];
    int decimals = value == 0 ? 0 : 2 - (int)floor(log10(fabs(value)));
    snprintf(digits, sizeof digits, "%.*f", decimals < 0 ? 0 : decimals > 9 ? 9 : decimals, value);
    char *point = strchr(digits, '.');
    if (point) {
        size_t length = strlen(digits);
        while (digits[length - 1] == '0')
            digits[--length] = '\0';
        if (digits[length - 1] == '.')
            digits[--length] = '\0';
    }
    size_t whole = strcspn(digits, "."), out = 0;
    for (size_t i = 0; digits[i] && out + 2 < sizeof word.text; i++) {
        word.text[out++] = digits[i];
        if (i + 1 < whole && (whole - i - 1) % 3 == 0 && digits[i] != '-')
            word.text[out++] = ',';
    }
    word.text[out] = '\0';
    return word;
}

/* Multiples of a decade that are labelled, from sparse to dense. */
static size_t choose_steps(double decades, const double **ret) {
    static const double sparse[] = {1}, middle[] = {1, 3}, dense[] = {1, 2, 5}, denser[] = {1, 1.5, 2, 3, 5, 7};
    *ret = decades > 4 ? sparse : decades > 2.5 ? middle : decades > 0.8 ? dense : denser;
    return decades > 4 ? 1 : decades > 2.5 ? 2 : decades > 0.8 ? 3 : 6;
}

void sim_draw_log_tics(struct sim_text *script, char axis, double lo, double hi) {
    const double *steps;
    size_t count = choose_steps(log10(hi / lo), &steps);
    bool any = false;
    sim_text_printf(script, "set %ctics (", axis);
    for (int decade = (int)floor(log10(lo)); decade <= (int)floor(log10(hi)); decade++) {
        for (size_t i = 0; i < count; i++) {
            double at = steps[i] * pow(10, decade);
            if (at < lo * 0.999 || at > hi * 1.001)
                continue;
            sim_text_printf(script, "%s'%s' ", any ? ", " : "", sim_draw_number(at).text);
            sim_gnuplot_add_value(script, at);
            any = true;
        }
    }
    sim_text_add(script, ")");
}

double sim_draw_step(double span, int most) {
    static const double multiples[] = {1, 2, 2.5, 5, 10};
    double step = pow(10, floor(log10(span / most)));
    size_t i = 0;
    while (i < 4 && span / (step * multiples[i]) > most)
        i++;
    return step * multiples[i];
}

const char *sim_draw_time_unit(double end_s, double *ret_divisor) {
    static const struct {
        double up_to_s, divisor;
        const char *name;
    } units[] = {{300, 1, "seconds"}, {3 * 3600, 60, "minutes"}, {4 * 86400, 3600, "hours"}, {INFINITY, 86400, "days"}};
    size_t i = 0;
    while (end_s > units[i].up_to_s)
        i++;
    *ret_divisor = units[i].divisor;
    return units[i].name;
}

void sim_draw_data(struct sim_text *script, const char *name) {
    sim_text_printf(script, "%s << END_OF_DATA\n", name);
}

void sim_draw_data_end(struct sim_text *script) {
    sim_text_add(script, "END_OF_DATA\n");
}

/* Labels of tics are formats: a percent sign stands for itself when doubled. */
static void add_tic_label(struct sim_text *script, const char *label, size_t characters_max) {
    struct sim_text doubled = {0}, cut = {0};
    sim_gnuplot_add_label(&cut, label, characters_max);
    for (const char *at = cut.bytes; *at; at++)
        sim_text_append(&doubled, *at == '%' ? "%%" : at, *at == '%' ? 2 : 1);
    sim_text_add(script, doubled.bytes);
    free(cut.bytes);
    free(doubled.bytes);
}

void sim_draw_label_tics(struct sim_text *script, char axis, const char *const *labels, size_t count,
                         size_t characters_max) {
    sim_text_printf(script, "set %ctics (", axis);
    for (size_t i = 0; i < count; i++) {
        sim_text_add(script, i ? ", " : "");
        add_tic_label(script, labels[i], characters_max);
        sim_text_printf(script, " %zu", i + 1);
    }
    sim_text_add(script, ")\n");
}

bool sim_draw_quantile_slo(const cJSON *slo, struct sim_draw_quantile_slo *ret) {
    char digits[8], sign[3];
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(slo, "text");
    const cJSON *limit = cJSON_GetObjectItemCaseSensitive(slo, "limit");
    if (!cJSON_IsString(text) || !cJSON_IsNumber(limit) ||
        sscanf(text->valuestring, "%15[a-z].latency.p%7[0-9] %2[<=]", ret->class_name, digits, sign) != 3)
        return false;
    ret->limit = limit->valuedouble;
    /* p50 is .50, p999 is .999. */
    ret->p = strtod(digits, NULL) / pow(10, (double)strlen(digits));
    return ret->limit > 0 && ret->p < 1;
}
