/* The report of a run. */
#include "page.h"

#include "../measure/figures.h"
#include "../memory.h"
#include "../plot/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tenants that a table lists; more make pages that no browser likes. */
enum { TENANTS_MAX = 1000 };

/* ---- verdict ---- */

/* What came of replications on demand. */
static void add_precision(struct sim_page *page, const cJSON *precision) {
    if (!cJSON_IsObject(precision))
        return;
    sim_text_add(&page->body, "<p>Precision of <code>");
    sim_html_add(&page->body, sim_json_text_at(precision, "metric"));
    sim_text_printf(&page->body, "</code>: +-%s&nbsp;%% wanted, ",
                    sim_draw_number(100 * sim_json_number_at(precision, "wanted")).text);
    sim_text_printf(&page->body, "+-%s&nbsp;%% had; ",
                    sim_draw_number(100 * sim_json_number_at(precision, "relative")).text);
    sim_html_add(&page->body, sim_json_text_at(precision, "verdict"));
    const char *why = sim_json_text_at(precision, "why");
    sim_html_add(&page->body, *why ? ": " : "");
    sim_html_add(&page->body, why);
    sim_text_add(&page->body, ".</p>\n");
}

static void add_verdict(struct sim_page *page) {
    const cJSON *slos = sim_json_at(page->view->summary, "slo");
    struct sim_page_counts counts = sim_page_count(slos);
    size_t all = counts.pass + counts.fail + counts.inconclusive;
    char sentence[160];
    sim_page_section(page, "verdict", "Verdict");
    if (counts.fail)
        snprintf(sentence, sizeof sentence, "%zu of %zu SLOs %s.", counts.fail, all,
                 counts.fail == 1 ? "fails" : "fail");
    else if (counts.inconclusive)
        snprintf(sentence, sizeof sentence, "No SLO fails, but %zu of %zu cannot be decided from this run.",
                 counts.inconclusive, all);
    else if (all)
        snprintf(sentence, sizeof sentence, all == 1 ? "The SLO holds." : "All %zu SLOs hold.", all);
    else
        snprintf(sentence, sizeof sentence,
                 "The scenario has no SLO. To judge it, add some: \"slo\": [\"critical.latency.p99 <= 2\"].");
    sim_page_verdict(page, sim_page_worst(counts), NULL, sentence);
    if (cJSON_IsFalse(sim_json_at(page->view->summary, "invariants/ok")))
        sim_html_element(&page->body, "p class=\"verdict fail\"",
                         "The simulation broke an invariant: its figures are not to be trusted. Please report this.");
    if (all)
        sim_page_slos(page, slos);
    add_precision(page, sim_json_at(page->view->summary, "precision"));
    sim_page_section_end(page);
}

/* ---- latency ---- */

static double class_figure(const struct sim_view *view, const char *class_name, const char *rest, const char *part) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", class_name, rest);
    return sim_view_figure(view, name, part);
}

static void add_latency_row(struct sim_page *page, const char *class_name) {
    static const char *const quantiles[] = {"latency.p50", "latency.p95", "latency.p99"};
    const struct sim_view *view = page->view;
    double arrived = class_figure(view, class_name, "arrived", "value");
    if (!(arrived > 0))
        return;
    sim_html_row(&page->body);
    sim_html_head_cell(&page->body, class_name);
    sim_html_number_cell(&page->body, arrived, NAN, "");
    for (size_t i = 0; i < 3; i++) {
        sim_html_number_cell(&page->body, class_figure(view, class_name, quantiles[i], "value"),
                             class_figure(view, class_name, quantiles[i], "beyond"), "s");
        sim_html_interval_cell(&page->body, class_figure(view, class_name, quantiles[i], "lo"),
                               class_figure(view, class_name, quantiles[i], "hi"));
    }
    static const char *const lost[] = {"failed", "abandoned", "censored"};
    for (size_t i = 0; i < 3; i++)
        sim_html_number_cell(&page->body, 100 * class_figure(view, class_name, lost[i], "value") / arrived, NAN, "%");
    sim_html_row_end(&page->body);
}

static void add_latency(struct sim_page *page) {
    static const char *const classes[] = {"critical", "standard", "batch", "all"};
    static const char *const heads[] = {"class", "#jobs", "#p50",    "[",          "#p95",        "[",
                                        "#p99",  "[",     "#failed", "#abandoned", "#unfinished", NULL};
    sim_page_section(page, "latency", "Latency");
    sim_html_table(&page->body, "Latency by class", false, heads);
    for (size_t i = 0; i < 4; i++)
        add_latency_row(page, classes[i]);
    sim_html_table_end(&page->body);
    sim_html_element(
        &page->body, "p class=note",
        "From arrival to completion, means of a replication with 95 % intervals. Jobs that failed or left count "
        "as slower than every limit, and so do those that had not finished when the run ended: \"over\" is "
        "what a quantile among them certainly exceeds.");
    sim_page_section_end(page);
}

/* ---- figures ---- */

static void add_figure_row(struct sim_page *page, const struct sim_figure *figure) {
    const cJSON *found = sim_json_at(sim_json_at(page->view->summary, "metrics"), figure->name);
    sim_html_row(&page->body);
    sim_html_head_cell(&page->body, figure->name);
    sim_html_number_cell(&page->body, sim_json_number_at(found, "value"), sim_json_number_at(found, "beyond"),
                         strcmp(figure->unit, "1") ? figure->unit : "");
    sim_html_interval_cell(&page->body, sim_json_number_at(found, "lo"), sim_json_number_at(found, "hi"));
    sim_html_long_cell(&page->body, figure->help);
    sim_html_row_end(&page->body);
}

static void add_figures(struct sim_page *page) {
    static const char *const chosen[] = {"throughput.jobs_per_s",
                                         "jain.service",
                                         "jain.weighted",
                                         "jain.entitlement",
                                         "jain.entitlement.windowed",
                                         "throttles.total",
                                         "throttles.rate",
                                         "retries.recurrence",
                                         "retries.amplification",
                                         "endpoint.rpm.utilisation",
                                         "endpoint.itpm.utilisation",
                                         "endpoint.otpm.utilisation",
                                         "workers.busy",
                                         "workers.backoff",
                                         "queue.mean",
                                         "queue.max",
                                         "demotions.count",
                                         "demotions.tenants",
                                         "unserved.all.max",
                                         "cost.usd"};
    static const char *const heads[] = {"figure", "#value", "[", "meaning", NULL};
    struct model_workload nobody = {0};
    struct sim_figures *figures = sim_figures_create(&nobody);
    sim_page_section(page, "figures", "Fairness, traffic and cost");
    sim_html_table(&page->body, "Chosen figures", false, heads);
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        const struct sim_figure *figure = sim_figures_find(figures, chosen[i]);
        if (figure && isfinite(sim_view_figure(page->view, chosen[i], "value")))
            add_figure_row(page, figure);
    }
    sim_html_table_end(&page->body);
    sim_text_add(&page->body, "<details>\n<summary>All figures</summary>\n");
    sim_html_table(&page->body, "All figures", true, heads);
    for (size_t i = 0; i < figures->count; i++)
        if (sim_json_at(sim_json_at(page->view->summary, "metrics"), figures->rows[i].name))
            add_figure_row(page, &figures->rows[i]);
    sim_html_table_end(&page->body);
    sim_text_add(&page->body, "</details>\n");
    sim_page_section_end(page);
    sim_figures_destroy(figures);
}

/* ---- tenants ---- */

struct tenant_columns {
    size_t name, plan, weight, jobs, served, demand, p50, p99, lo, hi, failed, throttles, demotions;
};

static struct tenant_columns find_columns(const struct sim_csv_table *table) {
    return (struct tenant_columns){.name = sim_csv_column(table, "tenant"),
                                   .plan = sim_csv_column(table, "plan"),
                                   .weight = sim_csv_column(table, "weight"),
                                   .jobs = sim_csv_column(table, "arrived_jobs"),
                                   .served = sim_csv_column(table, "served_cost"),
                                   .demand = sim_csv_column(table, "demand_cost"),
                                   .p50 = sim_csv_column(table, "latency.p50_s"),
                                   .p99 = sim_csv_column(table, "latency.p99_s"),
                                   .lo = sim_csv_column(table, "latency.p99_lo_s"),
                                   .hi = sim_csv_column(table, "latency.p99_hi_s"),
                                   .failed = sim_csv_column(table, "failed_jobs"),
                                   .throttles = sim_csv_column(table, "throttles_responses"),
                                   .demotions = sim_csv_column(table, "demotions")};
}

static void add_tenant(struct sim_page *page, const struct tenant_columns *at, size_t row, double served,
                       double demand) {
    const struct sim_csv_table *table = &page->view->tenants;
    struct sim_text *html = &page->body;
    sim_html_row(html);
    sim_html_head_cell(html, sim_csv_text(table, row, at->name));
    sim_html_text_cell(html, sim_csv_text(table, row, at->plan));
    sim_html_number_cell(html, sim_csv_number(table, row, at->weight), NAN, "");
    sim_html_number_cell(html, sim_csv_number(table, row, at->jobs), NAN, "");
    sim_html_number_cell(html, 100 * sim_csv_number(table, row, at->demand) / demand, NAN, "%");
    sim_html_number_cell(html, 100 * sim_csv_number(table, row, at->served) / served, NAN, "%");
    sim_html_number_cell(html, sim_csv_number(table, row, at->p50), NAN, "s");
    sim_html_number_cell(html, sim_csv_number(table, row, at->p99), NAN, "s");
    sim_html_interval_cell(html, sim_csv_number(table, row, at->lo), sim_csv_number(table, row, at->hi));
    sim_html_number_cell(html, sim_csv_number(table, row, at->failed), NAN, "");
    sim_html_number_cell(html, sim_csv_number(table, row, at->throttles), NAN, "");
    sim_html_number_cell(html, sim_csv_number(table, row, at->demotions), NAN, "");
    sim_html_row_end(html);
}

static double column_sum(const struct sim_csv_table *table, size_t column) {
    double sum = 0;
    for (size_t i = 0; i < table->rows; i++) {
        double value = sim_csv_number(table, i, column);
        sum += isfinite(value) ? value : 0;
    }
    return sum;
}

static void add_tenants(struct sim_page *page) {
    static const char *const heads[] = {"tenant", "plan", "#weight", "#jobs", "#asked for", "#served", "#p50",
                                        "#p99",   "[",    "#failed", "#429s", "#demotions", NULL};
    const struct sim_csv_table *table = &page->view->tenants;
    if (!table->rows)
        return;
    struct tenant_columns at = find_columns(table);
    double served = column_sum(table, at.served), demand = column_sum(table, at.demand);
    sim_page_section(page, "tenants", "Tenants");
    if (table->rows > TENANTS_MAX)
        sim_text_printf(&page->body, "<p class=note>The first %d of %zu; tenants.csv has all.</p>\n", TENANTS_MAX,
                        table->rows);
    sim_html_table(&page->body, "Tenants", true, heads);
    for (size_t i = 0; i < table->rows && i < TENANTS_MAX; i++)
        add_tenant(page, &at, i, served, demand);
    sim_html_table_end(&page->body);
    sim_page_section_end(page);
}

/* ---- what was run ---- */

static void add_run(struct sim_page *page) {
    const struct sim_view *view = page->view;
    const cJSON *manifest = view->manifest, *trace;
    sim_page_section(page, "run", "What was run");
    sim_text_add(&page->body, "<dl class=facts>\n");
    sim_page_fact(page, "scenario", page->name);
    sim_page_fact(page, "seed", sim_json_text_at(view->summary, "seed"));
    sim_page_number_fact(page, "replications", sim_json_number_at(view->summary, "replications"), "");
    sim_page_number_fact(page, "simulated time", sim_json_number_at(manifest, "scenario/duration_s"), "s each");
    sim_page_number_fact(page, "warm-up", sim_json_number_at(view->summary, "warmup_s"), "s, not measured");
    sim_page_fact(page, "program", "fairlane");
    sim_page_fact(page, "version", sim_json_text_at(manifest, "version"));
    sim_page_fact(page, "compiler", sim_json_text_at(manifest, "compiler"));
    sim_page_fact(page, "scenario's hash", sim_json_text_at(manifest, "hash"));
    cJSON_ArrayForEach(trace, sim_json_at(manifest, "traces"))
        sim_page_fact(page, "trace", sim_json_text_at(trace, "file"));
    sim_text_add(&page->body, "</dl>\n<p>To repeat it, in the folder of these results:</p>\n"
                              "<pre class=copyable>fairlane run manifest.json --out again</pre>\n");
    sim_page_folded_json(page, "The scenario as it was resolved", sim_json_at(manifest, "scenario"));
    sim_page_section_end(page);
}

void sim_page_result(struct sim_page *page) {
    page->kind = "Result of a run";
    page->name = sim_json_text_at(page->view->summary, "scenario");
    page->about = sim_json_text_at(page->view->manifest, "scenario/about");
    add_verdict(page);
    add_latency(page);
    sim_page_pictures(page);
    add_tenants(page);
    add_figures(page);
    sim_page_section(page, "warnings", "Warnings");
    sim_page_warnings(page, sim_json_at(page->view->summary, "warnings"));
    sim_page_section_end(page);
    add_run(page);
}
