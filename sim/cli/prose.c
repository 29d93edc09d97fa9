#include "prose.h"

#include "../results/text.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_INDENT = 2 };

static size_t indent_of(const char *line) {
    return strspn(line, " ");
}

/* Add the line at *at to @p text, as words behind those that are there; *at moves to the next line. */
static void take_line(const char **at, size_t from, struct sim_text *text) {
    size_t length = strcspn(*at, "\n");
    if (text->length)
        sim_text_add(text, " ");
    sim_text_append(text, *at + from, length - from);
    *at += length + ((*at)[length] == '\n');
}

/* Where the meaning of the row "  WORD  meaning" begins; 0: it is no such row. */
static size_t meaning_of(const char *line) {
    size_t length = strcspn(line, "\n");
    for (size_t i = indent_of(line); i + 2 < length; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            return i + strspn(line + i, " ");
    return 0;
}

bool cli_prose_next(const char **at, struct cli_prose *ret) {
    struct sim_text text = {0};
    *ret = (struct cli_prose){0};
    while (**at == '\n')
        ++*at;
    if (!**at)
        return false;
    size_t indent = indent_of(*at), meaning = indent ? meaning_of(*at) : 0;
    if (meaning) {
        size_t end = meaning;
        while ((*at)[end - 1] == ' ')
            end--;
        struct sim_text word = {0};
        sim_text_append(&word, *at + indent, end - indent);
        ret->word = sim_text_take(&word);
    }
    take_line(at, meaning ? meaning : indent, &text);
    while (**at && **at != '\n' && (meaning ? indent_of(*at) > ROW_INDENT : indent_of(*at) == 0))
        take_line(at, indent_of(*at), &text);
    ret->text = sim_text_take(&text);
    return true;
}

void cli_prose_finish(struct cli_prose *prose) {
    free(prose->word);
    free(prose->text);
    *prose = (struct cli_prose){0};
}
