/* Rows: tenants, populations, streams and arrival processes. */
#include "keys_tables.h"

#include "draft.h"

#define AT(field) offsetof(struct sim_stream_draft, field)
#define PROCESS(field) offsetof(struct sim_stream_draft, stream.arrivals.field)
#define TENANT(field) offsetof(struct sim_tenant_draft, field)
#define POPULATION(field) offsetof(struct sim_population_draft, field)
#define ROWS(list) .rows = list, .count = sizeof list / sizeof list[0]

#define TIME_MAX_S 1e9
#define RATE_MIN 1e-9
#define RATE_MAX 1e6
#define TOKENS_MAX 1e9

/* A population's streams may leave their rate out when total_rate_per_s gives it: the same row, not required. */
#define RATE_ROW(must)                                                                                                 \
    {                                                                                                                  \
        .name = "rate_per_s", .type = SIM_KEY_NUMBER, .unit = "1/s", .min = RATE_MIN, .max = RATE_MAX,                 \
        .required = must, .otherwise = must ? NULL : "an equal part", .store = SIM_STORE_DOUBLE,                       \
        .offset = PROCESS(rate_per_s), .help = "Mean rate of jobs."                                                    \
    }

static const struct sim_key cv_rows[] = {
    {.name = "cv",
     .type = SIM_KEY_NUMBER,
     .min = 0.01,
     .max = 100,
     .required = true,
     .store = SIM_STORE_DOUBLE,
     .offset = PROCESS(cv),
     .help = "Coefficient of variation of the gaps; 1 is Poisson."},
};
static const struct sim_table cv_table = {ROWS(cv_rows)};

static const struct sim_key first_rows[] = {
    {.name = "first_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .store = SIM_STORE_NS_S,
     .absent = SIM_ABSENT_MINUS_ONE,
     .offset = PROCESS(first_ns),
     .otherwise = "one gap after `from_s`",
     .help = "Second of the run of the first one."},
};
static const struct sim_table first_table = {ROWS(first_rows)};

static const struct sim_key rate_rows[] = {RATE_ROW(true)};
static const struct sim_key share_rows[] = {RATE_ROW(false)};
static const struct sim_table poisson_table = {ROWS(rate_rows)};
static const struct sim_table renewal_table = {ROWS(rate_rows), .include = &cv_table};
static const struct sim_table constant_table = {ROWS(rate_rows), .include = &first_table};
static const struct sim_table shared_poisson_table = {ROWS(share_rows)};
static const struct sim_table shared_renewal_table = {ROWS(share_rows), .include = &cv_table};
static const struct sim_table shared_constant_table = {ROWS(share_rows), .include = &first_table};

static const struct sim_key burst_rows[] = {
    {.name = "count",
     .type = SIM_KEY_INTEGER,
     .unit = "jobs",
     .min = 1,
     .max = 1e7,
     .required = true,
     .store = SIM_STORE_INT64,
     .offset = PROCESS(burst_count),
     .help = "Jobs at each instant."},
    {.name = "at_s",
     .type = SIM_KEY_NUMBER_OR_LIST,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .count_min = 1,
     .count_max = 1000000,
     .group = 1,
     .required = true,
     .store = SIM_STORE_LIST,
     .offset = AT(at),
     .help = "Second or seconds of the run."},
    {.name = "every_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0.001,
     .max = TIME_MAX_S,
     .group = 2,
     .required = true,
     .store = SIM_STORE_NS_S,
     .offset = PROCESS(every_ns),
     .help = "Instead: periodically."},
    {.name = "first_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .group = 2,
     .store = SIM_STORE_NS_S,
     .absent = SIM_ABSENT_MINUS_ONE,
     .offset = PROCESS(first_ns),
     .otherwise = "`every_s` after `from_s`",
     .help = "First instant of a periodic burst."},
};
static const struct sim_table burst_table = {ROWS(burst_rows), .groups = "at_s, or every_s"};

static const struct sim_key on_off_rows[] = {
    {.name = "on_rate_per_s",
     .type = SIM_KEY_NUMBER,
     .unit = "1/s",
     .min = RATE_MIN,
     .max = RATE_MAX,
     .required = true,
     .store = SIM_STORE_DOUBLE,
     .offset = PROCESS(on_rate_per_s),
     .help = "Poisson rate when on."},
    {.name = "off_rate_per_s",
     .type = SIM_KEY_NUMBER,
     .unit = "1/s",
     .min = 0,
     .max = RATE_MAX,
     .initial = "0",
     .store = SIM_STORE_DOUBLE,
     .offset = PROCESS(off_rate_per_s),
     .help = "Poisson rate when off."},
    {.name = "mean_on_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0.001,
     .max = TIME_MAX_S,
     .required = true,
     .store = SIM_STORE_DOUBLE,
     .offset = PROCESS(mean_on_s),
     .help = "Mean time on, exponential."},
    {.name = "mean_off_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0.001,
     .max = TIME_MAX_S,
     .required = true,
     .store = SIM_STORE_DOUBLE,
     .offset = PROCESS(mean_off_s),
     .help = "Mean time off, exponential."},
};
static const struct sim_table on_off_table = {ROWS(on_off_rows)};

static const struct sim_key profile_rows[] = {
    {.name = "rate_per_s",
     .type = SIM_KEY_NUMBERS,
     .unit = "1/s",
     .min = 0,
     .max = RATE_MAX,
     .count_min = 24,
     .count_max = 168,
     .required = true,
     .store = SIM_STORE_LIST,
     .offset = AT(profile),
     .help = "Poisson rate by hour of the day (24 numbers) or of the week from Monday 00:00 UTC (168)."},
};
static const struct sim_table profile_table = {ROWS(profile_rows)};

static const struct sim_key closed_rows[] = {
    {.name = "population",
     .type = SIM_KEY_INTEGER,
     .unit = "users",
     .min = 1,
     .max = 100000,
     .required = true,
     .store = SIM_STORE_INT64,
     .offset = PROCESS(population),
     .help = "Users that think, send and wait in turn."},
    {.name = "think_s",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .required = true,
     .store = SIM_STORE_DISTRIBUTION,
     .offset = PROCESS(think_s),
     .help = "Think time; everyone thinks first."},
};
static const struct sim_table closed_table = {ROWS(closed_rows)};

#define COLUMN(field, must, text)                                                                                      \
    {                                                                                                                  \
        .name = #field, .type = SIM_KEY_TEXT, .min = 1, .max = 200, .required = must, .store = SIM_STORE_TEXT,         \
        .offset = AT(columns.field), .otherwise = must ? NULL : "not read", .help = text                               \
    }

static const struct sim_key columns_rows[] = {
    COLUMN(time, true, "Column of arrival times: seconds, or dates with times."),
    COLUMN(tenant, false, "Column of tenants."),
    COLUMN(input_tokens, false, "Column that replaces the stream's `input_tokens`."),
    COLUMN(output_tokens, false, "Column that replaces the stream's `output_tokens`."),
    COLUMN(cached_tokens, false, "Column that replaces the stream's `cached_tokens`."),
};
static const struct sim_table columns_table = {ROWS(columns_rows)};

static const struct sim_key trace_rows[] = {
    {.name = "file",
     .type = SIM_KEY_FILE,
     .min = 1,
     .max = 4000,
     .store = SIM_STORE_TEXT,
     .offset = AT(file),
     .otherwise = "must come from `--set`",
     .help = "CSV file, relative to the scenario that names it; from `--set`, to the current directory."},
    {.name = "columns",
     .type = SIM_KEY_OBJECT,
     .table = &columns_table,
     .required = true,
     .help = "Names of its columns."},
    {.name = "tenant",
     .type = SIM_KEY_TEXT,
     .min = 1,
     .max = 200,
     .store = SIM_STORE_TEXT,
     .offset = AT(trace_tenant),
     .otherwise = "all rows",
     .help = "Only rows of this tenant. \"*\": the entry makes one tenant of each value of the tenant column, named by "
             "it (characters that an id cannot have become '_')."},
    {.name = "time_scale",
     .type = SIM_KEY_NUMBER,
     .min = 1e-6,
     .max = 1e6,
     .initial = "1",
     .store = SIM_STORE_DOUBLE,
     .offset = PROCESS(time_scale),
     .help = "Simulated seconds for one of the file."},
    {.name = "loop",
     .type = SIM_KEY_BOOL,
     .initial = "false",
     .store = SIM_STORE_BOOL,
     .offset = PROCESS(loop),
     .help = "Start over one mean gap after the last row."},
};
static const struct sim_table trace_table = {ROWS(trace_rows)};

#define PROCESS_ROWS(poisson, renewal, constant)                                                                       \
    {.name = "poisson", .type = SIM_KEY_OBJECT, .table = &poisson, .value = MODEL_POISSON, .help = "Poisson."},        \
        {.name = "gamma",                                                                                              \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &renewal,                                                                                            \
         .value = MODEL_GAMMA_RENEWAL,                                                                                 \
         .help = "Renewal process with gamma gaps."},                                                                  \
        {.name = "weibull",                                                                                            \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &renewal,                                                                                            \
         .value = MODEL_WEIBULL_RENEWAL,                                                                               \
         .help = "Renewal process with Weibull gaps."},                                                                \
        {.name = "constant",                                                                                           \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &constant,                                                                                           \
         .value = MODEL_REGULAR,                                                                                       \
         .help = "Equal gaps."},                                                                                       \
        {.name = "burst",                                                                                              \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &burst_table,                                                                                        \
         .value = MODEL_BURST,                                                                                         \
         .help = "Many jobs at one instant."},                                                                         \
        {.name = "on_off",                                                                                             \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &on_off_table,                                                                                       \
         .value = MODEL_ON_OFF,                                                                                        \
         .help = "Two-state Markov-modulated Poisson, started stationary."},                                           \
        {.name = "profile",                                                                                            \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &profile_table,                                                                                      \
         .value = MODEL_PROFILE,                                                                                       \
         .help = "Poisson with a rate by the hour."},                                                                  \
        {.name = "closed",                                                                                             \
         .type = SIM_KEY_OBJECT,                                                                                       \
         .table = &closed_table,                                                                                       \
         .value = MODEL_CLOSED,                                                                                        \
         .help = "A population that waits for its results."},                                                          \
    {                                                                                                                  \
        .name = "trace", .type = SIM_KEY_OBJECT, .table = &trace_table, .value = MODEL_TRACE,                          \
        .help = "Recorded requests."                                                                                   \
    }

static const struct sim_key arrivals_rows[] = {PROCESS_ROWS(poisson_table, renewal_table, constant_table)};
const struct sim_table sim_arrivals_table = {
    .title = "tenants[].streams[].arrivals", .about = "An object that names one process.", ROWS(arrivals_rows)};

static const struct sim_key shared_arrivals_rows[] = {
    PROCESS_ROWS(shared_poisson_table, shared_renewal_table, shared_constant_table)};
static const struct sim_table shared_arrivals_table = {.title = "population.streams[].arrivals",
                                                       .about = "As a tenant's, but a rate may be left out where "
                                                                "`total_rate_per_s` is given.",
                                                       ROWS(shared_arrivals_rows)};

static const char *const origin_words[] = {"user_action", "scheduled", "batch_job", NULL};

static const struct sim_key stream_rows[] = {
    {.name = "origin",
     .type = SIM_KEY_WORD,
     .words = origin_words,
     .required = true,
     .store = SIM_STORE_ENUM,
     .offset = AT(stream.origin),
     .help = "What causes the requests; the scheduler makes a class of it and the SLA."},
    {.name = "sla_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .store = SIM_STORE_NS_S,
     .absent = SIM_ABSENT_NEVER,
     .offset = AT(stream.sla_ns),
     .otherwise = "none",
     .help = "Agreed time to completion; none or 86400 and more makes `scheduled` jobs batch."},
    {.name = "input_tokens",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "tokens",
     .min = 0,
     .max = TOKENS_MAX,
     .store = SIM_STORE_DISTRIBUTION,
     .offset = AT(stream.input_tokens),
     .offset_flag = AT(has_input),
     .otherwise = "from the trace's column",
     .help = "All input of a job, cached or not; at least 1."},
    {.name = "output_tokens",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "tokens",
     .min = 0,
     .max = TOKENS_MAX,
     .store = SIM_STORE_DISTRIBUTION,
     .offset = AT(stream.output_tokens),
     .offset_flag = AT(has_output),
     .otherwise = "from the trace's column",
     .help = "Output of a job before `max_tokens` cuts it."},
    {.name = "cached_tokens",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "tokens",
     .min = 0,
     .max = TOKENS_MAX,
     .initial = "0",
     .store = SIM_STORE_DISTRIBUTION,
     .offset = AT(stream.cached_tokens),
     .help = "Part of the input that is read from the prompt cache."},
    {.name = "cache_write_tokens",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "tokens",
     .min = 0,
     .max = TOKENS_MAX,
     .initial = "0",
     .store = SIM_STORE_DISTRIBUTION,
     .offset = AT(stream.cache_write_tokens),
     .help = "Part of the input that is written to the prompt cache."},
    {.name = "max_tokens",
     .type = SIM_KEY_INTEGER,
     .unit = "tokens",
     .min = 1,
     .max = TOKENS_MAX,
     .store = SIM_STORE_INT64,
     .offset = AT(stream.max_tokens),
     .otherwise = "not stated",
     .help = "Cap on output that the request states."},
    {.name = "model",
     .type = SIM_KEY_NAME,
     .max = 100,
     .store = SIM_STORE_TEXT,
     .offset = AT(model),
     .otherwise = "the endpoint's own limits",
     .help = "A name in `endpoint.models`."},
    {.name = "from_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .initial = "0",
     .store = SIM_STORE_NS_S,
     .offset = PROCESS(from_ns),
     .help = "Second of the run at which the stream begins."},
    {.name = "until_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .store = SIM_STORE_NS_S,
     .absent = SIM_ABSENT_NEVER,
     .offset = PROCESS(until_ns),
     .otherwise = "`duration_s`",
     .help = "Second at which it ends."},
    {.name = "patience_s",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "s",
     .min = 0,
     .max = TIME_MAX_S,
     .store = SIM_STORE_DISTRIBUTION,
     .offset = AT(stream.patience_s),
     .offset_flag = AT(stream.has_patience),
     .otherwise = "for ever",
     .help = "A job that still waits for its first dispatch after this has left."},
};
static const struct sim_table stream_rest_table = {ROWS(stream_rows)};

#define ARRIVALS_ROW(arrivals)                                                                                         \
    {                                                                                                                  \
        .name = "arrivals", .type = SIM_KEY_CHOICE, .table = &arrivals, .required = true, .store = SIM_STORE_ENUM,     \
        .offset = PROCESS(kind), .help = "When jobs come: one arrival process."                                        \
    }

static const struct sim_key own_arrivals_row[] = {ARRIVALS_ROW(sim_arrivals_table)};
static const struct sim_key shared_arrivals_row[] = {ARRIVALS_ROW(shared_arrivals_table)};
static const struct sim_table stream_table = {
    .title = "tenants[].streams[]", ROWS(own_arrivals_row), .include = &stream_rest_table};
static const struct sim_table shared_stream_table = {
    .title = "population.streams[]", ROWS(shared_arrivals_row), .include = &stream_rest_table};
static const struct sim_key stream_key = {.type = SIM_KEY_OBJECT, .table = &stream_table};
static const struct sim_key shared_stream_key = {.type = SIM_KEY_OBJECT, .table = &shared_stream_table};

static const struct sim_key tenant_rows[] = {
    {.name = "id",
     .type = SIM_KEY_NAME,
     .max = 100,
     .required = true,
     .store = SIM_STORE_TEXT,
     .offset = TENANT(id),
     .help = "Its name in figures, and for `--set tenants.ID...`."},
    {.name = "plan",
     .type = SIM_KEY_NAME,
     .max = 100,
     .store = SIM_STORE_TEXT,
     .offset = TENANT(plan),
     .otherwise = "weight 1",
     .help = "A name in `plans`."},
    {.name = "daily_input_tokens",
     .type = SIM_KEY_INTEGER,
     .unit = "tokens",
     .min = 0,
     .max = 1e15,
     .store = SIM_STORE_INT64,
     .absent = SIM_ABSENT_MINUS_ONE,
     .offset = TENANT(daily_tokens),
     .otherwise = "no budget",
     .help = "Input-token budget of a UTC day, for demotion. 0 is a budget."},
    {.name = "count",
     .type = SIM_KEY_INTEGER,
     .min = 1,
     .max = 100000,
     .initial = "1",
     .store = SIM_STORE_UINT32,
     .offset = TENANT(count),
     .help = "Over 1: so many equal tenants ID-1 ... ID-n."},
    {.name = "streams",
     .type = SIM_KEY_LIST,
     .element = &stream_key,
     .min = 1,
     .max = 1000,
     .required = true,
     .store = SIM_STORE_LIST,
     .size = sizeof(struct sim_stream_draft),
     .offset = TENANT(streams),
     .help = "Its streams of jobs."},
};
static const struct sim_table tenant_table = {.title = "tenants[]", ROWS(tenant_rows)};
const struct sim_key sim_tenant_key = {.type = SIM_KEY_OBJECT, .table = &tenant_table};

static const struct sim_key spread_rows[] = {
    {.name = "zipf",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 10,
     .store = SIM_STORE_DOUBLE,
     .offset = POPULATION(spread_parameter),
     .value = SIM_SPREAD_ZIPF,
     .help = "Rate of tenant i ~ i^-s."},
    {.name = "lognormal",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 10,
     .store = SIM_STORE_DOUBLE,
     .offset = POPULATION(spread_parameter),
     .value = SIM_SPREAD_LOGNORMAL,
     .help = "Rates lognormal with this sigma, drawn by the seed."},
};
static const struct sim_table spread_table = {.title = "population.spread", ROWS(spread_rows)};

static const struct sim_key share_key = {.type = SIM_KEY_NUMBER,
                                         .min = 0,
                                         .max = 1,
                                         .store = SIM_STORE_DOUBLE,
                                         .offset = offsetof(struct sim_named_number, number)};

static const struct sim_key population_rows[] = {
    {.name = "id",
     .type = SIM_KEY_NAME,
     .max = 100,
     .required = true,
     .store = SIM_STORE_TEXT,
     .offset = POPULATION(id),
     .help = "Its tenants are ID-1 ... ID-n."},
    {.name = "n",
     .type = SIM_KEY_INTEGER,
     .unit = "tenants",
     .min = 1,
     .max = 100000,
     .required = true,
     .store = SIM_STORE_UINT32,
     .offset = POPULATION(n),
     .help = "How many tenants."},
    {.name = "spread",
     .type = SIM_KEY_CHOICE,
     .table = &spread_table,
     .store = SIM_STORE_ENUM,
     .offset = POPULATION(spread),
     .otherwise = "all alike",
     .help = "How their rates differ."},
    {.name = "total_rate_per_s",
     .type = SIM_KEY_NUMBER,
     .unit = "1/s",
     .min = RATE_MIN,
     .max = RATE_MAX,
     .store = SIM_STORE_DOUBLE,
     .absent = SIM_ABSENT_NAN,
     .offset = POPULATION(total_rate_per_s),
     .otherwise = "n x the streams' rates",
     .help = "Rate of all tenants and streams together; the streams' own rates then only say how it is divided."},
    {.name = "plans",
     .type = SIM_KEY_MAP,
     .element = &share_key,
     .min = 0,
     .max = 1000,
     .store = SIM_STORE_LIST,
     .size = sizeof(struct sim_named_number),
     .offset = POPULATION(plans),
     .otherwise = "weight 1",
     .help = "Share of tenants on each plan; together 1. Who gets which is drawn by the seed."},
    {.name = "daily_input_tokens",
     .type = SIM_KEY_INTEGER,
     .unit = "tokens",
     .min = 0,
     .max = 1e15,
     .store = SIM_STORE_INT64,
     .absent = SIM_ABSENT_MINUS_ONE,
     .offset = POPULATION(daily_tokens),
     .otherwise = "no budget",
     .help = "Budget of each tenant."},
    {.name = "streams",
     .type = SIM_KEY_LIST,
     .element = &shared_stream_key,
     .min = 1,
     .max = 1000,
     .required = true,
     .store = SIM_STORE_LIST,
     .size = sizeof(struct sim_stream_draft),
     .offset = POPULATION(streams),
     .help = "Streams that each of them has."},
};
static const struct sim_table population_table = {.title = "population",
                                                  .about =
                                                      "Many tenants of unlike size, beside or instead of `tenants`.",
                                                  ROWS(population_rows)};
const struct sim_key sim_population_key = {.type = SIM_KEY_OBJECT, .table = &population_table};
