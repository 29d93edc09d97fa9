/* The resolved tree, and its hash. */
#include "resolve.h"

#include <assert.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool to_drop(const cJSON *item, bool keep_null) {
    if (item->string == NULL)
        return false;
    return strcmp(item->string, "$comment") == 0 || strcmp(item->string, "$schema") == 0 ||
           (cJSON_IsNull(item) && !keep_null);
}

static void clean(cJSON *tree, bool keep_null) {
    for (cJSON *item = tree->child, *next; item != NULL; item = next) {
        next = item->next;
        if (to_drop(item, keep_null))
            cJSON_Delete(cJSON_DetachItemViaPointer(tree, item));
        else
            clean(item, keep_null || (item->string != NULL && strcmp(item->string, "changes") == 0));
    }
}

void sim_canonical_clean(cJSON *tree) {
    clean(tree, false);
}

static int by_key(const void *left, const void *right) {
    const cJSON *const *a = left, *const *b = right;
    return strcmp((*a)->string, (*b)->string);
}

struct printer {
    FILE *out;
    const struct sim_scenario *scenario;
};

static void print(const struct printer *printer, const cJSON *item, const struct sim_key *row);

static void print_members(const struct printer *printer, const cJSON *object, const struct sim_key *row) {
    size_t count = (size_t)cJSON_GetArraySize(object), used = 0;
    const cJSON **members = calloc(count + 1, sizeof *members);
    assert(members != NULL);
    const cJSON *item;
    cJSON_ArrayForEach(item, object) {
        if (row != &sim_scenario_key || strcmp(item->string, "about") != 0)
            members[used++] = item;
    }
    qsort(members, used, sizeof *members, by_key);
    fputc('{', printer->out);
    for (size_t i = 0; i < used; i++) {
        fprintf(printer->out, "%s\"%s\":", i > 0 ? "," : "", members[i]->string);
        print(printer, members[i], sim_key_child(row, members[i]->string, false));
    }
    fputc('}', printer->out);
    free(members);
}

static void print_string(const struct printer *printer, const cJSON *item, const struct sim_key *row) {
    const char *text = item->valuestring;
    if (row != NULL && row->type == SIM_KEY_FILE)
        for (size_t i = 0; i < printer->scenario->trace_count; i++)
            if (strcmp(printer->scenario->traces[i].path, text) == 0)
                text = printer->scenario->traces[i].sha256;
    fputc('"', printer->out);
    for (; *text != '\0'; text++)
        fprintf(printer->out, strchr("\"\\", *text) != NULL ? "\\%c" : "%c", *text);
    fputc('"', printer->out);
}

static void print(const struct printer *printer, const cJSON *item, const struct sim_key *row) {
    if (cJSON_IsObject(item)) {
        print_members(printer, item, row);
    } else if (cJSON_IsArray(item)) {
        const cJSON *element;
        fputc('[', printer->out);
        cJSON_ArrayForEach(element, item) {
            print(printer, element, sim_key_child(row, "", true));
            fputc(',', printer->out);
        }
        fputc(']', printer->out);
    } else if (cJSON_IsString(item)) {
        print_string(printer, item, row);
    } else if (cJSON_IsNumber(item)) {
        fprintf(printer->out, "%.17g", item->valuedouble);
    } else {
        fputs(cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false", printer->out);
    }
}

void sim_canonical_hash(const struct sim_scenario *scenario, char ret_hex[65]) {
    char *text = NULL;
    size_t length = 0;
    struct printer printer = {.out = open_memstream(&text, &length), .scenario = scenario};
    assert(printer.out != NULL);
    print(&printer, scenario->resolved, &sim_scenario_key);
    int failed = fclose(printer.out);
    assert(failed == 0);
    SHA256Data((const uint8_t *)text, length, ret_hex);
    free(text);
}
