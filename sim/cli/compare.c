/* fairlane compare: two results side by side. */
#include "compare.h"
#include "loaded.h"

#include "../results/load.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One of the two: a folder, or a scenario that becomes a record once it ran. */
struct side {
    const char *where;
    bool is_folder;
    struct cli_loaded loaded; /* scenarios */
    struct sim_record *record;
};

/* ---- reading ---- */

static bool open_side(struct side *side, const struct cli_options *options, struct sim_located_error *error) {
    side->is_folder = sim_is_folder(side->where);
    if (!side->is_folder)
        return cli_load(&side->loaded, side->where, options, error);
    side->record = sim_record_load(side->where, error);
    return side->record != NULL;
}

static bool check_options(const struct cli_options *options, const struct side *sides,
                          struct sim_located_error *error) {
    bool folders = sides[0].is_folder && sides[1].is_folder;
    if (folders && (options->set_count > 0 || options->set_file_count > 0)) {
        sim_error_set(error, "", 0, "",
                      "--set, --set-file, --seed and --replications change scenarios before they are "
                      "run, and both %s and %s are results",
                      sides[0].where, sides[1].where);
        return false;
    }
    if (options->all && options->metrics) {
        sim_error_set(error, "", 0, "", "--metrics and --all exclude each other");
        return false;
    }
    return !options->out || sim_folder_usable(options->out, error);
}

static struct sim_comparison_options what_of(const struct cli_options *options) {
    return (struct sim_comparison_options){.names = options->metrics,
                                           .all = options->all,
                                           .rules = options->fail_ons,
                                           .rule_count = options->fail_on_count};
}

/* Before anything runs: are the figures there that --metrics and --fail-on name? */
static bool check_figures(const struct cli_options *options, const struct side *sides,
                          struct sim_located_error *error) {
    const struct sim_comparison_options what = what_of(options);
    struct sim_record *planned[2] = {NULL};
    for (size_t i = 0; i < 2; i++)
        if (!sides[i].is_folder)
            planned[i] = sim_record_planned(sides[i].loaded.scenario, 0, sides[i].where);
    bool good = sim_comparison_check(planned[0] ? planned[0] : sides[0].record,
                                     planned[1] ? planned[1] : sides[1].record, &what, error);
    sim_record_destroy(planned[0]);
    sim_record_destroy(planned[1]);
    return good;
}

/* ---- running ---- */

static void tell(const struct cli_options *options, const struct side *side, const char *what) {
    if (!options->quiet)
        fprintf(stderr, "%s: %s, as on the other side\n", side->where, what);
}

/* Both sides draw the same numbers over the same span: what differs is taken from @p base. Durations are left to be
 * refused, since stretching one would make it another scenario. */
static void adopt(const struct cli_options *options, struct side *side, const char *seed, uint32_t replications,
                  int64_t warmup_ns) {
    struct sim_scenario *scenario = side->loaded.scenario;
    char what[96];
    if (strcmp(scenario->seed_text, seed) != 0) {
        snprintf(what, sizeof what, "run with seed %s", seed);
        tell(options, side, what);
        scenario->seed_text = (char *)seed;
        scenario->seed = strtoull(seed, NULL, 10);
    }
    if (scenario->replications != replications) {
        snprintf(what, sizeof what, "run %u times", replications);
        tell(options, side, what);
        scenario->replications = replications;
    }
    if (scenario->warmup_auto) {
        scenario->warmup_auto = false;
        scenario->warmup_ns = warmup_ns;
    }
    /* Both need the same number, which a figure of one side cannot decide. */
    scenario->precision = (struct sim_precision){0};
}

/* Warm-up, seed and number of replications once for both. */
static bool agree(const struct cli_options *options, struct side *sides, struct sim_located_error *error) {
    struct side *base = sides[1].is_folder && !sides[0].is_folder ? &sides[1] : &sides[0];
    struct side *other = base == sides ? &sides[1] : &sides[0];
    if (base->is_folder) {
        if (!other->is_folder)
            adopt(options, other, base->record->seed, (uint32_t)base->record->replications,
                  (int64_t)(base->record->warmup_s * 1e9 + .5));
        return true;
    }
    const struct sim_scenario *scenario = base->loaded.scenario;
    if (!cli_settle_warmup(options, base->loaded.scenario, error))
        return false;
    adopt(options, base, scenario->seed_text, scenario->replications, scenario->warmup_ns);
    adopt(options, other, scenario->seed_text, scenario->replications, scenario->warmup_ns);
    return true;
}

static bool run_side(const struct cli_options *options, struct side *side, struct sim_located_error *error) {
    struct cli_progress progress;
    struct sim_run_options how = cli_run_options(options, &progress);
    if (side->is_folder)
        return true;
    struct sim_result *result = sim_run(side->loaded.scenario, &how, error);
    cli_progress_end(&progress);
    if (!result)
        return false;
    side->record = sim_record_of(result, side->where);
    sim_result_destroy(result);
    return true;
}

static double span_of(const struct side *side, bool duration) {
    const struct sim_scenario *scenario = side->loaded.scenario;
    if (side->is_folder)
        return duration ? side->record->duration_s : side->record->warmup_s;
    return (double)(duration ? scenario->duration_ns : scenario->warmup_ns) / 1e9;
}

/* Before anything runs: would it pair? */
static bool same_span(const struct side *sides, struct sim_located_error *error) {
    for (int duration = 1; duration >= 0; duration--) {
        double a = span_of(&sides[0], duration), b = span_of(&sides[1], duration);
        if (a == b)
            continue;
        sim_error_set(error, "", 0, "",
                      "%s and %s do not pair: %s is %.10g s in the one and %.10g s in the other; pairs must cover the "
                      "same jobs, so give both the same",
                      sides[0].where, sides[1].where, duration ? "duration_s" : "warmup_s", a, b);
        return false;
    }
    return true;
}

/* ---- writing ---- */

static bool write_folder(const char *path, const struct sim_comparison *comparison, struct sim_located_error *error) {
    struct sim_folder *folder = sim_folder_create(path, error);
    bool good = folder && sim_comparison_write(folder, comparison, error) && sim_folder_commit(folder, error);
    sim_folder_destroy(folder);
    return good;
}

static void print(const struct cli_options *options, const struct sim_comparison *comparison) {
    if (options->json) {
        char *json = sim_comparison_json(comparison);
        assert(json);
        fputs(json, stdout);
        free(json);
    } else if (!options->quiet) {
        struct cli_page page = cli_page_on(stdout);
        cli_print_compared(&page, comparison->a, comparison->b);
        cli_print_comparison(&page, comparison);
        if (options->out) {
            fputs("files       ", stdout);
            cli_put(&page, CLI_PLAIN, options->out);
            fputs("\n", stdout);
        }
    }
}

static enum cli_exit verdict_of(const struct sim_comparison *comparison) {
    enum cli_exit code = CLI_OK;
    for (size_t i = 0; i < comparison->rule_count; i++) {
        if (comparison->rules[i].verdict == SIM_FAIL)
            return CLI_FAILED_SLO;
        if (comparison->rules[i].verdict == SIM_INCONCLUSIVE)
            code = CLI_INCONCLUSIVE;
    }
    return code;
}

static enum cli_exit compare(const struct cli_options *options, const struct side *sides,
                             struct sim_located_error *error) {
    const struct sim_comparison_options what = what_of(options);
    struct sim_comparison *comparison = sim_comparison_create(sides[0].record, sides[1].record, &what, error);
    if (!comparison)
        return CLI_USAGE;
    enum cli_exit code = CLI_FAILURE;
    if (!options->out || write_folder(options->out, comparison, error)) {
        code = verdict_of(comparison);
        print(options, comparison);
    }
    sim_comparison_destroy(comparison);
    return code;
}

enum cli_exit cli_compare(const struct cli_options *options, struct sim_located_error *error) {
    struct side sides[2] = {{.where = options->files[0]}, {.where = options->files[1]}};
    enum cli_exit code = CLI_USAGE;
    if (open_side(&sides[0], options, error) && open_side(&sides[1], options, error) &&
        check_options(options, sides, error) && check_figures(options, sides, error)) {
        code = CLI_FAILURE;
        if (agree(options, sides, error)) {
            code = CLI_USAGE;
            if (same_span(sides, error)) {
                code = CLI_FAILURE;
                if (run_side(options, &sides[0], error) && run_side(options, &sides[1], error))
                    code = sim_record_pairs(sides[0].record, sides[1].record, error) ? compare(options, sides, error)
                                                                                     : CLI_USAGE;
            }
        }
    }
    for (size_t i = 0; i < 2; i++) {
        sim_record_destroy(sides[i].record);
        cli_loaded_finish(&sides[i].loaded);
    }
    return code;
}
