/* The life of jobs for programs. */
#include "explain.h"

#include "../results/text.h"

#include <math.h>
#include <stdlib.h>

static const char *const class_names[] = {"critical", "standard", "batch"};

static void add_string(struct sim_text *text, const char *key, const char *value) {
    sim_text_printf(text, ", \"%s\": ", key);
    sim_text_json_string(text, value);
}

static void add_seconds(struct sim_text *text, const char *key, int64_t ns) {
    sim_text_printf(text, ", \"%s\": ", key);
    sim_text_json_number(text, (double)ns / 1e9);
}

/* Limiters as the figures name them. */
static const char *limiter_name(enum model_limiter limiter) {
    static const char *const names[MODEL_LIMITERS] = {"admitted",    "rpm",      "itpm",  "otpm",      "ramp",
                                                      "concurrency", "overload", "spend", "unservable"};
    return names[limiter];
}

static void add_event(struct sim_text *text, const struct sim_scenario *scenario, const struct sim_life *life,
                      const struct sim_life_event *event) {
    static const char *const kinds[] = {"queued",  "passed",   "picked",  "held", "refused",
                                        "backoff", "admitted", "demoted", "ended"};
    sim_text_add(text, "{\"at_s\": ");
    sim_text_json_number(text, (double)event->at_ns / 1e9);
    add_string(text, "event", kinds[event->kind]);
    switch (event->kind) {
    case SIM_LIFE_QUEUED:
        add_string(text, "class", class_names[event->class_id]);
        sim_text_printf(text, ", \"again\": %s, \"demoted\": %s, \"batch\": %s", event->again ? "true" : "false",
                        event->demoted ? "true" : "false", event->gathers ? "true" : "false");
        break;
    case SIM_LIFE_PASSED:
        sim_text_printf(text, ", \"worker\": %u, \"job\": \"%u:%u.%u\"", event->worker, life->replication,
                        event->stream, event->number);
        add_string(text, "tenant", scenario->workload.tenants[event->tenant].id);
        add_string(text, "class", class_names[event->class_id]);
        break;
    case SIM_LIFE_PICKED:
        if (event->worker != SIM_NO_WORKER)
            sim_text_printf(text, ", \"worker\": %u", event->worker);
        break;
    case SIM_LIFE_HELD:
        add_seconds(text, "until_s", event->until_ns);
        break;
    case SIM_LIFE_REFUSED:
        add_string(text, "by", limiter_name(event->limiter));
        if (event->retry_after_ns >= 0)
            add_seconds(text, "retry_after_s", event->retry_after_ns);
        break;
    case SIM_LIFE_BACKOFF:
        add_seconds(text, "until_s", event->until_ns);
        sim_text_printf(text, ", \"requeue\": %s", event->requeues ? "true" : "false");
        break;
    case SIM_LIFE_ADMITTED:
        add_seconds(text, "first_token_s", event->first_token_ns);
        break;
    case SIM_LIFE_DEMOTED:
        add_string(text, "by", event->by_throttles ? "throttles" : "budget");
        break;
    case SIM_LIFE_ENDED:
        break;
    }
    sim_text_add(text, "}");
}

static void add_parts(struct sim_text *text, const struct sim_life *life) {
    struct sim_life_parts parts = sim_life_parts(life);
    sim_text_add(text, "      \"parts\": {\"queue_s\": ");
    sim_text_json_number(text, (double)parts.queue_ns / 1e9);
    add_seconds(text, "gather_s", parts.gather_ns);
    add_seconds(text, "held_s", parts.held_ns);
    sim_text_add(text, ", \"backoff_s\": {");
    bool any = false;
    for (size_t i = 0; i < MODEL_LIMITERS; i++) {
        if (parts.refusals[i] == 0)
            continue;
        sim_text_printf(text, "%s\"%s\": ", any ? ", " : "", limiter_name((enum model_limiter)i));
        sim_text_json_number(text, (double)parts.backoff_ns[i] / 1e9);
        any = true;
    }
    sim_text_add(text, "}");
    add_seconds(text, "service_s", parts.service_ns);
    sim_text_printf(text, ", \"passed_by\": %u},\n", parts.passed);
}

static void add_life(struct sim_text *text, const struct sim_scenario *scenario, const struct sim_life *life) {
    static const char *const endings[] = {"completed", "failed", "abandoned", "censored"};
    sim_text_printf(text, "    {\"job\": \"%u:%u.%u\", \"replication\": %u", life->replication, life->stream,
                    life->number, life->replication);
    add_string(text, "tenant", scenario->workload.tenants[life->tenant].id);
    add_string(text, "requested_class", class_names[life->requested]);
    add_string(text, "class", class_names[life->class_id]);
    sim_text_printf(text, ", \"counted\": %s, \"attempts\": %u, \"input_tokens\": %lld, \"output_tokens\": %lld",
                    life->counted ? "true" : "false", life->attempts, (long long)life->work.input_tokens,
                    (long long)life->work.output_tokens);
    add_seconds(text, "arrived_s", life->arrived_ns);
    add_seconds(text, "ended_s", life->ended_ns);
    add_string(text, "ending", endings[life->ending]);
    sim_text_add(text, ",\n");
    add_parts(text, life);
    sim_text_add(text, "      \"why\": ");
    char *sentence = cli_life_sentence(scenario, life);
    sim_text_json_string(text, sentence);
    free(sentence);
    sim_text_add(text, ",\n      \"events\": [");
    for (size_t i = 0; i < life->count; i++) {
        sim_text_add(text, i ? ",\n        " : "\n        ");
        add_event(text, scenario, life, &life->events[i]);
    }
    sim_text_add(text, "]}");
}

char *cli_lives_json(const struct sim_scenario *scenario, const struct sim_life *lives, size_t count) {
    struct sim_text text = {0};
    sim_text_add(&text, "{\n  \"version\": 1,\n  \"scenario\": ");
    sim_text_json_string(&text, scenario->name);
    sim_text_add(&text, ",\n  \"seed\": ");
    sim_text_json_string(&text, scenario->seed_text);
    sim_text_add(&text, ",\n  \"jobs\": [");
    for (size_t i = 0; i < count; i++) {
        sim_text_add(&text, i ? ",\n" : "\n");
        add_life(&text, scenario, &lives[i]);
    }
    sim_text_add(&text, "\n  ]\n}\n");
    return sim_text_take(&text);
}
