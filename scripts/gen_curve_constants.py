#!/usr/bin/env python3
"""Writes curve_constants.h: constants of E1, E2, their endomorphisms, the tower and the maps of RFC 9380.

usage: gen_curve_constants.py OUT.h

Given are the moduli, z, the generators, and of RFC 9380 (8.8.1, 8.8.2, E.2, E.3) the curves E1', E2' with Z. The rest is
derived: the isogenies by Velu's formulas from the kernel that leads to a curve with A = 0; of the isomorphisms onto E1
and E2 the one that gives the RFC's leading coefficients.
"""
import sys

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
Z = -0xD201000000010000

G1 = (0x17F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB,
      0x08B3F481E3AAA0F1A09E30ED741D8AE4FCF5E095D5D00AF600DB18CB2C04B3EDD03CC744A2888AE40CAA232946C5E7E1)
G2 = ((0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
       0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E),
      (0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
       0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE))

# RFC 9380, 8.8.1: E1' is y^2 = x^3 + A x + B, 11-isogenous to E1.
ISO1_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
ISO1_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
ISO1_Z = 11
# E.2, k_(1,11): the square of the isomorphism's scale, whose cube k_(3,15) is even.
ISO1_X_LEAD = 0x06E08C248E260E70BD1E962381EDEE3D31D79D7E22C837BC23C0BF1BC24C6B68C24B1B80B64D391FA9C8BA2E8BA2D229


class F2:
    """a + b u, u^2 = -1"""

    def __init__(self, a, b=0):
        self.a, self.b = a % P, b % P

    def __add__(self, o): return F2(self.a + o.a, self.b + o.b)
    def __sub__(self, o): return F2(self.a - o.a, self.b - o.b)
    def __neg__(self): return F2(-self.a, -self.b)
    def __eq__(self, o): return self.a == o.a and self.b == o.b

    def __mul__(self, o):
        if isinstance(o, int):
            return F2(self.a * o, self.b * o)
        return F2(self.a * o.a - self.b * o.b, self.a * o.b + self.b * o.a)

    def inv(self):
        n = pow(self.a * self.a + self.b * self.b, -1, P)
        return F2(self.a * n, -self.b * n)

    def pow(self, e):
        r, s = F2(1), self
        while e:
            if e & 1:
                r = r * s
            s, e = s * s, e >> 1
        return r

    def conj(self): return F2(self.a, -self.b)


XI = F2(1, 1)


def lift(v): return v if isinstance(v, F2) else F2(v)


def add(p, q, a):
    """Sum on y^2 = x^3 + a x + b over Fp2 (Fp included); None is infinity."""
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0]:
        if p[1] == -q[1]:
            return None
        slope = (p[0] * p[0] * 3 + a) * (p[1] * 2).inv()
    else:
        slope = (q[1] - p[1]) * (q[0] - p[0]).inv()
    x = slope * slope - p[0] - q[0]
    return x, slope * (p[0] - x) - p[1]


def mul(k, p, a):
    if k < 0:
        return mul(-k, (p[0], -p[1]), a)
    r = None
    while k:
        if k & 1:
            r = add(r, p, a)
        p, k = add(p, p, a), k >> 1
    return r


def velu(a, b, kernel):
    """Isogeny with the kernel points +-Q, Q in kernel: X = x + sum t/(x-xQ) + u/(x-xQ)^2, Y = y dX/dx."""
    terms, t_sum, w_sum = [], F2(0), F2(0)
    for x, y in kernel:
        t, u = (x * x * 3 + a) * 2, y * y * 4
        terms.append((x, t, u))
        t_sum, w_sum = t_sum + t, w_sum + u + t * x
    return a - t_sum * 5, b - w_sum * 7, terms


def isogeny_1():
    a, b = F2(ISO1_A), F2(ISO1_B)
    order = (Z - 1) ** 2 // 3 * R
    x = 0
    while True:
        x += 1
        y2 = (x ** 3 + ISO1_A * x + ISO1_B) % P
        y = pow(y2, (P + 1) // 4, P)
        if y * y % P != y2:
            continue
        point = (F2(x), F2(y))
        assert mul(order, point, a) is None
        q = mul(order // 121, point, a)
        if q is None:
            continue
        if mul(11, q, a) is not None:
            q = mul(11, q, a)
        multiples = [mul(k, q, a) for k in range(1, 6)]
        a_image, b_image, terms = velu(a, b, multiples)
        if a_image == F2(0):
            break
    scale2 = F2(ISO1_X_LEAD)
    assert scale2 * scale2 * scale2 * b_image == F2(4)
    scale = F2(pow(ISO1_X_LEAD, (P + 1) // 4, P))
    assert scale * scale == scale2
    scale3 = scale2 * scale
    if scale3.a & 1 != 0:
        scale3 = -scale3
    return terms, scale2, scale3


def isogeny_2():
    # E.3: the kernel's x is -6 + 6u (the double root of x_den); k_(1,3) = 1/9, k_(3,3) = -1/27.
    a, b = F2(0, 240), F2(1012, 1012)
    x = F2(-6, 6)
    y2 = x * x * x + a * x + b
    t, u = (x * x * 3 + a) * 2, y2 * 4
    assert a - t * 5 == F2(0)
    scale = F2(-3).inv()
    assert scale.pow(6) * (b - (u + t * x) * 7) == F2(4, 4)
    return [(x, t, u)], scale * scale, scale * scale * scale


def limbs(value):
    value = value * 2 ** 384 % P
    return "{{" + ", ".join("0x%016xull" % (value >> (64 * i) & (2 ** 64 - 1)) for i in range(6)) + "}}"


def literal(value):
    if isinstance(value, F2):
        return "{%s, \\\n     %s}" % (limbs(value.a), limbs(value.b))
    return limbs(value % P)


def define(name, value, comment):
    return "/* %s */\n#define %s \\\n    %s\n" % (comment, name, literal(value))


def define_list(name, values, comment):
    return "/* %s */\n#define %s \\\n    {%s}\n" % (comment, name, ", \\\n     ".join(literal(v) for v in values))


def beta():
    """The cube root of unity with (beta x, y) = [-z^2] (x, y) on the subgroup."""
    image = mul(-(Z * Z), (F2(G1[0]), F2(G1[1])), F2(0))
    root = image[0] * F2(G1[0]).inv()
    assert image[1] == F2(G1[1]) and root.b == 0 and pow(root.a, 3, P) == 1
    return root.a


def psi():
    """(cx, cy) with (cx conj(x), cy conj(y)) = [z] (x, y) on the subgroup."""
    cx, cy = XI.pow((P - 1) // 3).inv(), XI.pow((P - 1) // 2).inv()
    image = mul(Z, G2_POINT, F2(0))
    assert cx * G2_POINT[0].conj() == image[0] and cy * G2_POINT[1].conj() == image[1]
    return cx, cy


def short_psi(cx, cy):
    """(x, y, x2) in Fp with -psi(x, y) = ((0, x) conj(x), y (1 - u) (-conj(y))) and psi^2 = (x2 x, -y); the third power of
    -psi is (-(x1, x0), ..), see msm/msm_images.h."""
    x, y = cx.b, cy.a
    assert cx.a == 0 and (cy.a + cy.b) % P == 0 and pow(x, 3, P) == P - 1 and 2 * y * y % P == P - 1
    return x, y, x * x % P


G2_POINT = (F2(*G2[0]), F2(*G2[1]))


def main():
    assert (G1[1] ** 2 - G1[0] ** 3 - 4) % P == 0
    assert G2_POINT[1] * G2_POINT[1] == G2_POINT[0].pow(3) + F2(4, 4)
    cx, cy = psi()
    gamma = XI.pow((P - 1) // 6)
    gamma2 = XI.pow((P * P - 1) // 6)
    assert gamma2.b == 0
    terms1, scale1_x, scale1_y = isogeny_1()
    terms2, scale2_x, scale2_y = isogeny_2()
    out = ["/* Made by scripts/gen_curve_constants.py. Montgomery form; limbs are 64 bits, least significant first. */",
           "#ifndef CUZK_CURVE_CONSTANTS_H", "#define CUZK_CURVE_CONSTANTS_H", "",
           "/* |z|, z the curve's (negative) parameter */\n#define CURVE_Z_ABS 0x%016xull\n" % -Z,
           define("G1_B", 4, "E1: y^2 = x^3 + 4"),
           define("G2_B", F2(4, 4), "E2: y^2 = x^3 + 4 (1 + u)"),
           define("G1_GENERATOR_X", G1[0], "standard generators"),
           define("G1_GENERATOR_Y", G1[1], ""),
           define("G2_GENERATOR_X", G2_POINT[0], ""),
           define("G2_GENERATOR_Y", G2_POINT[1], ""),
           define("G1_BETA", beta(), "beta^3 = 1, (beta x, y) = [-z^2] (x, y) on the subgroup"),
           define("G2_PSI_X", cx, "(conj(x) PSI_X, conj(y) PSI_Y) = [z] (x, y) on the subgroup: PSI_X = (1 + u)^(-(p-1)/3)"),
           define("G2_PSI_Y", cy, "(1 + u)^(-(p-1)/2)"),
           define("G2_PSI_X_FP", short_psi(cx, cy)[0], "PSI_X = PSI_X_FP u"),
           define("G2_PSI_Y_FP", short_psi(cx, cy)[1], "PSI_Y = PSI_Y_FP (1 - u)"),
           define("G2_PSI_2_X_FP", short_psi(cx, cy)[2], "psi^2(x, y) = (PSI_2_X_FP x, -y)"),
           define_list("FP12_FROBENIUS", [gamma.pow(i) for i in range(6)],
                       "w^i to the power p is FROBENIUS[i] w^i: (1 + u)^(i (p-1)/6)"),
           define_list("FP12_FROBENIUS_2", [pow(gamma2.a, i, P) for i in range(6)],
                       "w^i to the power p^2, in Fp: (1 + u)^(i (p^2-1)/6)"),
           define("G1_ISO_A", ISO1_A, "E1': y^2 = x^3 + A x + B, RFC 9380 8.8.1"),
           define("G1_ISO_B", ISO1_B, ""),
           define("G1_ISO_Z", ISO1_Z, ""),
           define("G2_ISO_A", F2(0, 240), "E2', RFC 9380 8.8.2"),
           define("G2_ISO_B", F2(1012, 1012), ""),
           define("G2_ISO_Z", F2(-2, -1), "")]
    for name, terms, sx, sy, get in (("G1", terms1, scale1_x, scale1_y, lambda v: v.a),
                                     ("G2", terms2, scale2_x, scale2_y, lambda v: v)):
        out.append("#define %s_ISO_TERMS %d\n" % (name, len(terms)))
        for column, label in enumerate(("X", "T", "U")):
            out.append(define_list("%s_ISO_%s" % (name, label), [get(t[column]) for t in terms],
                                   "x_i, t_i, u_i of the 11- or 3-isogeny to E: X = SCALE_X (x + sum t_i/(x-x_i) + u_i/(x-x_i)^2)" if column == 0
                                   else ""))
        out.append(define("%s_ISO_SCALE_X" % name, get(sx), "Y = SCALE_Y y (1 - sum t_i/(x-x_i)^2 + 2 u_i/(x-x_i)^3)"))
        out.append(define("%s_ISO_SCALE_Y" % name, get(sy), ""))
    out.append("#endif\n")
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out).replace("/*  */\n", ""))


if __name__ == "__main__":
    main()
