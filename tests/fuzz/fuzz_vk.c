/* Any bytes as a .vk file; what is accepted is written back to the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_target.h"
#include "srs/vk_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    const cuzk_ctx ctx = {0};
    srs_vk key;
    cuzk_error err;
    if (cuzk_srs_vk_decode(&key, &ctx, "fuzz", data, len_bytes, &err) == CUZK_OK) {
        uint8_t *again = malloc(len_bytes);
        CUZK_ASSERT(again != NULL && srs_vk_bytes(key.vk.n_ic) == len_bytes);
        cuzk_srs_vk_encode(again, &key.vk);
        CUZK_ASSERT(memcmp(again, data, len_bytes) == 0);
        free(again);
        cuzk_srs_vk_clear(&key);
    }
    return 0;
}
