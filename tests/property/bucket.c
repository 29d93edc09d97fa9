/** Properties of the endpoint's buckets under random traffic: bounds on every window, honest retry-after, exact totals,
 *  and the known shares that a token bucket accepts from Poisson arrivals. */
#include "../endpoint_fixture.h"

#include <criterion/criterion.h>

/** SplitMix64 (Steele, Lea & Flood 2014): the tests' own randomness. */
static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state) {
    return ((double)(draw(state) >> 11) + .5) / 0x1p53;
}

static int64_t between(uint64_t *state, int64_t lo, int64_t hi) {
    return lo + (int64_t)(draw(state) % (uint64_t)(hi - lo + 1));
}

/** Largest excess of what any window took over rate x its length, in one pass: for a window from event i to admission j
 *  it is (sum up to j - r t_j) - (sum before i - r t_i). Refunds and corrections count, but no window ends on one. */
struct meter {
    model_units rate;
    model_units sum;
    model_units lowest; /**< of (sum before i - r t_i) so far */
    model_units excess;
    bool used;
};

static void meter_settle(struct meter *meter, int64_t now_ns, model_units units) {
    model_units before = meter->sum - meter->rate * now_ns;
    if (!meter->used || before < meter->lowest)
        meter->lowest = before;
    meter->used = true;
    meter->sum += units;
}

static void meter_admit(struct meter *meter, int64_t now_ns, model_units units) {
    meter_settle(meter, now_ns, units);
    model_units excess = meter->sum - meter->rate * now_ns - meter->lowest;
    if (excess > meter->excess)
        meter->excess = excess;
}

enum { IN_FLIGHT = 64 };

struct flight {
    struct model_request request;
    struct model_work work;
};

/** Random traffic on one endpoint: attempts in bursts, requests that end in order of their times. */
struct traffic {
    struct fixture fixture;
    struct flight flights[IN_FLIGHT];
    int count;
    int64_t now_ns;
    uint64_t random;
    struct meter meters[MODEL_BUCKETS];
    model_units need_max;
    int64_t output_admitted;
    int64_t admitted, refused;
};

static void traffic_start(struct traffic *t, uint64_t seed, enum model_output_charge charge) {
    *t = (struct traffic){.random = seed};
    struct fixture *f = &t->fixture;
    fixture_init(f);
    f->config.output_charge = charge;
    f->config.estimates = true;
    f->config.input_estimate =
        (struct model_distribution){.kind = MODEL_UNIFORM, .a = .5, .b = 1.5, .min = -INFINITY, .max = INFINITY};
    cr_assert(model_distribution_prepare(&f->config.input_estimate) == NULL);
    f->classes[0][0].latency.output_tokens_per_s = model_constant(20 + 200 * uniform(&t->random));
    fixture_limits(f, 0, between(&t->random, 20, 200), between(&t->random, 5000, 50000),
                   between(&t->random, 3000, 20000));
    fixture_burst(f, 0, between(&t->random, 1, 60) * SECOND_NS);
    fixture_start(f);
    for (int id = 0; id < MODEL_BUCKETS; id++)
        t->meters[id].rate = f->buckets[0][id].refill;
}

static struct model_work random_work(struct traffic *t) {
    struct model_work work = fixture_work((int64_t)exp(4 + 5 * uniform(&t->random)), between(&t->random, 0, 200));
    work.max_tokens = work.output_tokens + between(&t->random, 0, 100);
    work.u_estimate = uniform(&t->random);
    return work;
}

/** Next event of a flight: its first token if that matters, else its end. */
static int64_t flight_next_ns(const struct flight *flight) {
    return flight->request.first_token_matters ? flight->request.first_token_ns : flight->request.done_ns;
}

static void traffic_step(struct traffic *t, struct flight *flight) {
    struct model_endpoint *endpoint = &t->fixture.endpoint;
    int64_t at_ns = flight_next_ns(flight);

    if (at_ns == flight->request.first_token_ns)
        meter_settle(&t->meters[MODEL_ITPM], at_ns, flight->request.input_true - flight->request.input_charge);
    if (flight->request.first_token_matters) {
        model_endpoint_first_token(endpoint, at_ns, &flight->request);
        return;
    }
    model_endpoint_complete(endpoint, at_ns, &flight->request, &flight->work);
    if (t->fixture.config.output_charge == MODEL_CHARGE_RESERVE)
        meter_settle(&t->meters[MODEL_OTPM], at_ns, tokens(flight->work.output_tokens) - flight->request.output_charge);
    *flight = t->flights[--t->count];
}

/** Let everything happen that is due up to @p until_ns. */
static void traffic_run(struct traffic *t, int64_t until_ns) {
    for (;;) {
        struct flight *next = NULL;
        for (int i = 0; i < t->count; i++)
            if (!next || flight_next_ns(&t->flights[i]) < flight_next_ns(next))
                next = &t->flights[i];
        if (!next || flight_next_ns(next) > until_ns)
            break;
        traffic_step(t, next);
    }
    t->now_ns = until_ns;
}

static struct model_admission traffic_ask(struct traffic *t, const struct model_work *work) {
    struct flight *flight = &t->flights[t->count];
    struct model_admission answer = model_endpoint_admit(&t->fixture.endpoint, t->now_ns, 0, work, &flight->request);

    if (answer.limiter != MODEL_ADMITTED) {
        t->refused++;
        return answer;
    }
    flight->work = *work;
    t->count++;
    t->admitted++;
    t->output_admitted += work->output_tokens;
    if (flight->request.input_charge > t->need_max)
        t->need_max = flight->request.input_charge;
    meter_admit(&t->meters[MODEL_RPM], t->now_ns, tokens(1));
    meter_admit(&t->meters[MODEL_ITPM], t->now_ns, flight->request.input_charge);
    if (t->fixture.config.output_charge == MODEL_CHARGE_RESERVE)
        meter_admit(&t->meters[MODEL_OTPM], t->now_ns, flight->request.output_charge);
    return answer;
}

/** Time to the next attempt: mostly at once or soon, sometimes a long silence. */
static int64_t random_gap_ns(struct traffic *t) {
    double kind = uniform(&t->random);
    if (kind < .3)
        return 0;
    return between(&t->random, 1, kind < .97 ? 2 * SECOND_NS : 100 * SECOND_NS);
}

static const enum model_output_charge charges[] = {MODEL_CHARGE_STREAM, MODEL_CHARGE_COMPLETION, MODEL_CHARGE_RESERVE};

Test(bucket, no_window_takes_more_than_burst_and_rate) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct traffic t;
        traffic_start(&t, seed, charges[seed % 3]);
        for (int i = 0; i < 3000; i++) {
            traffic_run(&t, t.now_ns + random_gap_ns(&t));
            struct model_work work = random_work(&t);
            if (t.count < IN_FLIGHT)
                traffic_ask(&t, &work);
        }
        cr_assert(t.admitted > 100 && t.refused > 100, "seed %d: the limits must bind", (int)seed);
        const struct model_bucket *buckets = t.fixture.buckets[0];
        model_units debt = t.need_max - buckets[MODEL_ITPM].capacity;
        cr_assert(t.meters[MODEL_RPM].excess <= buckets[MODEL_RPM].capacity, "seed %d", (int)seed);
        cr_assert(t.meters[MODEL_ITPM].excess <= buckets[MODEL_ITPM].capacity + (debt > 0 ? debt : 0), "seed %d",
                  (int)seed);
        if (charges[seed % 3] == MODEL_CHARGE_RESERVE)
            cr_assert(t.meters[MODEL_OTPM].excess <= buckets[MODEL_OTPM].capacity, "seed %d", (int)seed);
    }
}

/** Ask a copy of the world as it is, with nobody else in it, at @p now_ns. */
static enum model_limiter ask_alone(const struct traffic *t, int64_t now_ns, const struct model_work *work) {
    struct fixture alone = t->fixture;
    struct model_request request;

    alone.endpoint.buckets = alone.buckets;
    /* retry-after is told at the plain refill rate: output that streams meanwhile is somebody else's. */
    for (int id = 0; id < MODEL_BUCKETS; id++)
        alone.buckets[0][id].drain = 0;
    return model_endpoint_admit(&alone.endpoint, now_ns, 0, work, &request).limiter;
}

Test(bucket, retry_after_is_enough_and_a_second_less_is_not) {
    int asked[MODEL_LIMITERS] = {0};

    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct traffic t;
        traffic_start(&t, seed, charges[seed % 3]);
        for (int i = 0; i < 2000; i++) {
            traffic_run(&t, t.now_ns + random_gap_ns(&t));
            struct model_work work = random_work(&t);
            if (t.count == IN_FLIGHT)
                continue;
            struct model_admission answer = traffic_ask(&t, &work);
            if (answer.retry_after_ns < 0)
                continue;
            asked[answer.limiter]++;
            cr_assert_eq(answer.retry_after_ns % SECOND_NS, 0);
            cr_assert_eq(ask_alone(&t, t.now_ns + answer.retry_after_ns, &work), MODEL_ADMITTED, "seed %d", (int)seed);
            if (answer.retry_after_ns > SECOND_NS)
                cr_assert_neq(ask_alone(&t, t.now_ns + answer.retry_after_ns - SECOND_NS, &work), MODEL_ADMITTED,
                              "seed %d", (int)seed);
        }
    }
    for (int limiter = MODEL_BY_RPM; limiter <= MODEL_BY_OTPM; limiter++)
        cr_assert_gt(asked[limiter], 100, "limiter %d was met %d times", limiter, asked[limiter]);
}

Test(bucket, output_totals_are_exact_however_streams_overlap) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct traffic t;
        traffic_start(&t, seed, charges[seed % 3]);
        for (int i = 0; i < 1000; i++) {
            traffic_run(&t, t.now_ns + random_gap_ns(&t));
            t.fixture.classes[0][0].latency.output_tokens_per_s = model_constant(1 + 300 * uniform(&t.random));
            struct model_work work = random_work(&t);
            if (t.count < IN_FLIGHT)
                traffic_ask(&t, &work);
        }
        traffic_run(&t, t.now_ns + 3600 * SECOND_NS);
        const struct model_bucket *otpm = &t.fixture.buckets[0][MODEL_OTPM];
        cr_assert_eq(t.count, 0);
        cr_assert_eq(t.fixture.endpoint.in_service, 0);
        cr_assert_eq(otpm->drain, 0);
        cr_assert(otpm->charged == tokens(t.output_admitted), "seed %d", (int)seed);
    }
}

/** Share that a bucket of @p capacity refilled at 1 a second accepts from @p count Poisson arrivals. */
static double policed_share(uint64_t *random, double rate_per_s, int64_t capacity, int count) {
    struct fixture f;
    double at_s = 0;
    int accepted = 0;

    fixture_init(&f);
    fixture_limits(&f, 0, 60, 0, 0);
    fixture_burst(&f, 0, capacity * SECOND_NS);
    fixture_start(&f);
    for (int i = 0; i < count; i++) {
        at_s += -log(uniform(random)) / rate_per_s;
        accepted += fixture_ask(&f, (int64_t)(at_s * 1e9), 1, 0, NULL).limiter == MODEL_ADMITTED;
    }
    return (double)accepted / count;
}

Test(bucket, polices_poisson_arrivals_as_theory_says) {
    enum { REPLICATIONS = 20, ARRIVALS = 20000 };
    /* With capacity 1 the bucket is a dead time of 1 s: 1 / (1 + lambda). The others are exact from its embedded chain.
     */
    static const struct {
        double rate_per_s;
        int64_t capacity;
        double share;
    } cases[] = {{2, 1, .333333},  {2, 2, .468311},  {2, 5, .499747}, {.8, 1, .555556},
                 {.8, 2, .800430}, {.8, 5, .964710}, {1, 5, .896551}};
    uint64_t random = 17453090;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double sum = 0, squares = 0;
        for (int r = 0; r < REPLICATIONS; r++) {
            double share = policed_share(&random, cases[c].rate_per_s, cases[c].capacity, ARRIVALS);
            sum += share;
            squares += share * share;
        }
        double mean = sum / REPLICATIONS;
        double error = sqrt((squares / REPLICATIONS - mean * mean) / (REPLICATIONS - 1));
        cr_assert_lt(4 * error, .05 * cases[c].share, "the check must be able to fail");
        cr_assert_float_eq(mean, cases[c].share, 4 * error, "case %zu: %f +- %f", c, mean, error);
    }
}
