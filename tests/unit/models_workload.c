/** What a job brings: rounding, clamps, trace columns, prices. */
#include "../../models/price.h"
#include "../../models/workload.h"

#include <criterion/criterion.h>
#include <math.h>

static const struct model_streams streams = {.seed = 17453090, .replication = 0};

static struct model_stream plain_stream(void) {
    return (struct model_stream){
        .input_tokens = model_constant(1000),
        .cached_tokens = model_constant(0),
        .cache_write_tokens = model_constant(0),
        .output_tokens = model_constant(200),
        .sla_ns = SCHED_NEVER,
    };
}

static struct model_work drawn(const struct model_stream *stream, const struct model_trace_row *row) {
    struct model_work work;
    model_work_draw(stream, 3, 5, row, &streams, &work);
    return work;
}

Test(models_workload, tokens_round_half_up) {
    struct model_stream stream = plain_stream();
    double inputs[] = {0, -7, 0.5, 1.4999, 2.5, 1e30};
    int64_t expected[] = {1, 1, 1, 1, 3, INT64_C(1000000000000)};
    for (int i = 0; i < 6; i++) {
        stream.input_tokens = model_constant(inputs[i]);
        stream.output_tokens = model_constant(inputs[i]);
        struct model_work work = drawn(&stream, NULL);
        cr_assert_eq(work.input_tokens, expected[i], "input %g", inputs[i]);
        cr_assert_eq(work.output_tokens, i < 2 ? 0 : expected[i], "output %g", inputs[i]);
    }
}

Test(models_workload, output_ends_at_max_tokens) {
    struct model_stream stream = plain_stream();
    stream.max_tokens = 150;
    cr_assert_eq(drawn(&stream, NULL).output_tokens, 150);
    cr_assert_eq(drawn(&stream, NULL).max_tokens, 150);
    stream.max_tokens = 0;
    cr_assert_eq(drawn(&stream, NULL).output_tokens, 200);
}

Test(models_workload, cached_and_written_fit_into_the_input) {
    struct model_stream stream = plain_stream();
    stream.cached_tokens = model_constant(700);
    stream.cache_write_tokens = model_constant(500);
    struct model_work work = drawn(&stream, NULL);
    cr_assert_eq(work.cached_tokens, 700);
    cr_assert_eq(work.cache_write_tokens, 300);
    stream.cached_tokens = model_constant(1200);
    work = drawn(&stream, NULL);
    cr_assert_eq(work.cached_tokens, 1000);
    cr_assert_eq(work.cache_write_tokens, 0);
}

Test(models_workload, trace_columns_replace_distributions) {
    struct model_stream stream = plain_stream();
    stream.max_tokens = 40;
    struct model_trace_row row = {.input_tokens = 0, .output_tokens = 50, .cached_tokens = -1};
    struct model_work work = drawn(&stream, &row);
    cr_assert_eq(work.input_tokens, 1);
    cr_assert_eq(work.output_tokens, 40);
    row = (struct model_trace_row){.input_tokens = 321, .output_tokens = -1, .cached_tokens = 21};
    stream.max_tokens = 0;
    work = drawn(&stream, &row);
    cr_assert_eq(work.input_tokens, 321);
    cr_assert_eq(work.cached_tokens, 21);
    cr_assert_eq(work.output_tokens, 200, "the file has no output: the stream's distribution");
}

Test(models_workload, draws_are_keyed_by_purpose) {
    model_init();
    struct model_stream stream = plain_stream();
    stream.input_tokens =
        (struct model_distribution){.kind = MODEL_UNIFORM, .a = 0, .b = 1e9, .min = -INFINITY, .max = INFINITY};
    stream.output_tokens = stream.input_tokens;
    struct model_work work = drawn(&stream, NULL);
    cr_assert_float_eq((double)work.input_tokens, 1e9 * model_uniform(&streams, 3, 5, MODEL_INPUT, 0), 0.51);
    cr_assert_float_eq((double)work.output_tokens, 1e9 * model_uniform(&streams, 3, 5, MODEL_OUTPUT, 0), 0.51);
    cr_assert_eq(work.u_ttft, model_uniform(&streams, 3, 5, MODEL_TTFT, 0));
    cr_assert_eq(work.u_rate, model_uniform(&streams, 3, 5, MODEL_RATE, 0));
    cr_assert_eq(work.u_estimate, model_uniform(&streams, 3, 5, MODEL_ESTIMATE, 0));
    /* Fixing one part of the work leaves the others as they were. */
    stream.input_tokens = model_constant(5);
    cr_assert_eq(drawn(&stream, NULL).output_tokens, work.output_tokens);
}

Test(models_workload, patience) {
    struct model_stream stream = plain_stream();
    cr_assert_eq(drawn(&stream, NULL).patience_ns, SCHED_NEVER);
    stream.has_patience = true;
    stream.patience_s = model_constant(2.5);
    cr_assert_eq(drawn(&stream, NULL).patience_ns, 2500000000);
    stream.patience_s =
        (struct model_distribution){.kind = MODEL_EXPONENTIAL, .a = 10, .min = -INFINITY, .max = INFINITY};
    double u = model_uniform(&streams, 3, 5, MODEL_PATIENCE, 0);
    cr_assert_float_eq((double)drawn(&stream, NULL).patience_ns, -1e10 * log(1 - u), 10);
}

Test(models_workload, price_of_each_kind_of_token) {
    struct model_work work = {
        .input_tokens = 1000000, .cached_tokens = 400000, .cache_write_tokens = 100000, .output_tokens = 20000};
    double usd = 0.5 * 1 + 0.1 * 1.25 + 0.4 * 0.10 + 0.02 * 5;
    cr_assert_float_eq(model_cost_usd(&model_price_default, &work), usd, 1e-12);
}
