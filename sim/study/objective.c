#include "objective.h"

#include <string.h>

bool sim_objective_parse(const struct sim_figures *figures, struct sim_scenario_memory *memory,
                         struct sim_objective *objective, struct sim_located_error *error) {
    static const char *const verbs[] = {"minimise ", "maximise "};
    const char *name = objective->text;
    int said = -1;
    for (int i = 0; i < 2; i++)
        if (strncmp(objective->text, verbs[i], strlen(verbs[i])) == 0) {
            said = i;
            name += strlen(verbs[i]);
        }
    const struct sim_figure *figure = sim_figures_find(figures, name);
    if (figure == NULL) {
        sim_error_set(error, "", 0, "", "expected the name of a figure, found \"%.100s\"; the nearest is \"%.100s\"",
                      name, sim_figures_nearest(figures, name));
        return false;
    }
    if (said < 0 && figure->better == SIM_NEITHER) {
        sim_error_set(error, "", 0, "",
                      "\"%.100s\" is good neither low nor high: expected \"minimise \" or "
                      "\"maximise \" in front",
                      name);
        return false;
    }
    objective->figure = sim_memory_format(memory, "%s", name);
    objective->more = said >= 0 ? said == 1 : figure->better == SIM_MORE;
    return true;
}
