/** Small expressions over the knobs of a study: constraints and filters.
 *
 *      quantum > 5 && weights.batch <= weights.standard      policy == "drr" || !(burst_s < 10)
 *
 *  Numbers, strings in single or double quotes, true and false; names of values; + - * / and unary -; < <= > >= == !=;
 *  && || ! and parentheses, all with C's precedence. A name is a path as --set takes it, or its end from a dot on where
 *  that is unambiguous; one that holds other characters than letters, digits, _ and . stands in backquotes. Nothing else
 *  can be written, so an expression from a file can do no harm; its depth and length are bounded. */
#ifndef SIM_EXPRESSION_H
#define SIM_EXPRESSION_H

#include "../scenario/located_error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SIM_EXPRESSION_DEPTH_MAX = 64, SIM_EXPRESSION_BYTES_MAX = 4096 };

enum sim_value_kind { SIM_VALUE_NUMBER, SIM_VALUE_TEXT, SIM_VALUE_TRUTH };

/** A value; text is borrowed, not terminated. */
struct sim_value {
    enum sim_value_kind kind;
    double number; /**< of a truth: 0 or 1 */
    const char *text;
    size_t length; /**< of the text */
};

/** Where names get their meaning. */
struct sim_names {
    /** Number that stands for @p name (its @p length bytes) from now on. @return false with *error's message set. */
    bool (*find)(void *context, const char *name, size_t length, size_t *ret, struct sim_located_error *error);
    void *context;
};

struct sim_expression;

/** Parse @p text. @return the expression (sim_expression_destroy), or NULL with *error's message: what was expected and
 *  found, and where. */
struct sim_expression *sim_expression_create(const char *text, const struct sim_names *names,
                                             struct sim_located_error *error);
/** Accepts NULL. */
void sim_expression_destroy(struct sim_expression *expression);

/** As written. */
const char *sim_expression_text(const struct sim_expression *expression);

/** Is it made of names, + and - alone? */
bool sim_expression_is_sum(const struct sim_expression *expression);

/** Does it name what has this number? */
bool sim_expression_names(const struct sim_expression *expression, size_t number);

/** Is it true? @p value gives the value of a name by its number, false when it has none. Division by zero gives what
 *  IEEE 754 says. @return false with *error when operands do not fit or the result is no truth. */
bool sim_expression_true(const struct sim_expression *expression,
                         bool (*value)(void *context, size_t number, struct sim_value *ret), void *context,
                         bool *ret_true, struct sim_located_error *error);

/** The same for an expression that is a number; NaN where a value in it is NaN. */
bool sim_expression_number(const struct sim_expression *expression,
                           bool (*value)(void *context, size_t number, struct sim_value *ret), void *context,
                           double *ret_number, struct sim_located_error *error);

#endif
