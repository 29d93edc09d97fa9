/** Single files, outside of result folders. */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include "../scenario/located_error.h"

#include <stdbool.h>
#include <stddef.h>

/** Write all of @p bytes to @p fd, through interruptions. @return false with errno. */
bool sim_file_write_all(int fd, const char *bytes, size_t length);

/** Are both there, and the same file? */
bool sim_file_same(const char *one, const char *other);

/** Can sim_file_replace() write @p path, as far as can be told before? A file is made beside it and removed. @return false
 *  with *error and errno. */
bool sim_file_writable(const char *path, struct sim_located_error *error);

/** Put @p text in the place of the file @p path, at once, and wholly or not at all. What is no regular file (a pipe, a
 *  terminal) is written to as it is; a symbolic link to a file is replaced by a file. @return false with *error. */
bool sim_file_replace(const char *path, const char *text, struct sim_located_error *error);

/** The same for @p length bytes, which may be any. */
bool sim_file_replace_bytes(const char *path, const char *bytes, size_t length, struct sim_located_error *error);

#endif
