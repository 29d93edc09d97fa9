/* fairlane: take the command line apart, do the verb, print the error if there is one. */
#include "options.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Set by a signal handler, which reaches nothing else: the one mutable variable at file scope. */
static volatile sig_atomic_t stopped;

static void stop(int number) {
    (void)number;
    stopped = 1;
}

/* The first signal asks the run to end and clean up, a second one of the same kind ends the process at once. A signal
 * that the parent chose to ignore (nohup) stays ignored. A closed pipe and a file size limit become write errors. */
static void catch_signals(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction before;
        struct sigaction action = {.sa_handler = stop, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
        sigemptyset(&action.sa_mask);
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

static enum cli_exit do_verb(const struct cli_options *options, struct sim_located_error *error) {
    if (options->version) {
        printf("fairlane %s\n", FAIRLANE_VERSION);
        return CLI_OK;
    }
    if (options->help || !options->verb) {
        cli_help(stdout, options->verb);
        return CLI_OK;
    }
    const char *const outputs[] = {options->junit, options->markdown};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (!cli_spares(outputs[i], options->files, options->file_count, error) ||
            !cli_output_fits(options, outputs[i], error))
            return CLI_USAGE;
    return options->verb->run(options, error);
}

int main(int argc, char **argv) {
    struct sim_located_error error = {0};
    struct cli_options options;
    catch_signals();
    enum cli_exit code = CLI_USAGE;
    if (cli_options_parse(&options, argc, argv, &error)) {
        options.stop = &stopped;
        code = do_verb(&options, &error);
    }
    cli_options_finish(&options);
    bool errors = code == CLI_FAILURE || code == CLI_USAGE;
    /* A reader that has left (| head) is no failure of ours. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && !errors && errno != EPIPE) {
        sim_error_set(&error, "standard output", 0, "", "cannot write to it: %s", strerror(errno));
        code = CLI_FAILURE;
        errors = true;
    }
    if (errors) {
        char text[2048];
        fprintf(stderr, "fairlane: %s\n", sim_error_text(&error, text, sizeof text));
    }
    return (int)code;
}
