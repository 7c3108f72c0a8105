/* Division by z^2 and |z|, then parts into the middle: a part above b / 2 is taken less b, for one
 * more of the next. Beyond the last part b^2 = b - 1 in G1, and b^4 = b^2 - 1 in G2, mod r. */
#include "msm/scalar_parts.h"

#include "base/status.h"

typedef unsigned __int128 wide;

#define Z_ABS 0xd201000000010000ull
#define Z_SQUARE ((wide)0xac45a4010001a402ull << 64 | 0x0000000100000000ull)
/* floor(2^255 / z^2) */
#define Z_SQUARE_INVERSE ((wide)0xbe35f678f00fd56eull << 64 | 0xb1fb72917b67f717ull)
#define Z_INVERSE 0x381204ca56cd56b5ull /* floor((2^128 - 1) / |z|) - 2^64 */

static uint64_t low(wide a) { return (uint64_t)a; }
static uint64_t high(wide a) { return (uint64_t)(a >> 64); }

/* The upper half of a b. */
static wide mul_high(wide a, wide b) {
    const wide cross = (wide)high(a) * low(b) + high((wide)low(a) * low(b));
    const wide other = (wide)low(a) * high(b) + low(cross);
    return (wide)high(a) * high(b) + high(cross) + high(other);
}

/* k = quotient z^2 + rest, The estimate of the quotient is at most 2 too small. */
static void divide_by_z_square(wide *quotient, wide *rest, const fr_plain *k) {
    const wide upper = (wide)k->l[3] << 65 | (wide)k->l[2] << 1 | k->l[1] >> 63; /* k / 2^127 */
    wide q = mul_high(upper, Z_SQUARE_INVERSE);
    /* the low three words of q z^2, whose lowest is 2^32 */
    const wide p0 = (wide)low(q) * low(Z_SQUARE);
    const wide p1 = (wide)low(q) * high(Z_SQUARE) + high(p0);
    const wide p1_other = (wide)high(q) * low(Z_SQUARE) + low(p1);
    const uint64_t p2 = high(q) * high(Z_SQUARE) + high(p1) + high(p1_other);
    const wide k_low = (wide)k->l[1] << 64 | k->l[0];
    const wide p_low = (wide)low(p1_other) << 64 | low(p0);
    wide r = k_low - p_low;
    uint64_t top = k->l[2] - p2 - (k_low < p_low);
    while (top != 0 || r >= Z_SQUARE) {
        top -= r < Z_SQUARE;
        r -= Z_SQUARE;
        q++;
    }
    *quotient = q;
    *rest = r;
}

/* a = quotient |z| + rest, a below z^2: Moeller and Granlund, "Improved division by invariant
 * integers", algorithm 4; |z| has its top bit set. */
static void divide_by_z(uint64_t *quotient, uint64_t *rest, wide a) {
    const wide estimate = (wide)Z_INVERSE * high(a) + a;
    uint64_t q = high(estimate) + 1, r = low(a) - q * Z_ABS;
    if (r > low(estimate)) {
        q--;
        r += Z_ABS;
    }
    if (r >= Z_ABS) {
        q++;
        r -= Z_ABS;
    }
    *quotient = q;
    *rest = r;
}

static scalar_part part_of(wide value, bool negative) {
    return (scalar_part){.l = {low(value), high(value)}, .negative = negative};
}

/* A part of the value a, or a - b if that is smaller; returns whether it is. */
static bool set_part(scalar_part *part, wide a, wide b) {
    const bool above = a > b / 2;
    *part = above ? part_of(b - a, b > a) : part_of(a, false);
    if (a > b) {
        *part = part_of(a - b, false);
    }
    return above;
}

static void add_to_part(scalar_part *part, bool minus) {
    const wide value = (wide)part->l[1] << 64 | part->l[0];
    *part = value == 0                ? part_of(1, minus)
            : part->negative == minus ? part_of(value + 1, minus)
                                      : part_of(value - 1, part->negative);
}

void cuzk_scalar_parts_g1(scalar_part parts[MSM_G1_PARTS], const fr_plain *k) {
    wide quotient, rest;
    divide_by_z_square(&quotient, &rest, k);
    quotient += set_part(&parts[0], rest, Z_SQUARE);
    if (set_part(&parts[1], quotient, Z_SQUARE)) {
        add_to_part(&parts[1], false);
        add_to_part(&parts[0], true);
    }
}

void cuzk_scalar_parts_g2(scalar_part parts[MSM_G2_PARTS], const fr_plain *k) {
    wide half[2];
    uint64_t digits[MSM_G2_PARTS];
    divide_by_z_square(&half[1], &half[0], k);
    divide_by_z(&digits[1], &digits[0], half[0]);
    divide_by_z(&digits[3], &digits[2], half[1]);
    bool carry = false;
    for (int j = 0; j < MSM_G2_PARTS; j++) {
        carry = set_part(&parts[j], (wide)digits[j] + carry, Z_ABS);
    }
    if (carry) {
        add_to_part(&parts[2], false);
        add_to_part(&parts[0], true);
    }
}
