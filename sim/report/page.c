/* The frame around every report, and the pieces that several kinds share. */
#include "page.h"

#include "../memory.h"
#include "../plot/assets.h"
#include "../plot/draw.h"

#include <assert.h>
#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sections ---- */

void sim_page_section(struct sim_page *page, const char *id, const char *title) {
    assert(page->section_count < SIM_PAGE_SECTIONS_MAX);
    page->sections[page->section_count].id = id;
    page->sections[page->section_count++].title = title;
    sim_text_printf(&page->body, "<section id=%s aria-labelledby=h-%s>\n<h2 id=h-%s>", id, id, id);
    sim_html_add(&page->body, title);
    sim_text_add(&page->body, "</h2>\n");
}

void sim_page_section_end(struct sim_page *page) {
    sim_text_add(&page->body, "</section>\n");
}

void sim_page_cut(struct sim_page *page, size_t length) {
    assert(length <= page->body.length);
    page->body.length = length;
    page->body.bytes[length] = '\0';
}

/* ---- verdicts ---- */

static const char *verdict_word(const char *verdict) {
    static const char *const words[][2] = {{"pass", "PASS"}, {"fail", "FAIL"}, {"inconclusive", "INCONCLUSIVE"}};
    for (size_t i = 0; i < 3; i++)
        if (!strcmp(verdict, words[i][0]))
            return words[i][1];
    return "NOT JUDGED";
}

void sim_page_verdict(struct sim_page *page, const char *verdict, const char *word, const char *sentence) {
    page->verdict = word ? word : verdict_word(verdict);
    sim_text_printf(&page->body, "<p class=\"verdict %s\"><strong>%s</strong> ", verdict, page->verdict);
    sim_html_add(&page->body, sentence);
    sim_text_add(&page->body, "</p>\n");
}

struct sim_page_counts sim_page_count(const cJSON *slos) {
    struct sim_page_counts counts = {0};
    const cJSON *slo;
    cJSON_ArrayForEach(slo, slos) {
        const char *verdict = sim_json_text_at(slo, "verdict");
        counts.pass += !strcmp(verdict, "pass");
        counts.fail += !strcmp(verdict, "fail");
        counts.inconclusive += !strcmp(verdict, "inconclusive");
    }
    return counts;
}

const char *sim_page_worst(struct sim_page_counts counts) {
    return counts.fail ? "fail" : counts.inconclusive ? "inconclusive" : counts.pass ? "pass" : "";
}

/* "0.021 % of jobs [0 %, 0.051 %]; 1 % may" */
static void add_exceedance(struct sim_text *html, const cJSON *slo) {
    const cJSON *exceedance = sim_json_at(slo, "exceedance");
    sim_text_add(html, "<td class=t>");
    if (cJSON_IsObject(exceedance)) {
        sim_text_printf(html, "%s&nbsp;%% of jobs ",
                        sim_draw_number(100 * sim_json_number_at(exceedance, "share")).text);
        sim_text_printf(html, "<span class=i>[%s, ", sim_draw_number(100 * sim_json_number_at(exceedance, "lo")).text);
        sim_text_printf(html, "%s]</span>; ", sim_draw_number(100 * sim_json_number_at(exceedance, "hi")).text);
        sim_text_printf(html, "%s&nbsp;%% may", sim_draw_number(100 * sim_json_number_at(exceedance, "allowed")).text);
    }
    const char *why = sim_json_text_at(slo, "why");
    if (*why) {
        sim_text_add(html, cJSON_IsObject(exceedance) ? ". " : "");
        sim_html_add(html, why);
    }
    sim_text_add(html, "</td>");
}

static const char *shown_unit(const char *unit) {
    return !strcmp(unit, "1") ? "" : unit;
}

void sim_page_slos(struct sim_page *page, const cJSON *slos) {
    static const char *const heads[] = {"SLO", "verdict", "#measured", "[", "over the limit", NULL};
    struct sim_text *html = &page->body;
    const cJSON *slo;
    sim_html_table(html, "SLOs and their verdicts", false, heads);
    cJSON_ArrayForEach(slo, slos) {
        sim_html_row(html);
        sim_html_head_cell(html, sim_json_text_at(slo, "text"));
        sim_text_add(html, "<td>");
        sim_html_verdict(html, sim_json_text_at(slo, "verdict"));
        sim_text_add(html, "</td>");
        sim_html_number_cell(html, sim_json_number_at(slo, "value"), sim_json_number_at(slo, "beyond"),
                             shown_unit(sim_json_text_at(slo, "unit")));
        sim_html_interval_cell(html, sim_json_number_at(slo, "lo"), sim_json_number_at(slo, "hi"));
        add_exceedance(html, slo);
        sim_html_row_end(html);
    }
    sim_html_table_end(html);
}

/* ---- pictures ---- */

/* One size of a picture. @return false when it cannot be drawn. */
static bool add_picture(struct sim_page *page, const struct sim_plot *plot, const struct sim_view *view, bool narrow) {
    const struct sim_plot_style style = {.format = SIM_PLOT_SVG, .narrow = narrow, .embedded = true};
    struct sim_located_error error = {0};
    struct sim_picture picture;
    bool good = sim_plot_draw(plot, view, &style, &picture, &error);
    if (good) {
        assert(!strncmp(picture.bytes, "<svg", 4));
        sim_text_printf(&page->body, "<svg class=%s", narrow ? "narrow" : "wide");
        sim_text_add(&page->body, picture.bytes + 4);
    } else if (!*page->missing->message) {
        *page->missing = error;
    }
    sim_picture_finish(&picture);
    return good;
}

void sim_page_figure(struct sim_page *page, const struct sim_plot *plot, const struct sim_view *view,
                     const char *title) {
    if (*page->missing->message)
        return;
    size_t start = page->body.length;
    char *name = sim_plot_picture_name(plot, view);
    sim_text_printf(&page->body, "<figure id=plot-%s>\n", name);
    free(name);
    if (title)
        sim_html_element(&page->body, "h3", title);
    if (!add_picture(page, plot, view, false) || !add_picture(page, plot, view, true)) {
        sim_page_cut(page, start);
        return;
    }
    sim_html_element(&page->body, "figcaption", plot->about);
    sim_text_add(&page->body, "</figure>\n");
}

bool sim_page_missing(struct sim_page *page) {
    if (!*page->missing->message)
        return false;
    sim_text_add(&page->body, "<p class=missing>There are no pictures in this report: ");
    sim_html_add(&page->body, page->missing->message);
    sim_text_add(&page->body, ". Everything else is here; make the report again to have them.</p>\n");
    return true;
}

void sim_page_pictures(struct sim_page *page) {
    sim_page_section(page, "pictures", "Pictures");
    size_t start = page->body.length;
    for (const struct sim_plot *plot = sim_plots; plot->name; plot++)
        if (sim_plot_applies(plot, page->view))
            sim_page_figure(page, plot, page->view, plot->title);
    if (*page->missing->message)
        /* One sentence instead of some of them. */
        sim_page_cut(page, start);
    if (!sim_page_missing(page) && page->body.length == start)
        sim_html_element(&page->body, "p", "The folder holds nothing that a picture could be made of.");
    sim_page_section_end(page);
}

/* ---- facts ---- */

void sim_page_warnings(struct sim_page *page, const cJSON *warnings) {
    const cJSON *warning;
    if (!cJSON_GetArraySize(warnings)) {
        sim_html_element(&page->body, "p", "None.");
        return;
    }
    sim_text_add(&page->body, "<ul class=warnings>\n");
    cJSON_ArrayForEach(warning, warnings) {
        if (cJSON_IsString(warning))
            sim_html_element(&page->body, "li", warning->valuestring);
    }
    sim_text_add(&page->body, "</ul>\n");
}

void sim_page_fact(struct sim_page *page, const char *term, const char *text) {
    if (!*text)
        return;
    sim_html_element(&page->body, "dt", term);
    sim_html_element(&page->body, "dd", text);
}

void sim_page_number_fact(struct sim_page *page, const char *term, double value, const char *unit) {
    char text[64];
    if (!isfinite(value))
        return;
    snprintf(text, sizeof text, "%s%s%s", sim_draw_number(value).text, *unit ? " " : "", unit);
    sim_page_fact(page, term, text);
}

void sim_page_folded_json(struct sim_page *page, const char *summary, const cJSON *value) {
    struct sim_text json = {0};
    if (!value)
        return;
    sim_text_json_value(&json, value, 0);
    sim_text_add(&page->body, "<details>\n");
    sim_html_element(&page->body, "summary", summary);
    sim_html_element(&page->body, "pre class=copyable tabindex=0", json.bytes);
    sim_text_add(&page->body, "</details>\n");
    free(json.bytes);
}

/* ---- the frame ---- */

/* Base64 of the SHA-256 of `text`: how a Content-Security-Policy names a script. */
static void add_hash(struct sim_text *html, const struct sim_asset *script) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t hash[SHA256_DIGEST_LENGTH + 1] = {0};
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)script->text, script->length);
    SHA256Final(hash, &context);
    for (size_t i = 0; i < SHA256_DIGEST_LENGTH; i += 3) {
        uint32_t bits = (uint32_t)hash[i] << 16 | (uint32_t)hash[i + 1] << 8 | (i + 2 < sizeof hash ? hash[i + 2] : 0U);
        for (int shift = 18; shift >= 0; shift -= 6)
            sim_text_append(html, i + 3 > SHA256_DIGEST_LENGTH && !shift ? "=" : &digits[bits >> shift & 63], 1);
    }
}

static void add_head(struct sim_text *html, const struct sim_page *page) {
    sim_text_add(html, "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
                       "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=color-scheme content=\"light dark\">\n"
                       /* Nothing is loaded, and no script runs but ours, whatever the names in the results say. */
                       "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src "
                       "'unsafe-inline'; img-src data:; script-src 'sha256-");
    add_hash(html, sim_asset("page.js"));
    sim_text_add(html, "'\">\n<title>");
    if (*page->verdict)
        sim_text_printf(html, "%s: ", page->verdict);
    sim_html_add(html, page->name);
    sim_text_add(html, " - Fairlane</title>\n<style>\n");
    sim_text_add(html, sim_asset("page.css")->text);
    sim_text_add(html, "</style>\n</head>\n");
}

static void add_header(struct sim_text *html, const struct sim_page *page) {
    sim_text_add(html, "<body>\n<a class=skip href=#main>Skip to the results</a>\n<header>\n");
    sim_html_element(html, "p class=kind", page->kind);
    sim_html_element(html, "h1", page->name);
    if (*page->about)
        sim_html_element(html, "p class=about", page->about);
    sim_text_add(html, "</header>\n<nav aria-label=Sections>\n<ul>\n");
    for (size_t i = 0; i < page->section_count; i++) {
        sim_text_printf(html, "<li><a href=#%s>", page->sections[i].id);
        sim_html_add(html, page->sections[i].title);
        sim_text_add(html, "</a></li>\n");
    }
    sim_text_add(html, "</ul>\n</nav>\n");
}

char *sim_page_finish(struct sim_page *page) {
    struct sim_text html = {0};
    add_head(&html, page);
    add_header(&html, page);
    sim_text_add(&html, "<main id=main>\n");
    sim_text_append(&html, page->body.bytes, page->body.length);
    sim_text_add(&html, "</main>\n<footer>\n<p>Made by fairlane " FAIRLANE_VERSION
                        ". Intervals are two-sided, 95 %, over replications; docs/statistics.md says how each is "
                        "made.</p>\n</footer>\n<script>");
    sim_text_add(&html, sim_asset("page.js")->text);
    sim_text_add(&html, "</script>\n</body>\n</html>\n");
    free(page->body.bytes);
    free(page->title.bytes);
    page->body = page->title = (struct sim_text){0};
    return sim_text_take(&html);
}

char *sim_report_html(const struct sim_view *view, struct sim_located_error *ret_missing) {
    struct sim_page page = {.view = view, .kind = "", .name = "", .about = "", .verdict = "", .missing = ret_missing};
    *ret_missing = (struct sim_located_error){0};
    switch (view->kind) {
    case SIM_VIEW_RESULT:
        sim_page_result(&page);
        break;
    case SIM_VIEW_STUDY:
        sim_page_study(&page);
        break;
    case SIM_VIEW_TUNE:
        sim_page_tune(&page);
        break;
    case SIM_VIEW_COMPARISON:
        sim_page_comparison(&page);
        break;
    case SIM_VIEW_CLAIMS:
        sim_page_claims(&page);
        break;
    }
    return sim_page_finish(&page);
}
