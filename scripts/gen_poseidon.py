#!/usr/bin/env python3
"""Writes poseidon_constants.h: every constant of Poseidon over Fr for arities 2, 4, 8 and 11, in Montgomery form.

usage: gen_poseidon.py OUT.h

Neptune's "Standard" strength: width t = arity + 1, S-box x^5, 8 full rounds. Matrices are lists of rows. The tests
compare digests of all arrays with those of the reference.
"""
import sys

R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
FULL_ROUNDS = 8
HALF = FULL_ROUNDS // 2
PARTIAL_ROUNDS = {2: 55, 4: 56, 8: 57, 11: 57}  # by arity
GEN_TAG = 1 << 40  # SnapDeals' gen-randomness: hash type Custom(1)
FIELD_BITS = 255


def grain_bits(width, partial_rounds):
    """Output bits of the Grain LFSR, seeded with the parameters of the instance."""
    seed = "".join(format(value, "0%db" % bits) for value, bits in
                   [(1, 2), (1, 4), (FIELD_BITS, 12), (width, 12), (FULL_ROUNDS, 10), (partial_rounds, 10)]) + "1" * 30
    state = [int(bit) for bit in seed]

    def step():
        bit = state[-18] ^ state[-29] ^ state[-42] ^ state[-57] ^ state[-67] ^ state[-80]
        state.append(bit)
        return bit

    for _ in range(160):
        step()
    while True:
        while step() == 0:
            step()
        yield step()


def make_round_constants(width, partial_rounds):
    bits = grain_bits(width, partial_rounds)
    constants = []
    while len(constants) < width * (FULL_ROUNDS + partial_rounds):
        value = 0
        for _ in range(FIELD_BITS):
            value = value << 1 | next(bits)
        if value < R:
            constants.append(value)
    return constants


def mat_vec(m, v):
    return [sum(a * b for a, b in zip(row, v)) % R for row in m]


def mat_mul(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) % R for column in columns] for row in a]


def solve(m, right):
    """X with m X = right, for a square regular m."""
    n = len(m)
    rows = [list(a) + list(b) for a, b in zip(m, right)]
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        scale = pow(rows[i][i], -1, R)
        rows[i] = [x * scale % R for x in rows[i]]
        for k in range(n):
            factor = rows[k][i]
            if k != i and factor != 0:
                rows[k] = [(x - factor * y) % R for x, y in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def identity(n):
    return [[int(i == j) for j in range(n)] for i in range(n)]


def compress(constants, mds, partial_rounds):
    """The round constants moved behind the S-boxes: t before the first one, t for each full round but the last, one for
    each partial round, in order of use."""
    width = len(mds)
    inverse = solve(mds, identity(width))

    def row(k):
        return constants[k * width:(k + 1) * width]

    out = row(0)
    for i in range(1, HALF):
        out += mat_vec(inverse, row(i))
    partial = []
    accumulated = row(HALF + partial_rounds)
    for i in range(partial_rounds):
        moved = mat_vec(inverse, accumulated)
        partial.append(moved[0])
        moved[0] = 0
        accumulated = [(a + b) % R for a, b in zip(row(HALF + partial_rounds - 1 - i), moved)]
    out += mat_vec(inverse, accumulated) + partial[::-1]
    for i in range(1, HALF):
        out += mat_vec(inverse, row(HALF + partial_rounds + i))
    return out


def factor_sparse(mds, partial_rounds):
    """(pre-sparse matrix, sparse matrices in order of application as w_hat then v_rest)."""
    current = mds
    sparse = []
    for _ in range(partial_rounds):
        lower = [row[1:] for row in current[1:]]
        w_hat = solve(lower, [[row[0]] for row in current[1:]])
        sparse.append([current[0][0]] + [x for (x,) in w_hat] + current[0][1:])
        extended = [[1] + [0] * len(lower)] + [[0] + row for row in lower]
        current = mat_mul(mds, extended)
    return current, sparse[::-1]


def limbs(value, count):
    return ", ".join("0x%016xull" % (value >> (64 * i) & (2**64 - 1)) for i in range(count))


def element(value):
    return "{{%s}}" % limbs((value << 256) % R, 4)


def array(name, values):
    return (["static const fr %s[%d] = {" % (name, len(values))] + ["    %s," % element(value) for value in values] +
            ["};"])


def lane_array(name, values):
    """Five limbs of 52 bits each, Montgomery factor 2^260."""
    out = ["static const uint64_t %s[%d][5] = {" % (name, len(values))]
    for value in values:
        lanes = (value << 260) % R
        out.append("    {%s}," % ", ".join("0x%013xull" % (lanes >> (52 * i) & (2**52 - 1)) for i in range(5)))
    return out + ["};"]


def main():
    out = ["/* Made by scripts/gen_poseidon.py. Montgomery form; matrices row-major. */",
           "#ifndef CUZK_POSEIDON_CONSTANTS_H", "#define CUZK_POSEIDON_CONSTANTS_H", "", '#include "field/fr.h"', "",
           "#define POSEIDON_GEN_TAG %s" % element(GEN_TAG), "/* Multiples of r, five limbs. */"]
    for k in (1, 2, 4):
        out.append("#define FR_TIMES_%d %s" % (k, limbs(k * R, 5)))
    for arity, partial_rounds in PARTIAL_ROUNDS.items():
        width = arity + 1
        mds = [[pow(i + j + width, -1, R) for j in range(width)] for i in range(width)]
        constants = make_round_constants(width, partial_rounds)
        pre_sparse, sparse = factor_sparse(mds, partial_rounds)
        prefix = "poseidon_%d_" % arity
        out.append("#define %sPARTIAL_ROUNDS %d" % (prefix.upper(), partial_rounds))
        out.append("#define %sTAG %s" % (prefix.upper(), element(2**arity - 1)))
        out += array(prefix + "round_constants", constants)
        arrays = {"compressed": compress(constants, mds, partial_rounds), "mds": sum(mds, []),
                  "pre_sparse": sum(pre_sparse, []), "sparse": sum(sparse, [])}
        for what, values in arrays.items():
            out += array(prefix + what, values)
        out += lane_array(prefix + "in_lanes", sum(arrays.values(), []))
    out += ["", "#endif", ""]
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out))


main()
