/* Suggestions for misspelt words. */
#include "nearest.h"

#include "../scenario/keys.h"

#include <stdint.h>
#include <string.h>

const char *cli_nearest(const char *word, const char *const *words, size_t count) {
    size_t fewest = SIZE_MAX;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]);
        size_t allowed = length / 3 < 2 ? 2 : length / 3;
        size_t distance = sim_edit_distance(word, words[i]);
        if (distance <= allowed && distance < length && distance < fewest) {
            fewest = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
