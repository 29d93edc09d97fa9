/** Preparations of the single pictures: see sim_plot.prepare. */
#ifndef SIM_PREPARE_H
#define SIM_PREPARE_H

#include "plot.h"

bool sim_prepare_latency(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_timeline(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_tenants(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_buckets(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_requests(const struct sim_view *view, struct sim_plot_draft *draft);

#endif
