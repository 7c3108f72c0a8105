/* Batches of uncompressed points: what each level decodes and refuses is what portable C does. */
#include <stdlib.h>
#include <string.h>

#include "curve/curve_kernels.h"
#include "support/support.h"

enum { MAX_POINTS = 17, N_CHECKS = 3 };

static const point_check checks[N_CHECKS] = {POINT_CHECK_COORDINATES, POINT_CHECK_CURVE,
                                             POINT_CHECK_SUBGROUP};

/* p, big-endian */
static const uint8_t p_be[48] = {
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7,
    0x64, 0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24,
    0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab};
enum { N_EDGES = 14 };

static void edge_coordinate(uint8_t bytes[48], int edge) {
    memset(bytes, 0, 48);
    switch (edge) {
    case 0: /* 0 */
        break;
    case 1:
    case 2: /* 1, 2 */
        bytes[47] = (uint8_t)edge;
        break;
    case 3: /* 2^48 */
        bytes[41] = 1;
        break;
    case 4: /* 2^48 - 1 */
        memset(bytes + 42, 0xff, 6);
        break;
    case 5: /* p - 2 ... p + 1 */
    case 6:
    case 7:
    case 8:
        memcpy(bytes, p_be, 48);
        bytes[47] = (uint8_t)(bytes[47] + edge - 7);
        break;
    case 9: /* the first 21 bits of p, then zeros; one less, then ones; one more, then zeros */
        memcpy(bytes, p_be, 3);
        bytes[2] &= 0xf8;
        break;
    case 10:
        memset(bytes, 0xff, 48);
        memcpy(bytes, p_be, 3);
        bytes[2] = 0x0f;
        break;
    case 11:
        memcpy(bytes, p_be, 3);
        bytes[2] = 0x18;
        break;
    case 12: /* 2^381 - 1, 2^384 - 1 */
        memset(bytes, 0xff, 48);
        bytes[0] = 0x1f;
        break;
    default:
        memset(bytes, 0xff, 48);
        break;
    }
}

typedef struct decoded {
    union {
        g1_affine g1[MAX_POINTS];
        g2_affine g2[MAX_POINTS];
    } points;
    size_t n_good;
    point_status status;
} decoded;

static void decode(decoded *r, const curve_kernels *kernels, bool is_g2, const uint8_t *bytes,
                   size_t n, point_check check, bool refuse_infinity) {
    r->n_good =
        is_g2 ? kernels->g2_decode(r->points.g2, bytes, n, check, refuse_infinity, &r->status)
              : kernels->g1_decode(r->points.g1, bytes, n, check, refuse_infinity, &r->status);
}

/* Every level gives what portable C gives; returns how many were good. */
static size_t levels_agree(bool is_g2, const uint8_t *bytes, size_t n, point_check check,
                           bool refuse_infinity) {
    decoded expected, found;
    const size_t point_bytes = is_g2 ? sizeof(g2_affine) : sizeof(g1_affine);
    decode(&expected, cuzk_curve_kernels_at(CUZK_CPU_PORTABLE), is_g2, bytes, n, check,
           refuse_infinity);
    for (cuzk_cpu_level level = CUZK_CPU_ADX; level < CUZK_CPU_LEVELS; level++) {
        const curve_kernels *kernels = cuzk_curve_kernels_at(level);
        if (kernels == NULL) {
            continue;
        }
        memset(&found, 0xa5, sizeof found);
        decode(&found, kernels, is_g2, bytes, n, check, refuse_infinity);
        assert_int_equal(found.n_good, expected.n_good);
        assert_int_equal(found.status, expected.status);
        assert_memory_equal(&found.points, &expected.points, expected.n_good * point_bytes);
    }
    return expected.n_good;
}

/* n random multiples of the generator, encoded, in a block of just that size; free() it. */
static uint8_t *random_points(test_rng *rng, bool is_g2, size_t n) {
    const curve_kernels *kernels = cuzk_curve_kernels_at(CUZK_CPU_PORTABLE);
    uint8_t *bytes =
        malloc(n > 0 ? n * (is_g2 ? G2_UNCOMPRESSED_BYTES : G1_UNCOMPRESSED_BYTES) : 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++) {
        fr_plain k;
        test_rng_fr_plain(&k, rng);
        if (is_g2) {
            g2_jac sum;
            g2_affine p;
            g2_jac_from_affine(&sum, &cuzk_g2_generator);
            kernels->g2_mul(&sum, &sum, &k, 1);
            cuzk_g2_jac_to_affine(&p, &sum);
            cuzk_g2_write_uncompressed(bytes + i * G2_UNCOMPRESSED_BYTES, &p);
        } else {
            g1_jac sum;
            g1_affine p;
            g1_jac_from_affine(&sum, &cuzk_g1_generator);
            kernels->g1_mul(&sum, &sum, &k, 1);
            cuzk_g1_jac_to_affine(&p, &sum);
            cuzk_g1_write_uncompressed(bytes + i * G1_UNCOMPRESSED_BYTES, &p);
        }
    }
    return bytes;
}

static void good_points(void **state) {
    (void)state;
    test_rng rng = {1};
    for (int is_g2 = 0; is_g2 < 2; is_g2++) {
        for (size_t n = 0; n <= MAX_POINTS; n++) {
            uint8_t *bytes = random_points(&rng, is_g2, n);
            for (int check = 0; check < N_CHECKS; check++) {
                assert_int_equal(levels_agree(is_g2, bytes, n, checks[check], true), n);
            }
            free(bytes);
        }
    }
}

/* Each byte of a point changed in several ways, in each place of a batch. */
static void damaged_bytes(void **state) {
    (void)state;
    test_rng rng = {2};
    for (int is_g2 = 0; is_g2 < 2; is_g2++) {
        const size_t size = is_g2 ? G2_UNCOMPRESSED_BYTES : G1_UNCOMPRESSED_BYTES;
        uint8_t *bytes = random_points(&rng, is_g2, MAX_POINTS);
        for (size_t byte = 0; byte < size; byte++) {
            for (size_t way = 0; way < 10; way++) {
                const size_t at = (byte * 10 + way) % MAX_POINTS;
                uint8_t *damaged = &bytes[at * size + byte], whole = *damaged;
                *damaged = way == 8 ? 0x00 : way == 9 ? 0xff : (uint8_t)(whole ^ (1u << way));
                const bool same = *damaged == whole;
                levels_agree(is_g2, bytes, MAX_POINTS, POINT_CHECK_COORDINATES, true);
                const size_t n_good =
                    levels_agree(is_g2, bytes, MAX_POINTS, POINT_CHECK_CURVE, true);
                assert_int_equal(n_good, same ? MAX_POINTS : at);
                *damaged = whole;
            }
        }
        /* of two, the first one counts */
        for (size_t second = 1; second < MAX_POINTS; second++) {
            for (size_t first = 0; first < second; first++) {
                bytes[second * size] ^= 0x80;
                bytes[first * size + size - 1] ^= 1;
                assert_int_equal(levels_agree(is_g2, bytes, MAX_POINTS, POINT_CHECK_CURVE, true),
                                 first);
                assert_int_equal(
                    levels_agree(is_g2, bytes, MAX_POINTS, POINT_CHECK_COORDINATES, true), second);
                bytes[second * size] ^= 0x80;
                bytes[first * size + size - 1] ^= 1;
            }
        }
        free(bytes);
    }
}

/* All pairs of extreme coordinates, with all flags, in each place of a batch. */
static void extremes(void **state) {
    (void)state;
    test_rng rng = {3};
    for (int is_g2 = 0; is_g2 < 2; is_g2++) {
        const size_t size = is_g2 ? G2_UNCOMPRESSED_BYTES : G1_UNCOMPRESSED_BYTES;
        uint8_t *bytes = random_points(&rng, is_g2, MAX_POINTS), whole[G2_UNCOMPRESSED_BYTES];
        size_t at = 0;
        for (size_t slots = 0; slots < (is_g2 ? 6 : 1); slots++) {
            static const size_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            for (int edges = 0; edges < N_EDGES * N_EDGES; edges++, at = (at + 1) % MAX_POINTS) {
                uint8_t *point = bytes + at * size;
                memcpy(whole, point, size);
                edge_coordinate(point + 48 * pairs[slots][0], edges % N_EDGES);
                edge_coordinate(point + 48 * pairs[slots][1], edges / N_EDGES);
                for (int refuse = 0; refuse < 2; refuse++) {
                    for (int check = 0; check < 2; check++) {
                        levels_agree(is_g2, bytes, MAX_POINTS, checks[check], refuse);
                    }
                }
                memcpy(point, whole, size);
            }
        }
        /* infinity, right and damaged, and a point that only its coordinates allow */
        for (at = 0; at < MAX_POINTS; at++) {
            for (unsigned flags = 0; flags < 8; flags++) {
                for (unsigned last = 0; last < 2; last++) {
                    uint8_t *point = bytes + at * size;
                    memcpy(whole, point, size);
                    memset(point, 0, size);
                    point[0] = (uint8_t)(flags << 5);
                    point[size - 1] = (uint8_t)last;
                    for (int check = 0; check < 2; check++) {
                        levels_agree(is_g2, bytes, MAX_POINTS, checks[check], true);
                        const size_t n_good =
                            levels_agree(is_g2, bytes, MAX_POINTS, checks[check], false);
                        if (flags == 2 && last == 0) {
                            assert_int_equal(n_good, MAX_POINTS);
                        }
                    }
                    memcpy(point, whole, size);
                }
            }
        }
        free(bytes);
    }
}

/* On the curve, but not in the subgroup; x ends in 48 zero bits, or is 0. */
static void unusual_points(void **state) {
    (void)state;
    test_rng rng = {4};
    for (int is_g2 = 0; is_g2 < 2; is_g2++) {
        const size_t size = is_g2 ? G2_UNCOMPRESSED_BYTES : G1_UNCOMPRESSED_BYTES;
        uint8_t *bytes = random_points(&rng, is_g2, MAX_POINTS), x[G2_COMPRESSED_BYTES];
        size_t n_found = 0;
        for (size_t i = 0; i < 4 * MAX_POINTS; i++) {
            uint8_t *point = bytes + i % MAX_POINTS * size, whole[G2_UNCOMPRESSED_BYTES];
            memcpy(whole, point, size);
            memset(x, 0, sizeof x);
            x[0] = 0x80;
            x[41] = (uint8_t)i;
            x[is_g2 ? 89 : 40] = (uint8_t)(3 * i);
            g1_affine p;
            g2_affine q;
            if (is_g2 && cuzk_g2_read_compressed(&q, x, POINT_CHECK_CURVE) == POINT_OK) {
                cuzk_g2_write_uncompressed(point, &q);
            } else if (!is_g2 && cuzk_g1_read_compressed(&p, x, POINT_CHECK_CURVE) == POINT_OK) {
                cuzk_g1_write_uncompressed(point, &p);
            } else {
                continue;
            }
            n_found++;
            assert_int_equal(levels_agree(is_g2, bytes, MAX_POINTS, POINT_CHECK_CURVE, true),
                             MAX_POINTS);
            assert_int_equal(levels_agree(is_g2, bytes, MAX_POINTS, POINT_CHECK_SUBGROUP, true),
                             i % MAX_POINTS);
            memcpy(point, whole, size);
        }
        assert_true(n_found > MAX_POINTS);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_points),
        cmocka_unit_test(damaged_bytes),
        cmocka_unit_test(extremes),
        cmocka_unit_test(unusual_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
