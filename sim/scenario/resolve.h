/** From the draft to the scenario: names looked up, lists expanded, traces loaded, what needs several keys checked. */
#ifndef SIM_RESOLVE_H
#define SIM_RESOLVE_H

#include "draft.h"
#include "reader.h"

#include <cjson/cJSON.h>

/** After expansion. Both bound a scenario's memory. */
enum { SIM_TENANTS_MAX = 100000, SIM_STREAMS_MAX = 200000 };

/** A trace that was loaded, with the columns it was loaded for. */
struct sim_loaded_trace {
    struct sim_loaded_trace *next;
    const char *file;
    struct model_trace_columns columns;
    const struct model_trace *trace;
};

struct sim_resolver {
    struct sim_reader reader;
    struct sim_draft *draft;
    struct sim_scenario *scenario; /**< in the making */
    const cJSON *root;
    struct sim_loaded_trace *traces;
};

/** Classes, prices and regimes (resolve_endpoint.c). */
bool sim_resolve_endpoint(struct sim_resolver *resolver);

/** Tenants and their streams (resolve_workload.c). */
bool sim_resolve_workload(struct sim_resolver *resolver);

/** Room for tenants and streams while their number is not known. */
struct sim_workload_builder {
    struct sim_resolver *resolver;
    struct model_tenant *tenants;
    const struct sim_place **origins; /**< by tenant: the entry it comes from */
    size_t tenant_count, tenant_room;
    struct model_stream *streams;
    size_t stream_count, stream_room;
};

/** Add a tenant, or a stream of the tenant added last. @return false with an error at @p place when there are too many. */
bool sim_workload_add_tenant(struct sim_workload_builder *builder, const struct sim_place *place, const char *id,
                             const char *plan, int64_t daily_tokens);
bool sim_workload_add_stream(struct sim_workload_builder *builder, const struct sim_place *place,
                             const struct model_stream *stream);

/** Tenants of `population` number @p index (resolve_population.c). */
bool sim_resolve_population(struct sim_workload_builder *builder, const struct sim_place *place, size_t index,
                            const struct sim_population_draft *draft);

/** Check one stream and make a model_stream of it, all but its tenant (resolve_stream.c). A trace with tenant "*" gets
 *  trace_tenant -1. */
bool sim_resolve_stream(struct sim_resolver *resolver, const struct sim_place *place,
                        const struct sim_stream_draft *draft, struct model_stream *ret);

/** Prepare the gaps of a renewal process after its rate is set. */
bool sim_resolve_gap(struct sim_resolver *resolver, const struct sim_place *place,
                     struct model_arrivals_config *arrivals);

/** Load (or reuse) a trace, and check it against a manifest (resolve_trace.c). @return NULL with the error set. */
const struct model_trace *sim_resolve_trace(struct sim_resolver *resolver, const struct sim_place *arrivals,
                                            const struct sim_stream_draft *draft);

/** The name of @p names (count, stride apart, each a `char *` first) nearest to @p name; "" when there is none. */
const char *sim_resolve_nearest(const void *names, size_t count, size_t stride, const char *name);

/** Weight of @p plan; NULL: 1. Reports an unknown one at @p place. */
bool sim_resolve_plan(const struct sim_resolver *resolver, const struct sim_place *place, const char *plan,
                      double *ret_weight);

/** Drop `$schema`, comments and nulls (kept inside `changes`, where they switch off) from a tree (canonical.c). */
void sim_canonical_clean(cJSON *tree);

/** SHA-256 in hex of @p scenario's resolved tree: keys sorted, `about` left out, each trace by its checksum. */
void sim_canonical_hash(const struct sim_scenario *scenario, char ret_hex[65]);

#endif
