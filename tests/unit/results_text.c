/* Numbers and strings as results write them. */
#include "../../sim/results/text.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *json_number(double value) {
    struct sim_text text = {0};
    sim_text_json_number(&text, value);
    return sim_text_take(&text);
}

static bool is(char *text, const char *expected) {
    bool same = text && strcmp(text, expected) == 0;
    if (!same)
        fprintf(stderr, "got %s, expected %s\n", text, expected);
    free(text);
    return same;
}

Test(text, numbers_are_short_and_exact) {
    cr_assert(is(json_number(0.1), "0.1"));
    cr_assert(is(json_number(1.0 / 3), "0.3333333333333333"));
    cr_assert(is(json_number(0.1 + 0.2), "0.30000000000000004"));
    cr_assert(is(json_number(1234567), "1234567"));
    cr_assert(is(json_number(-0.5), "-0.5"));
    static const double hard[] = {DBL_MIN, DBL_MAX, DBL_EPSILON, 5e-324, 9007199254740993.0, 1e22, 2.0 / 3};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        char buffer[SIM_NUMBER_SIZE];
        cr_assert(strtod(sim_number_format(hard[i], buffer), NULL) == hard[i], "%s", buffer);
    }
}

Test(text, json_knows_no_infinities) {
    cr_assert(is(json_number(NAN), "null"));
    cr_assert(is(json_number(INFINITY), "null"));
    cr_assert(is(json_number(-INFINITY), "null"));
}

Test(text, csv_numbers) {
    struct sim_text text = {0};
    sim_text_csv_number(&text, NAN);
    sim_text_add(&text, ",");
    sim_text_csv_number(&text, INFINITY);
    sim_text_add(&text, ",");
    sim_text_csv_number(&text, 0.25);
    cr_assert(is(sim_text_take(&text), ",inf,0.25"));
}

Test(text, csv_strings_are_quoted_when_they_must_be) {
    struct sim_text text = {0};
    sim_text_csv_string(&text, "plain");
    sim_text_add(&text, ";");
    sim_text_csv_string(&text, "a,b");
    sim_text_add(&text, ";");
    sim_text_csv_string(&text, "say \"hi\"\n");
    cr_assert(is(sim_text_take(&text), "plain;\"a,b\";\"say \"\"hi\"\"\n\""));
}

Test(text, json_strings_come_back) {
    static const char *const strings[] = {"", "plain", "quote \" back \\ slash", "line\nfeed\ttab\x01", "K\xc3\xb6ln"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        struct sim_text text = {0};
        sim_text_json_string(&text, strings[i]);
        char *json = sim_text_take(&text);
        cJSON *parsed = cJSON_Parse(json);
        cr_assert(cJSON_IsString(parsed));
        cr_assert_str_eq(parsed->valuestring, strings[i]);
        cJSON_Delete(parsed);
        free(json);
    }
}

/* cJSON's own printer would lose the last bits of these. */
Test(text, json_values_come_back_exactly) {
    cJSON *value =
        cJSON_Parse("{\"a\": [0.30000000000000004, 1e-300, {}, []], \"b\": {\"c\": null, \"d\": [true, false]}, "
                    "\"e\": [[1], \"x\"]}");
    cr_assert(value != NULL);
    struct sim_text text = {0};
    sim_text_json_value(&text, value, 0);
    char *json = sim_text_take(&text);
    cJSON *again = cJSON_Parse(json);
    cr_assert(cJSON_Compare(value, again, true), "%s", json);
    cr_assert(cJSON_GetArrayItem(cJSON_GetObjectItem(again, "a"), 0)->valuedouble == 0.1 + 0.2);
    cJSON_Delete(value);
    cJSON_Delete(again);
    free(json);
}

Test(text, grows) {
    struct sim_text text = {0};
    for (int i = 0; i < 10000; i++)
        sim_text_printf(&text, "%d,", i % 10);
    cr_assert_eq(text.length, 20000);
    char *all = sim_text_take(&text);
    cr_assert_eq(strlen(all), 20000);
    free(all);
    cr_assert(is(sim_text_take(&text), ""));
}
