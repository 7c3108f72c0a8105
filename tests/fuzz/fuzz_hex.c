/* Any bytes as hexadecimal text; what is accepted is written back to the same text in lower case.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "codec/hex.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    size_t n = len_bytes / 2;
    char *text = malloc(len_bytes + 1), *again = malloc(2 * n + 1);
    uint8_t *out = malloc(n > 0 ? n : 1);
    CUZK_ASSERT(text != NULL && again != NULL && out != NULL);
    if (len_bytes > 0) {
        memcpy(text, data, len_bytes);
    }
    text[len_bytes] = 0;
    if (cuzk_hex_decode(out, n, text)) {
        cuzk_hex_encode(again, out, n);
        for (char *c = text; *c != 0; c++) {
            *c = (char)tolower((unsigned char)*c);
        }
        CUZK_ASSERT(strcmp(again, text) == 0);
    }
    free(out);
    free(again);
    free(text);
    return 0;
}
