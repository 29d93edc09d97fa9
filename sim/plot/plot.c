/* Themes, terminals, and what becomes of gnuplot's output. */
#include "plot.h"

#include "assets.h"
#include "draw.h"
#include "prepare.h"

#include "../memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sim_plot sim_plots[] = {
    {"latency", "How long jobs take, by class",
     "The share of jobs that takes longer than x: the further left and down a line runs, the better. At the height of "
     "1 % a "
     "line passes through its p99; a triangle marks an SLO, and the line of its colour must pass left of it.",
     SIM_VIEW_RESULT, sim_prepare_latency, NULL, false},
    {"timeline", "Queues, refusals and demotions over time", "Means over the replications.", SIM_VIEW_RESULT,
     sim_prepare_timeline, NULL, false},
    {"tenants", "What each tenant got, and how long it took",
     "Bars: share of the work served; a line marks the share asked for. Points: p99 of latency over all classes, with "
     "its "
     "95 % interval.",
     SIM_VIEW_RESULT, sim_prepare_tenants, NULL, false},
    {"buckets", "The endpoint's buckets and how much is used",
     "Above: level of each token bucket, as a share of its capacity; at 0 % the next request is refused, below it is a "
     "debt. "
     "Below: share used in the measured time, with 95 % intervals.",
     SIM_VIEW_RESULT, sim_prepare_buckets, NULL, false},
    {"requests", "Requests per second", "Means over the replications.", SIM_VIEW_RESULT, sim_prepare_requests, NULL,
     false},
    {"welch", "How the system settles",
     "Means over the replications, thin, and Welch's moving average over a twentieth of the run. What lies left of the "
     "dashed "
     "line is the warm-up and is not measured.",
     SIM_VIEW_RESULT, sim_prepare_welch, NULL, false},

    {"knobs", "p99 of latency against each knob",
     "Small points: all configurations. Lines with 95 % intervals: only this knob moves, from the configuration that "
     "is best by "
     "the first objective.",
     SIM_VIEW_STUDY, sim_prepare_knobs, NULL, false},
    {"heatmap", "Two knobs at once",
     "The first objective for each pair of values of the first two knobs, the others as in the best configuration. A "
     "cross: an "
     "SLO fails there; a question mark: one is in doubt; the rest is the feasible region.",
     SIM_VIEW_STUDY, sim_prepare_heatmap, NULL, false},
    {"pareto", "Latency against fairness",
     "Left and up is better. On the front, neither can be had better without giving up some of the other; by the "
     "estimates "
     "alone, whose 95 % intervals are drawn.",
     SIM_VIEW_STUDY, sim_prepare_pareto, NULL, false},
    {"tornado", "Which knob matters",
     "For each knob the lowest and the highest mean of the first objective over all configurations that share one of "
     "its values, "
     "which stands at the end of the bar.",
     SIM_VIEW_STUDY, sim_prepare_tornado, NULL, false},

    {"stages", "The stages of the search",
     "Each round keeps the better part of the candidates and simulates them longer; selection and confirmation use "
     "fresh seeds. "
     "Below 0, if a line is drawn there, every SLO holds.",
     SIM_VIEW_TUNE, sim_prepare_stages, NULL, false},
    {"pareto", "The goal against fairness",
     "Left and up is better. On the front are those that no other dominates with confidence.", SIM_VIEW_TUNE,
     sim_prepare_tune_pareto, NULL, false},
    {"tornado", "Which knob matters", "Morris screening: how much a step of each knob moves the goal, on average.",
     SIM_VIEW_TUNE, sim_prepare_tune_tornado, NULL, false},

    {"differences", "What changed from A to B",
     "Each figure's change as a share of A's value, with its own 95 % interval. Filled: sure, the p adjusted for the "
     "number of "
     "figures is at most .05. Figures whose value in A is 0 or unknown stand in the table only.",
     SIM_VIEW_COMPARISON, sim_prepare_differences, NULL, false},

    {"claims", "Ours against what is stated",
     "Each number that decides, over the number stated, with its 95 % interval; within the band they differ by less "
     "than "
     "15 %. A stated range counts as its middle. Where 0 or a bound is stated there is no ratio, and words stand in "
     "its "
     "place.",
     SIM_VIEW_CLAIMS, sim_prepare_claims, "claim.gp", false},
    {"claim", "A claim",
     "Points with 95 % intervals are ours, diamonds and bands what is stated. Measures that decide stand first; the "
     "others show what else was tried.",
     SIM_VIEW_CLAIMS, sim_prepare_claim, NULL, true},
    {0}};

/* ---- themes and terminals ---- */

struct theme {
    const char *ink, *muted, *rule, *paper, *good, *doubt, *bad;
};

static const struct theme themes[] = {
    [SIM_PLOT_LIGHT] = {"#1b1f24", "#59636e", "#d5dae0", "#ffffff", "#00694c", "#8a5a00", "#b3261e"},
    [SIM_PLOT_DARK] = {"#e6eaef", "#a3adb8", "#3a424c", "#14181d", "#5fd3ab", "#f2c266", "#ff8a80"}};

const char *sim_plot_extension(enum sim_plot_format format) {
    static const char *const extensions[] = {"svg", "png", "pdf"};
    return extensions[format];
}

static void add_terminal(struct sim_text *script, const struct sim_plot_draft *draft,
                         const struct sim_plot_style *style) {
    const struct theme *theme = &themes[style->theme];
    /* Pictures of points are drawn at twice the size, for sharp screens. */
    const int density = 2;
    switch (style->format) {
    case SIM_PLOT_SVG:
        sim_text_printf(script, "set terminal svg size %d,%d font 'sans-serif,13' noenhanced", draft->width,
                        draft->height);
        if (!style->embedded)
            sim_text_printf(script, " background '%s'", theme->paper);
        break;
    case SIM_PLOT_PNG:
        sim_text_printf(script,
                        "set terminal pngcairo size %d,%d font 'sans-serif,10' fontscale %d linewidth %d pointscale %d "
                        "noenhanced background '%s'",
                        density * draft->width, density * draft->height, density, density, density, theme->paper);
        break;
    case SIM_PLOT_PDF:
        sim_text_printf(script, "set terminal pdfcairo size %gin,%gin font 'sans-serif,10' noenhanced background '%s'",
                        draft->width / 96.0, draft->height / 96.0, theme->paper);
        break;
    }
    sim_text_add(script, "\n");
}

static const char *title_of(const struct sim_plot *plot, const struct sim_plot_draft *draft) {
    return draft->title.length ? draft->title.bytes : plot->title;
}

static void add_script(struct sim_text *script, const struct sim_plot *plot, const struct sim_plot_draft *draft,
                       const struct sim_plot_style *style) {
    const struct theme *theme = &themes[style->theme];
    sim_text_add(script, "set encoding utf8\n");
    add_terminal(script, draft, style);
    sim_gnuplot_set_string(script, "ink", theme->ink);
    sim_gnuplot_set_string(script, "muted", theme->muted);
    sim_gnuplot_set_string(script, "rule", theme->rule);
    sim_gnuplot_set_string(script, "paper", theme->paper);
    sim_gnuplot_set_string(script, "good", theme->good);
    sim_gnuplot_set_string(script, "doubt", theme->doubt);
    sim_gnuplot_set_string(script, "bad", theme->bad);
    const int character_px = 8;
    sim_text_add(script, "heading = ");
    sim_gnuplot_add_label(script, style->embedded ? "" : title_of(plot, draft), (size_t)(draft->width / character_px));
    sim_text_add(script, "\n");
    sim_text_printf(script, "narrow = %d\nheight_px = %d.0\nwidth_px = %d.0\n", draft->narrow, draft->height,
                    draft->width);
    sim_text_add(script, sim_asset("style.gp")->text);
    sim_text_append(script, draft->script.bytes, draft->script.length);
    char name[64];
    int length = snprintf(name, sizeof name, "%s.gp", plot->name);
    assert(length > 0 && (size_t)length < sizeof name);
    sim_text_add(script, sim_asset(plot->script ? plot->script : name)->text);
}

/* ---- SVG ---- */

/* U+FFFE and U+FFFF, which XML does not allow. */
static bool is_no_character(const char *at) {
    return (unsigned char)at[0] == 0xEF && (unsigned char)at[1] == 0xBF && (unsigned char)at[2] >= 0xBE;
}

static void add_escaped(struct sim_text *text, const char *string) {
    for (; *string; string++) {
        if (*string == '&')
            sim_text_add(text, "&amp;");
        else if (*string == '<')
            sim_text_add(text, "&lt;");
        else if (*string == '>')
            sim_text_add(text, "&gt;");
        else if (is_no_character(string)) {
            sim_text_add(text, "?");
            string += 2;
        } else
            sim_text_append(text, (unsigned char)*string < 0x20 ? " " : string, 1);
    }
}

/* Does gnuplot's identifier `at`, one of gp* or a filter's, begin here, behind id=' or '#? */
static size_t id_prefix(const char *at) {
    static const char *const starts[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(at, starts[i], strlen(starts[i])))
            return strlen(starts[i]);
    return 0;
}

/* "rgb(  0, 114, 178)" in its several spellings: length of what stands at `at`, its value; 0: no such thing. */
static size_t read_colour(const char *at, unsigned ret[3]) {
    char start[32];
    int length = 0;
    if (strncmp(at, "rgb(", 4) != 0)
        return 0;
    snprintf(start, sizeof start, "%.*s", (int)sizeof start - 1, at);
    return sscanf(start, "rgb(%3u ,%3u ,%3u )%n", &ret[0], &ret[1], &ret[2], &length) == 3 ? (size_t)length : 0;
}

/* Length of an element that is to be dropped, if one begins at `at`. */
static size_t dropped(const char *at) {
    static const char *const elements[][2] = {{"<title>", "</title>"}, {"<desc>", "</desc>"}};
    for (size_t i = 0; i < 2; i++) {
        const char *end = strncmp(at, elements[i][0], strlen(elements[i][0])) == 0 ? strstr(at, elements[i][1]) : NULL;
        if (end != NULL)
            return (size_t)(end - at) + strlen(elements[i][1]);
    }
    return 0;
}

static void rewrite(struct sim_text *text, const char *at, const char *prefix) {
    bool in_tag = false; /* what stands between tags is somebody's text */
    while (*at) {
        unsigned colour[3];
        size_t skip = dropped(at), start;
        if (skip) {
            at += skip;
            continue;
        }
        in_tag = *at == '<' || (in_tag && *at != '>');
        if (in_tag && (skip = read_colour(at, colour)) != 0) {
            sim_text_printf(text, "#%02x%02x%02x", colour[0] & 255, colour[1] & 255, colour[2] & 255);
            at += skip;
            continue;
        }
        start = in_tag ? id_prefix(at) : 0;
        sim_text_append(text, at, start ? start : 1);
        if (start)
            sim_text_add(text, prefix);
        at += start ? start : 1;
    }
}

/* Gnuplot's SVG with our title and description instead of its own, without the titles that it gives to every line, and
 * with identifiers that stay apart from those of other pictures in the same page. Colours are spelt "#0072b2", which the
 * style of a page may ask for. */
static void finish_svg(struct sim_picture *picture, const char *name, const char *title,
                       const struct sim_plot_style *style) {
    struct sim_text text = {0};
    const char *at = picture->bytes, *svg = strstr(at, "<svg");
    char prefix[160];
    snprintf(prefix, sizeof prefix, "%s%s-", style->narrow ? "narrow-" : "", name);
    if (!style->embedded)
        sim_text_append(&text, at, (size_t)(svg - at));
    const char *head = strchr(svg, '>');
    sim_text_printf(&text, "<svg role=\"img\" aria-labelledby=\"%stitle %sdesc\"", prefix, prefix);
    sim_text_append(&text, svg + 4, (size_t)(head + 1 - svg - 4));
    sim_text_printf(&text, "\n<title id=\"%stitle\">", prefix);
    add_escaped(&text, title);
    sim_text_printf(&text, "</title>\n<desc id=\"%sdesc\">", prefix);
    add_escaped(&text, picture->says);
    sim_text_add(&text, "</desc>\n");
    rewrite(&text, head + 1, prefix);
    free(picture->bytes);
    picture->length = text.length;
    picture->bytes = sim_text_take(&text);
}

/* ---- drawing ---- */

static struct sim_plot_draft begin(bool narrow) {
    return (struct sim_plot_draft){.narrow = narrow, .width = narrow ? 380 : 840, .height = narrow ? 300 : 420};
}

static void end(struct sim_plot_draft *draft) {
    free(draft->script.bytes);
    free(draft->says.bytes);
    free(draft->title.bytes);
}

size_t sim_plot_count(const struct sim_plot *plot, const struct sim_view *view) {
    if (plot->kinds != view->kind)
        return 0;
    return plot->of_claim ? (size_t)cJSON_GetArraySize(sim_json_at(view->summary, "claims")) : 1;
}

struct sim_view sim_plot_view(const struct sim_plot *plot, const struct sim_view *view, size_t index) {
    struct sim_view seen = *view;
    if (plot->of_claim)
        seen.claim = cJSON_GetArrayItem(sim_json_at(view->summary, "claims"), (int)index);
    return seen;
}

char *sim_plot_picture_name(const struct sim_plot *plot, const struct sim_view *view) {
    char *name;
    if (asprintf(&name, "%s%s%s", plot->name, plot->of_claim ? "-" : "",
                 plot->of_claim ? sim_json_text_at(view->claim, "id") : "") < 0)
        sim_out_of_memory();
    return name;
}

bool sim_plot_applies(const struct sim_plot *plot, const struct sim_view *view) {
    struct sim_plot_draft draft = begin(false);
    bool applies = plot->kinds == view->kind && plot->prepare(view, &draft);
    end(&draft);
    return applies;
}

static bool is_whole(const struct sim_picture *picture, enum sim_plot_format format) {
    static const char *const ends[] = {"</svg>", "IEND", "%%EOF"};
    const char *wanted = ends[format];
    size_t length = strlen(wanted), from = picture->length > 64 ? picture->length - 64 : 0;
    return picture->length > length && memmem(picture->bytes + from, picture->length - from, wanted, length) != NULL;
}

bool sim_plot_draw(const struct sim_plot *plot, const struct sim_view *view, const struct sim_plot_style *style,
                   struct sim_picture *ret, struct sim_located_error *error) {
    struct sim_plot_draft draft = begin(style->narrow);
    struct sim_text script = {0};
    *ret = (struct sim_picture){0};
    bool good = plot->kinds == view->kind && plot->prepare(view, &draft);
    if (!good) {
        sim_error_set(error, view->path, 0, "", "has no data for the picture \"%s\"", plot->name);
    } else {
        const int heading_px = 34;
        draft.height += draft.without_heading && !style->embedded ? heading_px : 0;
        add_script(&script, plot, &draft, style);
        ret->says = sim_text_take(&draft.says);
        ret->bytes = sim_gnuplot_run(&script, &ret->length, error);
        good = ret->bytes != NULL;
        if (good && !is_whole(ret, style->format)) {
            sim_error_set(error, "", 0, "", "gnuplot ended in the middle of the picture \"%s\"", plot->name);
            good = false;
        }
        if (good && style->format == SIM_PLOT_SVG) {
            char *name = sim_plot_picture_name(plot, view);
            finish_svg(ret, name, title_of(plot, &draft), style);
            free(name);
        }
    }
    end(&draft);
    free(script.bytes);
    return good;
}

void sim_picture_finish(struct sim_picture *picture) {
    free(picture->bytes);
    free(picture->says);
    *picture = (struct sim_picture){0};
}
