/** Refusals that are no bucket's: spend cap, 529s, and the ramp. */
#include "../endpoint_fixture.h"

#include <criterion/criterion.h>

#define DAY_NS (86400 * SECOND_NS)

Test(models_endpoint_refusals, spend_counts_at_completion_and_ends_with_the_utc_day) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(1000000, 0); /* 1 USD */
    fixture_init(&f);
    f.config.start_unix_ns += 12 * 3600 * SECOND_NS;
    f.config.spend_cap_usd_per_day = 1;
    fixture_start(&f);
    model_endpoint_admit(&f.endpoint, 0, 0, &work, &request);
    cr_assert_eq(fixture_ask(&f, 0, 10, 0, NULL).limiter, MODEL_ADMITTED, "not booked yet");
    cr_assert_float_eq(model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work), 1, 1e-12);
    struct model_admission answer = fixture_ask(&f, request.done_ns, 10, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_SPEND);
    cr_assert_eq(answer.retry_after_ns, -1);
    cr_assert_eq(fixture_ask(&f, DAY_NS / 2 - 1, 10, 0, NULL).limiter, MODEL_BY_SPEND);
    cr_assert_eq(fixture_ask(&f, DAY_NS / 2, 10, 0, NULL).limiter, MODEL_ADMITTED);
}

Test(models_endpoint_refusals, spend_is_booked_on_the_day_of_completion) {
    struct fixture f;
    struct model_request request;
    struct model_work work = fixture_work(1000000, 0);
    fixture_init(&f);
    f.config.spend_cap_usd_per_day = 1;
    fixture_start(&f);
    model_endpoint_admit(&f.endpoint, DAY_NS - SECOND_NS / 2, 0, &work, &request);
    model_endpoint_complete(&f.endpoint, request.done_ns, &request, &work);
    cr_assert_eq(fixture_ask(&f, request.done_ns, 10, 0, NULL).limiter, MODEL_BY_SPEND);
}

Test(models_endpoint_refusals, spend_comes_before_overload) {
    struct fixture f;
    fixture_init(&f);
    f.config.spend_cap_usd_per_day = 0;
    f.regimes[0].overload.on = true;
    f.regimes[0].overload.good_probability = 1;
    fixture_start(&f);
    cr_assert_eq(fixture_ask(&f, 0, 10, 0, NULL).limiter, MODEL_BY_SPEND);
}

Test(models_endpoint_refusals, overload_probabilities_0_and_1_are_exact) {
    struct fixture f;
    fixture_init(&f);
    f.regimes[0].overload.on = true;
    f.regimes[0].overload.good_probability = 1;
    f.regimes[0].overload.bad_probability = 1;
    fixture_limits(&f, 0, 1, 0, 0);
    fixture_start(&f);
    for (int i = 0; i < 10000; i++) {
        struct model_admission answer = fixture_ask(&f, i * SECOND_NS, 10, 0, NULL);
        cr_assert_eq(answer.limiter, MODEL_BY_OVERLOAD);
        cr_assert_eq(answer.retry_after_ns, -1);
        cr_assert_eq(answer.remaining[MODEL_RPM], INT64_MAX, "a 529 has no rate-limit headers");
    }
    f.regimes[0].overload.good_probability = 0;
    f.regimes[0].overload.bad_probability = 0;
    fixture_limits(&f, 0, 0, 0, 0);
    fixture_start(&f);
    for (int i = 0; i < 10000; i++)
        cr_assert_eq(fixture_ask(&f, i * SECOND_NS, 10, 0, NULL).limiter, MODEL_ADMITTED);
}

/** Share of attempts refused, one a second for @p days, with p = 0 in good times and 1 in bad ones; *ret_episodes: how
 *  often bad times began. */
static double share_bad(struct fixture *f, int64_t days, int64_t *ret_episodes) {
    int64_t refused = 0, attempts = days * 86400;
    bool bad = false;
    f->regimes[0].overload.on = true;
    f->regimes[0].overload.good_probability = 0;
    f->regimes[0].overload.bad_probability = 1;
    fixture_start(f);
    *ret_episodes = 0;
    for (int64_t i = 0; i < attempts; i++) {
        bool hit = fixture_ask(f, i * SECOND_NS, 10, 0, NULL).limiter == MODEL_BY_OVERLOAD;
        cr_assert(!(i == 0 && hit), "good at time 0");
        refused += hit;
        *ret_episodes += hit && !bad;
        bad = hit;
    }
    return (double)refused / (double)attempts;
}

Test(models_endpoint_refusals, overload_episodes_have_the_stated_frequency_and_length) {
    struct fixture f;
    int64_t episodes;
    fixture_init(&f);
    /* A short cycle, to see many: 100 episodes a day of 180 s. */
    f.regimes[0].overload.episodes_per_day = 100;
    double share = share_bad(&f, 60, &episodes);
    /* Bad share 180 x 100 / 86400 = .2083 over 6,000 cycles: standard error about .0033. Blips under 1 s go unseen. */
    cr_assert_float_eq(share, 180. * 100 / 86400, .0133);
    cr_assert_float_eq((double)episodes, 6000, 320);
}

Test(models_endpoint_refusals, overload_without_episodes_stays_good) {
    struct fixture f;
    int64_t episodes;
    fixture_init(&f);
    f.regimes[0].overload.episodes_per_day = 0;
    cr_assert_eq(share_bad(&f, 2, &episodes), 0);
}

Test(models_endpoint_refusals, overload_draws_one_uniform_an_attempt) {
    struct fixture f;
    int hits = 0;
    fixture_init(&f);
    f.regimes[0].overload.on = true;
    f.regimes[0].overload.good_probability = .3;
    f.regimes[0].overload.bad_probability = .3;
    fixture_start(&f);
    for (uint32_t i = 0; i < 10000; i++) {
        bool hit = fixture_ask(&f, 0, 10, 0, NULL).limiter == MODEL_BY_OVERLOAD;
        cr_assert_eq(hit, model_uniform(&f.streams, 0, i, MODEL_OVERLOAD_HIT, 0) < .3);
        hits += hit;
    }
    cr_assert_float_eq(hits, 3000, 4 * 46);
}

Test(models_endpoint_refusals, an_outage_by_a_change_of_overload) {
    struct fixture f;
    fixture_init(&f);
    f.config.regime_count = 2;
    f.regimes[1].overload.on = true;
    f.regimes[1].overload.good_probability = 1;
    f.regimes[1].overload.bad_probability = 1;
    fixture_start(&f);
    cr_assert_eq(fixture_ask(&f, 10 * SECOND_NS, 10, 0, NULL).limiter, MODEL_ADMITTED);
    model_endpoint_change(&f.endpoint, 10 * SECOND_NS);
    cr_assert_eq(fixture_ask(&f, 10 * SECOND_NS, 10, 0, NULL).limiter, MODEL_BY_OVERLOAD);
}

/** Seconds of the hour after @p from_s in which an attempt gets a 529. */
static int bad_seconds(struct fixture *f, int64_t from_s) {
    int bad = 0;
    for (int64_t i = from_s; i < from_s + 3600; i++)
        bad += fixture_ask(f, i * SECOND_NS, 10, 0, NULL).limiter == MODEL_BY_OVERLOAD;
    return bad;
}

Test(models_endpoint_refusals, changes_switch_episodes_on_and_redraw_them_for_new_means) {
    for (int was_on = 0; was_on <= 1; was_on++) {
        struct fixture f;
        fixture_init(&f);
        f.config.regime_count = 2;
        f.regimes[0].overload = (struct model_overload){.on = was_on, .bad_probability = 1, .mean_bad_s = 60};
        f.regimes[1].overload = f.regimes[0].overload;
        f.regimes[1].overload.on = true;
        f.regimes[1].overload.episodes_per_day = 720; /* half of the time */
        fixture_start(&f);
        cr_assert_eq(bad_seconds(&f, 0), 0);
        model_endpoint_change(&f.endpoint, 3600 * SECOND_NS);
        cr_assert_eq(fixture_ask(&f, 3600 * SECOND_NS, 10, 0, NULL).limiter, MODEL_ADMITTED, "it starts good");
        cr_assert_gt(bad_seconds(&f, 3600), 600);
    }
}

Test(models_endpoint_refusals, a_change_that_leaves_overload_alone_leaves_its_episodes_alone) {
    struct fixture plain, changed;
    fixture_init(&plain);
    plain.regimes[0].overload = (struct model_overload){
        .on = true, .good_probability = 0, .bad_probability = 1, .mean_bad_s = 60, .episodes_per_day = 200};
    fixture_start(&plain);
    fixture_init(&changed);
    changed.regimes[0].overload = plain.regimes[0].overload;
    changed.regimes[1].overload = plain.regimes[0].overload;
    changed.config.regime_count = 2;
    fixture_limits(&changed, 1, 1000000, 0, 0);
    fixture_start(&changed);
    for (int64_t i = 0; i < 20000; i++) {
        if (i == 5000)
            model_endpoint_change(&changed.endpoint, i * SECOND_NS);
        cr_assert_eq(fixture_ask(&plain, i * SECOND_NS, 10, 0, NULL).limiter,
                     fixture_ask(&changed, i * SECOND_NS, 10, 0, NULL).limiter);
    }
}

static void ramp_fixture(struct fixture *f) {
    fixture_init(f);
    f->config.ramp = true;
    f->config.ramp_initial_tokens = 1000;
    f->config.ramp_step_tokens = 500;
    f->config.start_unix_ns += 20 * SECOND_NS; /* the first minute has 40 s left */
    fixture_limits(f, 0, 0, 1800, 0);
    f->classes[0][0].burst_ns[MODEL_ITPM] = 3600 * SECOND_NS;
}

Test(models_endpoint_refusals, ramp_refuses_above_the_allowance_until_the_next_clock_minute) {
    struct fixture f;
    ramp_fixture(&f);
    fixture_start(&f);
    cr_assert_eq(fixture_ask(&f, 0, 600, 0, NULL).limiter, MODEL_ADMITTED);
    cr_assert_eq(fixture_ask(&f, 0, 400, 0, NULL).limiter, MODEL_ADMITTED);
    struct model_admission answer = fixture_ask(&f, SECOND_NS / 2, 1, 0, NULL);
    cr_assert_eq(answer.limiter, MODEL_BY_RAMP);
    cr_assert_eq(answer.retry_after_ns, 40 * SECOND_NS, "39.5 s, rounded up");
    cr_assert_eq(fixture_ask(&f, 40 * SECOND_NS - 1, 1, 0, NULL).retry_after_ns, SECOND_NS);
    cr_assert_eq(fixture_ask(&f, 40 * SECOND_NS, 1500, 0, NULL).limiter, MODEL_ADMITTED, "a busy minute adds a step");
    cr_assert_eq(fixture_ask(&f, 40 * SECOND_NS, 1, 0, NULL).limiter, MODEL_BY_RAMP);
}

Test(models_endpoint_refusals, ramp_grows_to_the_limit_and_decays_to_the_initial) {
    struct fixture f;
    ramp_fixture(&f);
    fixture_start(&f);
    for (int64_t minute = 0; minute < 5; minute++)
        fixture_ask(&f, minute * 60 * SECOND_NS, 10, 0, NULL);
    fixture_ask(&f, 300 * SECOND_NS, 10, 0, NULL);
    cr_assert_float_eq(f.endpoint.ramp_allowance, 1800, 0, "1000, 1500, then the limit");
    /* Busy at 300 s, then two idle minutes before the next question. */
    fixture_ask(&f, 480 * SECOND_NS, 2000, 0, NULL);
    cr_assert_float_eq(f.endpoint.ramp_allowance, 1000, 0, "1800, 1300, not below 1000");
    fixture_ask(&f, 540 * SECOND_NS, 10, 0, NULL);
    cr_assert_float_eq(f.endpoint.ramp_allowance, 1500, 0);
    fixture_ask(&f, 660 * SECOND_NS, 10, 0, NULL);
    cr_assert_float_eq(f.endpoint.ramp_allowance, 1300, 0, "1800 after the busy minute, one idle");
}

Test(models_endpoint_refusals, ramp_lets_the_first_of_a_minute_pass_whatever_its_size) {
    struct fixture f;
    ramp_fixture(&f);
    fixture_start(&f);
    cr_assert_eq(fixture_ask(&f, 0, 5000, 0, NULL).limiter, MODEL_ADMITTED);
    cr_assert_eq(fixture_ask(&f, 0, 1, 0, NULL).limiter, MODEL_BY_RAMP);
    cr_assert_eq(fixture_ask(&f, 40 * SECOND_NS, 1, 0, NULL).limiter, MODEL_ADMITTED);
    cr_assert_eq(fixture_ask(&f, 40 * SECOND_NS, 5000, 0, NULL).limiter, MODEL_BY_RAMP);
}

Test(models_endpoint_refusals, ramp_counts_admitted_input_only) {
    struct fixture f;
    ramp_fixture(&f);
    f.classes[0][0].per_minute[MODEL_RPM] = 60;
    f.classes[0][0].burst_ns[MODEL_RPM] = SECOND_NS;
    fixture_start(&f);
    fixture_ask(&f, 0, 500, 0, NULL);
    cr_assert_eq(fixture_ask(&f, 0, 400, 0, NULL).limiter, MODEL_BY_RPM, "the ramp comes before RPM and lets it by");
    cr_assert_eq(fixture_ask(&f, SECOND_NS, 500, 0, NULL).limiter, MODEL_ADMITTED);
}

Test(models_endpoint_refusals, ramp_minutes_work_before_1970) {
    struct fixture f;
    ramp_fixture(&f);
    f.config.start_unix_ns = -SECOND_NS / 2;
    fixture_start(&f);
    fixture_ask(&f, 0, 1000, 0, NULL);
    cr_assert_eq(fixture_ask(&f, 0, 1, 0, NULL).retry_after_ns, SECOND_NS);
    cr_assert_eq(fixture_ask(&f, SECOND_NS / 2, 1500, 0, NULL).limiter, MODEL_ADMITTED);
}
