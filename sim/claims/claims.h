/** Claims: numbers that somebody states, held against what studies measure.
 *
 *  A claims file is JSON, version 1, read as strictly as a scenario; scenarios/article/README.md lists its keys. Each claim
 *  names an ordinary study and reads measures off some of its configurations: before, after, or both. */
#ifndef SIM_CLAIMS_H
#define SIM_CLAIMS_H

#include "../stats/paired.h"
#include "../study/export.h"
#include "../study/study.h"

enum sim_claim_reading {
    SIM_READ_FIGURE,
    SIM_READ_CAPACITY, /**< largest level of a knob up to which all SLOs pass */
    SIM_READ_BEST      /**< level of a knob with the best figure */
};

enum sim_claim_expects {
    SIM_EXPECTS_NOTHING,
    SIM_EXPECTS_RISE,
    SIM_EXPECTS_FALL,
    SIM_EXPECTS_DIFFER,
    SIM_EXPECTS_SAME
};

/** In order of how bad they are. */
enum sim_claim_verdict {
    SIM_CLAIM_UNSTATED,
    SIM_CLAIM_REPRODUCED,
    SIM_CLAIM_DIRECTION,
    SIM_CLAIM_NOT,
    SIM_CLAIM_VERDICTS
};

/** How far ours may lie from a stated number, as a share of it; and what change is too small to be spoken of. */
#define SIM_CLAIM_TOLERANCE .15

/** A study that claims use, its configurations, and its results. */
struct sim_claim_study {
    const char *path;
    struct sim_study *study;
    struct sim_configurations configurations;
    struct sim_figures *figures;  /**< of the scenario with no knob turned */
    struct sim_store *store;      /**< once opened */
    struct sim_study_table table; /**< once run */
};

/** One level of a series. */
struct sim_claim_point {
    double level;
    struct sim_estimate ours; /**< of the figure; null where the reading has none */
    enum sim_verdict verdict; /**< capacity: the worst of all SLOs */
    bool kept;                /**< best: not surely worse than the best level; capacity: all SLOs pass so far */
};

struct sim_claim_side {
    bool there;
    double article_lo,
        article_hi; /**< what is stated: equal for a number, -INFINITY or INFINITY for an open end; NAN: nothing */
    size_t *configurations; /**< numbers of those that `where` selects: one, or a series in order of its levels */
    size_t count;
    struct sim_claim_point *points; /**< of a series: `count` of them, once read */
    struct sim_estimate ours;       /**< once read */
};

struct sim_claim_measure {
    const char *label;
    struct sim_claim_study *study;
    enum sim_claim_reading reading;
    enum sim_claim_expects expects;
    const char *text, *of_text;      /**< as written; NULL: none */
    const struct sim_figure *figure; /**< NULL: a sum of counts, or none */
    struct sim_expression *sum, *of; /**< of counts; NULL: none. Names are numbers of rows of the figures */
    const char *reference_text;      /**< as written; NULL: none */
    size_t reference;                /**< configuration that it is relative to; SIZE_MAX: none */
    const struct sim_axis *along;    /**< NULL: no series */
    struct sim_claim_side before, after;
    struct sim_estimate change; /**< after less before, once read; null without both */
    enum sim_claim_verdict verdict;
    bool on_base;     /**< its scenario is the base, but for the knob that the claim names */
    const char *unit; /**< "share" and "change" for those; else the figure's, or the knob's */
};

struct sim_claim {
    size_t number; /**< in the file, from 1 */
    const char *id;
    const char *says;
    const char *because;
    struct sim_claim_study *study;
    struct sim_claim_measure *measures; /**< those that decide, then what else was tried */
    size_t deciding, count;
    enum sim_claim_verdict verdict;
    bool has_base;                       /**< some of its measures are on the base */
    enum sim_claim_verdict base_verdict; /**< the worst of those */
};

/** A key in which the scenario behind a measure departs from the base, by its path: values in the base and on both sides,
 *  JSON text; NULL: absent, and there is no default. */
struct sim_departure {
    size_t
        measure; /**< of the claim, from 0: those that decide are looked at, and what an earlier one shares is left out */
    const char *path, *base, *before, *after;
};

struct sim_claims {
    const char *name;
    const char *title;
    const char *about;     /**< NULL: none */
    const char *source;    /**< NULL: none */
    const char *file;      /**< as it was opened */
    const char *base_path; /**< NULL: none */
    struct sim_scenario *base;
    struct sim_claim *claims;
    size_t count;
    struct sim_claim_study *studies; /**< each once, in order of appearance */
    size_t study_count;
    struct sim_scenario_memory *memory;
};

/** Read and check @p path with all its studies. @p given (NULL: none) changes their scenarios. @p only: the id of the one
 *  claim that is wanted (NULL: all), others are left out. @return NULL with *error. */
struct sim_claims *sim_claims_create(const char *path, const struct sim_scenario_options *given, const char *only,
                                     struct sim_located_error *error);
/** Accepts NULL. */
void sim_claims_destroy(struct sim_claims *claims);

/** Level of a configuration of a series: the value of the knob that @p measure runs along; NAN: no number. */
double sim_claim_level(const struct sim_claim_measure *measure, size_t configuration);

struct sim_claims_options {
    const char *folder;       /**< each study gets a folder of its own in it, as `sweep --out` would make */
    uint32_t jobs;            /**< threads; 0: all cores */
    const volatile int *stop; /**< running units end and are kept */
    /** Called under a lock as units of all studies finish, and before the first one with 0. */
    void (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
};

/** Run what is missing of every study, write its exports, read every measure and judge it; once for each claims. What was run is kept in the studies'
 *  databases whatever happens. @return false with *error, whose message is empty when it was stopped. */
bool sim_claims_run(struct sim_claims *claims, const struct sim_claims_options *options,
                    struct sim_located_error *error);

/** Read one measure off its study's results (reading.c): ours of both sides and the change. @return false with *error. */
bool sim_claim_read(struct sim_claim_measure *measure, struct sim_located_error *error);

/** Judge what was read (verdict.c): pure. docs/claims.md has the rules. */
enum sim_claim_verdict sim_claim_judge(const struct sim_claim_measure *measure);

/** Which way goes what is stated from before to after: 1 up, -1 down, 0 where the two may be the same. */
int sim_claim_stated_direction(const struct sim_claim_measure *measure);

/** "reproduced", "direction only", "not reproduced", "no number". */
const char *sim_claim_verdict_word(enum sim_claim_verdict verdict);

/** What the verdicts mean, in a paragraph of plain text. */
extern const char sim_claim_legend[];

/** In which keys do the scenarios behind the measures that decide @p claim, their knobs turned, depart from the base, and
 *  from each other? Not listed are keys that say who a scenario is (name, about, seed, SLOs, replications), and the knob
 *  along which a series runs. *ret from @p memory. @return how many; 0 without a base. */
size_t sim_claim_departures(const struct sim_claims *claims, const struct sim_claim *claim,
                            struct sim_scenario_memory *memory, struct sim_departure **ret);

/** claims.json and claims.csv; the caller frees them. */
char *sim_claims_json(const struct sim_claims *claims);
char *sim_claims_csv(const struct sim_claims *claims);

#endif
