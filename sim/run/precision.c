#include "precision.h"

#include <math.h>

uint32_t sim_precision_look(uint32_t at_least, uint32_t most) {
    uint32_t look = 20;

    while (look < at_least && look < most)
        look += look / 2;
    return look < most ? look : most;
}

struct sim_precision_result sim_precision_judge(const struct sim_figure *figure, const struct sim_precision *precision,
                                                const struct sim_estimate *estimate) {
    double half = fmax(estimate->value - estimate->lo, estimate->hi - estimate->value);
    struct sim_precision_result result = {
        .figure = figure,
        .wanted = precision->relative,
        .reached = half <= precision->relative * fabs(estimate->value),
        .relative = fabs(estimate->value) > 0 ? half / fabs(estimate->value)
                    : half > 0                ? INFINITY
                                              : 0,
    };

    /* fmax() prefers numbers to NAN: an interval that is open on one side has no width. */
    if (isnan(estimate->value) || isnan(estimate->lo) || isnan(estimate->hi)) {
        result.reached = false;
        result.relative = NAN;
        result.why = isnan(estimate->value)
                         ? "it has no value in this run, which no number of replications would change"
                         : "its interval is open on one side";
    } else if (!result.reached) {
        result.why = "max_replications came first";
    }
    return result;
}
