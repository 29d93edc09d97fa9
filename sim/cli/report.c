/* The tables of a finished run. */
#include "report.h"
#include "sparkline.h"

#include "../memory.h"
#include "../results/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room beside the bars for what they mean. */
enum { LABEL = 12, BESIDE_BARS = 48 };

static const char *const groups[] = {"critical", "standard", "batch", "all"};

static struct sim_estimate get(const struct sim_result *result, const char *name) {
    const struct sim_figure *figure = sim_figures_find(result->figures, name);
    if (!figure)
        return (struct sim_estimate){NAN, NAN, NAN, NAN};
    return result->estimates[figure - result->figures->rows];
}

static struct sim_estimate get_of(const struct sim_result *result, const char *group, const char *rest) {
    char name[96];
    snprintf(name, sizeof name, "%s.%s", group, rest);
    return get(result, name);
}

static void put_label(const struct cli_page *page, const char *label) {
    cli_put(page, CLI_BOLD, label);
    fprintf(page->out, "%*s", LABEL - (int)strlen(label), "");
}

/* A value, or "> x" where it lies among jobs that never finished. */
static struct cli_word value_of(const struct sim_estimate *estimate) {
    return cli_value(estimate->value, estimate->beyond);
}

static const char *policy_name(enum sched_policy policy) {
    static const char *const names[] = {"drr", "fifo", "round_robin", "vtc", "article"};
    return names[policy];
}

void cli_print_heading(const struct cli_page *page, const struct sim_scenario *scenario) {
    cli_put(page, CLI_BOLD, scenario->name);
    fprintf(page->out, ": %s", cli_count(scenario->replications).text);
    if (scenario->precision.metric)
        fprintf(page->out, " to %s", cli_count(scenario->precision.max_replications).text);
    fprintf(page->out, " x %s s (warm-up ", cli_plain((double)scenario->duration_ns * 1e-9).text);
    if (scenario->warmup_auto)
        fputs("auto)", page->out);
    else
        fprintf(page->out, "%s s)", cli_plain((double)scenario->warmup_ns * 1e-9).text);
    fprintf(page->out, ", %u worker%s, %s, seed %s\n", scenario->workers, scenario->workers == 1 ? "" : "s",
            policy_name(scenario->scheduler.tenants.policy), scenario->seed_text);
}

/* ---- classes ---- */

static const char *const quantiles[] = {"latency.p50", "latency.p95", "latency.p99"};
enum { QUANTILES = 3 };

static void add_share(struct cli_table *table, double part, double whole) {
    cli_cell(table, part > 0 ? CLI_DOUBT : CLI_PLAIN, "%s", cli_percent(part / whole).text);
}

static void add_group(struct cli_table *table, const struct sim_result *result, const char *group, bool abandoned) {
    double arrived = get_of(result, group, "arrived").value;
    if (!(arrived > 0)) {
        cli_cell(table, CLI_PLAIN, "%s", group);
        cli_cell(table, CLI_DIM, "%s", "none");
        cli_row_end(table);
        return;
    }
    struct cli_word intervals[QUANTILES];
    bool any = false;
    cli_cell(table, CLI_PLAIN, "%s", group);
    cli_cell(table, CLI_PLAIN, "%s", cli_count(arrived).text);
    for (size_t i = 0; i < QUANTILES; i++) {
        struct sim_estimate estimate = get_of(result, group, quantiles[i]);
        intervals[i] = cli_interval(estimate.lo, estimate.hi, cli_number);
        any = any || *intervals[i].text;
        cli_cell(table, CLI_PLAIN, "%s", value_of(&estimate).text);
    }
    add_share(table, get_of(result, group, "failed").value, arrived);
    if (abandoned)
        add_share(table, get_of(result, group, "abandoned").value, arrived);
    add_share(table, get_of(result, group, "censored").value, arrived);
    if (!any)
        return;
    cli_cell(table, CLI_PLAIN, "%s", "");
    cli_cell(table, CLI_PLAIN, "%s", "");
    for (size_t i = 0; i < QUANTILES; i++)
        cli_cell(table, CLI_DIM, "%s", intervals[i].text);
    cli_row_end(table);
}

static void print_classes(const struct cli_page *page, const struct sim_result *result) {
    bool abandoned = get(result, "all.abandoned").value > 0;
    struct cli_table table = {
        .columns = abandoned ? 8 : 7, .align = abandoned ? "lrrrrrrr" : "lrrrrrr", .headed = true};
    static const char *const heads[] = {"latency", "jobs", "p50 s", "p95 s", "p99 s", "failed"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cli_cell(&table, CLI_BOLD, "%s", heads[i]);
    if (abandoned)
        cli_cell(&table, CLI_BOLD, "%s", "abandoned");
    cli_cell(&table, CLI_BOLD, "%s", "censored");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        add_group(&table, result, groups[i], abandoned);
    cli_table_print(&table, page, 0);
}

/* ---- fairness ---- */

/* Always with three decimals: values near 1 and others stand in one column. */
static struct cli_word index_of(double value) {
    struct cli_word word = {"-"};
    if (isfinite(value))
        snprintf(word.text, sizeof word.text, "%.3f", value);
    return word;
}

static void add_jain(struct cli_table *table, const struct sim_estimate *estimate) {
    struct cli_word interval = cli_interval(estimate->lo, estimate->hi, index_of);
    cli_cell(table, CLI_PLAIN, "%s%s%s", index_of(estimate->value).text, *interval.text ? " " : "", interval.text);
}

static void print_fairness(const struct cli_page *page, const struct sim_result *result) {
    static const char *const kinds[] = {"service", "weighted", "entitlement"};
    struct cli_table table = {.columns = 4, .align = "lllr", .headed = true};
    static const char *const heads[] = {"Jain's index", "whole run", "60 s windows", "Poisson noise alone"};
    for (size_t i = 0; i < 4; i++)
        cli_cell(&table, CLI_BOLD, "%s", heads[i]);
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        cli_cell(&table, CLI_PLAIN, "%s", kinds[i]);
        snprintf(name, sizeof name, "jain.%s", kinds[i]);
        struct sim_estimate whole = get(result, name);
        add_jain(&table, &whole);
        snprintf(name, sizeof name, "jain.%s.windowed", kinds[i]);
        struct sim_estimate windowed = get(result, name);
        add_jain(&table, &windowed);
        cli_cell(&table, CLI_PLAIN, "%s", i ? "" : index_of(get(result, "jain.service.poisson").value).text);
    }
    cli_table_print(&table, page, 0);
}

/* ---- endpoint and workers ---- */

/* The line that @p text holds, behind its label; empties it. */
static void put_line(const struct cli_page *page, const char *label, struct sim_text *text) {
    char *line = sim_text_take(text);
    put_label(page, label);
    cli_put_wrapped(page, CLI_PLAIN, line, LABEL);
    free(line);
}

/* "value [lo, hi]". */
static void add_value(struct sim_text *text, const struct sim_estimate *estimate, struct cli_word (*form)(double)) {
    struct cli_word interval = cli_interval(estimate->lo, estimate->hi, form);
    sim_text_printf(text, "%s%s%s", form(estimate->value).text, *interval.text ? " " : "", interval.text);
}

/* "name count, name count": those of @p rows (figure, name) that are over 0. @return whether there was any. */
static bool add_counts(struct sim_text *text, const struct sim_result *result, const char *const (*rows)[2],
                       size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        double value = get(result, rows[i][0]).value;
        if (!(value > 0))
            continue;
        sim_text_printf(text, "%s%s %s", any ? ", " : "", rows[i][1], cli_count(value).text);
        any = true;
    }
    return any;
}

static void print_throttles(const struct cli_page *page, const struct sim_result *result) {
    static const char *const limiters[][2] = {{"throttles.rpm", "RPM"},
                                              {"throttles.itpm", "ITPM"},
                                              {"throttles.otpm", "OTPM"},
                                              {"throttles.ramp", "ramp"},
                                              {"throttles.concurrency", "concurrency"},
                                              {"throttles.spend", "spend cap"}};
    struct sim_estimate total = get(result, "throttles.total"), rate = get(result, "throttles.rate");
    struct sim_text text = {0}, by = {0};
    add_value(&text, &total, cli_count);
    sim_text_add(&text, ", ");
    add_value(&text, &rate, cli_percent);
    sim_text_add(&text, " of attempts");
    if (add_counts(&by, result, limiters, sizeof limiters / sizeof *limiters))
        sim_text_printf(&text, "; by %s", by.bytes);
    free(by.bytes);
    put_line(page, "429s", &text);
    double overload = get(result, "throttles.overload").value;
    if (!(overload > 0))
        return;
    sim_text_printf(&text, "%s (endpoint overloaded)", cli_count(overload).text);
    put_line(page, "529s", &text);
}

static void print_retries(const struct cli_page *page, const struct sim_result *result) {
    struct sim_estimate recurrence = get(result, "retries.recurrence");
    struct sim_estimate amplification = get(result, "retries.amplification");
    struct sim_estimate early = get(result, "retries.early_share");
    struct sim_text text = {0};
    if (isnan(recurrence.value) && isnan(amplification.value))
        return;
    add_value(&text, &amplification, cli_number);
    sim_text_add(&text, " attempts a success");
    if (isfinite(recurrence.value)) {
        sim_text_add(&text, ", ");
        add_value(&text, &recurrence, cli_percent);
        sim_text_add(&text, " of retries get another 429");
    }
    if (early.value > 0)
        sim_text_printf(&text, ", %s come before retry-after is over", cli_percent(early.value).text);
    put_line(page, "retries", &text);
}

/* Shares on one line, those that do not exist left out. */
static void print_shares(const struct cli_page *page, const struct sim_result *result, const char *label,
                         const char *const (*rows)[2], size_t count) {
    struct sim_text text = {0};
    for (size_t i = 0; i < count; i++) {
        double value = get(result, rows[i][0]).value;
        if (!isnan(value))
            sim_text_printf(&text, "%s%s %s", text.length ? ", " : "", rows[i][1], cli_percent(value).text);
    }
    if (!text.length)
        sim_text_add(&text, "none");
    put_line(page, label, &text);
}

static void print_utilisation(const struct cli_page *page, const struct sim_result *result) {
    static const char *const limits[][2] = {{"endpoint.rpm.utilisation", "RPM"},
                                            {"endpoint.itpm.utilisation", "ITPM"},
                                            {"endpoint.otpm.utilisation", "OTPM"}};
    static const char *const workers[][2] = {
        {"workers.busy", "busy"}, {"workers.backoff", "in back-off"}, {"workers.idle", "idle"}};
    print_shares(page, result, "limits used", limits, 3);
    print_shares(page, result, "workers", workers, 3);
}

/* Jobs queued at each point of the time series: means over the replications that reach it. malloc'ed. */
static double *queue_of(const struct sim_result *result, size_t *ret_count) {
    size_t count = 0;
    for (size_t i = 0; i < result->replications; i++)
        count = result->outcomes[i]->series.count > count ? result->outcomes[i]->series.count : count;
    double *queue = sim_calloc(count + 1, sizeof *queue);
    for (size_t k = 0; k < count; k++) {
        double jobs = 0, replications = 0;
        for (size_t i = 0; i < result->replications; i++) {
            const struct sim_series *series = &result->outcomes[i]->series;
            if (k >= series->count)
                continue;
            jobs += series->points[k].queue[0] + series->points[k].queue[1] + series->points[k].queue[2];
            replications++;
        }
        queue[k] = jobs / replications;
    }
    *ret_count = count;
    return queue;
}

static void print_queue(const struct cli_page *page, const struct sim_result *result) {
    size_t count;
    double top, *queue = queue_of(result, &count);
    char *bars = cli_sparkline(queue, count, (size_t)(page->width - LABEL - BESIDE_BARS), page->utf8, &top);
    struct sim_text text = {0};
    /* The bars go past put_line(), which would take those of ASCII for words. */
    put_label(page, "queue");
    fputs(bars, page->out);
    sim_text_printf(&text, "%smean %s", *bars ? "  " : "", cli_number(get(result, "queue.mean").value).text);
    if (top > 0)
        sim_text_printf(&text, ", bars to %s", cli_number(top).text);
    sim_text_printf(&text, ", max %s jobs", cli_count(get(result, "queue.max").value).text);
    cli_put(page, CLI_PLAIN, text.bytes);
    fputs("\n", page->out);
    free(text.bytes);
    free(bars);
    free(queue);
}

/* What demoted them: a single burst that met parallel workers, 429s over a while, or the budget. */
static void add_triggers(struct sim_text *text, const struct sim_result *result, double count) {
    double throttles = get(result, "demotions.by_throttles").value, burst = get(result, "demotions.by_burst").value;
    const struct {
        const char *trigger;
        double count;
    } rows[] = {{"429s within a second", burst},
                {"429s over a while", throttles - burst},
                {"the daily budget", count - throttles}};
    const char *before = "; because of ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!(rows[i].count > 0))
            continue;
        sim_text_printf(text, "%s%s %s", before, rows[i].trigger, cli_count(rows[i].count).text);
        before = ", ";
    }
}

static void print_demotions(const struct cli_page *page, const struct sim_result *result) {
    struct sim_estimate count = get(result, "demotions.count");
    double share = get(result, "demotions.time_share").value;
    struct sim_text text = {0};
    add_value(&text, &count, cli_count);
    if (count.value > 0)
        sim_text_printf(&text, ", of %s tenants", cli_count(get(result, "demotions.tenants").value).text);
    if (share > 0)
        sim_text_printf(&text, "%s, for %s of all tenants' time", count.value > 0 ? "" : " after the warm-up",
                        cli_percent(share).text);
    if (count.value > 0)
        add_triggers(&text, result, count.value);
    put_line(page, "demotions", &text);
}

static void print_rest(const struct cli_page *page, const struct sim_result *result) {
    struct sim_estimate cost = get(result, "cost.usd");
    struct sim_text text = {0};
    if (result->scenario->scheduler.demotion.enabled)
        print_demotions(page, result);
    sim_text_add(&text, "$");
    add_value(&text, &cost, cli_number);
    put_line(page, "cost", &text);
}

/* ---- verdicts ---- */

static void add_exceedance(const struct sim_slo *slo, const struct sim_slo_result *verdict, char *text, size_t size) {
    const struct sim_estimate *share = &verdict->exceedance;
    if (slo->figure->kind != SIM_FIGURE_QUANTILE || !isfinite(share->value))
        return;
    size_t length = strlen(text);
    length += (size_t)snprintf(text + length, size - length, "; %s of jobs took over %g s",
                               cli_percent(share->value).text, slo->limit);
    if (isfinite(share->lo) && isfinite(share->hi))
        length += (size_t)snprintf(text + length, size - length, ", with %.4g %% confidence %s to %s",
                                   100 * verdict->level, cli_percent(share->lo).text, cli_percent(share->hi).text);
    snprintf(text + length, size - length, "; %.6g %% may", 100 * verdict->allowed);
}

const char *cli_slo_detail(const struct sim_slo *slo, const struct sim_slo_result *verdict, char *text, size_t size) {
    bool seconds = !strcmp(slo->figure->unit, "s");
    struct cli_word interval = cli_interval(verdict->figure.lo, verdict->figure.hi, cli_number);
    snprintf(text, size, "%s%s%s%s", value_of(&verdict->figure).text, seconds ? " s" : "", *interval.text ? " " : "",
             interval.text);
    add_exceedance(slo, verdict, text, size);
    size_t length = strlen(text);
    if (verdict->why)
        snprintf(text + length, size - length, "; %s", verdict->why);
    return text;
}

void cli_put_verdict(const struct cli_page *page, enum sim_verdict verdict) {
    static const char *const words[] = {"PASS", "FAIL", "INCONCLUSIVE"};
    static const enum cli_tone tones[] = {CLI_GOOD, CLI_BAD, CLI_DOUBT};
    cli_put(page, tones[verdict], words[verdict]);
    fprintf(page->out, "%*s", LABEL + 2 - (int)strlen(words[verdict]), "");
}

static void print_slo(const struct cli_page *page, const struct sim_slo *slo, const struct sim_slo_result *verdict) {
    char text[512];
    cli_put_verdict(page, verdict->verdict);
    cli_put(page, CLI_PLAIN, slo->text);
    fprintf(page->out, "\n%*s", LABEL + 2, "");
    cli_put_wrapped(page, CLI_PLAIN, cli_slo_detail(slo, verdict, text, sizeof text), LABEL + 2);
}

static void print_precision(const struct cli_page *page, const struct sim_result *result) {
    const struct sim_precision_result *found = &result->precision;
    const char *word = found->reached ? "PRECISE" : "INCONCLUSIVE";
    char text[256];
    if (!found->figure)
        return;
    cli_put(page, found->reached ? CLI_GOOD : CLI_DOUBT, word);
    fprintf(page->out, "%*s%s to %s\n%*s", LABEL + 2 - (int)strlen(word), "", found->figure->name,
            cli_percent(found->wanted).text, LABEL + 2, "");
    size_t length = (size_t)snprintf(text, sizeof text, "%zu replications", result->replications);
    if (isfinite(found->relative))
        length += (size_t)snprintf(text + length, sizeof text - length, " gave %s of its value",
                                   cli_percent(found->relative).text);
    if (found->why)
        snprintf(text + length, sizeof text - length, "; %s", found->why);
    cli_put_wrapped(page, CLI_PLAIN, text, LABEL + 2);
}

static void print_slos(const struct cli_page *page, const struct sim_result *result) {
    print_precision(page, result);
    for (size_t i = 0; i < result->slo_count; i++)
        print_slo(page, &result->slos[i], &result->slo_results[i]);
    if (result->slo_count)
        return;
    put_label(page, "no SLO");
    fputs("so nothing is judged. To judge runs add to the scenario:\n", page->out);
    fprintf(page->out, "%*s\"slo\": [ \"critical.latency.p99 <= 2.0\" ]\n", LABEL, "");
    fprintf(page->out, "%*sFigures to choose from: fairlane metrics\n", LABEL, "");
}

static void print_warmup(const struct cli_page *page, const struct sim_result *result) {
    const struct sim_warmup *warmup = &result->warmup;
    if (warmup->count == 0)
        return;
    struct sim_text text = {0};
    sim_text_printf(&text, "%s s, by MSER-5 on pilots (backlog %s s, time in system %s s)",
                    cli_plain((double)warmup->chosen_ns * 1e-9).text, cli_plain((double)warmup->backlog_ns * 1e-9).text,
                    cli_plain((double)warmup->sojourn_ns * 1e-9).text);
    put_line(page, "warm-up", &text);
}

void cli_print_report(const struct cli_page *page, const struct sim_result *result, size_t warnings_shown,
                      const char *where) {
    uint64_t jobs = 0;
    for (size_t i = 0; i < result->replications; i++)
        jobs += result->outcomes[i]->jobs;
    struct sim_text text = {0};
    fputs("\n", page->out);
    sim_text_printf(&text, "%s jobs in %zu replication%s", cli_count((double)jobs).text, result->replications,
                    result->replications == 1 ? "" : "s; below: their means, [95 % intervals]");
    put_line(page, "simulated", &text);
    print_warmup(page, result);
    fputs("\n", page->out);
    print_classes(page, result);
    fputs("\n", page->out);
    print_fairness(page, result);
    fputs("\n", page->out);
    print_throttles(page, result);
    print_retries(page, result);
    print_utilisation(page, result);
    print_queue(page, result);
    print_rest(page, result);
    fputs("\n", page->out);
    print_slos(page, result);
    fputs("\n", page->out);
    for (size_t i = warnings_shown; i < result->warning_count; i++) {
        cli_put(page, CLI_DOUBT, "warning: ");
        cli_put_wrapped(page, CLI_PLAIN, result->warnings[i], 9);
    }
    put_label(page, "files");
    cli_put(page, CLI_PLAIN, where);
    fputs("/\n", page->out);
}
