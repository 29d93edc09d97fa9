/* Rows: arrival processes. */
#include "keys_tables.h"

#include "draft.h"

#define AT(field) offsetof(struct sim_stream_draft, field)
#define PROCESS(field) offsetof(struct sim_stream_draft, stream.arrivals.field)
#define ROWS(list) .rows = list, .count = sizeof list / sizeof list[0]

#define TIME_MAX_S 1e9
#define RATE_MIN 1e-9
#define RATE_MAX 1e6

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
const struct sim_table sim_shared_arrivals_table = {.title = "population.streams[].arrivals",
                                                    .about = "As a tenant's, but a rate may be left out where "
                                                             "`total_rate_per_s` is given.",
                                                    ROWS(shared_arrivals_rows)};
