/* The tables of a finished run. */
#include "report.h"

#include <math.h>
#include <string.h>

enum { LABEL = 12 };

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

/* " [lo, hi]", or nothing. */
static void put_interval(const struct cli_page *page, const struct sim_estimate *estimate,
                         struct cli_word (*form)(double)) {
    struct cli_word interval = cli_interval(estimate->lo, estimate->hi, form);
    if (!*interval.text)
        return;
    fputs(" ", page->out);
    cli_put(page, CLI_DIM, interval.text);
}

static const char *policy_name(enum sched_policy policy) {
    static const char *const names[] = {"drr", "fifo", "round_robin", "vtc", "article"};
    return names[policy];
}

void cli_print_heading(const struct cli_page *page, const struct sim_scenario *scenario) {
    cli_put(page, CLI_BOLD, scenario->name);
    fprintf(page->out, ": %u", scenario->replications);
    if (scenario->precision.metric)
        fprintf(page->out, " to %u", scenario->precision.max_replications);
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
    struct cli_table table = {.columns = abandoned ? 8 : 7, .align = abandoned ? "lrrrrrrr" : "lrrrrrr"};
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

static void add_jain(struct cli_table *table, const struct sim_estimate *estimate) {
    cli_cell(table, CLI_PLAIN, "%s", cli_number(estimate->value).text);
    cli_cell(table, CLI_DIM, "%s", cli_interval(estimate->lo, estimate->hi, cli_number).text);
}

static void print_fairness(const struct cli_page *page, const struct sim_result *result) {
    static const char *const kinds[] = {"service", "weighted", "entitlement"};
    struct cli_table table = {.columns = 6, .align = "lrlrlr"};
    static const char *const heads[] = {"Jain's index", "whole run", "", "60 s windows", "", "Poisson noise alone"};
    for (size_t i = 0; i < 6; i++)
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
        cli_cell(&table, CLI_PLAIN, "%s", i ? "" : cli_number(get(result, "jain.service.poisson").value).text);
    }
    cli_table_print(&table, page, 0);
}

/* ---- endpoint and workers ---- */

static void print_throttles(const struct cli_page *page, const struct sim_result *result) {
    static const char *const limiters[][2] = {{"throttles.rpm", "RPM"},
                                              {"throttles.itpm", "ITPM"},
                                              {"throttles.otpm", "OTPM"},
                                              {"throttles.ramp", "ramp"},
                                              {"throttles.concurrency", "concurrency"},
                                              {"throttles.spend", "spend cap"}};
    struct sim_estimate total = get(result, "throttles.total"), rate = get(result, "throttles.rate");
    double overload = get(result, "throttles.overload").value;
    put_label(page, "429s");
    fputs(cli_count(total.value).text, page->out);
    put_interval(page, &total, cli_count);
    fprintf(page->out, ", %s of attempts", cli_percent(rate.value).text);
    put_interval(page, &rate, cli_percent);
    fputs("\n", page->out);
    bool any = false;
    for (size_t i = 0; i < sizeof limiters / sizeof *limiters; i++) {
        double count = get(result, limiters[i][0]).value;
        if (!(count > 0))
            continue;
        fprintf(page->out, any ? ", " : "%*sby ", LABEL, "");
        fprintf(page->out, "%s %s", limiters[i][1], cli_count(count).text);
        any = true;
    }
    if (any)
        fputs("\n", page->out);
    if (overload > 0)
        fprintf(page->out, "%*sand %s 529s (overloaded)\n", LABEL, "", cli_count(overload).text);
}

static void print_retries(const struct cli_page *page, const struct sim_result *result) {
    struct sim_estimate recurrence = get(result, "retries.recurrence");
    struct sim_estimate amplification = get(result, "retries.amplification");
    struct sim_estimate early = get(result, "retries.early_share");
    if (isnan(recurrence.value) && isnan(amplification.value))
        return;
    put_label(page, "retries");
    fprintf(page->out, "%s attempts a success", cli_number(amplification.value).text);
    put_interval(page, &amplification, cli_number);
    if (isfinite(recurrence.value)) {
        fprintf(page->out, ", %s get another 429", cli_percent(recurrence.value).text);
        put_interval(page, &recurrence, cli_percent);
    }
    if (early.value > 0)
        fprintf(page->out, ",\n%*s%s come early", LABEL, "", cli_percent(early.value).text);
    fputs("\n", page->out);
}

/* Shares on one line, those that do not exist left out. */
static void print_shares(const struct cli_page *page, const struct sim_result *result, const char *label,
                         const char *const (*rows)[2], size_t count) {
    bool any = false;
    put_label(page, label);
    for (size_t i = 0; i < count; i++) {
        double value = get(result, rows[i][0]).value;
        if (isnan(value))
            continue;
        fprintf(page->out, "%s%s %s", any ? ", " : "", rows[i][1], cli_percent(value).text);
        any = true;
    }
    fputs(any ? "\n" : "none\n", page->out);
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

/* What demoted them: a single burst that met parallel workers, 429s over a while, or the budget. */
static void print_triggers(const struct cli_page *page, const struct sim_result *result, double count) {
    double throttles = get(result, "demotions.by_throttles").value, burst = get(result, "demotions.by_burst").value;
    const struct {
        const char *trigger;
        double count;
    } rows[] = {
        {"429s within 1 s", burst}, {"429s over a while", throttles - burst}, {"the daily budget", count - throttles}};
    const char *before = "triggers: ";
    fprintf(page->out, "%*s", LABEL, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!(rows[i].count > 0))
            continue;
        fprintf(page->out, "%s%s by %s", before, cli_count(rows[i].count).text, rows[i].trigger);
        before = ", ";
    }
    fputs("\n", page->out);
}

static void print_rest(const struct cli_page *page, const struct sim_result *result) {
    struct sim_estimate cost = get(result, "cost.usd"), demotions = get(result, "demotions.count");
    if (result->scenario->scheduler.demotion.enabled) {
        put_label(page, "demotions");
        fputs(cli_count(demotions.value).text, page->out);
        put_interval(page, &demotions, cli_count);
        if (demotions.value > 0)
            fprintf(page->out, ", of %s tenants, for %s of their time",
                    cli_count(get(result, "demotions.tenants").value).text,
                    cli_percent(get(result, "demotions.time_share").value).text);
        fputs("\n", page->out);
        if (demotions.value > 0)
            print_triggers(page, result, demotions.value);
    }
    put_label(page, "cost");
    fprintf(page->out, "$%s", cli_number(cost.value).text);
    put_interval(page, &cost, cli_number);
    fputs("\n", page->out);
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
    fputs("To judge runs add to the scenario: \"slo\": [ \"critical.latency.p99 <= 2.0\" ]\n", page->out);
    fprintf(page->out, "%*sFigures to choose from: fairlane metrics\n", LABEL, "");
}

static void print_warmup(const struct cli_page *page, const struct sim_result *result) {
    const struct sim_warmup *warmup = &result->warmup;
    if (warmup->count == 0)
        return;
    put_label(page, "warm-up");
    fprintf(page->out, "%s s, by MSER-5 on pilots (backlog %s s, time in system %s s)\n",
            cli_plain((double)warmup->chosen_ns * 1e-9).text, cli_plain((double)warmup->backlog_ns * 1e-9).text,
            cli_plain((double)warmup->sojourn_ns * 1e-9).text);
}

void cli_print_report(const struct cli_page *page, const struct sim_result *result, size_t warnings_shown,
                      const char *where) {
    uint64_t jobs = 0;
    for (size_t i = 0; i < result->replications; i++)
        jobs += result->outcomes[i]->jobs;
    fputs("\n", page->out);
    put_label(page, "simulated");
    fprintf(page->out, "%s jobs in %zu replication%s", cli_count((double)jobs).text, result->replications,
            result->replications == 1 ? "" : "s");
    fprintf(page->out, "%s\n", result->replications == 1 ? "" : "; below: means of a replication, [95 % intervals]");
    print_warmup(page, result);
    fputs("\n", page->out);
    print_classes(page, result);
    fputs("\n", page->out);
    print_fairness(page, result);
    fputs("\n", page->out);
    print_throttles(page, result);
    print_retries(page, result);
    print_utilisation(page, result);
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
