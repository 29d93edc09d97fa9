/** Tuning: recommend values for the knobs of a study, with the evidence.
 *
 *  Baseline -> screening (Morris) -> exploration (Sobol) and successive halving -> selection among the finalists (KN) on
 *  fresh replications -> confirmation of the chosen one against the baseline on others yet. docs/tune.md says what each
 *  stage does and what the guarantee covers. Everything depends on the study and its scenario alone, not on threads. */
#ifndef SIM_TUNE_H
#define SIM_TUNE_H

#include "../stats/paired.h"
#include "candidate.h"
#include "halving.h"
#include "kn.h"
#include "morris.h"
#include "normality.h"
#include "phi.h"

enum {
    SIM_TUNE_POINTS = 128,        /**< explored where the study names no number */
    SIM_TUNE_TRAJECTORIES = 8,    /**< of the screening */
    SIM_TUNE_SCREENING = 4,       /**< replications of each of its points */
    SIM_TUNE_FINALISTS = 10,      /**< at most */
    SIM_TUNE_FIRST = 20,          /**< KN: observations before the first comparison */
    SIM_TUNE_OBSERVATIONS = 2000, /**< KN: most of a finalist, after which the selection is broken off */
    SIM_TUNE_CONFIRM_MIN = 20,    /**< replications of the confirmation, at least */
};

/** KN: error probability, and the difference (in phi) that is worth telling. Also: what a knob must move to matter. */
#define SIM_TUNE_ALPHA .05
#define SIM_TUNE_DELTA .05
/** Knobs that move the response less than this share of what the strongest moves are frozen. */
#define SIM_TUNE_FREEZE .1

struct sim_screening {
    size_t trajectories; /**< 0: constraints left no room for any, so nothing is frozen */
    uint32_t replications;
    struct sim_morris_effect *effects; /**< by dimension, on the goal */
    struct sim_morris_effect *rules;   /**< by dimension, on the largest excess over rules beside phi; NULL: no such */
    bool *kept;                        /**< by dimension */
};

/** One candidate in one round. */
struct sim_entry {
    size_t candidate;
    double excess;              /**< over the rules; at most 0: keeps all, by its estimates */
    size_t rule;                /**< the one with that excess: an SLO's number, or slo_count for throughput */
    struct sim_estimate figure; /**< mean of the goal over replications, 95 % */
    bool kept;                  /**< for the next round, or as a finalist */
};

struct sim_tune_round {
    struct sim_halving_round plan;
    struct sim_entry *entries; /**< best first */
    size_t count;
};

enum sim_selection_end {
    SIM_SELECTION_NONE,   /**< a single finalist: nothing to select */
    SIM_SELECTION_CHOSEN, /**< KN came to its end: the guarantee holds */
    SIM_SELECTION_BROKEN, /**< broken off: the best mean so far, no guarantee */
};

struct sim_finalist {
    size_t candidate;
    struct sim_estimate figure; /**< mean of the response, 95 %, over the observations it took part in */
    uint32_t observations;
    bool left;        /**< ruled out before the end */
    double skewness;  /**< of the response */
    double variation; /**< of exp(phi), the figure relative to its limit; of the objective in its place */
};

struct sim_selection {
    enum sim_selection_end end;
    bool by_excess; /**< no candidate keeps the rules: the response is the largest excess over the SLOs */
    bool sure;      /**< all finalists keep the rules with confidence, not only by their estimates */
    struct sim_finalist *finalists;
    size_t count;
    struct sim_kn kn; /**< with two finalists or more */
    size_t winner;    /**< candidate */
};

/** Baseline or winner on the last block. */
struct sim_confirmed {
    struct sim_estimate figure;           /**< mean of the goal, 95 % */
    struct sim_slo_result *slos;          /**< Bonferroni over SLOs and throughput */
    enum sim_verdict throughput;          /**< of the winner; the baseline passes */
    struct sim_estimate throughput_spare; /**< throughput less 99 % of the baseline's, at the level of the verdicts */
    enum sim_verdict verdict;             /**< over all rules: fail, else inconclusive, else pass */
    size_t rule;                          /**< of the largest excess */
    double excess;
};

struct sim_confirmation {
    uint32_t replications;
    struct sim_confirmed baseline, winner; /**< the same when the baseline was chosen */
    struct sim_estimate difference;        /**< winner less baseline in the goal, paired, 95 % */
    struct sim_paired *figures;            /**< the same in the figure of each SLO, one by one */
};

enum sim_tune_verdict {
    SIM_TUNE_RECOMMENDED,
    SIM_TUNE_NO_BETTER,    /**< the baseline keeps all rules, and nothing better was confirmed */
    SIM_TUNE_INCONCLUSIVE, /**< whether rules are kept could not be told */
    SIM_TUNE_NOTHING,      /**< nothing that was tried keeps the SLOs */
};

struct sim_tune {
    const struct sim_study *study;
    struct sim_figures *figures;
    struct sim_slo *slos;
    size_t slo_count;
    struct sim_goal goal;
    const char *goal_name; /**< "phi", or the objective as written */
    struct sim_bench bench;
    struct sim_screening screening;
    size_t points;                     /**< asked for in the exploration */
    struct sim_candidate **candidates; /**< 0: the baseline */
    size_t count;
    struct sim_tune_round rounds[SIM_HALVING_ROUNDS];
    size_t round_count;
    struct sim_selection selection;
    struct sim_confirmation confirmation;
    enum sim_tune_verdict verdict;
    const char *why;    /**< one sentence: what the verdict rests on */
    uint64_t simulated; /**< replications run, without those of candidates that failed */
    bool bad_study;     /**< a value of a knob makes no scenario */
};

enum sim_tune_stage { SIM_STAGE_SCREENING, SIM_STAGE_ROUND, SIM_STAGE_SELECTION, SIM_STAGE_CONFIRMATION };

struct sim_tune_options {
    uint32_t jobs;            /**< threads; 0: all cores */
    const volatile int *stop; /**< set by a signal */
    /** Replications done of those that the current step takes, under a lock; NULL: nobody looks. */
    void (*progress)(void *context, size_t done, size_t total);
    /** A stage, or round, has ended: it and all before are filled in. NULL: nobody looks. */
    void (*stage)(void *context, const struct sim_tune *tune, enum sim_tune_stage stage);
    void *context;
};

/** What is to be tuned, checked before anything runs. @p study must outlive it. @return the tuning (sim_tune_destroy), or NULL
 *  with *error: there is nothing to minimise. */
struct sim_tune *sim_tune_create(const struct sim_study *study, struct sim_located_error *error);

/** Tune. The study's warm-up is settled (sim_study_settle_warmup()). @return false with *error: a candidate whose scenario
 *  is refused (bad_study is set), a baseline that cannot be run, interrupted (empty message). */
bool sim_tune_run(struct sim_tune *tune, const struct sim_tune_options *options, struct sim_located_error *error);

/** Accepts NULL. */
void sim_tune_destroy(struct sim_tune *tune);

/** The round in which @p candidate was last seen, and its entry there. */
const struct sim_entry *sim_tune_entry(const struct sim_tune *tune, size_t candidate, size_t *ret_round);

/** Text of rule @p rule: the SLO, or what is asked of throughput. */
const char *sim_tune_rule(const struct sim_tune *tune, size_t rule);

/** The word that stands for @p verdict in files. */
const char *sim_tune_verdict_word(enum sim_tune_verdict verdict);

/** What the selection guarantees, no more and no less; malloc'ed. */
char *sim_tune_guarantee(const struct sim_tune *tune);

/** The finalists' responses beside what the guarantee presumes of them. */
struct sim_normality {
    double skewness, skewness_limit; /**< the largest for its number of observations */
    double variation;                /**< the largest coefficient of variation */
    bool plausible;                  /**< skewness within its limit, variation at most 15 % */
};
struct sim_normality sim_tune_normality(const struct sim_tune *tune);

/** The limit that most of a candidate's refusals came from, on the replications of the confirmation; the workers, where
 *  over 90 % of their time is taken and no such limit is used more. */
struct sim_binding {
    const char *words;  /**< NULL: nothing was refused, and the workers are not crowded */
    double throttles;   /**< refusals by that limit in a replication */
    double share;       /**< of all refusals */
    double utilisation; /**< of the limit, or the share of the workers' time; NAN: not known */
};
struct sim_binding sim_tune_binding(const struct sim_tune *tune, size_t candidate);

#endif
