/* welch.csv: the way into the steady state, for plotting. Means over the pilot replications; an empty field is a step in
 * which no job arrived. */
#include "results.h"
#include "text.h"

char *sim_welch_csv(const struct sim_result *result) {
    struct sim_text text = {0};
    sim_text_add(&text, "time_s,backlog_jobs,backlog_moving_average_jobs,sojourn_s,sojourn_moving_average_s,dropped\n");
    for (size_t i = 0; i < result->warmup.count; i++) {
        const struct sim_welch_point *point = &result->warmup.points[i];
        const double fields[] = {point->time_s, point->backlog, point->backlog_ma, point->sojourn_s,
                                 point->sojourn_ma_s};
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
            sim_text_csv_number(&text, fields[k]);
            sim_text_add(&text, ",");
        }
        sim_text_add(&text, point->time_s * 1e9 <= (double)result->warmup.chosen_ns ? "1\n" : "0\n");
    }
    return sim_text_take(&text);
}
