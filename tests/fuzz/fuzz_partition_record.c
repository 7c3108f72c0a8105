/* Any bytes as a stored partition; what is accepted is written back to the same bytes. */
#include <string.h>

#include "engine/partition_store.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    partition_key key = {.partition = 3, .vk = "0123456789abcdef0123456789abcdef"};
    uint8_t proof[GROTH16_PROOF_BYTES], again[PARTITION_RECORD_BYTES];
    cuzk_error err;
    memset(key.job, 0x5a, sizeof key.job);
    if (cuzk_partition_record_read(proof, &key, data, len_bytes, &err) == CUZK_OK) {
        cuzk_partition_record_write(again, &key, proof);
        CUZK_ASSERT(len_bytes == sizeof again && memcmp(again, data, sizeof again) == 0);
    } else {
        CUZK_ASSERT(err.status == CUZK_E_INPUT && err.text[0] != '\0');
    }
    return 0;
}
