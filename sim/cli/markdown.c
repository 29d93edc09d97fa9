#include "markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static void add_byte(struct sim_text *page, const char *at) {
    unsigned char byte = (unsigned char)*at;
    sim_text_append(page, byte < 0x20 || byte == 0x7f ? " " : at, 1);
}

void cli_markdown_text(struct sim_text *page, const char *string) {
    for (; *string; string++) {
        if (strchr("|\\`*_[]<>#&~", *string))
            sim_text_add(page, "\\");
        add_byte(page, string);
    }
}

void cli_markdown_cell(struct sim_text *page, const char *string) {
    sim_text_add(page, *string ? " " : "");
    cli_markdown_text(page, string);
    sim_text_add(page, " |");
}

void cli_markdown_paragraph(struct sim_text *page, const char *lead, const char *string) {
    sim_text_add(page, lead);
    while (isspace((unsigned char)*string))
        string++;
    /* Lists and rules begin like this. */
    if (strchr("-+=", *string) && *string)
        sim_text_add(page, "\\");
    cli_markdown_text(page, string);
    sim_text_add(page, "\n\n");
}

void cli_markdown_code(struct sim_text *page, const char *string) {
    if (strchr(string, '`')) {
        cli_markdown_text(page, string);
        return;
    }
    sim_text_add(page, "`");
    for (; *string; string++)
        add_byte(page, string);
    sim_text_add(page, "`");
}

void cli_markdown_anchor(struct sim_text *page, const char *heading) {
    for (; *heading; heading++) {
        char letter = (char)tolower((unsigned char)*heading);
        if (isalnum((unsigned char)letter) || letter == '-' || letter == '_')
            sim_text_append(page, &letter, 1);
        else if (letter == ' ')
            sim_text_add(page, "-");
    }
}

void cli_markdown_target(struct sim_text *page, const char *path) {
    for (; *path; path++) {
        unsigned char byte = (unsigned char)*path;
        bool plain = isalnum(byte) || byte >= 0x80 || strchr("-._~/", byte) != NULL;
        sim_text_printf(page, plain ? "%c" : "%%%02X", byte);
    }
}
