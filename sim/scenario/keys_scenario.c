/* Rows: the scenario itself. */
#include "keys_tables.h"

#include "draft.h"

#define AT(field) offsetof(struct sim_draft, field)
#define ROWS(list) .rows = list, .count = sizeof list / sizeof list[0]

static const struct sim_key plan_rows[] = {
    {.name = "weight", .type = SIM_KEY_NUMBER, .min = 0.001, .max = 1000, .required = true, .store = SIM_STORE_DOUBLE,
     .offset = offsetof(struct sim_named_number, number), .help = "Multiple of the quantum; share of service."},
};
static const struct sim_table plan_table = {.title = "plans.NAME", ROWS(plan_rows)};
static const struct sim_key plan_key = {.type = SIM_KEY_OBJECT, .table = &plan_table};

static const char *const destination_words[] = {"messages", "batches", NULL};

static const struct sim_key batch_rows[] = {
    {.name = "destination", .type = SIM_KEY_WORD, .words = destination_words, .initial = "\"messages\"",
     .store = SIM_STORE_ENUM, .offset = AT(batch_destination),
     .help = "Where jobs of the batch class go: through workers to the Messages API, or past them to Message Batches "
             "at half price."},
    {.name = "size", .type = SIM_KEY_INTEGER, .unit = "jobs", .min = 1, .max = 100000, .initial = "100",
     .store = SIM_STORE_INT64, .offset = AT(scenario.batches.size), .help = "A batch is sent when it holds so many,"},
    {.name = "flush_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0, .max = 1e6, .initial = "300",
     .store = SIM_STORE_NS_S, .offset = AT(scenario.batches.flush_ns), .help = "or so long after its first job."},
    {.name = "completion_s", .type = SIM_KEY_DISTRIBUTION, .unit = "s", .min = 0, .max = 1e9,
     .initial = "{\"lognormal\": {\"p50\": 1200, \"p95\": 3600}}", .store = SIM_STORE_DISTRIBUTION,
     .offset = AT(scenario.batches.completion_s),
     .help = "From sending to a job's result. The default is an assumption: most are done within an hour."},
    {.name = "expires_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0.001, .max = 1e9, .initial = "86400",
     .store = SIM_STORE_NS_S, .offset = AT(scenario.batches.expires_ns), .help = "A job not done by then has failed."},
};
static const struct sim_table batch_table = {.title = "batch", ROWS(batch_rows)};

static const struct sim_key precision_rows[] = {
    {.name = "metric", .type = SIM_KEY_TEXT, .min = 1, .max = 200, .required = true, .store = SIM_STORE_TEXT,
     .offset = AT(scenario.precision.metric), .help = "A figure (`fairlane metrics`)."},
    {.name = "relative", .type = SIM_KEY_NUMBER, .min = 1e-6, .max = 1, .initial = "0.05", .store = SIM_STORE_DOUBLE,
     .offset = AT(scenario.precision.relative), .help = "Half-width of its interval / its value."},
    {.name = "max_replications", .type = SIM_KEY_INTEGER, .min = 2, .max = 100000, .initial = "1000",
     .store = SIM_STORE_UINT32, .offset = AT(scenario.precision.max_replications), .help = "Where to stop at last."},
};
static const struct sim_table precision_table = {
    .title = "precision", .about = "Replications go on beyond `replications` until a figure is known well enough.",
    ROWS(precision_rows)};

static const struct sim_key scenario_rows[] = {
    {.name = "version", .type = SIM_KEY_INTEGER, .min = 1, .max = 1, .required = true, .help = "Of this format: 1."},
    {.name = "name", .type = SIM_KEY_NAME, .max = 100, .store = SIM_STORE_TEXT, .offset = AT(scenario.name),
     .otherwise = "the file's name", .help = "Names the folder of results; does not end in .prev."},
    {.name = "about", .type = SIM_KEY_TEXT, .min = 0, .max = 10000, .store = SIM_STORE_TEXT,
     .offset = AT(scenario.about), .otherwise = "none", .help = "What it shows, in a sentence."},
    {.name = "seed", .type = SIM_KEY_SEED, .initial = "\"17453090\"", .store = SIM_STORE_UINT64,
     .offset = AT(scenario.seed),
     .help = "Decimal digits of a 64-bit number, as a string, since JSON numbers are exact only to 2^53; a whole "
             "number up to that is taken as well."},
    {.name = "start", .type = SIM_KEY_TIMESTAMP, .initial = "\"2026-01-05T00:00:00Z\"", .store = SIM_STORE_TEXT,
     .offset = AT(scenario.start_text), .help = "Wall clock at second 0, RFC 3339."},
    {.name = "duration_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0.001, .max = 1e8, .required = true,
     .store = SIM_STORE_NS_S, .offset = AT(scenario.duration_ns), .help = "Arrivals stop then."},
    {.name = "warmup_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0, .max = 1e8, .initial = "0",
     .store = SIM_STORE_NS_S, .offset = AT(scenario.warmup_ns), .help = "Jobs that arrive earlier are not counted."},
    {.name = "drain_s", .type = SIM_KEY_NUMBER, .unit = "s", .min = 0, .max = 1e8, .initial = "600",
     .store = SIM_STORE_NS_S, .offset = AT(scenario.drain_ns), .help = "How long after `duration_s` open jobs may end."},
    {.name = "replications", .type = SIM_KEY_INTEGER, .min = 1, .max = 100000, .initial = "20",
     .store = SIM_STORE_UINT32, .offset = AT(scenario.replications), .help = "Independent runs: the sampling unit."},
    {.name = "workers", .type = SIM_KEY_INTEGER, .min = 1, .max = 4096, .initial = "8", .store = SIM_STORE_UINT32,
     .offset = AT(scenario.workers), .help = "Slots that serve one job each."},
    {.name = "max_pending_jobs", .type = SIM_KEY_INTEGER, .unit = "jobs", .min = 1, .max = 1e9,
     .initial = "10000000", .store = SIM_STORE_UINT64, .offset = AT(scenario.max_pending_jobs),
     .help = "More jobs in the system than this end the run with an error."},
    {.name = "scheduler", .type = SIM_KEY_OBJECT, .table = &sim_scheduler_table, .help = "The scheduler's settings."},
    {.name = "endpoint", .type = SIM_KEY_OBJECT, .table = &sim_endpoint_table, .help = "The Claude endpoint."},
    {.name = "plans", .type = SIM_KEY_MAP, .element = &plan_key, .min = 0, .max = 1000,
     .initial = "{\"free\": {\"weight\": 1}, \"pro\": {\"weight\": 3}}", .store = SIM_STORE_LIST,
     .size = sizeof(struct sim_named_number), .offset = AT(plans), .help = "Plans by name."},
    {.name = "tenants", .type = SIM_KEY_LIST, .element = &sim_tenant_key, .min = 1, .max = 100000,
     .store = SIM_STORE_LIST, .size = sizeof(struct sim_tenant_draft), .offset = AT(tenants),
     .otherwise = "those of `population`", .help = "Who sends jobs."},
    {.name = "population", .type = SIM_KEY_OBJECT_OR_LIST, .element = &sim_population_key, .min = 1, .max = 1000,
     .store = SIM_STORE_LIST, .size = sizeof(struct sim_population_draft), .offset = AT(populations),
     .otherwise = "none", .help = "Many tenants at once: one object, or a list of them."},
    {.name = "batch", .type = SIM_KEY_OBJECT, .table = &batch_table, .help = "Message Batches for the batch class."},
    {.name = "precision", .type = SIM_KEY_OBJECT, .table = &precision_table, .offset_flag = AT(has_precision),
     .otherwise = "`replications` runs", .help = "Precision on demand."},
    {.name = "slo", .type = SIM_KEY_TEXTS, .min = 0, .max = 200, .store = SIM_STORE_LIST, .offset = AT(slo),
     .otherwise = "none", .help = "Rules such as \"critical.latency.p99 <= 2.0\"; times in seconds."},
    {.name = "extends", .type = SIM_KEY_FILE, .min = 1, .max = 4000, .otherwise = "nothing",
     .help = "Another scenario to start from, relative to this one. Objects merge deeply; arrays are replaced, and so "
             "is a distribution or an arrival process by one of another kind."},
    {.name = "$schema", .type = SIM_KEY_TEXT, .min = 0, .max = 4000, .otherwise = "none",
     .help = "For editors; changes nothing."},
};

static const struct sim_table scenario_table = {.title = "The scenario", ROWS(scenario_rows)};

const struct sim_key sim_scenario_key = {.type = SIM_KEY_OBJECT, .table = &scenario_table};
