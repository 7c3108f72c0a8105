#!/usr/bin/env python3
"""Writes mont_mul_adx.S: Montgomery products of Fp, Fr and Fp2 for x86-64 with BMI2 and ADX, System V calling
convention.

    void cuzk_fp_mul_adx(fp *r, const fp *a, const fp *b)    r = a b / 2^384 mod p
    void cuzk_fr_mul_adx(fr *r, const fr *a, const fr *b)    r = a b / 2^256 mod r
    void cuzk_fp_sqr_adx(fp *r, const fp *a)
    void cuzk_fp2_mul_adx(fp2 *r, const fp2 *a, const fp2 *b)
    void cuzk_fp2_sqr_adx(fp2 *r, const fp2 *a)

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

    def check_bounds(self, a_bound=None, b_bound=None):
        """For a sum of products, of factors a below the sum a_bound and b below b_bound (m each if not given): t never
        needs more than n + 1 words before, n + 1 after a pass, and ends below 2 m."""
        a_bound, b_bound = a_bound or self.m, b_bound or self.m
        top = (b_bound - 1) // WORD ** (self.n - 1)
        t = 0
        for i in range(self.n):
            t += (a_bound - 1) * (WORD - 1 if i < self.n - 1 else top)
            assert t < WORD ** (self.n + 1)
            if i < self.n_free:
                t = t // WORD + (WORD - 1) * self.free
            else:
                assert t + (WORD - 1) * self.m < WORD ** (self.n + 1)
                t = (t + (WORD - 1) * self.m) // WORD
            assert t < WORD ** (self.n + 1)
        assert t < 2 * self.m and t < WORD**self.n


    def check_square(self):
        """The lower half of a square, reduced, plus the upper half, ends below 2 m."""
        t = WORD ** self.n - 1
        for i in range(self.n):
            if i < self.n_free:
                t = t // WORD + (WORD - 1) * self.free
            else:
                t = (t + (WORD - 1) * self.m) // WORD
            assert t < WORD ** (self.n + 1)
        t += (self.m - 1) ** 2 // WORD**self.n
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


def low_half(register):
    """The 32-bit name of a register."""
    return register + "d" if register[2:].isdigit() else "%e" + register[2:]


def add_product(w, t, factor, n):
    """t[0..n] += rdx * factor(j) over j; nothing leaves t[n]. Clears both flags first."""
    w.op("xorl", "%eax", "%eax")
    for j in range(n):
        w.op("mulxq", factor(j), "%rax", "%rcx")
        w.op("adcxq", "%rax", t[j])
        w.op("adoxq", "%rcx", t[j + 1])
    w.op("adcq", "$0", t[n])


def at(base, offset=0):
    """The words of an operand in memory."""
    return lambda j: "%d(%s)" % (offset + 8 * j, base)


def emit_entry(w, name, stack_bytes=0):
    w.raw("    .globl %s\n    .hidden %s\n    .type %s, @function\n    .p2align 5\n%s:" % ((name,) * 4))
    w.raw("    .cfi_startproc\n    endbr64")
    for register in SAVED:
        w.op("pushq", register)
        w.raw("    .cfi_adjust_cfa_offset 8\n    .cfi_rel_offset %s, 0" % register[1:])
    if stack_bytes:
        w.op("subq", "$%d" % stack_bytes, "%rsp")
        w.raw("    .cfi_adjust_cfa_offset %d" % stack_bytes)


def emit_exit(w, name, stack_bytes=0):
    if stack_bytes:
        w.op("addq", "$%d" % stack_bytes, "%rsp")
        w.raw("    .cfi_adjust_cfa_offset -%d" % stack_bytes)
    for register in reversed(SAVED):
        w.op("popq", register)
        w.raw("    .cfi_adjust_cfa_offset -8\n    .cfi_restore %s" % register[1:])
    w.raw("    ret\n    .cfi_endproc\n    .size %s, .-%s\n" % (name, name))


def emit_pass(w, field, t, i):
    """Pass i of n: clears and drops the lowest of the n + 1 words of t. Returns the registers in their new order."""
    n = field.n
    if i < field.n_free:
        # t = t / 2^64 + t_0 M; the freed register is the new top word
        fresh = t[n + 1]
        w.op("movq", t[0], "%rdx")
        w.op("xorl", low_half(fresh), low_half(fresh))
        add_product(w, t[1:], lambda j: "%s_free+%d(%%rip)" % (field.name, 8 * j), n)
    else:
        # t = (t + q m) / 2^64, q = t_0 k; the top word becomes 0
        w.op("movq", "%s_k(%%rip)" % field.name, "%rdx")
        w.op("imulq", t[0], "%rdx")
        add_product(w, t, lambda j: "%s_modulus+%d(%%rip)" % (field.name, 8 * j), n)
        if i < n - 1:
            w.op("movq", "$0", t[n + 1])
    return t[1:] + t[:1]


def emit_subtract(w, field, t):
    """t < 2 m: subtracts m where that leaves no borrow. Uses the two words of t above the lowest n."""
    n = field.n
    copies = (["%rax", "%rbx", "%rcx", "%rdx"] + t[n:])[:n]
    for j in range(n):
        w.op("movq", t[j], copies[j])
    for j in range(n):
        w.op("subq" if j == 0 else "sbbq", "%s_modulus+%d(%%rip)" % (field.name, 8 * j), t[j])
    for j in range(n):
        w.op("cmovcq", copies[j], t[j])


def emit_sum(w, field, pairs):
    """Sum of a b / 2^(64 n) over the pairs (a, b), below 2 m, then below m. Uses rax, rbx, rcx, rdx, r8 to r15. Returns
    the registers of the result."""
    n = field.n
    t = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"][: n + 2]

    for i in range(n):
        for a, b in pairs:
            w.op("movq", b(i), "%rdx")
            if i > 0 or (a, b) != pairs[0]:
                add_product(w, t, a, n)
                continue
            w.op("mulxq", a(0), t[0], t[1])  # t = a b_0, one chain
            for j in range(1, n):
                w.op("mulxq", a(j), "%rax", t[j + 1])
                w.op("addq" if j == 1 else "adcq", "%rax", t[j])
            w.op("adcq", "$0", t[n])
        t = emit_pass(w, field, t, i)

    emit_subtract(w, field, t)
    return t[:n]


def emit_store(w, registers, place):
    for j, register in enumerate(registers):
        w.op("movq", register, place(j))


def emit_mul(w, field):
    name = "cuzk_%s_mul_adx" % field.name
    emit_entry(w, name)
    w.op("movq", "%rdx", "%rbp")
    t = emit_sum(w, field, [(at("%rsi"), at("%rbp"))])
    emit_store(w, t, at("%rdi"))
    emit_exit(w, name)


def emit_sqr(w, field):
    """a^2 / 2^(64 n) for n = 6: the 15 products a_i a_j, i < j, doubled, and the 6 squares; then the lower half is reduced
    and the upper half added."""
    n = field.n
    field.check_square()
    name, frame = "cuzk_%s_sqr_adx" % field.name, 8 * n + 8
    a, upper = at("%rsi"), at("%rsp")
    t = ["%rdi", "%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15", "%rbx", "%rbp"]
    emit_entry(w, name, frame)
    w.op("movq", "%rdi", upper(n))

    w.op("movq", a(0), "%rdx")
    w.op("mulxq", a(1), t[1], t[2])
    for j in range(2, n):
        w.op("mulxq", a(j), "%rax", t[j + 1])
        w.op("addq" if j == 2 else "adcq", "%rax", t[j])
    w.op("adcq", "$0", t[n])
    for i in range(1, n - 1):
        w.op("movq", a(i), "%rdx")
        w.op("xorl", low_half(t[i + n]), low_half(t[i + n]))  # the new top word; clears both flags
        for j in range(i + 1, n):
            w.op("mulxq", a(j), "%rax", "%rcx")
            w.op("adcxq", "%rax", t[i + j])
            w.op("adoxq", "%rcx", t[i + j + 1])
        w.op("adcq", "$0", t[i + n])
    w.op("xorl", "%eax", "%eax")
    for i in range(n):  # double in CF, add the squares in OF
        w.op("movq", a(i), "%rdx")
        if i == 0:
            w.op("mulxq", "%rdx", t[0], "%rcx")
        else:
            w.op("mulxq", "%rdx", "%rax", "%rcx")
            w.op("adcxq", t[2 * i], t[2 * i])
            w.op("adoxq", "%rax", t[2 * i])
        if i < n - 1:
            w.op("adcxq", t[2 * i + 1], t[2 * i + 1])
            w.op("adoxq", "%rcx", t[2 * i + 1])
    w.op("movl", "$0", "%eax")
    w.op("adcxq", "%rax", "%rcx")
    w.op("adoxq", "%rax", "%rcx")
    emit_store(w, t[n : 2 * n - 1] + ["%rcx"], upper)

    t = t[: n + 2]
    w.op("xorl", low_half(t[n]), low_half(t[n]))
    for i in range(n):
        t = emit_pass(w, field, t, i)
    for j in range(n):
        w.op("addq" if j == 0 else "adcq", upper(j), t[j])
    w.op("movq", upper(n), "%rsi")
    emit_subtract(w, field, t)
    emit_store(w, t[:n], at("%rsi"))
    emit_exit(w, name, frame)


def emit_fp2_mul(w, field):
    """(a0 b0 + a1 (p - b1)) + (a0 b1 + a1 b0) u, each sum reduced once."""
    n = field.n
    field.check_bounds(2 * field.m, field.m + 1)
    name, frame, size = "cuzk_fp2_mul_adx", 16 * n + 8, 8 * n
    a0, a1, b0, b1 = at("%rsi"), at("%rsi", size), at("%rbp"), at("%rbp", size)
    negative, real = at("%rsp"), at("%rsp", size)
    emit_entry(w, name, frame)
    w.op("movq", "%rdx", "%rbp")
    for j in range(n):
        w.op("movq", "%s_modulus+%d(%%rip)" % (field.name, 8 * j), "%rax")
        w.op("subq" if j == 0 else "sbbq", b1(j), "%rax")
        w.op("movq", "%rax", negative(j))
    emit_store(w, emit_sum(w, field, [(a0, b0), (a1, negative)]), real)
    t = emit_sum(w, field, [(a0, b1), (a1, b0)])
    emit_store(w, t, at("%rdi", size))
    for j in range(n):
        w.op("movq", real(j), "%rax")
        w.op("movq", "%rax", at("%rdi")(j))
    emit_exit(w, name, frame)


def emit_fp2_sqr(w, field):
    """(a0 + a1) (a0 - a1 + p) + 2 a0 a1 u"""
    n = field.n
    field.check_bounds(2 * field.m, 2 * field.m)
    name, frame, size = "cuzk_fp2_sqr_adx", 24 * n + 8, 8 * n
    a0, a1 = at("%rsi"), at("%rsi", size)
    total, difference, real = at("%rsp"), at("%rsp", size), at("%rsp", 2 * size)
    t = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13"]
    emit_entry(w, name, frame)
    for j in range(n):
        w.op("movq", a0(j), t[j])
    for j in range(n):
        w.op("addq" if j == 0 else "adcq", a1(j), t[j])
    emit_store(w, t, total)
    for j in range(n):
        w.op("movq", a0(j), t[j])
    for j in range(n):
        w.op("addq" if j == 0 else "adcq", "%s_modulus+%d(%%rip)" % (field.name, 8 * j), t[j])
    for j in range(n):
        w.op("subq" if j == 0 else "sbbq", a1(j), t[j])
    emit_store(w, t, difference)
    emit_store(w, emit_sum(w, field, [(total, difference)]), real)
    for j in range(n):
        w.op("movq", a0(j), t[j])
    for j in range(n):
        w.op("addq" if j == 0 else "adcq", t[j], t[j])
    emit_store(w, t, total)
    emit_store(w, emit_sum(w, field, [(total, a1)]), at("%rdi", size))
    for j in range(n):
        w.op("movq", real(j), "%rax")
        w.op("movq", "%rax", at("%rdi")(j))
    emit_exit(w, name, frame)


def main():
    fields = [Field("fp", P, 6, 5), Field("fr", R, 4, 0)]
    w = Writer()
    w.raw("/* Made by scripts/gen_mont_mul_adx.py, which says what this is. */\n    .text\n")
    for field in fields:
        emit_mul(w, field)
    emit_sqr(w, fields[0])
    emit_fp2_mul(w, fields[0])
    emit_fp2_sqr(w, fields[0])
    w.raw("    .section .rodata\n    .p2align 6")
    for field in fields:
        w.raw(words(field.name + "_modulus", field.m, field.n))
        w.raw(words(field.name + "_free", field.free, field.n))
        w.raw(words(field.name + "_k", field.k, 1))
    w.raw('    .section .note.GNU-stack, "", @progbits')
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(w.lines) + "\n")


main()
