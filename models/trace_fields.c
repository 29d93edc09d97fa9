#include "trace_fields.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/** A decimal number taken apart: value = 0.d1 d2 d3 ... x 10^point. */
struct decimal {
    bool negative;
    const char *digits; /**< may contain the decimal point, to be stepped over */
    size_t count;       /**< digits, the decimal point not counted */
    int64_t point;
};

/** Exponents beyond this cannot matter to a field that fits a line. */
static const int64_t exponent_max = 1000000;

static bool parse_exponent(const char *text, int64_t *ret) {
    bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    if (!is_digit(*text))
        return false;
    int64_t value = 0;
    for (; is_digit(*text); text++)
        value = value < exponent_max ? value * 10 + (*text - '0') : value;
    *ret = negative ? -value : value;
    return *text == '\0';
}

static bool parse_decimal(const char *text, struct decimal *ret) {
    struct decimal decimal = {.negative = *text == '-'};
    if (*text == '-' || *text == '+')
        text++;
    decimal.digits = text;
    while (is_digit(*text))
        text++;
    decimal.count = (size_t)(text - decimal.digits);
    decimal.point = (int64_t)decimal.count;
    if (*text == '.') {
        const char *fraction = ++text;
        while (is_digit(*text))
            text++;
        decimal.count += (size_t)(text - fraction);
    }
    if (decimal.count == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        int64_t exponent;
        if (!parse_exponent(text + 1, &exponent))
            return false;
        decimal.point += exponent;
    } else if (*text != '\0') {
        return false;
    }
    *ret = decimal;
    return true;
}

bool model_decimal(const char *text, unsigned places, int64_t limit, int64_t *ret) {
    struct decimal decimal;
    if (!parse_decimal(text, &decimal))
        return false;
    const int64_t wanted = decimal.point + (int64_t)places; /* digits before the cut; the next one rounds */
    const char *digit = decimal.digits;
    int64_t value = 0;
    for (int64_t i = 0; i <= wanted; i++) {
        int d = 0;
        if ((size_t)i < decimal.count) {
            digit += *digit == '.';
            d = *digit++ - '0';
        } else if (value == 0) {
            break; /* nothing but zeros to come */
        }
        if (i == wanted)
            value += d >= 5;
        else if (value > (limit - d) / 10)
            return false;
        else
            value = value * 10 + d;
    }
    if (value > limit)
        return false;
    *ret = decimal.negative ? -value : value;
    return true;
}

/** Read exactly @p count digits and step over them. */
static bool take_number(const char **text, int count, int *ret) {
    int value = 0;
    for (int i = 0; i < count; i++) {
        if (!is_digit((*text)[i]))
            return false;
        value = value * 10 + ((*text)[i] - '0');
    }
    *text += count;
    *ret = value;
    return true;
}

static bool take_char(const char **text, char c) {
    if (**text != c)
        return false;
    ++*text;
    return true;
}

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/** Days from 1970-01-01 of a proleptic Gregorian date (H. Hinnant, "chrono-compatible low-level date algorithms"). */
static int64_t days_from_civil(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int era = y / 400;
    int year_of_era = y - era * 400;
    int day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return (int64_t)era * 146097 + day_of_era - 719468;
}

static bool take_date(const char **text, int64_t *ret_days) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    if (!take_number(text, 4, &year) || !take_char(text, '-') || !take_number(text, 2, &month) ||
        !take_char(text, '-') || !take_number(text, 2, &day))
        return false;
    if (year < 1850 || year > 2110 || month < 1 || month > 12 || day < 1)
        return false;
    if (day > days[month - 1] + (month == 2 && is_leap(year)))
        return false;
    *ret_days = days_from_civil(year, month, day);
    return true;
}

/** Fraction of a second, point included, if there is one. */
static bool take_fraction(const char **text, int64_t *ret_ns) {
    *ret_ns = 0;
    if (!take_char(text, '.'))
        return true;
    if (!is_digit(**text))
        return false;
    int64_t ns = 0, unit = 100000000;
    bool up = false;
    for (int i = 0; is_digit(**text); i++, ++*text) {
        ns += (**text - '0') * unit;
        unit /= 10;
        if (i == 9)
            up = **text >= '5';
    }
    *ret_ns = ns + up;
    return true;
}

static bool take_zone(const char **text, int64_t *ret_minutes) {
    *ret_minutes = 0;
    if (**text == '\0' || take_char(text, 'Z') || take_char(text, 'z'))
        return true;
    int sign = **text == '-' ? -1 : 1, hours, minutes;
    if (!take_char(text, '+') && !take_char(text, '-'))
        return false;
    if (!take_number(text, 2, &hours) || !take_char(text, ':') || !take_number(text, 2, &minutes))
        return false;
    *ret_minutes = sign * (hours * 60 + minutes);
    return hours <= 23 && minutes <= 59;
}

bool model_timestamp(const char *text, int64_t *ret_ns) {
    int64_t days, fraction_ns, zone_minutes;
    int hour, minute, second;
    if (!take_date(&text, &days))
        return false;
    if (!take_char(&text, ' ') && !take_char(&text, 'T') && !take_char(&text, 't'))
        return false;
    if (!take_number(&text, 2, &hour) || !take_char(&text, ':') || !take_number(&text, 2, &minute) ||
        !take_char(&text, ':') || !take_number(&text, 2, &second))
        return false;
    if (hour > 23 || minute > 59 || second > 60) /* 60: a leap second, counted as the next one */
        return false;
    if (!take_fraction(&text, &fraction_ns) || !take_zone(&text, &zone_minutes) || *text != '\0')
        return false;
    int64_t seconds = days * 86400 + hour * 3600 + minute * 60 + second - zone_minutes * 60;
    *ret_ns = seconds * INT64_C(1000000000) + fraction_ns;
    return true;
}

/** Bytes of the UTF-8 sequence at @p s, which has @p left bytes; 0: broken, overlong, a surrogate or a control
 * character. */
static size_t utf8_length(const unsigned char *s, size_t left) {
    if (s[0] < 0x80)
        return s[0] >= 0x20 && s[0] != 0x7f;
    size_t length = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f) || (s[0] == 0xc2 && s[1] < 0xa0))
        return 0;
    return length;
}

bool model_plain_utf8(const char *text, size_t length) {
    const unsigned char *s = (const unsigned char *)text;
    while (length > 0) {
        size_t step = utf8_length(s, length);
        if (step == 0)
            return false;
        s += step;
        length -= step;
    }
    return true;
}
