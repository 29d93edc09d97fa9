/* The table of verbs. */
#include "options.h"

#include <stdint.h>

const char cli_about[] =
    "Simulates a multi-tenant queue with priority classes in front of a rate-limited Claude endpoint.";

const char *const cli_exit_words[][2] = {{"0", "all is well"},
                                         {"99", "an SLO or a comparison failed"},
                                         {"98", "none failed, but some are inconclusive"},
                                         {"2", "wrong usage, or a file that will not do"},
                                         {"1", "anything else went wrong"}};
const size_t cli_exit_word_count = sizeof cli_exit_words / sizeof *cli_exit_words;

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
    {"sweep", "STUDY", 1, 1, "run a study: a scenario under many settings, resumable, on all cores",
     "Runs every configuration of the study file STUDY (scenarios/studies/README.md lists its keys) and\n"
     "keeps each replication in results/NAME/study.db as soon as it ends: a sweep that was interrupted or\n"
     "killed goes on where it was, one that is complete runs nothing. At the end it writes\n"
     "  study.csv         one row a configuration: knobs, SLO verdicts, every figure with its interval\n"
     "  summary.json      what the study is about: verdicts, objectives, their figures\n"
     "Ctrl-C lets the units end that are running, keeps them and exits with 1.\n\n"
     "Exit status: 0, or 99 when an SLO of any configuration failed, 98 when none failed but some are\n"
     "inconclusive; a configuration that could not be run fails its SLOs.",
     cli_sweep},
    {"tune", "STUDY", 1, 1, "recommend values for a study's knobs, with evidence and a statistical guarantee",
     "Looks for values of the knobs of the study file STUDY that keep every SLO with the most room: phi, the\n"
     "logarithm of the worst quantile over its limit (or the study's first objective), as small as can be.\n"
     "Screening, exploration, successive halving, selection on fresh replications and a confirmation of the\n"
     "best against the scenario's own values on others yet are printed as they end. Writes results/NAME-tune/:\n"
     "  tune.json         everything; recommended.json, a patch that `run --set-file` and `extends` take\n"
     "  stages.csv, candidates.csv, pareto.csv, sensitivity.csv; manifest.json\n\n"
     "Exit status: 0 with a recommendation, or when the scenario's own values keep every SLO and nothing better\n"
     "was found; 99 when nothing that was tried keeps the SLOs, 98 when that could not be told.",
     cli_tune},
    {"merge", "OUT DIR...", 2, SIZE_MAX, "put the shards of a study together",
     "Copies the results of the shards in DIR... (`sweep --shard`) into OUT/study.db and ends as the whole\n"
     "sweep would: the same files to the byte, the same exit status. Refuses shards of different studies\n"
     "or model versions.",
     cli_merge},
    {"validate", "FILE...", 1, SIZE_MAX, "check scenarios without running them, and print their load sheets",
     "Checks each scenario FILE and prints its load sheet: what the tenants ask for, as a percentage of\n"
     "the endpoint's limits and of the workers, and what an idle system would give, beside each SLO.",
     cli_validate},
    {"new", "[FILE]", 0, 1, "write a scenario to start from, with every part of it explained",
     "Writes a scenario to FILE (scenario.json) that runs as it is and explains itself in $comment keys; an\n"
     "existing file is never overwritten. Templates:\n"
     "  article  three classes of jobs of tenants on two plans, on a small tier (default)\n"
     "  noisy    one tenant who sends too much, and what protects its neighbours\n"
     "  trace    recorded requests from a CSV file; a sample is written beside FILE\n"
     "  batch    work that may wait goes through Message Batches",
     cli_new},
    {"plot", "DIR", 1, 1, "draw pictures of a folder of results",
     "Draws pictures of the results in DIR with gnuplot and writes them to DIR/plots/. Which ones there\n"
     "are depends on what DIR holds:\n"
     "  a run          latency, timeline, tenants, buckets, requests, welch (the warm-up)\n"
     "  a study        knobs, heatmap, pareto, tornado\n"
     "  a tune         stages, pareto, tornado\n"
     "  a comparison   differences\n"
     "  claims         claims (all at once), claim-ID (one for each)",
     cli_plot},
    {"compare", "A B", 2, 2, "compare two results, or two scenarios, replication by replication",
     "A and B are result folders, or scenario files, which are run first under common random numbers: the\n"
     "seed, the number of replications and the warm-up are A's (a folder's, if one of them is one).\n"
     "Prints B less A for each figure, paired by replication, with a 95 % interval, and p adjusted (Holm)\n"
     "for the number of figures shown. Folders that do not pair are refused. --out DIR writes\n"
     "compare.json and compare.csv.\n\n"
     "A rule of --fail-on is a figure, > or <, and a change: \"critical.latency.p99 > +2%\",\n"
     "\"jain.service < -0.01\"; % is of A's value, a plain number in the figure's unit.\n\n"
     "Exit status: 0, or by the rules of --fail-on 99 when a change is past the threshold, 98 when none is\n"
     "but one may be.",
     cli_compare},
    {"claims", "[FILE]", 0, 1, "hold the numbers that somebody states against what studies measure",
     "Runs the studies of the claims file FILE (default: scenarios/article/claims.json, here or as installed, of\n"
     "the article that Fairlane comes from), keeps each as `sweep` would in results/NAME/STUDY/, and prints for every "
     "claim what is\n"
     "stated before and after, ours with 95 % intervals, and a verdict:\n"
     "  reproduced        ours lies within 15 % of each number stated, or the number within our interval\n"
     "  direction only    the change is sure and goes the way that is stated, the numbers are others\n"
     "  not reproduced    neither\n"
     "  no number         nothing is stated that could be held against ours\n"
     "Killed or interrupted, it goes on where it was. Writes claims.json and claims.csv; docs/claims.md tells more.\n\n"
     "Exit status: 0 whatever the verdicts are: that a claim does not hold is a result.",
     cli_claims},
    {"explain", "DIR", 1, 1, "tell the life of single jobs: why did they take so long?",
     "Runs the replications of the result in DIR (or of a scenario file) again, with the recorded seed, and\n"
     "prints for each job asked for: when it arrived, its class and why, every pick that passed it by, each\n"
     "attempt with its answer, each wait, and one sentence that says where the time went.\n\n"
     "  fairlane explain results/article --worst 3 --class critical\n"
     "  fairlane explain results/article --job 3:12.57\n\n"
     "A job is named REPLICATION:STREAM.NUMBER, the columns replication and job of jobs.csv. The longest\n"
     "are looked for among jobs that count; those that failed, left or never finished are longer than\n"
     "every other.",
     cli_explain},
    {"report", "DIR", 1, 1, "make one self-contained HTML page of a folder of results",
     "Writes DIR/report.html, or --out FILE: verdict, SLOs, pictures, tables, warnings and what was run in\n"
     "one file that loads nothing, for any browser, phone or printer, light or dark; of claims all of them\n"
     "at a glance, then one by one. Without gnuplot the page is written all the same, with a sentence in\n"
     "the place of the pictures.",
     cli_report},
    {"presets", "[NAME]", 0, 1, "list the endpoint presets, or print one",
     "Lists the endpoint presets that \"endpoint.preset\" may name, or prints the one called NAME.", cli_presets},
    {"metrics", "[FILE]", 0, 1, "list the figures that SLOs and results name",
     "Lists every figure: name, unit, which direction is better, and what it means. With a scenario FILE,\n"
     "also those of its tenants.",
     cli_metrics},
    {0}};
