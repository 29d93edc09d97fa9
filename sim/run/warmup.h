/** `"warmup_s": "auto"`: where the transient of a scenario ends, found on pilot replications. */
#ifndef SIM_WARMUP_H
#define SIM_WARMUP_H

#include "run.h"

/** Pilot replications: enough to average the noise out, whatever the run's own number of replications is. */
enum { SIM_PILOTS = 20 };

/** Find the warm-up of @p scenario, whatever its own says: SIM_PILOTS replications with warm-up 0, the state of the
 *  system and the sojourn of its jobs averaged over them step by step, MSER-5 on both series, and the later of the two
 *  ends of the transient for all classes alike. Sojourns are by arrival, of all jobs, however they ended.
 *
 *  The pilots are the last replication numbers of the seed (MODEL_REPLICATIONS_MAX and below), which nothing else uses:
 *  what is measured later does not depend on the choice, and the choice depends neither on `replications` nor on threads.
 *
 *  Comparisons and studies call this once, on the baseline, and set `warmup_ns` of every configuration to what it
 *  found (and `warmup_auto` to false), since pairs must cover the same jobs.
 *  @return false with *error: the run is too short to tell (a transient that ends in its second half is none), or it
 *  failed. *ret (sim_warmup_finish) is written on success only. */
bool sim_warmup_choose(const struct sim_scenario *scenario, const struct sim_run_options *options,
                       struct sim_warmup *ret, struct sim_located_error *error);

/** All zero is a warm-up that nobody chose. */
void sim_warmup_finish(struct sim_warmup *warmup);

#endif
