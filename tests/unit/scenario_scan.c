/* The strict scan: every departure from RFC 8259 is found, with its line and column. */
#include "../../sim/scenario/strict_scan.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_located_error scan(const char *text) {
    struct sim_located_error error = {0};
    bool good = sim_scan_check(text, strlen(text), "f", &error);
    cr_assert_eq(good, error.message[0] == '\0');
    return error;
}

Test(scenario_scan, accepts_what_json_allows) {
    static const char *const good[] = {
        "{}",
        "[]",
        "  {\"a\": [1, -0, 0.5, 1e3, 1E-3, -1.25e+2, true, false, null, \"\"]}\n",
        "\"\\u00e9 \\ud83d\\ude00 \\n\\/\"",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
        "0",
        "[[[[]]]]",
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        cr_assert_eq(scan(good[i]).message[0], '\0', "%s", good[i]);
}

struct fault {
    const char *text;
    size_t line, column;
    const char *path;
    const char *words;
};

Test(scenario_scan, refuses_what_json_does_not) {
    static const struct fault faults[] = {
        {"", 1, 1, "", "end of the text"},
        {"{\"a\": 01}", 1, 7, "a", "superfluous 0"},
        {"{\"a\": -}", 1, 7, "a", "without digits"},
        {"{\"a\": 1.}", 1, 7, "a", "decimal point"},
        {"{\"a\": .5}", 1, 7, "a", "expected a JSON value"},
        {"{\"a\": +1}", 1, 7, "a", "expected a JSON value"},
        {"{\"a\": 1e}", 1, 7, "a", "exponent"},
        {"{\"a\": 1e400}", 1, 7, "a", "finite"},
        {"{\"a\": -1e400}", 1, 7, "a", "finite"},
        {"{\"a\": NaN}", 1, 7, "a", "expected a JSON value"},
        {"{\"a\": Infinity}", 1, 7, "a", "expected a JSON value"},
        {"{\"a\": 0x10}", 1, 8, "a", "',' or '}'"},
        {"{\"a\": tru}", 1, 7, "a", "expected a JSON value"},
        {"{} x", 1, 4, "", "found more"},
        {"{\"a\": 1,}", 1, 9, "a", "key in double quotes"},
        {"[1,]", 1, 4, "1", "expected a JSON value"},
        {"[1 2]", 1, 4, "0", "',' or ']'"},
        {"{\"a\" 1}", 1, 6, "a", "':'"},
        {"{a: 1}", 1, 2, "", "double quotes"},
        {"{'a': 1}", 1, 2, "", "double quotes"},
        {"{\n \"a\": 1,\n \"a\": 2}", 3, 2, "a", "duplicate"},
        {"{\"ab\": 1, \"\\u0061b\": 2}", 1, 11, "ab", "duplicate"},
        {"{\"a\": {\"b\": [0, {\"c\": 1, \"c\": 2}]}}", 1, 26, "a.b.1.c", "duplicate"},
        {"\"a\nb\"", 1, 3, "", "control character"},
        {"\"\xff\"", 1, 2, "", "UTF-8"},
        {"\"\xc0\x80\"", 1, 2, "", "UTF-8"},         /* overlong NUL */
        {"\"\xed\xa0\x80\"", 1, 2, "", "UTF-8"},     /* a surrogate */
        {"\"\xf4\x90\x80\x80\"", 1, 2, "", "UTF-8"}, /* beyond U+10FFFF */
        {"\"\xe2\x82", 1, 2, "", "UTF-8"},
        {"\"\\x\"", 1, 2, "", "expected one of"},
        {"\"\\u12\"", 1, 2, "", "expected one of"},
        {"\"\\u0000\"", 1, 2, "", "U+0000"},
        {"\"\\ud800x\"", 1, 2, "", "surrogate"},
        {"\"\\udc00\"", 1, 2, "", "surrogate"},
        {"\"abc", 1, 1, "", "closing"},
        {"{\"a\": [1, 2", 1, 12, "a.1", "ends inside"},
        {"{\"a\"", 1, 5, "a", "':'"},
        {"\xef\xbb\xbf{}", 1, 1, "", "0xEF"},
        {"// c\n{}", 1, 1, "", "expected a JSON value"},
        {"{\"a\": 0.1234567890123456789012345678901234567890123456789012345678901234567890}", 1, 7, "a", "63"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct fault *fault = &faults[i];
        struct sim_located_error error = scan(fault->text);
        cr_assert(strstr(error.message, fault->words) != NULL, "%s: %s", fault->text, error.message);
        cr_assert_eq(error.line, fault->line, "%s: line %zu", fault->text, error.line);
        cr_assert_eq(error.column, fault->column, "%s: column %zu", fault->text, error.column);
        cr_assert_eq(strcmp(error.path, fault->path), 0, "%s: path %s", fault->text, error.path);
    }
}

static char *repeated(const char *piece, size_t count, const char *end) {
    size_t length = strlen(piece);
    char *text = malloc(count * length + strlen(end) + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * length, piece, length);
    memcpy(text + count * length, end, strlen(end) + 1);
    return text;
}

Test(scenario_scan, bounds_depth_keys_and_values) {
    static const struct {
        const char *piece;
        size_t good, bad;
        const char *middle, *end, *words;
    } cases[] = {
        {"[", 64, 65, "", "]", "64 levels"},
        {"{\"a\":", 64, 65, "1", "}", "64 levels"},
        {"[", 64, 10000, "", "]", "64 levels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int bad = 0; bad < 2; bad++) {
            size_t count = bad ? cases[i].bad : cases[i].good;
            char *closing = repeated(cases[i].end, count, ""), *tail;
            cr_assert(asprintf(&tail, "%s%s", cases[i].middle, closing) >= 0);
            char *text = repeated(cases[i].piece, count, tail);
            struct sim_located_error error = scan(text);
            cr_assert_eq(error.message[0] != '\0', bad == 1);
            cr_assert(!bad || strstr(error.message, cases[i].words) != NULL, "%s", error.message);
            free(text);
            free(tail);
            free(closing);
        }
    }
    char *values = malloc(4200000), *at = values;
    *at++ = '[';
    for (int i = 0; i < SIM_SCAN_VALUES_MAX; i++) {
        *at++ = '0';
        *at++ = ',';
    }
    at[-1] = ']';
    *at = '\0';
    cr_assert(strstr(scan(values).message, "2,000,000") != NULL);
    free(values);
    char *keys = malloc(100000);
    size_t length = 0;
    for (int i = 0; i <= SIM_SCAN_MEMBERS_MAX; i++)
        length += (size_t)sprintf(keys + length, "%c\"k%d\":0", i == 0 ? '{' : ',', i);
    strcpy(keys + length, "}");
    cr_assert(strstr(scan(keys).message, "4096") != NULL);
    free(keys);
}

Test(scenario_scan, truncated_anywhere_is_refused) {
    static const char text[] = "{\"a\": [1.5e3, \"\\u00e9\xc3\xa9\", {\"b\": null, \"c\": true}], \"d\": {}}";
    for (size_t length = 0; length + 1 < sizeof text; length++) {
        char *cut = strndup(text, length);
        struct sim_located_error error = {0};
        cr_assert_not(sim_scan_check(cut, length, "f", &error), "%s", cut);
        free(cut);
    }
}

Test(scenario_scan, any_byte_changed_never_crashes) {
    static const char text[] = "{\"a\": [1.5e3, \"\\u00e9\xc3\xa9\", {\"b\": null, \"c\": true}], \"d\": {}}";
    for (size_t at = 0; at + 1 < sizeof text; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char *changed = strdup(text);
            changed[at] = (char)byte;
            struct sim_located_error error = {0};
            bool good = sim_scan_check(changed, sizeof text - 1, "f", &error);
            cr_assert_eq(good, error.message[0] == '\0');
            free(changed);
        }
    }
}

Test(scenario_scan, finds_values_by_path) {
    static const char text[] = "{ \"a\" : [ 1,\n  { \"b.c\" : \"x,]}\\\"\", \"d\": {} } ],\n\"\\u0065\": 5}";
    static const struct {
        const char *steps[4];
        size_t count, line, column;
    } places[] = {
        {{NULL}, 0, 1, 1},
        {{"a"}, 1, 1, 9},
        {{"a", "0"}, 2, 1, 11},
        {{"a", "1"}, 2, 2, 3},
        {{"a", "1", "b.c"}, 3, 2, 13},
        {{"a", "1", "d"}, 3, 2, 28},
        {{"e"}, 1, 3, 11},
    };
    size_t line, column;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        cr_assert(sim_scan_locate(text, strlen(text), places[i].steps, places[i].count, &line, &column), "%zu", i);
        cr_assert_eq(line, places[i].line, "%zu: line %zu", i, line);
        cr_assert_eq(column, places[i].column, "%zu: column %zu", i, column);
    }
    const char *const absent[][2] = {{"a", "2"}, {"a", "x"}, {"b", "0"}, {"e", "0"}};
    for (size_t i = 0; i < 4; i++)
        cr_assert_not(sim_scan_locate(text, strlen(text), absent[i], 2, &line, &column));
}
