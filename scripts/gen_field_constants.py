#!/usr/bin/env python3
"""Writes field_constants.h: the moduli of BLS12-381 and what follows from them, as 64-bit limbs.

usage: gen_field_constants.py OUT.h
"""
import sys

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
FR_GENERATOR = 7
FR_TWO_ADICITY = 32


def limbs(value, count):
    return "{" + ", ".join("0x%016xull" % (value >> (64 * i) & (2**64 - 1)) for i in range(count)) + "}"


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
    out.append("#endif\n")
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out))


main()
