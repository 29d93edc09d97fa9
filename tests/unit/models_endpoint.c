/** Admission: the three buckets, their order, retry-after, remaining, classes and regimes. */
#include "../endpoint_fixture.h"

#include <criterion/criterion.h>

Test(models_endpoint, without_limits_everything_passes) {
    struct fixture f;
    struct model_request request;
    fixture_init(&f);
    fixture_start(&f);
    for (int i = 0; i < 1000; i++) {
        struct model_admission answer = fixture_ask(&f, 5, 1000000, 1000, &request);
        cr_assert_eq(answer.limiter, MODEL_ADMITTED);
        cr_assert_eq(answer.retry_after_ns, -1);
        cr_assert_eq(answer.remaining[MODEL_RPM], INT64_MAX);
        cr_assert(!request.first_token_matters, "nothing to drain from");
    }
}

Test(models_endpoint, times_follow_ttft_prefill_and_rate) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(3000, 250);
    work.cached_tokens = 1000;
    fixture_init(&f);
    f.classes[0][0].latency.prefill_ms_per_1k_tokens = 20;
    fixture_start(&f);
    model_endpoint_admit(&f.endpoint, 7, 0, &work, &request);
    cr_assert_eq(request.first_token_ns, 7 + SECOND_NS + 40000000);
    cr_assert_eq(request.done_ns, request.first_token_ns + 5 * SECOND_NS / 2);
}

Test(models_endpoint, latency_guards_against_absurd_draws) {
    struct fixture f;
    struct model_work work = fixture_work(100, 10);
    int64_t first_token_ns;
    fixture_init(&f);
    f.classes[0][0].latency.ttft_ms = model_constant(-5);
    f.classes[0][0].latency.output_tokens_per_s = model_constant(0);
    int64_t service_ns = model_service_ns(&f.classes[0][0], &work, &first_token_ns);
    cr_assert_eq(first_token_ns, 0);
    cr_assert_gt(service_ns, 86400 * SECOND_NS);
    cr_assert_lt(service_ns, INT64_MAX / 8);
    work.output_tokens = 0;
    cr_assert_eq(model_service_ns(&f.classes[0][0], &work, &first_token_ns), 0);
}

Test(models_endpoint, requests_a_minute) {
    struct fixture f;
    fixture_init(&f);
    fixture_limits(&f, 0, 50, 0, 0);
    fixture_start(&f);
    for (int i = 0; i < 50; i++)
        cr_assert_eq(fixture_ask(&f, 0, 10, 0, NULL).remaining[MODEL_RPM], 49 - i);
    struct model_admission answer = fixture_ask(&f, 0, 10, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_RPM);
    cr_assert_eq(answer.retry_after_ns, 2 * SECOND_NS, "1.2 s, rounded up");
    cr_assert_eq(fixture_ask(&f, 1200000000 - 1, 10, 0, NULL).limiter, MODEL_BY_RPM);
    cr_assert_eq(fixture_ask(&f, 1200000000, 10, 0, NULL).limiter, MODEL_ADMITTED);
}

Test(models_endpoint, a_strict_second_still_holds_one_request) {
    struct fixture f;
    fixture_init(&f);
    fixture_limits(&f, 0, 30, 0, 0);
    fixture_burst(&f, 0, SECOND_NS);
    fixture_start(&f);
    cr_assert_eq(fixture_ask(&f, 0, 10, 0, NULL).limiter, MODEL_ADMITTED);
    cr_assert_eq(fixture_ask(&f, 0, 10, 0, NULL).retry_after_ns, 2 * SECOND_NS);
    cr_assert_eq(fixture_ask(&f, 2 * SECOND_NS, 10, 0, NULL).limiter, MODEL_ADMITTED);
}

Test(models_endpoint, refusals_charge_nothing) {
    struct fixture f;
    fixture_init(&f);
    fixture_limits(&f, 0, 50, 1000, 0);
    fixture_start(&f);
    fixture_ask(&f, 0, 900, 0, NULL);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(fixture_ask(&f, 0, 200, 0, NULL).limiter, MODEL_BY_ITPM);
    cr_assert(fixture_level(&f, MODEL_RPM, 0) == tokens(49));
    cr_assert(fixture_level(&f, MODEL_ITPM, 0) == tokens(100));
    cr_assert_eq(f.endpoint.in_service, 1);
}

Test(models_endpoint, a_large_request_needs_a_full_bucket_and_leaves_debt) {
    struct fixture f;
    fixture_init(&f);
    fixture_limits(&f, 0, 0, 60, 0);
    fixture_start(&f);
    fixture_ask(&f, 0, 10, 0, NULL);
    struct model_admission answer = fixture_ask(&f, 0, 200, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_ITPM);
    cr_assert_eq(answer.retry_after_ns, 10 * SECOND_NS, "until full, not for ever");
    cr_assert_eq(fixture_ask(&f, 10 * SECOND_NS, 200, 0, NULL).limiter, MODEL_ADMITTED);
    cr_assert(fixture_level(&f, MODEL_ITPM, 10 * SECOND_NS) == tokens(-140));
    cr_assert_eq(fixture_ask(&f, 10 * SECOND_NS, 1, 0, NULL).retry_after_ns, 141 * SECOND_NS);
}

Test(models_endpoint, the_first_failing_bucket_is_named_and_the_longest_wait_is_told) {
    struct fixture f;
    struct model_request request;
    fixture_init(&f);
    f.config.output_charge = MODEL_CHARGE_COMPLETION;
    fixture_limits(&f, 0, 60, 60, 60);
    fixture_start(&f);
    /* One request that takes 30 input tokens and, at the end, 90 output tokens. */
    fixture_ask(&f, 0, 30, 90, &request);
    struct model_work work = fixture_work(30, 90);
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    int64_t now_ns = request.done_ns;
    struct model_admission answer = fixture_ask(&f, now_ns, 60, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_ITPM, "ITPM comes before OTPM");
    cr_assert_eq(answer.retry_after_ns, 30 * SECOND_NS, "OTPM is 30 short, ITPM 28.1");
    answer = fixture_ask(&f, now_ns, 10, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_OTPM);
    cr_assert_eq(answer.remaining[MODEL_OTPM], 0);
}

Test(models_endpoint, rpm_is_named_before_itpm) {
    struct fixture f;
    fixture_init(&f);
    fixture_limits(&f, 0, 60, 600, 0);
    f.classes[0][0].burst_ns[MODEL_RPM] = SECOND_NS;
    fixture_start(&f);
    fixture_ask(&f, 0, 590, 0, NULL);
    struct model_admission answer = fixture_ask(&f, 0, 300, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_RPM);
    cr_assert_eq(answer.retry_after_ns, 29 * SECOND_NS);
}

Test(models_endpoint, output_gate_is_any_level_above_zero) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(1, 60);
    fixture_init(&f);
    f.config.output_charge = MODEL_CHARGE_COMPLETION;
    f.classes[0][0].latency.ttft_ms = model_constant(0);
    f.classes[0][0].latency.output_tokens_per_s = model_constant(1e9);
    fixture_limits(&f, 0, 0, 0, 60);
    fixture_start(&f);
    fixture_ask(&f, 0, 1, 60, &request);
    /* 60 ns later, on a full bucket, it is charged exactly what the bucket holds. */
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    struct model_admission answer = fixture_ask(&f, request.done_ns, 1, 1, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_OTPM);
    cr_assert_eq(answer.retry_after_ns, SECOND_NS);
    cr_assert_eq(fixture_ask(&f, request.done_ns + 1, 1, 1, NULL).limiter, MODEL_ADMITTED);
}

Test(models_endpoint, cache_reads_are_free_unless_told_otherwise) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(100, 0);
    work.cached_tokens = 80;
    work.cache_write_tokens = 15;
    fixture_init(&f);
    fixture_limits(&f, 0, 0, 100, 0);
    fixture_start(&f);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).remaining[MODEL_ITPM], 80);
    f.config.cache_reads_count = true;
    fixture_start(&f);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).remaining[MODEL_ITPM], 0);
}

Test(models_endpoint, model_classes_have_their_own_buckets_and_latency) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(60, 0);
    fixture_init(&f);
    f.config.class_count = 2;
    fixture_limits(&f, 0, 0, 60, 0);
    f.classes[0][1].per_minute[MODEL_ITPM] = 120;
    f.classes[0][1].latency.ttft_ms = model_constant(3000);
    fixture_start(&f);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).limiter, MODEL_ADMITTED);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 0, &work, &request).limiter, MODEL_BY_ITPM);
    cr_assert_eq(model_endpoint_admit(&f.endpoint, 0, 1, &work, &request).remaining[MODEL_ITPM], 60);
    cr_assert_eq(request.done_ns, 3 * SECOND_NS);
    cr_assert_eq(request.model, 1);
}

Test(models_endpoint, changes_apply_limits_and_latency) {
    struct fixture f;
    struct model_request before, after;
    fixture_init(&f);
    f.config.regime_count = 2;
    fixture_limits(&f, 0, 60, 0, 0);
    fixture_limits(&f, 1, 120, 600, 0);
    f.regimes[1].from_ns = 10 * SECOND_NS;
    f.classes[1][0].latency.ttft_ms = model_constant(250);
    fixture_start(&f);
    for (int i = 0; i < 60; i++)
        fixture_ask(&f, 9 * SECOND_NS, 10, 0, &before);
    model_endpoint_change(&f.endpoint, 10 * SECOND_NS);
    struct model_admission answer = fixture_ask(&f, 10 * SECOND_NS, 10, 0, &after);
    cr_assert_eq(answer.limiter, MODEL_ADMITTED, "the level of 1 was kept");
    cr_assert_eq(answer.remaining[MODEL_RPM], 0);
    cr_assert_eq(answer.remaining[MODEL_ITPM], 590, "a newly limited bucket starts full");
    cr_assert_eq(before.done_ns, 10 * SECOND_NS);
    cr_assert_eq(after.done_ns, 10 * SECOND_NS + SECOND_NS / 4);
    cr_assert_eq(fixture_ask(&f, 10 * SECOND_NS + SECOND_NS / 2, 10, 0, NULL).limiter, MODEL_ADMITTED);
}

Test(models_endpoint, concurrency_comes_before_the_buckets_and_tells_no_wait) {
    struct fixture f;
    struct model_request first;
    struct model_work work = fixture_work(60, 0);
    fixture_init(&f);
    f.regimes[0].concurrency = 1;
    fixture_limits(&f, 0, 0, 60, 0);
    fixture_start(&f);
    model_endpoint_admit(&f.endpoint, 0, 0, &work, &first);
    struct model_admission answer = fixture_ask(&f, 0, 60, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_CONCURRENCY);
    cr_assert_eq(answer.retry_after_ns, -1);
    model_endpoint_complete(&f.endpoint, first.done_ns, &first, &work);
    cr_assert_eq(fixture_ask(&f, first.done_ns, 60, 0, NULL).limiter, MODEL_BY_ITPM);
}
