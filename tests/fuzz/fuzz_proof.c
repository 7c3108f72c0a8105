/* Any 192 bytes as a proof; what is accepted is written back to the same bytes. */
#include <string.h>

#include "fuzz/fuzz_target.h"
#include "groth16/groth16.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    if (len_bytes < GROTH16_PROOF_BYTES) {
        return 0;
    }
    groth16_proof proof;
    cuzk_error err;
    if (cuzk_groth16_proof_read(&proof, data, &err) == CUZK_OK) {
        uint8_t again[GROTH16_PROOF_BYTES];
        cuzk_groth16_proof_write(again, &proof);
        CUZK_ASSERT(memcmp(again, data, sizeof again) == 0);
    }
    return 0;
}
