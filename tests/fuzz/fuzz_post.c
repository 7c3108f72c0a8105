/* Any bytes as a PoSt vanilla proof; the first byte chooses the shape of the trees and the number
 * of challenges. What can be read must survive the native check. */
#include "filecoin/post_check.h"
#include "fuzz/fuzz_target.h"

static void check(const post_sector_proof *proof, unsigned number) {
    const cuzk_ctx ctx = {0};
    post_sector sector;
    cuzk_error err = {.text = ""};
    bool bad;
    cuzk_post_sectors_of(&sector, proof, 1);
    const post_statement s = {
        .type = cuzk_post_proof_by_number(number), .sectors = &sector, .n_sectors = 1};
    cuzk_status status = cuzk_post_check(&ctx, proof, &s, &bad, &err);
    CUZK_ASSERT(status == CUZK_OK ? !bad : bad && err.text[0] != '\0');
}

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
        if (size->bytes == 2048) {
            check(&proof, n_challenges == 66 ? 0 : 10);
        } else if (size->bytes == 32ull << 30) {
            check(&proof, n_challenges == 66 ? 3 : 8);
        }
        cuzk_post_sector_clear(&proof);
    } else {
        CUZK_ASSERT(proof.memory == NULL && err.text[0] != '\0');
    }
    return 0;
}
