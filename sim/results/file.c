#include "file.h"

#include "../memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sim_file_write_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* Write @p path from its start. */
static bool write_file(const char *path, const char *bytes, size_t length, bool sync) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool good = sim_file_write_all(fd, bytes, length) && (!sync || fsync(fd) == 0);
    int cause = errno;
    if (close(fd) != 0 && good)
        return false;
    errno = cause;
    return good;
}

/* Where a file is written before it takes its place. */
static char *partial_of(const char *path) {
    char *partial;
    if (asprintf(&partial, "%s.partial-%ld", path, (long)getpid()) < 0)
        sim_out_of_memory();
    return partial;
}

static bool replace(const char *path, const char *bytes, size_t length) {
    char *partial = partial_of(path);
    bool good = write_file(partial, bytes, length, true) && rename(partial, path) == 0;
    int cause = errno;
    if (!good)
        unlink(partial);
    free(partial);
    errno = cause;
    return good;
}

bool sim_file_same(const char *one, const char *other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool fail(const char *path, int cause, struct sim_located_error *error) {
    sim_error_set(error, path, 0, "", "cannot write it: %s", strerror(cause));
    return false;
}

bool sim_file_writable(const char *path, struct sim_located_error *error) {
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there && S_ISDIR(status.st_mode))
        return fail(path, EISDIR, error);
    if (there && !S_ISREG(status.st_mode))
        return access(path, W_OK) == 0 || fail(path, errno, error);
    char *partial = partial_of(path);
    bool good = write_file(partial, "", 0, false);
    int cause = errno;
    if (good)
        unlink(partial);
    free(partial);
    if (!good)
        fail(path, cause, error);
    errno = cause;
    return good;
}

bool sim_file_replace(const char *path, const char *text, struct sim_located_error *error) {
    return sim_file_replace_bytes(path, text, strlen(text), error);
}

bool sim_file_replace_bytes(const char *path, const char *bytes, size_t length, struct sim_located_error *error) {
    struct stat status;
    bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (special ? write_file(path, bytes, length, false) : replace(path, bytes, length))
        return true;
    return fail(path, errno, error);
}
