/** Which class a pick serves. */
#ifndef SCHED_PICKER_H
#define SCHED_PICKER_H

#include "scheduler.h"

#include <stdbool.h>

/** The answer that no class may be served. */
enum { SCHED_NO_CLASS = SCHED_CLASSES };

/** Choose among the classes of which @p ready is true (they hold a job that may be sent now).
 *
 *  1. One ready: that one. 2. Critical ready: it wins with critical_win_probability, by the draw of this pick, or by
 *  the draw of the worker's last release when linger is on. 3. Otherwise a draw over the weights of all classes, walked
 *  from the drawn class downwards, wrapping round, to the first ready class that did not lose step 2.
 *  @return a class, or SCHED_NO_CLASS when none is ready. */
int sched_pick_class(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                     const bool ready[SCHED_CLASSES]);

/** Does @p worker take nothing but critical jobs at @p now_ns? */
bool sched_lingers(const struct sched_scheduler *scheduler, const struct sched_worker *worker, int64_t now_ns);

/** A uniform in (0, 1) from a word of the random port: (k + 1/2) / 2^53 with k its upper 53 bits. */
double sched_unit(uint64_t bits);

#endif
