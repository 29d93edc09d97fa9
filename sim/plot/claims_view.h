/** Claims as pictures and reports see them: claims.json, measure by measure, with words for its numbers. */
#ifndef SIM_CLAIMS_VIEW_H
#define SIM_CLAIMS_VIEW_H

#include "../claims/claims.h"
#include "view.h"

#include <stdbool.h>

/** Ours, and what is stated, on one side of a measure. NaN: unknown. */
struct sim_shown_side {
    bool there;
    double value, lo, hi;
    double beyond;               /**< when the value is unknown: what it exceeds */
    double stated_lo, stated_hi; /**< equal: a number; infinite: an open end; both NaN: nothing is stated */
    const cJSON *points;         /**< of a series, in order of its levels; else NULL */
};

/** Texts are never NULL. Shares and changes are in per cent: `unit` is "%" for them, and "" for a pure number. */
struct sim_shown_measure {
    const char *label, *figure, *of, *unit, *verdict_word;
    const char *relative_to;  /**< of a change: the filter of what it is relative to */
    const char *expects;      /**< "rise", "fall", "differ", "same"; "": nothing */
    const char *along, *knob; /**< of a series: the path of its knob, and its short name */
    enum sim_claim_reading reading;
    enum sim_claim_verdict verdict;
    bool decides;
    bool on_base;                   /**< its scenario is the base, but for the knob that the claim names */
    bool is_change;                 /**< signed: what it is, less what it was */
    double scale;                   /**< by which numbers of the file, but levels, were multiplied */
    struct sim_shown_side sides[2]; /**< before, after */
};

struct sim_shown_measure sim_shown_measure(const cJSON *measure);
enum sim_claim_verdict sim_shown_verdict(const cJSON *claim_or_measure);

/** Claims of a summary by verdict. */
void sim_shown_count(const cJSON *summary, size_t ret[SIM_CLAIM_VERDICTS]);

/** Is there a value, or a bound of one? */
bool sim_shown_has_value(const struct sim_shown_side *side);
bool sim_shown_is_stated(const struct sim_shown_side *side);
bool sim_shown_is_number(const struct sim_shown_side *side);

struct sim_shown_words {
    char text[120];
};

/** "9.8 s", "0.86 to 0.91", "at least 5 %"; of the side after, where no number is stated but a change is expected, "a rise"
 *  and the like; "" where nothing is stated. */
struct sim_shown_words sim_shown_stated(const struct sim_shown_measure *measure, const struct sim_shown_side *side);

/** Its interval: "[9.84, 10.1]"; "" of a series, or where there is none. */
struct sim_shown_words sim_shown_interval(const struct sim_shown_measure *measure, const struct sim_shown_side *side);

/** Ours without its interval: "9.94 s", "> 36 s"; of the best level "5, 10", "none surely worse" or "all equal"; of a capacity "0.64; 0.72
 *  fails"; "" where there is none. */
struct sim_shown_words sim_shown_ours(const struct sim_shown_measure *measure, const struct sim_shown_side *side);

/** Both: "9.94 s [9.84, 10.1]". */
struct sim_shown_words sim_shown_full(const struct sim_shown_measure *measure, const struct sim_shown_side *side);

/** The figure: "batch.latency.p99", "batch.completed of all.completed"; "" for a capacity alone. The caller frees it. */
char *sim_shown_figure(const struct sim_shown_measure *measure);

/** What is measured, in words: the figure, "change of all.completed", "quantum with the best batch.latency.p99", "largest
 *  workers that keeps every SLO". The caller frees it. */
char *sim_shown_quantity(const struct sim_shown_measure *measure);

#endif
