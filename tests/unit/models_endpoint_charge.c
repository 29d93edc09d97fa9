/** What a request takes from the buckets and when: three ways to charge output, estimates of input, changes of regime.
 */
#include "../endpoint_fixture.h"

#include <criterion/criterion.h>

Test(models_endpoint_charge, a_stream_drains_from_the_first_token_to_the_last) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(10, 200); /* first token at 1 s, last at 3 s */
    fixture_init(&f);
    fixture_limits(&f, 0, 0, 0, 600);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 200, &request);
    cr_assert(request.first_token_matters);
    cr_assert(fixture_level(&f, MODEL_OTPM, SECOND_NS) == tokens(600));
    model_endpoint_first_token(&f.endpoint, SECOND_NS, &request);
    cr_assert(!request.first_token_matters);
    cr_assert(fixture_level(&f, MODEL_OTPM, 2 * SECOND_NS) == tokens(600 + 10 - 100));
    model_endpoint_complete(&f.endpoint, 3 * SECOND_NS, &request, &work);
    cr_assert(fixture_level(&f, MODEL_OTPM, 3 * SECOND_NS) == tokens(600 + 20 - 200));
    cr_assert(fixture_level(&f, MODEL_OTPM, 4 * SECOND_NS) == tokens(600 + 30 - 200));
    cr_assert(f.buckets[0][MODEL_OTPM].charged == tokens(200));
}

Test(models_endpoint_charge, an_uneven_stream_totals_exactly) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(10, 7);
    fixture_init(&f);
    f.classes[0][0].latency.output_tokens_per_s = model_constant(33.7);
    fixture_limits(&f, 0, 0, 0, 600);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 7, &request);
    cr_assert_gt((int64_t)request.output_charge, 0, "the case needs a rest");
    model_endpoint_first_token(&f.endpoint, request.first_token_ns, &request);
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert(f.buckets[0][MODEL_OTPM].charged == tokens(7));
    cr_assert_eq(f.buckets[0][MODEL_OTPM].drain, 0);
}

Test(models_endpoint_charge, late_and_early_calls_still_total_exactly) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(10, 200);
    fixture_init(&f);
    fixture_limits(&f, 0, 0, 0, 600);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 200, &request);
    model_endpoint_first_token(&f.endpoint, request.first_token_ns + 12345, &request);
    cr_assert(f.buckets[0][MODEL_OTPM].charged == (model_units)request.drain * 12345);
    model_endpoint_complete(&f.endpoint, request.done_ns - 777, &request, &work);
    cr_assert(f.buckets[0][MODEL_OTPM].charged == tokens(200));
    fixture_ask(&f, request.done_ns, 10, 200, &request);
    model_endpoint_first_token(&f.endpoint, request.first_token_ns, &request);
    model_endpoint_complete(&f.endpoint, request.done_ns + 999, &request, &work);
    cr_assert(f.buckets[0][MODEL_OTPM].charged == tokens(400));
}

Test(models_endpoint_charge, no_output_drains_nothing) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(10, 0);
    fixture_init(&f);
    fixture_limits(&f, 0, 0, 0, 600);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 0, &request);
    cr_assert(!request.first_token_matters);
    cr_assert_eq(request.done_ns, request.first_token_ns);
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert(f.buckets[0][MODEL_OTPM].charged == 0);
}

Test(models_endpoint_charge, output_in_no_time_is_charged_at_once) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(10, 5);
    fixture_init(&f);
    f.classes[0][0].latency.output_tokens_per_s = model_constant(1e12);
    fixture_limits(&f, 0, 0, 0, 600);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 5, &request);
    cr_assert(!request.first_token_matters);
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert(fixture_level(&f, MODEL_OTPM, request.done_ns) == tokens(595));
}

Test(models_endpoint_charge, completion_takes_the_output_in_a_lump) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(10, 200);
    fixture_init(&f);
    f.config.output_charge = MODEL_CHARGE_COMPLETION;
    fixture_limits(&f, 0, 0, 0, 60);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 200, &request);
    cr_assert(!request.first_token_matters);
    cr_assert(fixture_level(&f, MODEL_OTPM, request.done_ns) == tokens(60));
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert(fixture_level(&f, MODEL_OTPM, request.done_ns) == tokens(-140));
}

static void reserve_fixture(struct fixture *f, struct model_work *work) {
    fixture_init(f);
    f->config.output_charge = MODEL_CHARGE_RESERVE;
    fixture_limits(f, 0, 0, 0, 600);
    *work = fixture_work(10, 100);
    work->max_tokens = 400;
}

Test(models_endpoint_charge, reserve_takes_max_tokens_and_refunds_the_rest) {
    struct fixture f;
    struct model_request request, second;
    struct model_work work;
    reserve_fixture(&f, &work);
    fixture_start(&f);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).remaining[MODEL_OTPM], 200);
    struct model_admission answer = model_endpoint_admit(&f.endpoint, 0, 0, &work, &second);
    cr_assert_eq(answer.limiter, MODEL_BY_OTPM);
    cr_assert_eq(answer.retry_after_ns, 20 * SECOND_NS, "200 missing at 10 a second");
    cr_assert(!request.first_token_matters);
    model_endpoint_complete(&f.endpoint, 2 * SECOND_NS, &request, &work);
    cr_assert(fixture_level(&f, MODEL_OTPM, 2 * SECOND_NS) == tokens(200 + 20 + 300));
    cr_assert(f.buckets[0][MODEL_OTPM].charged == tokens(100));
}

Test(models_endpoint_charge, a_late_refund_is_clamped) {
    struct fixture f;
    struct model_request request;
    struct model_work work;
    reserve_fixture(&f, &work);
    f.classes[0][0].latency.ttft_ms = model_constant(35000);
    fixture_start(&f);
    model_endpoint_admit(&f.endpoint, 0, 0, &work, &request);
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert(fixture_level(&f, MODEL_OTPM, request.done_ns) == tokens(600));
}

Test(models_endpoint_charge, more_than_the_bucket_holds_is_unservable) {
    struct fixture f;
    struct model_request request;
    struct model_work work;
    reserve_fixture(&f, &work);
    f.regimes[0].concurrency = 1;
    fixture_start(&f);
    work.max_tokens = 601;
    struct model_admission answer = model_endpoint_admit(&f.endpoint, 0, 0, &work, &request);
    cr_assert_eq(answer.limiter, MODEL_UNSERVABLE);
    cr_assert_eq(answer.retry_after_ns, -1);
    work.max_tokens = 600;
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).limiter, MODEL_ADMITTED);
    work.max_tokens = 601;
    answer = model_endpoint_admit(&f.endpoint, 0, 0, &work, &request);
    cr_assert_eq(answer.limiter, MODEL_UNSERVABLE, "it comes before concurrency");
}

Test(models_endpoint_charge, unservable_goes_by_the_capacity_of_the_attempt) {
    struct fixture f;
    struct model_request request;
    struct model_work work;
    reserve_fixture(&f, &work);
    f.config.regime_count = 2;
    fixture_limits(&f, 1, 0, 0, 300);
    fixture_start(&f);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).limiter, MODEL_ADMITTED);
    model_endpoint_change(&f.endpoint, SECOND_NS);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, SECOND_NS, 0, &work, &request).limiter, MODEL_UNSERVABLE);
}

static void estimate_fixture(struct fixture *f, double error) {
    fixture_init(f);
    f->config.estimates = true;
    f->config.input_estimate = model_constant(error);
    fixture_limits(f, 0, 0, 600, 0);
}

Test(models_endpoint_charge, input_is_charged_as_estimated_and_corrected_at_the_first_token) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(400, 100);
    estimate_fixture(&f, 1.5);
    fixture_start(&f);
    fixture_ask(&f, 0, 400, 100, &request);
    cr_assert(fixture_level(&f, MODEL_ITPM, 0) == 0);
    cr_assert_eq(fixture_ask(&f, 0, 1, 0, NULL).limiter, MODEL_BY_ITPM);
    cr_assert(request.first_token_matters);
    model_endpoint_first_token(&f.endpoint, SECOND_NS, &request);
    cr_assert(fixture_level(&f, MODEL_ITPM, SECOND_NS) == tokens(10 + 200));
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert(fixture_level(&f, MODEL_ITPM, 2 * SECOND_NS) == tokens(20 + 200));
    cr_assert(f.buckets[0][MODEL_ITPM].charged == tokens(600), "utilisation goes by the estimate");
}

Test(models_endpoint_charge, an_estimate_too_low_leaves_debt) {
    struct fixture f;
    struct model_request request;
    estimate_fixture(&f, .5);
    fixture_start(&f);
    cr_assert_eq(fixture_ask(&f, 0, 1000, 100, &request).limiter, MODEL_ADMITTED, "tested as estimated");
    cr_assert(fixture_level(&f, MODEL_ITPM, SECOND_NS) == tokens(110));
    model_endpoint_first_token(&f.endpoint, SECOND_NS, &request);
    cr_assert(fixture_level(&f, MODEL_ITPM, SECOND_NS) == tokens(-390));
}

Test(models_endpoint_charge, corrections_without_output_come_with_the_completion) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(400, 0);
    estimate_fixture(&f, 1.5);
    fixture_start(&f);
    fixture_ask(&f, 0, 400, 0, &request);
    cr_assert(!request.first_token_matters);
    model_endpoint_complete(&f.endpoint, SECOND_NS, &request, &work);
    cr_assert(fixture_level(&f, MODEL_ITPM, SECOND_NS) == tokens(210));
}

Test(models_endpoint_charge, an_exact_estimate_needs_no_correction) {
    struct fixture f;
    struct model_request request;
    estimate_fixture(&f, 1);
    fixture_start(&f);
    fixture_ask(&f, 0, 400, 100, &request);
    cr_assert(!request.first_token_matters);
}

/** Start a stream of 200 tokens at 0, change from @p otpm_before to @p otpm_after at 2 s, in its middle. */
static void stream_across_a_change(struct fixture *f, int64_t otpm_before, int64_t otpm_after) {
    struct model_request request;
    struct model_work work = fixture_work(10, 200);
    fixture_init(f);
    f->config.regime_count = 2;
    fixture_limits(f, 0, 0, 0, otpm_before);
    fixture_limits(f, 1, 0, 0, otpm_after);
    f->classes[1][0].latency.output_tokens_per_s = model_constant(1);
    fixture_start(f);
    fixture_ask(f, 0, 10, 200, &request);
    cr_assert_eq(request.done_ns, 3 * SECOND_NS);
    model_endpoint_first_token(&f->endpoint, SECOND_NS, &request);
    model_endpoint_change(&f->endpoint, 2 * SECOND_NS);
    model_endpoint_complete(&f->endpoint, 3 * SECOND_NS, &request, &work);
    cr_assert(f->buckets[0][MODEL_OTPM].charged == tokens(200));
    cr_assert_eq(f->buckets[0][MODEL_OTPM].drain, 0);
}

Test(models_endpoint_charge, a_stream_goes_on_across_a_change_of_limit) {
    struct fixture f;
    stream_across_a_change(&f, 600, 1200);
    cr_assert(fixture_level(&f, MODEL_OTPM, 3 * SECOND_NS) == tokens(600 - 100 + 10 - 100 + 20));
}

Test(models_endpoint_charge, a_stream_counts_from_the_moment_a_limit_appears) {
    struct fixture f;
    stream_across_a_change(&f, 0, 600);
    cr_assert(fixture_level(&f, MODEL_OTPM, 3 * SECOND_NS) == tokens(600 + 10 - 100));
}

Test(models_endpoint_charge, a_stream_survives_the_end_of_a_limit) {
    struct fixture f;
    stream_across_a_change(&f, 600, 0);
    cr_assert(!f.buckets[0][MODEL_OTPM].limited);
}
