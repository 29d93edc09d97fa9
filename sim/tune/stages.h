/** The stages of tune.h, each a step of sim_tune_run(). Each returns false with *error. */
#ifndef SIM_TUNE_STAGES_H
#define SIM_TUNE_STAGES_H

#include "tune.h"

/** Which knobs move the goal, or the rules beside it. */
bool sim_tune_screen(struct sim_tune *tune, struct sim_located_error *error);

/** Candidates: the baseline and points of the space of the knobs kept. */
bool sim_tune_explore(struct sim_tune *tune, struct sim_located_error *error);

/** One round of halving, as round->plan has it, over the candidates @p in, *count of them: the best @p keep stay in @p in,
 *  in order, and the baseline with them, even when it is not one of the best. */
bool sim_tune_halve(struct sim_tune *tune, struct sim_tune_round *round, struct sim_candidate **in, size_t *count,
                    size_t keep, struct sim_located_error *error);

/** Choose among the survivors @p in of the last round. */
bool sim_tune_select(struct sim_tune *tune, struct sim_candidate **in, size_t count, struct sim_located_error *error);

/** Winner against baseline, and the verdict. */
bool sim_tune_confirm(struct sim_tune *tune, struct sim_located_error *error);

/** Mean of the goal over replications 1 .. @p count of @p block, 95 %. */
struct sim_estimate sim_tune_mean(const struct sim_tune *tune, const struct sim_candidate *candidate,
                                  enum sim_block block, uint32_t count);

/** Run, and count what was run. Candidates that failed are marked, and no error. */
bool sim_tune_replicate(struct sim_tune *tune, struct sim_candidate *const *candidates, size_t count,
                        enum sim_block block, uint32_t replications, struct sim_located_error *error);

/** The same where every candidate is needed: one that fails is an error. */
bool sim_tune_require(struct sim_tune *tune, struct sim_candidate *const *candidates, size_t count,
                      enum sim_block block, uint32_t replications, struct sim_located_error *error);

#endif
