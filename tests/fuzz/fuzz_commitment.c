/* Any text as a commitment: hex or CID, of either kind. */
#include "filecoin/commitment.h"

#include <string.h>

#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    char text[256];
    uint8_t commitment[32];
    if (len_bytes >= sizeof text) {
        return 0;
    }
    memcpy(text, data, len_bytes);
    text[len_bytes] = '\0';
    cuzk_error err;
    for (int kind = COMMITMENT_SEALED; kind <= COMMITMENT_UNSEALED; kind++) {
        if (cuzk_commitment_read(commitment, (commitment_kind)kind, text, &err) != CUZK_OK) {
            CUZK_ASSERT(err.text[0] != '\0');
        }
    }
    return 0;
}
