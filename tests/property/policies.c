/** The policies beside DRR, each against a naive implementation written apart from `sched/`. */
#include "../support/sched_rig.h"

#include <criterion/criterion.h>
#include <math.h>

enum { TENANTS = 5, JOBS_MAX = 4000, STEPS = 3000 };

/** Jobs queued, in order of enqueue; served ones are NULL. */
struct backlog {
    const struct sched_job *jobs[JOBS_MAX];
    int end;
};

static const struct sched_job *oldest(const struct backlog *backlog, int64_t tenant) {
    for (int i = 0; i < backlog->end; i++)
        if (backlog->jobs[i] && (tenant < 0 || backlog->jobs[i]->tenant == tenant))
            return backlog->jobs[i];
    return NULL;
}

static void served(struct backlog *backlog, const struct sched_job *job) {
    for (int i = 0; i < backlog->end; i++)
        if (backlog->jobs[i] == job)
            backlog->jobs[i] = NULL;
}

/** What a policy's naive twin must do. */
struct naive {
    const struct rig *rig;
    struct backlog backlog;
    double counter[TENANTS];
    double left_counter;
    double deficit[TENANTS];
    uint32_t turn[TENANTS];
    int turns;
};

static const struct sched_job *naive_fifo(struct naive *naive) {
    return oldest(&naive->backlog, -1);
}

/** Tenants in order of turn; one joins the tail when it becomes backlogged, and again after each job. */
static const struct sched_job *naive_round_robin(struct naive *naive) {
    const struct sched_job *job;
    uint32_t tenant;

    if (naive->turns == 0)
        return NULL;
    tenant = naive->turn[0];
    job = oldest(&naive->backlog, tenant);
    for (int i = 1; i < naive->turns; i++)
        naive->turn[i - 1] = naive->turn[i];
    naive->turns--;
    served(&naive->backlog, job);
    if (oldest(&naive->backlog, tenant))
        naive->turn[naive->turns++] = tenant;
    return job;
}

static int64_t least_counter(const struct naive *naive) {
    int64_t least = -1;

    for (uint32_t i = 0; i < TENANTS; i++)
        if (oldest(&naive->backlog, i) && (least < 0 || naive->counter[i] < naive->counter[least]))
            least = i;
    return least;
}

static const struct sched_job *naive_vtc(struct naive *naive) {
    int64_t least = least_counter(naive);
    const struct sched_job *job;

    if (least < 0)
        return NULL;
    job = oldest(&naive->backlog, least);
    naive->counter[least] += (double)job->input_tokens / naive->rig->tenants[least].weight;
    served(&naive->backlog, job);
    if (!oldest(&naive->backlog, least))
        naive->left_counter = naive->counter[least];
    return job;
}

/** drr.py of the article, its loops in its order; called again until it returns something. */
static const struct sched_job *naive_article(struct naive *naive) {
    if (!oldest(&naive->backlog, -1))
        return NULL;
    for (;;)
        for (uint32_t i = 0; i < TENANTS; i++) {
            const struct sched_job *job = oldest(&naive->backlog, i);

            if (!job)
                continue;
            naive->deficit[i] += naive->rig->config.tenants.quantum;
            if (naive->deficit[i] >= 1 && (double)job->input_tokens <= naive->deficit[i]) {
                naive->deficit[i] -= (double)job->input_tokens;
                return job;
            }
        }
}

/** To the tail of the turns, unless it stands there already: only round robin takes tenants out. */
static void join_turns(struct naive *naive, uint32_t tenant) {
    for (int i = 0; i < naive->turns; i++)
        if (naive->turn[i] == tenant)
            return;
    naive->turn[naive->turns++] = tenant;
}

static void naive_push(struct naive *naive, const struct sched_job *job) {
    if (!oldest(&naive->backlog, job->tenant)) {
        int64_t least = least_counter(naive);
        double floor = least >= 0 ? naive->counter[least] : naive->left_counter;

        join_turns(naive, job->tenant);
        naive->counter[job->tenant] = fmax(naive->counter[job->tenant], floor);
    }
    naive->backlog.jobs[naive->backlog.end++] = job;
}

static void check(enum sched_policy policy, const struct sched_job *(*naive_next)(struct naive *), bool faulty,
                  uint64_t seed) {
    struct rig rig;
    static struct naive naive; /* large; every check starts it anew */

    rig_configure(&rig, TENANTS);
    rig.config.tenants.policy = policy;
    for (uint32_t i = 0; i < TENANTS; i++)
        rig.tenants[i].weight = 1 + rig_choose(&seed, 3);
    naive = (struct naive){.rig = &rig};
    if (faulty)
        rig_start_faulty(&rig);
    else
        rig_start(&rig);
    for (int n = 0; n < STEPS; n++) {
        const struct sched_job *expected, *job;

        if (rig_choose(&seed, 100) < (n / 150 % 2 ? 35 : 60)) {
            naive_push(&naive,
                       rig_enqueue(&rig, rig_choose(&seed, TENANTS), SCHED_SCHEDULED, 1 + rig_choose(&seed, 12)));
            continue;
        }
        expected = naive_next(&naive);
        job = rig_next(&rig);
        cr_assert_eq(job, expected, "step %d: job %lld, expected %lld", n, job ? (long long)job->id : -1,
                     expected ? (long long)expected->id : -1);
        served(&naive.backlog, job);
    }
    rig_finish(&rig);
}

/* Broken by: any order other than that of enqueue over all tenants. */
Test(policies, fifo) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check(SCHED_FIFO, naive_fifo, false, seed);
        check(SCHED_FIFO, naive_fifo, true, seed);
    }
}

/* Broken by: weights that matter, a tenant that keeps the turn, or one that joins elsewhere than at the tail. */
Test(policies, round_robin) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check(SCHED_ROUND_ROBIN, naive_round_robin, false, seed);
        check(SCHED_ROUND_ROBIN, naive_round_robin, true, seed);
    }
}

/* Broken by: no lift on return, ties not by tenant, or service that is not divided by weight. */
Test(policies, vtc) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check(SCHED_VTC, naive_vtc, false, seed);
        check(SCHED_VTC, naive_vtc, true, seed);
    }
}

/* Broken by: remembering where the last call stopped, using weights, or clearing deficits, none of which it does. */
Test(policies, article) {
    for (uint64_t seed = 1; seed <= 5; seed++)
        check(SCHED_ARTICLE, naive_article, false, seed);
}

/* Broken by: a return without lift, which would let the tenant that was away monopolise the queue. */
Test(policies, vtc_lift_on_return) {
    struct rig rig;

    rig_configure(&rig, 2);
    rig.config.tenants.policy = SCHED_VTC;
    rig_start(&rig);
    for (int n = 0; n < 40; n++)
        rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
    for (int n = 0; n < 20; n++)
        cr_assert_eq(rig_next(&rig)->tenant, 0);
    for (int n = 0; n < 20; n++)
        rig_enqueue(&rig, 1, SCHED_SCHEDULED, 1);
    for (int n = 0; n < 20; n++)
        cr_assert_eq(rig_next(&rig)->tenant, (uint32_t)n % 2, "they alternate from here on");
    rig_finish(&rig);
}

/* Broken by: a first newcomer after an idle time that starts below the tenant that left last. */
Test(policies, vtc_lift_after_idleness) {
    struct rig rig;
    struct sched_flow flow;

    rig_configure(&rig, 2);
    rig.config.tenants.policy = SCHED_VTC;
    rig_start(&rig);
    rig_enqueue(&rig, 0, SCHED_SCHEDULED, 7);
    cr_assert_eq(rig_next(&rig)->tenant, 0);
    rig_enqueue(&rig, 1, SCHED_SCHEDULED, 1);
    rig.store.ops->flow(rig.store.context, SCHED_STANDARD, 1, &flow);
    cr_assert_float_eq(flow.counter, 7, 1e-12);
    rig_finish(&rig);
}

/* Broken by: counters of backlogged tenants that drift apart by more than one largest job. */
Test(policies, vtc_counters_stay_together) {
    enum { COST_MAX = 12 };
    struct rig rig;
    uint64_t seed = 7;

    rig_configure(&rig, TENANTS);
    rig.config.tenants.policy = SCHED_VTC;
    rig_start(&rig);
    for (uint32_t i = 0; i < TENANTS; i++)
        for (int n = 0; n < 2; n++)
            rig_enqueue(&rig, i, SCHED_SCHEDULED, 1 + rig_choose(&seed, COST_MAX));
    for (int n = 0; n < 5000; n++) {
        double least = INFINITY, most = 0;

        rig_enqueue(&rig, rig_next(&rig)->tenant, SCHED_SCHEDULED, 1 + rig_choose(&seed, COST_MAX));
        for (uint32_t i = 0; i < TENANTS; i++) {
            struct sched_flow flow;

            rig.store.ops->flow(rig.store.context, SCHED_STANDARD, i, &flow);
            least = fmin(least, flow.counter);
            most = fmax(most, flow.counter);
        }
        cr_assert(most - least <= COST_MAX);
    }
    rig_finish(&rig);
}

/* The article's flaw in one picture: with a quantum that covers a job the first tenant is served alone. */
Test(policies, article_starves_the_second_tenant) {
    struct rig rig;

    rig_configure(&rig, 2);
    rig.config.tenants.policy = SCHED_ARTICLE;
    rig_start(&rig);
    for (int n = 0; n < 50; n++) {
        rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
        rig_enqueue(&rig, 1, SCHED_SCHEDULED, 1);
    }
    for (int n = 0; n < 50; n++)
        cr_assert_eq(rig_next(&rig)->tenant, 0);
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    rig_finish(&rig);
}

/* Broken by: deficits of their own for every class: 4 left over in critical pay for the 9 in batch. */
Test(policies, article_has_one_set_of_deficits) {
    struct rig rig;

    rig_configure(&rig, 2);
    rig.config.tenants.policy = SCHED_ARTICLE;
    rig_start(&rig);
    rig_enqueue(&rig, 1, SCHED_USER_ACTION, 1);
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    rig_enqueue(&rig, 0, SCHED_BATCH_JOB, 6);
    rig_enqueue(&rig, 1, SCHED_BATCH_JOB, 9);
    cr_assert_eq(rig_next(&rig)->tenant, 1);
    cr_assert_eq(rig_next(&rig)->tenant, 0);
    rig_finish(&rig);
}

/* Broken by: a shuffle that always puts somebody first. */
Test(policies, article_shuffled) {
    struct rig rig;
    int count[2] = {0, 0};

    rig_configure(&rig, 2);
    rig.config.tenants.policy = SCHED_ARTICLE;
    rig.config.tenants.order = SCHED_ORDER_SHUFFLED;
    rig_start(&rig);
    for (int n = 0; n < 1000; n++) {
        rig_enqueue(&rig, 0, SCHED_SCHEDULED, 1);
        rig_enqueue(&rig, 1, SCHED_SCHEDULED, 1);
    }
    for (int n = 0; n < 1000; n++)
        count[rig_next(&rig)->tenant]++;
    cr_assert(count[0] > 400 && count[1] > 400, "%d and %d", count[0], count[1]);
    rig_finish(&rig);
}
