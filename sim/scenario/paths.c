#include "paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const char *sim_path_folder(struct sim_scenario_memory *memory, const char *path) {
    size_t length = (size_t)(last_part(path) - path);
    if (length == 0)
        return ".";
    return length == 1 ? "/" : sim_memory_text(memory, path, length - 1);
}

const char *sim_path_join(struct sim_scenario_memory *memory, const char *folder, const char *file) {
    if (file[0] == '/' || strcmp(folder, ".") == 0)
        return sim_memory_format(memory, "%s", file);
    return sim_memory_format(memory, "%s%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/", file);
}

/** Name of the absolute folder @p to, seen from the absolute folder @p from; "" for the same one, else ending in '/'. */
static const char *relative(struct sim_scenario_memory *memory, const char *from, const char *to) {
    size_t common = 0, i = 0;
    for (; from[i] == to[i] && from[i] != '\0'; i++)
        if (from[i] == '/')
            common = i + 1;
    if ((from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/'))
        common = i + (size_t)(from[i] == '/' || to[i] == '/');
    const char *name = "";
    if (common <= strlen(from))
        for (const char *rest = from + common; *rest != '\0';
             rest = strchr(rest, '/') != NULL ? strchr(rest, '/') + 1 : "")
            name = sim_memory_format(memory, "%s../", name);
    const char *down = common <= strlen(to) ? to + common : "";
    return *down != '\0' ? sim_memory_format(memory, "%s%s/", name, down) : name;
}

const char *sim_path_from_here(struct sim_scenario_memory *memory, const char *folder, const char *file) {
    const char *joined = sim_path_join(memory, folder, file);
    char *to = realpath(sim_path_folder(memory, joined), NULL);
    char *from = realpath(".", NULL);
    const char *name = joined;
    if (to != NULL && from != NULL)
        name = sim_memory_format(memory, "%s%s", relative(memory, from, to), last_part(joined));
    free(to);
    free(from);
    return name;
}

const char *sim_path_stem(struct sim_scenario_memory *memory, const char *path) {
    const char *name = last_part(path);
    size_t length = strlen(name);
    bool json = length > 5 && strcmp(name + length - 5, ".json") == 0;
    return sim_memory_text(memory, name, json ? length - 5 : length);
}
