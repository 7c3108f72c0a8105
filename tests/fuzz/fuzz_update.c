/* Any bytes as an update vanilla proof; the first byte chooses the sector size. */
#include "filecoin/update_proof.h"
#include "fuzz/fuzz_target.h"

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
        cuzk_update_partition_clear(&proof);
    } else {
        CUZK_ASSERT(proof.memory == NULL && err.text[0] != '\0');
    }
    return 0;
}
