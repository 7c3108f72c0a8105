/* Coordinates of points at the level of the including file: big-endian bytes, roots, signs. For
 * curve_kernel.h. */
#ifndef CUZK_CURVE_COORDINATE_KERNEL_H
#define CUZK_CURVE_COORDINATE_KERNEL_H

#include "base/bytes.h"
#include "field/fp2.h"

/* a < b as integers of six limbs */
static inline bool limbs6_less(const uint64_t a[6], const uint64_t b[6]) {
    uint64_t borrow = 0;
    for (int i = 0; i < 6; i++) {
        unsigned __int128 d = (unsigned __int128)a[i] - b[i] - borrow;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow != 0;
}

/* a / 2 */
static inline void fp_half(fp *r, const fp *a) {
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t mask = 0 - (a->l[0] & 1);
    uint64_t t[6];
    uint64_t carry = 0;
    for (int i = 0; i < 6; i++) {
        unsigned __int128 s = (unsigned __int128)a->l[i] + (m[i] & mask) + carry;
        t[i] = (uint64_t)s;
        carry = (uint64_t)(s >> 64);
    }
    for (int i = 0; i < 6; i++) {
        r->l[i] = t[i] >> 1 | (i < 5 ? t[i + 1] << 63 : 0); /* no carry out: p has 381 bits */
    }
}

/* 48 bytes; the bits of the first byte that are set in `flags` are ignored. false when not below p.
 */
static inline bool fp_from_be(fp *r, const uint8_t *bytes, uint8_t flags) {
    static const uint64_t modulus[6] = FP_MODULUS;
    const fp r2 = {FP_R2};
    fp t;
    for (int i = 0; i < 6; i++) {
        t.l[i] = load_be64(bytes + 40 - 8 * i);
    }
    t.l[5] &= ~((uint64_t)flags << 56);
    if (!limbs6_less(t.l, modulus)) {
        return false;
    }
    fp_mul(r, &t, &r2);
    return true;
}
static inline void fp_to_plain(uint64_t r[6], const fp *a) {
    const fp one = {{1, 0, 0, 0, 0, 0}};
    fp t;
    fp_mul(&t, a, &one);
    memcpy(r, t.l, sizeof t.l);
}
static inline void fp_to_be(uint8_t *bytes, const fp *a) {
    uint64_t t[6];
    fp_to_plain(t, a);
    for (int i = 0; i < 6; i++) {
        store_be64(bytes + 40 - 8 * i, t[i]);
    }
}
/* a > (p - 1) / 2 */
static inline bool fp_sign(const fp *a) {
    static const uint64_t half[6] = FP_HALF;
    uint64_t t[6];
    fp_to_plain(t, a);
    return limbs6_less(half, t);
}

/* The imaginary part comes first. */
static inline bool fp2_from_be(fp2 *r, const uint8_t *bytes, uint8_t flags) {
    return fp_from_be(&r->c1, bytes, flags) && fp_from_be(&r->c0, bytes + 48, 0);
}
static inline void fp2_to_be(uint8_t *bytes, const fp2 *a) {
    fp_to_be(bytes, &a->c1);
    fp_to_be(bytes + 48, &a->c0);
}
static inline bool fp2_sign(const fp2 *a) {
    return fp_is_zero(&a->c1) ? fp_sign(&a->c0) : fp_sign(&a->c1);
}

/* r = a^((p - 3) / 4), in sliding windows of five bits; then r^2 a is 1 if a is a square, -1 if
 * not, 0 for 0. */
static inline void fp_pow_root(fp *r, const fp *a) {
    static const uint64_t sqrt_exponent[6] = FP_SQRT_EXPONENT; /* (p + 1) / 4 */
    uint64_t e[6];
    memcpy(e, sqrt_exponent, sizeof e);
    e[0] -= 1; /* without a borrow */
    fp odd[16], t;
    fp_sqr(&t, a);
    odd[0] = *a;
    for (int i = 1; i < 16; i++) {
        fp_mul(&odd[i], &odd[i - 1], &t);
    }
    t = FP_ONE;
    bool started = false;
    for (int high = 383; high >= 0;) {
        if ((e[high / 64] >> (high % 64) & 1) == 0) {
            if (started) {
                fp_sqr(&t, &t);
            }
            high--;
            continue;
        }
        int low = high < 4 ? 0 : high - 4; /* the window is bits high .. low, both 1 */
        while ((e[low / 64] >> (low % 64) & 1) == 0) {
            low++;
        }
        unsigned digit = 0;
        for (int bit = high; bit >= low; bit--) {
            digit = 2 * digit + (unsigned)(e[bit / 64] >> (bit % 64) & 1);
            if (started) {
                fp_sqr(&t, &t);
            }
        }
        if (started) {
            fp_mul(&t, &t, &odd[digit / 2]);
        } else {
            t = odd[digit / 2];
        }
        started = true;
        high = low - 1;
    }
    *r = t;
}

/* A square root, either one; false if there is none. */
static inline bool fp_root(fp *r, const fp *a) {
    fp e, root, check;
    fp_pow_root(&e, a);
    fp_mul(&root, &e, a);
    fp_sqr(&check, &root);
    bool ok = fp_eq(&check, a);
    *r = root;
    return ok;
}

/* A square root, either one; false if there is none. With s^2 = norm(a) and d = (c0 + s) / 2: the
 * root is (sqrt(d), c1 / (2 sqrt(d))) if d is a square, else (c1 / (2 sqrt(-d)), sqrt(-d)). One
 * power gives sqrt(+-d) and its inverse. */
static inline bool fp2_root(fp2 *r, const fp2 *a) {
    fp s, t, d, e;
    if (fp_is_zero(&a->c1)) {
        *r = FP2_ZERO;
        if (fp_root(&t, &a->c0)) {
            r->c0 = t;
        } else { /* -1 is not a square */
            fp_neg(&s, &a->c0);
            (void)fp_root(&r->c1, &s);
        }
        return true;
    }
    fp2 c = *a;
    fp_sqr(&s, &c.c0);
    fp_sqr(&t, &c.c1);
    fp_add(&s, &s, &t);
    if (!fp_root(&s, &s)) {
        return false;
    }
    fp_add(&d, &c.c0, &s); /* 2 d; not zero, since s^2 - c0^2 = c1^2 is not */
    fp_half(&d, &d);
    fp_pow_root(&e, &d);
    fp_mul(&s, &d, &e); /* s^2 = +-d, 1/s = +-e with the same sign */
    fp_sqr(&t, &s);
    fp_half(&c.c1, &c.c1);
    fp_mul(&e, &e, &c.c1);
    if (fp_eq(&t, &d)) {
        r->c0 = s;
        r->c1 = e;
    } else {
        fp_neg(&r->c0, &e);
        r->c1 = s;
    }
    return true;
}

#endif
