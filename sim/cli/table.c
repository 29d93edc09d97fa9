/* Tables and numbers for a terminal. */
#include "table.h"

#include "../memory.h"

#include <assert.h>
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_MIN = 60, WIDTH_MAX = 100, WIDTH_ELSEWHERE = 80 };

/* The process keeps the "C" locale: numbers in files depend on it. */
static bool locale_is_utf8(void) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
    freelocale(locale);
    return utf8;
}

static int width_on(int fd) {
    struct winsize size;
    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_ELSEWHERE;
    return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
}

bool cli_is_screen(FILE *file) {
    const char *term = getenv("TERM");
    return isatty(fileno(file)) && term && strcmp(term, "dumb") != 0;
}

struct cli_page cli_page_on(FILE *out) {
    const char *no_color = getenv("NO_COLOR");
    return (struct cli_page){.out = out,
                             .colour = cli_is_screen(out) && !(no_color && *no_color),
                             .utf8 = locale_is_utf8(),
                             .width = width_on(fileno(out))};
}

/* Does a character that turns the direction of writing begin here: U+202A .. U+202E, U+2066 .. U+2069? */
static bool turns_writing(const char *text, size_t length) {
    if (length < 3 || (unsigned char)text[0] != 0xe2)
        return false;
    unsigned char second = (unsigned char)text[1], third = (unsigned char)text[2];
    return (second == 0x80 && third >= 0xaa && third <= 0xae) || (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

static void put_bytes(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (turns_writing(text + i, length - i)) {
            fputc('?', out);
            i += 2;
            continue;
        }
        /* C1 controls are c2 80 .. c2 9f in UTF-8. */
        bool c1 = i && (unsigned char)text[i - 1] == 0xc2 && byte < 0xa0;
        fputc(byte < 0x20 || byte == 0x7f || c1 ? '?' : byte, out);
    }
}

static void put(const struct cli_page *page, enum cli_tone tone, const char *text, size_t length) {
    static const char *const codes[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[1;31m", "\033[33m"};
    bool painted = page->colour && tone != CLI_PLAIN && length > 0;
    if (painted)
        fputs(codes[tone], page->out);
    put_bytes(page->out, text, length);
    if (painted)
        fputs("\033[0m", page->out);
}

void cli_put(const struct cli_page *page, enum cli_tone tone, const char *text) {
    put(page, tone, text, strlen(text));
}

/* Characters, not bytes. */
static int width_of(const char *text, size_t length) {
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

/* Does a unit begin here that must not be parted from its number: "%" or "s"? */
static bool is_unit(const char *text) {
    return *text == '%' || (*text == 's' && !isalnum((unsigned char)text[1]));
}

void cli_put_wrapped(const struct cli_page *page, enum cli_tone tone, const char *text, int column) {
    int at = column;
    while (*text) {
        size_t length = strcspn(text, " ");
        int width = width_of(text, length);
        bool unit_follows = text[length] == ' ' && is_unit(text + length + 1);
        int needed = width + (unit_follows ? 3 : 0);
        if (at > column && at + 1 + needed > page->width && !is_unit(text)) {
            fprintf(page->out, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', page->out);
            at++;
        }
        put(page, tone, text, length);
        at += width;
        text += length;
        text += *text == ' ';
    }
    fputc('\n', page->out);
}

void cli_cell(struct cli_table *table, enum cli_tone tone, const char *format, ...) {
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 64;
        table->cells = sim_realloc(table->cells, table->room, sizeof *table->cells);
    }
    va_list arguments;
    va_start(arguments, format);
    struct cli_cell *cell = &table->cells[table->count++];
    cell->tone = tone;
    int length = vasprintf(&cell->text, format, arguments);
    va_end(arguments);
    assert(length >= 0);
}

void cli_row_end(struct cli_table *table) {
    while (table->count % table->columns)
        cli_cell(table, CLI_PLAIN, "%s", "");
}

static void print_cell(const struct cli_table *table, const struct cli_page *page, size_t index, int width, bool last) {
    const struct cli_cell *cell = &table->cells[index];
    size_t length = strlen(cell->text);
    int pad = width - width_of(cell->text, length);
    bool right = table->align[index % table->columns] == 'r';
    if (right)
        fprintf(page->out, "%*s", pad, "");
    put(page, cell->tone, cell->text, length);
    if (!right && !last)
        fprintf(page->out, "%*s", pad, "");
}

/* Is everything after this cell in its row empty? Trailing spaces are not printed. */
static bool ends_row(const struct cli_table *table, size_t index) {
    for (size_t i = index + 1; i % table->columns; i++)
        if (*table->cells[i].text)
            return false;
    return true;
}

static int width_of_cell(const struct cli_table *table, size_t index) {
    return width_of(table->cells[index].text, strlen(table->cells[index].text));
}

/* Widths of the columns, from row @p first on, and what they make with @p gap between them. */
static int measure(const struct cli_table *table, size_t first, int gap, int *widths) {
    int total = -gap;
    memset(widths, 0, table->columns * sizeof *widths);
    for (size_t i = first * table->columns; i < table->count; i++) {
        int width = width_of_cell(table, i);
        if (width > widths[i % table->columns])
            widths[i % table->columns] = width;
    }
    for (size_t i = 0; i < table->columns; i++)
        total += widths[i] + gap;
    return total;
}

/* The part of a heading that goes on one line of @p width: names break behind dots and at spaces. */
static size_t piece_of(const char *text, int width) {
    size_t taken = 0;
    while (text[taken]) {
        size_t next = taken + strcspn(text + taken, ". ");
        next += text[next] != '\0';
        size_t shown = text[next - 1] == ' ' ? next - 1 : next;
        if (taken && (int)shown > width)
            break;
        taken = next;
    }
    return taken;
}

/* Break the headings over several rows, none wider than its column needs to be; the last lines of all stand together. */
static void fold_headings(struct cli_table *table, const int *widths) {
    size_t columns = table->columns, rows = 1;
    size_t *lines = sim_calloc(columns, sizeof *lines);
    for (size_t i = 0; i < columns; i++) {
        lines[i] = 0;
        for (const char *at = table->cells[i].text; *at; at += piece_of(at, widths[i]))
            lines[i]++;
        rows = lines[i] > rows ? lines[i] : rows;
    }
    struct cli_cell *cells = sim_calloc(table->count + (rows - 1) * columns, sizeof *cells);
    memcpy(cells + rows * columns, table->cells + columns, (table->count - columns) * sizeof *cells);
    for (size_t i = 0; i < columns; i++) {
        const char *at = table->cells[i].text;
        for (size_t row = 0; row < rows; row++) {
            size_t length = row + lines[i] < rows ? 0 : piece_of(at, widths[i]);
            char *text = sim_alloc(length + 1);
            memcpy(text, at, length);
            text[length && at[length - 1] == ' ' ? length - 1 : length] = '\0';
            cells[row * columns + i] = (struct cli_cell){text, table->cells[i].tone};
            at += length;
        }
        free(table->cells[i].text);
    }
    free(lines);
    free(table->cells);
    table->cells = cells;
    table->count += (rows - 1) * columns;
}

static void print_rows(const struct cli_table *table, const struct cli_page *page, int indent, int gap,
                       const int *widths) {
    for (size_t row = 0; row < table->count; row += table->columns) {
        fprintf(page->out, "%*s", indent, "");
        for (size_t i = row; i < row + table->columns; i++) {
            bool last = ends_row(table, i);
            print_cell(table, page, i, widths[i - row], last);
            if (last)
                break;
            fprintf(page->out, "%*s", gap, "");
        }
        fputc('\n', page->out);
    }
}

void cli_table_print(struct cli_table *table, const struct cli_page *page, int indent) {
    assert(strlen(table->align) == table->columns && table->count % table->columns == 0);
    int *widths = sim_calloc(table->columns, sizeof *widths), gap = 2;
    if (measure(table, 0, gap, widths) + indent > page->width && table->headed && table->count) {
        measure(table, 1, gap, widths);
        fold_headings(table, widths);
    }
    if (measure(table, 0, gap, widths) + indent > page->width)
        gap = 1;
    print_rows(table, page, indent, gap, widths);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(widths);
    table->cells = NULL;
    table->count = table->room = 0;
}

/* ---- numbers ---- */

/* `value` with `decimals` decimals, thousands grouped by commas. */
static struct cli_word grouped(double value, int decimals) {
    char plain[48];
    struct cli_word word = {""};
    int length = snprintf(plain, sizeof plain, "%.*f", decimals, value);
    if (length >= 32) {
        snprintf(word.text, sizeof word.text, "%.3g", value);
        return word;
    }
    size_t whole = strcspn(plain, "."), to = 0;
    for (size_t i = 0; plain[i]; i++) {
        word.text[to++] = plain[i];
        size_t left = i < whole ? whole - i - 1 : 0;
        if (left && left % 3 == 0 && plain[i] != '-')
            word.text[to++] = ',';
    }
    word.text[to] = '\0';
    return word;
}

static struct cli_word missing(void) {
    return (struct cli_word){"-"};
}

/* Decimals that give `digits` significant ones, at most 6. */
static int decimals_for(double value, int digits) {
    if (value == 0)
        return 0;
    int decimals = digits - 1 - (int)floor(log10(fabs(value)));
    /* 9.996 rounds to 10.0, not 10.00. */
    double scale = pow(10, decimals);
    if (decimals > 0 && fabs(round(value * scale) / scale) >= pow(10, digits - decimals))
        decimals--;
    return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

struct cli_word cli_number(double value) {
    return isfinite(value) ? grouped(value, decimals_for(value, 3)) : missing();
}

struct cli_word cli_value(double value, double beyond) {
    struct cli_word word;
    if (isfinite(value) || !isfinite(beyond))
        return cli_number(value);
    snprintf(word.text, sizeof word.text, "> %.40s", cli_number(beyond).text);
    return word;
}

struct cli_word cli_plain(double value) {
    if (!isfinite(value))
        return missing();
    int decimals = 0;
    while (decimals < 6 && fabs(value * pow(10, decimals) - round(value * pow(10, decimals))) > 1e-6)
        decimals++;
    return grouped(value, decimals);
}

struct cli_word cli_count(double value) {
    if (!isfinite(value))
        return missing();
    return grouped(value, value == floor(value) || fabs(value) >= 100 ? 0 : 1);
}

struct cli_word cli_percent(double share) {
    if (!isfinite(share))
        return missing();
    double percent = 100 * share;
    struct cli_word word = {""}, number = {""};
    if (percent != 0 && fabs(percent) < 0.001)
        snprintf(number.text, sizeof number.text, "%.1g", percent);
    else
        number = grouped(percent, fabs(percent) >= 99.95 || percent == 0 ? 0
                                  : fabs(percent) >= 9.995               ? 1
                                  : fabs(percent) >= 0.1                 ? 2
                                                                         : 3);
    snprintf(word.text, sizeof word.text, "%.40s %%", number.text);
    return word;
}

struct cli_word cli_interval(double lo, double hi, struct cli_word (*form)(double)) {
    struct cli_word word = {""};
    if (isfinite(lo) || isfinite(hi))
        snprintf(word.text, sizeof word.text, "[%.28s, %.28s]", form(lo).text, form(hi).text);
    return word;
}
