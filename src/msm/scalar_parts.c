/* Division by z^2 and |z|, then parts into the middle: a part above b / 2 is taken less b, for one
 * more of the next. Beyond the last part b^2 = b - 1 in G1, and b^4 = b^2 - 1 in G2, mod r. */
#include "msm/scalar_parts.h"

#include "base/status.h"

typedef unsigned __int128 wide;

#define Z_ABS 0xd201000000010000ull
#define Z_SQUARE ((wide)Z_SQUARE_HIGH << 64 | Z_SQUARE_LOW)
#define Z_SQUARE_INVERSE ((wide)Z_SQUARE_INVERSE_HIGH << 64 | Z_SQUARE_INVERSE_LOW)
#define Z_INVERSE 0x381204ca56cd56b5ull /* floor((2^128 - 1) / |z|) - 2^64 */

static uint64_t low(wide a) { return (uint64_t)a; }
static uint64_t high(wide a) { return (uint64_t)(a >> 64); }

/* The upper half of a b. */
static wide mul_high(wide a, wide b) {
    const wide cross = (wide)high(a) * low(b) + high((wide)low(a) * low(b));
    const wide other = (wide)low(a) * high(b) + low(cross);
    return (wide)high(a) * high(b) + high(cross) + high(other);
}

/* k = quotient z^2 + rest. What is cut off makes the estimate of the quotient less than 1 too
 * small: 2^127 / z^2 by the low bits of k, and k / 2^255 times the fraction of the inverse. */
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
    if (top != 0 || r >= Z_SQUARE) {
        r -= Z_SQUARE;
        q++;
    }
    *quotient = q;
    *rest = r;
}

/* a = quotient |z| + rest, a below 2^64 |z|: Moeller and Granlund, "Improved division by invariant
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

static void set_part(scalar_part *part, wide value) {
    *part = (scalar_part){{low(value), high(value)}};
}

/* Takes b from a digit that is above b / 2; returns whether it is. */
static bool take_base(wide *digit, wide b) {
    const bool above = *digit > b / 2;
    *digit -= above ? b : 0;
    return above;
}

void cuzk_scalar_parts_g1(scalar_part parts[MSM_G1_PARTS], const fr_plain *k) {
    wide quotient, rest;
    divide_by_z_square(&quotient, &rest, k);
    quotient += take_base(&rest, Z_SQUARE);
    const bool carry = take_base(&quotient, Z_SQUARE);
    set_part(&parts[0], rest - carry);
    set_part(&parts[1], quotient + carry);
}

void cuzk_scalar_parts_g2(scalar_part parts[MSM_G2_PARTS], const fr_plain *k) {
    wide half[2];
    uint64_t rest[MSM_G2_PARTS];
    divide_by_z_square(&half[1], &half[0], k);
    divide_by_z(&rest[1], &rest[0], half[0]);
    divide_by_z(&rest[3], &rest[2], half[1]);
    wide digits[MSM_G2_PARTS];
    bool carry = false;
    for (int j = 0; j < MSM_G2_PARTS; j++) {
        digits[j] = (wide)rest[j] + carry;
        carry = take_base(&digits[j], Z_ABS);
    }
    digits[2] += carry;
    digits[0] -= carry;
    for (int j = 0; j < MSM_G2_PARTS; j++) {
        set_part(&parts[j], digits[j]);
    }
}
