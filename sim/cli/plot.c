/* fairlane plot: pictures of a result folder. */
#include "nearest.h"
#include "options.h"
#include "table.h"

#include "../memory.h"
#include "../plot/plot.h"
#include "../results/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *nearest_plot(const char *name, enum sim_view_kind kind) {
    const char *names[32];
    size_t count = 0;
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++)
        if (plot->kinds == kind && count < 32)
            names[count++] = plot->name;
    return cli_nearest(name, names, count);
}

static const struct sim_plot *find_plot(const char *name, const struct sim_view *view,
                                        struct sim_located_error *error) {
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++)
        if (!strcmp(plot->name, name) && plot->kinds == view->kind)
            return plot;
    struct sim_text known = {0};
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++)
        if (plot->kinds == view->kind)
            sim_text_printf(&known, "%s%s", known.length ? ", " : "", plot->name);
    const char *nearest = nearest_plot(name, view->kind);
    char *names = sim_text_take(&known);
    if (nearest)
        sim_error_set(error, "", 0, "", "--only: no picture of such a folder is called \"%s\"; did you mean \"%s\"?",
                      name, nearest);
    else
        sim_error_set(error, "", 0, "", "--only: no picture of such a folder is called \"%s\"; there are %s", name,
                      names);
    free(names);
    return NULL;
}

/* DIR/plots/NAME.svg, with the folder made; malloc'ed. */
static char *picture_path(const struct cli_options *options, const struct sim_plot *plot,
                          struct sim_located_error *error) {
    char *folder, *path;
    if (asprintf(&folder, "%s/plots", options->files[0]) < 0)
        sim_out_of_memory();
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        sim_error_set(error, folder, 0, "", "cannot make this folder: %s", strerror(errno));
        path = NULL;
    } else if (asprintf(&path, "%s/%s%s.%s", folder, plot->name, options->theme == SIM_PLOT_DARK ? "-dark" : "",
                        sim_plot_extension(options->format)) < 0) {
        sim_out_of_memory();
    }
    free(folder);
    return path;
}

static bool draw(const struct cli_options *options, const struct sim_view *view, const struct sim_plot *plot,
                 struct sim_located_error *error) {
    struct sim_plot_style style = {.format = options->format, .theme = options->theme};
    struct sim_picture picture;
    bool good = sim_plot_draw(plot, view, &style, &picture, error);
    char *path = good ? picture_path(options, plot, error) : NULL;
    good = path && sim_file_replace_bytes(path, picture.bytes, picture.length, error);
    if (good && !options->quiet)
        printf("%s\n", path);
    free(path);
    sim_picture_finish(&picture);
    return good;
}

static enum cli_exit draw_all(const struct cli_options *options, const struct sim_view *view,
                              struct sim_located_error *error) {
    size_t drawn = 0;
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++) {
        if (*options->stop) {
            sim_error_set(error, "", 0, "", "interrupted");
            return CLI_FAILURE;
        }
        if (!sim_plot_applies(plot, view))
            continue;
        if (!draw(options, view, plot, error))
            return CLI_FAILURE;
        drawn++;
    }
    if (drawn)
        return CLI_OK;
    sim_error_set(error, options->files[0], 0, "", "holds nothing that a picture could be made of");
    return CLI_FAILURE;
}

enum cli_exit cli_plot(const struct cli_options *options, struct sim_located_error *error) {
    struct sim_view view;
    enum cli_exit code = CLI_USAGE;
    if (sim_view_open(&view, options->files[0], error)) {
        const struct sim_plot *plot = options->only ? find_plot(options->only, &view, error) : NULL;
        if (plot)
            code = draw(options, &view, plot, error) ? CLI_OK : CLI_FAILURE;
        else if (!options->only)
            code = draw_all(options, &view, error);
    }
    sim_view_finish(&view);
    return code;
}
