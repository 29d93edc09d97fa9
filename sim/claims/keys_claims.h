/** Rows of a claims file, and the structs that they fill. */
#ifndef SIM_KEYS_CLAIMS_H
#define SIM_KEYS_CLAIMS_H

#include "../scenario/draft.h"
#include "../scenario/keys.h"

/** What is said of one side of a measure, and where in the study it is looked for. */
struct sim_claim_side_draft {
    char *where;              /**< NULL: every configuration */
    struct sim_list article;  /**< double: one number, or two ends of a range */
    double at_least, at_most; /**< NAN: not given */
};

struct sim_claim_measure_draft {
    char *label;
    char *study; /**< NULL: the claim's */
    char *where; /**< NULL: no more than its sides ask for */
    char *figure;
    char *of;
    char *along;
    char *relative_to;
    int reading;
    int expects;
    bool has_before;
    bool on_base;
    struct sim_claim_side_draft before, after;
};

struct sim_claim_draft {
    char *id;
    char *says;
    char *because;
    char *study;
    struct sim_list measures, tried; /**< struct sim_claim_measure_draft */
};

struct sim_claims_draft {
    char *name;
    char *title;
    char *about;
    char *source;
    char *base;
    struct sim_list claims; /**< struct sim_claim_draft */
};

/** The whole file: an OBJECT row without a name, for struct sim_claims_draft. */
extern const struct sim_key sim_claims_key;

#endif
