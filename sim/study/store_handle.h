/** What store.c and store_study.c share. */
#ifndef SIM_STORE_HANDLE_H
#define SIM_STORE_HANDLE_H

#include "store.h"

#include <sqlite3.h>

struct sim_store {
    sqlite3 *database;
    char *path;
    sqlite3_stmt *put, *done, *get;
};

/** Report what SQLite says. @return false. */
bool sim_store_fail(const struct sim_store *store, struct sim_located_error *error, const char *doing);

/** Run SQL that returns nothing. @return false with *error. */
bool sim_store_run(struct sim_store *store, const char *sql, struct sim_located_error *error);

/** @return NULL with *error. */
sqlite3_stmt *sim_store_prepare(struct sim_store *store, const char *sql, struct sim_located_error *error);

/** Step once; SQLITE_ROW or SQLITE_DONE is what is to come. @return false with *error otherwise. */
bool sim_store_step(struct sim_store *store, sqlite3_stmt *statement, int expected, struct sim_located_error *error);

/** Bind a text that stays valid until the step; NULL binds null. */
void sim_store_bind(sqlite3_stmt *statement, int at, const char *text);

/** A copy of column @p at; NULL for null. */
char *sim_store_column(sqlite3_stmt *statement, int at);

#endif
