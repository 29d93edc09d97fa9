/** How far a long job is, on standard error: a bar on a terminal; elsewhere plain lines at its begin, every ten seconds
 *  and at its end. */
#ifndef SIM_CLI_PROGRESS_H
#define SIM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cli_progress {
    FILE *out;
    const char *unit; /**< what is counted, in the plural */
    bool terminal;    /**< redraw one line */
    double begun_s;   /**< monotonic */
    double shown_s;   /**< when it was last shown */
    bool patient;     /**< what is quick says nothing: first shown only when it is time for the second line */
    bool shown;       /**< was it ever? */
};

/** Begin; @p quiet shows nothing ever. */
struct cli_progress cli_progress_begin(const char *unit, bool quiet);

/** @p done of @p total are done (context: struct cli_progress). Shows it when it is time to. */
void cli_progress_show(void *context, size_t done, size_t total);

/** The same for sim_run(): replications. */
void cli_progress_replications(void *context, uint32_t done, uint32_t total);

/** Take the bar away. */
void cli_progress_end(struct cli_progress *progress);

/** "42 s", "3 min", "2.5 h". @return buffer. */
const char *cli_duration(double seconds, char buffer[32]);

#endif
