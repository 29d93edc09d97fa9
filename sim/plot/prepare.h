/** Preparations of the single pictures: see sim_plot.prepare. */
#ifndef SIM_PREPARE_H
#define SIM_PREPARE_H

#include "plot.h"

bool sim_prepare_latency(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_timeline(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_tenants(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_buckets(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_requests(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_welch(const struct sim_view *view, struct sim_plot_draft *draft);

bool sim_prepare_knobs(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_heatmap(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_pareto(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_tornado(const struct sim_view *view, struct sim_plot_draft *draft);

bool sim_prepare_stages(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_tune_pareto(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_tune_tornado(const struct sim_view *view, struct sim_plot_draft *draft);

bool sim_prepare_differences(const struct sim_view *view, struct sim_plot_draft *draft);

bool sim_prepare_claims(const struct sim_view *view, struct sim_plot_draft *draft);
bool sim_prepare_claim(const struct sim_view *view, struct sim_plot_draft *draft);

#endif
