/* The table of verbs. */
#include "options.h"

#include <stdint.h>

const struct cli_verb cli_verbs[] = {
    {"run", "FILE...", 1, SIZE_MAX, "run scenarios: tables on the terminal, files under results/NAME/",
     "Runs each scenario FILE (or the manifest.json of an earlier run, which it repeats), prints what\n"
     "came of it and writes results/NAME/:\n"
     "  summary.json      every figure with its 95 % interval, SLO verdicts, warnings, invariants\n"
     "  replications.csv  every figure of each replication; tenants.csv, one row a tenant\n"
     "  timeseries.csv    queues, workers, buckets and rates over time; latency.csv, the distributions\n"
     "  metrics.prom      OpenMetrics text; manifest.json, what was run\n"
     "A folder appears whole or not at all. The one it replaces is kept as NAME.prev.\n\n"
     "Exit status: 0, or 99 when an SLO failed, 98 when none failed but some are inconclusive.",
     cli_run},
    {"validate", "FILE...", 1, SIZE_MAX, "check scenarios without running them, and print their load sheets",
     "Checks each scenario FILE and prints its load sheet: what the tenants ask for, as a percentage of\n"
     "the endpoint's limits and of the workers, and what an idle system would give, beside each SLO.",
     cli_validate},
    {"presets", "[NAME]", 0, 1, "list the endpoint presets, or print one",
     "Lists the endpoint presets that \"endpoint.preset\" may name, or prints the one called NAME.", cli_presets},
    {"metrics", "[FILE]", 0, 1, "list the figures that SLOs and results name",
     "Lists every figure: name, unit, which direction is better, and what it means. With a scenario FILE,\n"
     "also those of its tenants.",
     cli_metrics},
    {0}};
