/** A store as a distant one behaves: a view reaches only two flows, and every third commit finds that somebody else was
 *  faster. It also counts calls, so that a test can bound the work of a pick. */
#ifndef TESTS_FAULTY_STORE_H
#define TESTS_FAULTY_STORE_H

#include "../../sched/ports.h"

enum { FAULTY_VIEW_FLOWS = 2 };

struct faulty_store {
    struct sched_store inner;
    uint64_t flows_max;   /**< flows that a view shows; 0: all */
    uint64_t fail_period; /**< every so many-th commit is refused; 0: none */
    uint64_t views;
    uint64_t commits; /**< refused ones included */
    struct sched_flow shown[SCHED_CLASSES][FAULTY_VIEW_FLOWS];
};

/** Wrap @p inner; @p faulty: with the faults above, otherwise it only counts. Borrows both. */
struct sched_store faulty_store_init(struct faulty_store *store, struct sched_store inner, bool faulty);

#endif
