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

/* What a picture is, and what it is made from. */
struct picture {
    const struct sim_plot *plot;
    struct sim_view view;
    char *name;
};

/* All that such a folder may have, whether or not there is anything to show; *ret_count of them. */
static struct picture *list_pictures(const struct sim_view *view, size_t *ret_count) {
    struct picture *pictures = NULL;
    size_t count = 0;
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++) {
        size_t more = sim_plot_count(plot, view);
        pictures = sim_realloc(pictures, count + more + 1, sizeof *pictures);
        for (size_t i = 0; i < more; i++) {
            struct picture *picture = &pictures[count++];
            *picture = (struct picture){.plot = plot, .view = sim_plot_view(plot, view, i)};
            picture->name = sim_plot_picture_name(plot, &picture->view);
        }
    }
    *ret_count = count;
    return pictures;
}

static void forget_pictures(struct picture *pictures, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(pictures[i].name);
    free(pictures);
}

static void refuse_name(const char *name, const struct picture *pictures, size_t count,
                        struct sim_located_error *error) {
    struct sim_text known = {0};
    const char **names = sim_calloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = pictures[i].name;
        sim_text_printf(&known, "%s%s", i ? ", " : "", names[i]);
    }
    const char *nearest = cli_nearest(name, names, count);
    char *all = sim_text_take(&known);
    if (nearest)
        sim_error_set(error, "", 0, "", "--only: no picture of such a folder is called \"%s\"; did you mean \"%s\"?",
                      name, nearest);
    else
        sim_error_set(error, "", 0, "", "--only: no picture of such a folder is called \"%s\"; there are %s", name,
                      all);
    free(all);
    free(names);
}

/* DIR/plots/NAME.svg, with the folder made; malloc'ed. */
static char *picture_path(const struct cli_options *options, const struct picture *picture,
                          struct sim_located_error *error) {
    char *folder, *path;
    if (asprintf(&folder, "%s/plots", options->files[0]) < 0)
        sim_out_of_memory();
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        sim_error_set(error, folder, 0, "", "cannot make this folder: %s", strerror(errno));
        path = NULL;
    } else if (asprintf(&path, "%s/%s%s.%s", folder, picture->name, options->theme == SIM_PLOT_DARK ? "-dark" : "",
                        sim_plot_extension(options->format)) < 0) {
        sim_out_of_memory();
    }
    free(folder);
    return path;
}

static bool draw(const struct cli_options *options, const struct picture *picture, struct sim_located_error *error) {
    struct sim_plot_style style = {.format = options->format, .theme = options->theme};
    struct sim_picture drawn;
    bool good = sim_plot_draw(picture->plot, &picture->view, &style, &drawn, error);
    char *path = good ? picture_path(options, picture, error) : NULL;
    good = path && sim_file_replace_bytes(path, drawn.bytes, drawn.length, error);
    if (good && !options->quiet)
        printf("%s\n", path);
    free(path);
    sim_picture_finish(&drawn);
    return good;
}

static enum cli_exit draw_one(const struct cli_options *options, const struct picture *pictures, size_t count,
                              struct sim_located_error *error) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(pictures[i].name, options->only))
            return draw(options, &pictures[i], error) ? CLI_OK : CLI_FAILURE;
    refuse_name(options->only, pictures, count, error);
    return CLI_USAGE;
}

static enum cli_exit draw_all(const struct cli_options *options, const struct picture *pictures, size_t count,
                              struct sim_located_error *error) {
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++) {
        if (*options->stop) {
            sim_error_set(error, "", 0, "", "interrupted");
            return CLI_FAILURE;
        }
        if (!sim_plot_applies(pictures[i].plot, &pictures[i].view))
            continue;
        if (!draw(options, &pictures[i], error))
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
        size_t count;
        struct picture *pictures = list_pictures(&view, &count);
        code = (options->only ? draw_one : draw_all)(options, pictures, count, error);
        forget_pictures(pictures, count);
    }
    sim_view_finish(&view);
    return code;
}
