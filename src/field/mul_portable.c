/* Montgomery products in portable C: the reference for every other level. Apart from their callers,
 * since inlined into larger functions they lose a third of their speed to spilled registers. */
#include "field/fp.h"
#include "field/fr.h"

/* r = a b / 2^(64 n) mod m by operand scanning, k = -m^-1 mod 2^64. For every word of b: t += a
 * b_i, then t = (t + q m) / 2^64. t stays below 2 m, and n words are enough as the top bit of m is
 * 0. The callers' constants make this straight-line code. */
static inline __attribute__((always_inline)) void
mont_mul(uint64_t *t, const uint64_t *a, const uint64_t *b, const uint64_t *m, uint64_t k, int n) {
    WORDS_UNROLL for (int i = 0; i < n; i++) { t[i] = 0; }
    WORDS_UNROLL for (int i = 0; i < n; i++) {
        uint64_t top = 0, carry = 0;
        WORDS_UNROLL for (int j = 0; j < n; j++) { t[j] = word_mul_add(a[j], b[i], t[j], &top); }
        uint64_t q = t[0] * k;
        word_mul_add(q, m[0], t[0], &carry);
        WORDS_UNROLL for (int j = 1; j < n; j++) { t[j - 1] = word_mul_add(q, m[j], t[j], &carry); }
        t[n - 1] = top + carry;
    }
}

void cuzk_fp_mul_portable(fp *r, const fp *a, const fp *b) {
    static const uint64_t m[6] = FP_MODULUS;
    uint64_t t[6];
    mont_mul(t, a->l, b->l, m, FP_INV, 6);
    fp_reduce_once(r->l, t);
}

void cuzk_fr_mul_portable(fr *r, const fr *a, const fr *b) {
    static const uint64_t m[4] = FR_MODULUS;
    uint64_t t[4];
    mont_mul(t, a->l, b->l, m, FR_INV, 4);
    fr_reduce_once(r->l, t);
}
