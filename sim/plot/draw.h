/** What the preparations of pictures have in common. */
#ifndef SIM_DRAW_H
#define SIM_DRAW_H

#include "gnuplot.h"
#include "plot.h"

/** Add "set xtics (...)" for @p axis ('x' or 'y') at round numbers between @p lo and @p hi, spaced for a logarithmic
 *  scale: 1, 2, 5, 10 over few decades, 1, 10 over many. Without a line end. */
void sim_draw_log_tics(struct sim_text *script, char axis, double lo, double hi);

/** A number as people write it: "0.5", "20", "1,000"; three digits. Tiny ones as "6.7e-06". */
struct sim_draw_word {
    char text[32];
};
struct sim_draw_word sim_draw_number(double value);

/** A round distance between tics that divides @p span into @p most parts or fewer. */
double sim_draw_step(double span, int most);

/** Unit and divisor for an axis over times up to @p end_s: seconds, minutes, hours or days. */
const char *sim_draw_time_unit(double end_s, double *ret_divisor);

/** Begin or end a data block called @p name ("$series"). */
void sim_draw_data(struct sim_text *script, const char *name);
void sim_draw_data_end(struct sim_text *script);

/** Add "set ytics (...)" with @p labels at 1, 2, ... */
void sim_draw_label_tics(struct sim_text *script, char axis, const char *const *labels, size_t count,
                         size_t characters_max);

/** An SLO or limit on a quantile, taken apart: "critical.latency.p99 <= 2.0". */
struct sim_draw_quantile_slo {
    char class_name[16];
    double p, limit;
};

/** @return false for an SLO on anything but a class's quantile of latency. */
bool sim_draw_quantile_slo(const cJSON *slo, struct sim_draw_quantile_slo *ret);

#endif
