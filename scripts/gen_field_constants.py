#!/usr/bin/env python3
"""Writes field_constants.h: the moduli of BLS12-381 and what follows from them, as 64-bit limbs, and for the lane kernels
as 52-bit limbs.

usage: gen_field_constants.py OUT.h
"""
import sys

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
FR_GENERATOR = 7
FR_TWO_ADICITY = 32


def limbs(value, count):
    return "{" + ", ".join("0x%016xull" % (value >> (64 * i) & (2**64 - 1)) for i in range(count)) + "}"


def limbs52(value, count):
    return "{" + ", ".join("0x%013xull" % (value >> (52 * i) & (2**52 - 1)) for i in range(count)) + "}"


def constant52(name, value, count, comment):
    return "/* %s */\n#define %s \\\n    %s\n" % (comment, name, limbs52(value, count))


def bytes_constant(name, values, comment):
    rows = [", ".join("%2d" % v for v in values[i:i + 16]) for i in range(0, 64, 16)]
    return "/* %s */\n#define %s \\\n    {%s}\n" % (comment, name, ", \\\n     ".join(rows))


def packing_constants():
    """Which byte of a packed value, 48, becomes each byte of its eight limbs in words: limb i starts at byte 6.5 i, so that
    odd limbs are half a byte too high."""
    unpack = [13 * (b // 8) // 2 + b % 8 for b in range(64)]
    # 16 times a big-endian value: limb i starts at byte 6.5 i - 0.5; bytes 48 and up are 0
    reverse = [47 - (13 * (b // 8) - 1) // 2 - b % 8 if (13 * (b // 8) - 1) // 2 + b % 8 < 48 else 48
               for b in range(64)]
    return [bytes_constant("FP8_UNPACK", unpack, "packed byte for each byte of the limbs' words"),
            bytes_constant("FP8_UNPACK_TIMES_2_32", [v - 4 if v >= 4 else 0 for v in unpack],
                           "the same for the value times 2^32, but for the first four, which are 0"),
            bytes_constant("FP8_UNPACK_REVERSED_TIMES_16", reverse,
                           "the same for 16 times a big-endian value; byte 48 is 0")]


def lane_constants():
    fp8_r, fr8_r = 2**416, 2**260
    fp_k, fr_k = -pow(P, -1, 2**52) % 2**52, -pow(R, -1, 2**52) % 2**52
    out = ["/* Lanes (fp8.h, fr8.h): limbs of 52 bits, Montgomery factors 2^416 and 2^260. */\n"]
    out.append(constant52("FP8_MODULUS", P, 8, "p"))
    out.append(constant52("FP8_MODULUS_NEGATED", fp8_r - P, 8, "2^416 - p"))
    out.append("/* -p^-1 mod 2^52, p^-1 mod 2^52 */\n#define FP8_K 0x%013xull\n#define FP8_INV52 0x%013xull\n"
               % (fp_k, pow(P, -1, 2**52)))
    out.append(constant52("FP8_FOLD", (P * fp_k + 1) >> 52, 8, "(p FP8_K + 1) / 2^52"))
    out.append("/* floor(2^416 / p) */\n#define FP8_QUOTIENT 0x%013xull\n" % (fp8_r // P))
    out.append(constant52("FP8_QUOTIENT_384", 2**796 // P, 8, "floor(2^796 / p)"))
    out.append(constant52("FP8_ONE", fp8_r % P, 8, "2^416 mod p: one in Montgomery form"))
    out.append(constant52("FP8_TO_384", 2**384 % P, 8, "2^384 mod p: times this, the factor 2^416 becomes 2^384"))
    out.append(constant52("FP8_INVERSE_SCALE", 2**480 % P, 8,
                          "2^480 mod p: times this, what cuzk_fp_inv makes of a 2^416, 2^352 / a, becomes 2^416 / a"))
    out.append("/* 2^i p, i = 0 .. 34 */\n#define FP8_MULTIPLES \\\n    {%s}\n"
               % ", \\\n     ".join(limbs52(P << i, 8) for i in range(35)))
    out += packing_constants()
    out.append(constant52("FR8_MODULUS", R, 5, "r"))
    out.append(constant52("FR8_MODULUS_NEGATED", fr8_r - R, 5, "2^260 - r"))
    assert R * (1 + 2**32) % 2**52 == 1
    out.append("/* -r^-1 mod 2^52 */\n#define FR8_K 0x%013xull\n" % fr_k)
    out.append(constant52("FR8_FOLD", R * (1 + 2**32) >> 52, 5, "(r (1 + 2^32) - 1) / 2^52"))
    out.append("/* floor(2^260 / r) */\n#define FR8_QUOTIENT %dull\n" % (fr8_r // R))
    out.append(constant52("FR8_ONE", fr8_r % R, 5, "2^260 mod r: one in Montgomery form"))
    out.append(constant52("FR8_K_ALL", -pow(R, -1, fr8_r) % fr8_r, 5, "-r^-1 mod 2^260"))
    out.append(constant52("FR8_FROM_PLAIN_256", 2**516 % R, 5, "2^516 mod r: times this, a plain residue gets the factor 2^256"))
    out.append(constant52("FR8_INVERSE_SCALE", 2**268 % R, 5,
                          "2^268 mod r: times this, what cuzk_fr_inv makes of a 2^260, 2^252 / a, becomes 2^260 / a"))
    out.append(constant52("FR8_TO_256", 2**256 % R, 5, "2^256 mod r: times this, the factor 2^260 becomes 2^256"))
    out.append("/* k r, k = 0 .. 35 */\n#define FR8_MULTIPLES \\\n    {%s}\n"
               % ", \\\n     ".join(limbs52(R * k, 5) for k in range(36)))
    return out


def constant(name, value, count, comment):
    return "/* %s */\n#define %s \\\n    %s\n" % (comment, name, limbs(value, count))


def main():
    fp_r, fr_r = 2**384 % P, 2**256 % R
    omega = pow(FR_GENERATOR, (R - 1) >> FR_TWO_ADICITY, R)
    out = ["/* Made by scripts/gen_field_constants.py. Limbs are 64 bits, least significant first. */",
           "#ifndef CUZK_FIELD_CONSTANTS_H", "#define CUZK_FIELD_CONSTANTS_H", ""]
    out.append(constant("FP_MODULUS", P, 6, "p"))
    out.append(constant("FP_MODULUS_NEGATED", 2**384 - P, 6, "2^384 - p"))
    out.append(constant("FP_TWICE_MODULUS_PLUS_1", 2 * P + 1, 6, "2 p + 1"))
    out.append(constant("FP_R", fp_r, 6, "2^384 mod p: one in Montgomery form"))
    out.append(constant("FP_R2", fp_r * fp_r % P, 6, "2^768 mod p"))
    out.append(constant("FP_R3", pow(fp_r, 3, P), 6, "2^1152 mod p"))
    out.append("/* p^-1 mod 2^62 */\n#define FP_INV62 0x%016xull\n" % pow(P, -1, 2**62))
    out.append(constant("FP_HALF", (P - 1) // 2, 6, "(p - 1) / 2, plain: y is the larger root when above"))
    out.append(constant("FP_ONE_HALF_MONT", (P + 1) // 2 * fp_r % P, 6, "1/2 in Montgomery form"))
    out.append(constant("FP_SQRT_EXPONENT", (P + 1) // 4, 6, "(p + 1) / 4, plain"))
    out.append("/* -p^-1 mod 2^64 */\n#define FP_INV 0x%016xull\n" % (-pow(P, -1, 2**64) % 2**64))
    out.append(constant("FR_MODULUS", R, 4, "r"))
    out.append(constant("FR_MODULUS_NEGATED", 2**256 - R, 4, "2^256 - r"))
    out.append(constant("FR_R", fr_r, 4, "2^256 mod r: one in Montgomery form"))
    out.append(constant("FR_R2", fr_r * fr_r % R, 4, "2^512 mod r"))
    out.append(constant("FR_R3", pow(fr_r, 3, R), 4, "2^768 mod r"))
    out.append("/* r^-1 mod 2^62 */\n#define FR_INV62 0x%016xull\n" % pow(R, -1, 2**62))
    out.append("/* -r^-1 mod 2^64 */\n#define FR_INV 0x%016xull\n" % (-pow(R, -1, 2**64) % 2**64))
    out.append(constant("FR_GENERATOR_MONT", FR_GENERATOR * fr_r % R, 4, "7, a generator of Fr*, in Montgomery form"))
    out.append("/* r - 1 = 2^32 * odd */\n#define FR_TWO_ADICITY %d\n" % FR_TWO_ADICITY)
    out.append(constant("FR_OMEGA_MONT", omega * fr_r % R, 4,
                        "omega = 7^((r-1) / 2^32), of order 2^32, in Montgomery form"))
    out += lane_constants()
    out.append("#endif\n")
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out))


main()
