#include "strict_scan.h"

#include "place.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** One open array or object. */
struct frame {
    bool object;
    size_t count;           /**< values begun in it */
    size_t key_at, key_end; /**< raw key of the current member, without its quotes */
    size_t first_key;       /**< where its keys begin in `keys` */
};

/** A key met in an object that is still open. */
struct key {
    uint64_t hash;
    size_t at, end;
};

struct scan {
    const char *text;
    size_t length;
    size_t at;
    const char *file;
    struct sim_located_error *error;
    struct frame frames[SIM_SCAN_DEPTH_MAX];
    size_t depth;
    size_t values;
    struct key *keys; /**< of the open objects, outermost first */
    size_t key_count, key_room;
};

static void position(const char *text, size_t at, size_t *ret_line, size_t *ret_column) {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    *ret_line = line;
    *ret_column = at - start + 1;
}

static unsigned hex_value(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return (unsigned)((c | 32) - 'a' + 10);
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

static size_t put_utf8(uint32_t code, char bytes[4]) {
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    for (size_t i = more; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(lead[more] | code);
    return more + 1;
}

static uint32_t four_hex(const char *digits) {
    return hex_value(digits[0]) << 12 | hex_value(digits[1]) << 8 | hex_value(digits[2]) << 4 | hex_value(digits[3]);
}

/** Decode what stands at @p *at inside a checked string: one character, escaped or not. @return its bytes' number. */
static size_t decode(const char *text, size_t *at, char bytes[4]) {
    if (text[*at] != '\\') {
        bytes[0] = text[(*at)++];
        return 1;
    }
    char c = text[*at + 1];
    *at += 2;
    if (c == 'u') {
        uint32_t code = four_hex(text + *at);
        *at += 4;
        if (code >= 0xD800 && code < 0xDC00) {
            code = 0x10000 + ((code - 0xD800) << 10) + (four_hex(text + *at + 2) - 0xDC00);
            *at += 6;
        }
        return put_utf8(code, bytes);
    }
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *found = strchr(from, c);
    bytes[0] = found != NULL ? to[found - from] : c;
    return 1;
}

/** Is the raw key text[at, end) the string @p name? */
static bool key_is(const char *text, size_t at, size_t end, const char *name) {
    while (at < end) {
        char bytes[4];
        size_t count = decode(text, &at, bytes);
        if (strncmp(name, bytes, count) != 0)
            return false;
        name += count;
    }
    return *name == '\0';
}

static size_t decode_key(const char *text, size_t at, size_t end, char *buffer, size_t size) {
    size_t used = 0;
    while (at < end && used + 5 < size)
        used += decode(text, &at, buffer + used);
    buffer[used] = '\0';
    return used;
}

/** Report a fault at byte @p at, with the path of the value that is open there. */
static bool fail(struct scan *scan, size_t at, const char *message) {
    size_t line, column;
    position(scan->text, at, &line, &column);
    struct sim_place places[SIM_SCAN_DEPTH_MAX + 1] = {{0}};
    char names[SIM_SCAN_DEPTH_MAX][48];
    for (size_t i = 0; i < scan->depth; i++) {
        const struct frame *frame = &scan->frames[i];
        decode_key(scan->text, frame->key_at, frame->object ? frame->key_end : frame->key_at, names[i],
                   sizeof names[i]);
        places[i + 1] = (struct sim_place){.parent = &places[i],
                                           .key = frame->object ? names[i] : NULL,
                                           .index = frame->count > 0 ? frame->count - 1 : 0};
    }
    /* An object before its first key has no open member. */
    size_t depth = scan->depth;
    if (depth > 0 && scan->frames[depth - 1].object && scan->frames[depth - 1].count == 0)
        depth--;
    char path[256];
    sim_error_set_at(scan->error, scan->file, line, column, sim_place_text(&places[depth], path, sizeof path), "%s",
                     message);
    return false;
}

static void skip_space(struct scan *scan) {
    while (scan->at < scan->length && strchr(" \t\r\n", scan->text[scan->at]) != NULL && scan->text[scan->at] != '\0')
        scan->at++;
}

/** Length of the well-formed UTF-8 sequence at @p at, 0 if there is none (Unicode 15, table 3-7). */
static size_t utf8_length(const char *text, size_t length, size_t at) {
    const unsigned char *b = (const unsigned char *)text + at;
    if (b[0] < 0x80)
        return 1;
    size_t more = b[0] >= 0xC2 && b[0] <= 0xDF ? 1 : (b[0] & 0xF0) == 0xE0 ? 2 : b[0] >= 0xF0 && b[0] <= 0xF4 ? 3 : 0;
    if (more == 0 || length - at <= more)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xF0 && b[1] < 0x90);
    bool surrogate = b[0] == 0xED && b[1] > 0x9F;
    bool beyond = b[0] == 0xF4 && b[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : more + 1;
}

/** @return length of the escape at @p at (a backslash), 0 with *why when it is none. */
static size_t escape_length(const struct scan *scan, size_t at, const char **why) {
    const char *text = scan->text;
    size_t left = scan->length - at;
    *why = "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX";
    if (left < 2)
        return 0;
    if (text[at + 1] != 'u')
        return strchr("\"\\/bfnrt", text[at + 1]) != NULL && text[at + 1] != '\0' ? 2 : 0;
    for (size_t i = 2; i < 6; i++)
        if (i >= left || !is_hex(text[at + i]))
            return 0;
    uint32_t code = four_hex(text + at + 2);
    if (code == 0)
        *why = "a string cannot hold the character U+0000";
    if (code == 0 || code < 0xD800 || code > 0xDFFF)
        return code == 0 ? 0 : 6;
    *why = "a surrogate must be one of a pair";
    if (code > 0xDBFF || left < 12 || text[at + 6] != '\\' || text[at + 7] != 'u')
        return 0;
    for (size_t i = 8; i < 12; i++)
        if (!is_hex(text[at + i]))
            return 0;
    uint32_t low = four_hex(text + at + 8);
    return low >= 0xDC00 && low <= 0xDFFF ? 12 : 0;
}

static bool scan_string(struct scan *scan) {
    size_t start = scan->at++;
    while (scan->at < scan->length) {
        unsigned char c = (unsigned char)scan->text[scan->at];
        const char *why = "not valid UTF-8";
        size_t step;
        if (c == '"') {
            scan->at++;
            return true;
        }
        if (c < 0x20)
            return fail(scan, scan->at, "a control character in a string must be escaped");
        if (c == '\\')
            step = escape_length(scan, scan->at, &why);
        else
            step = utf8_length(scan->text, scan->length, scan->at);
        if (step == 0)
            return fail(scan, scan->at, why);
        scan->at += step;
    }
    return fail(scan, start, "expected a closing \", found the end of the text");
}

static size_t digits(const struct scan *scan, size_t at) {
    size_t count = 0;
    while (at + count < scan->length && scan->text[at + count] >= '0' && scan->text[at + count] <= '9')
        count++;
    return count;
}

static char peek(const struct scan *scan, size_t at) {
    return at < scan->length ? scan->text[at] : '\0';
}

static bool scan_number(struct scan *scan) {
    size_t start = scan->at, at = start;
    if (peek(scan, at) == '-')
        at++;
    size_t whole = digits(scan, at);
    if (whole == 0)
        return fail(scan, start, "expected a number, found '-' without digits");
    if (whole > 1 && scan->text[at] == '0')
        return fail(scan, start, "a number must not begin with a superfluous 0");
    at += whole;
    if (peek(scan, at) == '.') {
        size_t fraction = digits(scan, at + 1);
        if (fraction == 0)
            return fail(scan, start, "expected digits after the decimal point");
        at += 1 + fraction;
    }
    if (peek(scan, at) == 'e' || peek(scan, at) == 'E') {
        at++;
        if (peek(scan, at) == '+' || peek(scan, at) == '-')
            at++;
        size_t exponent = digits(scan, at);
        if (exponent == 0)
            return fail(scan, start, "expected digits in the exponent");
        at += exponent;
    }
    if (at - start > SIM_SCAN_NUMBER_CHARS_MAX)
        return fail(scan, start, "a number may have at most 63 characters");
    char copy[SIM_SCAN_NUMBER_CHARS_MAX + 1] = "";
    memcpy(copy, scan->text + start, at - start);
    if (!isfinite(strtod(copy, NULL)))
        return fail(scan, start, "expected a finite number, found one beyond 1.8e308");
    scan->at = at;
    return true;
}

static bool scan_word(struct scan *scan) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (scan->length - scan->at >= length && memcmp(scan->text + scan->at, words[i], length) == 0) {
            scan->at += length;
            return true;
        }
    }
    unsigned char c = (unsigned char)scan->text[scan->at];
    char message[96];
    if (c > 0x20 && c < 0x7F)
        snprintf(message, sizeof message, "expected a JSON value, found '%c'", c);
    else
        snprintf(message, sizeof message, "expected a JSON value, found the byte 0x%02X", c);
    return fail(scan, scan->at, message);
}

static bool remember_key(struct scan *scan, struct frame *frame) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t at = frame->key_at; at < frame->key_end;) {
        char bytes[4];
        size_t count = decode(scan->text, &at, bytes);
        for (size_t i = 0; i < count; i++)
            hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    }
    char name[256];
    decode_key(scan->text, frame->key_at, frame->key_end, name, sizeof name);
    for (size_t i = frame->first_key; i < scan->key_count; i++) {
        const struct key *known = &scan->keys[i];
        if (known->hash == hash &&
            (known->end - known->at >= sizeof name / 2 || key_is(scan->text, known->at, known->end, name)))
            return fail(scan, frame->key_at - 1, "duplicate key: it stands in this object before");
    }
    if (scan->key_count - frame->first_key >= SIM_SCAN_MEMBERS_MAX)
        return fail(scan, frame->key_at - 1, "an object may have at most 4096 keys");
    if (scan->key_count == scan->key_room) {
        size_t room = scan->key_room > 0 ? 2 * scan->key_room : 64;
        struct key *keys = realloc(scan->keys, room * sizeof *keys);
        if (keys == NULL)
            return fail(scan, frame->key_at - 1, "out of memory");
        scan->keys = keys;
        scan->key_room = room;
    }
    scan->keys[scan->key_count++] = (struct key){.hash = hash, .at = frame->key_at, .end = frame->key_end};
    return true;
}

/** Read the key and colon of the next member of the innermost object. */
static bool scan_key(struct scan *scan) {
    struct frame *frame = &scan->frames[scan->depth - 1];
    skip_space(scan);
    if (peek(scan, scan->at) != '"')
        return fail(scan, scan->at,
                    scan->at < scan->length ? "expected a key in double quotes"
                                            : "expected a key, found the end of the text");
    size_t start = scan->at;
    if (!scan_string(scan))
        return false;
    frame->key_at = start + 1;
    frame->key_end = scan->at - 1;
    frame->count++;
    if (!remember_key(scan, frame))
        return false;
    skip_space(scan);
    if (peek(scan, scan->at) != ':')
        return fail(scan, scan->at, "expected ':' after a key");
    scan->at++;
    return true;
}

static bool open_frame(struct scan *scan, bool object) {
    if (scan->depth == SIM_SCAN_DEPTH_MAX)
        return fail(scan, scan->at, "nested deeper than 64 levels");
    scan->frames[scan->depth++] = (struct frame){.object = object, .first_key = scan->key_count};
    scan->at++;
    return true;
}

/** Begin the value at hand; scalars are finished too. */
static bool scan_value(struct scan *scan, bool *ret_opened) {
    skip_space(scan);
    *ret_opened = false;
    if (scan->at >= scan->length)
        return fail(scan, scan->at, "expected a JSON value, found the end of the text");
    if (++scan->values > SIM_SCAN_VALUES_MAX)
        return fail(scan, scan->at, "more than 2,000,000 values");
    char c = scan->text[scan->at];
    if (c == '{' || c == '[') {
        *ret_opened = true;
        return open_frame(scan, c == '{');
    }
    if (c == '"')
        return scan_string(scan);
    return c == '-' || (c >= '0' && c <= '9') ? scan_number(scan) : scan_word(scan);
}

/** After a value, or right behind an opening bracket: closes what ends here, or makes ready for the next value.
 *  *ret_more: a value must follow. */
static bool scan_between(struct scan *scan, bool opened, bool *ret_more) {
    *ret_more = false;
    while (scan->depth > 0) {
        struct frame *frame = &scan->frames[scan->depth - 1];
        skip_space(scan);
        char c = peek(scan, scan->at);
        if (c == (frame->object ? '}' : ']')) {
            scan->key_count = frame->first_key;
            scan->depth--;
            scan->at++;
            opened = false;
            continue;
        }
        if (!opened && c != ',')
            return fail(scan, scan->at,
                        scan->at < scan->length ? (frame->object ? "expected ',' or '}'" : "expected ',' or ']'")
                                                : "the text ends inside an array or object");
        if (!opened)
            scan->at++;
        *ret_more = true;
        if (frame->object)
            return scan_key(scan);
        frame->count++;
        return true;
    }
    return true;
}

static bool scan_text(struct scan *scan) {
    bool more = true;
    while (more) {
        bool opened;
        if (!scan_value(scan, &opened) || !scan_between(scan, opened, &more))
            return false;
    }
    skip_space(scan);
    return scan->at == scan->length || fail(scan, scan->at, "expected the end of the text, found more");
}

bool sim_scan_check(const char *text, size_t length, const char *file, struct sim_located_error *error) {
    struct scan scan = {.text = text, .length = length, .file = file, .error = error};
    bool good = scan_text(&scan);
    free(scan.keys);
    return good;
}

/* Below, the text is known to be well-formed. */

static size_t after_space(const char *text, size_t at) {
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')
        at++;
    return at;
}

static size_t after_string(const char *text, size_t at) {
    for (at++; text[at] != '"'; at++)
        if (text[at] == '\\')
            at++;
    return at + 1;
}

static size_t after_value(const char *text, size_t at) {
    size_t depth = 0;
    do {
        char c = text[at];
        if (c == '"') {
            at = after_string(text, at);
            continue;
        }
        depth += (size_t)(c == '{' || c == '[');
        depth -= (size_t)(c == '}' || c == ']');
        at++;
        if (depth == 0 && c != '}' && c != ']')
            while (text[at] != '\0' && strchr(",]} \t\r\n", text[at]) == NULL)
                at++;
    } while (depth > 0);
    return at;
}

/** Byte of the child that @p step names of the container at @p at; 0: none. */
static size_t child(const char *text, size_t at, const char *step) {
    bool object = text[at] == '{';
    if (!object && text[at] != '[')
        return 0;
    char *end;
    size_t wanted = object ? 0 : strtoul(step, &end, 10), index = 0;
    if (!object && (*step == '\0' || *end != '\0'))
        return 0;
    at = after_space(text, at + 1);
    while (text[at] != '}' && text[at] != ']') {
        bool found = index++ == wanted;
        if (object) {
            size_t key_end = after_string(text, at);
            found = key_is(text, at + 1, key_end - 1, step);
            at = after_space(text, after_space(text, key_end) + 1);
        }
        if (found)
            return at;
        at = after_space(text, after_value(text, at));
        if (text[at] == ',')
            at = after_space(text, at + 1);
    }
    return 0;
}

bool sim_scan_locate(const char *text, size_t length, const char *const *steps, size_t step_count, size_t *ret_line,
                     size_t *ret_column) {
    if (length == 0)
        return false;
    size_t at = after_space(text, 0);
    for (size_t i = 0; i < step_count; i++) {
        at = child(text, at, steps[i]);
        if (at == 0)
            return false;
    }
    position(text, at, ret_line, ret_column);
    return true;
}
