/* fairlane report: one HTML page of a folder of results. */
#include "options.h"

#include "../memory.h"
#include "../report/report.h"
#include "../results/file.h"

#include <stdlib.h>

enum cli_exit cli_report(const struct cli_options *options, struct sim_located_error *error) {
    struct sim_view view;
    enum cli_exit code = CLI_USAGE;
    if (sim_view_open(&view, options->files[0], error)) {
        struct sim_located_error missing = {0};
        char *page = sim_report_html(&view, &missing), *path;
        if (options->out ? asprintf(&path, "%s", options->out) < 0
                         : asprintf(&path, "%s/report.html", options->files[0]) < 0)
            sim_out_of_memory();
        code = sim_file_replace(path, page, error) ? CLI_OK : CLI_FAILURE;
        if (code == CLI_OK && *missing.message)
            fprintf(stderr, "fairlane: the report has no pictures: %s\n", missing.message);
        if (code == CLI_OK && !options->quiet)
            printf("%s\n", path);
        free(path);
        free(page);
    }
    sim_view_finish(&view);
    return code;
}
