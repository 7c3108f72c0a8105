/* Any bytes as a small JSON object. */
#include <string.h>

#include "codec/flat_json.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    char text[33];
    uint64_t number;
    flat_json_member members[] = {{.name = "digest", .text = text, .room = sizeof text},
                                  {.name = "size", .integer = &number}};
    cuzk_error err;
    if (cuzk_flat_json_read(members, 2, (const char *)data, len_bytes, &err) == CUZK_OK) {
        CUZK_ASSERT(!members[0].found || strlen(text) < sizeof text);
    }
    return 0;
}
