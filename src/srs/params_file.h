/* `.params` files: a proving key in a file, lent to the prover chunk by chunk (groth16.md 2.2). */
#ifndef CUZK_SRS_PARAMS_FILE_H
#define CUZK_SRS_PARAMS_FILE_H

#include "base/pool.h"
#include "curve/point_encoding.h"
#include "groth16/groth16.h"

typedef struct srs_params srs_params;

/* Where the points are while a key is open (performance.md 9). */
typedef enum srs_tier {
    /* In the file: a chunk is read, through the page cache, and decoded when it is acquired. Any
     * order, any number of threads. */
    SRS_MAPPED,
    /* In the file: a thread reads ahead into a ring, past the page cache, in the order in which
     * they are said to be needed (groth16_source); chunks are decoded from the ring. For one pass
     * after another: acquired in any other order, or by two passes at once, it starts anew each
     * time. Keys in memory are taken as mapped. */
    SRS_STREAMED,
    /* Decoded in memory. */
    SRS_RESIDENT
} srs_tier;

/* A zeroed value is the default. */
typedef struct srs_params_options {
    /* Of the points of the sections, whenever they are decoded. Those of the verifying key are
     * always checked for curve and subgroup. */
    point_check check;
    srs_tier tier;
    size_t chunk_points; /* longest chunk of a key that is not resident; 0: MSM_CHUNK_POINTS */
    unsigned n_buffers;  /* mapped: chunk buffers kept, at most SRS_MAX_BUFFERS; 0: 2 */
    /* streamed: */
    size_t read_bytes; /* of one read, a multiple of SRS_READ_ALIGN; 0: SRS_READ_BYTES */
    size_t ring_bytes; /* about what is read ahead; 0: SRS_RING_BYTES */
    bool buffered;     /* reads through the page cache, which then drops what was read; otherwise
                          only where direct reads fail */
} srs_params_options;
#define SRS_MAX_BUFFERS 64
#define SRS_READ_ALIGN ((size_t)4096)
#define SRS_READ_BYTES ((size_t)8 << 20)
#define SRS_RING_BYTES ((size_t)256 << 20)

/* What a key of these sizes charges to the account from open to close, exactly, by the options'
 * tier; SIZE_MAX if that does not fit. options may be NULL. */
size_t cuzk_srs_params_bytes(const groth16_dims *dims, const srs_params_options *options);
/* What cuzk_srs_params_pk would give for a file of these sizes, without points: to plan the memory
 * of proofs with. */
groth16_pk cuzk_srs_planned_pk(const groth16_dims *dims, const srs_params_options *options);

/* Opens a file, reads its counts, decodes and checks the verifying key; the sections too if
 * resident. Whether these are the right parameters is not looked at: see srs/accept.h and
 * cuzk_groth16_key_fits. options may be NULL.
 *
 * Kept of ctx: the account, which must outlive *params. Charged to it: cuzk_srs_params_bytes.
 * Fails: CUZK_E_NO_PARAMS, CUZK_E_IO, CUZK_E_BAD_PARAMS naming section, index and offset,
 * CUZK_E_NO_MEMORY, CUZK_E_CANCELLED. */
cuzk_status cuzk_srs_params_open(srs_params **params, const cuzk_ctx *ctx, const char *path,
                                 const srs_params_options *options, cuzk_error *err);
/* The same for bytes in memory, which are borrowed until close. name: for messages. */
cuzk_status cuzk_srs_params_of_bytes(srs_params **params, const cuzk_ctx *ctx, const char *name,
                                     const uint8_t *bytes, size_t len_bytes,
                                     const srs_params_options *options, cuzk_error *err);
void cuzk_srs_params_close(srs_params *params); /* accepts NULL; no chunk may be out */

/* The key. Its source decodes each chunk with the threads of the caller's pool and refuses bad
 * points and infinity with CUZK_E_BAD_PARAMS. Up to n_buffers chunks (streamed: one) use buffers
 * that are there; a further one allocates its own (CUZK_E_NO_MEMORY if the account does not allow
 * it), so acquire never waits for a release. A file that is cut short or cannot be read any more
 * gives CUZK_E_IO with name and offset. */
const groth16_pk *cuzk_srs_params_pk(const srs_params *params);

/* The file must begin with the bytes of the .vk file at vk_path, and that file have no more.
 * Fails: CUZK_E_BAD_PARAMS with the offset of the first difference, CUZK_E_NO_PARAMS, CUZK_E_IO. */
cuzk_status cuzk_srs_params_same_vk(const srs_params *params, const char *vk_path, cuzk_error *err);

/* Every point of the file for curve and subgroup: minutes for a million points. Progress counts
 * points. Fails: as cuzk_srs_params_open. */
cuzk_status cuzk_srs_params_check_points(const cuzk_ctx *ctx, const char *path, cuzk_error *err);

/* What a file of these sizes is long. Fails: CUZK_E_RANGE when a count does not fit its 32 bits. */
cuzk_status cuzk_srs_params_file_bytes(uint64_t *len_bytes, const groth16_dims *dims,
                                       cuzk_error *err);

#endif
