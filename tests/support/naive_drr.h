/** Deficit Round Robin as the paper prints it (Shreedhar and Varghese 1996, figure 3), one class, one round after the
 *  other, with arrays instead of lists: slow, plain, and written apart from `sched/`, to compare it with. */
#ifndef TESTS_NAIVE_DRR_H
#define TESTS_NAIVE_DRR_H

#include "../../sched/config.h"

struct naive_drr;

/** Takes quantum and weights from @p config, which it borrows. */
struct naive_drr *naive_drr_create(const struct sched_config *config);
void naive_drr_destroy(struct naive_drr *naive);

/** Queue @p job; its cost is its input tokens. */
void naive_drr_push(struct naive_drr *naive, const struct sched_job *job);

/** The job that goes next at @p now_ns, or NULL. Jobs at a head whose patience has ended are dropped, free of charge.
 */
const struct sched_job *naive_drr_next(struct naive_drr *naive, int64_t now_ns);

double naive_drr_deficit(const struct naive_drr *naive, uint32_t tenant);

#endif
