#!/usr/bin/env python3
"""Writes mont_mul_adx.S: Montgomery products of Fp, Fr and Fp2, and transform butterflies over Fr, for x86-64 with BMI2 and
ADX, System V calling convention.

    void cuzk_fp_mul_adx(fp *r, const fp *a, const fp *b)    r = a b / 2^384 mod p; a and b may be up to 2 p
    void cuzk_fr_mul_adx(fr *r, const fr *a, const fr *b)    r = a b / 2^256 mod r; b may be below 2 r
    void cuzk_fp_sqr_adx(fp *r, const fp *a)                 a may be up to 2 p
    void cuzk_fp2_mul_adx(fp2 *r, const fp2 *a, const fp2 *b)    a0 and a1 may be up to 2 p
    void cuzk_fp2_sqr_adx(fp2 *r, const fp2 *a)

    n butterflies, n >= 1, u and v moving on by step bytes, w by w_step. u and v are plain residues, possibly plus r, before
    and after; w is below r, in Montgomery form.
    void cuzk_fr_split_adx(fr_plain *u, fr_plain *v, const fr *w, size_t n, size_t step, size_t w_step)
        (u, v) = (u + w v, u - w v)
    void cuzk_fr_merge_adx(fr_plain *u, fr_plain *v, const fr *w, size_t n, size_t step, size_t w_step)
        (u, v) = (u + v, (u - v) w)
    void cuzk_fr_cross_adx(fr_plain *u, fr_plain *v, size_t n, size_t step)
        (u, v) = (u + v, u - v)

Products by operand scanning. For each word b_i: t += a b_i, then one word of t is cleared and dropped. Every such pass runs
two independent carry chains, low halves of the products in CF (ADCX) and high halves in OF (ADOX). With
k = -m^-1 mod 2^64 there are two ways to drop a word:

    quotient   q = t_0 k mod 2^64, t = (t + q m) / 2^64. Bounded by t / 2^64 + m.
    free       t = floor(t / 2^64) + t_0 M with M = (m k + 1) / 2^64, which is (t + t_0 m k) / 2^64: one product less and no
               wait for q, but only bounded by t / 2^64 + 2^64 M.

The generator follows the bound of t: it knows which words are in use and asserts that the result is below 2 m.

usage: gen_mont_mul_adx.py OUT.S
"""
import sys

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
WORD = 2**64
SAVED = ["%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15"] # by the callee
HIGH = ["%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15"]


class Field:
    """A modulus m of n words, and the rule by which each pass drops its word."""

    def __init__(self, name, m, n, rules):
        self.name, self.m, self.n, self.rules = name, m, n, rules
        self.k = -pow(m, -1, WORD) % WORD
        self.free = (m * self.k + 1) // WORD
        assert len(rules) == n

    def modulus_word(self, j):
        return "%s_modulus+%d(%%rip)" % (self.name, 8 * j)

    def free_word(self, j):
        return "%s_free+%d(%%rip)" % (self.name, 8 * j)

    def twice_word(self, j):
        return "%s_none_twice_none+%d(%%rip)" % (self.name, 8 * (self.n + j))


class Writer:
    def __init__(self):
        self.lines = []

    def op(self, name, *operands):
        self.lines.append("    %s %s" % (name, ", ".join(operands)))

    def chain(self, name, carry_name, sources, targets):
        """One instruction a word, the first without a carry in."""
        for j, (source, target) in enumerate(zip(sources, targets)):
            self.op(name if j == 0 else carry_name, source, target)

    def raw(self, text):
        self.lines.append(text)


def words(label, value, count):
    limbs = ["0x%016x" % (value >> (64 * i) & (WORD - 1)) for i in range(count)]
    return "%s:\n    .quad %s" % (label, ", ".join(limbs))


def words_of(bound):
    """Words of the numbers up to bound."""
    return (bound.bit_length() + 63) // 64


def at(base, offset=0):
    """The words of an operand in memory."""
    return lambda j: "%d(%s)" % (offset + 8 * j, base)


def clear(w, register):
    """register = 0, CF = OF = 0"""
    half = register + "d" if register[2].isdigit() else "%e" + register[2:]
    w.op("xorl", half, half)


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


def emit_store(w, registers, place):
    for j, register in enumerate(registers):
        w.op("movq", register, place(j))


def add_product(w, t, factor, n, carries=False):
    """t[0..n] += rdx * factor, or t[0..n + 1] if that carries. The flags are clear before."""
    for j in range(n):
        w.op("mulxq", factor(j), "%rax", "%rcx")
        w.op("adcxq", "%rax", t[j])
        w.op("adoxq", "%rcx", t[j + 1])
    if carries:
        w.op("movl", "$0", "%eax")
        w.op("adoxq", "%rax", t[n + 1])
        w.op("adcxq", "%rax", t[n])
        w.op("adcxq", "%rax", t[n + 1])
    else:
        w.op("adcq", "$0", t[n])


def drop_word(w, field, t, i, bound):
    """Pass i of n: clears and drops the lowest word of t, which is at most bound. Returns the registers in their new order
    and the new bound."""
    n = field.n
    if field.rules[i] == "free":
        w.op("movq", t[0], "%rdx")
        clear(w, t[n + 1])
        add_product(w, t[1:], field.free_word, n)
        bound = bound // WORD + (WORD - 1) * field.free
    else:
        bound += (WORD - 1) * field.m
        carries = words_of(bound) > n + 1
        w.op("movq", "%s_k(%%rip)" % field.name, "%rdx")
        w.op("imulq", t[0], "%rdx")
        clear(w, t[n + 1] if carries else "%rax")
        add_product(w, t, field.modulus_word, n, carries)
        bound //= WORD
    return t[1:] + t[:1], bound


def emit_sum(w, field, pairs, a_bound, b_bound):
    """Sum of a b / 2^(64 n) over the pairs (a, b) of words in memory, where the a add up to at most a_bound and each b is at
    most b_bound. Overwrites rax, rcx, rdx and the first n + 2 of HIGH. Returns these: n of the result, which is below 2 m,
    and two others."""
    n, m = field.n, field.m
    t = HIGH[: n + 2]
    b_top = b_bound >> (64 * (n - 1))
    bound = 0
    for i in range(n):
        for a, b in pairs:
            w.op("movq", b(i), "%rdx")
            if i > 0 or (a, b) != pairs[0]:
                clear(w, "%rax" if words_of(bound) > n or (a, b) != pairs[0] else t[n])
                add_product(w, t, a, n)
                continue
            w.op("mulxq", a(0), t[0], t[1])  # t = a b_0, one chain
            for j in range(1, n):
                w.op("mulxq", a(j), "%rax", t[j + 1])
                w.op("addq" if j == 1 else "adcq", "%rax", t[j])
            w.op("adcq", "$0", t[n])
        bound += a_bound * (WORD - 1 if i < n - 1 else b_top)
        assert words_of(bound) <= n + 1
        t, bound = drop_word(w, field, t, i, bound)
    assert bound < 2 * m and words_of(bound) <= n
    return t[:n], t[n:]


def emit_reduce(w, field, t, spare):
    """t mod m for t below 2 m."""
    n = field.n
    spare = spare[:n]
    w.chain("movq", "movq", t, spare)
    w.chain("subq", "sbbq", [field.modulus_word(j) for j in range(n)], t)
    w.chain("cmovcq", "cmovcq", spare, t)


def emit_mul(w, field, a_bound, b_bound):
    name = "cuzk_%s_mul_adx" % field.name
    emit_entry(w, name)
    w.op("movq", "%rdx", "%rbp")
    t, others = emit_sum(w, field, [(at("%rsi"), at("%rbp"))], a_bound, b_bound)
    emit_reduce(w, field, t, ["%rax", "%rcx", "%rdx", "%rsi"] + others)
    emit_store(w, t, at("%rdi"))
    emit_exit(w, name)


def emit_sqr(w, field):
    """a^2 / 2^(64 n) for n = 6: the 15 products a_i a_j, i < j, doubled, and the 6 squares; then the lower half is reduced
    and the upper half added."""
    n, m = field.n, field.m
    name, frame = "cuzk_%s_sqr_adx" % field.name, 8 * n + 8
    a, upper = at("%rsi"), at("%rsp")
    t = ["%rdi"] + HIGH + ["%rbx", "%rbp"]
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
        clear(w, t[i + n])  # the new top word
        for j in range(i + 1, n):
            w.op("mulxq", a(j), "%rax", "%rcx")
            w.op("adcxq", "%rax", t[i + j])
            w.op("adoxq", "%rcx", t[i + j + 1])
        w.op("adcq", "$0", t[i + n])
    clear(w, "%rax")
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

    t, bound = t[: n + 2], WORD**n - 1
    clear(w, t[n])
    for i in range(n):
        t, bound = drop_word(w, field, t, i, bound)
    w.chain("addq", "adcq", [upper(j) for j in range(n)], t[:n])
    bound += (2 * m) ** 2 // WORD**n
    assert bound < 2 * m and words_of(bound) <= n
    w.op("movq", upper(n), "%rsi")
    emit_reduce(w, field, t[:n], ["%rax", "%rbx", "%rcx", "%rdx"] + t[n:])
    emit_store(w, t[:n], at("%rsi"))
    emit_exit(w, name, frame)


def emit_fp2_mul(w, field):
    """(a0 b0 + a1 (p - b1)) + (a0 b1 + a1 b0) u, each sum reduced once."""
    n, m = field.n, field.m
    name, frame, size = "cuzk_fp2_mul_adx", 16 * n + 8, 8 * n
    a0, a1, b0, b1 = at("%rsi"), at("%rsi", size), at("%rbp"), at("%rbp", size)
    negative, real = at("%rsp"), at("%rsp", size)
    spare = ["%rax", "%rbx", "%rcx", "%rdx"]
    emit_entry(w, name, frame)
    w.op("movq", "%rdx", "%rbp")
    for j in range(n):
        w.op("movq", field.modulus_word(j), "%rax")
        w.op("subq" if j == 0 else "sbbq", b1(j), "%rax")
        w.op("movq", "%rax", negative(j))
    t, others = emit_sum(w, field, [(a0, b0), (a1, negative)], 4 * m, m)
    emit_reduce(w, field, t, spare + others)
    emit_store(w, t, real)
    t, others = emit_sum(w, field, [(a0, b1), (a1, b0)], 4 * m, m - 1)
    emit_reduce(w, field, t, spare + others)
    emit_store(w, t, at("%rdi", size))
    for j in range(n):
        w.op("movq", real(j), "%rax")
        w.op("movq", "%rax", at("%rdi")(j))
    emit_exit(w, name, frame)


def emit_fp2_sqr(w, field):
    """(a0 + a1) (a0 - a1 + p) + 2 a0 a1 u"""
    n, m = field.n, field.m
    name, frame, size = "cuzk_fp2_sqr_adx", 24 * n + 8, 8 * n
    a0, a1 = at("%rsi"), at("%rsi", size)
    total, difference, real = at("%rsp"), at("%rsp", size), at("%rsp", 2 * size)
    t = HIGH[:n]
    spare = ["%rax", "%rbx", "%rcx", "%rdx"]
    load = lambda a: w.chain("movq", "movq", [a(j) for j in range(n)], t)
    emit_entry(w, name, frame)
    load(a0)
    w.chain("addq", "adcq", [a1(j) for j in range(n)], t)
    emit_store(w, t, total)
    load(a0)
    w.chain("addq", "adcq", [field.modulus_word(j) for j in range(n)], t)
    w.chain("subq", "sbbq", [a1(j) for j in range(n)], t)
    emit_store(w, t, difference)
    result, others = emit_sum(w, field, [(total, difference)], 2 * (m - 1), 2 * m - 1)
    emit_reduce(w, field, result, spare + others)
    emit_store(w, result, real)
    load(a0)
    w.chain("addq", "adcq", t, t)
    emit_store(w, t, total)
    result, others = emit_sum(w, field, [(total, a1)], 2 * (m - 1), m - 1)
    emit_reduce(w, field, result, spare + others)
    emit_store(w, result, at("%rdi", size))
    for j in range(n):
        w.op("movq", real(j), "%rax")
        w.op("movq", "%rax", at("%rdi")(j))
    emit_exit(w, name, frame)


def emit_difference(w, field, u, t, s):
    """s = u - t mod 2 m, for both below 2 m; t names registers or words in memory. rbp is field's none_twice_none; r15 is
    overwritten."""
    n = field.n
    w.chain("movq", "movq", [u(j) for j in range(n)], s)
    w.chain("subq", "sbbq", t, s)
    w.op("sbbq", "%r15", "%r15")
    w.op("andl", "$%d" % (8 * n), "%r15d")
    w.chain("addq", "adcq", ["%d(%%rbp, %%r15)" % (8 * j) for j in range(n)], s)


def emit_sum_in_place(w, field, u, t):
    """t = u + t mod 2 m, for both below 2 m; as emit_difference."""
    n = field.n
    w.chain("subq", "sbbq", [field.twice_word(j) for j in range(n)], t)
    w.chain("addq", "adcq", [u(j) for j in range(n)], t)  # a carry when u + t >= 2 m
    w.op("sbbq", "%r15", "%r15")
    w.op("andl", "$%d" % (8 * n), "%r15d")
    w.chain("addq", "adcq", ["%d(%%rbp, %%r15)" % (8 * (n + j)) for j in range(n)], t)


def emit_butterflies(w, field, kind):
    """The three loops. rdi u, rsi v, rbx w, r14 n; on the stack step, w_step."""
    n, m = field.n, field.m
    name = "cuzk_%s_%s_adx" % (field.name, kind)
    u, v = at("%rdi"), at("%rsi")
    emit_entry(w, name, 24)
    if kind == "cross":
        w.op("movq", "%rdx", "%r14")
        w.op("movq", "%rcx", "(%rsp)")
    else:
        w.op("movq", "%rdx", "%rbx")
        w.op("movq", "%rcx", "%r14")
        w.op("movq", "%r8", "(%rsp)")
        w.op("movq", "%r9", "8(%rsp)")
    w.op("leaq", "%s_none_twice_none(%%rip)" % field.name, "%rbp")
    w.raw("    .p2align 5\n1:")
    if kind == "split":
        t, others = emit_sum(w, field, [(at("%rbx"), v)], m - 1, 2 * m - 1)
    else:
        t, others = HIGH[:n], HIGH[n : n + 2]
        w.chain("movq", "movq", [v(j) for j in range(n)], t)
    s = ["%rax", "%rcx", "%rdx", others[0]]
    emit_difference(w, field, u, t, s)
    emit_store(w, s, v)
    emit_sum_in_place(w, field, u, t)
    emit_store(w, t, u)
    if kind == "merge":
        t, _ = emit_sum(w, field, [(at("%rbx"), v)], m - 1, 2 * m - 1)
        emit_store(w, t, v)
    w.op("addq", "(%rsp)", "%rdi")
    w.op("addq", "(%rsp)", "%rsi")
    if kind != "cross":
        w.op("addq", "8(%rsp)", "%rbx")
    w.op("decq", "%r14")
    w.op("jnz", "1b")
    emit_exit(w, name, 24)


def main():
    fp = Field("fp", P, 6, ["free"] * 5 + ["quotient"])
    fr = Field("fr", R, 4, ["free"] * 2 + ["quotient"] * 2)
    fields = [fp, fr]
    w = Writer()
    w.raw("/* Made by scripts/gen_mont_mul_adx.py, which says what this is. */\n    .text\n")
    emit_mul(w, fp, 2 * fp.m, 2 * fp.m)
    emit_mul(w, fr, fr.m - 1, 2 * fr.m - 1)
    emit_sqr(w, fp)
    emit_fp2_mul(w, fp)
    emit_fp2_sqr(w, fp)
    for kind in ["split", "merge", "cross"]:
        emit_butterflies(w, fr, kind)
    w.raw("    .section .rodata\n    .p2align 6")
    for field in fields:
        w.raw(words(field.name + "_modulus", field.m, field.n))
        w.raw(words(field.name + "_free", field.free, field.n))
        w.raw(words(field.name + "_k", field.k, 1))
    w.raw("    .p2align 6\n" + words("fr_none_twice_none", 2 * fr.m << (64 * fr.n), 3 * fr.n))
    w.raw('    .section .note.GNU-stack, "", @progbits')
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(w.lines) + "\n")


main()
