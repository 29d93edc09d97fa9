/* Result folders: written beside their destination, fsynced, then exchanged with it.
 *
 * A folder in the making is locked (flock) for as long as its process lives, so whoever can take the lock of one knows
 * that its maker is gone. */
#include "folder.h"
#include "file.h"

#include "../memory.h"
#include "results.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 18 };

struct sim_folder {
    int parent;     /* directory that holds the destination */
    int fd;         /* the folder in the making, locked */
    char *path;     /* destination as given, for messages */
    char *base;     /* its name within parent */
    char *previous; /* base + ".prev" */
    char *partial;  /* name of the folder in the making within parent */
    bool committed;
};

struct sim_folder_file {
    int fd;
    char *name;
    size_t used;
    char buffer[BUFFER_SIZE];
};

static bool fail(struct sim_located_error *error, const char *path, const char *what) {
    sim_error_set(error, path, 0, "", "%s: %s", what, strerror(errno));
    return false;
}

/* ---- removal ---- */

/* A listing of directory `fd` of its own position, or NULL. */
static DIR *list(int fd) {
    int listing = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = listing < 0 ? NULL : fdopendir(listing);
    if (!directory && listing >= 0)
        close(listing);
    return directory;
}

bool sim_folder_remove(int parent, const char *name) {
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    DIR *directory = fdopendir(fd);
    if (!directory) {
        close(fd);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(directory));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && unlinkat(fd, entry->d_name, 0) != 0)
            sim_folder_remove(fd, entry->d_name);
    closedir(directory);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

static const char aside_suffix[] = "-old";

static bool ends_with(const char *string, const char *suffix) {
    size_t length = strlen(string), tail = strlen(suffix);
    return length >= tail && !strcmp(string + length - tail, suffix);
}

/* Remove what a killed run left, if its lock says that it is gone. Where locks cannot be asked for (some network file
 * systems) it is left alone. A result caught between the two renames of exchange_by_renames() goes back home. */
static void remove_stale_one(int parent, const char *name, const char *base) {
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    bool displaced = ends_with(name, aside_suffix) && faccessat(parent, base, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && (!displaced || renameat(parent, name, parent, base) != 0))
        sim_folder_remove(parent, name);
    close(fd);
}

static void remove_stale(int parent, const char *base) {
    char prefix[NAME_MAX + 1];
    int length = snprintf(prefix, sizeof prefix, ".%s.partial-", base);
    DIR *directory = list(parent);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (!strncmp(entry->d_name, prefix, (size_t)length))
            remove_stale_one(parent, entry->d_name, base);
    closedir(directory);
}

/* ---- the destination ---- */

/* Split `path`, links followed, into the folder that holds it and its name there. Both malloc'ed. */
static bool split_path(const char *path, char **ret_parent, char **ret_base, struct sim_located_error *error) {
    struct stat status;
    char *whole = lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? realpath(path, NULL) : sim_strdup(path);
    if (!whole)
        return fail(error, path, "cannot follow this link");
    size_t length = strlen(whole);
    while (length > 1 && whole[length - 1] == '/')
        whole[--length] = '\0';
    char *slash = strrchr(whole, '/');
    const char *base = slash ? slash + 1 : whole;
    if (!*base || !strcmp(base, ".") || !strcmp(base, "..")) {
        sim_error_set(error, path, 0, "", "expected the name of a folder to write, such as results/NAME");
        free(whole);
        return false;
    }
    if (strlen(base) + sizeof "..partial-4294967295-999" > NAME_MAX) {
        sim_error_set(error, path, 0, "", "this name is too long for a result folder");
        free(whole);
        return false;
    }
    *ret_base = sim_strdup(base);
    if (slash)
        slash[slash == whole] = '\0';
    *ret_parent = slash ? whole : sim_strdup(".");
    if (!slash)
        free(whole);
    return true;
}

bool sim_folder_make(const char *folder) {
    char *path = sim_strdup(folder);
    for (char *at = path + 1; at[-1]; at++) {
        char byte = *at;
        if (byte != '/' && byte != '\0')
            continue;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            struct stat status;
            int cause = errno;
            /* A read-only file system answers EROFS for a folder that is there. */
            if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
                free(path);
                errno = cause;
                return false;
            }
        }
        *at = byte;
        if (!byte)
            break;
    }
    free(path);
    return true;
}

static bool is_empty(int fd) {
    DIR *directory = list(fd);
    if (!directory)
        return false;
    bool empty = true;
    for (struct dirent *entry; empty && (entry = readdir(directory));)
        empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    closedir(directory);
    return empty;
}

/* May what stands at `name` within `parent` be replaced? `shown`: how messages call it. */
static bool replaceable(int parent, const char *name, const char *shown, struct sim_located_error *error) {
    struct stat status, above;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? true : fail(error, shown, "cannot look at it");
    if (!S_ISDIR(status.st_mode)) {
        sim_error_set(error, shown, 0, "", "is not a folder; choose another with --out");
        return false;
    }
    if (fstat(parent, &above) == 0 && above.st_dev != status.st_dev) {
        sim_error_set(error, shown, 0, "", "is a mount point, which cannot be exchanged; name a folder inside it");
        return false;
    }
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail(error, shown, "cannot look into it");
    bool ours = faccessat(fd, "manifest.json", F_OK, 0) == 0 || is_empty(fd);
    close(fd);
    if (!ours)
        sim_error_set(error, shown, 0, "",
                      "holds files but no manifest.json, so it is no earlier result; it was left as it is");
    return ours;
}

/* Both the destination and the place of its predecessor. */
static bool both_replaceable(int parent, const char *base, const char *path, struct sim_located_error *error) {
    if (!replaceable(parent, base, path, error))
        return false;
    char previous[NAME_MAX + 1], shown[PATH_MAX];
    snprintf(previous, sizeof previous, "%s.prev", base);
    snprintf(shown, sizeof shown, "%.*s.prev", PATH_MAX - 16, path);
    return replaceable(parent, previous, shown, error);
}

bool sim_folder_usable(const char *path, struct sim_located_error *error) {
    char *parent_path, *base;
    if (!split_path(path, &parent_path, &base, error))
        return false;
    bool usable = true;
    int parent = open(parent_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent >= 0) {
        usable = both_replaceable(parent, base, path, error);
        close(parent);
    } else if (errno != ENOENT) {
        usable = fail(error, path, "cannot look into the folder that shall hold it");
    }
    free(parent_path);
    free(base);
    return usable;
}

/* ---- making ---- */

/* Make and lock the folder in the making. A cleaner may take its lock before us and remove it: then try another. */
static bool make_partial(struct sim_folder *folder) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        free(folder->partial);
        if (asprintf(&folder->partial, ".%s.partial-%ld-%d", folder->base, (long)getpid(), attempt) < 0) {
            folder->partial = NULL;
            return false;
        }
        if (mkdirat(folder->parent, folder->partial, 0777) != 0) {
            if (errno == EEXIST)
                continue;
            return false;
        }
        folder->fd = openat(folder->parent, folder->partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder->fd < 0)
            continue;
        struct stat status;
        bool locked = flock(folder->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (locked && fstat(folder->fd, &status) == 0 && status.st_nlink > 0 &&
            faccessat(folder->parent, folder->partial, F_OK, 0) == 0)
            return true;
        close(folder->fd);
        folder->fd = -1;
    }
    return false;
}

struct sim_folder *sim_folder_create(const char *path, struct sim_located_error *error) {
    char *parent_path, *base;
    if (!split_path(path, &parent_path, &base, error))
        return NULL;
    struct sim_folder *folder = sim_alloc(sizeof *folder);
    *folder = (struct sim_folder){.parent = -1, .fd = -1, .path = sim_strdup(path), .base = base};
    bool made = false;
    if (!sim_folder_make(parent_path) || (folder->parent = open(parent_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        fail(error, path, "cannot make the folder that shall hold it");
    else if (both_replaceable(folder->parent, base, path, error)) {
        remove_stale(folder->parent, base);
        if (asprintf(&folder->previous, "%s.prev", base) < 0)
            folder->previous = NULL;
        made = folder->previous && make_partial(folder);
        if (!made)
            fail(error, path, "cannot make a folder beside it");
    }
    free(parent_path);
    if (made)
        return folder;
    free(folder->partial);
    folder->partial = NULL;
    sim_folder_destroy(folder);
    return NULL;
}

/* ---- files ---- */

struct sim_folder_file *sim_folder_open(struct sim_folder *folder, const char *name, struct sim_located_error *error) {
    struct sim_folder_file *file = sim_alloc(sizeof *file);
    assert(!strchr(name, '/'));
    file->used = 0;
    if (asprintf(&file->name, "%s/%s", folder->path, name) < 0)
        file->name = NULL;
    assert(file->name);
    file->fd = openat(folder->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file->fd >= 0)
        return file;
    fail(error, file->name, "cannot create it");
    free(file->name);
    free(file);
    return NULL;
}

static bool flush(struct sim_folder_file *file, struct sim_located_error *error) {
    size_t used = file->used;
    file->used = 0;
    return sim_file_write_all(file->fd, file->buffer, used) || fail(error, file->name, "cannot write it");
}

bool sim_folder_append(struct sim_folder_file *file, const char *bytes, size_t length,
                       struct sim_located_error *error) {
    if (length > BUFFER_SIZE - file->used && !flush(file, error))
        return false;
    if (length > BUFFER_SIZE)
        return sim_file_write_all(file->fd, bytes, length) || fail(error, file->name, "cannot write it");
    memcpy(file->buffer + file->used, bytes, length);
    file->used += length;
    return true;
}

bool sim_folder_close(struct sim_folder_file *file, struct sim_located_error *error) {
    if (!file)
        return true;
    bool good = flush(file, error);
    if (good && fsync(file->fd) != 0)
        good = fail(error, file->name, "cannot write it to disk");
    /* Quotas and network file systems may report a full disk only here. */
    if (close(file->fd) != 0 && good)
        good = fail(error, file->name, "cannot close it");
    free(file->name);
    free(file);
    return good;
}

bool sim_folder_write(struct sim_folder *folder, const char *name, const char *bytes, size_t length,
                      struct sim_located_error *error) {
    struct sim_folder_file *file = sim_folder_open(folder, name, error);
    if (!file)
        return false;
    bool good = sim_folder_append(file, bytes, length, error);
    return sim_folder_close(file, error) && good;
}

/* ---- commit ---- */

/* Where the file system cannot exchange (some network and FUSE ones): the destination is absent for a moment between
 * the two renames; what fails in the second is taken back. */
static bool exchange_by_renames(int parent, const char *partial, const char *base) {
    char aside[NAME_MAX + 1];
    snprintf(aside, sizeof aside, "%.*s%s", NAME_MAX - (int)sizeof aside_suffix, partial, aside_suffix);
    if (renameat(parent, base, parent, aside) != 0)
        return false;
    if (renameat(parent, partial, parent, base) != 0) {
        int cause = errno;
        renameat(parent, aside, parent, base);
        errno = cause;
        return false;
    }
    return renameat(parent, aside, parent, partial) == 0;
}

bool sim_folder_exchange(int parent, const char *partial, const char *base, bool by_renames) {
    if (!by_renames) {
        if (renameat2(parent, partial, parent, base, RENAME_EXCHANGE) == 0)
            return true;
        if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
            return false;
    }
    return exchange_by_renames(parent, partial, base);
}

/* Does the folder `name` hold a file that no verb writes there? Then it is not ours to drop. */
static bool holds_strangers(int parent, const char *name) {
    static const char *const known[] = {"summary.json",
                                        "replications.csv",
                                        "tenants.csv",
                                        "timeseries.csv",
                                        "latency.csv",
                                        "metrics.prom",
                                        "manifest.json",
                                        "jobs.csv",
                                        "welch.csv",
                                        "report.html",
                                        "plots",
                                        "compare.json",
                                        "compare.csv",
                                        "tune.json",
                                        "stages.csv",
                                        "candidates.csv",
                                        "pareto.csv",
                                        "sensitivity.csv",
                                        "recommended.json",
                                        ".",
                                        ".."};
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd >= 0 ? list(fd) : NULL;
    bool strange = false;
    if (directory) {
        for (struct dirent *entry; !strange && (entry = readdir(directory));) {
            strange = true;
            for (size_t i = 0; strange && i < sizeof known / sizeof *known; i++)
                strange = strcmp(entry->d_name, known[i]) != 0;
        }
        closedir(directory);
    }
    if (fd >= 0)
        close(fd);
    return strange;
}

/* Move PATH.prev, which holds the user's own files, to the first free PATH.prev.N. */
static bool put_by(const struct sim_folder *folder) {
    for (int n = 1; n < 1000; n++) {
        char *by;
        if (asprintf(&by, "%s.%d", folder->previous, n) < 0)
            return false;
        bool done = renameat2(folder->parent, folder->previous, folder->parent, by, RENAME_NOREPLACE) == 0;
        free(by);
        if (done)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Put the folder displaced into `partial` at PATH.prev, and drop the older one there. */
static void keep_previous(struct sim_folder *folder) {
    if (holds_strangers(folder->parent, folder->previous) && !put_by(folder))
        return; /* both stay: nothing is lost, only a folder in the making is left beside */
    if (faccessat(folder->parent, folder->previous, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        if (sim_folder_exchange(folder->parent, folder->partial, folder->previous, false))
            sim_folder_remove(folder->parent, folder->partial);
    } else {
        renameat(folder->parent, folder->partial, folder->parent, folder->previous);
    }
}

/* Put the new folder in place: onto nothing or an empty folder by a plain rename, else by exchange.
 * *ret_replaced: something was displaced into `partial`. */
static bool put_in_place(struct sim_folder *folder, bool *ret_replaced) {
    *ret_replaced = false;
    if (renameat(folder->parent, folder->partial, folder->parent, folder->base) == 0)
        return true;
    if (errno != ENOTEMPTY && errno != EEXIST)
        return false;
    *ret_replaced = true;
    return sim_folder_exchange(folder->parent, folder->partial, folder->base, false);
}

/* Some file systems cannot fsync a directory, which is no failure. */
static bool sync_directory(int fd) {
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool sim_folder_commit(struct sim_folder *folder, struct sim_located_error *error) {
    assert(!folder->committed);
    bool replaced;
    if (!sync_directory(folder->fd))
        return fail(error, folder->path, "cannot write the folder to disk");
    if (!both_replaceable(folder->parent, folder->base, folder->path, error))
        return false;
    if (!put_in_place(folder, &replaced))
        return fail(error, folder->path, "cannot put the results there");
    folder->committed = true;
    if (replaced)
        keep_previous(folder);
    sync_directory(folder->parent);
    return true;
}

void sim_folder_destroy(struct sim_folder *folder) {
    if (!folder)
        return;
    if (!folder->committed && folder->partial)
        sim_folder_remove(folder->parent, folder->partial);
    if (folder->fd >= 0)
        close(folder->fd);
    if (folder->parent >= 0)
        close(folder->parent);
    free(folder->path);
    free(folder->base);
    free(folder->previous);
    free(folder->partial);
    free(folder);
}
