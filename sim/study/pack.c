#include "pack.h"

#include "../memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layout: "FLO", version; scalars: count, then a double each; weights: how many are not 1, then (slot distance, double)
 * each; samples: count, then each; jobs over limits: count, then each; jobs, end_s; the five invariants; points of the series: count, then each as (ns since the one before, jobs queued by class).
 * A sample: 1 + the
 * number of an earlier one that is the same, or 0 and bins, jobs beyond (with the shortest's ns when there are any), sum,
 * largest + 1, then (bin distance, jobs) of each bin. Where nobody is demoted, half of the groups are others again. */
static const uint8_t magic[] = {'F', 'L', 'O', 1};

/* ---- writing ---- */

struct writer {
    uint8_t *bytes;
    size_t length, room;
};

static void put_byte(struct writer *writer, unsigned byte) {
    if (writer->length == writer->room) {
        writer->room = writer->room > 0 ? 2 * writer->room : 4096;
        writer->bytes = sim_realloc(writer->bytes, writer->room, 1);
    }
    writer->bytes[writer->length++] = (uint8_t)byte;
}

/* Seven bits a byte, lowest first, the top bit set on all but the last (LEB128). */
static void put_count(struct writer *writer, uint64_t count) {
    for (; count >= 0x80; count >>= 7)
        put_byte(writer, (unsigned)(count & 0x7f) | 0x80);
    put_byte(writer, (unsigned)count);
}

static void put_double(struct writer *writer, double value) {
    uint64_t bits;
    /* One NaN for all, so that equal outcomes are equal bytes. */
    value = isnan(value) ? (double)NAN : value;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        put_byte(writer, (unsigned)(bits >> (8 * i)) & 0xff);
}

static void put_weights(struct writer *writer, const struct sim_outcome *outcome) {
    size_t others = 0, last = 0;
    for (size_t i = 0; i < outcome->slot_count; i++)
        others += !(outcome->weight[i] == 1);
    put_count(writer, others);
    for (size_t i = 0; i < outcome->slot_count; i++) {
        if (outcome->weight[i] == 1)
            continue;
        put_count(writer, i - last);
        put_double(writer, outcome->weight[i]);
        last = i;
    }
}

static bool same_sample(const struct sim_sample *one, const struct sim_sample *other) {
    if (one->bin_count != other->bin_count || one->beyond != other->beyond || one->max_ns != other->max_ns ||
        one->beyond_min_ns != other->beyond_min_ns || memcmp(&one->sum_s, &other->sum_s, sizeof one->sum_s) != 0)
        return false;
    for (size_t i = 0; i < one->bin_count; i++)
        if (one->bins[i].bin != other->bins[i].bin || one->bins[i].count != other->bins[i].count)
            return false;
    return true;
}

/* The first of the classes' samples that @p index is the same as; itself: none before. */
static size_t first_same(const struct sim_outcome *outcome, size_t index) {
    size_t groups = 2 * (size_t)SIM_GROUP_TENANTS;
    for (size_t i = 0; i < index && i < groups; i++)
        if (same_sample(&outcome->samples[i], &outcome->samples[index]))
            return i;
    return index;
}

static void put_sample(struct writer *writer, const struct sim_outcome *outcome, size_t index) {
    const struct sim_sample *sample = &outcome->samples[index];
    size_t same = first_same(outcome, index);
    uint32_t last = 0;
    if (same < index) {
        put_count(writer, same + 1);
        return;
    }
    put_count(writer, 0);
    put_count(writer, sample->bin_count);
    put_count(writer, sample->beyond);
    if (sample->beyond > 0)
        put_count(writer, (uint64_t)sample->beyond_min_ns);
    put_double(writer, sample->sum_s);
    put_count(writer, (uint64_t)(sample->max_ns + 1));
    for (size_t i = 0; i < sample->bin_count; i++) {
        put_count(writer, sample->bins[i].bin - last);
        put_count(writer, sample->bins[i].count);
        last = sample->bins[i].bin;
    }
}

/* Times of points are whole nanoseconds, queues whole jobs. */
static void put_series(struct writer *writer, const struct sim_series *series) {
    int64_t last_ns = 0;
    put_count(writer, series->count);
    for (size_t i = 0; i < series->count; i++) {
        int64_t now_ns = llround(series->points[i].time_s * 1e9);
        put_count(writer, (uint64_t)(now_ns - last_ns));
        for (int class_id = 0; class_id < 3; class_id++)
            put_count(writer, (uint64_t)llround(series->points[i].queue[class_id]));
        last_ns = now_ns;
    }
}

uint8_t *sim_outcome_pack(const struct sim_outcome *outcome, size_t *ret_length) {
    struct writer writer = {0};
    const struct sim_invariants *found = &outcome->invariants;
    for (size_t i = 0; i < sizeof magic; i++)
        put_byte(&writer, magic[i]);
    put_count(&writer, outcome->slot_count);
    for (size_t i = 0; i < outcome->slot_count; i++)
        put_double(&writer, outcome->value[i]);
    put_weights(&writer, outcome);
    put_count(&writer, outcome->sample_count);
    for (size_t i = 0; i < outcome->sample_count; i++)
        put_sample(&writer, outcome, i);
    put_count(&writer, outcome->slo_count);
    for (size_t i = 0; i < outcome->slo_count; i++)
        put_count(&writer, outcome->over[i]);
    put_count(&writer, outcome->jobs);
    put_double(&writer, outcome->end_s);
    put_count(&writer, found->conservation);
    put_count(&writer, found->time_in_system);
    put_count(&writer, found->work_conservation);
    put_count(&writer, found->bucket);
    put_count(&writer, found->clock);
    put_series(&writer, &outcome->series);
    *ret_length = writer.length;
    return writer.bytes;
}

/* ---- reading ---- */

struct reader {
    const uint8_t *at, *end;
    bool failed;
};

static unsigned get_byte(struct reader *reader) {
    if (reader->at == reader->end) {
        reader->failed = true;
        return 0;
    }
    return *reader->at++;
}

static uint64_t get_count(struct reader *reader) {
    uint64_t count = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned byte = get_byte(reader);
        count |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return count;
    }
    reader->failed = true;
    return 0;
}

static double get_double(struct reader *reader) {
    uint64_t bits = 0;
    double value;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)get_byte(reader) << (8 * i);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A number of items that take at least @p bytes each: more than the rest can hold is damage, and no reason to allocate. */
static size_t get_length(struct reader *reader, size_t bytes) {
    uint64_t length = get_count(reader);
    if (length > (uint64_t)(reader->end - reader->at) / bytes)
        reader->failed = true;
    return reader->failed ? 0 : (size_t)length;
}

static void get_weights(struct reader *reader, struct sim_outcome *outcome) {
    size_t others = get_length(reader, 9), slot = 0;
    for (size_t i = 0; i < others && !reader->failed; i++) {
        uint64_t distance = get_count(reader);
        if (distance >= outcome->slot_count - slot) {
            reader->failed = true;
            return;
        }
        slot += (size_t)distance;
        outcome->weight[slot] = get_double(reader);
    }
}

static void get_sample(struct reader *reader, struct sim_outcome *outcome, size_t index) {
    struct sim_sample *sample = &outcome->samples[index];
    uint64_t same = get_count(reader);
    if (same > index || reader->failed) {
        reader->failed = true;
        return;
    }
    if (same > 0) {
        *sample = sim_sample_merge((const struct sim_sample *const[]){&outcome->samples[same - 1]}, 1);
        return;
    }
    size_t bins = get_length(reader, 2);
    /* What merging relies on: rising bins that a time can fall into. */
    const uint64_t last_bin = sim_histogram_bin(INT64_MAX);
    uint64_t last = 0;
    sample->beyond = get_count(reader);
    if (sample->beyond > 0)
        sample->beyond_min_ns = (int64_t)get_count(reader);
    sample->sum_s = get_double(reader);
    sample->max_ns = (int64_t)get_count(reader) - 1;
    sample->bins = sim_calloc(bins, sizeof *sample->bins);
    for (; sample->bin_count < bins && !reader->failed; sample->bin_count++) {
        uint64_t distance = get_count(reader), count = get_count(reader);
        if (distance > last_bin - last || (distance == 0 && sample->bin_count > 0) || count == 0)
            reader->failed = true;
        last += distance;
        sample->bins[sample->bin_count] = (struct sim_bin){.bin = (uint32_t)last, .count = count};
        sample->count += count;
    }
}

static void get_rest(struct reader *reader, struct sim_outcome *outcome) {
    struct sim_invariants *found = &outcome->invariants;
    outcome->slo_count = get_length(reader, 1);
    outcome->over = sim_calloc(outcome->slo_count, sizeof *outcome->over);
    for (size_t i = 0; i < outcome->slo_count; i++)
        outcome->over[i] = get_count(reader);
    outcome->jobs = get_count(reader);
    outcome->end_s = get_double(reader);
    found->conservation = get_count(reader);
    found->time_in_system = get_count(reader);
    found->work_conservation = get_count(reader);
    found->bucket = get_count(reader);
    found->clock = get_count(reader);
}

static void get_series(struct reader *reader, struct sim_series *series) {
    size_t count = get_length(reader, 4);
    uint64_t now_ns = 0;
    series->points = sim_calloc(count, sizeof *series->points);
    for (; series->count < count; series->count++) {
        struct sim_series_point *point = &series->points[series->count];
        now_ns += get_count(reader);
        point->time_s = (double)now_ns / 1e9;
        for (int class_id = 0; class_id < 3; class_id++)
            point->queue[class_id] = (double)get_count(reader);
    }
}

static struct sim_outcome *get_outcome(struct reader *reader) {
    struct sim_outcome *outcome = sim_calloc(1, sizeof *outcome);
    outcome->slot_count = get_length(reader, 8);
    outcome->value = sim_calloc(outcome->slot_count, sizeof *outcome->value);
    outcome->weight = sim_calloc(outcome->slot_count, sizeof *outcome->weight);
    for (size_t i = 0; i < outcome->slot_count; i++) {
        outcome->value[i] = get_double(reader);
        outcome->weight[i] = 1;
    }
    get_weights(reader, outcome);
    outcome->sample_count = get_length(reader, 1);
    outcome->samples = sim_calloc(outcome->sample_count, sizeof *outcome->samples);
    for (size_t i = 0; i < outcome->sample_count; i++)
        sim_sample_finish(&outcome->samples[i]);
    for (size_t i = 0; i < outcome->sample_count && !reader->failed; i++)
        get_sample(reader, outcome, i);
    get_rest(reader, outcome);
    get_series(reader, &outcome->series);
    return outcome;
}

struct sim_outcome *sim_outcome_unpack(const uint8_t *bytes, size_t length) {
    struct reader reader = {.at = bytes, .end = bytes + length};
    for (size_t i = 0; i < sizeof magic; i++)
        if (get_byte(&reader) != magic[i])
            return NULL;
    struct sim_outcome *outcome = get_outcome(&reader);
    if (!reader.failed && reader.at == reader.end)
        return outcome;
    sim_outcome_destroy(outcome);
    return NULL;
}
