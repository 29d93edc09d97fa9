/* --help, from the tables. */
#include "options.h"

#include <string.h>

enum { HELP_COLUMN = 30, HELP_WIDTH = 90 };

/* Print `text` wrapped, from column `column` on; the first line continues where the cursor stands. */
static void print_wrapped(FILE *out, const char *text, int column) {
    int at = column;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", length, text);
        at += length;
        text += length;
        while (*text == ' ')
            text++;
    }
    fputc('\n', out);
}

static void print_row(FILE *out, const char *left, const char *help) {
    fprintf(out, "  %-*s", HELP_COLUMN - 2, left);
    if (strlen(left) > HELP_COLUMN - 3)
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    print_wrapped(out, help, HELP_COLUMN);
}

static void print_options(FILE *out, const struct cli_verb *verb) {
    fprintf(out, "\nOptions:\n");
    for (const struct cli_option *option = cli_option_table; option->name; option++) {
        if (!cli_takes(verb, option))
            continue;
        char left[80], letter[8] = "    ";
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        print_row(out, left, option->help);
    }
}

void cli_help(FILE *out, const struct cli_verb *verb) {
    if (verb) {
        fprintf(out, "Usage: fairlane %s [OPTION]...%s%s\n\n%s\n", verb->name, *verb->operands ? " " : "",
                verb->operands, verb->details);
        print_options(out, verb);
        return;
    }
    fprintf(out, "Usage: fairlane VERB [OPTION]... [ARGUMENT]...\n\n"
                 "Simulates a multi-tenant queue with priority classes in front of a rate-limited Claude endpoint.\n\n"
                 "Verbs:\n");
    for (const struct cli_verb *each = cli_verbs; each->name; each++) {
        char left[80];
        snprintf(left, sizeof left, "%s %s", each->name, each->operands);
        print_row(out, left, each->summary);
    }
    print_options(out, NULL);
    fprintf(out, "\n\"fairlane VERB --help\" tells more about a verb.\n\n"
                 "Exit status: 0 all is well; 99 an SLO failed; 98 none failed but some are inconclusive;\n"
                 "2 wrong usage or a file that will not do; 1 anything else went wrong.\n");
}
