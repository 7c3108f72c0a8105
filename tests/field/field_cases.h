/* Field elements to test on: edges first, then random ones. For the field tests only. */
#ifndef CUZK_TESTS_FIELD_CASES_H
#define CUZK_TESTS_FIELD_CASES_H

#include <string.h>

#include "support/support.h"

static const uint64_t fp_modulus[6] = FP_MODULUS;
static const uint64_t fr_modulus[4] = FR_MODULUS;

/* Edge number i of a field with modulus m of n words: 0, 1, 2, m - 1, m - 2, m - 3, numbers around
 * the borders of words, m with a word emptied. False when there is none of that number. */
static bool field_edge(uint64_t *l, int n, const uint64_t *m, int i) {
    memset(l, 0, (size_t)n * sizeof *l);
    if (i < 3) {
        l[0] = (uint64_t)i;
        return true;
    }
    i -= 3;
    if (i < 3) {
        memcpy(l, m, (size_t)n * sizeof *l);
        l[0] -= (uint64_t)i + 1; /* the low words of r and p are large */
        return true;
    }
    i -= 3;
    if (i < 3 * (n - 1)) {
        int word = i / 3 + 1;
        l[word] = 1; /* 2^(64 word), one less, one more */
        if (i % 3 == 1) {
            memset(l, 0xff, (size_t)word * sizeof *l);
            l[word] = 0;
        } else if (i % 3 == 2) {
            l[0] = 1;
        }
        return true;
    }
    i -= 3 * (n - 1);
    if (i < n) {
        memcpy(l, m, (size_t)n * sizeof *l);
        l[i] = i < n - 1 ? 0 : l[i] - 1;
        return true;
    }
    return false;
}

enum { FIELD_CASES = 300 };

/* Case i of FIELD_CASES. */
static inline void fr_case(fr *r, test_rng *rng, int i) {
    if (!field_edge(r->l, 4, fr_modulus, i)) {
        test_rng_fr(r, rng);
    }
}
static inline void fp_case(fp *r, test_rng *rng, int i) {
    if (!field_edge(r->l, 6, fp_modulus, i)) {
        test_rng_fp(r, rng);
    }
}

#endif
