/* Any bytes as an update vanilla proof; the first byte chooses the sector size. What can be read
 * must survive the native check. */
#include "filecoin/update_check.h"
#include "fuzz/fuzz_target.h"
#include "hash/poseidon.h"

static bool commit(digest *comm_r, const digest *comm_c, const digest *root) {
    fr in[2], hash;
    if (!cuzk_fr_read_le(&in[0], comm_c->bytes) || !cuzk_fr_read_le(&in[1], root->bytes)) {
        return false;
    }
    cuzk_poseidon(&hash, POSEIDON_2, in);
    cuzk_fr_write_le(comm_r->bytes, &hash);
    return true;
}

/* Under the statement that its own roots make. */
static void check(const update_partition_proof *proof) {
    const cuzk_ctx ctx = {0};
    const update_challenge_proof *first = &proof->challenges[0];
    update_statement s = {.type = cuzk_update_proof_by_number(0), .comm_d_new = first->d_new.root};
    cuzk_error err = {.text = ""};
    if (commit(&s.comm_r_old, &proof->comm_c, &first->r_old.root) &&
        commit(&s.comm_r_new, &proof->comm_c, &first->r_new.root)) {
        cuzk_status status = cuzk_update_check(&ctx, &s, proof, 1, &err);
        CUZK_ASSERT(status == CUZK_OK || err.text[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    static const uint64_t sizes[] = {2048, 4096, 16384, 32768};
    if (len_bytes == 0) {
        return 0;
    }
    const sector_size *size = cuzk_sector_size_by_bytes(sizes[data[0] & 3]);
    unsigned n_challenges = data[0] & 4 ? 10 : 1;
    update_partition_proof proof;
    cuzk_error err;
    if (cuzk_update_partition_read(&proof, &size->shape, size->log2_nodes, 8, n_challenges,
                                   data + 1, len_bytes - 1, "fuzz", &err) == CUZK_OK) {
        CUZK_ASSERT(proof.challenges[n_challenges - 1].d_new.n_levels == size->log2_nodes);
        if (size->bytes == 2048 && n_challenges == 10) {
            check(&proof);
        }
        cuzk_update_partition_clear(&proof);
    } else {
        CUZK_ASSERT(proof.memory == NULL && err.text[0] != '\0');
    }
    return 0;
}
