#include "sparkline.h"

#include "../memory.h"
#include "../results/text.h"

#include <math.h>
#include <stdlib.h>

enum { HEIGHTS = 8 };

/* Mean of the values that are known; NAN without any. */
static double mean_of(const double *values, size_t count) {
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        sum += values[i];
        known++;
    }
    return known ? sum / (double)known : NAN;
}

/* Any value over 0 rises over the lowest bar. */
static size_t height_of(double value, double top) {
    if (!(value > 0))
        return 0;
    size_t height = (size_t)ceil(value / top * (HEIGHTS - 1));
    return height < HEIGHTS ? height : HEIGHTS - 1;
}

char *cli_sparkline(const double *values, size_t count, size_t columns, bool utf8, double *ret_top) {
    static const char *const bars[HEIGHTS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[HEIGHTS] = {".", ":", "-", "=", "+", "*", "#", "@"};
    struct sim_text text = {0};
    columns = columns < count ? columns : count;
    double *means = sim_calloc(columns + 1, sizeof *means), top = 0;
    for (size_t i = 0; i < columns; i++) {
        size_t from = i * count / columns, to = (i + 1) * count / columns;
        means[i] = mean_of(values + from, to - from);
        top = means[i] > top ? means[i] : top;
    }
    for (size_t i = 0; i < columns; i++)
        sim_text_add(&text, isnan(means[i]) ? " " : (utf8 ? bars : ascii)[height_of(means[i], top)]);
    free(means);
    *ret_top = top;
    return sim_text_take(&text);
}
