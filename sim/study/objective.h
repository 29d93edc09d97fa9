/** What a study is to make as good as possible. */
#ifndef SIM_OBJECTIVE_H
#define SIM_OBJECTIVE_H

#include "../measure/figures.h"
#include "study.h"

/** Fill figure and direction from `text`: a figure's name, which says itself what is better, or one behind "minimise " or
 *  "maximise ". @return false with *error's message. */
bool sim_objective_parse(const struct sim_figures *figures, struct sim_scenario_memory *memory,
                         struct sim_objective *objective, struct sim_located_error *error);

#endif
