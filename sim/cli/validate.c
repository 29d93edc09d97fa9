/* fairlane validate: check files, print their load sheets. */
#include "loaded.h"

enum cli_exit cli_validate(const struct cli_options *options, struct sim_located_error *error) {
    struct cli_loaded *loaded = cli_load_all(options, error);
    if (!loaded)
        return CLI_USAGE;
    struct cli_page page = cli_page_on(stdout);
    for (size_t i = 0; i < options->file_count && !options->quiet; i++) {
        if (i)
            putchar('\n');
        cli_print_load(&page, &loaded[i]);
    }
    cli_unload_all(loaded, options->file_count);
    return CLI_OK;
}
