/* The life of a job for people: a timeline and a sentence. */
#include "explain.h"

#include "../memory.h"
#include "../results/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {"critical", "standard", "batch"};
static const char *const origin_names[] = {"user_action", "scheduled", "batch_job"};

/* Columns of the timeline: seconds of the run, seconds since the arrival, and what happened. */
enum { TEXT_COLUMN = 28, PICKERS_SHOWN = 4, ALIKE_SHOWN = 3 };

const char *cli_refusal_word(enum model_limiter limiter) {
    static const char *const words[MODEL_LIMITERS] = {
        [MODEL_ADMITTED] = "admitted",
        [MODEL_BY_RPM] = "429 by RPM",
        [MODEL_BY_ITPM] = "429 by ITPM",
        [MODEL_BY_OTPM] = "429 by OTPM",
        [MODEL_BY_RAMP] = "429 by the ramp",
        [MODEL_BY_CONCURRENCY] = "429 by concurrency",
        [MODEL_BY_OVERLOAD] = "529 (overloaded)",
        [MODEL_BY_SPEND] = "429 by the spend cap",
        [MODEL_UNSERVABLE] = "refused as unservable",
    };
    return words[limiter];
}

static struct cli_word seconds(int64_t ns) {
    struct cli_word word;
    snprintf(word.text, sizeof word.text, "%.40s s", cli_number((double)ns / 1e9).text);
    return word;
}

static const char *tenant_of(const struct sim_scenario *scenario, uint32_t tenant) {
    return scenario->workload.tenants[tenant].id;
}

/* ---- who was picked before it ---- */

/* Picks of one tenant out of one class. */
struct picker {
    uint32_t tenant;
    enum sched_class class_id;
    uint32_t count;
};

static int by_count(const void *a, const void *b) {
    const struct picker *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->tenant != y->tenant)
        return x->tenant < y->tenant ? -1 : 1;
    return (int)x->class_id - (int)y->class_id;
}

/* Count the picks among @p count events by tenant and, unless @p classes is false, by class. @return how many there are
 * of *ret (malloc'ed), most picks first. */
static size_t count_pickers(const struct sim_life_event *events, size_t count, bool classes, struct picker **ret) {
    struct picker *pickers = sim_calloc(count, sizeof *pickers);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sim_life_event *event = &events[i];
        size_t at = 0;
        if (event->kind != SIM_LIFE_PASSED)
            continue;
        while (at < used &&
               (pickers[at].tenant != event->tenant || (classes && pickers[at].class_id != event->class_id)))
            at++;
        if (at == used)
            pickers[used++] = (struct picker){.tenant = event->tenant, .class_id = event->class_id};
        pickers[at].count++;
    }
    qsort(pickers, used, sizeof *pickers, by_count);
    *ret = pickers;
    return used;
}

/* Why a job of that class and tenant went first. */
static const char *reason(const struct sim_life *life, enum sched_class own, uint32_t tenant,
                          enum sched_class class_id) {
    if (class_id < own)
        return "a higher class";
    if (class_id > own)
        return "a lower class, drawn by weight";
    return tenant == life->tenant ? "its own tenant, ahead in the queue" : "the tenant's turn";
}

/* ---- the sentence ---- */

static void add_part(struct sim_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_part(struct sim_text *text, const char *format, ...) {
    char part[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    if (text->length > 0)
        sim_text_add(text, "; ");
    sim_text_add(text, part);
}

static void add_queue(struct sim_text *text, const struct sim_scenario *scenario, const struct sim_life *life,
                      const struct sim_life_parts *parts) {
    struct picker *pickers;
    size_t count = count_pickers(life->events, life->count, false, &pickers);
    if (parts->queue_ns > 0 && parts->passed == 0)
        add_part(text, "waited %s in queue, with no job picked before it", seconds(parts->queue_ns).text);
    else if (count == 1)
        add_part(text, "waited %s in queue: %u %sjob%s of %s%.60s %s picked before it", seconds(parts->queue_ns).text,
                 parts->passed, pickers[0].tenant == life->tenant ? "other " : "", parts->passed == 1 ? "" : "s",
                 pickers[0].tenant == life->tenant ? "its own tenant " : "tenant ",
                 tenant_of(scenario, pickers[0].tenant), parts->passed == 1 ? "was" : "were");
    else if (count > 1) {
        add_part(text, "waited %s in queue: %u jobs were picked before it", seconds(parts->queue_ns).text,
                 parts->passed);
        for (size_t i = 0; i < count && i < PICKERS_SHOWN; i++)
            sim_text_printf(text, ", %u of %s%s", pickers[i].count,
                            pickers[i].tenant == life->tenant ? "its own tenant " : "tenant ",
                            tenant_of(scenario, pickers[i].tenant));
        if (count > PICKERS_SHOWN)
            sim_text_printf(text, " and others of %zu more", count - PICKERS_SHOWN);
    }
    free(pickers);
}

static const struct sim_life_event *last_of(const struct sim_life *life, enum sim_life_kind kind) {
    for (size_t i = life->count; i-- > 0;)
        if (life->events[i].kind == kind)
            return &life->events[i];
    return NULL;
}

static const char *ending_words(const struct sim_life *life) {
    const struct sim_life_event *refused = last_of(life, SIM_LIFE_REFUSED);
    switch (life->ending) {
    case SIM_ENDED_COMPLETED:
        return NULL;
    case SIM_ENDED_ABANDONED:
        return "left when its patience ended";
    case SIM_ENDED_CENSORED:
        return "still open when the run ended";
    case SIM_ENDED_FAILED:
        break;
    }
    if (!refused)
        return "failed: its batch expired";
    return refused->limiter == MODEL_UNSERVABLE ? "failed: it can never be admitted" : "failed: no retry was left";
}

char *cli_life_sentence(const struct sim_scenario *scenario, const struct sim_life *life) {
    struct sim_life_parts parts = sim_life_parts(life);
    struct sim_text text = {0};
    const struct sim_life_event *picked = last_of(life, SIM_LIFE_PICKED);
    bool batched = picked && picked->worker == SIM_NO_WORKER;
    const char *ending = ending_words(life);
    add_queue(&text, scenario, life, &parts);
    if (parts.gather_ns > 0)
        add_part(&text, "waited %s until its batch was sent", seconds(parts.gather_ns).text);
    if (parts.held_ns > 0)
        add_part(&text, "held %s by pacing", seconds(parts.held_ns).text);
    for (size_t i = 0; i < MODEL_LIMITERS; i++) {
        if (parts.refusals[i] == 0)
            continue;
        add_part(&text, "%u x %s cost %s", parts.refusals[i], cli_refusal_word((enum model_limiter)i),
                 seconds(parts.backoff_ns[i]).text);
    }
    if (parts.service_ns > 0)
        add_part(&text, batched ? "in its batch %s" : "service %s", seconds(parts.service_ns).text);
    if (ending)
        add_part(&text, "%s", ending);
    char *list = sim_text_take(&text);
    sim_text_printf(&text, "%s %s: %s", seconds(life->ended_ns - life->arrived_ns).text,
                    life->ending == SIM_ENDED_COMPLETED ? "in all" : "in the system", list);
    free(list);
    return sim_text_take(&text);
}

/* ---- the timeline ---- */

static void put_time(const struct cli_page *page, const struct sim_life *life, int64_t at_ns) {
    char text[64];
    snprintf(text, sizeof text, "%13.3f  %+11.3f  ", (double)at_ns / 1e9, (double)(at_ns - life->arrived_ns) / 1e9);
    cli_put(page, CLI_DIM, text);
}

static void put_line(const struct cli_page *page, const struct sim_life *life, int64_t at_ns, enum cli_tone tone,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
static void put_line(const struct cli_page *page, const struct sim_life *life, int64_t at_ns, enum cli_tone tone,
                     const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_time(page, life, at_ns);
    cli_put_wrapped(page, tone, text, TEXT_COLUMN);
}

static void put_queued(const struct cli_page *page, const struct sim_life *life, const struct sim_life_event *event) {
    const char *what = event->again ? "back in the queue" : "arrives";
    bool odd = life->origin == SCHED_SCHEDULED && life->requested == SCHED_BATCH;
    struct cli_word where = {"goes into a message batch"};
    if (!event->gathers)
        snprintf(where.text, sizeof where.text, "queued as %s", class_names[event->class_id]);
    if (event->class_id != life->requested)
        put_line(page, life, event->at_ns, CLI_PLAIN, "%s, %s: its tenant is demoted (it asks for %s, being %s)", what,
                 where.text, class_names[life->requested], origin_names[life->origin]);
    else
        put_line(page, life, event->at_ns, CLI_PLAIN, "%s, %s: %s%s", what, where.text,
                 odd ? "no SLA below a day" : origin_names[life->origin],
                 event->demoted ? " (its tenant is demoted)" : "");
}

static void put_pick(const struct cli_page *page, const struct sim_scenario *scenario, const struct sim_life *life,
                     enum sched_class own, const struct sim_life_event *event) {
    put_line(page, life, event->at_ns, CLI_DIM, "worker %u picks job %u:%u.%u of tenant %.60s, %s: %s", event->worker,
             life->replication, event->stream, event->number, tenant_of(scenario, event->tenant),
             class_names[event->class_id], reason(life, own, event->tenant, event->class_id));
}

/* A row of picks without anything else between them, from events[first]. @return how many. */
static size_t put_picks(const struct cli_page *page, const struct sim_scenario *scenario, const struct sim_life *life,
                        size_t first, enum sched_class own, bool every_pick) {
    size_t count = 0;
    while (first + count < life->count && life->events[first + count].kind == SIM_LIFE_PASSED)
        count++;
    if (every_pick || count <= ALIKE_SHOWN) {
        for (size_t i = 0; i < count; i++)
            put_pick(page, scenario, life, own, &life->events[first + i]);
        return count;
    }
    struct picker *pickers;
    size_t kinds = count_pickers(&life->events[first], count, true, &pickers);
    put_line(page, life, life->events[first].at_ns, CLI_PLAIN, "from here to %+.3f workers pick %zu other jobs:",
             (double)(life->events[first + count - 1].at_ns - life->arrived_ns) / 1e9, count);
    for (size_t i = 0; i < kinds; i++) {
        fprintf(page->out, "%*s%6u of tenant ", TEXT_COLUMN, "", pickers[i].count);
        cli_put(page, CLI_PLAIN, tenant_of(scenario, pickers[i].tenant));
        fprintf(page->out, ", %s: %s\n", class_names[pickers[i].class_id],
                reason(life, own, pickers[i].tenant, pickers[i].class_id));
    }
    free(pickers);
    return count;
}

static void put_refused(const struct cli_page *page, const struct sim_life *life, const struct sim_life_event *event,
                        uint32_t attempt) {
    if (event->retry_after_ns >= 0)
        put_line(page, life, event->at_ns, CLI_DOUBT, "attempt %u: %s, retry-after %s", attempt,
                 cli_refusal_word(event->limiter), seconds(event->retry_after_ns).text);
    else
        put_line(page, life, event->at_ns, CLI_DOUBT, "attempt %u: %s", attempt, cli_refusal_word(event->limiter));
}

static void put_ended(const struct cli_page *page, const struct sim_life *life) {
    const char *words = ending_words(life);
    put_line(page, life, life->ended_ns, life->ending == SIM_ENDED_COMPLETED ? CLI_GOOD : CLI_BAD, "%s",
             words ? words : "completed");
}

static void put_event(const struct cli_page *page, const struct sim_life *life, const struct sim_life_event *event,
                      uint32_t *attempts) {
    switch (event->kind) {
    case SIM_LIFE_QUEUED:
        put_queued(page, life, event);
        break;
    case SIM_LIFE_PICKED:
        if (event->worker == SIM_NO_WORKER)
            put_line(page, life, event->at_ns, CLI_PLAIN, "its batch is sent");
        else
            put_line(page, life, event->at_ns, CLI_PLAIN, "picked by worker %u", event->worker);
        break;
    case SIM_LIFE_HELD:
        put_line(page, life, event->at_ns, CLI_PLAIN, "pacing holds it for %s",
                 seconds(event->until_ns - event->at_ns).text);
        break;
    case SIM_LIFE_REFUSED:
        put_refused(page, life, event, ++*attempts);
        break;
    case SIM_LIFE_BACKOFF:
        put_line(page, life, event->at_ns, CLI_PLAIN, "waits %s in back-off, keeping its worker%s",
                 seconds(event->until_ns - event->at_ns).text, event->requeues ? "; then back to the queue" : "");
        break;
    case SIM_LIFE_ADMITTED:
        put_line(page, life, event->at_ns, CLI_PLAIN, "attempt %u: admitted, first token after %s", ++*attempts,
                 seconds(event->first_token_ns - event->at_ns).text);
        break;
    case SIM_LIFE_DEMOTED:
        put_line(page, life, event->at_ns, CLI_DOUBT, "its tenant is demoted, by %s",
                 event->by_throttles ? "its 429s" : "its daily budget");
        break;
    case SIM_LIFE_ENDED:
        put_ended(page, life);
        break;
    case SIM_LIFE_PASSED:
        break;
    }
}

static void put_heading(const struct cli_page *page, const struct sim_scenario *scenario, const struct sim_life *life) {
    const struct model_tenant *tenant = &scenario->workload.tenants[life->tenant];
    fprintf(page->out, "%s", "");
    cli_put(page, CLI_BOLD, "job ");
    fprintf(page->out, "%u:%u.%u of tenant ", life->replication, life->stream, life->number);
    cli_put(page, CLI_BOLD, tenant->id);
    fprintf(page->out, " (weight %s): %s input tokens, cost %s, %s output tokens%s\n", cli_plain(tenant->weight).text,
            cli_plain((double)life->work.input_tokens).text, cli_plain((double)life->cost).text,
            cli_plain((double)life->work.output_tokens).text,
            life->counted ? "" : "; not counted, as it arrived and ended outside [warmup, duration)");
    fprintf(page->out, "%13s  %11s\n", "run s", "since s");
}

void cli_print_life(const struct cli_page *page, const struct sim_scenario *scenario, const struct sim_life *life,
                    bool every_pick) {
    enum sched_class own = life->requested;
    uint32_t attempts = 0;
    put_heading(page, scenario, life);
    for (size_t i = 0; i < life->count;) {
        const struct sim_life_event *event = &life->events[i];
        if (event->kind == SIM_LIFE_QUEUED)
            own = event->class_id;
        if (event->kind == SIM_LIFE_PASSED) {
            i += put_picks(page, scenario, life, i, own, every_pick);
            continue;
        }
        put_event(page, life, event, &attempts);
        i++;
    }
    char *sentence = cli_life_sentence(scenario, life);
    cli_put(page, CLI_BOLD, "why  ");
    cli_put_wrapped(page, CLI_PLAIN, sentence, 5);
    free(sentence);
}
