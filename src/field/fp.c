/* Fp: what is too long for fp.h: powers, inverses, square roots, encodings. */
#include "field/fp.h"

#include "base/bytes.h"
#include "field/field_kernels.h"
#include "field/inverse.h"

void cuzk_fp_pow(fp *r, const fp *a, const uint64_t *e, size_t n_limbs) {
    cuzk_field_kernels()->fp_pow(r, a, e, n_limbs);
}

void cuzk_fp_inv(fp *r, const fp *a) {
    static const uint64_t m[6] = FP_MODULUS;
    const fp r3 = {FP_R3};
    fp t;
    inverse_mod(t.l, a->l, m, FP_INV62, 6, 7);
    fp_mul(r, &t, &r3); /* (a 2^384)^-1 2^1152 / 2^384 = a^-1 2^384 */
}

bool cuzk_fp_sqrt(fp *r, const fp *a) {
    static const uint64_t exponent[6] = FP_SQRT_EXPONENT; /* p = 3 mod 4 */
    fp root, square;
    cuzk_fp_pow(&root, a, exponent, 6);
    fp_sqr(&square, &root);
    bool found = fp_eq(&square, a);
    *r = root;
    return found;
}

static void to_plain(uint64_t r[6], const fp *a) {
    const fp one = {{1, 0, 0, 0, 0, 0}};
    fp t;
    fp_mul(&t, a, &one);
    memcpy(r, t.l, sizeof t.l);
}

/* a < b */
static bool is_below(const uint64_t a[6], const uint64_t b[6]) {
    for (int i = 5; i >= 0; i--) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

bool cuzk_fp_is_larger(const fp *a) {
    static const uint64_t half[6] = FP_HALF;
    uint64_t t[6];
    to_plain(t, a);
    return is_below(half, t);
}

static bool from_plain(fp *r, const fp *plain) {
    static const uint64_t m[6] = FP_MODULUS;
    const fp r2 = {FP_R2};
    if (!is_below(plain->l, m)) {
        return false;
    }
    fp_mul(r, plain, &r2);
    return true;
}

bool cuzk_fp_read_be(fp *r, const uint8_t bytes[FP_BYTES]) {
    fp t;
    for (int i = 0; i < 6; i++) {
        t.l[i] = load_be64(bytes + 8 * (5 - i));
    }
    return from_plain(r, &t);
}

bool cuzk_fp_read_le(fp *r, const uint8_t bytes[FP_BYTES]) {
    fp t;
    for (int i = 0; i < 6; i++) {
        t.l[i] = load_le64(bytes + 8 * i);
    }
    return from_plain(r, &t);
}

void cuzk_fp_write_be(uint8_t bytes[FP_BYTES], const fp *a) {
    uint64_t t[6];
    to_plain(t, a);
    for (int i = 0; i < 6; i++) {
        store_be64(bytes + 8 * (5 - i), t[i]);
    }
}

void cuzk_fp_write_le(uint8_t bytes[FP_BYTES], const fp *a) {
    uint64_t t[6];
    to_plain(t, a);
    for (int i = 0; i < 6; i++) {
        store_le64(bytes + 8 * i, t[i]);
    }
}
