/* Any bytes as points: every decoder, alone and against the others. */
#include <string.h>

#include "base/status.h"
#include "curve/curve_kernels.h"
#include "fuzz/fuzz_target.h"

static void g1(const uint8_t bytes[G1_UNCOMPRESSED_BYTES]) {
    g1_affine p, q;
    uint8_t again[G1_UNCOMPRESSED_BYTES];
    const point_status general = cuzk_g1_read_uncompressed(&p, bytes, POINT_CHECK_CURVE);
    const point_status strict = cuzk_g1_read_strict(&q, bytes, POINT_CHECK_CURVE);
    const point_status compressed = cuzk_g1_read_compressed(&q, bytes, POINT_CHECK_CURVE);
    CUZK_ASSERT(general == ((bytes[0] & 0x80) != 0 ? compressed : strict));
    CUZK_ASSERT(strict != POINT_OK || compressed != POINT_OK);
    if (general != POINT_OK) {
        CUZK_ASSERT(cuzk_g1_read_uncompressed(&q, bytes, POINT_CHECK_SUBGROUP) == general);
        return;
    }
    CUZK_ASSERT(cuzk_g1_on_curve(&p));
    const point_status member = cuzk_g1_in_subgroup(&p) ? POINT_OK : POINT_NOT_IN_GROUP;
    CUZK_ASSERT(cuzk_g1_read_uncompressed(&q, bytes, POINT_CHECK_SUBGROUP) == member);
    if (compressed == POINT_OK) {
        CUZK_ASSERT(cuzk_g1_read_compressed(&q, bytes, POINT_CHECK_SUBGROUP) == member);
        cuzk_g1_write_compressed(again, &p);
        CUZK_ASSERT(memcmp(again, bytes, G1_COMPRESSED_BYTES) == 0);
    } else {
        CUZK_ASSERT(cuzk_g1_read_strict(&q, bytes, POINT_CHECK_SUBGROUP) == member);
        cuzk_g1_write_uncompressed(again, &p);
        CUZK_ASSERT(memcmp(again, bytes, G1_UNCOMPRESSED_BYTES) == 0);
    }
}

static void g2(const uint8_t bytes[G2_UNCOMPRESSED_BYTES]) {
    g2_affine p, q;
    uint8_t again[G2_UNCOMPRESSED_BYTES];
    const point_status general = cuzk_g2_read_uncompressed(&p, bytes, POINT_CHECK_CURVE);
    const point_status strict = cuzk_g2_read_strict(&q, bytes, POINT_CHECK_CURVE);
    const point_status compressed = cuzk_g2_read_compressed(&q, bytes, POINT_CHECK_CURVE);
    CUZK_ASSERT(general == ((bytes[0] & 0x80) != 0 ? compressed : strict));
    CUZK_ASSERT(strict != POINT_OK || compressed != POINT_OK);
    if (general != POINT_OK) {
        CUZK_ASSERT(cuzk_g2_read_uncompressed(&q, bytes, POINT_CHECK_SUBGROUP) == general);
        return;
    }
    CUZK_ASSERT(cuzk_g2_on_curve(&p));
    const point_status member = cuzk_g2_in_subgroup(&p) ? POINT_OK : POINT_NOT_IN_GROUP;
    CUZK_ASSERT(cuzk_g2_read_uncompressed(&q, bytes, POINT_CHECK_SUBGROUP) == member);
    if (compressed == POINT_OK) {
        CUZK_ASSERT(cuzk_g2_read_compressed(&q, bytes, POINT_CHECK_SUBGROUP) == member);
        cuzk_g2_write_compressed(again, &p);
        CUZK_ASSERT(memcmp(again, bytes, G2_COMPRESSED_BYTES) == 0);
    } else {
        CUZK_ASSERT(cuzk_g2_read_strict(&q, bytes, POINT_CHECK_SUBGROUP) == member);
        cuzk_g2_write_uncompressed(again, &p);
        CUZK_ASSERT(memcmp(again, bytes, G2_UNCOMPRESSED_BYTES) == 0);
    }
}

/* The batch decoders of the level in force and of portable C agree about batches of generators with
 * the bytes in one place. */
#define BATCH(g, G)                                                                                \
    static void g##_batch(const uint8_t bytes[G##_UNCOMPRESSED_BYTES], size_t at) {                \
        uint8_t points[N_BATCH * G##_UNCOMPRESSED_BYTES];                                          \
        g##_affine expected[N_BATCH], found[N_BATCH];                                              \
        for (size_t i = 0; i < N_BATCH; i++) {                                                     \
            cuzk_##g##_write_uncompressed(points + i * G##_UNCOMPRESSED_BYTES,                     \
                                          &cuzk_##g##_generator);                                  \
        }                                                                                          \
        memcpy(points + at * G##_UNCOMPRESSED_BYTES, bytes, G##_UNCOMPRESSED_BYTES);               \
        for (int i = 0; i < 4; i++) {                                                              \
            const point_check check = (i & 1) != 0 ? POINT_CHECK_CURVE : POINT_CHECK_COORDINATES;  \
            const bool refuse_infinity = (i & 2) != 0;                                             \
            point_status status, status_found;                                                     \
            const size_t n =                                                                       \
                cuzk_curve_kernels_at(CUZK_CPU_PORTABLE)                                           \
                    ->g##_decode(expected, points, N_BATCH, check, refuse_infinity, &status);      \
            CUZK_ASSERT(cuzk_curve_kernels()->g##_decode(found, points, N_BATCH, check,            \
                                                         refuse_infinity, &status_found) == n);    \
            CUZK_ASSERT(status_found == status);                                                   \
            CUZK_ASSERT(memcmp(found, expected, n * sizeof expected[0]) == 0);                     \
        }                                                                                          \
    }
enum { N_BATCH = 9 };
BATCH(g1, G1)
BATCH(g2, G2)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    uint8_t bytes[G2_UNCOMPRESSED_BYTES] = {0};
    if (len_bytes > 0) {
        memcpy(bytes, data, len_bytes < sizeof bytes ? len_bytes : sizeof bytes);
    }
    g1(bytes);
    g2(bytes);
    g1_batch(bytes, len_bytes % N_BATCH);
    g2_batch(bytes, len_bytes % N_BATCH);
    return 0;
}
