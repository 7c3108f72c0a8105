/* libcuzk: Groth16 (BLS12-381) proving for Filecoin storage providers.
 *
 * The stable interface: bytes of a proof request in, verified proof bytes out. Everything a host program needs;
 * cuzk_unstable.h offers the parts for experiments.
 *
 * Conventions. Functions that can fail return a cuzk_status; outputs are valid only on CUZK_OK. `err` may be NULL.
 * Handles are opaque; what `create` gave goes back to `destroy`, which accepts NULL. A const pointer is borrowed for
 * the call unless its comment says that it is kept. Sizes are in bytes where the name ends in _bytes. */
#ifndef CUZK_H
#define CUZK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CUZK_API __attribute__((visibility("default")))
#else
#define CUZK_API
#endif

#define CUZK_VERSION_MAJOR 0
#define CUZK_VERSION_MINOR 1
#define CUZK_VERSION_PATCH 0

/* Every status: name, text. The enum, cuzk_status_name() and cuzk_status_text() are made from this one list. */
#define CUZK_STATUS_MAP(X)                                                                         \
    X(OK, "done")                                                                                  \
    X(E_ARGUMENT, "the caller broke the interface's rules")                                        \
    X(E_RANGE, "a size or number is outside its range")                                            \
    X(E_INPUT, "the input is malformed")                                                           \
    X(E_INCONSISTENT, "the input is well formed but does not hold together")                       \
    X(E_UNSUPPORTED, "this build or machine cannot do that")                                       \
    X(E_NO_MEMORY, "not enough memory")                                                            \
    X(E_IO, "a file could not be read or written")                                                 \
    X(E_NO_PARAMS, "parameters are missing")                                                       \
    X(E_BAD_PARAMS, "a parameter file is damaged or not the expected one")                         \
    X(E_PROOF_INVALID, "the proof does not verify")                                                \
    X(E_CANCELLED, "cancelled")                                                                    \
    X(E_INTERNAL, "a fault in this library")

typedef enum cuzk_status {
#define CUZK_STATUS_ENUM(name, text) CUZK_##name,
    CUZK_STATUS_MAP(CUZK_STATUS_ENUM)
#undef CUZK_STATUS_ENUM
} cuzk_status;

/* "CUZK_E_INPUT" and so on; never NULL. */
CUZK_API const char *cuzk_status_name(cuzk_status status);
/* One line for a person; never NULL. */
CUZK_API const char *cuzk_status_text(cuzk_status status);

#define CUZK_NOWHERE (-1) /* a place member of cuzk_error that does not apply */

/* What went wrong and where. `text` is complete in itself (it repeats the place); the members serve programs. */
typedef struct cuzk_error {
    cuzk_status status;
    int64_t partition; /* CUZK_NOWHERE or the partition's number, from 0 */
    int64_t challenge; /* CUZK_NOWHERE or the challenge's number within the partition, from 0 */
    int64_t sector;    /* CUZK_NOWHERE or the sector number */
    int64_t offset;    /* CUZK_NOWHERE or the byte offset in `file` */
    char file[256];    /* "" or the name of the file (its end, if it is too long) */
    char text[768];    /* "" or one line without a newline */
} cuzk_error;

/* "0.1.0" */
CUZK_API const char *cuzk_version(void);

#ifdef __cplusplus
}
#endif
#endif
