/* Points and scalars for sums that are easy to get wrong. */
#ifndef CUZK_TESTS_MSM_PATTERNS_H
#define CUZK_TESTS_MSM_PATTERNS_H

#include <stdlib.h>

#include "curve/curve_kernels.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"
#include "msm/msm_internal.h"
#include "support/support.h"

typedef enum point_pattern {
    POINTS_CHAIN,
    POINTS_PROGRESSION, /* sums of neighbours are equal or opposite again and again */
    POINTS_EQUAL,
    POINTS_ALTERNATING, /* P, -P, P ... */
    POINTS_INFINITY,
    POINT_PATTERNS
} point_pattern;

typedef enum scalar_pattern {
    SCALARS_RANDOM,
    SCALARS_EQUAL,
    SCALARS_FEW,   /* four values */
    SCALARS_SMALL, /* below 300 */
    SCALARS_ZERO_ONE,
    SCALARS_MINUS_ONE,  /* r - 1 and r - 2 */
    SCALARS_POWERS,     /* of two */
    SCALARS_WORDS,      /* below 2^64 */
    SCALARS_TURNS,      /* buckets of one window: used twice, new, one again and again, used */
    SCALARS_FULL_QUEUE, /* buckets of one window: used, half a queue of one, used, one on and on */
    SCALAR_PATTERNS
} scalar_pattern;

static const char *const scalar_pattern_names[SCALAR_PATTERNS] = {
    "random scalars", "equal scalars", "four scalars",   "small scalars",    "zeros and ones",
    "minus one",      "powers of two", "64-bit scalars", "scalars by turns", "a full queue",
};

static inline void make_scalars(fr_plain *k, scalar_pattern pattern, size_t n) {
    static const fr_plain minus_one = {FR_MODULUS};
    test_rng rng = {7 + (unsigned)pattern};
    fr_plain few[4];
    for (int i = 0; i < 4; i++) {
        test_rng_fr_plain(&few[i], &rng);
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t v = test_rng_u64(&rng) >> 8;
        switch (pattern) {
        case SCALARS_RANDOM:
            test_rng_fr_plain(&k[i], &rng);
            break;
        case SCALARS_EQUAL:
            k[i] = few[0];
            break;
        case SCALARS_FEW:
            k[i] = few[v % 4];
            break;
        case SCALARS_SMALL:
            k[i] = (fr_plain){{v % 300}};
            break;
        case SCALARS_ZERO_ONE:
            k[i] = (fr_plain){{v % 2}};
            break;
        case SCALARS_MINUS_ONE:
            k[i] = minus_one;
            k[i].l[0] -= 1 + v % 2;
            break;
        case SCALARS_POWERS: {
            k[i] = (fr_plain){{0}};
            unsigned bit = (unsigned)(i % 255);
            k[i].l[bit / 64] = 1ull << (bit % 64);
            break;
        }
        case SCALARS_TURNS: {
            size_t turn = i / 8192, at = i % 8192;
            size_t place = at < 1024   ? at
                           : at < 2048 ? at - 1024
                           : at < 4096 ? at - 1024
                           : at < 7000 ? 5
                                       : at - 6000;
            k[i] = (fr_plain){{2 + turn * 4096 + place}};
            break;
        }
        case SCALARS_FULL_QUEUE: {
            /* 2,048 buckets get a first point; a batch minus one is filled; one bucket waits 1,500
             * times; the batch becomes full and runs while that bucket comes again */
            size_t place = i < 2048                 ? i
                           : i < 2048 + 1000        ? i - 2048
                           : i < 2048 + 1000 + 1500 ? 0
                           : i < 2048 + 2500 + 24   ? i - 2048 - 1500
                           : i < 9000               ? 0
                                                    : i % 5000;
            k[i] = (fr_plain){{2 + place}};
            break;
        }
        default:
            k[i] = (fr_plain){{test_rng_u64(&rng)}};
        }
    }
}

#endif
