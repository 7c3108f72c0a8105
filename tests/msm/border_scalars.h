/* Scalars at the borders of their parts and of what may be. */
#ifndef CUZK_TESTS_BORDER_SCALARS_H
#define CUZK_TESTS_BORDER_SCALARS_H

#include "field/fr.h"
#include "support/support.h"

#define Z_ABS 0xd201000000010000ull

#define N_SUMS 256 /* four digits in base |z|, four kinds of each */
#define N_AROUND 5 /* -2 .. 2 added */
#define N_ENDS 300 /* from 0 up, from r - 1 down, from r up, some by 2^191 and more */
#define BORDER_SCALARS (N_SUMS * N_AROUND + 3 * N_ENDS)

/* The sum of 0, about |z| / 2, |z| - 1 or |z| times each power of |z| below the fourth. */
static inline fr border_sum(unsigned choice) {
    static const uint64_t digits[4] = {0, Z_ABS / 2, Z_ABS - 1, Z_ABS};
    fr sum = FR_ZERO, z;
    fr_from_u64(&z, Z_ABS);
    for (unsigned j = 0; j < 4; j++) {
        fr digit;
        fr_from_u64(&digit, digits[choice >> (2 * j) & 3]);
        fr_mul(&sum, &sum, &z);
        fr_add(&sum, &sum, &digit);
    }
    return sum;
}

static inline void make_border_scalars(fr_plain k[BORDER_SCALARS]) {
    size_t n = 0;
    for (unsigned choice = 0; choice < N_SUMS; choice++) {
        const fr sum = border_sum(choice);
        for (uint64_t i = 0; i < N_AROUND; i++) {
            fr more, two, value;
            fr_from_u64(&more, i);
            fr_from_u64(&two, 2);
            fr_sub(&more, &more, &two);
            fr_add(&value, &sum, &more);
            fr_to_plain(&k[n++], &value);
        }
    }
    for (uint64_t i = 0; i < N_ENDS; i++) {
        fr_plain below = {FR_MODULUS}, above = {FR_MODULUS};
        below.l[0] -= i + 1; /* the low word of r is large */
        above.l[0] += i;
        above.l[2] = i % 3 == 2 ? UINT64_MAX : above.l[2]; /* as far as msm_windows_takes */
        k[n++] = (fr_plain){{i}};
        k[n++] = below;
        k[n++] = above;
    }
    assert_int_equal(n, BORDER_SCALARS);
}

#endif
