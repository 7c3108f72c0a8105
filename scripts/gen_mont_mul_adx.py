#!/usr/bin/env python3
"""Writes mont_mul_adx.S: Montgomery products of Fp and Fr for x86-64 with BMI2 and ADX, System V calling convention.

    void cuzk_fp_mul_adx(fp *r, const fp *a, const fp *b)    r = a b / 2^384 mod p
    void cuzk_fr_mul_adx(fr *r, const fr *a, const fr *b)    r = a b / 2^256 mod r

Operand scanning. For each word b_i: t += a b_i, then one word of t is cleared and dropped. Every such pass runs two
independent carry chains, low halves of the products in CF (ADCX) and high halves in OF (ADOX).

Clearing a word without a quotient: with k = -m^-1 mod 2^64 and M = (m k + 1) / 2^64 we have
(t + t_0 m k) / 2^64 = floor(t / 2^64) + t_0 M, so the pass multiplies by t_0 itself. The result is only bounded by
t / 2^64 + 2^64 M. The ordinary rule, q = t_0 k mod 2^64 and t = (t + q m) / 2^64, is bounded by t / 2^64 + m, and the last
passes use it. Bounds are asserted below.

usage: gen_mont_mul_adx.py OUT.S
"""
import sys

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
WORD = 2**64
SAVED = ["%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15"]


class Field:
    """A modulus m of n words. n_free passes clear their word without a quotient, the rest by the ordinary rule."""

    def __init__(self, name, m, n, n_free):
        self.name, self.m, self.n, self.n_free = name, m, n, n_free
        self.k = -pow(m, -1, WORD) % WORD
        self.free = (m * self.k + 1) // WORD
        self.check_bounds()

    def check_bounds(self):
        """t never needs more than n + 1 words before, n + 1 after a pass, and ends below 2 m."""
        top = (self.m - 1) // WORD ** (self.n - 1)
        t = 0
        for i in range(self.n):
            t += (self.m - 1) * (WORD - 1 if i < self.n - 1 else top)
            assert t < WORD ** (self.n + 1)
            if i < self.n_free:
                t = t // WORD + (WORD - 1) * self.free
            else:
                assert t + (WORD - 1) * self.m < WORD ** (self.n + 1)
                t = (t + (WORD - 1) * self.m) // WORD
            assert t < WORD ** (self.n + 1)
        assert t < 2 * self.m and t < WORD**self.n


class Writer:
    def __init__(self):
        self.lines = []

    def op(self, name, *operands):
        self.lines.append("    %s %s" % (name, ", ".join(operands)))

    def raw(self, text):
        self.lines.append(text)


def words(label, value, count):
    limbs = ["0x%016x" % (value >> (64 * i) & (WORD - 1)) for i in range(count)]
    return "%s:\n    .quad %s" % (label, ", ".join(limbs))


def add_product(w, t, factor, n):
    """t[0..n] += rdx * factor(j) over j; nothing leaves t[n]. Clears both flags first."""
    w.op("xorl", "%eax", "%eax")
    for j in range(n):
        w.op("mulxq", factor(j), "%rax", "%rcx")
        w.op("adcxq", "%rax", t[j])
        w.op("adoxq", "%rcx", t[j + 1])
    w.op("adcq", "$0", t[n])


def emit_mul(w, field):
    n = field.n
    name = "cuzk_%s_mul_adx" % field.name
    a, b = "%rsi", "%rbp"
    t = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"][: n + 2]
    free = lambda j: "%s_free+%d(%%rip)" % (field.name, 8 * j)
    modulus = lambda j: "%s_modulus+%d(%%rip)" % (field.name, 8 * j)
    operand = lambda j: "%d(%s)" % (8 * j, a)

    w.raw("    .globl %s\n    .hidden %s\n    .type %s, @function\n    .p2align 5\n%s:" % ((name,) * 4))
    w.raw("    .cfi_startproc\n    endbr64")
    for offset, register in enumerate(SAVED):
        w.op("pushq", register)
        w.raw("    .cfi_adjust_cfa_offset 8\n    .cfi_rel_offset %s, 0" % register[1:])
    w.op("movq", "%rdx", b)

    # t = a b_0, one chain
    w.op("movq", "(%s)" % b, "%rdx")
    w.op("mulxq", operand(0), t[0], t[1])
    for j in range(1, n):
        w.op("mulxq", operand(j), "%rax", t[j + 1])
        w.op("addq" if j == 1 else "adcq", "%rax", t[j])
    w.op("adcq", "$0", t[n])

    for i in range(n):
        if i > 0:
            w.op("movq", "%d(%s)" % (8 * i, b), "%rdx")
            add_product(w, t, operand, n)
        if i < field.n_free:
            # t = t / 2^64 + t_0 M; the freed register is the new top word
            fresh = t[n + 1]
            w.op("movq", t[0], "%rdx")
            w.op("xorl", fresh + "d", fresh + "d")
            add_product(w, t[1:], free, n)
            t = t[1:] + t[:1]
        else:
            # t = (t + q m) / 2^64, q = t_0 k; the top word becomes 0
            w.op("movq", "%s_k(%%rip)" % field.name, "%rdx")
            w.op("imulq", t[0], "%rdx")
            add_product(w, t, modulus, n)
            if i < n - 1:
                w.op("movq", "$0", t[n + 1])
            t = t[1:] + t[:1]

    # t < 2 m: subtract m where that leaves no borrow
    spare = ["%rax", "%rcx", "%rdx", "%rsi", "%rbx", "%rbp"][:n]
    for j in range(n):
        w.op("movq", t[j], spare[j])
    for j in range(n):
        w.op("subq" if j == 0 else "sbbq", modulus(j), t[j])
    for j in range(n):
        w.op("cmovcq", spare[j], t[j])
        w.op("movq", t[j], "%d(%%rdi)" % (8 * j))
    for register in reversed(SAVED):
        w.op("popq", register)
        w.raw("    .cfi_adjust_cfa_offset -8\n    .cfi_restore %s" % register[1:])
    w.raw("    ret\n    .cfi_endproc\n    .size %s, .-%s\n" % (name, name))


def main():
    fields = [Field("fp", P, 6, 5), Field("fr", R, 4, 0)]
    w = Writer()
    w.raw("/* Made by scripts/gen_mont_mul_adx.py, which says what this is. */\n    .text\n")
    for field in fields:
        emit_mul(w, field)
    w.raw("    .section .rodata\n    .p2align 6")
    for field in fields:
        w.raw(words(field.name + "_modulus", field.m, field.n))
        w.raw(words(field.name + "_free", field.free, field.n))
        w.raw(words(field.name + "_k", field.k, 1))
    w.raw('    .section .note.GNU-stack, "", @progbits')
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(w.lines) + "\n")


main()
