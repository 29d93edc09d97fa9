/* Values that hold no further keys. */
#include "reader.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int64_t sim_read_ns(double seconds) {
    return (int64_t)llround(seconds * 1e9);
}

bool sim_read_number(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                     const cJSON *json, double *ret) {
    /* Written so that NaN fails. */
    bool good = cJSON_IsNumber(json) && json->valuedouble >= row->min && json->valuedouble <= row->max;
    if (good && row->type == SIM_KEY_INTEGER)
        good = floor(json->valuedouble) >= json->valuedouble;
    if (!good)
        return sim_read_mismatch(reader, place, row, json);
    *ret = json->valuedouble;
    return true;
}

void sim_store_number(const struct sim_key *row, double number, char *base) {
    void *at = base + row->offset;
    switch (row->store) {
    case SIM_STORE_DOUBLE:
        memcpy(at, &number, sizeof number);
        break;
    case SIM_STORE_INT64:
        memcpy(at, &(int64_t){(int64_t)number}, sizeof(int64_t));
        break;
    case SIM_STORE_UINT64:
        memcpy(at, &(uint64_t){(uint64_t)number}, sizeof(uint64_t));
        break;
    case SIM_STORE_UINT32:
        memcpy(at, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        break;
    case SIM_STORE_NS_S:
        memcpy(at, &(int64_t){sim_read_ns(number)}, sizeof(int64_t));
        break;
    case SIM_STORE_NS_MS:
        memcpy(at, &(int64_t){sim_read_ns(number / 1000)}, sizeof(int64_t));
        break;
    default:
        assert(row->store == SIM_STORE_NONE);
    }
}

void sim_store_absent(const struct sim_key *row, char *base) {
    switch (row->absent) {
    case SIM_ABSENT_ZERO:
        break;
    case SIM_ABSENT_NEVER:
        memcpy(base + row->offset, &(int64_t){INT64_MAX}, sizeof(int64_t));
        break;
    case SIM_ABSENT_MINUS_ONE:
        memcpy(base + row->offset, &(int64_t){-1}, sizeof(int64_t));
        break;
    case SIM_ABSENT_NAN:
        memcpy(base + row->offset, &(double){(double)NAN}, sizeof(double));
        break;
    case SIM_ABSENT_INFINITY:
        memcpy(base + row->offset, &(double){(double)INFINITY}, sizeof(double));
        break;
    }
}

static void store_text(const struct sim_reader *reader, const struct sim_key *row, const char *text, char *base) {
    if (row->store != SIM_STORE_TEXT)
        return;
    char *copy = sim_memory_text(reader->memory, text, strlen(text));
    memcpy(base + row->offset, &copy, sizeof copy);
}

static bool read_number(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                        const cJSON *json, char *base) {
    double number;
    bool worded = row->words != NULL && cJSON_IsString(json) && strcmp(json->valuestring, row->words[0]) == 0;
    if (row->words != NULL)
        *(bool *)(base + row->offset_flag) = worded;
    if (worded)
        return true;
    if (!sim_read_number(reader, place, row, json, &number))
        return false;
    sim_store_number(row, number, base);
    return true;
}

static bool text_fits(const struct sim_key *row, const char *text) {
    int64_t ignored;
    size_t length = strlen(text);
    if (row->type == SIM_KEY_NAME)
        return sim_plain_name(text);
    if (row->type == SIM_KEY_TIMESTAMP)
        return sim_read_timestamp(text, &ignored);
    return (double)length >= row->min && (double)length <= row->max;
}

static bool read_text(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                      const cJSON *json, char *base) {
    if (!cJSON_IsString(json) || !text_fits(row, json->valuestring))
        return sim_read_mismatch(reader, place, row, json);
    store_text(reader, row, json->valuestring, base);
    return true;
}

static bool read_seed(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                      const cJSON *json, char *base) {
    uint64_t seed = 0;
    bool good = cJSON_IsNumber(json) && json->valuedouble >= 0 && json->valuedouble <= 9007199254740992.0 &&
                floor(json->valuedouble) >= json->valuedouble;
    if (good)
        seed = (uint64_t)json->valuedouble;
    if (cJSON_IsString(json) && json->valuestring[0] != '\0') {
        good = true;
        for (const char *digit = json->valuestring; good && *digit != '\0'; digit++) {
            good = *digit >= '0' && *digit <= '9' && !__builtin_mul_overflow(seed, UINT64_C(10), &seed) &&
                   !__builtin_add_overflow(seed, (uint64_t)(*digit - '0'), &seed);
        }
    }
    if (!good)
        return sim_read_mismatch(reader, place, row, json);
    memcpy(base + row->offset, &seed, sizeof seed);
    return true;
}

/** Place of @p json in the words of @p row; -1 with an error that suggests the nearest. */
static int find_word(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                     const cJSON *json) {
    if (!cJSON_IsString(json)) {
        sim_read_mismatch(reader, place, row, json);
        return -1;
    }
    const char *nearest = "";
    size_t nearest_distance = SIZE_MAX;
    for (int i = 0; row->words[i] != NULL; i++) {
        size_t distance = sim_edit_distance(row->words[i], json->valuestring);
        if (strcmp(row->words[i], json->valuestring) == 0)
            return i;
        if (distance < nearest_distance) {
            nearest = row->words[i];
            nearest_distance = distance;
        }
    }
    char expected[320];
    sim_layers_fail(reader->layers, place, "expected %s, found \"%.60s\"; the nearest is \"%s\"",
                    sim_read_expected(row, expected, sizeof expected), json->valuestring, nearest);
    return -1;
}

static bool read_word(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                      const cJSON *json, char *base) {
    int word = find_word(reader, place, row, json);
    if (word < 0)
        return false;
    memcpy(base + row->offset, &word, sizeof word);
    return true;
}

static bool read_words(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                       const cJSON *json, char *base) {
    if (!cJSON_IsArray(json))
        return sim_read_mismatch(reader, place, row, json);
    bool *flags = (bool *)(base + row->offset);
    const cJSON *item;
    size_t index = 0;
    cJSON_ArrayForEach(item, json) {
        struct sim_place inner = {.parent = place, .index = index++};
        struct sim_key word = *row;
        word.type = SIM_KEY_WORD;
        int number = find_word(reader, &inner, &word, item);
        if (number < 0)
            return false;
        if (flags[number])
            return sim_layers_fail(reader->layers, &inner, "\"%s\" stands in the list before", row->words[number]);
        flags[number] = true;
    }
    return true;
}

bool sim_length_fits(const struct sim_key *row, size_t length) {
    return row->type == SIM_KEY_NUMBERS || row->type == SIM_KEY_NUMBER_OR_LIST
               ? length >= row->count_min && length <= row->count_max
               : (double)length >= row->min && (double)length <= row->max;
}

void sim_store_list(const struct sim_key *row, struct sim_list list, char *base) {
    if (row->store == SIM_STORE_LIST)
        memcpy(base + row->offset, &list, sizeof list);
}

/** A list of numbers, or, where the row allows it, a single one. */
static bool read_numbers(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                         const cJSON *json, char *base) {
    bool single = row->type == SIM_KEY_NUMBER_OR_LIST && cJSON_IsNumber(json);
    size_t count = single ? 1 : (size_t)cJSON_GetArraySize(json);
    if (!single && (!cJSON_IsArray(json) || !sim_length_fits(row, count)))
        return sim_read_mismatch(reader, place, row, json);
    struct sim_key number = *row;
    number.type = SIM_KEY_NUMBER;
    double *numbers = sim_memory_take(reader->memory, count, sizeof *numbers);
    const cJSON *item = single ? json : json->child;
    for (size_t i = 0; i < count; i++, item = item->next) {
        struct sim_place inner = {.parent = place, .index = i};
        if (!sim_read_number(reader, single ? place : &inner, &number, item, &numbers[i]))
            return false;
    }
    sim_store_list(row, (struct sim_list){.items = numbers, .count = count}, base);
    return true;
}

static bool read_texts(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                       const cJSON *json, char *base) {
    size_t count = (size_t)cJSON_GetArraySize(json), i = 0;
    if (!cJSON_IsArray(json) || !sim_length_fits(row, count))
        return sim_read_mismatch(reader, place, row, json);
    char **texts = sim_memory_take(reader->memory, count, sizeof *texts);
    const struct sim_key text = {.type = SIM_KEY_TEXT, .min = 1, .max = 200, .store = SIM_STORE_TEXT};
    const cJSON *item;
    cJSON_ArrayForEach(item, json) {
        struct sim_place inner = {.parent = place, .index = i};
        if (!read_text(reader, &inner, &text, item, (char *)&texts[i++]))
            return false;
    }
    sim_store_list(row, (struct sim_list){.items = texts, .count = count}, base);
    return true;
}

static bool read_bool(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                      const cJSON *json, char *base) {
    if (!cJSON_IsBool(json))
        return sim_read_mismatch(reader, place, row, json);
    *(bool *)(base + row->offset) = cJSON_IsTrue(json);
    return true;
}

bool sim_read_value(const struct sim_reader *reader, const struct sim_place *place, const struct sim_key *row,
                    const cJSON *json, char *base) {
    typedef bool (*read_function)(const struct sim_reader *reader, const struct sim_place *place,
                                  const struct sim_key *row, const cJSON *json, char *base);
    static const read_function functions[] = {
        [SIM_KEY_BOOL] = read_bool,
        [SIM_KEY_INTEGER] = read_number,
        [SIM_KEY_NUMBER] = read_number,
        [SIM_KEY_TEXT] = read_text,
        [SIM_KEY_NAME] = read_text,
        [SIM_KEY_SEED] = read_seed,
        [SIM_KEY_TIMESTAMP] = read_text,
        [SIM_KEY_FILE] = read_text,
        [SIM_KEY_WORD] = read_word,
        [SIM_KEY_WORDS] = read_words,
        [SIM_KEY_TEXTS] = read_texts,
        [SIM_KEY_NUMBERS] = read_numbers,
        [SIM_KEY_NUMBER_OR_LIST] = read_numbers,
    };
    assert(row->type < sizeof functions / sizeof functions[0] && functions[row->type] != NULL);
    return functions[row->type](reader, place, row, json, base);
}
