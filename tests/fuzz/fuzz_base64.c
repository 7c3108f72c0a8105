/* Any bytes as base64; what is accepted is written back to the same text. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "codec/base64.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    size_t room = base64_room(len_bytes), n_bytes = 0;
    uint8_t *out = malloc(room > 0 ? room : 1);
    char *again = malloc(len_bytes + 5);
    CUZK_ASSERT(out != NULL && again != NULL);
    cuzk_error err;
    if (cuzk_base64_decode(out, &n_bytes, (const char *)data, len_bytes, &err) == CUZK_OK) {
        CUZK_ASSERT(n_bytes <= room);
        int n = EVP_EncodeBlock((unsigned char *)again, out, (int)n_bytes);
        CUZK_ASSERT((size_t)n == len_bytes && memcmp(again, data, len_bytes) == 0);
    } else {
        CUZK_ASSERT(err.offset >= 0 && (size_t)err.offset <= len_bytes);
    }
    free(again);
    free(out);
    return 0;
}
