/** A folder of results as pictures and reports see it: what kind it is, and its files read. */
#ifndef SIM_VIEW_H
#define SIM_VIEW_H

#include "../results/json_file.h"
#include "csv_table.h"

#include <cjson/cJSON.h>

enum sim_view_kind {
    SIM_VIEW_RESULT,     /**< of `run` */
    SIM_VIEW_STUDY,      /**< of `sweep` */
    SIM_VIEW_TUNE,       /**< of `tune` */
    SIM_VIEW_COMPARISON, /**< of `compare` */
    SIM_VIEW_CLAIMS,     /**< of `claims` */
};

/** Files that are not there, or do not belong to the kind, are NULL or tables without columns. */
struct sim_view {
    const char *path;
    enum sim_view_kind kind;
    const cJSON *summary;         /**< summary.json, or that of its kind: tune.json, compare.json, claims.json */
    const cJSON *claim;           /**< the one a picture is about; else NULL */
    const cJSON *manifest;        /**< manifest.json */
    const char *recommended_text; /**< recommended.json */
    struct sim_csv_table latency, timeseries, tenants, welch;     /**< of a run */
    struct sim_csv_table study;                                   /**< of a study */
    struct sim_csv_table stages, candidates, pareto, sensitivity; /**< of a tune */
    struct sim_csv_table comparison;                              /**< of a comparison */
    struct sim_json_file files[3];                                /**< own the JSON above */
};

/** Look at folder @p path and read what is in it. @return false with *error when it holds no results, or damaged ones; *ret
 *  is to be finished in any case. */
bool sim_view_open(struct sim_view *ret, const char *path, struct sim_located_error *error);
void sim_view_finish(struct sim_view *view);

/** The member of objects that @p path, names separated by '/', leads to from @p from; NULL when there is none. */
const cJSON *sim_json_at(const cJSON *from, const char *path);

/** The same as a number: NaN for none. */
double sim_json_number_at(const cJSON *from, const char *path);

/** The same as a text: "" for none. */
const char *sim_json_text_at(const cJSON *from, const char *path);

/** A figure of a result's summary: its member @p part ("value", "lo", "hi", "beyond"), NaN for none. */
double sim_view_figure(const struct sim_view *view, const char *name, const char *part);

#endif
