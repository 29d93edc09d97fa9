#include "progress.h"

#include "table.h"

#include <string.h>
#include <time.h>

enum { BAR = 24 };

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct cli_progress cli_progress_begin(const char *unit, bool quiet) {
    double now = now_s();
    return (struct cli_progress){
        .out = quiet ? NULL : stderr, .unit = unit, .terminal = cli_is_screen(stderr), .begun_s = now, .shown_s = now};
}

const char *cli_duration(double seconds, char buffer[32]) {
    if (seconds < 99.5)
        snprintf(buffer, 32, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
    else if (seconds < 5970)
        snprintf(buffer, 32, "%.0f min", seconds / 60);
    else
        snprintf(buffer, 32, "%.1f h", seconds / 3600);
    return buffer;
}

static void put_state(const struct cli_progress *progress, size_t done, size_t total, double elapsed_s) {
    char left[32];
    fprintf(progress->out, "%zu of %zu %s", done, total, progress->unit);
    if (done > 0 && elapsed_s > 0) {
        double rate = (double)done / elapsed_s;
        fprintf(progress->out, ", %.3g/s, %s left", rate, cli_duration((double)(total - done) / rate, left));
    }
}

void cli_progress_show(void *context, size_t done, size_t total) {
    struct cli_progress *progress = context;
    const double bar_s = .1, line_s = 10;
    double now = now_s();
    bool impatient = !progress->patient && !progress->shown;
    bool due = now - progress->shown_s >= (progress->terminal ? bar_s : line_s) || impatient;
    bool last = done == total && (progress->shown || !progress->patient);
    if (!progress->out || !(due || last))
        return;
    progress->shown_s = now;
    progress->shown = true;
    if (progress->terminal) {
        size_t filled = total ? done * BAR / total : BAR;
        char bar[BAR + 1];
        memset(bar, '.', BAR);
        memset(bar, '#', filled);
        bar[BAR] = '\0';
        fprintf(progress->out, "\r\033[K[%s] ", bar);
    }
    put_state(progress, done, total, now - progress->begun_s);
    fputs(progress->terminal ? "" : "\n", progress->out);
    fflush(progress->out);
}

void cli_progress_replications(void *context, uint32_t done, uint32_t total) {
    cli_progress_show(context, done, total);
}

void cli_progress_end(struct cli_progress *progress) {
    if (progress->out && progress->terminal && progress->shown)
        fputs("\r\033[K", progress->out);
}
