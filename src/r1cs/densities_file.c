/* Densities to bytes and back: a head of fixed size, the words of the three vectors, a digest. */
#include "r1cs/densities_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/file.h"
#include "hash/blake2.h"
#include "r1cs/densities_internal.h"

static const char magic[8] = "cuzkdens";

/* Offsets in the head. */
enum {
    AT_VERSION = 8,
    AT_ID = 16,
    AT_CONSTRAINTS = AT_ID + DENSITIES_ID_BYTES,
    AT_INPUTS = AT_CONSTRAINTS + 8,
    AT_AUX = AT_INPUTS + 8,
    AT_TERMS = AT_AUX + 8,
    AT_SET = AT_TERMS + 3 * 8,
    HEAD_BYTES = AT_SET + 3 * 8
};
/* Words that are read or written at once. */
enum { PIECE_WORDS = 8192 };

static uint64_t vector_words(uint64_t n_bits) { return n_bits / 64 + 1; }

/* Of the whole file. The counts are below 2^32. */
static uint64_t file_bytes(const r1cs_dims *dims) {
    return HEAD_BYTES + 8 * (2 * vector_words(dims->n_aux) + vector_words(dims->n_inputs)) +
           BLAKE2B_BYTES;
}

/* ---- writing ---- */

static void encode_head(uint8_t head[HEAD_BYTES], const r1cs_densities *d, const char *circuit) {
    memset(head, 0, HEAD_BYTES);
    memcpy(head, magic, sizeof magic);
    store_le32(head + AT_VERSION, DENSITIES_VERSION);
    CUZK_ASSERT(strlen(circuit) < DENSITIES_ID_BYTES);
    memcpy(head + AT_ID, circuit, strlen(circuit));
    store_le64(head + AT_CONSTRAINTS, d->dims.n_constraints);
    store_le64(head + AT_INPUTS, d->dims.n_inputs);
    store_le64(head + AT_AUX, d->dims.n_aux);
    const uint64_t n_set[3] = {d->a_aux.n_set, d->b_aux.n_set, d->b_input.n_set};
    for (int i = 0; i < 3; i++) {
        store_le64(head + AT_TERMS + 8 * i, d->n_terms[i]);
        store_le64(head + AT_SET + 8 * i, n_set[i]);
    }
}

static cuzk_status put(cuzk_outfile *out, blake2b *hash, const uint8_t *bytes, size_t len_bytes,
                       cuzk_error *err) {
    cuzk_blake2b_update(hash, bytes, len_bytes);
    return cuzk_outfile_write(out, bytes, len_bytes, err);
}

static cuzk_status put_vector(cuzk_outfile *out, blake2b *hash, const bit_vector *v,
                              cuzk_error *err) {
    uint8_t bytes[8 * PIECE_WORDS];
    cuzk_status status = CUZK_OK;
    const uint64_t n_words = vector_words(v->n);
    for (uint64_t first = 0; status == CUZK_OK && first < n_words; first += PIECE_WORDS) {
        const size_t n = n_words - first < PIECE_WORDS ? (size_t)(n_words - first) : PIECE_WORDS;
        for (size_t i = 0; i < n; i++) {
            store_le64(bytes + 8 * i, v->words[first + i]);
        }
        status = put(out, hash, bytes, 8 * n, err);
    }
    return status;
}

cuzk_status cuzk_densities_write(const char *path, const r1cs_densities *d, const char *circuit,
                                 cuzk_error *err) {
    uint8_t head[HEAD_BYTES], digest[BLAKE2B_BYTES];
    const bit_vector *const vectors[3] = {&d->a_aux, &d->b_aux, &d->b_input};
    cuzk_outfile *out;
    cuzk_status status = cuzk_outfile_create(&out, path, 0644, file_bytes(&d->dims), err);
    if (status != CUZK_OK) {
        return status;
    }
    blake2b *hash = cuzk_blake2b_create();
    encode_head(head, d, circuit);
    status = put(out, hash, head, sizeof head, err);
    for (int i = 0; status == CUZK_OK && i < 3; i++) {
        status = put_vector(out, hash, vectors[i], err);
    }
    cuzk_blake2b_final(hash, digest);
    if (status == CUZK_OK) {
        status = cuzk_outfile_write(out, digest, sizeof digest, err);
    }
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(out);
        return status;
    }
    return cuzk_outfile_commit(out, true, err);
}

/* ---- reading ---- */

static cuzk_status get(FILE *file, blake2b *hash, uint8_t *bytes, size_t len_bytes,
                       cuzk_error *err) {
    if (fread(bytes, 1, len_bytes, file) != len_bytes) {
        return cuzk_fail(err, CUZK_E_IO, "cannot be read, or was cut short");
    }
    cuzk_blake2b_update(hash, bytes, len_bytes);
    return CUZK_OK;
}

static cuzk_status refuse(cuzk_error *err, const char *why) {
    return cuzk_fail(err, CUZK_E_INPUT, "%s", why);
}

/* Fills dims and n_terms; expected[i]: set bits of a_aux, b_aux, b_input. */
static cuzk_status decode_head(r1cs_densities *d, uint64_t expected[3],
                               const uint8_t head[HEAD_BYTES], uint64_t len_bytes,
                               const char *circuit, cuzk_error *err) {
    uint8_t id[DENSITIES_ID_BYTES] = {0};
    CUZK_ASSERT(strlen(circuit) < sizeof id);
    memcpy(id, circuit, strlen(circuit));
    if (memcmp(head, magic, sizeof magic) != 0) {
        return refuse(err, "not a file of densities");
    }
    if (load_le64(head + AT_VERSION) != DENSITIES_VERSION) {
        return refuse(err, "written by another version");
    }
    if (memcmp(head + AT_ID, id, sizeof id) != 0) {
        return refuse(err, "of another circuit");
    }
    r1cs_dims *dims = &d->dims;
    dims->n_constraints = load_le64(head + AT_CONSTRAINTS);
    dims->n_inputs = load_le64(head + AT_INPUTS);
    dims->n_aux = load_le64(head + AT_AUX);
    const uint64_t limit = R1CS_INPUT;
    if (dims->n_constraints >= limit || dims->n_inputs >= limit || dims->n_aux >= limit ||
        dims->n_inputs == 0) {
        return refuse(err, "counts of no circuit");
    }
    if (file_bytes(dims) != len_bytes) {
        return refuse(err, "its length is not what its counts say");
    }
    while ((uint64_t)1 << dims->log2_domain < dims->n_constraints + dims->n_inputs) {
        dims->log2_domain++;
    }
    for (int i = 0; i < 3; i++) {
        d->n_terms[i] = load_le64(head + AT_TERMS + 8 * i);
        expected[i] = load_le64(head + AT_SET + 8 * i);
    }
    return CUZK_OK;
}

static cuzk_status get_vector(bit_vector *v, uint64_t expected, FILE *file, blake2b *hash,
                              const cuzk_ctx *ctx, cuzk_error *err) {
    uint8_t bytes[8 * PIECE_WORDS];
    const uint64_t n_words = vector_words(v->n);
    for (uint64_t first = 0; first < n_words; first += PIECE_WORDS) {
        const size_t n = n_words - first < PIECE_WORDS ? (size_t)(n_words - first) : PIECE_WORDS;
        cuzk_status status = cuzk_ctx_cancelled(ctx) ? cuzk_fail(err, CUZK_E_CANCELLED, "cancelled")
                                                     : get(file, hash, bytes, 8 * n, err);
        if (status != CUZK_OK) {
            return status;
        }
        for (size_t i = 0; i < n; i++) {
            v->words[first + i] = load_le64(bytes + 8 * i);
            v->n_set += (unsigned)__builtin_popcountll(v->words[first + i]);
        }
    }
    if (v->words[v->n / 64] >> (v->n % 64) != 0) {
        return refuse(err, "bits beyond the last variable");
    }
    return v->n_set == expected ? CUZK_OK : refuse(err, "the number of set bits is not as it says");
}

static cuzk_status decode_rest(r1cs_densities *d, const uint64_t expected[3], const cuzk_ctx *ctx,
                               FILE *file, blake2b *hash, cuzk_error *err) {
    const uint64_t n_terms[3] = {d->n_terms[0], d->n_terms[1], d->n_terms[2]};
    const r1cs_dims dims = d->dims;
    cuzk_status status = cuzk_densities_init(d, ctx->account, &dims, err);
    if (status != CUZK_OK) {
        return status;
    }
    memcpy(d->n_terms, n_terms, sizeof n_terms);
    bit_vector *const vectors[3] = {&d->a_aux, &d->b_aux, &d->b_input};
    for (int i = 0; status == CUZK_OK && i < 3; i++) {
        status = get_vector(vectors[i], expected[i], file, hash, ctx, err);
    }
    return status;
}

cuzk_status cuzk_densities_decode(r1cs_densities *d, const cuzk_ctx *ctx, FILE *file,
                                  uint64_t len_bytes, const char *circuit, cuzk_error *err) {
    uint8_t head[HEAD_BYTES], digest[BLAKE2B_BYTES], found[BLAKE2B_BYTES];
    uint64_t expected[3];
    *d = (r1cs_densities){0};
    if (len_bytes < HEAD_BYTES + BLAKE2B_BYTES) {
        return refuse(err, "too short for a file of densities");
    }
    blake2b *hash = cuzk_blake2b_create();
    cuzk_status status = get(file, hash, head, sizeof head, err);
    if (status == CUZK_OK) {
        status = decode_head(d, expected, head, len_bytes, circuit, err);
    }
    if (status == CUZK_OK) {
        status = decode_rest(d, expected, ctx, file, hash, err);
    }
    cuzk_blake2b_final(hash, digest);
    if (status == CUZK_OK && (fread(found, 1, sizeof found, file) != sizeof found ||
                              memcmp(found, digest, sizeof found) != 0)) {
        status = refuse(err, "its digest is wrong");
    }
    if (status != CUZK_OK) {
        cuzk_r1cs_densities_clear(d);
    }
    return status;
}

cuzk_status cuzk_densities_read(r1cs_densities *d, const cuzk_ctx *ctx, const char *path,
                                const char *circuit, cuzk_error *err) {
    struct stat info;
    *d = (r1cs_densities){0};
    FILE *file = fopen(path, "rbe");
    cuzk_status status = CUZK_OK;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        status = cuzk_fail(err, CUZK_E_IO, "%s", strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        status = cuzk_fail(err, CUZK_E_IO, "not a regular file");
    } else {
        status = cuzk_densities_decode(d, ctx, file, (uint64_t)info.st_size, circuit, err);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (status != CUZK_OK && status != CUZK_E_CANCELLED) {
        cuzk_error_at_file(err, path, CUZK_NOWHERE);
    }
    return status;
}
