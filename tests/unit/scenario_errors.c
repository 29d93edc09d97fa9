/* Everything a scenario must not say: refused with its path, never a crash, a leak or a hang. */
#include "../support/scenario_text.h"

#include "../../sim/scenario/keys.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct refusal {
    const char *set, *path, *words;
};

static void check(const struct refusal *refusals, size_t count) {
    char *text = text_minimal("");
    for (size_t i = 0; i < count; i++)
        cr_assert(text_refused(text, (const char *const[]){refusals[i].set, NULL}, refusals[i].path, refusals[i].words),
                  "%s", refusals[i].set);
    free(text);
}

#define STREAM "tenants.0.streams.0"
#define TTFT "endpoint.latency.ttft_ms"

Test(scenario_errors, single_values) {
    static const struct refusal refusals[] = {
        {"version=2", "version", "expected 1, found 2"},
        {"version=null", "", "\"version\" is missing"},
        {"duration_s=0", "duration_s", "expected a number from 0.001"},
        {"duration_s=\"5\"", "duration_s", "found the string \"5\""},
        {"duration_s=NaN", "duration_s", "found the string \"NaN\""},
        {"duration_s=01", "duration_s", "found the string \"01\""},
        {"duration_s=1.", "duration_s", "found the string \"1.\""},
        {"workers=1.5", "workers", "whole number"},
        {"workers=1000000000", "workers", "4096"},
        {"replications=1e9", "replications", "100000"},
        {"warmup_s=100", "warmup_s", "less than duration_s = 100"},
        {"name=../x", "name", "expected a name"},
        {"name=.x", "name", "expected a name"},
        {"name=x.prev", "name", ".prev"},
        {"sed=5", "sed", "the nearest known key here is \"seed\""},
        {"scheduler.tenants.quantm=5", "scheduler.tenants.quantm", "\"quantum\""},
        {"scheduler.tenants.quantum=0", "scheduler.tenants.quantum", "cost units"},
        {"scheduler.tenants.policy=ddr", "scheduler.tenants.policy", "the nearest is \"drr\""},
        {"scheduler.demotion.enabled=1", "scheduler.demotion.enabled", "true or false"},
        {"scheduler.demotion.applies_to=critical", "scheduler.demotion.applies_to", "a list of some of"},
        {"scheduler.demotion.applies_to=[\"batch\", \"batch\"]", "scheduler.demotion.applies_to.1", "before"},
        {"scheduler.picker.weights={\"critical\": 0, \"standard\": 0, \"batch\": 0}", "scheduler.picker.weights",
         "over 0"},
        {"scheduler=5", "scheduler", "expected an object, found 5"},
        {"slo=\"x\"", "slo", "list"},
        {"slo=[1]", "slo.0", "string"},
        {"$comment=5", "$comment", "string"},
        {"precision.relative=0.1", "precision", "\"metric\" is missing"},
        {"precision={\"metric\": \"x\", \"max_replications\": 10}", "precision.max_replications",
         "at least replications"},
        {"extends=x", "extends", "cannot be set"},
    };
    check(refusals, sizeof refusals / sizeof refusals[0]);
}

Test(scenario_errors, tenants_and_streams) {
    static const struct refusal refusals[] = {
        {"tenants=[]", "tenants", "1 to 100000 objects"},
        {"tenants=null", "", "\"tenants\" is missing"},
        {"tenants.0.plan=prp", "tenants.0.plan", "the nearest is \"pro\""},
        {"tenants.0.id=a,b", "tenants.0.id", "expected a name"},
        {"tenants.0.count=100001", "tenants.0.count", "100000"},
        {"tenants.0.streams=[]", "tenants.0.streams", "list"},
        {"tenants.5.plan=pro", "", "within the list of 1"},
        {"tenants.zz.plan=pro", "", "\"zz\""},
        {STREAM ".origin=null", STREAM, "\"origin\" is missing"},
        {STREAM ".origin=user", STREAM ".origin", "user_action"},
        {STREAM ".arrivals=null", STREAM, "\"arrivals\" is missing"},
        {STREAM ".arrivals=5", STREAM ".arrivals", "exactly one of poisson"},
        {STREAM ".arrivals.poison.rate_per_s=1", STREAM ".arrivals.poison", "\"poisson\""},
        {STREAM ".arrivals.poisson.rate_per_s=-1", STREAM ".arrivals.poisson.rate_per_s", "found -1"},
        {STREAM ".arrivals.poisson.rate_per_s=0", STREAM ".arrivals.poisson.rate_per_s", "found 0"},
        {STREAM ".arrivals={\"poisson\": {\"rate_per_s\": 1}, \"gamma\": {\"rate_per_s\": 1, \"cv\": 1}}",
         STREAM ".arrivals.gamma", "one kind only"},
        {STREAM ".arrivals.gamma.rate_per_s=1", STREAM ".arrivals.gamma", "\"cv\" is missing"},
        {STREAM ".arrivals.burst.count=5", STREAM ".arrivals.burst", "at_s, or every_s"},
        {STREAM ".arrivals.burst={\"count\": 1, \"at_s\": 1, \"every_s\": 1}", STREAM ".arrivals.burst.every_s",
         "excludes"},
        {STREAM ".arrivals.burst={\"count\": 1, \"at_s\": []}", STREAM ".arrivals.burst.at_s", "list of them"},
        {STREAM ".arrivals.profile.rate_per_s=[1,1]", STREAM ".arrivals.profile.rate_per_s", "24 to 168"},
        {STREAM ".arrivals.profile.rate_per_s=[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
         STREAM ".arrivals.profile.rate_per_s", "over 0"},
        {STREAM ".input_tokens=null", STREAM, "\"input_tokens\" is missing"},
        {STREAM ".output_tokens=-1", STREAM ".output_tokens", "found -1"},
        {STREAM ".max_tokens=0", STREAM ".max_tokens", "from 1"},
        {STREAM ".until_s=0", STREAM ".until_s", "more than from_s"},
        {STREAM ".from_s=100", STREAM ".from_s", "less than duration_s"},
        {STREAM ".model=big", STREAM ".model", "which has none"},
        {STREAM ".cached_tokens=101", STREAM ".cached_tokens", "found 101"},
        {"endpoint.output_charge=reserve", STREAM, "\"max_tokens\" is missing"},
    };
    check(refusals, sizeof refusals / sizeof refusals[0]);
}

Test(scenario_errors, distributions) {
    static const struct refusal refusals[] = {
        {TTFT "=\"x\"", TTFT, "a number from 0"},
        {TTFT "={}", TTFT, "exactly one of constant"},
        {TTFT "={\"min\": 1}", TTFT, "exactly one of constant"},
        {TTFT "={\"normal\": {\"mean\": 1}}", TTFT ".normal", "unknown key"},
        {TTFT "={\"lognormal\": {\"median\": 1}}", TTFT ".lognormal", "\"sigma\" is missing"},
        {TTFT "={\"lognormal\": {\"p50\": 1}}", TTFT ".lognormal", "exactly 2"},
        {TTFT "={\"lognormal\": {\"p50\": 1, \"p90\": 2, \"p95\": 3}}", TTFT ".lognormal", "exactly 2"},
        {TTFT "={\"lognormal\": {\"p50\": 1, \"p100\": 2}}", TTFT ".lognormal.p100", "unknown key"},
        {TTFT "={\"lognormal\": {\"median\": 1, \"sigma\": 1, \"p50\": 1}}", TTFT ".lognormal.p50", "excludes"},
        {TTFT "={\"percentiles\": {\"p50\": 2, \"p95\": 2}}", TTFT ".percentiles", "rise"},
        {TTFT "={\"percentiles\": {\"p50\": 2, \"p50.0\": 3}}", TTFT ".percentiles", "twice"},
        {TTFT "={\"percentiles\": {\"p50\": 2}}", TTFT ".percentiles", "at least 2"},
        {TTFT "={\"percentiles\": {}}", TTFT ".percentiles", "two percentiles or more"},
        {TTFT "={\"uniform\": {\"min\": 2, \"max\": 1}}", TTFT ".uniform", "min <= max"},
        {TTFT "={\"exponential\": {\"mean\": 0}}", TTFT ".exponential.mean", "found 0"},
        {TTFT "={\"exponential\": {\"mean\": 1, \"min\": 3, \"max\": 2}}", TTFT ".exponential", "min <= max"},
        {TTFT "={\"exponential\": {\"mean\": 1, \"min\": 3}, \"min\": 2}", TTFT ".exponential", "both inside"},
        {TTFT "={\"gamma\": {\"mean\": 1, \"cv\": 0}}", TTFT ".gamma.cv", "found 0"},
        {TTFT "={\"quantiles\": {\"values\": [3, 2]}}", TTFT ".quantiles.values.1", "do not fall"},
        {TTFT "={\"quantiles\": {\"values\": [3]}}", TTFT ".quantiles.values", "list of 2"},
        {"endpoint.latency.output_tokens_per_s=0", "endpoint.latency.output_tokens_per_s", "found 0"},
        {"endpoint.latency.output_tokens_per_s={\"constant\": {\"value\": 0}}",
         "endpoint.latency.output_tokens_per_s.constant", "found 0"},
    };
    check(refusals, sizeof refusals / sizeof refusals[0]);
}

Test(scenario_errors, endpoint) {
    static const struct refusal refusals[] = {
        {"endpoint.limits.rpm=0", "endpoint.limits.rpm", "from 1"},
        {"endpoint.burst_s={\"tpm\": 1}", "endpoint.burst_s.tpm", "unknown key"},
        {"endpoint.burst_s=0", "endpoint.burst_s", "found 0"},
        {"endpoint.preset=5", "endpoint.preset", "expected a name"},
        {"endpoint.ramp={}", "endpoint.ramp", "is missing"},
        {"endpoint.overload.episodes_per_day=1000", "endpoint.overload", "over mean_bad_s"},
        {"endpoint.changes=[{}]", "endpoint.changes.0", "\"at_s\" is missing"},
        {"endpoint.changes=[{\"at_s\": 1, \"price\": {}}]", "endpoint.changes.0.price", "unknown key"},
        {"endpoint.changes=[{\"at_s\": 1, \"overload\": {\"mean_bad_s\": 100000}}]", "endpoint.changes.0.overload",
         "over mean_bad_s"},
        {"endpoint.models={\"a b\": {}}", "endpoint.models.a b", "expected a name"},
        {"endpoint.models={\"a\": {\"burst_s\": 1}}", "endpoint.models.a.burst_s", "unknown key"},
    };
    check(refusals, sizeof refusals / sizeof refusals[0]);
}

Test(scenario_errors, sets_themselves) {
    static const struct refusal refusals[] = {
        {"workers", "", "PATH=VALUE"},
        {"=5", "", "PATH=VALUE"},
        {"a..b=5", "", "empty part"},
        {".=5", "", "empty part"},
        {"slo=[1", "0", "ends inside"},
        {"about=\"x", "", "closing"},
        {"about={\"a\":1,\"a\":2}", "a", "duplicate"},
        {"workers.x=1", "workers", "found an object"},
        {"slo.0=x", "slo", "found an object"},
    };
    check(refusals, sizeof refusals / sizeof refusals[0]);
}

Test(scenario_errors, absurd_sizes) {
    char *text = text_minimal("");
    static const char *const many[][4] = {
        {"tenants.0.count=100000", "replications=21", NULL},
        {"tenants.0.count=100000", "replications=1", "scheduler.demotion.throttles=201", NULL},
        {STREAM ".arrivals.poisson.rate_per_s=1e6", "duration_s=1e8", NULL},
        {STREAM ".arrivals={\"burst\": {\"count\": 10000000, \"every_s\": 0.001}}", "duration_s=1e8", NULL},
    };
    static const char *const paths[] = {"replications", "scheduler.demotion.throttles", STREAM ".arrivals",
                                        STREAM ".arrivals"};
    for (size_t i = 0; i < 4; i++)
        cr_assert(text_refused(text, many[i], paths[i], "at most"), "%zu", i);
    free(text);
}

static void refused_file(const char *path, const char *words) {
    struct sim_located_error error;
    cr_assert_null(sim_scenario_create(path, NULL, &error));
    cr_assert(strstr(error.message, words) != NULL, "%s: %s", path, error.message);
    cr_assert_eq(strcmp(error.file, path), 0);
}

Test(scenario_errors, what_is_no_text_file, .timeout = 20) {
    char path[128];
    refused_file(text_folder(), "a directory");
    refused_file("/dev/zero", "a device");
    snprintf(path, sizeof path, "%s/none", text_folder());
    refused_file(path, "cannot be read");
    snprintf(path, sizeof path, "%s/fifo", text_folder());
    cr_assert_eq(mkfifo(path, 0600), 0);
    refused_file(path, "a FIFO");
    snprintf(path, sizeof path, "%s/sparse", text_folder());
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    cr_assert_eq(ftruncate(file, INT64_C(2) << 30), 0);
    close(file);
    refused_file(path, "16 MiB");
}

Test(scenario_errors, extends_in_circles) {
    char *a = text_file("a.json", "{\n\"extends\": \"b.json\"}");
    char *b = text_file("b.json", "{\"extends\": \"./a.json\"}");
    struct sim_located_error error;
    cr_assert_null(sim_scenario_create(a, NULL, &error));
    cr_assert(strstr(error.message, "extends itself") != NULL, "%s", error.message);
    cr_assert_eq(strcmp(error.file, b), 0);
    for (int i = 0; i < 20; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "chain%d.json", i);
        snprintf(text, sizeof text, "{\"extends\": \"chain%d.json\"}", i + 1);
        free(text_file(name, text));
    }
    char path[128];
    snprintf(path, sizeof path, "%s/chain0.json", text_folder());
    cr_assert_null(sim_scenario_create(path, NULL, &error));
    cr_assert(strstr(error.message, "at most 16") != NULL, "%s", error.message);
    snprintf(path, sizeof path, "%s/chain18.json", text_folder());
    cr_assert_null(sim_scenario_create(path, NULL, &error));
    cr_assert(strstr(error.message, "chain20.json: cannot be read") != NULL, "%s", error.message);
    free(a);
    free(b);
}

Test(scenario_errors, traces) {
    free(text_file("t.csv", "when,in,who\n0,5,x\n1,x,y\n"));
    static const char base[] = STREAM ".arrivals={\"trace\": {\"columns\": {\"time\": \"when\"}}}";
    char file[200], *text = text_minimal("");
    snprintf(file, sizeof file, STREAM ".arrivals.trace.file=%s/t.csv", text_folder());
    cr_assert(text_refused(text, (const char *const[]){base, NULL}, STREAM ".arrivals.trace",
                           "--set tenants.0.streams.0.arrivals.trace.file=FILE.csv"));
    cr_assert(text_refused(text, (const char *const[]){base, file, STREAM ".arrivals.trace.columns.time=wehn", NULL},
                           STREAM ".arrivals.trace.file", "wehn"));
    cr_assert(text_refused(text,
                           (const char *const[]){base, file, STREAM ".arrivals.trace.columns.input_tokens=in", NULL},
                           STREAM ".arrivals.trace.file", "t.csv:3"));
    cr_assert(text_refused(text, (const char *const[]){base, file, STREAM ".arrivals.trace.tenant=x", NULL},
                           STREAM ".arrivals.trace.tenant", "columns.tenant"));
    static const char who[] = STREAM ".arrivals.trace={\"tenant\": \"z\", \"columns\": {\"tenant\": \"who\"}}";
    cr_assert(
        text_refused(text, (const char *const[]){base, file, who, NULL}, STREAM ".arrivals.trace.tenant", "nearest"));
    cr_assert(text_refused(text, (const char *const[]){base, STREAM ".arrivals.trace.file=nowhere/t.csv", NULL},
                           STREAM ".arrivals.trace.file", "nowhere/t.csv"));
    free(text);
}

Test(scenario_errors, duplicate_tenants_and_populations) {
    static const char population[] =
        ", \"population\": {\"id\": \"%s\", \"n\": 2, %s \"streams\": [{\"origin\": \"batch_job\","
        " \"arrivals\": %s, \"input_tokens\": 1, \"output_tokens\": 1}]}";
    static const struct {
        const char *id, *more, *arrivals, *path, *words;
    } cases[] = {
        {"a", "\"plans\": {\"free\": 0.5},", "{\"poisson\": {\"rate_per_s\": 1}}", "population.plans", "sum to 1"},
        {"a", "\"plans\": {\"fre\": 1},", "{\"poisson\": {\"rate_per_s\": 1}}", "population.plans.fre", "\"free\""},
        {"a", "", "{\"poisson\": {}}", "population.streams.0.arrivals", "rate_per_s"},
        {"a", "\"total_rate_per_s\": 1,", "{\"burst\": {\"count\": 1, \"at_s\": 1}}", "population.streams.0.arrivals",
         "a process with a rate"},
        {"a", "\"spread\": {\"zipf\": 1, \"lognormal\": 1},", "{\"poisson\": {\"rate_per_s\": 1}}",
         "population.spread.lognormal", "one kind only"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char extra[600];
        snprintf(extra, sizeof extra, population, cases[i].id, cases[i].more, cases[i].arrivals);
        char *text = text_minimal(extra);
        cr_assert(text_refused(text, NULL, cases[i].path, cases[i].words), "%zu", i);
        free(text);
    }
    char extra[600];
    snprintf(extra, sizeof extra, population, "a", "", "{\"poisson\": {\"rate_per_s\": 1}}");
    char *text = text_minimal(extra);
    cr_assert(text_refused(text, (const char *const[]){"tenants.0.id=a-2", NULL}, "population.id", "\"a-2\" twice"));
    free(text);
}

/** Every key of the table, given a value of a wrong type, is refused at its own path. */
struct walk {
    size_t rows;
};

static bool visit(void *context, const char *path, const struct sim_key *row) {
    struct walk *walk = context;
    walk->rows++;
    cr_assert_not_null(row->help, "%s has no help", path);
    cr_assert(row->required || row->initial != NULL || row->otherwise != NULL || row->group != 0 ||
                  row->type == SIM_KEY_OBJECT || row->value != 0 || strstr(path, "spread.") != NULL,
              "%s does not say what its absence means", path);
    cr_assert(row->type == SIM_KEY_BOOL || row->type == SIM_KEY_NAME || row->type == SIM_KEY_SEED ||
                  row->type == SIM_KEY_TIMESTAMP || row->type == SIM_KEY_WORD || row->table != NULL || row->max > 0,
              "%s has no bound", path);
    if (strchr(path, '*') != NULL || strncmp(path, "distribution", 12) == 0 || strcmp(path, "extends") == 0 ||
        strncmp(path, "population.", 11) == 0)
        return true;
    char set[300];
    bool text = row->type == SIM_KEY_TEXT || row->type == SIM_KEY_NAME || row->type == SIM_KEY_FILE;
    snprintf(set, sizeof set, "%s=%s", path, text ? "[1]" : "\"?\"");
    char *scenario = text_minimal("");
    struct sim_located_error error;
    struct sim_scenario *read = text_read(scenario, (const char *const[]){set, NULL}, &error);
    cr_assert_null(read, "%s", set);
    bool inside = strncmp(error.path, path, strlen(error.path)) == 0 && error.path[0] != '\0';
    cr_assert(inside, "%s: %s: %s", set, error.path, error.message);
    cr_assert(strstr(error.message, "expected") != NULL || strstr(error.message, "missing") != NULL, "%s",
              error.message);
    free(scenario);
    return true;
}

Test(scenario_errors, every_key_of_a_wrong_type) {
    struct walk walk = {0};
    cr_assert(sim_keys_walk(visit, &walk));
    cr_assert_gt(walk.rows, 150);
}
