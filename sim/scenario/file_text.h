/** A text file, read whole. */
#ifndef SIM_FILE_TEXT_H
#define SIM_FILE_TEXT_H

#include "located_error.h"

#include <stddef.h>
#include <sys/types.h>

/** A scenario file may have this many bytes: 16 MiB. */
enum { SIM_FILE_BYTES_MAX = 16 * 1024 * 1024 };

/** Which file it is, whatever its name: for cycles. */
struct sim_file_identity {
    dev_t device;
    ino_t inode;
};

/** Read @p path. What is no regular file, or too large, is refused before a byte is read, so a FIFO does not block and a
 *  device does not run on. @return malloc'ed bytes with a NUL behind them, or NULL with *error. */
char *sim_file_read(const char *path, size_t *ret_length, struct sim_file_identity *ret_identity,
                    struct sim_located_error *error);

/** The same for files of up to @p bytes_max. */
char *sim_file_read_within(const char *path, size_t bytes_max, size_t *ret_length,
                           struct sim_file_identity *ret_identity, struct sim_located_error *error);

#endif
