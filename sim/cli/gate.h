/** Verdicts for continuous integration: exit status, JUnit XML, a Markdown table, annotations. */
#ifndef SIM_CLI_GATE_H
#define SIM_CLI_GATE_H

#include "../stats/estimate.h"
#include "options.h"

/** One SLO of one configuration (or of a run). Texts are owned. */
struct cli_case {
    char *suite;         /**< scenario or study */
    char *configuration; /**< "" in a run */
    char *rule;          /**< the SLO as written */
    char *detail;        /**< what the verdict rests on */
    char *file;          /**< where the rule stands */
    enum sim_verdict verdict;
};

/** All zero is one without cases. */
struct cli_gate {
    struct cli_case *cases;
    size_t count, room;
};

void cli_gate_add(struct cli_gate *gate, const char *suite, const char *configuration, const char *file,
                  const struct sim_slo *slo, const struct sim_slo_result *verdict);

/** The same for a rule that is no SLO. */
void cli_gate_add_rule(struct cli_gate *gate, const char *suite, const char *configuration, const char *file,
                       const char *rule, enum sim_verdict verdict, const char *detail);

/** Write what --junit, --markdown and --annotations ask for. @return false with *error. */
bool cli_gate_write(const struct cli_gate *gate, const struct cli_options *options, struct sim_located_error *error);

/** The worst verdict as an exit status. */
enum cli_exit cli_gate_exit(const struct cli_gate *gate);

void cli_gate_finish(struct cli_gate *gate);

#endif
