/** The scheduler's clock and random ports as a simulated world provides them. */
#ifndef SIM_PORTS_H
#define SIM_PORTS_H

#include "../models/streams.h"
#include "../sched/ports.h"

/** What the ports read; `now_ns` is moved by the world. */
struct sim_ports {
    struct model_streams streams;
    int64_t now_ns;
    int64_t start_unix_ns; /**< wall clock of instant 0 */
};

/** Ports that read @p ports, which must stay in place. Jobs are told apart by the upper (stream) and lower (number) halves
 *  of their id. */
struct sched_clock sim_ports_clock(struct sim_ports *ports);
struct sched_random sim_ports_random(struct sim_ports *ports);

#endif
