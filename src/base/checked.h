/* Sizes multiplied and added with a check. */
#ifndef CUZK_BASE_CHECKED_H
#define CUZK_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* false, leaving *r undefined, when the result does not fit. */
static inline bool size_mul(size_t *r, size_t a, size_t b) {
    return !__builtin_mul_overflow(a, b, r);
}
static inline bool size_add(size_t *r, size_t a, size_t b) {
    return !__builtin_add_overflow(a, b, r);
}

static inline size_t size_larger(size_t a, size_t b) { return a > b ? a : b; }

/* Smallest multiple of `to` (a power of two) that is not below n; n must be at most SIZE_MAX - to.
 */
static inline size_t size_round_up(size_t n, size_t to) { return (n + to - 1) & ~(to - 1); }

#endif
