/* Edit distance for suggestions. */
#include "nearest.h"

#include <string.h>

enum { LENGTH_MAX = 63 };

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Optimal string alignment distance of two words of at most LENGTH_MAX letters. */
static size_t edits(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][LENGTH_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = min(min(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = min(row[j], above2[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

const char *cli_nearest(const char *word, const char *const *words, size_t count) {
    size_t length = strlen(word), fewest = LENGTH_MAX;
    const char *nearest = NULL;
    if (length > LENGTH_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(words[i]);
        if (other > LENGTH_MAX)
            continue;
        size_t distance = edits(word, length, words[i], other);
        size_t allowed = other / 3 < 2 ? 2 : other / 3;
        if (distance <= allowed && distance < other && distance < fewest) {
            fewest = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
