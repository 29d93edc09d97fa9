/** The table of keys: one row for each key of a scenario file. The reader, the merger, scenarios/README.md and the JSON
 *  Schema all work from these rows, so that they cannot disagree. */
#ifndef SIM_KEYS_H
#define SIM_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/** What may stand behind a key. */
enum sim_key_type {
    SIM_KEY_BOOL,
    SIM_KEY_INTEGER,          /**< a number without fraction */
    SIM_KEY_NUMBER,           /**< or, where the row has `words`, the first of them */
    SIM_KEY_TEXT,             /**< any string up to `max` bytes */
    SIM_KEY_NAME,             /**< string of [A-Za-z0-9._-], safe in file names, figure names and CSV */
    SIM_KEY_SEED,             /**< string of decimal digits, or a whole number up to 2^53 */
    SIM_KEY_TIMESTAMP,        /**< string, RFC 3339 */
    SIM_KEY_FILE,             /**< string: a path, relative to the file that holds it */
    SIM_KEY_WORD,             /**< one of `words` */
    SIM_KEY_WORDS,            /**< list of some of `words` */
    SIM_KEY_TEXTS,            /**< list of strings */
    SIM_KEY_NUMBERS,          /**< list of numbers */
    SIM_KEY_NUMBER_OR_LIST,   /**< a number or a list of them */
    SIM_KEY_NUMBER_OR_OBJECT, /**< a number for every row of `table`, or an object with them */
    SIM_KEY_VALUES_OR_OBJECT, /**< a list of any values, or an object with the keys of `table` */
    SIM_KEY_OBJECT,           /**< object with the keys of `table` */
    SIM_KEY_LIST,             /**< list of `element` */
    SIM_KEY_OBJECT_OR_LIST,   /**< one `element` or a list of them */
    SIM_KEY_MAP,              /**< object of names of the user's choice, each an `element` */
    SIM_KEY_CHOICE, /**< object with exactly one of the rows of `table` whose `value` is not -1; the others may stand beside it */
    SIM_KEY_DISTRIBUTION /**< a number, or a CHOICE of sim_distribution_table */
};

/** How a value is kept, at `offset` of the struct that the row's table fills. */
enum sim_storage {
    SIM_STORE_NONE,   /**< not kept: read elsewhere, or only checked */
    SIM_STORE_BOOL,   /**< bool */
    SIM_STORE_DOUBLE, /**< double */
    SIM_STORE_INT64,  /**< int64_t */
    SIM_STORE_UINT64, /**< uint64_t */
    SIM_STORE_UINT32, /**< uint32_t */
    SIM_STORE_NS_S,   /**< int64_t ns of a number of seconds, rounded */
    SIM_STORE_NS_MS,  /**< int64_t ns of a number of milliseconds, rounded */
    SIM_STORE_ENUM,   /**< enum, by place in `words` */
    SIM_STORE_BOOLS,  /**< bool[], by place in `words` */
    SIM_STORE_TEXT,   /**< char * */
    SIM_STORE_LIST, /**< struct sim_list of char *, double, or structs of `size` bytes; those of a map begin with their name */
    SIM_STORE_DISTRIBUTION, /**< struct model_distribution, prepared */
    SIM_STORE_TREE /**< const cJSON * of the list; an object's table fills the struct that begins with that pointer */
};

/** What the field holds when the key is absent and there is no default value. */
enum sim_absent {
    SIM_ABSENT_ZERO,
    SIM_ABSENT_NEVER,     /**< INT64_MAX */
    SIM_ABSENT_MINUS_ONE, /**< -1 */
    SIM_ABSENT_NAN,
    SIM_ABSENT_INFINITY
};

/** Longest `$comment`, in bytes. */
enum { SIM_COMMENT_MAX = 100000 };

/** `offset_flag` that stands for "no flag". */
#define SIM_NO_FLAG 0

struct sim_table;

struct sim_key {
    const char *name; /**< NULL in the `element` of a list or map; "p*": percentile keys p50, p99.9, ... */
    const char *unit; /**< as shown in the docs; NULL: none */
    const char
        *pattern;     /**< texts: what each looks like, for the schema; their own parser looks closer. NULL: anything */
    const char *help; /**< one sentence or more for the docs */
    const char *initial;      /**< default as JSON text; NULL: none */
    const char *otherwise;    /**< for the docs: what absence means when there is no default */
    const char *const *words; /**< NULL-terminated */
    const struct sim_table *table;
    const struct sim_key *element;
    double min, max; /**< of a number, of each number of a list or distribution; of a list without numbers: its length;
                          of a text: its length in bytes */
    size_t count_min, count_max; /**< length of a list of numbers */
    size_t offset;
    size_t size;        /**< bytes of one element in a SIM_STORE_LIST of structs */
    size_t offset_flag; /**< a bool that says whether the key is there (a NUMBER with `words`: whether it is a word);
                           SIM_NO_FLAG: none */
    enum sim_key_type type;
    enum sim_storage store;
    enum sim_absent absent;
    int value;     /**< row of a CHOICE: what the choice stores; -1 for a row that is no choice */
    int group;     /**< rows of different groups (not 0) of one table exclude each other, and one group must be there */
    bool required; /**< within its group */
};

/** A set of rows that stand in one object, and the struct they fill. */
struct sim_table {
    const char *title; /**< in the docs: what the object is called */
    const char *about; /**< in the docs, before the rows; NULL: nothing */
    const struct sim_key *rows;
    size_t count;
    const struct sim_table *include; /**< more rows, which fill a struct at `include_offset`; NULL: none */
    size_t include_offset;
    const char *groups; /**< in errors: what was expected when no group is there */
};

/** The whole scenario: an OBJECT row without a name. */
extern const struct sim_key sim_scenario_key;

/** Kinds of distribution, and the clamps beside them. */
extern const struct sim_table sim_distribution_table;

/** Kinds of arrival process. */
extern const struct sim_table sim_arrivals_table;

/** What `changes` may replace: re-read on its own for each regime. */
extern const struct sim_key sim_regime_key;

/** Row @p index of @p table, included ones last; *ret_offset: where its struct begins in that of @p table.
 *  @return NULL behind the last. */
const struct sim_key *sim_table_row(const struct sim_table *table, size_t index, size_t *ret_offset);

/** The row named @p name, or NULL. Percentile keys find the "p*" row. */
const struct sim_key *sim_table_find(const struct sim_table *table, const char *name, size_t *ret_offset);

/** The known name nearest to @p name by edit distance; NULL when the table has none. */
const char *sim_table_nearest(const struct sim_table *table, const char *name);

/** Edit distance (insertions, deletions, substitutions, swaps of neighbours) of two short strings. */
size_t sim_edit_distance(const char *a, const char *b);

/** The row that describes member or element @p step of a value that @p row describes; NULL: unknown. @p in_list: the
 *  value at hand is an array. */
const struct sim_key *sim_key_child(const struct sim_key *row, const char *step, bool in_list);

/** Is @p name a percentile key ("p50", "p99.9")? *ret_probability in (0, 1). */
bool sim_percentile_key(const char *name, double *ret_probability);

/** Is @p name a plain name: 1 to 100 of [A-Za-z0-9._-], not beginning with '.' or '-'? */
bool sim_plain_name(const char *name);

/** Call @p visit with every row and its path ("tenants.*.streams.*.origin"; * stands for an index or a name). The keys
 *  of distributions come once, below "distribution". Stops when @p visit returns false.
 *  @return false if it was stopped. */
bool sim_keys_walk(bool (*visit)(void *context, const char *path, const struct sim_key *row), void *context);

#endif
