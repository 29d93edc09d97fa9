/** Starting points of `fairlane new`, embedded at build time from templates/. */
#ifndef SIM_CLI_TEMPLATES_H
#define SIM_CLI_TEMPLATES_H

#include <stddef.h>

struct cli_template {
    const char *name; /**< of the file, with its ending: "article.json", "trace.csv" */
    const char *text; /**< NUL-terminated */
    size_t length;
};

extern const struct cli_template cli_templates[];
extern const size_t cli_template_count;

#endif
