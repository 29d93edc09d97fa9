/* All files of a result, into a folder in the making. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

bool sim_results_write(struct sim_folder *folder, const struct sim_result *result, struct sim_located_error *error) {
    /* The manifest comes last: a folder that has one is complete. */
    const struct {
        const char *name;
        char *(*text)(const struct sim_result *result);
    } files[] = {{"summary.json", sim_summary_json}, {"replications.csv", sim_replications_csv},
                 {"tenants.csv", sim_tenants_csv},   {"timeseries.csv", sim_timeseries_csv},
                 {"latency.csv", sim_latency_csv},   {"metrics.prom", sim_metrics_prom},
                 {"welch.csv", sim_welch_csv},       {"manifest.json", sim_manifest_json}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].text == sim_welch_csv && result->warmup.count == 0)
            continue; /* nobody chose a warm-up */
        char *text = files[i].text(result);
        bool written = sim_folder_write(folder, files[i].name, text, strlen(text), error);
        free(text);
        if (!written)
            return false;
    }
    return true;
}
