/* Printing the load sheet. */
#include "loaded.h"

#include "../results/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows printed; of more, the ones that ask for most. */
enum { ROWS_MAX = 24 };

static const char *const class_names[] = {"critical", "standard", "batch"};
static const char *const limit_names[] = {"RPM", "ITPM", "OTPM"};

static enum cli_tone tone_of(double share) {
    return share > 1 ? CLI_BAD : share > 0.85 ? CLI_DOUBT : CLI_PLAIN;
}

static void add_share(struct cli_table *table, double share) {
    cli_cell(table, tone_of(share), "%s", isnan(share) ? "" : cli_percent(share).text);
}

static void add_loads(struct cli_table *table, const struct sim_load_row *row, double workers) {
    cli_cell(table, CLI_PLAIN, "%s", cli_number(row->jobs_per_min).text);
    add_share(table, row->share[MODEL_RPM]);
    cli_cell(table, CLI_PLAIN, "%s", cli_number(row->input_per_min).text);
    add_share(table, row->share[MODEL_ITPM]);
    cli_cell(table, CLI_PLAIN, "%s", cli_number(row->output_per_min).text);
    add_share(table, row->share[MODEL_OTPM]);
    if (row->batched)
        cli_cell(table, CLI_DIM, "%s", "batches");
    else
        add_share(table, row->workers / workers);
}

/* How much of the scarcest thing a row asks for. */
static double weight_of(const struct sim_load_row *row, double workers) {
    double most = row->workers / workers;
    for (size_t i = 0; i < MODEL_BUCKETS; i++)
        most = fmax(most, isnan(row->share[i]) ? 0 : row->share[i]);
    return most;
}

/* Weight from which a row is printed. */
static double threshold(const struct sim_load *load, double workers) {
    double floor = -1;
    for (size_t shown = load->row_count; shown > ROWS_MAX;) {
        double next = INFINITY;
        for (size_t i = 0; i < load->row_count; i++) {
            double weight = weight_of(&load->rows[i], workers);
            if (weight > floor && weight < next)
                next = weight;
        }
        if (isinf(next))
            break;
        floor = next;
        shown = 0;
        for (size_t i = 0; i < load->row_count; i++)
            shown += weight_of(&load->rows[i], workers) > floor;
    }
    return floor;
}

static void add_model(struct cli_table *table, const struct cli_loaded *loaded, uint32_t model) {
    if (loaded->scenario->endpoint.class_count > 1)
        cli_cell(table, CLI_PLAIN, "%s", model ? loaded->scenario->endpoint.class_names[model] : "");
}

static void add_header(struct cli_table *table, bool models) {
    static const char *const names[] = {"jobs/min", "RPM", "input/min", "ITPM", "output/min", "OTPM", "workers"};
    cli_cell(table, CLI_BOLD, "%s", "tenant");
    cli_cell(table, CLI_BOLD, "%s", "class");
    if (models)
        cli_cell(table, CLI_BOLD, "%s", "model");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cli_cell(table, CLI_BOLD, "%s", names[i]);
}

static void print_rows(const struct cli_page *page, const struct cli_loaded *loaded) {
    const struct sim_load *load = loaded->load;
    double workers = loaded->scenario->workers, floor = threshold(load, workers);
    bool models = loaded->scenario->endpoint.class_count > 1;
    struct cli_table table = {.columns = models ? 10 : 9, .align = models ? "lllrrrrrrr" : "llrrrrrrr", .headed = true};
    size_t hidden = 0;
    add_header(&table, models);
    for (size_t i = 0; i < load->row_count; i++) {
        const struct sim_load_row *row = &load->rows[i];
        if (weight_of(row, workers) <= floor) {
            hidden++;
            continue;
        }
        cli_cell(&table, CLI_PLAIN, "%s", loaded->scenario->workload.tenants[row->tenant].id);
        cli_cell(&table, CLI_PLAIN, "%s", class_names[row->class_id]);
        add_model(&table, loaded, row->model);
        add_loads(&table, row, workers);
    }
    if (hidden) {
        cli_cell(&table, CLI_DIM, "and %zu smaller", hidden);
        cli_row_end(&table);
    }
    for (size_t i = 0; i < load->total_count; i++) {
        if (models && load->totals[i].jobs_per_min == 0)
            continue;
        cli_cell(&table, CLI_BOLD, "%s", "all");
        cli_cell(&table, CLI_PLAIN, "%s", "");
        add_model(&table, loaded, (uint32_t)i);
        add_loads(&table, &load->totals[i], workers);
    }
    cli_table_print(&table, page, 0);
}

static void print_limits(const struct cli_page *page, const struct cli_loaded *loaded) {
    const struct model_endpoint_config *endpoint = &loaded->scenario->endpoint;
    for (size_t i = 0; i < endpoint->class_count; i++) {
        const struct model_class_regime *regime = &endpoint->regimes[0].classes[i];
        bool any = false;
        fputs(i ? "            " : "limits      ", page->out);
        if (i) {
            cli_put(page, CLI_PLAIN, endpoint->class_names[i]);
            fputs(": ", page->out);
        }
        for (size_t k = 0; k < MODEL_BUCKETS; k++) {
            if (regime->per_minute[k] <= 0)
                continue;
            fprintf(page->out, "%s%s %s", any ? ", " : "", cli_count((double)regime->per_minute[k]).text,
                    limit_names[k]);
            any = true;
        }
        fprintf(page->out, "%s\n", any ? "" : "none");
    }
}

static void print_quantum(const struct cli_page *page, const struct cli_loaded *loaded) {
    const struct sched_tenants_config *tenants = &loaded->scenario->scheduler.tenants;
    const struct sim_load *load = loaded->load;
    if (tenants->policy != SCHED_DRR)
        return;
    struct sim_text text = {0};
    sim_text_printf(&text, "%g x %s = %s tokens a round and unit of weight; largest job %s tokens", tenants->quantum,
                    cli_count((double)tenants->cost_unit_tokens).text, cli_count(load->quantum_tokens).text,
                    cli_count(load->largest_tokens).text);
    if (load->quantum_min_tokens < load->largest_tokens)
        sim_text_printf(&text, ": it waits up to %.0f rounds", ceil(load->largest_tokens / load->quantum_min_tokens));
    fputs("quantum     ", page->out);
    cli_put_wrapped(page, CLI_PLAIN, text.bytes, 12);
    free(text.bytes);
}

static void print_idle(const struct cli_page *page, const struct cli_loaded *loaded) {
    struct cli_table table = {.columns = 5, .align = "lrrrl", .headed = true};
    for (size_t i = 0; i < loaded->slo_count; i++) {
        const struct sim_load_slo *idle = &loaded->load->slos[i];
        if (i == 0) {
            cli_cell(&table, CLI_BOLD, "%s", "SLO");
            cli_cell(&table, CLI_BOLD, "%s", "idle system");
            cli_cell(&table, CLI_BOLD, "%s", "over limit");
            cli_cell(&table, CLI_BOLD, "%s", "jobs expected");
            cli_cell(&table, CLI_BOLD, "%s", "");
        }
        bool missed = !loaded->slos[i].at_least && idle->idle > loaded->slos[i].limit;
        cli_cell(&table, CLI_PLAIN, "%s", loaded->slos[i].text);
        cli_cell(&table, missed ? CLI_BAD : CLI_PLAIN, "%s%s", isnan(idle->idle) ? "" : cli_number(idle->idle).text,
                 isnan(idle->idle) ? "" : " s");
        cli_cell(&table, CLI_PLAIN, "%s", isnan(idle->over) ? "" : cli_percent(idle->over).text);
        cli_cell(&table, CLI_PLAIN, "%s", isnan(idle->jobs) ? "" : cli_count(round(idle->jobs)).text);
        cli_cell(&table, CLI_BAD, "%s", missed ? "misses it" : "");
    }
    if (!loaded->slo_count)
        return;
    fputs("\n", page->out);
    cli_table_print(&table, page, 0);
}

void cli_print_load(const struct cli_page *page, const struct cli_loaded *loaded) {
    const struct sim_scenario *scenario = loaded->scenario;
    cli_put(page, CLI_BOLD, scenario->name);
    fputs(": valid\nLoad sheet: what is asked for at time 0, before any wait.\n\n", page->out);
    print_limits(page, loaded);
    fprintf(page->out, "workers     %u\n", scenario->workers);
    print_quantum(page, loaded);
    fputs("\n", page->out);
    print_rows(page, loaded);
    print_idle(page, loaded);
    if (loaded->load->warning_count)
        fputs("\n", page->out);
    cli_print_load_warnings(page, loaded);
}

/* What is asked of one model class's limits. @return whether there was anything to say. */
static bool print_total(const struct cli_page *page, const struct cli_loaded *loaded, size_t model, bool follows) {
    const struct sim_load_row *total = &loaded->load->totals[model];
    bool any = false;
    for (size_t k = 0; k < MODEL_BUCKETS; k++) {
        if (isnan(total->share[k]) || total->jobs_per_min == 0)
            continue;
        fputs(any ? ", " : follows ? ",\n            " : "", page->out);
        if (!any && model) {
            cli_put(page, CLI_PLAIN, loaded->scenario->endpoint.class_names[model]);
            fputs(": ", page->out);
        }
        fprintf(page->out, "%s ", limit_names[k]);
        cli_put(page, tone_of(total->share[k]), cli_percent(total->share[k]).text);
        any = true;
    }
    return any;
}

void cli_print_load_brief(const struct cli_page *page, const struct cli_loaded *loaded) {
    const struct sim_load *load = loaded->load;
    bool any = false;
    fputs("load        ", page->out);
    for (size_t i = 0; i < load->total_count; i++)
        any = print_total(page, loaded, i, any) || any;
    fputs(any ? " of the limits; workers " : "workers ", page->out);
    cli_put(page, tone_of(load->workers_share), cli_percent(load->workers_share).text);
    fputs("\n", page->out);
}

void cli_print_load_warnings(const struct cli_page *page, const struct cli_loaded *loaded) {
    for (size_t i = 0; i < loaded->load->warning_count; i++) {
        cli_put(page, CLI_DOUBT, "warning: ");
        cli_put_wrapped(page, CLI_PLAIN, loaded->load->warnings[i], 9);
    }
}
