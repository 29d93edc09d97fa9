#include "arrivals.h"

#include <assert.h>
#include <math.h>

/** 290 years: what int64 ns can hold. */
static const double horizon_s = 9.2e9;

static const int64_t hour_ns = INT64_C(3600000000000);

/* Draws: every gap starts from block 0 of its job, further draws within it count up. */

static double uniform(const struct model_arrivals *arrivals, uint32_t block) {
    return model_uniform(arrivals->streams, arrivals->stream, arrivals->job, MODEL_ARRIVAL, block);
}

/** Exponential of mean 1. */
static double exponential(const struct model_arrivals *arrivals, uint32_t block) {
    return -log1p(-uniform(arrivals, block));
}

/* constant, burst: instants by number. */

/** Instant number @p k >= 0 of a regular sequence. @return false when it lies beyond time. */
static bool regular_instant(const struct model_arrivals_config *config, int64_t k, int64_t *ret_ns) {
    int64_t offset;
    if (config->kind == MODEL_BURST) {
        k += config->first_ns < 0;
        if (config->every_ns <= 0 || __builtin_mul_overflow(k, config->every_ns, &offset))
            return false;
    } else {
        double gaps_s = (double)(k + (config->first_ns < 0)) / config->rate_per_s;
        if (!(config->rate_per_s > 0 && gaps_s < horizon_s))
            return false;
        offset = model_ns(gaps_s);
    }
    return !__builtin_add_overflow(config->first_ns < 0 ? config->from_ns : config->first_ns, offset, ret_ns);
}

/** Number of the first instant at or after @p ns; *ret_k is untouched and the result false when there is none. */
static bool regular_first(const struct model_arrivals_config *config, int64_t ns, int64_t *ret_k) {
    int64_t first, at;
    if (!regular_instant(config, 0, &first))
        return false;
    if (first >= ns) {
        *ret_k = 0;
        return true;
    }
    double gap_ns = config->kind == MODEL_BURST ? (double)config->every_ns : 1e9 / config->rate_per_s;
    double estimate = (double)(ns - first) / gap_ns;
    if (!(estimate < 0x1p62))
        return false;
    int64_t k = (int64_t)estimate;
    while (k > 0 && (!regular_instant(config, k - 1, &at) || at >= ns))
        k--;
    for (; regular_instant(config, k, &at); k++)
        if (at >= ns) {
            *ret_k = k;
            return true;
        }
    return false;
}

static bool is_periodic(const struct model_arrivals_config *config) {
    return config->kind == MODEL_REGULAR || (config->kind == MODEL_BURST && config->at_count == 0);
}

/** Instant number @p cursor of a constant or burst process. */
static bool instant(const struct model_arrivals_config *config, size_t cursor, int64_t *ret_ns) {
    if (is_periodic(config))
        return regular_instant(config, (int64_t)cursor, ret_ns);
    if (cursor >= config->at_count)
        return false;
    *ret_ns = config->at_ns[cursor];
    return true;
}

static void init_instants(struct model_arrivals *arrivals) {
    const struct model_arrivals_config *config = arrivals->config;
    arrivals->left = config->kind == MODEL_BURST ? config->burst_count : 1;
    if (is_periodic(config)) {
        int64_t k;
        if (regular_first(config, config->from_ns, &k))
            arrivals->cursor = (size_t)k;
        else
            arrivals->left = 0;
    } else {
        while (arrivals->cursor < config->at_count && config->at_ns[arrivals->cursor] < config->from_ns)
            arrivals->cursor++;
    }
}

static bool next_instant(struct model_arrivals *arrivals, int64_t *ret_ns) {
    const struct model_arrivals_config *config = arrivals->config;
    if (arrivals->left <= 0 || !instant(config, arrivals->cursor, ret_ns) || *ret_ns >= config->until_ns)
        return false;
    if (--arrivals->left == 0) {
        arrivals->cursor++;
        arrivals->left = config->kind == MODEL_BURST ? config->burst_count : 1;
    }
    return true;
}

/* on_off: sojourns and gaps are both exponential; a gap is spent at the rate of the state in force. */

static void begin_sojourn(struct model_arrivals *arrivals) {
    const struct model_arrivals_config *config = arrivals->config;
    double mean_s = arrivals->on ? config->mean_on_s : config->mean_off_s;
    arrivals->state_end_s = arrivals->clock_s + mean_s * exponential(arrivals, arrivals->block++);
}

static void init_on_off(struct model_arrivals *arrivals) {
    const struct model_arrivals_config *config = arrivals->config;
    double rate = config->on_rate_per_s * config->mean_on_s + config->off_rate_per_s * config->mean_off_s;
    if (!(rate > 0)) {
        arrivals->clock_s = INFINITY;
        return;
    }
    arrivals->on = uniform(arrivals, arrivals->block++) < config->mean_on_s / (config->mean_on_s + config->mean_off_s);
    begin_sojourn(arrivals); /* memoryless: what is left of a sojourn is distributed as a whole one */
}

static void step_on_off(struct model_arrivals *arrivals, double until_s) {
    const struct model_arrivals_config *config = arrivals->config;
    double need = exponential(arrivals, 0);
    while (arrivals->clock_s < until_s) {
        double rate = arrivals->on ? config->on_rate_per_s : config->off_rate_per_s;
        double room = rate * (arrivals->state_end_s - arrivals->clock_s);
        if (need < room) {
            arrivals->clock_s += need / rate;
            return;
        }
        need -= room;
        arrivals->clock_s = arrivals->state_end_s;
        arrivals->on = !arrivals->on;
        begin_sojourn(arrivals);
    }
}

/* profile: the same over hours of the wall clock. */

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/** Hour of the wall clock, counted from 1970, at @p ns of the run. */
static int64_t wall_hour(const struct model_arrivals_config *config, int64_t ns) {
    return floor_div(config->start_unix_ns + ns, hour_ns);
}

/** Rate in wall hour @p hour. */
static double hour_rate(const struct model_arrivals_config *config, int64_t hour) {
    int64_t count = (int64_t)config->profile_count;
    int64_t monday = 72; /* 1970 began on a Thursday, 72 hours into its week; a multiple of 24, so days fit too */
    int64_t index = (hour + monday) % count;
    return config->profile_rate_per_s[index < 0 ? index + count : index];
}

/** Start of the hour @p hours after wall hour @p first_hour, in seconds of the run. In two parts, since the wall clock
 * of a far hour may not fit int64. */
static double hour_start_s(const struct model_arrivals_config *config, int64_t first_hour, size_t hours) {
    return (double)(first_hour * hour_ns - config->start_unix_ns) * 1e-9 + (double)hours * 3600;
}

/** Expected arrivals in one whole cycle. */
static double cycle_sum(const struct model_arrivals_config *config) {
    double sum = 0;
    for (size_t i = 0; i < config->profile_count; i++)
        sum += config->profile_rate_per_s[i] * 3600;
    return sum;
}

static void step_profile(struct model_arrivals *arrivals, double until_s) {
    const struct model_arrivals_config *config = arrivals->config;
    const int64_t first_hour = wall_hour(config, config->from_ns);
    double need = exponential(arrivals, 0);
    for (size_t hours = 0; arrivals->clock_s < until_s; hours++) {
        if (hours == config->profile_count) { /* a whole cycle without one: leap over all that cannot hold it */
            double cycles = floor(need / cycle_sum(config));
            double leap_s = cycles * (double)config->profile_count * 3600;
            if (!(arrivals->clock_s + leap_s < until_s))
                break;
            need = fmax(need - cycles * cycle_sum(config), 0);
            arrivals->cursor += (size_t)cycles * config->profile_count;
            arrivals->clock_s = hour_start_s(config, first_hour, arrivals->cursor);
            hours = 0;
        }
        double rate = hour_rate(config, first_hour + (int64_t)arrivals->cursor);
        double end_s = hour_start_s(config, first_hour, arrivals->cursor + 1);
        double room = rate * (end_s - arrivals->clock_s);
        if (need < room) {
            arrivals->clock_s += need / rate;
            return;
        }
        need -= room;
        arrivals->clock_s = end_s;
        arrivals->cursor++;
    }
    arrivals->clock_s = INFINITY;
}

/** Expected arrivals between @p from_ns and @p end_ns. */
static double profile_sum(const struct model_arrivals_config *config, int64_t from_ns, int64_t end_ns) {
    const int64_t cycle_ns = hour_ns * (int64_t)config->profile_count;
    const int64_t cycles = (end_ns - from_ns) / cycle_ns;
    double sum = (double)cycles * cycle_sum(config);
    int64_t ns = from_ns + cycles * cycle_ns;
    for (int64_t hour = wall_hour(config, ns); ns < end_ns; hour++) {
        int64_t hour_end_ns = (hour + 1) * hour_ns - config->start_unix_ns;
        int64_t stop_ns = hour_end_ns < end_ns ? hour_end_ns : end_ns;
        sum += hour_rate(config, hour) * (double)(stop_ns - ns) * 1e-9;
        ns = stop_ns;
    }
    return sum;
}

/* trace */

/** Not through seconds: a time scale of 1 must keep every ns. */
static int64_t round_ns(double ns) {
    return ns < 0x1p63 ? llround(ns) : INT64_MAX;
}

static int64_t scaled_ns(const struct model_arrivals_config *config, int64_t file_ns) {
    return round_ns((double)file_ns * config->time_scale);
}

/** Length of one lap: the file's span and one mean gap. 0: it cannot be repeated. */
static int64_t lap_length_ns(const struct model_arrivals_config *config) {
    const struct model_trace *trace = config->trace;
    if (!config->loop || trace->count < 2)
        return 0;
    int64_t span_ns = trace->rows[trace->count - 1].time_ns;
    return round_ns(((double)span_ns + (double)span_ns / (double)(trace->count - 1)) * config->time_scale);
}

/** First row of the stream's tenant. @return false when it has none. */
static bool first_row(const struct model_arrivals_config *config, size_t *ret) {
    const struct model_trace *trace = config->trace;
    if (config->trace_tenant >= 0 && (uint64_t)config->trace_tenant >= trace->tenant_count)
        return false;
    *ret = config->trace_tenant < 0 ? 0 : trace->first_rows[config->trace_tenant];
    return trace->count > 0;
}

/** The row after @p cursor, or the count of rows. */
static size_t row_after(const struct model_arrivals_config *config, size_t cursor) {
    size_t step = config->trace_tenant < 0 ? 1 : config->trace->rows[cursor].next;
    return step ? cursor + step : config->trace->count;
}

static void init_trace(struct model_arrivals *arrivals) {
    arrivals->lap_ns = arrivals->config->from_ns;
    if (!first_row(arrivals->config, &arrivals->cursor))
        arrivals->clock_s = INFINITY;
}

static bool next_row(struct model_arrivals *arrivals, int64_t *ret_ns, const struct model_trace_row **ret_row) {
    const struct model_arrivals_config *config = arrivals->config;
    if (arrivals->clock_s == INFINITY)
        return false;
    if (arrivals->cursor >= config->trace->count) {
        int64_t length_ns = lap_length_ns(config);
        if (length_ns <= 0 || __builtin_add_overflow(arrivals->lap_ns, length_ns, &arrivals->lap_ns)) {
            arrivals->clock_s = INFINITY;
            return false;
        }
        first_row(config, &arrivals->cursor);
    }
    const struct model_trace_row *row = &config->trace->rows[arrivals->cursor];
    if (__builtin_add_overflow(arrivals->lap_ns, scaled_ns(config, row->time_ns), ret_ns) ||
        *ret_ns >= config->until_ns) {
        arrivals->clock_s = INFINITY;
        return false;
    }
    arrivals->cursor = row_after(config, arrivals->cursor);
    *ret_row = row;
    return true;
}

static double trace_sum(const struct model_arrivals_config *config, int64_t end_ns) {
    const int64_t lap_ns = lap_length_ns(config);
    double sum = 0;
    size_t cursor;
    if (!first_row(config, &cursor))
        return 0;
    for (; cursor < config->trace->count; cursor = row_after(config, cursor)) {
        int64_t left_ns = end_ns - config->from_ns - scaled_ns(config, config->trace->rows[cursor].time_ns);
        if (left_ns <= 0)
            break; /* rows rise */
        sum += lap_ns > 0 ? (double)((left_ns - 1) / lap_ns + 1) : 1;
    }
    return sum;
}

/* The common face. */

void model_arrivals_init(struct model_arrivals *arrivals, const struct model_arrivals_config *config,
                         const struct model_streams *streams, uint32_t stream) {
    assert(config->kind != MODEL_CLOSED);
    *arrivals = (struct model_arrivals){
        .config = config,
        .streams = streams,
        .stream = stream,
        .block = 1,
        .time_ns = config->from_ns,
        .clock_s = (double)config->from_ns * 1e-9,
    };
    if (config->kind == MODEL_ON_OFF)
        init_on_off(arrivals);
    else if (config->kind == MODEL_TRACE)
        init_trace(arrivals);
    else if (config->kind == MODEL_REGULAR || config->kind == MODEL_BURST)
        init_instants(arrivals);
}

/** Move the clock of a random process to its next arrival. */
static void step(struct model_arrivals *arrivals, double until_s) {
    const struct model_arrivals_config *config = arrivals->config;
    if (config->kind == MODEL_POISSON)
        arrivals->clock_s += exponential(arrivals, 0) / config->rate_per_s;
    else if (config->kind == MODEL_ON_OFF)
        step_on_off(arrivals, until_s);
    else if (config->kind == MODEL_PROFILE)
        step_profile(arrivals, until_s);
    else
        arrivals->clock_s += model_distribution_quantile(&config->gap, uniform(arrivals, 0));
}

static bool next_random(struct model_arrivals *arrivals, int64_t *ret_ns) {
    const double until_s = fmin((double)arrivals->config->until_ns * 1e-9, horizon_s);
    if (arrivals->clock_s < until_s)
        step(arrivals, until_s);
    int64_t time_ns = arrivals->clock_s < horizon_s ? model_ns(arrivals->clock_s) : INT64_MAX;
    if (time_ns >= arrivals->config->until_ns) {
        arrivals->clock_s = INFINITY;
        return false;
    }
    *ret_ns = time_ns;
    return true;
}

bool model_arrivals_next(struct model_arrivals *arrivals, struct model_arrival *ret) {
    int64_t time_ns;
    const struct model_trace_row *row = NULL;
    bool more;
    switch (arrivals->config->kind) {
    case MODEL_REGULAR:
    case MODEL_BURST:
        more = next_instant(arrivals, &time_ns);
        break;
    case MODEL_TRACE:
        more = next_row(arrivals, &time_ns, &row);
        break;
    default:
        more = next_random(arrivals, &time_ns);
    }
    if (!more)
        return false;
    if (time_ns > arrivals->time_ns) /* rounding of from itself must not step back before it */
        arrivals->time_ns = time_ns;
    *ret = (struct model_arrival){.time_ns = arrivals->time_ns, .job = arrivals->job, .row = row};
    arrivals->job++;
    arrivals->block = 1;
    return true;
}

int64_t model_think_ns(const struct model_arrivals_config *config, const struct model_streams *streams, uint32_t stream,
                       uint32_t job) {
    double u = model_uniform(streams, stream, job, MODEL_THINK, 0);
    return model_ns(model_distribution_quantile(&config->think_s, u));
}

/** Jobs at instants in [from, end). */
static double instants_sum(const struct model_arrivals_config *config, int64_t end_ns) {
    double each = config->kind == MODEL_BURST ? (double)(config->burst_count > 0 ? config->burst_count : 0) : 1;
    int64_t first = 0, last = 0;
    if (!is_periodic(config)) {
        for (size_t i = 0; i < config->at_count; i++)
            last += config->at_ns[i] >= config->from_ns && config->at_ns[i] < end_ns;
    } else if (!regular_first(config, config->from_ns, &first) || !regular_first(config, end_ns, &last)) {
        return 0;
    }
    return (double)(last - first) * each;
}

/** Expected jobs in [from, end). */
static double expected_jobs(const struct model_arrivals_config *config, int64_t end_ns) {
    const double window_s = (double)(end_ns - config->from_ns) * 1e-9;
    switch (config->kind) {
    case MODEL_POISSON:
    case MODEL_GAMMA_RENEWAL:
    case MODEL_WEIBULL_RENEWAL:
        return config->rate_per_s * window_s;
    case MODEL_REGULAR:
    case MODEL_BURST:
        return instants_sum(config, end_ns);
    case MODEL_ON_OFF: {
        double on = config->on_rate_per_s * config->mean_on_s, off = config->off_rate_per_s * config->mean_off_s;
        double cycle_s = config->mean_on_s + config->mean_off_s;
        return cycle_s > 0 ? (on + off) / cycle_s * window_s : 0;
    }
    case MODEL_PROFILE:
        return profile_sum(config, config->from_ns, end_ns);
    case MODEL_CLOSED:
        return (double)config->population / model_distribution_mean(&config->think_s) * window_s;
    case MODEL_TRACE:
        return trace_sum(config, end_ns);
    }
    return 0;
}

double model_arrivals_mean_rate(const struct model_arrivals_config *config, double duration_s) {
    int64_t end_ns = model_ns(duration_s);
    if (config->until_ns < end_ns)
        end_ns = config->until_ns;
    if (end_ns <= config->from_ns)
        return 0;
    return expected_jobs(config, end_ns) / duration_s;
}
