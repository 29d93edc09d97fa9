#include "gnuplot.h"

#include "../memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Standard input, output and error of gnuplot, as files in memory: no pipe can fill up. */
struct streams {
    int fd[3];
};

static void close_streams(struct streams *streams) {
    for (size_t i = 0; i < 3; i++)
        if (streams->fd[i] >= 0)
            close(streams->fd[i]);
}

static bool write_script(int fd, const struct sim_text *script) {
    for (size_t at = 0; at < script->length;) {
        ssize_t written = write(fd, script->bytes + at, script->length - at);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

static bool open_streams(struct streams *streams, const struct sim_text *script) {
    static const char *const names[] = {"script", "picture", "messages"};
    bool good = true;
    for (size_t i = 0; i < 3; i++) {
        streams->fd[i] = memfd_create(names[i], MFD_CLOEXEC);
        /* A descriptor that is its own target would keep its close-on-exec flag. */
        if (streams->fd[i] >= 0 && streams->fd[i] < 3) {
            int higher = fcntl(streams->fd[i], F_DUPFD_CLOEXEC, 3);
            close(streams->fd[i]);
            streams->fd[i] = higher;
        }
        good = good && streams->fd[i] >= 0;
    }
    return good && write_script(streams->fd[0], script);
}

/* Start gnuplot. SIGPIPE and SIGXFSZ, which the program ignores, are given back their defaults. @return errno, 0: running. */
static int start(const struct streams *streams, pid_t *ret) {
    char name[] = "gnuplot", defaults[] = "-d";
    char *argv[] = {name, defaults, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0)
        sim_out_of_memory();
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    for (int i = 0; i < 3; i++)
        if (posix_spawn_file_actions_adddup2(&actions, streams->fd[i], i) != 0)
            sim_out_of_memory();
    int cause = posix_spawnp(ret, name, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return cause;
}

/* All that was written to `fd`, with a NUL behind it; NULL when it cannot be read. */
static char *read_back(int fd, size_t *ret_length) {
    struct stat status;
    if (fstat(fd, &status) != 0)
        return NULL;
    size_t size = (size_t)status.st_size, at = 0;
    char *bytes = sim_alloc(size + 1);
    while (at < size) {
        ssize_t got = pread(fd, bytes + at, size - at, (off_t)at);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        at += got > 0 ? (size_t)got : 0;
    }
    bytes[at] = '\0';
    *ret_length = at;
    return bytes;
}

/* Gnuplot shows where in the script it stumbled on lines of its own; the last line says why. */
static void explain(const struct streams *streams, int status, struct sim_located_error *error) {
    size_t length = 0;
    char *messages = read_back(streams->fd[2], &length);
    while (length && strchr(" \n", messages[length - 1]))
        messages[--length] = '\0';
    const char *last = messages ? messages : "";
    for (const char *at = last; (at = strchr(at, '\n'));)
        last = ++at;
    last += strspn(last, " ");
    if (WIFSIGNALED(status))
        sim_error_set(error, "", 0, "", "gnuplot was ended by a signal (%s); no picture was written",
                      strsignal(WTERMSIG(status)));
    else
        sim_error_set(error, "", 0, "", "gnuplot failed%s%s; no picture was written", *last ? ": " : "", last);
    free(messages);
}

static bool await(pid_t process, const struct streams *streams, struct sim_located_error *error) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    /* posix_spawn may report a missing program as late as this. */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        sim_error_set(error, "", 0, "", "gnuplot could not be started");
    else
        explain(streams, status, error);
    return false;
}

char *sim_gnuplot_run(const struct sim_text *script, size_t *ret_length, struct sim_located_error *error) {
    struct streams streams = {{-1, -1, -1}};
    char *picture = NULL;
    pid_t process;
    int cause;
    if (!open_streams(&streams, script)) {
        sim_error_set(error, "", 0, "", "cannot hand a script to gnuplot: %s", strerror(errno));
    } else if ((cause = start(&streams, &process)) == ENOENT) {
        sim_error_set(error, "", 0, "",
                      "gnuplot, which draws the pictures, is not installed (Debian: apt-get install gnuplot-nox); the "
                      "results are kept as they are");
    } else if (cause != 0) {
        sim_error_set(error, "", 0, "", "gnuplot cannot be started: %s", strerror(cause));
    } else if (await(process, &streams, error)) {
        picture = read_back(streams.fd[1], ret_length);
        if (!picture || !*ret_length) {
            free(picture);
            picture = NULL;
            explain(&streams, 0, error);
        }
    }
    close_streams(&streams);
    return picture;
}

/* ---- script texts ---- */

void sim_gnuplot_add_label(struct sim_text *script, const char *text, size_t characters_max) {
    size_t characters = 0;
    sim_text_add(script, "'");
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if ((byte & 0xC0) != 0x80 && ++characters > characters_max) {
            sim_text_add(script, "…");
            break;
        }
        /* Gnuplot takes two quotes for one, but not at the beginning, nor twice in a row. */
        bool odd = byte == '\'' && (characters == 1 || text[-1] == '\'');
        /* Nor may XML hold what ends a section of characters, or what is no character. */
        bool ends = byte == '>' && characters > 2 && text[-1] == ']' && text[-2] == ']';
        bool none = byte == 0xEF && (unsigned char)text[1] == 0xBF && (unsigned char)text[2] >= 0xBE;
        if (byte == '\'')
            sim_text_add(script, odd ? "’" : "''");
        else if (ends)
            sim_text_add(script, " >");
        else if (none) {
            sim_text_add(script, "?");
            text += 2;
        } else
            sim_text_append(script, byte < 0x20 || byte == 0x7F ? " " : text, 1);
    }
    sim_text_add(script, "'");
}

void sim_gnuplot_add_string(struct sim_text *script, const char *text) {
    sim_gnuplot_add_label(script, text, (size_t)-1);
}

void sim_gnuplot_add_value(struct sim_text *script, double value) {
    char buffer[SIM_NUMBER_SIZE];
    sim_text_add(script, isfinite(value) ? sim_number_format(value, buffer) : "NaN");
}

void sim_gnuplot_set_number(struct sim_text *script, const char *name, double value) {
    sim_text_printf(script, "%s = ", name);
    sim_gnuplot_add_value(script, value);
    sim_text_add(script, "\n");
}

void sim_gnuplot_set_string(struct sim_text *script, const char *name, const char *text) {
    sim_text_printf(script, "%s = ", name);
    sim_gnuplot_add_string(script, text);
    sim_text_add(script, "\n");
}
