#include "tune_report.h"

#include "../load/load.h"
#include "../tune/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Width of the labels, and how many of a round's candidates are shown. */
enum { LABEL = 13, BEST = 3 };

static void put_label(const struct cli_page *page, const char *label) {
    cli_put(page, CLI_BOLD, label);
    fprintf(page->out, "%*s", LABEL - (int)strlen(label), "");
}

static const char *label_of(const struct sim_tune *tune, size_t number) {
    return sim_study_label(tune->study, tune->candidates[number]->values, tune->bench.memory);
}

static void add_estimate(struct cli_table *table, const struct sim_estimate *estimate) {
    cli_cell(table, CLI_PLAIN, "%s", cli_number(estimate->value).text);
    cli_cell(table, CLI_DIM, "%s", cli_interval(estimate->lo, estimate->hi, cli_number).text);
}

void cli_tune_heading(const struct cli_page *page, const struct sim_study *study) {
    cli_put(page, CLI_BOLD, study->name);
    fprintf(page->out, ": %zu knobs of scenario %s, seed %s\n", study->axis_count, study->base->name,
            study->base->seed_text);
    put_label(page, "to minimise");
    if (study->objective_count > 0)
        fprintf(page->out, "%s, in units of the baseline's\n", study->objectives[0].text);
    else
        cli_put_wrapped(page, CLI_PLAIN,
                        "phi, the logarithm of the worst quantile over its SLO's limit: 0 is at the limit, -0.69 half "
                        "of it; taken in each replication",
                        LABEL);
    put_label(page, "rules");
    for (size_t i = 0; i < study->slo_count; i++)
        fprintf(page->out, "%s%*s", i > 0 ? "\n" : "", i > 0 ? LABEL : 0, ""), cli_put(page, CLI_PLAIN, study->slo[i]);
    fprintf(page->out, "%s%*sthroughput at least 99 %% of the baseline's\n", study->slo_count > 0 ? "\n" : "",
            study->slo_count > 0 ? LABEL : 0, "");
}

/* ---- screening ---- */

static void add_effect(struct cli_table *table, const struct sim_screening *screening, const struct sim_axis *axis) {
    bool kept = screening->kept[axis->dimension];
    cli_cell(table, CLI_PLAIN, "%s", axis->name);
    if (screening->trajectories > 0) {
        cli_cell(table, CLI_PLAIN, "%s", cli_number(screening->effects[axis->dimension].mu_star).text);
        cli_cell(table, CLI_DIM, "%s", cli_number(screening->effects[axis->dimension].sigma).text);
        cli_cell(table, CLI_PLAIN, "%s", cli_number(screening->rules[axis->dimension].mu_star).text);
    } else
        for (int i = 0; i < 3; i++)
            cli_cell(table, CLI_DIM, "-");
    cli_cell(table, kept ? CLI_PLAIN : CLI_DIM, "%s", kept ? "varied" : "frozen");
}

/* Nothing that any knob does shows: the usual reason is a system that never makes anybody wait. */
static bool is_inert(const struct sim_tune *tune) {
    for (size_t d = 0; d < tune->study->dimensions && tune->screening.trajectories > 0; d++)
        if (tune->screening.effects[d].mu_star > 0 || tune->screening.rules[d].mu_star > 0)
            return false;
    return tune->screening.trajectories > 0;
}

static void print_screening(const struct cli_page *page, const struct sim_tune *tune) {
    const struct sim_screening *screening = &tune->screening;
    struct cli_table table = {.columns = 5, .align = "lrrrl"};
    fputs("\n", page->out);
    put_label(page, "screening");
    if (screening->trajectories > 0)
        fprintf(page->out, "%zu trajectories x %zu points x %u replications (Morris)\n", screening->trajectories,
                tune->study->dimensions + 1, screening->replications);
    else
        fputs("none: the constraints leave no trajectory, so every knob is varied\n", page->out);
    cli_cell(&table, CLI_DIM, "knob");
    cli_cell(&table, CLI_DIM, "moves %s by (mu*)", tune->goal.figure == NULL ? "phi" : "the objective");
    cli_cell(&table, CLI_DIM, "sigma");
    cli_cell(&table, CLI_DIM, "other rules by");
    cli_row_end(&table);
    for (size_t a = 0; a < tune->study->axis_count; a++)
        add_effect(&table, screening, &tune->study->axes[a]);
    cli_table_print(&table, page, LABEL);
    if (!is_inert(tune))
        return;
    fprintf(page->out, "%*s", LABEL, "");
    cli_put_wrapped(
        page, CLI_DOUBT,
        "No knob does anything here: where nobody waits and nothing is refused, the scheduler has nothing to "
        "decide. Tune at a higher load, or other knobs.",
        LABEL);
}

/* ---- rounds ---- */

static void add_entry(struct cli_table *table, const struct sim_tune *tune, const struct sim_entry *entry) {
    const char *rule = entry->excess > 0 ? sim_tune_rule(tune, entry->rule) : NULL;
    cli_cell(table, CLI_PLAIN, "%zu", entry->candidate);
    add_estimate(table, &entry->figure);
    if (tune->candidates[entry->candidate]->failure != NULL)
        cli_cell(table, CLI_BAD, "did not run");
    else
        cli_cell(table, rule == NULL ? CLI_GOOD : CLI_BAD, "%s%s", rule == NULL ? "keeps all" : "misses ",
                 rule == NULL ? "" : rule);
}

static void add_header(struct cli_table *table, const struct sim_tune *tune, const char *last) {
    cli_cell(table, CLI_DIM, "candidate");
    cli_cell(table, CLI_DIM, "%s", tune->goal_name);
    cli_cell(table, CLI_DIM, "95 %%");
    cli_cell(table, CLI_DIM, "%s", last);
    cli_row_end(table);
}

static void print_round(const struct cli_page *page, const struct sim_tune *tune) {
    const struct sim_tune_round *round = &tune->rounds[tune->round_count - 1];
    struct cli_table table = {.columns = 4, .align = "rrll"};
    size_t good = 0;
    char label[32];
    for (size_t i = 0; i < round->count; i++)
        good += round->entries[i].excess <= 0;
    snprintf(label, sizeof label, "round %zu", tune->round_count);
    fputs("\n", page->out);
    put_label(page, label);
    fprintf(page->out, "%zu candidates x %u replications: %zu seem to keep every rule; best and baseline:\n",
            round->count, round->plan.replications, good);
    add_header(&table, tune, "rules");
    for (size_t i = 0; i < round->count; i++)
        if (i < BEST || round->entries[i].candidate == 0)
            add_entry(&table, tune, &round->entries[i]);
    cli_table_print(&table, page, LABEL);
}

/* ---- selection ---- */

/* What the finalists are, under the table. */
static void print_finalists(const struct cli_page *page, const struct sim_tune *tune) {
    for (size_t i = 0; i < tune->selection.count; i++) {
        size_t number = tune->selection.finalists[i].candidate;
        fprintf(page->out, "%*s%9zu  ", LABEL, "", number);
        cli_put_wrapped(page, CLI_DIM, label_of(tune, number), LABEL + 11);
    }
}

static void print_selection(const struct cli_page *page, const struct sim_tune *tune) {
    const struct sim_selection *selection = &tune->selection;
    struct cli_table table = {.columns = 5, .align = "rrlrl"};
    fputs("\n", page->out);
    put_label(page, "selection");
    fprintf(page->out, "%zu finalist%s, %s", selection->count, selection->count == 1 ? "" : "s",
            selection->by_excess ? "though none seems to keep every rule"
            : selection->sure    ? "all of which keep every rule with confidence"
                                 : "all of which seem to keep every rule");
    if (selection->count == 1) {
        fputs("\n", page->out);
        print_finalists(page, tune);
        return;
    }
    fprintf(page->out, "\n%*sfresh replications (KN), alpha %g, delta %g%s\n", LABEL, "", SIM_TUNE_ALPHA,
            SIM_TUNE_DELTA, selection->by_excess ? ", on the largest excess over the SLOs" : "");
    cli_cell(&table, CLI_DIM, "candidate");
    cli_cell(&table, CLI_DIM, "%s", selection->by_excess ? "excess" : tune->goal_name);
    cli_cell(&table, CLI_DIM, "95 %%");
    cli_cell(&table, CLI_DIM, "replications");
    cli_row_end(&table);
    for (size_t i = 0; i < selection->count; i++) {
        const struct sim_finalist *finalist = &selection->finalists[i];
        bool winner = finalist->candidate == selection->winner;
        cli_cell(&table, CLI_PLAIN, "%zu", finalist->candidate);
        add_estimate(&table, &finalist->figure);
        cli_cell(&table, CLI_PLAIN, "%u", finalist->observations);
        cli_cell(&table, winner ? CLI_GOOD : CLI_DIM, "%s", winner ? "chosen" : finalist->left ? "ruled out" : "");
    }
    cli_table_print(&table, page, LABEL);
    print_finalists(page, tune);
}

/* ---- confirmation ---- */

static void add_side(struct cli_table *table, const struct sim_estimate *figure, enum sim_verdict verdict) {
    static const char *const words[] = {"pass", "FAIL", "inconclusive"};
    static const enum cli_tone tones[] = {CLI_GOOD, CLI_BAD, CLI_DOUBT};
    if (isnan(figure->value) && isfinite(figure->beyond))
        cli_cell(table, CLI_PLAIN, "> %s", cli_number(figure->beyond).text);
    else
        cli_cell(table, CLI_PLAIN, "%s", cli_number(figure->value).text);
    cli_cell(table, tones[verdict], "%s", words[verdict]);
}

static void add_rule(struct cli_table *table, const struct sim_tune *tune, size_t rule) {
    const struct sim_confirmation *confirmation = &tune->confirmation;
    const struct sim_slo_result *baseline = &confirmation->baseline.slos[rule];
    const struct sim_slo_result *winner = &confirmation->winner.slos[rule];
    const struct sim_paired *paired = &confirmation->figures[rule];
    cli_cell(table, CLI_PLAIN, "%s", tune->slos[rule].text);
    add_side(table, &baseline->figure, baseline->verdict);
    if (tune->selection.winner != 0) {
        add_side(table, &winner->figure, winner->verdict);
        cli_cell(table, CLI_PLAIN, "%s", cli_number(paired->difference).text);
        cli_cell(table, CLI_DIM, "%s", cli_interval(paired->lo, paired->hi, cli_number).text);
    }
    cli_row_end(table);
}

/* Against the baseline: only how much more there is than the rule asks for. */
static void add_throughput(struct cli_table *table, const struct sim_confirmed *winner) {
    cli_cell(table, CLI_PLAIN, "throughput, jobs/s over its least");
    cli_cell(table, CLI_PLAIN, "%s", "");
    cli_cell(table, CLI_PLAIN, "%s", "");
    add_side(table, &winner->throughput_spare, winner->throughput);
    cli_row_end(table);
}

static void print_confirmation(const struct cli_page *page, const struct sim_tune *tune) {
    const struct sim_confirmation *confirmation = &tune->confirmation;
    bool two = tune->selection.winner != 0;
    struct cli_table table = {.columns = 7, .align = "lrlrlrl"};
    fputs("\n", page->out);
    put_label(page, "confirmation");
    fprintf(page->out, "%u replications that nothing above has seen\n", confirmation->replications);
    cli_cell(&table, CLI_DIM, "rule");
    cli_cell(&table, CLI_DIM, "baseline");
    if (two) {
        cli_cell(&table, CLI_DIM, "%s", "");
        cli_cell(&table, CLI_DIM, "%zu", tune->selection.winner);
        cli_cell(&table, CLI_DIM, "%s", "");
        cli_cell(&table, CLI_DIM, "change");
        cli_cell(&table, CLI_DIM, "95 %%");
    }
    cli_row_end(&table);
    for (size_t i = 0; i < tune->slo_count; i++)
        add_rule(&table, tune, i);
    if (two)
        add_throughput(&table, &confirmation->winner);
    cli_table_print(&table, page, LABEL);
}

void cli_tune_stage(const struct cli_page *page, const struct sim_tune *tune, enum sim_tune_stage stage) {
    static void (*const prints[])(const struct cli_page *page,
                                  const struct sim_tune *tune) = {[SIM_STAGE_SCREENING] = print_screening,
                                                                  [SIM_STAGE_ROUND] = print_round,
                                                                  [SIM_STAGE_SELECTION] = print_selection,
                                                                  [SIM_STAGE_CONFIRMATION] = print_confirmation};
    prints[stage](page, tune);
    fflush(page->out);
}

/* ---- verdict ---- */

/* By how much the winner is better. */
static void print_difference(const struct cli_page *page, const struct sim_tune *tune) {
    const struct sim_estimate *difference = &tune->confirmation.difference;
    char text[300];
    if (tune->selection.winner == 0)
        return;
    int length = snprintf(text, sizeof text, "%s of candidate %zu less the baseline's: %s %s", tune->goal_name,
                          tune->selection.winner, cli_number(difference->value).text,
                          cli_interval(difference->lo, difference->hi, cli_number).text);
    if (tune->goal.figure == NULL)
        snprintf(text + length, sizeof text - (size_t)length,
                 ": the worst quantile over its limit changes by a factor of %s %s (geometric mean over replications)",
                 cli_number(exp(difference->value)).text,
                 cli_interval(exp(difference->lo), exp(difference->hi), cli_number).text);
    put_label(page, "difference");
    cli_put_wrapped(page, CLI_PLAIN, text, LABEL);
}

static void print_binding(const struct cli_page *page, const struct sim_tune *tune) {
    size_t winner = tune->selection.winner;
    const struct sim_confirmed *side = &tune->confirmation.winner;
    struct sim_binding binding = sim_tune_binding(tune, winner);
    char text[400];
    put_label(page, "nearest");
    snprintf(text, sizeof text, "candidate %zu (%.150s), over the limit by a factor of %s in \"%.80s\"", winner,
             label_of(tune, winner), cli_number(exp(side->excess)).text, sim_tune_rule(tune, side->rule));
    cli_put_wrapped(page, CLI_PLAIN, text, LABEL);
    put_label(page, "what binds");
    if (binding.words == NULL)
        snprintf(text, sizeof text,
                 "nothing is refused and the workers are not crowded: the time is the endpoint's own");
    else if (binding.throttles > 0)
        snprintf(text, sizeof text, "%s: %s of the refusals come from it, and %s of it is used", binding.words,
                 cli_percent(binding.share).text, cli_percent(binding.utilisation).text);
    else
        snprintf(text, sizeof text, "%s: %s of their time is taken", binding.words,
                 cli_percent(binding.utilisation).text);
    cli_put_wrapped(page, CLI_PLAIN, text, LABEL);
}

/* SLOs that even a system without any waiting would miss. */
static void print_hopeless(const struct cli_page *page, const struct sim_tune *tune) {
    struct sim_load *load = sim_load_create(tune->study->base, tune->slos, tune->slo_count);
    for (size_t i = 0; i < load->slo_count; i++) {
        const struct sim_slo *slo = &tune->slos[i];
        double idle = load->slos[i].idle;
        char text[300];
        if (!sim_in_phi(slo) || !(idle > slo->limit))
            continue;
        snprintf(text, sizeof text, "%.100s: in an idle system it is %s s, so no scheduler can keep it", slo->text,
                 cli_number(idle).text);
        put_label(page, "hopeless");
        cli_put_wrapped(page, CLI_BAD, text, LABEL);
    }
    sim_load_destroy(load);
}

static void print_patch(const struct cli_page *page, const struct sim_tune *tune) {
    char *patch = sim_tune_recommended_json(tune);
    fputs("\n", page->out);
    cli_put(page, CLI_BOLD, "recommended.json");
    fputs("\n", page->out);
    fputs(patch, page->out);
    free(patch);
}

void cli_tune_verdict(const struct cli_page *page, const struct sim_tune *tune, const char *where) {
    static const struct {
        const char *word;
        enum cli_tone tone;
    } words[] = {[SIM_TUNE_RECOMMENDED] = {"RECOMMENDED", CLI_GOOD},
                 [SIM_TUNE_NO_BETTER] = {"NO BETTER", CLI_GOOD},
                 [SIM_TUNE_INCONCLUSIVE] = {"INCONCLUSIVE", CLI_DOUBT},
                 [SIM_TUNE_NOTHING] = {"NOTHING FITS", CLI_BAD}};
    char *guarantee = sim_tune_guarantee(tune);
    char text[500];
    fputs("\n", page->out);
    cli_put(page, words[tune->verdict].tone, words[tune->verdict].word);
    fprintf(page->out, "%*s", LABEL - (int)strlen(words[tune->verdict].word), "");
    if (tune->verdict == SIM_TUNE_RECOMMENDED)
        snprintf(text, sizeof text, "candidate %zu (%.250s): %s", tune->selection.winner,
                 label_of(tune, tune->selection.winner), tune->why);
    else
        snprintf(text, sizeof text, "%s", tune->why);
    cli_put_wrapped(page, CLI_PLAIN, text, LABEL);
    print_difference(page, tune);
    if (tune->verdict == SIM_TUNE_NOTHING) {
        print_binding(page, tune);
        print_hopeless(page, tune);
    }
    put_label(page, "guarantee");
    cli_put_wrapped(page, CLI_PLAIN, guarantee, LABEL);
    put_label(page, "replications");
    fprintf(page->out, "%llu in all\n", (unsigned long long)tune->simulated);
    if (tune->verdict == SIM_TUNE_RECOMMENDED)
        print_patch(page, tune);
    fprintf(page->out, "\nfiles        %s/\n", where);
    free(guarantee);
}
