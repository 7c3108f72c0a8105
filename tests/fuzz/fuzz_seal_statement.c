/* Any bytes as the public part of a seal. */
#include "filecoin/statement_reader.h"

#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    cuzk_error err;
    porep_statement s;
    if (cuzk_porep_statement_read(&s, data, len_bytes, "fuzz", &err) != CUZK_OK) {
        CUZK_ASSERT(err.text[0] != '\0');
    } else {
        CUZK_ASSERT(s.type != NULL);
    }
    return 0;
}
