/* Rows: distributions. */
#include "draft.h"
#include "keys.h"

#define AT(field) offsetof(struct sim_distribution_draft, field)
#define ROWS(list) .rows = list, .count = sizeof list / sizeof list[0]

/** No quantity of a scenario (tokens, seconds, milliseconds, tokens a second, ratios) is negative or larger. */
#define LARGEST 1e12
#define SMALLEST 1e-9

static const struct sim_key clamp_rows[] = {
    {.name = "min",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(min),
     .otherwise = "no clamp",
     .help = "Draws below are raised to it."},
    {.name = "max",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(max),
     .otherwise = "no clamp",
     .help = "Draws above are lowered to it."},
};
static const struct sim_table clamp_table = {ROWS(clamp_rows)};

static const struct sim_key constant_rows[] = {
    {.name = "value",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(value),
     .required = true,
     .help = "Every draw."},
};
static const struct sim_table constant_table = {ROWS(constant_rows), .include = &clamp_table};

static const struct sim_key uniform_rows[] = {
    {.name = "min",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(low),
     .required = true,
     .help = "Low end."},
    {.name = "max",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(high),
     .required = true,
     .help = "High end, at least `min`."},
};
static const struct sim_table uniform_table = {ROWS(uniform_rows)};

static const struct sim_key exponential_rows[] = {
    {.name = "mean",
     .type = SIM_KEY_NUMBER,
     .min = SMALLEST,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(mean),
     .required = true,
     .help = "Mean."},
};
static const struct sim_table exponential_table = {ROWS(exponential_rows), .include = &clamp_table};

static const struct sim_key lognormal_rows[] = {
    {.name = "median",
     .type = SIM_KEY_NUMBER,
     .min = SMALLEST,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(median),
     .group = 1,
     .required = true,
     .help = "Median; with `sigma`."},
    {.name = "sigma",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 10,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(sigma),
     .group = 1,
     .required = true,
     .help = "Standard deviation of the natural logarithm."},
    {.name = "p*",
     .type = SIM_KEY_NUMBER,
     .min = SMALLEST,
     .max = LARGEST,
     .store = SIM_STORE_LIST,
     .offset = AT(knots),
     .group = 2,
     .count_min = 2,
     .count_max = 2,
     .help = "Instead of median and sigma: exactly two percentiles, such as `p50` and `p95`."},
};
static const struct sim_table lognormal_table = {ROWS(lognormal_rows), .include = &clamp_table,
                                                 .groups = "median and sigma, or two percentiles such as p50 and p95"};

static const struct sim_key percentiles_rows[] = {
    {.name = "p*",
     .type = SIM_KEY_NUMBER,
     .min = SMALLEST,
     .max = LARGEST,
     .store = SIM_STORE_LIST,
     .offset = AT(knots),
     .group = 1,
     .count_min = 2,
     .count_max = 100,
     .help = "Two or more percentiles (`p50`, `p95`, `p99.9`, ...), rising. Between them ln x is linear in the normal "
             "quantile; the end slopes go on beyond."},
};
static const struct sim_table percentiles_table = {ROWS(percentiles_rows), .include = &clamp_table,
                                                   .groups = "two percentiles or more, such as p50 and p95"};

static const struct sim_key gamma_rows[] = {
    {.name = "mean",
     .type = SIM_KEY_NUMBER,
     .min = SMALLEST,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(mean),
     .required = true,
     .help = "Mean."},
    {.name = "cv",
     .type = SIM_KEY_NUMBER,
     .min = 0.01,
     .max = 100,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(cv),
     .required = true,
     .help = "Coefficient of variation: standard deviation / mean."},
};
static const struct sim_table gamma_table = {ROWS(gamma_rows), .include = &clamp_table};

static const struct sim_key pareto_rows[] = {
    {.name = "scale",
     .type = SIM_KEY_NUMBER,
     .min = SMALLEST,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(scale),
     .required = true,
     .help = "Smallest value."},
    {.name = "alpha",
     .type = SIM_KEY_NUMBER,
     .min = 0.01,
     .max = 1000,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(alpha),
     .required = true,
     .help = "Tail index; the mean is infinite at 1 and below."},
};
static const struct sim_table pareto_table = {ROWS(pareto_rows), .include = &clamp_table};

static const struct sim_key quantiles_rows[] = {
    {.name = "values",
     .type = SIM_KEY_NUMBERS,
     .min = 0,
     .max = LARGEST,
     .count_min = 2,
     .count_max = 100001,
     .store = SIM_STORE_LIST,
     .offset = AT(values),
     .required = true,
     .help = "Quantiles at equally spaced probabilities 0 ... 1, not falling; linear between them."},
};
static const struct sim_table quantiles_table = {ROWS(quantiles_rows), .include = &clamp_table};

static const struct sim_key distribution_rows[] = {
    {.name = "constant",
     .type = SIM_KEY_OBJECT,
     .table = &constant_table,
     .value = MODEL_CONSTANT,
     .help = "Always the same; a bare number means the same."},
    {.name = "uniform",
     .type = SIM_KEY_OBJECT,
     .table = &uniform_table,
     .value = MODEL_UNIFORM,
     .help = "Uniform between two ends."},
    {.name = "exponential",
     .type = SIM_KEY_OBJECT,
     .table = &exponential_table,
     .value = MODEL_EXPONENTIAL,
     .help = "Exponential."},
    {.name = "lognormal",
     .type = SIM_KEY_OBJECT,
     .table = &lognormal_table,
     .value = MODEL_LOGNORMAL,
     .help = "Lognormal, by median and sigma or by two percentiles."},
    {.name = "percentiles",
     .type = SIM_KEY_OBJECT,
     .table = &percentiles_table,
     .value = MODEL_PERCENTILES,
     .help = "Through given percentiles."},
    {.name = "gamma", .type = SIM_KEY_OBJECT, .table = &gamma_table, .value = MODEL_GAMMA, .help = "Gamma."},
    {.name = "weibull", .type = SIM_KEY_OBJECT, .table = &gamma_table, .value = MODEL_WEIBULL, .help = "Weibull."},
    {.name = "pareto", .type = SIM_KEY_OBJECT, .table = &pareto_table, .value = MODEL_PARETO, .help = "Pareto."},
    {.name = "quantiles",
     .type = SIM_KEY_OBJECT,
     .table = &quantiles_table,
     .value = MODEL_QUANTILES,
     .help = "An empirical quantile function."},
    {.name = "min",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(outer_min),
     .value = -1,
     .otherwise = "no clamp",
     .help = "The same as `min` inside the kind's object."},
    {.name = "max",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = LARGEST,
     .store = SIM_STORE_DOUBLE,
     .offset = AT(outer_max),
     .value = -1,
     .otherwise = "no clamp",
     .help = "The same as `max` inside the kind's object."},
};

const struct sim_table sim_distribution_table = {
    .title = "Distributions",
    .about = "Wherever a key takes a distribution, a bare number stands for a constant, and an object names one kind "
             "with its parameters. Values are in the unit of the key. All kinds but `uniform` take `min` and `max` as "
             "well: draws outside are clamped.",
    ROWS(distribution_rows)};
