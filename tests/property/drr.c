/** Deficit Round Robin: the bounds of its paper and of latency-rate theory, equality with a naive implementation that
 *  walks every round, and the work of a pick. On a perfect store and on a faulty one. */
#include "../support/naive_drr.h"
#include "../support/sched_rig.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { FLOWS = 3, COST_MAX = 100 };

/** Quanta (100, 200, 300), costs up to 100: the case of the oracles. */
static void configure_oracle(struct rig *rig) {
    rig_configure(rig, FLOWS);
    rig->config.tenants.quantum = 100;
    for (uint32_t i = 0; i < FLOWS; i++)
        rig->tenants[i].weight = i + 1;
}

static double quantum_of(const struct rig *rig, uint32_t tenant) {
    return rig->config.tenants.quantum * rig->tenants[tenant].weight;
}

/** A cost in 1..COST_MAX; often the extremes, which is where bounds are tight. */
static int64_t some_cost(uint64_t *state) {
    switch (rig_choose(state, 4)) {
    case 0:
        return COST_MAX;
    case 1:
        return 1;
    default:
        return 1 + rig_choose(state, COST_MAX);
    }
}

/** What has been sent so far, and the turns it took. */
struct account {
    double sent[FLOWS];
    double turns[FLOWS];
    int64_t last; /* tenant of the last dispatch, -1 before the first */
};

static void check_turn_end(const struct rig *rig, const struct account *account, uint32_t tenant) {
    double deficit = rig_deficit(rig, SCHED_STANDARD, tenant);
    double due = account->turns[tenant] * quantum_of(rig, tenant);

    cr_assert(deficit >= 0 && deficit < COST_MAX, "tenant %u ends a turn with deficit %g", tenant, deficit);
    cr_assert(account->sent[tenant] >= due - COST_MAX && account->sent[tenant] <= due + COST_MAX,
              "tenant %u sent %g in %g turns", tenant, account->sent[tenant], account->turns[tenant]);
}

static void check_pairs(const struct rig *rig, const struct account *account) {
    for (uint32_t i = 0; i < FLOWS; i++)
        for (uint32_t j = 0; j < i; j++) {
            double q_i = quantum_of(rig, i), q_j = quantum_of(rig, j);

            cr_assert(fabs(account->sent[i] / q_i - account->sent[j] / q_j) <= 1 + COST_MAX / q_i + COST_MAX / q_j);
        }
}

/** All flows stay backlogged; every quantum covers every cost, so a turn is a run of dispatches of one tenant. */
static void check_bounds(struct rig *rig, uint64_t seed) {
    struct account account = {.last = -1};

    for (uint32_t i = 0; i < FLOWS; i++)
        for (int n = 0; n < 3; n++)
            rig_enqueue(rig, i, SCHED_SCHEDULED, some_cost(&seed));
    for (int n = 0; n < 20000; n++) {
        struct sched_job *job = rig_next(rig);

        cr_assert(job);
        if (job->tenant != account.last) {
            if (account.last >= 0) {
                check_turn_end(rig, &account, (uint32_t)account.last);
                cr_assert_eq(job->tenant, (account.last + 1) % FLOWS, "turns go round");
            }
            account.turns[job->tenant]++;
            account.last = job->tenant;
        }
        account.sent[job->tenant] += (double)job->cost;
        check_pairs(rig, &account);
        rig_enqueue(rig, job->tenant, SCHED_SCHEDULED, some_cost(&seed));
    }
    cr_assert(account.turns[0] > 100);
}

/* Broken by: granting a quantum twice a turn, forgetting a deficit, ending a turn too early. */
Test(drr, bounds_of_the_paper) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct rig rig;

        configure_oracle(&rig);
        rig_start(&rig);
        check_bounds(&rig, seed);
        rig_finish(&rig);
    }
}

/* Broken by: state written before a commit is known to have succeeded, or decisions about flows beyond the view. */
Test(drr, bounds_hold_on_a_faulty_store) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct rig rig;

        configure_oracle(&rig);
        rig_start_faulty(&rig);
        check_bounds(&rig, seed);
        cr_assert(rig.shim.commits > 20000, "the shim was in the way");
        rig_finish(&rig);
    }
}

/** Serve @p observed from an instant at which it joins flows in any state: W >= share x (S - latency) ever after. */
static void check_latency(uint32_t observed, double latency, uint64_t seed) {
    struct rig rig;
    double served = 0, total = 0, frame = 0, share;

    configure_oracle(&rig);
    rig_start(&rig);
    for (uint32_t i = 0; i < FLOWS; i++)
        frame += quantum_of(&rig, i);
    share = quantum_of(&rig, observed) / frame;
    for (uint32_t i = 0; i < FLOWS; i++)
        for (int n = 0; n < 4 && i != observed; n++)
            rig_enqueue(&rig, i, SCHED_SCHEDULED, some_cost(&seed));
    for (uint32_t n = 0, before = rig_choose(&seed, 40); n < before; n++)
        rig_enqueue(&rig, rig_next(&rig)->tenant, SCHED_SCHEDULED, some_cost(&seed));
    for (int n = 0; n < 4; n++)
        rig_enqueue(&rig, observed, SCHED_SCHEDULED, some_cost(&seed));
    for (int n = 0; n < 200; n++) {
        struct sched_job *job = rig_next(&rig);

        total += (double)job->cost;
        if (job->tenant == observed)
            served += (double)job->cost;
        cr_assert(served >= share * (total - latency) - 1e-6, "tenant %u: %g of %g", observed, served, total);
        rig_enqueue(&rig, job->tenant, SCHED_SCHEDULED, some_cost(&seed));
    }
    rig_finish(&rig);
}

/* Broken by: a newcomer that joins anywhere but the tail, or a turn that outlasts its quantum. */
Test(drr, latency_rate) {
    static const double latency[FLOWS] = {1193, 796, 597};

    for (uint32_t i = 0; i < FLOWS; i++)
        for (uint64_t seed = 1; seed <= 200; seed++)
            check_latency(i, latency[i], seed);
}

/** Random arrivals and departures: the order equals that of the naive walk through every round. Quanta are dyadic, so
 *  that sums are exact either way. */
static void check_against_naive(uint64_t seed, double quantum, int64_t cost_max, bool faulty) {
    enum { TENANTS = 6, STEPS = 4000 };
    struct rig rig;
    struct naive_drr *naive;

    rig_configure(&rig, TENANTS);
    rig.config.tenants.quantum = quantum;
    for (uint32_t i = 0; i < TENANTS; i++)
        rig.tenants[i].weight = 1 + rig_choose(&seed, 3);
    naive = naive_drr_create(&rig.config);
    if (faulty)
        rig_start_faulty(&rig);
    else
        rig_start(&rig);
    for (int n = 0; n < STEPS; n++) {
        /* Phases of growth and of draining, so that tenants come and go. */
        bool arrives = rig_choose(&seed, 100) < (n / 200 % 2 ? 35 : 60);

        rig.now_ns++;
        if (arrives) {
            struct sched_job *job =
                rig_job(&rig, rig_choose(&seed, TENANTS), SCHED_SCHEDULED, 1 + rig_choose(&seed, (uint32_t)cost_max));

            if (rig_choose(&seed, 5) == 0)
                job->patience_end_ns = rig.now_ns + 1 + rig_choose(&seed, 50);
            sched_enqueue(&rig.scheduler, job, false);
            naive_drr_push(naive, job);
        } else {
            const struct sched_job *expected = naive_drr_next(naive, rig.now_ns);
            const struct sched_job *job = rig_next(&rig);

            cr_assert_eq(job, expected, "step %d: job %lld of tenant %d, expected %lld of tenant %d", n,
                         job ? (long long)job->id : -1, job ? (int)job->tenant : -1,
                         expected ? (long long)expected->id : -1, expected ? (int)expected->tenant : -1);
        }
    }
    for (uint32_t i = 0; i < TENANTS; i++)
        cr_assert_float_eq(rig_deficit(&rig, SCHED_STANDARD, i), naive_drr_deficit(naive, i), 1e-9);
    naive_drr_destroy(naive);
    rig_finish(&rig);
}

/* Broken by: any difference between k rounds at once and one by one, in order or deficits; by a turn that goes on or
 * ends where the paper's does not; by a deficit that outlives its backlog. */
Test(drr, skipping_rounds_equals_walking_them) {
    static const double quanta[] = {0.125, 0.5, 1, 2.5, 7, 64};

    for (size_t q = 0; q < sizeof quanta / sizeof quanta[0]; q++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            check_against_naive(seed, quanta[q], 20, false);
            check_against_naive(seed, quanta[q], 1, false);
        }
}

/* Broken by: an order that depends on how far a view reaches or on commits that fail. */
Test(drr, a_faulty_store_changes_no_order) {
    static const double quanta[] = {0.125, 1, 2.5, 64};

    for (size_t q = 0; q < sizeof quanta / sizeof quanta[0]; q++)
        for (uint64_t seed = 1; seed <= 6; seed++)
            check_against_naive(seed, quanta[q], 20, true);
}

/* Broken by: a scan over tenants when the front one can send. */
Test(drr, constant_work_when_the_quantum_covers_every_cost) {
    struct rig rig;

    rig_configure(&rig, RIG_TENANTS_MAX);
    rig.config.tenants.quantum = 10;
    rig_start(&rig);
    for (uint32_t i = 0; i < RIG_TENANTS_MAX; i++)
        for (int n = 0; n < 20; n++)
            rig_enqueue(&rig, i, SCHED_SCHEDULED, 1 + n % 10);
    for (int n = 0; n < 20 * RIG_TENANTS_MAX; n++) {
        uint64_t views = rig.shim.views, commits = rig.shim.commits;

        cr_assert(rig_next(&rig));
        cr_assert(rig.shim.views - views <= 2 && rig.shim.commits - commits <= 2, "pick %d: %llu views", n,
                  (unsigned long long)(rig.shim.views - views));
    }
    rig_finish(&rig);
}

/* Broken by: walking empty rounds; a billion of them would not end within the test's time. */
Test(drr, a_billion_rounds_at_once) {
    struct rig rig;

    rig_configure(&rig, 4);
    rig.config.tenants.quantum = 1;
    rig.tenants[2].weight = 3;
    rig_start(&rig);
    for (uint32_t i = 0; i < 4; i++)
        rig_enqueue(&rig, i, SCHED_SCHEDULED, 3000000000);
    /* The tenant of weight 3 gets there first, after 1e9 rounds; the others then in order, 2e9 rounds later. */
    cr_assert_eq(rig_next(&rig)->tenant, 2);
    cr_assert_float_eq(rig_deficit(&rig, SCHED_STANDARD, 3), 1e9, 1);
    cr_assert_eq(rig_next(&rig)->tenant, 0);
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    cr_assert_eq(rig_next(&rig)->tenant, 3);
    cr_assert(rig.shim.commits < 20, "%llu commits", (unsigned long long)rig.shim.commits);
    rig_finish(&rig);
}

/* Broken by: summing tenths without slack, which makes ten quanta of 0.1 fall short of 1 by rounding. */
Test(drr, ten_tenths_are_one) {
    struct rig rig;

    rig_configure(&rig, 2);
    rig.config.tenants.quantum = 0.1;
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 2);
    for (int n = 0; n < 4; n++)
        rig_enqueue(&rig, 1, SCHED_SCHEDULED, 1);
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    cr_assert_eq(rig_next(&rig)->tenant, 0, "in round 20 tenant 0 comes first");
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    rig_finish(&rig);
}

/* Broken by: one active list or one set of deficits for all classes. */
Test(drr, classes_are_apart) {
    struct rig rig;

    rig_configure(&rig, 2);
    rig.config.tenants.quantum = 4;
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 3);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 3);
    cr_assert(rig_next(&rig));
    cr_assert_float_eq(rig_deficit(&rig, SCHED_STANDARD, 0), 1, 1e-12);
    cr_assert_float_eq(rig_deficit(&rig, SCHED_BATCH, 0), 0, 1e-12);
    cr_assert_float_eq(rig_deficit(&rig, SCHED_CRITICAL, 0), 0, 1e-12);
    cr_assert(rig_next(&rig));
    cr_assert_float_eq(rig_deficit(&rig, SCHED_STANDARD, 0), 0, 1e-12, "0 on leaving");
    rig_finish(&rig);
}
