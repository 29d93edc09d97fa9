/** How often do the intervals of a run hold the truth, and how often are its verdicts wrong? Measured on M/M/1, whose
 *  truth is known, through the whole simulator: each macro-replication is a run of its own, with its own replication
 *  numbers, its intervals, its verdicts and its warnings.
 *
 *  usage: fairlane-coverage SCENARIO [RUNS]    RUNS: macro-replications a row, 400 unless given
 *
 *  Prints two Markdown tables. Exit 1 when a target is missed: 92 % coverage of the p99 over runs without a warning, and
 *  no warning at loads .5 and .8 with 10,000 jobs a replication. */
#include "../../sim/memory.h"
#include "../../sim/run/run.h"
#include "../../sim/stats/moments.h"
#include "../../sim/stats/warnings.h"
#include "../../sim/world.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { REPLICATIONS = 20, RUNS_USUAL = 400, RUNS_MAX = 100000 };

static const double level = .95;
static const double coverage_min = .92;

/** What a run's intervals are held against. */
enum checked { P50, P95, P99, MEAN_WAIT, CHECKED };
static const char *const checked_names[CHECKED] = {"all.latency.p50", "all.latency.p95", "all.latency.p99",
                                                   "all.wait.mean"};

/** SLOs on the p99, at these multiples of the true one. */
enum { LIMITS = 3 };
static const double limits[LIMITS] = {.9, 1, 1.1};

/** One row of the tables. */
struct load {
    double rho;
    int jobs; /**< a replication */
    bool must_not_warn;
};

static const struct load loads[] = {{.5, 10000, true}, {.8, 10000, true}, {.9, 10000, false}, {.8, 1000, false}};
enum { LOADS = sizeof loads / sizeof *loads };

/** What came of one run. */
struct found {
    bool held[CHECKED];
    bool naive_held; /**< by the order statistics of a single replication, as if its jobs were independent */
    bool warned;
    bool
        varied; /**< coefficient of variation of the replications' p99s over 15 %, the warning's limit where in no doubt */
    enum sim_verdict verdicts[LIMITS];
    double jobs, wait_s, wait_squares; /**< summed over replications: jobs, mean waits and their squares */
};

struct bench {
    const struct sim_scenario *scenario;
    struct sim_figures *figures;
    const struct sim_figure *checked[CHECKED];
    double truth[CHECKED];
    struct sim_slo slos[LIMITS];
    struct found *found;
    unsigned runs, next; /**< next: guarded by lock */
    pthread_mutex_t lock;
    bool failed;
};

static double sojourn_quantile(double rho, double p) {
    return -log(1 - p) / (1 - rho);
}

static bool holds(double lo, double hi, double truth) {
    return lo <= truth && (isnan(hi) || truth <= hi);
}

static bool naive_holds(const struct sim_outcome *outcome, double truth) {
    const struct sim_sample *sample = &outcome->samples[2 * SIM_GROUP_ALL + SIM_LATENCY];
    double half = 1.959964 * sqrt(.99 * .01 / (double)sample->count), lo, hi;

    return sim_sample_quantile(sample, .99 - half, true, &lo) &&
           sim_sample_quantile(sample, fmin(1, .99 + half), true, &hi) && holds(lo, hi, truth);
}

static bool varies(const struct sim_outcome *const *outcomes) {
    double quantiles[REPLICATIONS];

    for (int r = 0; r < REPLICATIONS; r++)
        sim_sample_quantile(&outcomes[r]->samples[2 * SIM_GROUP_ALL + SIM_LATENCY], .99, true, &quantiles[r]);
    struct sim_moments moments = sim_moments_of_mean(quantiles, REPLICATIONS);
    return moments.se * sqrt(REPLICATIONS) > .15 * moments.value;
}

static bool any_warning(const struct bench *bench, const struct sim_outcome *const *outcomes) {
    struct sim_warnings_input input = {.figures = bench->figures,
                                       .slos = bench->slos,
                                       .slo_count = LIMITS,
                                       .outcomes = outcomes,
                                       .count = REPLICATIONS,
                                       .warmup_s = (double)bench->scenario->warmup_ns / 1e9,
                                       .duration_s = (double)bench->scenario->duration_ns / 1e9};
    char **warnings;
    size_t count;

    sim_warnings_collect(&input, &warnings, &count);
    sim_warnings_free(warnings, count);
    return count > 0;
}

static void judge(const struct bench *bench, const struct sim_outcome *const *outcomes, struct found *found) {
    for (int i = 0; i < CHECKED; i++) {
        struct sim_estimate estimate = sim_estimate_figure(bench->checked[i], outcomes, REPLICATIONS, level);

        found->held[i] = holds(estimate.lo, estimate.hi, bench->truth[i]);
    }
    /* Each SLO as if it stood alone: at 95 %. */
    for (size_t i = 0; i < LIMITS; i++)
        found->verdicts[i] = sim_slo_judge(&bench->slos[i], i, 1, outcomes, REPLICATIONS).verdict;
    found->naive_held = naive_holds(outcomes[0], bench->truth[P99]);
    found->varied = varies(outcomes);
    found->warned = any_warning(bench, outcomes);
    for (int r = 0; r < REPLICATIONS; r++) {
        const struct sim_sample *waits = &outcomes[r]->samples[2 * SIM_GROUP_ALL + SIM_WAIT];
        double mean = waits->sum_s / (double)waits->count;

        found->jobs += (double)waits->count;
        found->wait_s += mean;
        found->wait_squares += mean * mean;
    }
}

/** Simulate run @p run. @return false when a replication failed. */
static bool simulate(const struct bench *bench, unsigned run, struct found *found) {
    struct sim_world_options options = {.slos = bench->slos, .slo_count = LIMITS};
    struct sim_outcome *outcomes[REPLICATIONS] = {0};
    struct sim_located_error error = {0};
    bool good = true;

    for (uint32_t r = 0; r < REPLICATIONS && good; r++) {
        outcomes[r] = sim_world_run(bench->scenario, run * REPLICATIONS + r + 1, &options, &error);
        good = outcomes[r] != NULL;
    }
    if (good)
        judge(bench, (const struct sim_outcome *const *)outcomes, found);
    else
        fprintf(stderr, "fairlane-coverage: %s\n", error.message);
    for (int r = 0; r < REPLICATIONS; r++)
        sim_outcome_destroy(outcomes[r]);
    return good;
}

static void *work(void *context) {
    struct bench *bench = context;

    for (;;) {
        pthread_mutex_lock(&bench->lock);
        unsigned run = bench->failed ? bench->runs : bench->next++;
        pthread_mutex_unlock(&bench->lock);
        if (run >= bench->runs)
            return NULL;
        if (!simulate(bench, run, &bench->found[run])) {
            pthread_mutex_lock(&bench->lock);
            bench->failed = true;
            pthread_mutex_unlock(&bench->lock);
        }
    }
}

static void work_on_all_cores(struct bench *bench) {
    enum { CORES_MAX = 64 };
    pthread_t ids[CORES_MAX];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long started = 0;

    while (started + 1 < cores && started < CORES_MAX && pthread_create(&ids[started], NULL, work, bench) == 0)
        started++;
    work(bench);
    while (started > 0)
        pthread_join(ids[--started], NULL);
}

static struct sim_scenario *read_scenario(const char *path, const struct load *load) {
    enum { WARMUP_S = 2000 };
    char rate[80], duration[40];
    const char *sets[] = {rate, duration};
    struct sim_scenario_options options = {.sets = sets, .set_count = 2};
    struct sim_located_error error = {0};

    snprintf(rate, sizeof rate, "tenants.t.streams.0.arrivals.poisson.rate_per_s=%g", load->rho);
    snprintf(duration, sizeof duration, "duration_s=%.0f", WARMUP_S + load->jobs / load->rho);
    struct sim_scenario *scenario = sim_scenario_create(path, &options, &error);
    if (scenario == NULL)
        fprintf(stderr, "fairlane-coverage: %s: %s: %s\n", path, error.path, error.message);
    return scenario;
}

static void know_the_truth(struct bench *bench, double rho) {
    bench->truth[P50] = sojourn_quantile(rho, .5);
    bench->truth[P95] = sojourn_quantile(rho, .95);
    bench->truth[P99] = sojourn_quantile(rho, .99);
    bench->truth[MEAN_WAIT] = rho / (1 - rho);
    for (int i = 0; i < CHECKED; i++)
        bench->checked[i] = sim_figures_find(bench->figures, checked_names[i]);
    for (int i = 0; i < LIMITS; i++)
        bench->slos[i] = (struct sim_slo){
            .figure = bench->checked[P99], .limit = limits[i] * bench->truth[P99], .text = "all.latency.p99 <= limit"};
}

static double percent(unsigned part, unsigned whole) {
    return whole > 0 ? 100. * part / whole : (double)NAN;
}

static void print_share(unsigned part, unsigned whole) {
    if (whole > 0)
        printf(" %.1f |", percent(part, whole));
    else
        printf(" - |");
}

static const char coverage_head[] = "95 % intervals that hold the truth, in % of the runs: of all, and for the p99 of "
                                    "those without a warning; then what\n"
                                    "CV > 15 % alone would warn of, and the p99's coverage without it; last an "
                                    "order-statistic interval on the jobs of one\n"
                                    "replication, as if they were independent.\n\n"
                                    "| load | jobs | runs | p50 | p95 | p99 | mean wait | with a warning | p99, none | "
                                    "CV > 15 % | p99, else | p99, naive |\n"
                                    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

static const char verdicts_head[] =
    "\nVerdicts on `all.latency.p99 <= L`, in % of the runs: pass / fail / inconclusive. With L at .9 of the true p99 "
    "a\n"
    "pass is wrong, at 1 and 1.1 of it a fail is. n Var: of the mean wait of n jobs, beside what theory has.\n\n"
    "| load | jobs | L = .9 | L = 1 | L = 1.1 | wrong, at most | n Var | theory |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |\n";

/** Daley's asymptotic variance of the mean wait in M/M/1 (service rate 1), per job. */
static double spread_in_theory(double rho) {
    return rho * (2 + 5 * rho - 4 * rho * rho + rho * rho * rho) / pow(1 - rho, 4);
}

/** @return whether the targets are met. */
static bool print_coverage(const struct bench *bench, const struct load *load) {
    unsigned held[CHECKED] = {0}, warned = 0, silent_held = 0, varied = 0, even_held = 0, naive = 0;

    for (unsigned i = 0; i < bench->runs; i++) {
        const struct found *found = &bench->found[i];

        for (int k = 0; k < CHECKED; k++)
            held[k] += found->held[k];
        warned += found->warned;
        silent_held += !found->warned && found->held[P99];
        varied += found->varied;
        even_held += !found->varied && found->held[P99];
        naive += found->naive_held;
    }
    printf("| %g | %d | %u |", load->rho, load->jobs, bench->runs);
    for (int k = 0; k < CHECKED; k++)
        print_share(held[k], bench->runs);
    print_share(warned, bench->runs);
    print_share(silent_held, bench->runs - warned);
    print_share(varied, bench->runs);
    print_share(even_held, bench->runs - varied);
    print_share(naive, bench->runs);
    printf("\n");
    fflush(stdout);
    bool covers = silent_held >= coverage_min * (bench->runs - warned);
    return covers && !(load->must_not_warn && warned > 0);
}

static void print_verdicts(const struct bench *bench, const struct load *load) {
    unsigned counts[LIMITS][3] = {0}, wrong = 0;
    double runs = (double)bench->runs * REPLICATIONS, jobs = 0, sum = 0, squares = 0;

    for (unsigned i = 0; i < bench->runs; i++) {
        for (int k = 0; k < LIMITS; k++)
            counts[k][bench->found[i].verdicts[k]]++;
        jobs += bench->found[i].jobs;
        sum += bench->found[i].wait_s;
        squares += bench->found[i].wait_squares;
    }
    printf("| %g | %d |", load->rho, load->jobs);
    for (int k = 0; k < LIMITS; k++) {
        unsigned bad = counts[k][limits[k] < 1 ? SIM_PASS : SIM_FAIL];

        wrong = bad > wrong ? bad : wrong;
        printf(" %.1f / %.1f / %.1f |", percent(counts[k][SIM_PASS], bench->runs),
               percent(counts[k][SIM_FAIL], bench->runs), percent(counts[k][SIM_INCONCLUSIVE], bench->runs));
    }
    print_share(wrong, bench->runs);
    printf(" %.0f | %.0f |\n", jobs / runs * (squares - sum * sum / runs) / (runs - 1), spread_in_theory(load->rho));
}

/** Fill @p bench. @return false when it cannot be done. */
static bool measure(struct bench *bench, const char *path, const struct load *load, unsigned runs) {
    struct sim_scenario *scenario = read_scenario(path, load);

    if (scenario == NULL)
        return false;
    *bench = (struct bench){.scenario = scenario,
                            .figures = sim_figures_create(&scenario->workload),
                            .found = sim_calloc(runs, sizeof *bench->found),
                            .runs = runs,
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    know_the_truth(bench, load->rho);
    work_on_all_cores(bench);
    sim_figures_destroy(bench->figures);
    sim_scenario_destroy(scenario);
    return !bench->failed;
}

int main(int argc, char **argv) {
    long runs = argc > 2 ? strtol(argv[2], NULL, 10) : RUNS_USUAL;
    struct bench benches[LOADS] = {0};
    bool good = true, met = true;

    if (argc < 2 || runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: fairlane-coverage SCENARIO [RUNS]\n");
        return 2;
    }
    fputs(coverage_head, stdout);
    for (size_t i = 0; i < LOADS && good; i++) {
        good = measure(&benches[i], argv[1], &loads[i], (unsigned)runs);
        met = good && print_coverage(&benches[i], &loads[i]) && met;
    }
    if (good)
        fputs(verdicts_head, stdout);
    for (size_t i = 0; i < LOADS; i++) {
        if (good)
            print_verdicts(&benches[i], &loads[i]);
        free(benches[i].found);
    }
    return good && met ? 0 : 1;
}
