/** The version of the model: one integer that is raised whenever a figure of any scenario changes, by a correction or by a
 *  new rule, and whenever a figure comes or goes. Results kept in a database are told apart by it, so that a sweep never
 *  mixes numbers of two models. tests/cli/model_version.py pins figures of small scenarios: when it fails, raise this and
 *  pin anew. */
#ifndef SIM_MODEL_VERSION_H
#define SIM_MODEL_VERSION_H

enum { SIM_MODEL_VERSION = 1 };

#endif
