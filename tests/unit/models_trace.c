/** Trace files as they come: real ones, every tolerated form, and garbage with the line to blame. */
#include "../../models/trace.h"
#include "../../models/trace_fields.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct model_trace_columns all_columns = {"time", "tenant", "in", "out", "cached"};
static const struct model_trace_columns time_only = {.time = "time"};

/** Write @p bytes to a file and read it as a trace. */
static struct model_trace *read_bytes(const char *bytes, size_t length, const struct model_trace_columns *columns,
                                      struct model_trace_error *error) {
    char path[] = "/tmp/fairlane-trace-XXXXXX";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, bytes, length), (ssize_t)length);
    close(file);
    struct model_trace *trace = model_trace_create(path, columns, error);
    unlink(path);
    return trace;
}

static struct model_trace *read_text(const char *text, const struct model_trace_columns *columns) {
    struct model_trace_error error = {0};
    struct model_trace *trace = read_bytes(text, strlen(text), columns, &error);
    cr_assert_not_null(trace, "line %zu: %s", error.line, error.message);
    return trace;
}

static void assert_refused(const char *text, const struct model_trace_columns *columns, size_t line, const char *word) {
    struct model_trace_error error = {0};
    struct model_trace *trace = read_bytes(text, strlen(text), columns, &error);
    cr_assert_null(trace, "accepted: %s", text);
    cr_assert_eq(error.line, line, "line %zu for %s", error.line, text);
    cr_assert_not_null(strstr(error.message, word), "\"%s\" lacks \"%s\"", error.message, word);
}

Test(models_trace, columns_by_name_in_any_order) {
    struct model_trace *trace = read_text("cached,x,out,tenant,time,in\n"
                                          "1,?,3,b,10.5,2\n"
                                          "4,?,6,a,11,5\n"
                                          "7,?,9,b,11.000000001,8\n",
                                          &all_columns);
    cr_assert_eq(trace->count, 3);
    cr_assert_eq(trace->rows[0].time_ns, 0);
    cr_assert_eq(trace->rows[1].time_ns, 500000000);
    cr_assert_eq(trace->rows[2].time_ns, 500000001);
    cr_assert_eq(trace->rows[1].cached_tokens, 4);
    cr_assert_eq(trace->rows[1].input_tokens, 5);
    cr_assert_eq(trace->rows[1].output_tokens, 6);
    cr_assert_eq(trace->tenant_count, 2);
    cr_assert_str_eq(trace->tenants[0], "b");
    cr_assert_str_eq(trace->tenants[1], "a");
    cr_assert_eq(trace->first_rows[0], 0);
    cr_assert_eq(trace->rows[0].next, 2);
    cr_assert_eq(trace->rows[2].next, 0);
    cr_assert_eq(trace->first_rows[1], 1);
    cr_assert_eq(trace->rows[1].next, 0);
    model_trace_destroy(trace);
}

Test(models_trace, absent_columns_are_minus_one) {
    struct model_trace *trace = read_text("time,in\n1,5\n", &time_only);
    cr_assert_eq(trace->rows[0].input_tokens, -1);
    cr_assert_eq(trace->rows[0].output_tokens, -1);
    cr_assert_eq(trace->rows[0].cached_tokens, -1);
    cr_assert_eq(trace->tenant_count, 0);
    model_trace_destroy(trace);
}

Test(models_trace, tolerated_forms) {
    struct model_trace *trace = read_text("\xef\xbb\xbf\"time\",\"tenant\",in,out,cached\r\n"
                                          "\r\n"
                                          " 1.5 , \"a, \"\"b\"\"\nc\xc3\xa9\" ,3.0,2.5,1e3\r\n"
                                          "2,x,0,0,0",
                                          &(struct model_trace_columns){"time", NULL, "in", "out", "cached"});
    cr_assert_eq(trace->count, 2);
    cr_assert_eq(trace->rows[0].input_tokens, 3);
    cr_assert_eq(trace->rows[0].output_tokens, 3);
    cr_assert_eq(trace->rows[0].cached_tokens, 1000);
    cr_assert_eq(trace->rows[1].time_ns, 500000000);
    model_trace_destroy(trace);
    trace = read_text("time,tenant\n1,\" a, \"\"b\"\" \xc3\xa9\"\n",
                      &(struct model_trace_columns){"time", "tenant", 0, 0, 0});
    cr_assert_str_eq(trace->tenants[0], " a, \"b\" \xc3\xa9");
    model_trace_destroy(trace);
}

Test(models_trace, rows_are_sorted_by_time_and_equal_times_keep_their_order) {
    struct model_trace *trace = read_text("time,in\n3,1\n-1,2\n3,3\n0,4\n3,5\n0,6\n",
                                          &(struct model_trace_columns){"time", NULL, "in", NULL, NULL});
    int64_t order[] = {2, 4, 6, 1, 3, 5};
    for (size_t i = 0; i < 6; i++)
        cr_assert_eq(trace->rows[i].input_tokens, order[i]);
    cr_assert_eq(trace->rows[5].time_ns, 4000000000);
    for (size_t i = 0; i < 6; i++)
        cr_assert_eq(trace->rows[i].next, i < 5, "without a tenant column all rows are one tenant's");
    model_trace_destroy(trace);
}

Test(models_trace, dates) {
    struct model_trace *trace = read_text("time\n2024-02-28 23:59:59.9999999\n2024-02-29T00:00:00Z\n"
                                          "2024-03-01 01:00:00.5+01:00\n2024-03-01 00:00:01.00000000049\n",
                                          &time_only);
    int64_t expected[] = {0, 100, 86400500000100, 86401000000100};
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(trace->rows[i].time_ns, expected[i], "row %zu: %ld", i, (long)trace->rows[i].time_ns);
    model_trace_destroy(trace);
}

Test(models_trace, sha256_is_of_the_files_bytes) {
    struct model_trace *trace = read_text("time\n0\n", &time_only);
    /* printf 'time\n0\n' | sha256sum */
    cr_assert_str_eq(trace->sha256, "25eb2e600eb4ce28fb2fb0f9aa26402fa231cf23d15359735d00a8c174892045");
    model_trace_destroy(trace);
}

Test(models_trace, errors_name_their_line) {
    assert_refused("", &time_only, 0, "empty");
    assert_refused("\n\n", &time_only, 0, "empty");
    assert_refused("time\n", &time_only, 0, "no rows");
    assert_refused("a,b\n1,2\n", &time_only, 1, "\"time\"");
    assert_refused("time,time\n1,2\n", &time_only, 1, "twice");
    assert_refused("time,b\n1,2\n3\n", &time_only, 3, "1 fields");
    assert_refused("time,b\r\n\r\n1,2\r\n3,4,5\r\n", &time_only, 4, "3 fields");
    assert_refused("time\n1\nx\n", &time_only, 3, "\"x\"");
    assert_refused("time\n1\n2023-01-01 00:00:00\n", &time_only, 3, "seconds");
    assert_refused("time\n2023-01-01 00:00:00\n7\n", &time_only, 3, "date");
    assert_refused("time\n2023-02-29 00:00:00\n", &time_only, 2, "2023-02-29");
    assert_refused("time,b\n1,\"x\ny\"\n\"2\"z,3\n", &time_only, 4, "quote");
    assert_refused("time,b\n1,\"x\n", &time_only, 3, "quotes");
    const struct model_trace_columns tokens = {.time = "time", .input_tokens = "in"};
    assert_refused("time,in\n1,5\n2,-3\n", &tokens, 3, "\"-3\"");
    assert_refused("time,in\n1,\n", &tokens, 2, "in");
    assert_refused("time,in\n1,1e13", &tokens, 2, "1e13");
    assert_refused("time,in\n1,nan\n", &tokens, 2, "nan");
    const struct model_trace_columns tenants = {.time = "time", .tenant = "tenant"};
    assert_refused("time,tenant\n1,\n", &tenants, 2, "tenant");
    assert_refused("time,tenant\n1,a\tb\n", &tenants, 2, "control");
    assert_refused("time,tenant\n1,\xff\n", &tenants, 2, "UTF-8");
}

Test(models_trace, garbage_is_refused_without_harm) {
    struct model_trace_error error;
    cr_assert_null(read_bytes("time\n1\0002\n", 9, &time_only, &error));
    cr_assert_eq(error.line, 2);
    /* A quote that never closes must not swallow the file into memory. */
    enum { LONG = 1 << 20 };
    char *endless = malloc(LONG);
    memset(endless, 'x', LONG);
    memcpy(endless, "time\n\"", 6);
    cr_assert_null(read_bytes(endless, LONG, &time_only, &error));
    cr_assert_not_null(strstr(error.message, "64 KiB"));
    memset(endless, ',', LONG);
    cr_assert_null(read_bytes(endless, LONG, &time_only, &error));
    cr_assert_eq(error.line, 1);
    uint32_t state = 1;
    for (int round = 0; round < 200; round++) {
        static const char alphabet[] = "time,\"\n\r0.5e-: T\xef\xbb\xbfZ\0";
        for (int i = 0; i < 300; i++) {
            state = state * 1664525 + 1013904223;
            endless[i] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
        }
        memcpy(endless, "time\n", round % 2 ? 5 : 0);
        model_trace_destroy(read_bytes(endless, 300, &time_only, &error));
    }
    free(endless);
}

Test(models_trace, only_regular_files) {
    struct model_trace_error error;
    cr_assert_null(model_trace_create("/tmp", &time_only, &error));
    cr_assert_eq(error.line, 0);
    cr_assert_null(model_trace_create("/dev/zero", &time_only, &error));
    cr_assert_null(model_trace_create("/nonexistent/trace.csv", &time_only, &error));
    char path[] = "/tmp/fairlane-fifo-XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    char fifo[64];
    snprintf(fifo, sizeof fifo, "%s/fifo", path);
    cr_assert_eq(mkfifo(fifo, 0600), 0);
    cr_assert_null(model_trace_create(fifo, &time_only, &error), "and without waiting for a writer");
    unlink(fifo);
    rmdir(path);
}

/** Read a file of the shared data, or say that it is absent. */
static struct model_trace *read_shared(const char *name, const struct model_trace_columns *columns) {
    const char *folder = getenv("FAIRLANE_SHARED");
    char path[512];
    snprintf(path, sizeof path, "%s/data/%s", folder ? folder : "../shared", name);
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "skipped: no %s\n", path);
        return NULL;
    }
    struct model_trace_error error;
    struct model_trace *trace = model_trace_create(path, columns, &error);
    cr_assert_not_null(trace, "%s:%zu: %s", path, error.line, error.message);
    return trace;
}

Test(models_trace, azure_traces) {
    const struct model_trace_columns columns = {"TIMESTAMP", NULL, "ContextTokens", "GeneratedTokens", NULL};
    struct model_trace *trace = read_shared("AzureLLMInferenceTrace_conv.csv", &columns);
    if (!trace)
        return;
    cr_assert_eq(trace->count, 19366);
    cr_assert_eq(trace->rows[1].time_ns, 4314579000, "100 ns clock");
    const struct model_trace_row *last = &trace->rows[trace->count - 1];
    cr_assert_eq(last->input_tokens, 197);
    cr_assert_eq(last->output_tokens, 183, "no final newline");
    cr_assert_eq(last->time_ns / 1000000000, 3501);
    model_trace_destroy(trace);
    trace = read_shared("AzureLLMInferenceTrace_code.csv", &columns);
    cr_assert_eq(trace->count, 8819);
    model_trace_destroy(trace);
}

Test(models_trace, arena_trace) {
    const struct model_trace_columns columns = {"req_time", "adapter_dir", "prompt_len", "output_len", NULL};
    struct model_trace *trace = read_shared("vtc_arena_real_27tenants.csv", &columns);
    if (!trace)
        return;
    cr_assert_eq(trace->count, 1500);
    cr_assert_eq(trace->tenant_count, 27);
    cr_assert_eq(trace->rows[1].time_ns, 207937542, "rounded from 0.20793754160099873");
    size_t chained = 0;
    for (size_t t = 0; t < trace->tenant_count; t++)
        for (size_t i = trace->first_rows[t], step = 1; step; step = trace->rows[i].next, i += step) {
            cr_assert_eq(trace->rows[i].tenant, t);
            chained++;
        }
    cr_assert_eq(chained, 1500);
    model_trace_destroy(trace);
}

Test(models_trace, decimals_are_exact) {
    int64_t value = 0;
    cr_assert(model_decimal("1700000000.123456789", 9, INT64_MAX, &value));
    cr_assert_eq(value, 1700000000123456789);
    cr_assert(model_decimal("0.0000000005", 9, INT64_MAX, &value));
    cr_assert_eq(value, 1);
    cr_assert(model_decimal("0.00000000049999", 9, INT64_MAX, &value));
    cr_assert_eq(value, 0);
    cr_assert(model_decimal("-12.5e-1", 1, INT64_MAX, &value));
    cr_assert_eq(value, -13);
    cr_assert(model_decimal(".5E+2", 0, INT64_MAX, &value));
    cr_assert_eq(value, 50);
    cr_assert(model_decimal("0e999999999999", 9, INT64_MAX, &value));
    cr_assert_eq(value, 0);
    cr_assert(model_decimal("1e-999999999999", 9, INT64_MAX, &value));
    cr_assert_eq(value, 0);
    cr_assert(model_decimal("9223372036854775807", 0, INT64_MAX, &value));
    cr_assert_eq(value, INT64_MAX);
    const char *bad[] = {
        "", "-", ".", "1.2.3", "1e", "1e+", "0x10", "inf", "nan", "1 ", "1,5", "9223372036854775808", "1e99", "99.5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(model_decimal(bad[i], 0, i == sizeof bad / sizeof *bad - 1 ? 99 : INT64_MAX, &value), "%s",
                      bad[i]);
}

Test(models_trace, timestamps) {
    int64_t ns = 0;
    cr_assert(model_timestamp("1970-01-01 00:00:00", &ns));
    cr_assert_eq(ns, 0);
    cr_assert(model_timestamp("2026-01-05T00:00:00Z", &ns));
    cr_assert_eq(ns, 1767571200000000000);
    cr_assert(model_timestamp("1969-12-31 23:59:59.25", &ns));
    cr_assert_eq(ns, -750000000);
    const char *bad[] = {
        "2023-13-01 00:00:00", "2023-00-01 00:00:00",  "2100-02-29 00:00:00",  "2023-01-01 24:00:00",
        "2023-01-01",          "2023-01-01 00:00:00.", "2023-01-01 00:00:00 ", "2023-01-01 00:00:00+25:00",
        "23-01-01 00:00:00",   "2023-01-01_00:00:00",  "9999-01-01 00:00:00",  "2023-1-01 00:00:00"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(model_timestamp(bad[i], &ns), "%s", bad[i]);
}
