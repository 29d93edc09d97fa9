/** MSER-5, in one pass from the end of the series to its beginning. */
#include "mser.h"

#include <assert.h>
#include <math.h>

enum { BATCHES_LEFT_MIN = 5 };

static double batch_mean(const double *values, size_t batch) {
    double sum = 0;
    for (size_t i = 0; i < SIM_MSER_BATCH; i++)
        sum += values[batch * SIM_MSER_BATCH + i];
    return sum / SIM_MSER_BATCH;
}

size_t sim_mser(const double *values, size_t count) {
    assert(count >= SIM_MSER_VALUES_MIN);
    size_t batches = count / SIM_MSER_BATCH, dropped = 0;
    double n = 0, mean = 0, squares = 0, least = INFINITY;
    // Welford's recurrences: squares is the sum of squared distances from the mean of the batches seen so far.
    for (size_t d = batches; d-- > 0;) {
        double z = batch_mean(values, d), off = z - mean;
        n++;
        mean += off / n;
        squares += off * (z - mean);
        if (n < BATCHES_LEFT_MIN)
            continue;
        double statistic = squares / (n * n);
        if (statistic <= least) { // of equals the least d, which comes last
            least = statistic;
            dropped = d;
        }
    }
    return dropped * SIM_MSER_BATCH;
}
