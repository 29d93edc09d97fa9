/* Result folders: whole or not at all, the predecessor kept, other people's folders left alone. */
#include "../../sim/results/folder.h"
#include "../../sim/results/results.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[64];

static void enter(void) {
    strcpy(home, "/tmp/fairlane-folder-XXXXXX");
    cr_assert(mkdtemp(home) != NULL);
    cr_assert_eq(chdir(home), 0);
}

static void leave(void) {
    cr_assert_eq(chdir("/"), 0);
    sim_folder_remove(AT_FDCWD, home);
}

TestSuite(folder, .init = enter, .fini = leave);

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

static bool holds(const char *path, const char *text) {
    char buffer[256] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    buffer[fread(buffer, 1, sizeof buffer - 1, file)] = '\0';
    fclose(file);
    return strcmp(buffer, text) == 0;
}

static bool there(const char *path) {
    return access(path, F_OK) == 0;
}

/* Names in `path` that begin with a dot, "." and ".." apart. */
static int hidden_in(const char *path) {
    char command[256];
    snprintf(command, sizeof command, "test -z \"$(find '%s' -maxdepth 1 -name '.?*')\"", path);
    return system(command);
}

/* Write a result whose manifest says `text` to `path`. */
static void publish(const char *path, const char *text) {
    struct sim_located_error error = {0};
    struct sim_folder *folder = sim_folder_create(path, &error);
    cr_assert(folder != NULL, "%s", error.message);
    cr_assert(sim_folder_write(folder, "manifest.json", text, strlen(text), &error), "%s", error.message);
    cr_assert(sim_folder_commit(folder, &error), "%s", error.message);
    sim_folder_destroy(folder);
}

Test(folder, appears_only_when_committed) {
    struct sim_located_error error = {0};
    struct sim_folder *folder = sim_folder_create("deep/er/one", &error);
    cr_assert(folder != NULL);
    cr_assert(sim_folder_write(folder, "summary.json", "{}", 2, &error));
    cr_assert(!there("deep/er/one"));
    cr_assert(sim_folder_commit(folder, &error));
    sim_folder_destroy(folder);
    cr_assert(holds("deep/er/one/summary.json", "{}"));
    cr_assert_eq(hidden_in("deep/er"), 0);
}

Test(folder, dropped_without_commit) {
    struct sim_located_error error = {0};
    publish("one", "first");
    struct sim_folder *folder = sim_folder_create("one", &error);
    cr_assert(sim_folder_write(folder, "manifest.json", "second", 6, &error));
    sim_folder_destroy(folder);
    cr_assert(holds("one/manifest.json", "first"));
    cr_assert(!there("one.prev"));
    cr_assert_eq(hidden_in("."), 0);
}

Test(folder, keeps_one_predecessor) {
    publish("one", "first");
    publish("one/", "second");
    cr_assert(holds("one/manifest.json", "second"));
    cr_assert(holds("one.prev/manifest.json", "first"));
    publish("one", "third");
    cr_assert(holds("one/manifest.json", "third"));
    cr_assert(holds("one.prev/manifest.json", "second"));
    cr_assert_eq(hidden_in("."), 0);
}

Test(folder, obeys_the_umask) {
    struct stat status;
    umask(027);
    publish("one", "first");
    cr_assert_eq(stat("one", &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0750);
    cr_assert_eq(stat("one/manifest.json", &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0640);
}

Test(folder, leaves_other_folders_alone) {
    struct sim_located_error error = {0}, second = {0}, third = {0};
    mkdir("thesis", 0777);
    put("thesis/chapter", "precious");
    cr_assert(!sim_folder_usable("thesis", &error));
    cr_assert(strstr(error.message, "manifest.json") != NULL);
    cr_assert(sim_folder_create("thesis", &second) == NULL);
    put("file", "precious");
    cr_assert(!sim_folder_usable("file", &third));
    cr_assert(holds("thesis/chapter", "precious"));
    cr_assert_eq(hidden_in("."), 0);
}

Test(folder, leaves_a_foreign_predecessor_alone) {
    struct sim_located_error error = {0};
    publish("one", "first");
    mkdir("one.prev", 0777);
    put("one.prev/chapter", "precious");
    cr_assert(!sim_folder_usable("one", &error));
    cr_assert(strstr(error.file, "one.prev") != NULL);
}

Test(folder, takes_an_empty_folder) {
    mkdir("one", 0777);
    publish("one", "first");
    cr_assert(holds("one/manifest.json", "first"));
    cr_assert(!there("one.prev"));
}

Test(folder, refuses_names_that_are_none) {
    static const char *const names[] = {".", "..", "/", "one/.", "one/.."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sim_located_error error = {0};
        cr_assert(!sim_folder_usable(names[i], &error), "%s", names[i]);
    }
}

Test(folder, follows_a_link) {
    struct stat status;
    publish("store/one", "first");
    cr_assert_eq(symlink("store/one", "link"), 0);
    publish("link", "second");
    cr_assert(holds("store/one/manifest.json", "second"));
    cr_assert(holds("store/one.prev/manifest.json", "first"));
    cr_assert_eq(lstat("link", &status), 0);
    cr_assert(S_ISLNK(status.st_mode));
}

/* A folder left by a killed run goes; one whose run lives, and so holds its lock, stays. */
Test(folder, clears_what_killed_runs_left) {
    mkdir(".one.partial-1-0", 0777);
    put(".one.partial-1-0/summary.json", "{");
    mkdir(".one.partial-2-0", 0777);
    mkdir(".other.partial-1-0", 0777);
    int alive = open(".one.partial-2-0", O_RDONLY | O_DIRECTORY);
    cr_assert_eq(flock(alive, LOCK_EX), 0);
    publish("one", "first");
    cr_assert(!there(".one.partial-1-0"));
    cr_assert(there(".one.partial-2-0"));
    cr_assert(there(".other.partial-1-0"));
    close(alive);
}

/* Killed between the two renames of a file system without exchange: the result goes back home. */
Test(folder, brings_a_displaced_result_back) {
    mkdir(".one.partial-1-0-old", 0777);
    put(".one.partial-1-0-old/manifest.json", "first");
    publish("one", "second");
    cr_assert(holds("one.prev/manifest.json", "first"));
    cr_assert_eq(hidden_in("."), 0);
}

Test(folder, exchanges_by_renames_too) {
    publish("a", "a");
    publish("b", "b");
    cr_assert(sim_folder_exchange(AT_FDCWD, "a", "b", true));
    cr_assert(holds("a/manifest.json", "b"));
    cr_assert(holds("b/manifest.json", "a"));
    cr_assert(!sim_folder_exchange(AT_FDCWD, "missing", "b", true));
    cr_assert(holds("b/manifest.json", "a"));
}

Test(folder, two_at_once_both_survive) {
    struct sim_located_error error = {0};
    struct sim_folder *first = sim_folder_create("one", &error), *second = sim_folder_create("one", &error);
    cr_assert(first && second);
    cr_assert(sim_folder_write(first, "manifest.json", "first", 5, &error));
    cr_assert(sim_folder_write(second, "manifest.json", "second", 6, &error));
    cr_assert(sim_folder_commit(first, &error));
    cr_assert(sim_folder_commit(second, &error));
    sim_folder_destroy(first);
    sim_folder_destroy(second);
    cr_assert(holds("one/manifest.json", "second"));
    cr_assert(holds("one.prev/manifest.json", "first"));
}

/* A full disk, as a file size limit shows it: the error says so and the old result stands. */
Test(folder, reports_a_write_that_fails) {
    struct sim_located_error error = {0};
    publish("one", "first");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY}, before;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit.rlim_max = before.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    static char bytes[10000];
    memset(bytes, 'x', sizeof bytes);
    struct sim_folder *folder = sim_folder_create("one", &error);
    bool written = sim_folder_write(folder, "summary.json", bytes, sizeof bytes, &error);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    cr_assert(!written);
    cr_assert_str_eq(error.file, "one/summary.json");
    cr_assert(strstr(error.message, "File too large") != NULL, "%s", error.message);
    sim_folder_destroy(folder);
    cr_assert(holds("one/manifest.json", "first"));
    cr_assert_eq(hidden_in("."), 0);
}

Test(folder, streams_a_file) {
    struct sim_located_error error = {0};
    struct sim_folder *folder = sim_folder_create("one", &error);
    struct sim_folder_file *file = sim_folder_open(folder, "jobs.csv", &error);
    static char big[300000];
    memset(big, 'y', sizeof big);
    cr_assert(sim_folder_append(file, "head\n", 5, &error));
    cr_assert(sim_folder_append(file, big, sizeof big, &error));
    cr_assert(sim_folder_append(file, "tail\n", 5, &error));
    cr_assert(sim_folder_close(file, &error));
    cr_assert(sim_folder_commit(folder, &error));
    sim_folder_destroy(folder);
    struct stat status;
    cr_assert_eq(stat("one/jobs.csv", &status), 0);
    cr_assert_eq(status.st_size, 300010);
    FILE *in = fopen("one/jobs.csv", "r");
    char line[8];
    cr_assert(fgets(line, sizeof line, in) && !strcmp(line, "head\n"));
    fseek(in, -5, SEEK_END);
    cr_assert(fgets(line, sizeof line, in) && !strcmp(line, "tail\n"));
    fclose(in);
}
