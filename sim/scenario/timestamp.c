#include "reader.h"

#include <string.h>
#include <time.h>

/** Two digits at @p text, -1 if there are none. */
static int two(const char *text) {
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
        return -1;
    return (text[0] - '0') * 10 + (text[1] - '0');
}

static bool leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/** Fraction of a second: ".5" -> ns. @return characters read, 0 if malformed. */
static size_t fraction(const char *text, int64_t *ret_ns) {
    size_t digits = strspn(text + 1, "0123456789");
    int64_t ns = 0;
    for (size_t i = 0; i < 9; i++)
        ns = ns * 10 + (i < digits ? text[1 + i] - '0' : 0);
    *ret_ns = ns;
    return digits > 0 ? digits + 1 : 0;
}

/** "Z", "+01:00" or "-01:00" and the end. */
static bool offset_of(const char *text, int *ret_minutes) {
    *ret_minutes = 0;
    if (strcmp(text, "Z") == 0)
        return true;
    if ((text[0] != '+' && text[0] != '-') || strlen(text) != 6 || text[3] != ':')
        return false;
    int hours = two(text + 1), minutes = two(text + 4);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
        return false;
    *ret_minutes = (text[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
    return true;
}

bool sim_read_timestamp(const char *text, int64_t *ret_unix_ns) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char shape[] = "....-..-..T..:..:..";
    size_t length = strlen(text), at = strlen(shape);
    if (length <= at)
        return false;
    for (size_t i = 0; i < at; i++)
        if (shape[i] != '.' && text[i] != shape[i])
            return false;
    int century = two(text), rest = two(text + 2), month = two(text + 5), day = two(text + 8), hour = two(text + 11),
        minute = two(text + 14), second = two(text + 17), minutes_east;
    if (century < 0 || rest < 0 || month < 1 || month > 12 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
        second < 0 || second > 59)
        return false;
    int year = century * 100 + rest;
    if (year < 1971 || year > 2200 || day < 1 || day > days[month - 1] + (month == 2 && leap(year)))
        return false;
    int64_t ns = 0;
    if (text[at] == '.') {
        size_t read = fraction(text + at, &ns);
        if (read == 0)
            return false;
        at += read;
    }
    if (!offset_of(text + at, &minutes_east))
        return false;
    struct tm utc = {.tm_year = year - 1900,
                     .tm_mon = month - 1,
                     .tm_mday = day,
                     .tm_hour = hour,
                     .tm_min = minute,
                     .tm_sec = second};
    *ret_unix_ns = ((int64_t)timegm(&utc) - (int64_t)minutes_east * 60) * INT64_C(1000000000) + ns;
    return true;
}
