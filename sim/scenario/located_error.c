#include "located_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void copy(char *into, size_t size, const char *text) {
    snprintf(into, size, "%s", text != NULL ? text : "");
}

static void set(struct sim_located_error *error, const char *file, size_t line, size_t column, const char *path,
                const char *format, va_list arguments) {
    if (error == NULL || error->message[0] != '\0')
        return;
    copy(error->file, sizeof error->file, file);
    copy(error->path, sizeof error->path, path);
    error->line = line;
    error->column = column;
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

void sim_error_set(struct sim_located_error *error, const char *file, size_t line, const char *path, const char *format,
                   ...) {
    va_list arguments;
    va_start(arguments, format);
    set(error, file, line, 0, path, format, arguments);
    va_end(arguments);
}

void sim_error_set_at(struct sim_located_error *error, const char *file, size_t line, size_t column, const char *path,
                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set(error, file, line, column, path, format, arguments);
    va_end(arguments);
}

const char *sim_error_text(const struct sim_located_error *error, char *buffer, size_t size) {
    char place[64] = "";
    if (error->line > 0 && error->column > 0)
        snprintf(place, sizeof place, ":%zu:%zu", error->line, error->column);
    else if (error->line > 0)
        snprintf(place, sizeof place, ":%zu", error->line);
    snprintf(buffer, size, "%s%s%s%s%s%s", error->file, place, error->file[0] != '\0' ? ": " : "", error->path,
             error->path[0] != '\0' ? ": " : "", error->message);
    /* What a file says must not steer the terminal that shows it, nor break the line. */
    for (char *at = buffer; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    return buffer;
}
