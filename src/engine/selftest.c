/* Known answers of every kernel level. Each check computes through a level's table and compares
 * with a published value or with an identity that a wrong kernel breaks. */
#include "engine/selftest.h"

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "codec/hex.h"
#include "curve/curve_kernels.h"
#include "curve/point_encoding.h"
#include "field/field_kernels.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"

/* x * x^-1 = 1 over a batch with a zero in it, in both fields; plain and back. */
static bool check_field(cuzk_cpu_level level) {
    enum { N = 67 };
    const field_kernels *k = cuzk_field_kernels_at(level);
    fr a[N], inverse[N], product[N];
    fp c[N], c_inverse[N], c_product[N];
    fr_plain plain[N];
    const fr one = FR_ONE;
    const fp fp_one = FP_ONE;
    fr seven;
    fr_from_u64(&seven, 7);
    k->fr_powers(a, &one, &seven, N);
    a[13] = FR_ZERO;
    for (int i = 0; i < N; i++) {
        memset(&c[i], 0, sizeof c[i]);
        memcpy(&c[i], &a[i], sizeof a[i]); /* any value below p will do */
    }
    k->fr_inv(inverse, a, N);
    k->fr_mul(product, inverse, a, N);
    k->fp_inv(c_inverse, c, N);
    k->fp_mul(c_product, c_inverse, c, N);
    for (int i = 0; i < N; i++) {
        if (i == 13 ? !fr_is_zero(&product[i]) || !fp_is_zero(&c_product[i])
                    : !fr_eq(&product[i], &one) || !fp_eq(&c_product[i], &fp_one)) {
            return false;
        }
    }
    k->fr_to_plain(plain, a, N);
    k->fr_from_plain(product, plain, N);
    return memcmp(product, a, sizeof a) == 0 && plain[2].l[0] == 49;
}

/* Whether several hashes of in together all come out as expected. */
static bool is_hash_of_many(cuzk_cpu_level level, const poseidon_constants *c, const fr *in,
                            const fr *expected) {
    enum { N = 11 }; /* full lanes and some of them */
    fr many[N * POSEIDON_MAX_WIDTH], r[N];
    for (size_t k = 0; k < N; k++) {
        memcpy(&many[k * c->arity], in, c->arity * sizeof *in);
    }
    cuzk_hash_kernels_at(level)->poseidon_many(r, c, many, N);
    for (size_t k = 0; k < N; k++) {
        if (!fr_eq(&r[k], expected)) {
            return false;
        }
    }
    return true;
}

/* H(0, 1) of arity 2 and H(0 .. 7) of arity 8: circuits.md 8.1. */
static bool check_poseidon(cuzk_cpu_level level) {
    static const struct {
        poseidon_kind kind;
        const char *hash; /* big-endian */
    } answers[] = {
        {POSEIDON_2, "396508d75e76a56b739e0fd902efe161a6fba9339d05a69d2e203c369a02e7ff"},
        {POSEIDON_4, "58a54b10a9e5848a00db3c6579229399fb6b4605bf1327ec019814ff6662075d"},
        {POSEIDON_8, "2394611da3a5de5512010042116770774b682e9d9cc4aed92a9934f56d38a5e6"},
        {POSEIDON_11, "0c0fc1b2e5227f286ca537e232ebe87a09f3dcd8ccb08fc1cee3bbc32b693163"},
    };
    fr in[11];
    for (uint64_t i = 0; i < 11; i++) {
        fr_from_u64(&in[i], i);
    }
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const poseidon_constants *c = cuzk_poseidon_constants(answers[i].kind);
        fr r, trace[POSEIDON_MAX_TRACE];
        uint8_t little[FR_BYTES], big[FR_BYTES], want[FR_BYTES];
        cuzk_hash_kernels_at(level)->poseidon(&r, c, in);
        size_t n = cuzk_hash_kernels_at(level)->poseidon_trace(trace, c, in);
        cuzk_fr_write_le(little, &r);
        for (int b = 0; b < FR_BYTES; b++) {
            big[b] = little[FR_BYTES - 1 - b];
        }
        if (!cuzk_hex_decode(want, sizeof want, answers[i].hash) ||
            memcmp(big, want, sizeof want) != 0 || !fr_eq(&trace[n - 1], &r) ||
            !is_hash_of_many(level, c, in, &r)) {
            return false;
        }
    }
    return true;
}

/* First coordinate of e(g, h), groth16.md 1.5; the decoder on the generators. */
static bool check_curve(cuzk_cpu_level level) {
    static const char first[] = "1250ebd871fc0a92a7b2d83168d0d727272d441befa15c503dd8e90ce98db3e7b6"
                                "d194f60839c508a84305aaca17"
                                "89b6";
    const curve_kernels *k = cuzk_curve_kernels_at(level);
    fp12 f, gt;
    uint8_t bytes[FP_BYTES], want[FP_BYTES];
    k->miller_loop(&f, &cuzk_g1_generator, &cuzk_g2_generator, 1);
    k->final_exponentiation(&gt, &f);
    cuzk_fp_write_be(bytes, &gt.c0.c0.c0);
    if (!cuzk_hex_decode(want, sizeof want, first) || memcmp(bytes, want, sizeof want) != 0) {
        return false;
    }
    uint8_t encoded[G1_UNCOMPRESSED_BYTES];
    g1_affine p;
    point_status status;
    k->g1_encode(encoded, &cuzk_g1_generator, 1);
    if (k->g1_decode(&p, encoded, 1, POINT_CHECK_SUBGROUP, true, &status) != 1 ||
        memcmp(&p, &cuzk_g1_generator, sizeof p) != 0) {
        return false;
    }
    encoded[G1_UNCOMPRESSED_BYTES - 1] ^= 1;
    return k->g1_decode(&p, encoded, 1, POINT_CHECK_CURVE, true, &status) == 0;
}

/* FIPS 180-4: "abc". */
static bool check_sha256(cuzk_cpu_level level) {
    static const char abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    (void)level;
    uint8_t digest[SHA256_BYTES], want[SHA256_BYTES];
    cuzk_sha256(digest, "abc", 3);
    return cuzk_hex_decode(want, sizeof want, abc) && memcmp(digest, want, sizeof want) == 0;
}

cuzk_status cuzk_engine_selftest(void (*say)(void *arg, const char *line), void *arg,
                                 cuzk_error *err) {
    static const struct {
        const char *name;
        bool (*check)(cuzk_cpu_level level);
    } checks[] = {
        {"field", check_field},
        {"poseidon", check_poseidon},
        {"curve and pairing", check_curve},
        {"sha256", check_sha256},
    };
    cuzk_status status = cuzk_cpu_check(err);
    if (status != CUZK_OK) {
        return status;
    }
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_detected(); level++) {
        const char *name = cuzk_cpu_level_name((cuzk_cpu_level)level);
        if (cuzk_field_kernels_at((cuzk_cpu_level)level) == NULL) {
            continue;
        }
        for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
            if (!checks[i].check((cuzk_cpu_level)level)) {
                return cuzk_fail(err, CUZK_E_INTERNAL, "self-test: level %s: %s: wrong answer",
                                 name, checks[i].name);
            }
            if (say != NULL) {
                char line[80];
                snprintf(line, sizeof line, "%-11s %-18s ok", name, checks[i].name);
                say(arg, line);
            }
        }
    }
    return CUZK_OK;
}
