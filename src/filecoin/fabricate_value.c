/* Values by SHA-256. */
#include "filecoin/fabricate_value.h"

#include "base/bytes.h"
#include "hash/sha256.h"

void cuzk_fabricate_value(digest *value, const fabricate_source *source, uint64_t a, uint64_t b) {
    static const char tag[] = "cuzk fabricate";
    uint8_t numbers[32];
    sha256_state s;
    store_le64(numbers, source->seed);
    store_le64(numbers + 8, source->number);
    store_le64(numbers + 16, a);
    store_le64(numbers + 24, b);
    cuzk_sha256_init(&s);
    cuzk_sha256_update(&s, tag, sizeof tag);
    cuzk_sha256_update(&s, source->purpose, strlen(source->purpose) + 1);
    cuzk_sha256_update(&s, numbers, sizeof numbers);
    cuzk_sha256_final(&s, value->bytes);
    value->bytes[DIGEST_BYTES - 1] &= 0x3f;
}
