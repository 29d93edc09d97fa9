/* man(7) source from the tables. */
#include "manual.h"
#include "prose.h"

#include "../results/text.h"

#include <ctype.h>
#include <string.h>

/* Text that stands for itself: no control lines, no escapes, hyphens that can be copied. */
static void add_plain(struct sim_text *text, const char *plain, size_t length) {
    bool start = text->length == 0 || text->bytes[text->length - 1] == '\n';
    for (size_t i = 0; i < length; i++) {
        if (start && (plain[i] == '.' || plain[i] == '\''))
            sim_text_add(text, "\\&");
        if (plain[i] == '\\')
            sim_text_add(text, "\\e");
        else if (plain[i] == '-')
            sim_text_add(text, "\\-");
        else if (plain[i] == '\'')
            sim_text_add(text, "\\(aq");
        else
            sim_text_append(text, &plain[i], 1);
        start = plain[i] == '\n';
    }
}

static void add_words(struct sim_text *text, const char *plain) {
    add_plain(text, plain, strlen(plain));
}

static void add_heading(struct sim_text *text, const char *heading) {
    sim_text_printf(text, ".SH %s\n", heading);
}

/* A word and what it means. */
static void add_row(struct sim_text *text, const char *word, const char *meaning) {
    sim_text_add(text, ".TP\n\\fB");
    add_words(text, word);
    sim_text_add(text, "\\fR\n");
    add_words(text, meaning);
    sim_text_add(text, "\n");
}

static void add_prose(struct sim_text *text, const char *plain) {
    struct cli_prose prose;
    bool first = true;
    for (; cli_prose_next(&plain, &prose); cli_prose_finish(&prose)) {
        if (prose.word) {
            add_row(text, prose.word, prose.text);
            continue;
        }
        sim_text_add(text, first ? "" : ".PP\n");
        add_words(text, prose.text);
        sim_text_add(text, "\n");
        first = false;
    }
}

static void add_title(struct sim_text *text, const struct cli_verb *verb) {
    sim_text_add(text, ".TH FAIRLANE");
    for (const char *at = verb ? verb->name : ""; *at; at++)
        sim_text_printf(text, "%s%c", at == verb->name ? "\\-" : "", toupper((unsigned char)*at));
    sim_text_printf(text, " 1 \"\" \"fairlane %s\" \"Fairlane manual\"\n", FAIRLANE_VERSION);
    /* Words of the command line are not to be hyphenated, nor lines stretched. */
    sim_text_add(text, ".nh\n.ad l\n");
}

static void add_options(struct sim_text *text, const struct cli_verb *verb) {
    add_heading(text, "OPTIONS");
    for (const struct cli_option *option = cli_option_table; option->name; option++) {
        if (!cli_takes(verb, option))
            continue;
        sim_text_add(text, ".TP\n");
        if (option->letter)
            sim_text_printf(text, "\\fB\\-%c\\fR, ", option->letter);
        sim_text_add(text, "\\fB\\-\\-");
        add_words(text, option->name);
        sim_text_add(text, "\\fR");
        if (option->argument) {
            sim_text_add(text, cli_option_kind(option) == CLI_KIND_WORDS ? " \\fB" : " \\fI");
            add_words(text, option->argument);
            sim_text_add(text, "\\fR");
        }
        sim_text_add(text, "\n");
        add_words(text, option->help);
        sim_text_add(text, "\n");
    }
}

static void add_synopsis(struct sim_text *text, const struct cli_verb *verb) {
    add_heading(text, "SYNOPSIS");
    sim_text_printf(text, ".B fairlane %s\n[\\fIoption\\fR]...", verb->name);
    if (*verb->operands) {
        sim_text_add(text, " \\fI");
        add_words(text, verb->operands);
        sim_text_add(text, "\\fR");
    }
    sim_text_add(text, "\n");
}

static char *verb_page(const struct cli_verb *verb) {
    struct sim_text text = {0};
    add_title(&text, verb);
    add_heading(&text, "NAME");
    sim_text_printf(&text, "fairlane\\-%s \\- ", verb->name);
    add_words(&text, verb->summary);
    sim_text_add(&text, "\n");
    add_synopsis(&text, verb);
    add_heading(&text, "DESCRIPTION");
    add_prose(&text, verb->details);
    add_options(&text, verb);
    add_heading(&text, "SEE ALSO");
    sim_text_add(&text, ".BR fairlane (1)\n");
    return sim_text_take(&text);
}

static void add_verbs(struct sim_text *text) {
    add_heading(text, "VERBS");
    for (const struct cli_verb *verb = cli_verbs; verb->name; verb++) {
        sim_text_printf(text, ".TP\n\\fB%s\\fR", verb->name);
        if (*verb->operands) {
            sim_text_add(text, " \\fI");
            add_words(text, verb->operands);
            sim_text_add(text, "\\fR");
        }
        sim_text_add(text, "\n");
        add_words(text, verb->summary);
        sim_text_printf(text, "; see\n.BR fairlane\\-%s (1)\n", verb->name);
    }
}

static void add_list(struct sim_text *text, const char *const (*rows)[2], size_t count) {
    for (size_t i = 0; i < count; i++)
        add_row(text, rows[i][0], rows[i][1]);
}

static void add_examples(struct sim_text *text) {
    add_heading(text, "EXAMPLES");
    sim_text_add(text, ".nf\n");
    add_words(text, "fairlane new mine.json\n"
                    "fairlane validate mine.json\n"
                    "fairlane run mine.json\n"
                    "fairlane run mine.json --set scheduler.tenants.quantum=8 --out eight\n"
                    "fairlane compare results/mine eight\n");
    sim_text_add(text, ".fi\n");
}

char *cli_manual_page(const struct cli_verb *verb) {
    static const char *const environment[][2] = {
        {"NO_COLOR", "set to anything: no colours. Without it they are used on terminals, but for TERM=dumb."},
        {"LC_ALL, LC_CTYPE, LANG", "whether lines of small bars may be drawn in UTF-8 or only in ASCII."}};
    static const char *const files[][2] = {
        {"results/NAME/", "what runs and studies write, NAME being the scenario's or the study's"},
        {"PREFIX/share/fairlane/",
         "scenarios with their JSON Schema and a description of every key, pictures' scripts, "
         "a dashboard for Grafana"}};
    if (verb)
        return verb_page(verb);
    struct sim_text text = {0};
    add_title(&text, NULL);
    add_heading(&text, "NAME");
    sim_text_add(&text, "fairlane \\- simulate a multi\\-tenant job queue in front of a rate\\-limited LLM endpoint\n");
    add_heading(&text, "SYNOPSIS");
    sim_text_add(&text, ".B fairlane\n\\fIverb\\fR [\\fIoption\\fR]... [\\fIargument\\fR]...\n");
    add_heading(&text, "DESCRIPTION");
    add_prose(&text, cli_about);
    add_verbs(&text);
    add_options(&text, NULL);
    add_heading(&text, "EXIT STATUS");
    add_list(&text, cli_exit_words, cli_exit_word_count);
    add_heading(&text, "ENVIRONMENT");
    add_list(&text, environment, sizeof environment / sizeof *environment);
    add_heading(&text, "FILES");
    add_list(&text, files, sizeof files / sizeof *files);
    add_examples(&text);
    return sim_text_take(&text);
}
