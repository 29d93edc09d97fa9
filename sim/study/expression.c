/* Recursive descent into a postfix program, and a stack that runs it. */
#include "expression.h"

#include "../memory.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum operation {
    PUSH_NUMBER,
    PUSH_TEXT,
    PUSH_TRUTH,
    PUSH_NAME,
    NEGATE,
    NOT,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    LESS,
    LESS_EQUAL,
    MORE,
    MORE_EQUAL,
    EQUAL,
    UNEQUAL,
    AND, /* jump over the right side when the left is false, which then is the result */
    OR,
    TRUTH, /* the result of && and || must be a truth */
};

struct step {
    enum operation operation;
    double number; /* PUSH_NUMBER, PUSH_TRUTH */
    size_t at; /* PUSH_NAME: number of the name; PUSH_TEXT: where it begins in `texts`; AND, OR: step to go on with */
};

struct sim_expression {
    char *text;
    char *texts; /* string constants, each with its NUL */
    struct step *steps;
    size_t count, room;
};

struct parser {
    struct sim_expression *expression;
    const struct sim_names *names;
    const char *at;
    size_t texts_used;
    int depth;
    struct sim_located_error *error;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct parser *parser, const char *format, ...) {
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sim_error_set(parser->error, "", 0, "", "%s, at character %zu of \"%.120s\"", message,
                  (size_t)(parser->at - parser->expression->text) + 1, parser->expression->text);
    return false;
}

static bool expected(struct parser *parser, const char *what) {
    return *parser->at == '\0' ? fail(parser, "expected %s, found the end", what)
                               : fail(parser, "expected %s, found \"%.20s\"", what, parser->at);
}

static void skip_space(struct parser *parser) {
    while (isspace((unsigned char)*parser->at))
        parser->at++;
}

static struct step *add(struct parser *parser, enum operation operation) {
    struct sim_expression *expression = parser->expression;
    if (expression->count == expression->room) {
        expression->room = expression->room > 0 ? 2 * expression->room : 16;
        expression->steps = sim_realloc(expression->steps, expression->room, sizeof *expression->steps);
    }
    struct step *step = &expression->steps[expression->count++];
    *step = (struct step){.operation = operation};
    return step;
}

/* Take @p word if it stands here. */
static bool accept(struct parser *parser, const char *word) {
    size_t length = strlen(word);
    skip_space(parser);
    if (strncmp(parser->at, word, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static bool parse_or(struct parser *parser);

static bool parse_number(struct parser *parser) {
    size_t length = strspn(parser->at, "0123456789.");
    if (parser->at[length] == 'e' || parser->at[length] == 'E') {
        size_t digits = length + 1 + (strchr("+-", parser->at[length + 1]) != NULL && parser->at[length + 1] != '\0');
        size_t more = strspn(parser->at + digits, "0123456789");
        length = more > 0 ? digits + more : length;
    }
    char buffer[64], *end;
    if (length >= sizeof buffer)
        return expected(parser, "a shorter number");
    memcpy(buffer, parser->at, length);
    buffer[length] = '\0';
    double number = strtod(buffer, &end);
    if (*end != '\0' || !isfinite(number))
        return expected(parser, "a number");
    add(parser, PUSH_NUMBER)->number = number;
    parser->at += length;
    return true;
}

static bool parse_text(struct parser *parser) {
    const char *end = strchr(parser->at + 1, *parser->at);
    if (end == NULL)
        return expected(parser, "a closing quote somewhere");
    size_t length = (size_t)(end - parser->at) - 1;
    char *into = parser->expression->texts + parser->texts_used;
    memcpy(into, parser->at + 1, length);
    into[length] = '\0';
    add(parser, PUSH_TEXT)->at = parser->texts_used;
    parser->texts_used += length + 1;
    parser->at = end + 1;
    return true;
}

static bool is_name_byte(char byte) {
    return isalnum((unsigned char)byte) || byte == '_' || byte == '.';
}

static bool parse_name(struct parser *parser) {
    bool quoted = *parser->at == '`';
    const char *begin = parser->at + quoted, *end = begin;
    while (quoted ? *end != '\0' && *end != '`' : is_name_byte(*end))
        end++;
    if (quoted && *end == '\0')
        return expected(parser, "a closing backquote somewhere");
    size_t length = (size_t)(end - begin), number;
    for (int truth = 0; truth < 2 && !quoted; truth++) {
        const char *word = truth ? "true" : "false";
        if (length == strlen(word) && strncmp(begin, word, length) == 0) {
            add(parser, PUSH_TRUTH)->number = truth;
            parser->at = end;
            return true;
        }
    }
    struct sim_located_error why = {0};
    if (!parser->names->find(parser->names->context, begin, length, &number, &why))
        return fail(parser, "%s", why.message);
    add(parser, PUSH_NAME)->at = number;
    parser->at = end + quoted;
    return true;
}

static bool parse_primary(struct parser *parser) {
    skip_space(parser);
    char first = *parser->at;
    if (accept(parser, "(")) {
        if (!parse_or(parser))
            return false;
        return accept(parser, ")") || expected(parser, "\")\"");
    }
    if (isdigit((unsigned char)first) || first == '.')
        return parse_number(parser);
    if (first == '"' || first == '\'')
        return parse_text(parser);
    if (isalpha((unsigned char)first) || first == '_' || first == '`')
        return parse_name(parser);
    return expected(parser, "a number, a name, a string or \"(\"");
}

/* Nesting is bounded here, where every recursion passes. */
static bool parse_unary(struct parser *parser) {
    if (parser->depth == SIM_EXPRESSION_DEPTH_MAX)
        return fail(parser, "nested more than %d deep", SIM_EXPRESSION_DEPTH_MAX);
    parser->depth++;
    bool negative = accept(parser, "-"), not = !negative && accept(parser, "!");
    bool good = negative || not ? parse_unary(parser) : parse_primary(parser);
    if (good && (negative || not ))
        add(parser, negative ? NEGATE : NOT);
    parser->depth--;
    return good;
}

/* Binary operators by precedence, tightest first. Longer spellings stand before those they begin with. */
struct infix {
    const char *spelling;
    enum operation operation;
};
enum { LEVELS = 4, LEVEL_OPERATORS = 4 };
static const struct infix infixes[LEVELS][LEVEL_OPERATORS] = {
    {{"*", MULTIPLY}, {"/", DIVIDE}},
    {{"+", ADD}, {"-", SUBTRACT}},
    {{"<=", LESS_EQUAL}, {">=", MORE_EQUAL}, {"<", LESS}, {">", MORE}},
    {{"==", EQUAL}, {"!=", UNEQUAL}},
};

static const struct infix *accept_infix(struct parser *parser, int level) {
    for (int i = 0; i < LEVEL_OPERATORS && infixes[level][i].spelling != NULL; i++)
        if (accept(parser, infixes[level][i].spelling))
            return &infixes[level][i];
    return NULL;
}

static bool parse_infix(struct parser *parser, int level) {
    if (level < 0)
        return parse_unary(parser);
    if (!parse_infix(parser, level - 1))
        return false;
    const struct infix *infix;
    while ((infix = accept_infix(parser, level)) != NULL) {
        if (!parse_infix(parser, level - 1))
            return false;
        add(parser, infix->operation);
    }
    return true;
}

static bool parse_chain(struct parser *parser, const char *spelling, enum operation operation,
                        bool (*operand)(struct parser *parser)) {
    if (!operand(parser))
        return false;
    while (accept(parser, spelling)) {
        size_t jump = parser->expression->count;
        add(parser, operation);
        if (!operand(parser))
            return false;
        add(parser, TRUTH);
        parser->expression->steps[jump].at = parser->expression->count;
    }
    return true;
}

static bool parse_comparison(struct parser *parser) {
    return parse_infix(parser, LEVELS - 1);
}

static bool parse_and(struct parser *parser) {
    return parse_chain(parser, "&&", AND, parse_comparison);
}

static bool parse_or(struct parser *parser) {
    return parse_chain(parser, "||", OR, parse_and);
}

struct sim_expression *sim_expression_create(const char *text, const struct sim_names *names,
                                             struct sim_located_error *error) {
    size_t length = strlen(text);
    if (length > SIM_EXPRESSION_BYTES_MAX) {
        sim_error_set(error, "", 0, "", "expected an expression of at most %d bytes, found %zu",
                      SIM_EXPRESSION_BYTES_MAX, length);
        return NULL;
    }
    struct sim_expression *expression = sim_calloc(1, sizeof *expression);
    expression->text = sim_strdup(text);
    /* A string is shorter by a quote than what it was written as. */
    expression->texts = sim_alloc(length + 1);
    struct parser parser = {.expression = expression, .names = names, .at = expression->text, .error = error};
    bool good = parse_or(&parser);
    skip_space(&parser);
    if (good && *parser.at != '\0')
        good = expected(&parser, "an operator or the end");
    if (good)
        return expression;
    sim_expression_destroy(expression);
    return NULL;
}

void sim_expression_destroy(struct sim_expression *expression) {
    if (expression == NULL)
        return;
    free(expression->text);
    free(expression->texts);
    free(expression->steps);
    free(expression);
}

const char *sim_expression_text(const struct sim_expression *expression) {
    return expression->text;
}

bool sim_expression_is_sum(const struct sim_expression *expression) {
    for (size_t i = 0; i < expression->count; i++) {
        enum operation operation = expression->steps[i].operation;
        if (operation != PUSH_NAME && operation != ADD && operation != SUBTRACT && operation != NEGATE)
            return false;
    }
    return true;
}

bool sim_expression_names(const struct sim_expression *expression, size_t number) {
    for (size_t i = 0; i < expression->count; i++)
        if (expression->steps[i].operation == PUSH_NAME && expression->steps[i].at == number)
            return true;
    return false;
}

/* ---- evaluation ---- */

/* Deepest stack: each level of nesting holds a pending operand for each precedence at the most. */
enum { STACK_MAX = (SIM_EXPRESSION_DEPTH_MAX + 1) * (LEVELS + 2) };

static struct sim_value number_of(double number) {
    return (struct sim_value){.kind = SIM_VALUE_NUMBER, .number = number};
}

static struct sim_value truth_of(bool truth) {
    return (struct sim_value){.kind = SIM_VALUE_TRUTH, .number = truth};
}

/* How @p left stands to @p right, which are of one kind; 2: unequal without an order, as NaN and texts are. */
static int order(const struct sim_value *left, const struct sim_value *right) {
    if (left->kind == SIM_VALUE_TEXT)
        return left->length == right->length && memcmp(left->text, right->text, left->length) == 0 ? 0 : 2;
    if (isnan(left->number) || isnan(right->number))
        return 2;
    return (left->number > right->number) - (left->number < right->number);
}

static bool compare(enum operation operation, const struct sim_value *left, const struct sim_value *right,
                    struct sim_value *ret) {
    bool equality = operation == EQUAL || operation == UNEQUAL;
    if (left->kind != right->kind || (!equality && left->kind != SIM_VALUE_NUMBER))
        return false;
    int stands = order(left, right);
    switch (operation) {
    case LESS:
        *ret = truth_of(stands == -1);
        break;
    case LESS_EQUAL:
        *ret = truth_of(stands == -1 || stands == 0);
        break;
    case MORE:
        *ret = truth_of(stands == 1);
        break;
    case MORE_EQUAL:
        *ret = truth_of(stands == 1 || stands == 0);
        break;
    case EQUAL:
        *ret = truth_of(stands == 0);
        break;
    default:
        *ret = truth_of(stands != 0);
    }
    return true;
}

static bool calculate(enum operation operation, const struct sim_value *left, const struct sim_value *right,
                      struct sim_value *ret) {
    if (operation >= LESS)
        return compare(operation, left, right, ret);
    if (left->kind != SIM_VALUE_NUMBER || right->kind != SIM_VALUE_NUMBER)
        return false;
    double a = left->number, b = right->number;
    *ret = number_of(operation == ADD ? a + b : operation == SUBTRACT ? a - b : operation == MULTIPLY ? a * b : a / b);
    return true;
}

/* Run one step that needs the top of the stack. @return false when operands do not fit. */
static bool run_step(const struct step *step, struct sim_value *stack, size_t *used, size_t *next) {
    struct sim_value *top = &stack[*used - 1];
    switch (step->operation) {
    case NEGATE:
        top->number = -top->number;
        return top->kind == SIM_VALUE_NUMBER;
    case NOT:
        top->number = top->number > 0 ? 0 : 1;
        return top->kind == SIM_VALUE_TRUTH;
    case AND:
    case OR:
        if (top->kind != SIM_VALUE_TRUTH)
            return false;
        if ((top->number > 0) == (step->operation == OR))
            *next = step->at;
        else
            (*used)--;
        return true;
    case TRUTH:
        return top->kind == SIM_VALUE_TRUTH;
    default:
        (*used)--;
        return calculate(step->operation, &stack[*used - 1], top, &stack[*used - 1]);
    }
}

static bool does_not_fit(const struct sim_expression *expression, struct sim_located_error *error, const char *why) {
    sim_error_set(error, "", 0, "", "\"%.200s\": %s", expression->text, why);
    return false;
}

static bool evaluate(const struct sim_expression *expression,
                     bool (*value)(void *context, size_t number, struct sim_value *ret), void *context,
                     struct sim_value *ret, struct sim_located_error *error) {
    struct sim_value stack[STACK_MAX];
    size_t used = 0;
    for (size_t next = 0; next < expression->count;) {
        const struct step *step = &expression->steps[next++];
        struct sim_value pushed = {.kind = SIM_VALUE_NUMBER, .number = step->number};
        switch (step->operation) {
        case PUSH_TRUTH:
            pushed.kind = SIM_VALUE_TRUTH;
            break;
        case PUSH_TEXT:
            pushed = (struct sim_value){.kind = SIM_VALUE_TEXT, .text = expression->texts + step->at};
            pushed.length = strlen(pushed.text);
            break;
        case PUSH_NAME:
            if (!value(context, step->at, &pushed))
                return does_not_fit(expression, error, "a value in it is no number, word or truth");
            break;
        case PUSH_NUMBER:
            break;
        default:
            if (!run_step(step, stack, &used, &next))
                return does_not_fit(expression, error,
                                    "operands do not fit: + - * / and < > take numbers, && || ! take comparisons, == "
                                    "takes two of a kind");
            continue;
        }
        assert(used < STACK_MAX);
        stack[used++] = pushed;
    }
    *ret = stack[0];
    return true;
}

bool sim_expression_true(const struct sim_expression *expression,
                         bool (*value)(void *context, size_t number, struct sim_value *ret), void *context,
                         bool *ret_true, struct sim_located_error *error) {
    struct sim_value result;
    if (!evaluate(expression, value, context, &result, error))
        return false;
    if (result.kind != SIM_VALUE_TRUTH)
        return does_not_fit(expression, error, "expected a comparison, something that is true or false");
    *ret_true = result.number > 0;
    return true;
}

bool sim_expression_number(const struct sim_expression *expression,
                           bool (*value)(void *context, size_t number, struct sim_value *ret), void *context,
                           double *ret_number, struct sim_located_error *error) {
    struct sim_value result;
    if (!evaluate(expression, value, context, &result, error))
        return false;
    if (result.kind != SIM_VALUE_NUMBER)
        return does_not_fit(expression, error, "expected a number, found a word or a comparison");
    *ret_number = result.number;
    return true;
}
