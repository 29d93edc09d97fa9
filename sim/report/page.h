/** A page in the making: what all kinds of reports share. */
#ifndef SIM_PAGE_H
#define SIM_PAGE_H

#include "html.h"
#include "report.h"

#include "../plot/plot.h"

enum { SIM_PAGE_SECTIONS_MAX = 16 };

struct sim_page {
    const struct sim_view *view;
    const char *kind;    /**< "Result of a run" */
    const char *name;    /**< of the scenario or study */
    const char *about;   /**< "": none */
    const char *verdict; /**< in one word, for the title; "": none */
    struct sim_text body;
    struct sim_text title; /**< what `name` may point into */
    struct {
        const char *id, *title;
    } sections[SIM_PAGE_SECTIONS_MAX];
    size_t section_count;
    struct sim_located_error *missing; /**< first reason why a picture is missing */
};

/** Begin and end a section of the body, with a heading and a place in the navigation. Titles are constants. */
void sim_page_section(struct sim_page *page, const char *id, const char *title);
void sim_page_section_end(struct sim_page *page);

/** Take back what was added to the body since it was @p length bytes long. */
void sim_page_cut(struct sim_page *page, size_t length);

/** The verdict's box: a word (NULL: the verdict's own) and a sentence, coloured by @p verdict ("": not at all). Sets the
 *  page's verdict. */
void sim_page_verdict(struct sim_page *page, const char *verdict, const char *word, const char *sentence);

/** A table of SLOs as summary.json has them. */
void sim_page_slos(struct sim_page *page, const cJSON *slos);

/** Counts of verdicts among @p slos. */
struct sim_page_counts {
    size_t pass, fail, inconclusive;
};
struct sim_page_counts sim_page_count(const cJSON *slos);

/** "fail" if any fails, else "inconclusive" if any is, else "pass"; "" without SLOs. */
const char *sim_page_worst(struct sim_page_counts counts);

/** One picture, its view as sim_plot_view() makes it, as a figure; @p title NULL: without a heading of its own. Nothing is
 *  added when it cannot be drawn, or after one could not: see sim_page_missing(). */
void sim_page_figure(struct sim_page *page, const struct sim_plot *plot, const struct sim_view *view,
                     const char *title);

/** A sentence in the place of pictures, if one is missing. @return whether. */
bool sim_page_missing(struct sim_page *page);

/** All pictures that the folder has data for, each a figure with caption, in a section of their own. */
void sim_page_pictures(struct sim_page *page);

/** Warnings as a list; a sentence when there are none. */
void sim_page_warnings(struct sim_page *page, const cJSON *warnings);

/** A term and what it is, of a list begun by "<dl class=facts>"; empty texts are left out. */
void sim_page_fact(struct sim_page *page, const char *term, const char *text);

/** The same for a number of three digits, with what it counts behind it; left out when NaN. */
void sim_page_number_fact(struct sim_page *page, const char *term, double value, const char *unit);

/** A JSON value or text to copy or look up, folded behind @p summary. */
void sim_page_folded_json(struct sim_page *page, const char *summary, const cJSON *value);

/** The whole page; the caller frees it. */
char *sim_page_finish(struct sim_page *page);

/** Contents of each kind. */
void sim_page_result(struct sim_page *page);
void sim_page_study(struct sim_page *page);
void sim_page_tune(struct sim_page *page);
void sim_page_comparison(struct sim_page *page);
void sim_page_claims(struct sim_page *page);

#endif
