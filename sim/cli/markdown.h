/** Texts from files in Markdown (CommonMark, GitHub's tables): nothing in them may be taken as markup. */
#ifndef SIM_CLI_MARKDOWN_H
#define SIM_CLI_MARKDOWN_H

#include "../results/text.h"

/** @p string as plain text; control characters become spaces. */
void cli_markdown_text(struct sim_text *page, const char *string);

/** A cell of a table's row: " text |". */
void cli_markdown_cell(struct sim_text *page, const char *string);

/** A paragraph of its own, whatever @p string begins with; @p lead, words of ours, in front of it. */
void cli_markdown_paragraph(struct sim_text *page, const char *lead, const char *string);

/** A path or name as code. */
void cli_markdown_code(struct sim_text *page, const char *string);

/** A path as the target of a link or picture: what would end it is percent-encoded. */
void cli_markdown_target(struct sim_text *page, const char *path);

/** Where a link to the heading @p heading leads, as GitHub names it: small letters, digits, '-' and '_', spaces as '-'. */
void cli_markdown_anchor(struct sim_text *page, const char *heading);

#endif
