/* Expressions of constraints and filters: values, precedence, errors, bounds. */
#include "../../sim/study/expression.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"a", "b.c", "word", "nothing", "x-y"};
static const struct sim_value values[] = {{.kind = SIM_VALUE_NUMBER, .number = 3},
                                          {.kind = SIM_VALUE_NUMBER, .number = -2},
                                          {.kind = SIM_VALUE_TEXT, .text = "drr", .length = 3},
                                          {0},
                                          {.kind = SIM_VALUE_NUMBER, .number = 7}};

static bool find(void *context, const char *name, size_t length, size_t *ret, struct sim_located_error *error) {
    (void)context;
    for (size_t i = 0; i < 5; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) {
            *ret = i;
            return true;
        }
    sim_error_set(error, "", 0, "", "unknown name");
    return false;
}

static bool value(void *context, size_t number, struct sim_value *ret) {
    (void)context;
    *ret = values[number];
    return number != 3;
}

/* 1 true, 0 false, -1 no expression, -2 cannot be evaluated; the message in `error`. */
static int evaluate(const char *text, struct sim_located_error *error) {
    const struct sim_names scope = {.find = find};
    struct sim_expression *expression = sim_expression_create(text, &scope, error);
    bool truth = false;
    if (expression == NULL)
        return -1;
    bool good = sim_expression_true(expression, value, NULL, &truth, error);
    sim_expression_destroy(expression);
    return good ? truth : -2;
}

static void expect(const char *text, int expected) {
    struct sim_located_error error = {0};
    int got = evaluate(text, &error);
    cr_assert_eq(got, expected, "%s: %d instead of %d (%s)", text, got, expected, error.message);
    cr_assert_eq(error.message[0] != '\0', expected < 0, "%s", text);
}

Test(expression, has_the_precedence_of_c) {
    expect("1 + 2 * 3 == 7", 1);
    expect("(1 + 2) * 3 == 9", 1);
    expect("7 - 2 - 1 == 4", 1);
    expect("8 / 4 / 2 == 1", 1);
    expect("-2 * -3 == 6 && 1 < 2", 1);
    expect("1 > 2 || 2 > 1 && 1 > 2", 0);
    expect("(1 > 2 || 2 > 1) && 2 >= 2", 1);
    expect("!(1 > 2) && !!(1 < 2)", 1);
    expect("1 < 2 == true", 1);
    expect("1e3 == 1000 && 2.5e-1 == .25", 1);
}

Test(expression, reads_names_and_words) {
    expect("a == 3 && b.c == -2 && a > b.c", 1);
    expect("`x-y` - a == 4", 1);
    expect("word == \"drr\" && word != 'dr' && word != \"drrr\"", 1);
    expect("a-1 == 2", 1);
}

/* The right side is not looked at when the left decides: "nothing" has no value. */
Test(expression, stops_when_it_knows) {
    expect("a == 3 || nothing > 1", 1);
    expect("a == 4 && nothing > 1", 0);
    expect("a == 3 && nothing > 1", -2);
}

Test(expression, compares_with_nan_as_ieee_does) {
    expect("0 / 0 == 0 / 0", 0);
    expect("0 / 0 < 1 || 0 / 0 >= 1", 0);
    expect("1 / 0 > 1e308", 1);
}

Test(expression, refuses_what_does_not_fit) {
    static const char *const none[] = {"",      "1 +", "(1 < 2", "1 < 2)",   "1 2",  "a = 3",    "a & b.c",
                                       "c > 1", "\"x", "`a",     "1..2 < 3", "f(1)", "a; a > 1", "a > 1e999"};
    static const char *const unfit[] = {"a",  "1 + 2",      "word > \"d\"", "word == 1",  "a && a > 1",
                                        "!a", "-word == 1", "1 < 2 < 3",    "a > 1 || 5", "true + 1 == 2"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        expect(none[i], -1);
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
        expect(unfit[i], i == 8 ? 1 : -2);
}

Test(expression, says_where) {
    struct sim_located_error error = {0};
    cr_assert_eq(evaluate("a > 1 && ", &error), -1);
    cr_assert(strstr(error.message, "found the end") != NULL, "%s", error.message);
    error = (struct sim_located_error){0};
    cr_assert_eq(evaluate("a > 1 ? 2", &error), -1);
    cr_assert(strstr(error.message, "character 7") != NULL, "%s", error.message);
}

static void fill(char *text, size_t depth, char open, const char *core, char close) {
    memset(text, open, depth);
    strcpy(text + depth, core);
    memset(text + depth + strlen(core), close, depth);
    text[2 * depth + strlen(core)] = '\0';
}

Test(expression, bounds_depth_and_length) {
    char text[3 * SIM_EXPRESSION_BYTES_MAX] = "";
    fill(text, SIM_EXPRESSION_DEPTH_MAX - 2, '(', "1 < 2", ')');
    expect(text, 1);
    fill(text, SIM_EXPRESSION_DEPTH_MAX, '(', "1 < 2", ')');
    expect(text, -1);
    fill(text, 1000, '!', "true", ' ');
    expect(text, -1);
    fill(text, SIM_EXPRESSION_BYTES_MAX, ' ', "true", ' ');
    expect(text, -1);
    /* The deepest stack: pending operands at every level of nesting. */
    strcpy(text, "");
    for (int i = 0; i < SIM_EXPRESSION_DEPTH_MAX - 2; i++)
        strcat(text, "true==(1<(1+1*(");
    cr_assert(strlen(text) < sizeof text);
    expect(text, -1);
}
