/* Rows: scheduler. */
#include "keys_tables.h"

#include "draft.h"

#define AT(field) offsetof(struct sim_draft, scenario.scheduler.field)
#define ROWS(list) .rows = list, .count = sizeof list / sizeof list[0]
#define YEARS_S 1e8

static const struct sim_key weights_rows[] = {
    {.name = "critical",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1e6,
     .initial = "70",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(picker.weights[SCHED_CRITICAL]),
     .help = "Weight of critical in the draw."},
    {.name = "standard",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1e6,
     .initial = "25",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(picker.weights[SCHED_STANDARD]),
     .help = "Weight of standard."},
    {.name = "batch",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1e6,
     .initial = "5",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(picker.weights[SCHED_BATCH]),
     .help = "Weight of batch."},
};
static const struct sim_table weights_table = {
    .title = "scheduler.picker.weights",
    .about = "Weights of the draw among classes. 0 is never drawn, only reached by the walk; one must be over 0.",
    ROWS(weights_rows)};

static const struct sim_key picker_rows[] = {
    {.name = "critical_win_probability",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1,
     .initial = "0.9",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(picker.critical_win_probability),
     .help = "Chance that waiting critical work wins outright; 1 is strict priority."},
    {.name = "critical_linger_ms",
     .type = SIM_KEY_NUMBER,
     .unit = "ms",
     .min = 0,
     .max = 3.6e6,
     .initial = "0",
     .store = SIM_STORE_NS_MS,
     .offset = AT(picker.critical_linger_ns),
     .help = "How long a worker that favours critical waits for a critical job before it takes another."},
    {.name = "weights", .type = SIM_KEY_OBJECT, .table = &weights_table, .help = "Weights of the draw among classes."},
};
static const struct sim_table picker_table = {
    .title = "scheduler.picker", .about = "Which class a free worker serves.", ROWS(picker_rows)};

static const char *const refill_words[] = {"round", "timer", NULL};
static const char *const policy_words[] = {"drr", "fifo", "round_robin", "vtc", "article", NULL};
static const char *const order_words[] = {"fixed", "shuffled", NULL};

static const struct sim_key refill_rows[] = {
    {.name = "mode",
     .type = SIM_KEY_WORD,
     .words = refill_words,
     .initial = "\"round\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(tenants.refill),
     .help = "When a DRR tenant's deficit grows: at its turn, or by a timer."},
    {.name = "interval_ms",
     .type = SIM_KEY_NUMBER,
     .unit = "ms",
     .min = 1,
     .max = 3.6e6,
     .initial = "1000",
     .store = SIM_STORE_NS_MS,
     .offset = AT(tenants.refill_interval_ns),
     .help = "Timer: time between refills."},
    {.name = "jitter_ms",
     .type = SIM_KEY_INTEGER,
     .unit = "ms",
     .min = 0,
     .max = 3.6e6,
     .initial = "1000",
     .store = SIM_STORE_NS_MS,
     .offset = AT(tenants.refill_jitter_ns),
     .help = "Timer: each tenant's phase is FNV-1a 64 of its id modulo this; 0 refills all at once."},
};
static const struct sim_table refill_table = {
    .title = "scheduler.tenants.refill", .about = "When deficits grow (policy `drr`).", ROWS(refill_rows)};

static const struct sim_key tenants_rows[] = {
    {.name = "policy",
     .type = SIM_KEY_WORD,
     .words = policy_words,
     .initial = "\"drr\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(tenants.policy),
     .help = "Who goes first inside a class."},
    {.name = "quantum",
     .type = SIM_KEY_NUMBER,
     .unit = "cost units",
     .min = 1e-6,
     .max = 1e9,
     .initial = "5",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(tenants.quantum),
     .help = "Added per round and unit of plan weight."},
    {.name = "cost_unit_tokens",
     .type = SIM_KEY_INTEGER,
     .unit = "input tokens",
     .min = 1,
     .max = 1e9,
     .initial = "4000",
     .store = SIM_STORE_INT64,
     .offset = AT(tenants.cost_unit_tokens),
     .help = "Tokens in one cost unit; a job costs max(1, floor(input / this))."},
    {.name = "refill", .type = SIM_KEY_OBJECT, .table = &refill_table, .help = "When deficits grow."},
    {.name = "order",
     .type = SIM_KEY_WORD,
     .words = order_words,
     .initial = "\"fixed\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(tenants.order),
     .help = "Policy `article`: order in which it meets tenants."},
};
static const struct sim_table tenants_table = {
    .title = "scheduler.tenants", .about = "Which tenant of a class is served.", ROWS(tenants_rows)};

static const char *const retry_words[] = {"retry_after", "exponential", "fixed", "immediate", "sdk", NULL};
static const char *const jitter_mode_words[] = {"symmetric", "positive", NULL};
static const char *const jitter_words[] = {"none", "full", "equal", "decorrelated", NULL};
static const char *const client_words[] = {"typescript", "python", NULL};
static const char *const exhausted_words[] = {"fail", "requeue", NULL};
static const char *const pacing_words[] = {"none", "mirror", NULL};

static const struct sim_key retry_after_rows[] = {
    {.name = "factor",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1000,
     .initial = "1.2",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(retry.factor),
     .help = "Multiple of the retry-after that the endpoint sent (1 s if it sent none)."},
    {.name = "jitter",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1,
     .initial = "0.2",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(retry.jitter),
     .help = "Relative spread."},
    {.name = "jitter_mode",
     .type = SIM_KEY_WORD,
     .words = jitter_mode_words,
     .initial = "\"symmetric\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(retry.jitter_mode),
     .help = "`symmetric`: x (1 +- jitter), which can fire early; `positive`: x (1 + U[0, jitter])."},
};
static const struct sim_table retry_after_table = {.title = "scheduler.retry.retry_after", ROWS(retry_after_rows)};

static const struct sim_key exponential_rows[] = {
    {.name = "base_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = 1e6,
     .initial = "1",
     .store = SIM_STORE_NS_S,
     .offset = AT(retry.base_ns),
     .help = "First delay."},
    {.name = "multiplier",
     .type = SIM_KEY_NUMBER,
     .min = 1,
     .max = 100,
     .initial = "2",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(retry.multiplier),
     .help = "Growth from one refusal to the next."},
    {.name = "cap_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = 1e6,
     .initial = "60",
     .store = SIM_STORE_NS_S,
     .offset = AT(retry.cap_ns),
     .help = "Longest delay."},
    {.name = "jitter",
     .type = SIM_KEY_WORD,
     .words = jitter_words,
     .initial = "\"none\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(retry.exponential_jitter),
     .help = "none: d; full: U(0, d); equal: d/2 + U(0, d/2); decorrelated: min(cap, U(base, 3 x previous))."},
};
static const struct sim_table exponential_table = {.title = "scheduler.retry.exponential", ROWS(exponential_rows)};

static const struct sim_key fixed_rows[] = {
    {.name = "delay_s",
     .type = SIM_KEY_DISTRIBUTION,
     .unit = "s",
     .min = 0,
     .max = 1e6,
     .initial = "1",
     .store = SIM_STORE_DISTRIBUTION,
     .offset = offsetof(struct sim_draft, scenario.fixed_delay_s),
     .help = "Delay before each retry."},
};
static const struct sim_table fixed_table = {.title = "scheduler.retry.fixed", ROWS(fixed_rows)};

static const struct sim_key sdk_rows[] = {
    {.name = "client",
     .type = SIM_KEY_WORD,
     .words = client_words,
     .initial = "\"typescript\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(retry.sdk_client),
     .help = "Which official client's rules."},
};
static const struct sim_table sdk_table = {.title = "scheduler.retry.sdk", ROWS(sdk_rows)};

static const struct sim_key retry_rows[] = {
    {.name = "policy",
     .type = SIM_KEY_WORD,
     .words = retry_words,
     .initial = "\"retry_after\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(retry.policy),
     .help = "How long to wait before a retry."},
    {.name = "max_retries",
     .type = SIM_KEY_INTEGER,
     .min = 0,
     .max = 1000,
     .initial = "4",
     .store = SIM_STORE_UINT32,
     .offset = AT(retry.max_retries),
     .help = "Retries after the first attempt, whatever the refusals were."},
    {.name = "on_exhausted",
     .type = SIM_KEY_WORD,
     .words = exhausted_words,
     .initial = "\"fail\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(retry.on_exhausted),
     .help = "`fail`, or one more back-off and then the tail of its tenant's queue."},
    {.name = "give_up_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0,
     .max = 1e9,
     .store = SIM_STORE_NS_S,
     .absent = SIM_ABSENT_NEVER,
     .offset = AT(retry.give_up_ns),
     .otherwise = "never",
     .help = "A job fails when its next retry would come later than this after its first dispatch."},
    {.name = "pacing",
     .type = SIM_KEY_WORD,
     .words = pacing_words,
     .initial = "\"none\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(retry.pacing),
     .help = "`mirror` keeps a client-side copy of the buckets and holds a job until the copy would admit it."},
    {.name = "retry_after", .type = SIM_KEY_OBJECT, .table = &retry_after_table, .help = "For `retry_after`."},
    {.name = "exponential", .type = SIM_KEY_OBJECT, .table = &exponential_table, .help = "For `exponential`."},
    {.name = "fixed", .type = SIM_KEY_OBJECT, .table = &fixed_table, .help = "For `fixed`."},
    {.name = "sdk", .type = SIM_KEY_OBJECT, .table = &sdk_table, .help = "For `sdk`."},
};
static const struct sim_table retry_table = {
    .title = "scheduler.retry",
    .about = "What happens after a 429, 529 or 5xx; the worker keeps its slot meanwhile. Objects of unused policies "
             "are legal, so that a sweep can vary `policy` alone.",
    ROWS(retry_rows)};

static const char *const class_words[] = {"critical", "standard", "batch", NULL};
static const char *const attribution_words[] = {"caller", "over_entitlement", NULL};

static const struct sim_key demotion_rows[] = {
    {.name = "enabled",
     .type = SIM_KEY_BOOL,
     .initial = "true",
     .store = SIM_STORE_BOOL,
     .offset = AT(demotion.enabled),
     .help = "Demotion is on unless this is false."},
    {.name = "throttles",
     .type = SIM_KEY_INTEGER,
     .unit = "429s",
     .min = 1,
     .max = 10000,
     .initial = "5",
     .store = SIM_STORE_UINT32,
     .offset = AT(demotion.throttles),
     .help = "This many within the window demote."},
    {.name = "window_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0.001,
     .max = 1e6,
     .initial = "60",
     .store = SIM_STORE_NS_S,
     .offset = AT(demotion.window_ns),
     .help = "Sliding window (t - this, t]."},
    {.name = "budget_ratio",
     .type = SIM_KEY_NUMBER,
     .min = 0,
     .max = 1e6,
     .initial = "1.5",
     .store = SIM_STORE_DOUBLE,
     .offset = AT(demotion.budget_ratio),
     .help = "A tenant whose input tokens of the UTC day exceed this multiple of its budget is demoted."},
    {.name = "duration_s",
     .type = SIM_KEY_NUMBER,
     .unit = "s",
     .min = 0.001,
     .max = YEARS_S,
     .initial = "300",
     .store = SIM_STORE_NS_S,
     .offset = AT(demotion.duration_ns),
     .help = "How long; renewed while the cause holds."},
    {.name = "applies_to",
     .type = SIM_KEY_WORDS,
     .words = class_words,
     .min = 0,
     .max = 3,
     .initial = "[\"critical\", \"standard\"]",
     .store = SIM_STORE_BOOLS,
     .offset = AT(demotion.applies_to),
     .help = "Classes whose jobs become batch while their tenant is demoted."},
    {.name = "attribution",
     .type = SIM_KEY_WORD,
     .words = attribution_words,
     .initial = "\"caller\"",
     .store = SIM_STORE_ENUM,
     .offset = AT(demotion.attribution),
     .help = "Whom a 429 counts against: who got it, or only tenants above their max-min fair share."},
};
static const struct sim_table demotion_table = {
    .title = "scheduler.demotion", .about = "Moving tenants that overdo it to batch.", ROWS(demotion_rows)};

static const struct sim_key scheduler_rows[] = {
    {.name = "picker", .type = SIM_KEY_OBJECT, .table = &picker_table, .help = "Which class."},
    {.name = "tenants", .type = SIM_KEY_OBJECT, .table = &tenants_table, .help = "Which tenant."},
    {.name = "retry", .type = SIM_KEY_OBJECT, .table = &retry_table, .help = "After a refusal."},
    {.name = "demotion", .type = SIM_KEY_OBJECT, .table = &demotion_table, .help = "Demoting tenants."},
};

const struct sim_table sim_scheduler_table = {.title = "scheduler", ROWS(scheduler_rows)};
