/** The one table of figures: name, unit, which direction is better, help. `fairlane metrics`, SLOs, summary.json,
 *  comparisons, CSV headers and the docs all use it. */
#ifndef SIM_FIGURES_H
#define SIM_FIGURES_H

#include "../scenario/scenario.h"
#include "outcome.h"

enum sim_figure_kind {
    SIM_FIGURE_MEAN,        /**< mean over replications, Student t */
    SIM_FIGURE_JAIN,        /**< mean over replications, interval through ln CV^2 */
    SIM_FIGURE_RATIO,       /**< summed numerator over summed denominator, ratio estimator */
    SIM_FIGURE_MAX,         /**< largest over replications, no interval */
    SIM_FIGURE_SAMPLE_MEAN, /**< ratio of a sample's sum to its count; null once a job lies beyond */
    SIM_FIGURE_SAMPLE_MAX,  /**< exact largest; null once a job lies beyond */
    SIM_FIGURE_QUANTILE     /**< of a sample */
};

enum sim_better { SIM_LESS, SIM_MORE, SIM_NEITHER };

struct sim_figure {
    char *name;       /**< dotted, complete: "critical.latency.p99", "tenant.hog.arrived" */
    const char *unit; /**< "s", "jobs", "1", ... */
    const char *help;
    enum sim_better better;
    enum sim_figure_kind kind;
    size_t slot;   /**< scalar kinds: index into value and weight */
    size_t sample; /**< sample kinds: index into samples */
    double p;      /**< quantiles: probability */
    bool served;   /**< finite (completed) jobs only */
};

/** All figures of a scenario with these tenants, fixed order: the table's, then tenants in scenario order. */
struct sim_figures {
    struct sim_figure *rows;
    size_t count;
    size_t fixed_count;                /**< rows that are no tenant's come first */
    struct sim_figures_memory *memory; /**< names, help and the index by name */
};

struct sim_figures *sim_figures_create(const struct model_workload *workload);
/** Accepts NULL. */
void sim_figures_destroy(struct sim_figures *figures);

/** @return the figure of that name, or NULL. Takes the same time however many tenants there are. */
const struct sim_figure *sim_figures_find(const struct sim_figures *figures, const char *name);

/** The known name nearest to @p name by edit distance, for "did you mean". */
const char *sim_figures_nearest(const struct sim_figures *figures, const char *name);

/** Figure of one replication, as replications.csv has it: value and weight, numerator and denominator of ratios apart. NAN:
 *  does not exist; INFINITY: lies among jobs that never completed. */
void sim_figure_of_replication(const struct sim_figure *figure, const struct sim_outcome *outcome, double *ret_value,
                               double *ret_weight);

/** One rule on one figure: "critical.latency.p99 <= 2.0". */
struct sim_slo {
    const struct sim_figure *figure;
    bool at_least; /**< ">=", else "<=" */
    double limit;
    const char *text; /**< as written; borrowed */
};

/** Parse @p text, which *ret keeps pointing to: NAME, "<=" or ">=", a finite number. @return false with *error's
 * message set (expected, found, nearest figure). */
bool sim_slo_parse(const struct sim_figures *figures, const char *text, struct sim_slo *ret,
                   struct sim_located_error *error);

/** The SLOs of @p scenario, which its reader has checked; an array of scenario->slo_count to free(). */
struct sim_slo *sim_slos_create(const struct sim_figures *figures, const struct sim_scenario *scenario);

/** The figure that @p precision names. @return NULL with *error's message set when there is none of that name, or when
 *  it has no interval (largest values). */
const struct sim_figure *sim_precision_figure(const struct sim_figures *figures, const struct sim_precision *precision,
                                              struct sim_located_error *error);

#endif
