/* Reader of PoSt vanilla proofs. */
#include "filecoin/post_proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "filecoin/merkle_bincode.h"

static cuzk_status read_document(post_sector_proof *proof, digest *siblings, size_t n_siblings,
                                 bincode *b, const tree_shape *shape) {
    cuzk_status status = cuzk_bincode_u64(b, &proof->sector_id, "sector id");
    if (status == CUZK_OK) {
        status = cuzk_bincode_bytes(b, proof->comm_r.bytes, DIGEST_BYTES, "comm_r");
    }
    if (status == CUZK_OK) {
        status = cuzk_bincode_count(b, 1, "number of sectors in the vanilla proof");
    }
    if (status == CUZK_OK) {
        status = cuzk_bincode_count(b, proof->n_challenges, "number of inclusion proofs");
    }
    for (unsigned i = 0; status == CUZK_OK && i < proof->n_challenges; i++) {
        status = cuzk_merkle_proof_read_bincode(&proof->inclusions[i], siblings + i * n_siblings, b,
                                                shape);
        if (status != CUZK_OK && b->err != NULL) {
            cuzk_error_prefix(
                b->err, "sector %llu, challenge %u: ", (unsigned long long)proof->sector_id, i);
            b->err->challenge = i;
        }
    }
    if (status == CUZK_OK) {
        status = cuzk_bincode_bytes(b, proof->comm_c.bytes, DIGEST_BYTES, "comm_c");
    }
    if (status == CUZK_OK) {
        status = cuzk_bincode_bytes(b, proof->comm_r_last.bytes, DIGEST_BYTES, "comm_r_last");
    }
    return status == CUZK_OK ? cuzk_bincode_end(b) : status;
}

cuzk_status cuzk_post_sector_read(post_sector_proof *proof, const tree_shape *shape,
                                  unsigned n_challenges, const uint8_t *data, size_t len_bytes,
                                  const char *name, cuzk_error *err) {
    unsigned arities[MERKLE_MAX_LEVELS];
    unsigned n_levels;
    size_t n_siblings = cuzk_merkle_arities(arities, &n_levels, shape);
    size_t proofs_bytes = (size_t)n_challenges * sizeof(merkle_proof);
    size_t siblings_bytes = (size_t)n_challenges * n_siblings * sizeof(digest);
    memset(proof, 0, sizeof *proof);
    proof->memory = malloc(proofs_bytes + siblings_bytes + 1);
    if (proof->memory == NULL) {
        return cuzk_fail(err, CUZK_E_NO_MEMORY, "no memory for a PoSt vanilla proof");
    }
    proof->n_challenges = n_challenges;
    proof->inclusions = proof->memory;
    digest *siblings = (digest *)((uint8_t *)proof->memory + proofs_bytes);
    bincode b = {.data = data, .len_bytes = len_bytes, .err = err};
    cuzk_status status = read_document(proof, siblings, n_siblings, &b, shape);
    if (status != CUZK_OK) {
        if (err != NULL) {
            int64_t offset = err->offset;
            bool sector_known = b.at >= 8;
            if (sector_known && err->challenge == CUZK_NOWHERE) {
                cuzk_error_prefix(err, "sector %llu: ", (unsigned long long)proof->sector_id);
            }
            cuzk_error_at_file(err, name, CUZK_NOWHERE);
            err->offset = offset;
            if (sector_known) {
                err->sector = (int64_t)proof->sector_id;
            }
        }
        cuzk_post_sector_clear(proof);
    }
    return status;
}

void cuzk_post_sector_clear(post_sector_proof *proof) {
    free(proof->memory);
    memset(proof, 0, sizeof *proof);
}
