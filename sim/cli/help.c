/* --help, from the tables. */
#include "options.h"
#include "prose.h"
#include "table.h"

#include <string.h>

enum { COLUMN = 26, COLUMN_MAX = 18 };

static void print_row(const struct cli_page *page, const char *left, const char *help, int column) {
    fputs("  ", page->out);
    cli_put(page, CLI_BOLD, left);
    int at = 2 + (int)strlen(left);
    if (at + 2 > column)
        fprintf(page->out, "\n%*s", column, "");
    else
        fprintf(page->out, "%*s", column - at, "");
    cli_put_wrapped(page, CLI_PLAIN, help, column);
}

static void print_options(const struct cli_page *page, const struct cli_verb *verb) {
    fputs("\nOptions:\n", page->out);
    for (const struct cli_option *option = cli_option_table; option->name; option++) {
        if (!cli_takes(verb, option))
            continue;
        char left[80], letter[8] = "    ";
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        print_row(page, left, option->help, COLUMN);
    }
}

/* Column where the meanings of rows begin: behind the longest word that is not too long. */
static int column_of(const char *text) {
    struct cli_prose prose;
    int longest = 0;
    while (cli_prose_next(&text, &prose)) {
        int length = prose.word ? (int)strlen(prose.word) : 0;
        longest = length > longest && length <= COLUMN_MAX ? length : longest;
        cli_prose_finish(&prose);
    }
    return longest + 4;
}

static void print_prose(const struct cli_page *page, const char *text) {
    int column = column_of(text);
    struct cli_prose prose;
    bool first = true;
    for (const char *at = text; cli_prose_next(&at, &prose); cli_prose_finish(&prose)) {
        if (!first && !prose.word)
            fputs("\n", page->out);
        first = false;
        if (prose.word)
            print_row(page, prose.word, prose.text, column);
        else
            cli_put_wrapped(page, CLI_PLAIN, prose.text, 0);
    }
}

static void print_verb(const struct cli_page *page, const struct cli_verb *verb) {
    fprintf(page->out, "Usage: fairlane %s [OPTION]...%s%s\n\n", verb->name, *verb->operands ? " " : "",
            verb->operands);
    print_prose(page, verb->details);
    print_options(page, verb);
}

void cli_help(FILE *out, const struct cli_verb *verb) {
    struct cli_page page = cli_page_on(out);
    if (verb) {
        print_verb(&page, verb);
        return;
    }
    fputs("Usage: fairlane VERB [OPTION]... [ARGUMENT]...\n\n", out);
    print_prose(&page, cli_about);
    fputs("\nVerbs:\n", out);
    for (const struct cli_verb *each = cli_verbs; each->name; each++) {
        char left[80];
        snprintf(left, sizeof left, "%s%s%s", each->name, *each->operands ? " " : "", each->operands);
        print_row(&page, left, each->summary, COLUMN);
    }
    print_options(&page, NULL);
    fputs("\nExit status:\n", out);
    for (size_t i = 0; i < cli_exit_word_count; i++)
        print_row(&page, cli_exit_words[i][0], cli_exit_words[i][1], 6);
    fputs("\n", out);
    cli_put_wrapped(&page, CLI_PLAIN,
                    "\"fairlane VERB --help\" tells more about a verb. To begin: \"fairlane new\", then "
                    "\"fairlane run scenario.json\".",
                    0);
}
