/** A scenario, resolved and checked: everything one run needs, as plain read-only data. */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include "../../models/batches.h"
#include "../../models/endpoint.h"
#include "../../models/workload.h"
#include "../../sched/config.h"
#include "located_error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Precision on demand; metric NULL: not asked for. */
struct sim_precision {
    char *metric;
    double relative;
    uint32_t max_replications;
};

/** One SLO line as written, parsed later against the figure table. */
struct sim_slo_text {
    char *text;
};

struct sim_scenario {
    char *name;
    char *about; /**< NULL: none */
    uint64_t seed;
    char *seed_text;  /**< as in the file, decimal */
    char *start_text; /**< RFC 3339 */
    int64_t start_unix_ns;
    int64_t duration_ns;
    int64_t warmup_ns;
    bool warmup_auto;
    int64_t drain_ns;
    uint32_t replications;
    uint32_t workers;
    uint64_t max_pending_jobs;
    struct sched_config scheduler;           /**< tenant array and paced limits included */
    struct model_distribution fixed_delay_s; /**< behind scheduler.retry.fixed */
    struct model_endpoint_config endpoint;
    struct model_workload workload;
    struct model_batches_config batches;
    struct sim_precision precision;
    char **slo;
    size_t slo_count;
    struct {
        char *path;
        char sha256[65];
    } * traces; /**< files read, as the manifest names them */
    size_t trace_count;
    const char **files; /**< all that it was put together from: itself, those it extends, patches */
    size_t file_count;
    cJSON *resolved; /**< the merged scenario, for the manifest: what `run manifest.json` repeats */
    char hash[65];   /**< SHA-256 of the resolved scenario without $schema, $comment and about, traces included */
    struct sim_scenario_memory *memory; /**< owns everything above */
};

/** How to read: `--set` assignments and friends, applied in order after `extends`. */
struct sim_scenario_options {
    const char *const *sets; /**< "path=value" */
    size_t set_count;
    const char *const *set_files; /**< JSON patches, merged like extends, before `sets` */
    size_t set_file_count;
};

/** Read, merge, check and resolve @p path (a scenario, or a manifest.json of an earlier run).
 *  @return the scenario (sim_scenario_destroy), or NULL with *error filled. Never prints. */
struct sim_scenario *sim_scenario_create(const char *path, const struct sim_scenario_options *options,
                                         struct sim_located_error *error);

/** Accepts NULL. */
void sim_scenario_destroy(struct sim_scenario *scenario);

#endif
