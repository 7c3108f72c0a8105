/* Any bytes as a compressed element of Gt; what is accepted is of order r and written back to the
 * same bytes. */
#include <string.h>

#include "base/status.h"
#include "curve/pairing.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    uint8_t bytes[GT_COMPRESSED_BYTES] = {0}, again[GT_COMPRESSED_BYTES];
    if (len_bytes > 0) {
        memcpy(bytes, data, len_bytes < sizeof bytes ? len_bytes : sizeof bytes);
    }
    const fr_plain order = {FR_MODULUS};
    fp12 a, power;
    if (cuzk_gt_read_compressed(&a, bytes)) {
        cuzk_gt_pow(&power, &a, &order);
        CUZK_ASSERT(fp12_is_one(&power));
        CUZK_ASSERT(cuzk_gt_write_compressed(again, &a));
        CUZK_ASSERT(memcmp(again, bytes, sizeof bytes) == 0);
    }
    return 0;
}
