#include "claims_pictures.h"

#include "../memory.h"
#include "../plot/plot.h"
#include "../results/file.h"
#include "../results/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "pictures/NAME" of the page @p path, NAME.md. NULL: it is no file in a folder. */
static char *folder_beside(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char *folder;
    if (asprintf(&folder, "pictures/%.*s", (int)(dot && dot > name ? dot - name : (int)strlen(name)), name) < 0)
        sim_out_of_memory();
    return folder;
}

static bool draw(const struct sim_plot *plot, const struct sim_view *view, const char *into,
                 struct cli_claim_pictures *pictures, struct sim_located_error *error) {
    const struct sim_plot_style style = {.format = SIM_PLOT_SVG, .theme = SIM_PLOT_LIGHT};
    struct sim_picture picture;
    char *name = sim_plot_picture_name(plot, view), *path;
    if (asprintf(&path, "%s/%s.svg", into, name) < 0)
        sim_out_of_memory();
    bool good = sim_plot_draw(plot, view, &style, &picture, error) &&
                sim_file_replace_bytes(path, picture.bytes, picture.length, error);
    sim_picture_finish(&picture);
    free(path);
    if (!good) {
        free(name);
        return false;
    }
    pictures->names = sim_realloc(pictures->names, pictures->count + 1, sizeof *pictures->names);
    pictures->names[pictures->count++] = name;
    return true;
}

static bool draw_all(const struct cli_options *options, const struct sim_view *view, const char *into,
                     struct cli_claim_pictures *pictures, struct sim_located_error *error) {
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++)
        for (size_t i = 0; i < sim_plot_count(plot, view); i++) {
            const struct sim_view seen = sim_plot_view(plot, view, i);
            if (*options->stop)
                return false;
            if (sim_plot_applies(plot, &seen) && !draw(plot, &seen, into, pictures, error))
                return false;
        }
    return true;
}

bool cli_claims_draw(const struct cli_options *options, const char *folder, struct cli_claim_pictures *ret,
                     struct sim_located_error *error) {
    struct cli_claim_pictures pictures = {.folder = folder_beside(options->markdown)};
    const char *slash = strrchr(options->markdown, '/');
    int stem = slash ? (int)(slash - options->markdown) + 1 : 0;
    bool good = true;
    if (pictures.folder) {
        struct sim_view view;
        char *into;
        if (asprintf(&into, "%.*s%s", stem, options->markdown, pictures.folder) < 0)
            sim_out_of_memory();
        good = sim_view_open(&view, folder, error);
        if (good && !sim_folder_make(into)) {
            sim_error_set(error, into, 0, "", "cannot make this folder: %s", strerror(errno));
            good = false;
        }
        good = good && draw_all(options, &view, into, &pictures, error);
        sim_view_finish(&view);
        free(into);
    }
    *ret = pictures;
    return good;
}

void cli_claim_pictures_finish(struct cli_claim_pictures *pictures) {
    for (size_t i = 0; i < pictures->count; i++)
        free(pictures->names[i]);
    free(pictures->names);
    free(pictures->folder);
    *pictures = (struct cli_claim_pictures){0};
}

bool cli_claim_pictures_have(const struct cli_claim_pictures *pictures, const char *name) {
    for (size_t i = 0; i < pictures->count; i++)
        if (!strcmp(pictures->names[i], name))
            return true;
    return false;
}
