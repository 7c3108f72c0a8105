/* Any bytes as a PoSt vanilla proof; the first byte chooses the shape of the trees and the number
 * of challenges. */
#include "filecoin/post_proof.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    static const uint64_t sizes[] = {2048, 4096, 32768, 32ull << 30};
    if (len_bytes == 0) {
        return 0;
    }
    const sector_size *size = cuzk_sector_size_by_bytes(sizes[data[0] & 3]);
    unsigned n_challenges = data[0] & 4 ? 66 : data[0] & 8 ? 1 : 10;
    post_sector_proof proof;
    cuzk_error err;
    if (cuzk_post_sector_read(&proof, &size->shape, n_challenges, data + 1, len_bytes - 1, "fuzz",
                              &err) == CUZK_OK) {
        CUZK_ASSERT(proof.inclusions[n_challenges - 1].n_levels == tree_shape_levels(&size->shape));
        cuzk_post_sector_clear(&proof);
    } else {
        CUZK_ASSERT(proof.memory == NULL && err.text[0] != '\0');
    }
    return 0;
}
