#include "file_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode) {
    if (S_ISDIR(mode))
        return "a directory";
    if (S_ISFIFO(mode))
        return "a FIFO";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

/** Read up to @p limit bytes; the file may shrink or grow meanwhile. @return bytes read, -1 with errno. */
static ssize_t read_all(int file, char *bytes, size_t limit) {
    size_t used = 0;
    while (used < limit) {
        ssize_t got = read(file, bytes + used, limit - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

static char *read_regular(int file, const char *path, const struct stat *status, size_t bytes_max, size_t *ret_length,
                          struct sim_located_error *error) {
    if (!S_ISREG(status->st_mode)) {
        sim_error_set(error, path, 0, "", "expected a regular file, found %s", kind_of(status->st_mode));
        return NULL;
    }
    if (status->st_size > (off_t)bytes_max) {
        sim_error_set(error, path, 0, "", "expected a file of at most %zu MiB, found %lld bytes", bytes_max >> 20,
                      (long long)status->st_size);
        return NULL;
    }
    /* One byte more than allowed, so that a file which grows past the limit meanwhile is noticed. */
    size_t limit = (size_t)status->st_size + 1;
    char *bytes = malloc(limit + 1);
    if (bytes == NULL) {
        sim_error_set(error, path, 0, "", "out of memory");
        return NULL;
    }
    ssize_t length = read_all(file, bytes, limit);
    if (length < 0 || (size_t)length == limit) {
        sim_error_set(error, path, 0, "", "%s", length < 0 ? strerror(errno) : "the file grew while it was read");
        free(bytes);
        return NULL;
    }
    bytes[length] = '\0';
    *ret_length = (size_t)length;
    return bytes;
}

char *sim_file_read(const char *path, size_t *ret_length, struct sim_file_identity *ret_identity,
                    struct sim_located_error *error) {
    return sim_file_read_within(path, SIM_FILE_BYTES_MAX, ret_length, ret_identity, error);
}

char *sim_file_read_within(const char *path, size_t bytes_max, size_t *ret_length,
                           struct sim_file_identity *ret_identity, struct sim_located_error *error) {
    /* Non-blocking: opening a FIFO would wait for its writer. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        sim_error_set(error, path, 0, "", "cannot be read: %s", strerror(errno));
        if (file >= 0)
            close(file);
        return NULL;
    }
    char *bytes = read_regular(file, path, &status, bytes_max, ret_length, error);
    close(file);
    if (bytes != NULL)
        *ret_identity = (struct sim_file_identity){.device = status.st_dev, .inode = status.st_ino};
    return bytes;
}
