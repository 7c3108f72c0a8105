/* Modular inversion by division steps (Bernstein and Yang, eprint 2019/266, section 8), in variable
 * time: 62 steps on the low words give a 2 x 2 matrix, which is then applied to the full numbers.
 * For fr.c and fp.c only.
 *
 * Numbers are signed, n limbs of 62 bits, least significant first; all limbs but the top one are in
 * 0 .. 2^62 - 1. */
#ifndef CUZK_FIELD_INVERSE_H
#define CUZK_FIELD_INVERSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LIMB62_MASK ((1ull << 62) - 1)
#define LIMB62_MAX 7 /* 434 bits */

/* 2^62 times the product of 62 steps: (f, g) -> (u f + v g, q f + r g) / 2^62. |u| + |v| and |q| +
 * |r| are at most 2^62. */
typedef struct step_matrix {
    int64_t u, v, q, r;
} step_matrix;

/* Steps on (f, g), f odd, of which only the low words matter; eta is minus the delta of the paper.
 * Returns the new eta. */
static inline int64_t inverse_steps(step_matrix *t, int64_t eta, uint64_t f, uint64_t g) {
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = 62;
    for (;;) {
        /* even g: halve it, one step for each factor of two */
        int zeros = __builtin_ctzll(g | (UINT64_MAX << left));
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) {
            break;
        }
        if (eta < 0) {
            uint64_t s = f;
            f = g;
            g = 0 - s;
            s = u;
            u = q;
            q = 0 - s;
            s = v;
            v = r;
            r = 0 - s;
            eta = -eta;
        }
        /* add the multiple of f that clears up to 6 low bits of g, but no more steps than are left
         * without a swap */
        int bits = eta + 1 < left ? (int)eta + 1 : left;
        uint64_t mask = (UINT64_MAX >> (64 - bits)) & 63;
        uint64_t w = (f * g * (f * f - 2)) & mask; /* f (2 - f^2) = 1 / f mod 64 */
        g += f * w;
        q += u * w;
        r += v * w;
    }
    *t = (step_matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return eta;
}

/* (f, g) = t (f, g) / 2^62, exact. */
static inline void inverse_apply(int64_t *f, int64_t *g, const step_matrix *t, int n) {
    __int128 cf = (__int128)t->u * f[0] + (__int128)t->v * g[0];
    __int128 cg = (__int128)t->q * f[0] + (__int128)t->r * g[0];
    cf >>= 62;
    cg >>= 62;
    for (int i = 1; i < n; i++) {
        cf += (__int128)t->u * f[i] + (__int128)t->v * g[i];
        cg += (__int128)t->q * f[i] + (__int128)t->r * g[i];
        f[i - 1] = (int64_t)((uint64_t)cf & LIMB62_MASK);
        g[i - 1] = (int64_t)((uint64_t)cg & LIMB62_MASK);
        cf >>= 62;
        cg >>= 62;
    }
    f[n - 1] = (int64_t)cf;
    g[n - 1] = (int64_t)cg;
}

/* (d, e) = t (d, e) / 2^62 mod m; d and e stay in (-2 m, m). inv62 = m^-1 mod 2^62. */
static inline void inverse_apply_mod(int64_t *d, int64_t *e, const step_matrix *t, const int64_t *m,
                                     uint64_t inv62, int n) {
    /* first the multiples of m that bring negative numbers into range, then those that clear the
     * low limb */
    int64_t sd = d[n - 1] >> 63, se = e[n - 1] >> 63;
    int64_t md = (t->u & sd) + (t->v & se);
    int64_t me = (t->q & sd) + (t->r & se);
    __int128 cd = (__int128)t->u * d[0] + (__int128)t->v * e[0];
    __int128 ce = (__int128)t->q * d[0] + (__int128)t->r * e[0];
    md -= (int64_t)((inv62 * (uint64_t)cd + (uint64_t)md) & LIMB62_MASK);
    me -= (int64_t)((inv62 * (uint64_t)ce + (uint64_t)me) & LIMB62_MASK);
    cd = (cd + (__int128)m[0] * md) >> 62;
    ce = (ce + (__int128)m[0] * me) >> 62;
    for (int i = 1; i < n; i++) {
        cd += (__int128)t->u * d[i] + (__int128)t->v * e[i] + (__int128)m[i] * md;
        ce += (__int128)t->q * d[i] + (__int128)t->r * e[i] + (__int128)m[i] * me;
        d[i - 1] = (int64_t)((uint64_t)cd & LIMB62_MASK);
        e[i - 1] = (int64_t)((uint64_t)ce & LIMB62_MASK);
        cd >>= 62;
        ce >>= 62;
    }
    d[n - 1] = (int64_t)cd;
    e[n - 1] = (int64_t)ce;
}

static inline bool inverse_is_zero(const int64_t *g, int n) {
    int64_t any = 0;
    for (int i = 0; i < n; i++) {
        any |= g[i];
    }
    return any == 0;
}

/* d += m if d is negative, after negating d if `negate`. */
static inline void inverse_into_range(int64_t *d, bool negate, const int64_t *m, int n) {
    int64_t add = d[n - 1] >> 63;
    int64_t flip = negate ? -1 : 0;
    int64_t carry = 0;
    for (int i = 0; i < n; i++) {
        int64_t limb = (((d[i] + (m[i] & add)) ^ flip) - flip) + carry;
        carry = limb >> 62;
        d[i] = i < n - 1 ? (int64_t)((uint64_t)limb & LIMB62_MASK) : limb;
    }
}

/* words of 64 bits (n_words of them) <-> n limbs of 62, for numbers that are not negative */
static inline void inverse_split(int64_t *limbs, int n, const uint64_t *words, int n_words) {
    for (int i = 0; i < n; i++) {
        int bit = 62 * i, word = bit / 64, shift = bit % 64;
        uint64_t v = word < n_words ? words[word] >> shift : 0;
        if (shift > 2 && word + 1 < n_words) {
            v |= words[word + 1] << (64 - shift);
        }
        limbs[i] = (int64_t)(v & LIMB62_MASK);
    }
}
static inline void inverse_join(uint64_t *words, int n_words, const int64_t *limbs, int n) {
    for (int i = 0; i < n_words; i++) {
        int bit = 64 * i, limb = bit / 62, shift = bit % 62;
        uint64_t v = (uint64_t)limbs[limb] >> shift;
        if (limb + 1 < n) {
            v |= (uint64_t)limbs[limb + 1] << (62 - shift);
        }
        if (62 - shift + 62 < 64 && limb + 2 < n) {
            v |= (uint64_t)limbs[limb + 2] << (124 - shift);
        }
        words[i] = v;
    }
}

/* r = 1 / a mod m, 0 for a = 0. a is below m, the odd prime m is below 2^(62 n - 2); n_words words
 * each. r may be a. */
static inline void inverse_mod(uint64_t *r, const uint64_t *a, const uint64_t *m, uint64_t inv62,
                               int n_words, int n) {
    int64_t modulus[LIMB62_MAX], f[LIMB62_MAX], g[LIMB62_MAX];
    int64_t d[LIMB62_MAX] = {0}, e[LIMB62_MAX] = {1};
    inverse_split(modulus, n, m, n_words);
    inverse_split(g, n, a, n_words);
    memcpy(f, modulus, sizeof f);
    int64_t eta = -1;
    /* invariant: d a = f, e a = g mod m */
    while (!inverse_is_zero(g, n)) {
        step_matrix t;
        eta = inverse_steps(&t, eta, (uint64_t)f[0], (uint64_t)g[0]);
        inverse_apply_mod(d, e, &t, modulus, inv62, n);
        inverse_apply(f, g, &t, n);
    }
    /* f is 1 or -1 (m for a = 0, where d is 0) */
    inverse_into_range(d, f[n - 1] < 0, modulus, n);
    inverse_into_range(d, false, modulus, n);
    inverse_join(r, n_words, d, n);
}

#endif
