/** Two records side by side: which figures, their paired differences, and the rules that a build may fail on. */
#ifndef SIM_COMPARISON_H
#define SIM_COMPARISON_H

#include "record.h"
#include "results.h"

/** What a difference means, in one word. */
enum sim_change {
    SIM_CHANGE_NONE,    /**< equal in every replication */
    SIM_CHANGE_UNCLEAR, /**< the interval holds 0 */
    SIM_CHANGE_HINT,    /**< the interval excludes 0, but the adjusted p is over .05: one of many may by chance */
    SIM_CHANGE_SURE,    /**< the adjusted p is at most .05 */
    SIM_CHANGE_LOST,    /**< one side is null, and loses */
    SIM_CHANGE_UNKNOWN  /**< both are null, or there is no interval */
};

struct sim_comparison_row {
    const struct sim_figure *figure; /**< of side A */
    struct sim_paired paired;
    double p_holm; /**< over the rows */
    enum sim_change change;
    bool
        worse; /**< with HINT, SURE and LOST: B is worse; meaningless for figures of which neither direction is better */
};

/** One rule: "critical.latency.p99 > +2%". */
struct sim_fail_on {
    const char *text; /**< as written; borrowed */
    char *name;
    bool rise;        /**< '>': a rise past the threshold fails, else a fall */
    bool relative;    /**< the threshold is a share of A's value */
    double threshold; /**< >= 0 */
    size_t row;       /**< whose figure it is on */
    enum sim_verdict verdict;
    const char *why; /**< static words when a null decided, else NULL */
};

struct sim_comparison {
    const struct sim_record *a, *b; /**< borrowed */
    struct sim_comparison_row *rows;
    size_t row_count;
    struct sim_fail_on *rules;
    size_t rule_count;
};

/** Which figures: the ones that SLOs and rules name, and, of `names`, those that match. */
struct sim_comparison_options {
    const char *names; /**< figures or patterns ("critical.*"), separated by commas; NULL: a short choice */
    bool all;          /**< every figure that both sides have; `names` must be NULL */
    const char *const *rules;
    size_t rule_count;
};

/** Compare @p a with @p b, which pair. @return the comparison, or NULL with *error's message set: an unknown figure or a
 *  rule that does not read. */
struct sim_comparison *sim_comparison_create(const struct sim_record *a, const struct sim_record *b,
                                             const struct sim_comparison_options *options,
                                             struct sim_located_error *error);
/** Would @p options fit, whatever the numbers are: are the figures there that they name, do the rules read?
 *  @return false with *error's message set. */
bool sim_comparison_check(const struct sim_record *a, const struct sim_record *b,
                          const struct sim_comparison_options *options, struct sim_located_error *error);

/** Accepts NULL. */
void sim_comparison_destroy(struct sim_comparison *comparison);

/** The threshold of @p rule in the figure's unit. */
double sim_comparison_threshold(const struct sim_comparison *comparison, const struct sim_fail_on *rule);

/** "better", "worse", "higher", "lower", ... for figures of which neither direction is better; "" without a change. */
const char *sim_comparison_word(const struct sim_comparison_row *row);

/** Texts of the files; each is malloc'ed, the caller frees it. */
char *sim_comparison_json(const struct sim_comparison *comparison);
char *sim_comparison_csv(const struct sim_comparison *comparison);

/** compare.json, compare.csv and a manifest.json that says what was compared. @return false with *error. */
bool sim_comparison_write(struct sim_folder *folder, const struct sim_comparison *comparison,
                          struct sim_located_error *error);

#endif
