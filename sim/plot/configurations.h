/** The configurations of a study as its pictures see them: study.csv, knob by knob. */
#ifndef SIM_CONFIGURATIONS_VIEW_H
#define SIM_CONFIGURATIONS_VIEW_H

#include "view.h"

enum { SIM_KNOBS_MAX = 40 };

/** What is varied by itself: a knob, or knobs that always move together. */
struct sim_knob {
    char *name;    /**< "quantum"; "standard, batch" */
    char **levels; /**< texts of the different values, in order */
    size_t level_count;
    size_t *level; /**< by configuration */
    double *value; /**< by level; NULL when they are not numbers */
};

struct sim_knobs {
    struct sim_knob knobs[SIM_KNOBS_MAX];
    size_t count;
    size_t rows;   /**< configurations */
    int *feasible; /**< by configuration: 1 no SLO failed or is in doubt, 0 one is in doubt, -1 one failed */
    size_t best;   /**< row of the first objective's best; else the first row */
    bool best_known;
    const char *metric; /**< figure of the first objective, else a p99 that exists */
    size_t metric_column;
};

/** @return false when there is nothing to show; *ret is to be finished in any case. */
bool sim_knobs_read(struct sim_knobs *ret, const struct sim_view *view);
void sim_knobs_finish(struct sim_knobs *knobs);

/** Do rows @p a and @p b differ in no knob but @p one and @p other (equal ones allowed)? */
bool sim_knobs_slice(const struct sim_knobs *knobs, size_t a, size_t b, size_t one, size_t other);

/** The figure that speaks of fairness: a Jain's index among the objectives, else of the table; NULL for none. */
const char *sim_knobs_fairness(const struct sim_view *view);

/** A latency among the objectives, else the p99 of the highest class that has one; NULL for none. */
const char *sim_knobs_latency(const struct sim_view *view);

/** "s" for a time, else "". */
const char *sim_figure_unit(const char *figure);

#endif
