#include "html.h"

#include "../plot/draw.h"

#include <math.h>
#include <string.h>

void sim_html_add(struct sim_text *html, const char *string) {
    for (; *string; string++) {
        switch (*string) {
        case '&':
            sim_text_add(html, "&amp;");
            break;
        case '<':
            sim_text_add(html, "&lt;");
            break;
        case '>':
            sim_text_add(html, "&gt;");
            break;
        case '"':
            sim_text_add(html, "&quot;");
            break;
        case '\'':
            sim_text_add(html, "&#39;");
            break;
        default:
            sim_text_append(html, (unsigned char)*string < 0x20 && *string != '\n' ? " " : string, 1);
        }
    }
}

void sim_html_element(struct sim_text *html, const char *open, const char *text) {
    sim_text_printf(html, "<%s>", open);
    sim_html_add(html, text);
    sim_text_printf(html, "</%.*s>\n", (int)strcspn(open, " "), open);
}

void sim_html_table(struct sim_text *html, const char *label, bool sortable, const char *const *heads) {
    sim_text_add(html, "<div class=scroll role=region tabindex=0 aria-label=\"");
    sim_html_add(html, label);
    sim_text_printf(html, "\">\n<table%s>\n<thead><tr>", sortable ? " class=sortable" : "");
    for (; *heads; heads++) {
        bool number = **heads == '#', interval = **heads == '[';
        sim_text_printf(html, "<th scope=col%s>", number ? " class=n" : interval ? " class=i" : "");
        sim_html_add(html, interval ? "95 % interval" : *heads + number);
        sim_text_add(html, "</th>");
    }
    sim_text_add(html, "</tr></thead>\n<tbody>\n");
}

void sim_html_table_end(struct sim_text *html) {
    sim_text_add(html, "</tbody>\n</table>\n</div>\n");
}

void sim_html_row(struct sim_text *html) {
    sim_text_add(html, "<tr>");
}

void sim_html_row_end(struct sim_text *html) {
    sim_text_add(html, "</tr>\n");
}

void sim_html_head_cell(struct sim_text *html, const char *text) {
    sim_text_add(html, "<th scope=row>");
    sim_html_add(html, text);
    sim_text_add(html, "</th>");
}

void sim_html_text_cell(struct sim_text *html, const char *text) {
    sim_text_add(html, "<td>");
    sim_html_add(html, text);
    sim_text_add(html, "</td>");
}

void sim_html_long_cell(struct sim_text *html, const char *text) {
    sim_text_add(html, "<td class=t>");
    sim_html_add(html, text);
    sim_text_add(html, "</td>");
}

void sim_html_number_cell(struct sim_text *html, double value, double beyond, const char *unit) {
    char buffer[SIM_NUMBER_SIZE];
    bool over = !isfinite(value) && isfinite(beyond);
    double key = over ? beyond : value;
    sim_text_printf(html, "<td class=n data-v=\"%s\">", isfinite(key) ? sim_number_format(key, buffer) : "");
    if (isfinite(key)) {
        sim_text_printf(html, "%s%s", over ? "over " : "", sim_draw_number(key).text);
        if (*unit) {
            sim_text_add(html, "&nbsp;");
            sim_html_add(html, unit);
        }
    } else {
        sim_text_add(html, isinf(value) ? "beyond all" : "-");
    }
    sim_text_add(html, "</td>");
}

void sim_html_interval_cell(struct sim_text *html, double lo, double hi) {
    sim_text_add(html, "<td class=i>");
    if (isfinite(lo) || isfinite(hi))
        sim_text_printf(html, "[%s,&nbsp;%s]", sim_draw_number(lo).text, sim_draw_number(hi).text);
    sim_text_add(html, "</td>");
}

void sim_html_verdict(struct sim_text *html, const char *verdict) {
    static const struct {
        const char *verdict, *class_name, *word;
    } words[] = {{"pass", "pass", "PASS"},
                 {"fail", "fail", "FAIL"},
                 {"inconclusive", "inconclusive", "INCONCLUSIVE"},
                 {"reproduced", "pass", "REPRODUCED"},
                 {"direction only", "inconclusive", "DIRECTION ONLY"},
                 {"not reproduced", "fail", "NOT REPRODUCED"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(verdict, words[i].verdict) != 0)
            continue;
        sim_text_printf(html, "<span class=\"word %s\">%s</span>", words[i].class_name, words[i].word);
        return;
    }
    sim_text_add(html, "-");
}
