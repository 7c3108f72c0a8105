/* Fp beyond the inline operations: powers, inverse, square root, bytes. */
#include "field/fp.h"

#include "base/bytes.h"

static const uint64_t modulus[6] = FP_MODULUS;

/* a < b as integers of 6 limbs */
static bool limbs_below(const uint64_t a[6], const uint64_t b[6]) {
    for (int i = 5; i >= 0; i--) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

void cuzk_fp_pow(fp *r, const fp *a, const uint64_t *e, size_t n_limbs) {
    fp base = *a;
    fp acc = FP_ONE;
    for (size_t i = n_limbs; i-- > 0;) {
        for (int bit = 63; bit >= 0; bit--) {
            fp_sqr(&acc, &acc);
            if (e[i] >> bit & 1) {
                fp_mul(&acc, &acc, &base);
            }
        }
    }
    *r = acc;
}

void cuzk_fp_inv(fp *r, const fp *a) {
    uint64_t e[6] = FP_MODULUS;
    e[0] -= 2;
    cuzk_fp_pow(r, a, e, 6);
}

bool cuzk_fp_sqrt(fp *r, const fp *a) {
    static const uint64_t e[6] = FP_SQRT_EXPONENT; /* p = 3 mod 4 */
    fp root, check;
    cuzk_fp_pow(&root, a, e, 6);
    fp_sqr(&check, &root);
    if (!fp_eq(&check, a)) {
        return false;
    }
    *r = root;
    return true;
}

static void to_plain(uint64_t plain[6], const fp *a) {
    const fp one = {{1, 0, 0, 0, 0, 0}};
    fp t;
    fp_mul(&t, a, &one);
    memcpy(plain, t.l, sizeof t.l);
}

static bool from_plain(fp *r, const uint64_t plain[6]) {
    if (!limbs_below(plain, modulus)) {
        return false;
    }
    const fp r2 = {FP_R2};
    fp t;
    memcpy(t.l, plain, sizeof t.l);
    fp_mul(r, &t, &r2);
    return true;
}

bool cuzk_fp_is_larger(const fp *a) {
    static const uint64_t half[6] = FP_HALF;
    uint64_t plain[6];
    to_plain(plain, a);
    return limbs_below(half, plain);
}

bool cuzk_fp_read_be(fp *r, const uint8_t bytes[FP_BYTES]) {
    uint64_t plain[6];
    for (int i = 0; i < 6; i++) {
        plain[i] = load_be64(bytes + 8 * (5 - i));
    }
    return from_plain(r, plain);
}

void cuzk_fp_write_be(uint8_t bytes[FP_BYTES], const fp *a) {
    uint64_t plain[6];
    to_plain(plain, a);
    for (int i = 0; i < 6; i++) {
        store_be64(bytes + 8 * (5 - i), plain[i]);
    }
}

bool cuzk_fp_read_le(fp *r, const uint8_t bytes[FP_BYTES]) {
    uint64_t plain[6];
    for (int i = 0; i < 6; i++) {
        plain[i] = load_le64(bytes + 8 * i);
    }
    return from_plain(r, plain);
}

void cuzk_fp_write_le(uint8_t bytes[FP_BYTES], const fp *a) {
    uint64_t plain[6];
    to_plain(plain, a);
    for (int i = 0; i < 6; i++) {
        store_le64(bytes + 8 * i, plain[i]);
    }
}
