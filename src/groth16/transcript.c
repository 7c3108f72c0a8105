/* The transcript of SnarkPack. */
#include "groth16/transcript.h"

#include "base/bytes.h"
#include "curve/pairing.h"
#include "curve/point_encoding.h"

void cuzk_transcript_init(transcript *t, const char *tag) {
    static const char domain[] = "snarkpack-v1";
    cuzk_sha256_init(&t->hash);
    cuzk_sha256_update(&t->hash, domain, sizeof domain - 1);
    cuzk_sha256_update(&t->hash, tag, strlen(tag));
}

void cuzk_transcript_fr(transcript *t, const fr *a) {
    uint8_t bytes[FR_BYTES];
    cuzk_fr_write_le(bytes, a);
    cuzk_sha256_update(&t->hash, bytes, sizeof bytes);
}

void cuzk_transcript_g1(transcript *t, const g1_affine *p) {
    uint8_t bytes[G1_COMPRESSED_BYTES];
    cuzk_g1_write_compressed(bytes, p);
    cuzk_sha256_update(&t->hash, bytes, sizeof bytes);
}

void cuzk_transcript_g2(transcript *t, const g2_affine *p) {
    uint8_t bytes[G2_COMPRESSED_BYTES];
    cuzk_g2_write_compressed(bytes, p);
    cuzk_sha256_update(&t->hash, bytes, sizeof bytes);
}

void cuzk_transcript_gt(transcript *t, const fp12 *a) {
    uint8_t bytes[GT_BYTES];
    cuzk_gt_write(bytes, a);
    cuzk_sha256_update(&t->hash, bytes, sizeof bytes);
}

void cuzk_transcript_bytes(transcript *t, const uint8_t *data, size_t len_bytes) {
    uint8_t length[8];
    store_le64(length, len_bytes);
    cuzk_sha256_update(&t->hash, length, sizeof length);
    cuzk_sha256_update(&t->hash, data, len_bytes);
}

void cuzk_transcript_challenge(fr *r, transcript *t) {
    const fr one = FR_ONE;
    for (uint64_t counter = 1;; counter++) {
        uint8_t bytes[8], digest[SHA256_BYTES];
        store_be64(bytes, counter);
        cuzk_sha256_update(&t->hash, bytes, sizeof bytes); /* stays for the next round */
        sha256_state copy = t->hash;
        cuzk_sha256_final(&copy, digest);
        digest[31] &= 0x7f;
        if (cuzk_fr_read_le(r, digest) && !fr_is_zero(r) && !fr_eq(r, &one)) {
            return;
        }
    }
}
